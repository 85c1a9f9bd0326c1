"""PyPSA networks as `network.optimize()` and `network.pf()` solve them, rule by rule. Runs in an environment that has pypsa
(`test_peers.py`)."""

from __future__ import annotations

import json
import logging
import os
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pypsa
import pytest
import wattbook as wb

logging.disable(logging.WARNING)
# linopy warns about future changes.
pytestmark = [
    pytest.mark.filterwarnings("ignore::wattbook.ConversionWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
FIXTURE = Path(__file__).parents[2] / "fixtures" / "pypsa.json"


def triangle(snapshots: object = ("now",)) -> pypsa.Network:
    """Two generators, one load, three equal lines."""
    n = pypsa.Network(name="triangle")
    n.set_snapshots(snapshots)
    n.add("Carrier", "AC")
    n.add("Bus", ["a", "b", "c"], v_nom=110.0)
    for k, (one, other) in enumerate((("a", "b"), ("b", "c"), ("c", "a"))):
        n.add("Line", f"l{k}", bus0=one, bus1=other, s_nom=200.0, x=10.0, r=0.1)
    n.add("Generator", "cheap", bus="a", p_nom=150.0, marginal_cost=10.0)
    n.add("Generator", "dear", bus="c", p_nom=150.0, marginal_cost=40.0)
    n.add("Load", "d", bus="b", p_set=100.0)
    return n


def radial() -> pypsa.Network:
    n = pypsa.Network(name="radial")
    n.add("Carrier", "AC")
    n.add("Bus", ["a", "b"], v_nom=110.0)
    n.add("Line", "l", bus0="a", bus1="b", x=10.0, r=0.1, s_nom=80.0)
    n.add("Generator", "g", bus="a", p_nom=200.0, marginal_cost=10.0)
    n.add("Generator", "h", bus="b", p_nom=200.0, marginal_cost=50.0)
    n.add("Load", "d", bus="b", p_set=100.0)
    return n


def optimized(n: pypsa.Network, **options: object) -> pypsa.Network:
    m = n.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        done = m.optimize(
            snapshots=m.snapshots[:1],
            solver_name="highs",
            log_to_console=False,
            include_objective_constant=False,
            **options,
        )
    assert done == ("ok", "optimal")
    return m


def changed(make: Callable[[], pypsa.Network], component: str, row: str, **values: object) -> pypsa.Network:
    n = make()
    for name, value in values.items():
        static = n.components[component].static
        static[name] = static[name].astype(object if isinstance(value, str) else type(value))
        static.loc[row, name] = value
    return n


def shedding() -> pypsa.Network:
    n = radial()
    n.generators["p_nom"] = 40.0
    n.add("Generator", "shed", bus="b", p_nom=np.inf, marginal_cost=5000.0)
    return n


def tapped() -> pypsa.Network:
    """A loop of a line, a transformer of a type with a tap, and one with its tap at the other side."""
    n = radial()
    n.lines["s_nom"] = 40.0
    n.add("Bus", "low", v_nom=110.0)
    n.add("Transformer", "t", bus0="a", bus1="low", type="160 MVA 380/110 kV", tap_position=5)
    n.add("Transformer", "u", bus0="low", bus1="b", x=0.1, s_nom=150.0, tap_ratio=0.9, tap_side=1)
    # An optimisation of PyPSA ignores shifts and conductances.
    n.transformer_types.loc["160 MVA 380/110 kV", ["phase_shift", "pfe", "i0"]] = 0.0
    return n


def in_periods() -> pypsa.Network:
    n = triangle(pd.MultiIndex.from_product([[2030, 2040], [0, 1]], names=["period", "timestep"]))
    n.investment_periods = [2030, 2040]
    n.generators.loc["cheap", ["build_year", "lifetime"]] = [2040, 30]
    n.generators.loc["dear", ["build_year", "lifetime"]] = [2010, 50]
    n.lines["build_year"], n.lines["lifetime"] = [2010, 2010, 2040], 90.0
    return n


def series() -> pypsa.Network:
    n = triangle([0, 1])
    n.generators_t.p_set["cheap"] = [30.0, 50.0]
    n.loads_t.p_set["d"] = [90.0, 10.0]
    n.lines_t.s_max_pu["l0"] = [0.25, 1.0]
    return n


SAME: dict[str, Callable[[], pypsa.Network]] = {
    "as it is": triangle,
    "line of 0 MVA": lambda: changed(radial, "Line", "l", s_nom=0.0),
    "line with s_max_pu 0": lambda: changed(radial, "Line", "l", s_max_pu=0.0),
    "line without limit": lambda: changed(radial, "Line", "l", s_nom=np.inf),
    "line without limit and with a large reactance": lambda: changed(radial, "Line", "l", s_nom=np.inf, x=5e4, r=0.0),
    "line with a large reactance": lambda: changed(radial, "Line", "l", x=5e4, r=0.0),
    "fixed output": lambda: changed(triangle, "Generator", "cheap", p_set=30.0),
    "series": series,
    "must run": lambda: changed(triangle, "Generator", "dear", p_min_pu=0.2),
    "less than the capacity": lambda: changed(triangle, "Generator", "cheap", p_max_pu=0.3),
    "consumption": lambda: changed(triangle, "Generator", "dear", p_min_pu=-0.5, p_max_pu=0.0, marginal_cost=15.0),
    "sign": lambda: changed(
        triangle, "Generator", "dear", sign=-0.5, marginal_cost=-20.0, marginal_cost_quadratic=0.03
    ),
    "load of the other sign": lambda: changed(triangle, "Load", "d", sign=1.0, p_set=-70.0),
    "without limit": shedding,
    "quadratic": lambda: changed(triangle, "Generator", "cheap", marginal_cost_quadratic=0.5),
    "inactive": lambda: changed(triangle, "Generator", "cheap", active=False),
    "ramp from the output before": lambda: changed(triangle, "Generator", "cheap", p_init=20.0, ramp_limit_up=0.1),
    "ramp down": lambda: changed(triangle, "Generator", "dear", p_init=100.0, ramp_limit_down=0.2),
    "ramp of a unit that was not up": lambda: changed(
        triangle, "Generator", "cheap", up_time_before=0, ramp_limit_up=0.9
    ),
    "energy of the only snapshot": lambda: changed(triangle, "Generator", "cheap", e_sum_max=60.0),
    "energy at least": lambda: changed(triangle, "Generator", "dear", e_sum_min=25.0),
    "commitment that does not matter": lambda: changed(triangle, "Generator", "cheap", committable=True),
    "chosen capacity": lambda: changed(triangle, "Generator", "cheap", p_nom_extendable=True, p_nom_set=45.0),
    "taps": tapped,
}


@pytest.mark.parametrize("what", SAME)
def test_optimum(what: str) -> None:
    n = SAME[what]()
    solution = wb.open_case(n).study(options={"dc_convention": "matpower"}).solution
    there = optimized(n)
    assert solution.objective == pytest.approx(there.objective, rel=1e-6)
    # A mixed-integer program has no prices.
    if not n.generators["committable"].any():
        assert solution.buses["lmp"].tolist() == pytest.approx(there.buses_t.marginal_price.iloc[0].tolist(), abs=1e-4)
    outputs = (there.generators_t.p.iloc[0] * there.generators.sign).reindex(n.generators.index).tolist()
    assert solution.generators["p_mw"].fillna(0.0).tolist() == pytest.approx(outputs, abs=1e-3)


def test_an_inactive_line_is_absent() -> None:
    """The optimisation of PyPSA 1.2 includes it in its cycles, which makes the flows of other lines wrong."""
    n = changed(triangle, "Line", "l1", active=False)
    prices = wb.open_case(n).study(options={"dc_convention": "matpower"}).solution.buses["lmp"].tolist()
    n.remove("Line", "l1")
    assert prices == pytest.approx(optimized(n).buses_t.marginal_price.iloc[0].tolist())


def test_the_first_period() -> None:
    n = in_periods()
    case = wb.open_case(n)
    assert case.generators["in_service"].tolist() == [False, True]
    assert case.branches["in_service"].tolist() == [True, True, False]
    prices = case.study(options={"dc_convention": "matpower"}).solution.buses["lmp"].tolist()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        n.optimize(multi_investment_periods=True, solver_name="highs", log_to_console=False)
    assert prices == pytest.approx(n.buses_t.marginal_price.iloc[0].tolist(), abs=1e-4)


def test_weighted_snapshots_have_the_same_prices() -> None:
    n = triangle()
    n.snapshot_weightings["objective"] = 3.0
    case = wb.open_case(n)
    solution, there = case.study().solution, optimized(n)
    assert solution.buses["lmp"].tolist() == pytest.approx(there.buses_t.marginal_price.iloc[0].tolist())
    assert 3 * solution.objective == pytest.approx(there.objective)
    assert any("weighs the snapshot with 3" in one.message for one in case.warnings)


LEFT_OUT: dict[str, tuple[Callable[[], pypsa.Network], str]] = {
    "commitment": (
        lambda: changed(triangle, "Generator", "dear", committable=True, p_min_pu=0.4, start_up_cost=5.0),
        "The unit commitment of 1 generator (dear) is left out: network.optimize() decides in a mixed-integer program whether "
        "they run; here they run, at 60.0 MW or more; start-up costs of 5.00 $ are left out.",
    ),
    "extension": (
        lambda: changed(triangle, "Line", "l0", s_nom_extendable=True),
        "The extension of 1 line (l0) is left out: the present capacity, 200.0 MVA, counts.",
    ),
    "energy": (
        lambda: changed(lambda: triangle([0, 1]), "Generator", "cheap", e_sum_max=60.0),
        "The energy limits over all snapshots of 1 generator (cheap), at most 60.0 MWh, are left out.",
    ),
    "ramps": (
        lambda: changed(lambda: triangle([0, 1]), "Generator", "cheap", ramp_limit_up=0.1),
        "The ramp limits of 1 generator (cheap) between snapshots are left out.",
    ),
    "fixed beyond the limits": (
        lambda: changed(triangle, "Generator", "cheap", p_set=170.0),
        "The output limits of 1 generator (cheap: p_set 170 MW, limits 0 and 150 MW) are left out; network.optimize() has no "
        "solution with them.",
    ),
}


@pytest.mark.parametrize("what", LEFT_OUT)
def test_omissions_are_the_first_warning_and_persist(what: str) -> None:
    make, sentence = LEFT_OUT[what]
    with pytest.warns(wb.ConversionWarning) as heard:
        case = wb.open_case(make())
    assert sentence in str(heard[0].message)
    assert (case.warnings[0].code, case.warnings[0].message) == ("INPUT.LEFT_OUT", sentence)


def test_left_out_stays_in_a_saved_module(tmp_path: Path) -> None:
    n = triangle()
    n.add("StorageUnit", "lake", bus="a", p_nom=5.0, marginal_cost=3.0)
    case = wb.open_case(n)
    again = wb.open_case(case.save(tmp_path))
    assert again.sha256 == case.sha256
    assert again.warnings[0].message == "The marginal costs and inflow of 1 storage unit (lake) are left out."


REFUSED: dict[str, tuple[Callable[[], pypsa.Network], str, str]] = {
    "carrier": (
        lambda: _electricity(),
        "INPUT.FORMAT",
        "no bus with the carrier AC; its carriers are 'electricity'",
    ),
    "bus": (
        lambda: changed(triangle, "Load", "d", bus="nowhere"),
        "INPUT.UNKNOWN_BUS",
        "Load d refers to bus 'nowhere'",
    ),
    "reactance": (
        lambda: changed(triangle, "Line", "l0", x=np.nan),
        "INPUT.NOT_FINITE",
        "The reactance of line l0 is nan.",
    ),
    "cost": (
        lambda: changed(triangle, "Generator", "dear", marginal_cost=np.inf),
        "INPUT.NOT_FINITE",
        "The marginal_cost of generator dear is inf.",
    ),
    "limits": (
        lambda: changed(triangle, "Generator", "dear", p_min_pu=0.5, p_max_pu=0.4),
        "INPUT.GENERATOR_LIMITS",
        "Generator dear at bus c",
    ),
    "type": (lambda: changed(triangle, "Line", "l0", type="odd"), "INPUT.FORMAT", "PyPSA finds no impedances"),
    "scenarios": (lambda: _stochastic(), "INPUT.FORMAT", "stochastic, with 2 scenarios (low, high)"),
}


def _electricity() -> pypsa.Network:
    n = triangle()
    n.buses["carrier"] = "electricity"
    return n


def _stochastic() -> pypsa.Network:
    n = triangle()
    n.set_scenarios({"low": 0.4, "high": 0.6})
    return n


@pytest.mark.parametrize("what", REFUSED)
def test_refusals(what: str) -> None:
    make, code, words = REFUSED[what]
    with pytest.raises(wb.InputError) as refused:
        wb.open_case(make())
    assert refused.value.code == code and words in refused.value.message


def test_a_scenario_opens() -> None:
    assert wb.open_case(_stochastic().get_scenario("low")).n_bus == 3


def power_flow() -> pypsa.Network:
    """All elements of a power flow: types, T and pi circuits, taps at either side, shifts, shunts and conductances."""
    from peer_pypsa_fields import network

    n = network()
    for component in ("Link", "Process", "StorageUnit", "Store", "GlobalConstraint"):
        n.remove(component, n.components[component].static.index)
    n.remove("Bus", "well")
    n.generators["p_set"] = [120.0, 30.0, 20.0, 10.0, 5.0, 3.0, 6.0, 8.0, 4.0, 2.0]
    n.generators["q_set"] = np.arange(10.0)
    return n


def test_power_flow() -> None:
    n = power_flow()
    case = wb.open_case(n)
    buses = case.study("acpf", options={"dispatch": "file", "slack": "single"}).solution.buses
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        there = case.to_pypsa()
        there.generators["p_set"], there.generators["q_set"] = (
            (n.generators["p_set"] * n.generators["sign"]).values,
            0.0,
        )
        there.generators["q_set"] = (n.generators["q_set"] * n.generators["sign"]).values
        for m in (n, there):
            m.pf(x_tol=1e-10)
            assert buses["vm_pu"].tolist() == pytest.approx(m.buses_t.v_mag_pu.iloc[0].tolist(), abs=1e-8)
            assert np.deg2rad(buses["va_deg"]).tolist() == pytest.approx(m.buses_t.v_ang.iloc[0].tolist(), abs=1e-8)
    assert np.ptp(buses["vm_pu"]) > 0.01


def test_a_series_of_voltage_set_points() -> None:
    n = triangle([0, 1])
    n.buses_t.v_mag_pu_set["a"] = [1.03, 1.0]
    buses = wb.open_case(n).study("acpf", options={"dispatch": "file", "slack": "single"}).solution.buses
    n.pf()
    assert buses["vm_pu"].tolist() == pytest.approx(n.buses_t.v_mag_pu.iloc[0].tolist(), abs=1e-6)


def test_numbers_and_names() -> None:
    n = triangle()
    case = wb.open_case(n)
    study = case.study()
    study.commit(demand={"b": 5.0}, ratings={"l1": 3.0}, generators={"dear": {"p_max": 90.0}})
    assert dict(study.edits.demand) == {2: 5.0} and dict(study.edits.ratings) == {2: 3.0}
    assert study.lmp_components("b").bus == 2
    assert case.branches["uid"].tolist() == ["l0", "l1", "l2"] and case.generators["uid"].tolist() == ["cheap", "dear"]
    assert any("Buses have the numbers 1 to 3" in one.message for one in case.warnings)
    # Integer names become numbers, and the others continue after them.
    n = pypsa.Network()
    n.add("Bus", ["40", "north", "7"], v_nom=110.0)
    n.add("Line", ["3", "4"], bus0=["40", "7"], bus1=["north", "north"], x=1.0, s_nom=10.0)
    n.add("Generator", "3", bus="7", p_nom=10.0, marginal_cost=1.0)
    case = wb.open_case(n)
    assert case.buses.index.tolist() == [40, 41, 7] and case.buses["name"].tolist() == ["40", "north", "7"]
    assert case.branches["uid"].tolist() == ["Line 3", "Line 4"] and case.generators["uid"].tolist() == ["Generator 3"]


def test_the_carriers_of_units_are_their_energy_sources() -> None:
    n = triangle()
    n.generators["carrier"] = ["coal", "onwind"]
    assert wb.open_case(n).generators["energy_source"].tolist() == ["coal", "onwind"]


CURVES = """function mpc = curves
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
	1	3	0	0	2	5	1	1	0	230	1	1.1	0.9;
	2	2	90	20	0	0	1	1	0	230	1	1.1	0.9;
	3	2	60	5	0	0	1	1	0	0	1	1.1	0.9;
];
mpc.gen = [
	1	45	0	100	-100	1.02	100	1	250	10	0	0	0	0	0	0	0	0	0	0	0;
	2	0	0	0	0	1.01	100	1	0	-40	0	0	0	0	0	0	0	0	0	0	0;
	3	45	0	100	-100	1	100	1	270	10	0	0	0	0	0	0	0	0	0	0	0;
];
mpc.branch = [
	1	2	0.01	0.1	0.02	250	0	0	0	0	1	-360	360;
	1	3	0.01	0.1	0.04	0	0	0	1.02	3	1	-360	360;
	2	3	0.01	0.1	0	60	0	0	0	0	1	-360	360;
];
mpc.gencost = [
	1	0	0	4	10	130	40	430	80	1230	250	6330;
	2	0	0	2	25	0	0	0	0	0	0	0;
	2	0	0	3	0.085	1.2	7	0	0	0	0	0;
];
"""


def test_to_pypsa() -> None:
    """Piecewise costs in segments, a demand with a benefit, a branch without rating, buses without base voltage."""
    case = wb.open_case(CURVES.encode(), format="matpower")
    with pytest.warns(wb.ConversionWarning) as heard:
        there = case.to_pypsa()
    text = str(heard[0].message)
    assert "the piecewise linear costs of 1 generator as such: 2 generators more" in text
    assert "the constant costs of 2 generators" in text
    solution = case.study(options={"dc_convention": "matpower"}).solution
    # The optimisation of PyPSA ignores shifts and shunts.
    plain = CURVES.replace("1.02	3	1", "1.02	0	1").replace("0	0	2	5", "0	0	0	5")
    case = wb.open_case(plain.encode(), format="matpower")
    there = optimized(case.to_pypsa())
    solution = case.study(options={"dc_convention": "matpower"}).solution
    constant = 7.0 + 30.0
    assert solution.objective - constant == pytest.approx(there.objective, rel=1e-6)
    assert solution.buses["lmp"].tolist() == pytest.approx(there.buses_t.marginal_price.iloc[0].tolist(), abs=1e-3)
    again = wb.open_case(case.to_pypsa()).study(options={"dc_convention": "matpower"}).solution
    assert again.objective == pytest.approx(solution.objective - constant, rel=1e-9)


@pytest.mark.parametrize("share", [0.0, np.inf, 0.7])
def test_ratings_there_and_back(share: float) -> None:
    n = tapped()
    n.add("Line", "m", bus0="a", bus1="b", x=12.0, s_nom=100.0)
    n.lines.loc["m", "s_max_pu"] = share
    n.transformers.loc["u", "s_max_pu"] = share
    case = wb.open_case(n)
    again = wb.open_case(case.to_pypsa())
    for one in ("rating_mw", "rating_is_fallback"):
        assert again.branches[one].tolist() == pytest.approx(case.branches[one].tolist())


def test_the_recorded_networks_are_those_of_pypsa() -> None:
    """The recorded networks of the tests without pypsa (`test_pypsa.py`) equal those that this version makes and
    solves."""
    from wattbook.conversions import pypsa_reading

    recorded = json.loads(FIXTURE.read_text())
    assert set(recorded) == set(SAME)
    for what, one in recorded.items():
        n = SAME[what]()
        assert json.loads(pypsa_reading.text_of(n)[1]) == one["document"], what
        there = optimized(n)
        assert there.objective == pytest.approx(one["objective"], rel=1e-6)
        if one["lmp"]:
            assert there.buses_t.marginal_price.iloc[0].tolist() == pytest.approx(one["lmp"], abs=1e-4)


def record() -> None:
    """Writes the networks of `SAME`: `python peer_pypsa.py`."""
    from wattbook.conversions import pypsa_reading

    recorded = {}
    for what, make in SAME.items():
        n = make()
        there = optimized(n)
        document = json.loads(pypsa_reading.text_of(n)[1])
        prices = None if n.generators["committable"].any() else there.buses_t.marginal_price.iloc[0].round(9).tolist()
        recorded[what] = {"document": document, "objective": round(there.objective, 9), "lmp": prices}
    FIXTURE.write_text(json.dumps(recorded, separators=(",", ":")) + "\n")


def mesh(seed: int) -> pypsa.Network:
    """Twelve buses on a ring with ten chords, and four generators with quadratic costs."""
    rng = np.random.default_rng(seed)
    n = pypsa.Network(name="mesh")
    n.set_snapshots(["now"])
    n.add("Carrier", "AC")
    buses = [f"b{k}" for k in range(12)]
    n.add("Bus", buses, v_nom=110.0)
    chords = [(a, b) for a in range(12) for b in range(a + 2, 12) if (a, b) != (0, 11)]
    ends = [(k, (k + 1) % 12) for k in range(12)] + [chords[k] for k in rng.choice(len(chords), 10, replace=False)]
    for k, (a, b) in enumerate(ends):
        x, s_nom = rng.uniform(2, 12), rng.uniform(45, 90)
        n.add("Line", f"l{k}", bus0=buses[a], bus1=buses[b], x=float(x), s_nom=float(s_nom))
    for k in range(4):
        c1, c2 = float(rng.uniform(5, 40)), float(rng.uniform(0.01, 0.06))
        n.add("Generator", f"g{k}", bus=buses[3 * k], p_nom=220.0, marginal_cost=c1, marginal_cost_quadratic=c2)
    for bus in buses:
        n.add("Load", f"d{bus}", bus=bus, p_set=float(rng.uniform(10, 40)))
    return n


@pytest.mark.parametrize("seed", [13, 18, 21, 28])
def test_limits_after_outages_are_those_of_security_constrained_optimize(seed: int) -> None:
    n = mesh(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        done = n.optimize.optimize_security_constrained(solver_name="highs", log_to_console=False)
    assert done == ("ok", "optimal")
    secured = {"security": {"emergency": 1.0}, "soft": {"outages": "hard"}}
    solution = wb.open_case(n).study(options=secured).solution
    assert len(solution.contingencies) >= 2
    assert solution.objective == pytest.approx(n.objective, rel=1e-9)
    # HiGHS ends quadratic programs at 1e-7.
    prices = n.buses_t.marginal_price.iloc[0].tolist()
    assert solution.buses["lmp"].tolist() == pytest.approx(prices, abs=1e-3)
    assert solution.generators["p_mw"].tolist() == pytest.approx(n.generators_t.p.iloc[0].tolist(), abs=1e-3)


def batteries(n: pypsa.Network, cyclic: bool) -> pypsa.Network:
    """`n` with four snapshots and two storage units."""
    n.set_snapshots(range(4))
    n.loads_t.p_set = pd.DataFrame(
        {name: own * np.array([0.3, 1.2, 0.5, 1.25]) for name, own in n.loads.p_set.items()}, index=n.snapshots
    )
    for k, bus in enumerate(n.buses.index[[1, 7]]):
        n.add(
            "StorageUnit",
            f"s{k}",
            bus=bus,
            p_nom=25.0,
            max_hours=1.5,
            efficiency_store=0.9,
            efficiency_dispatch=0.95,
            marginal_cost=1.5 * k,
            state_of_charge_initial=8.0,
            cyclic_state_of_charge=cyclic,
        )
    return n


def day_of(n: pypsa.Network, **arguments: object) -> wb.SolvedDay:
    """The day of all snapshots; the case is that of outputs that are all available."""
    demand = n.get_switchable_as_dense("Load", "p_set").T.groupby(n.loads.bus).sum().T
    available = n.generators_t.p_max_pu
    m = n.copy()
    m.generators_t.p_max_pu = pd.DataFrame(index=m.snapshots)
    wear = {name: {"discharge_cost": float(cost)} for name, cost in n.storage_units.marginal_cost.items()}
    study = wb.open_case(m).study(options={"dc_convention": "matpower"})
    units = None if available.empty else available
    return study.day(demand, units=units, storage=wear, progress=False, **arguments)


@pytest.mark.parametrize("cyclic", [False, True])
@pytest.mark.parametrize("seed", [13, 18])
def test_days_are_those_of_optimize(seed: int, cyclic: bool) -> None:
    n = batteries(mesh(seed), cyclic)
    day = day_of(n, end="cyclic" if cyclic else "free")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        done = n.optimize(solver_name="highs", log_to_console=False)
    assert done == ("ok", "optimal")
    assert day.cost == pytest.approx(n.objective, rel=1e-7)
    assert (day.charge > 1).any(axis=None)
    # HiGHS ends quadratic programs at 1e-7.
    assert day.prices.to_numpy() == pytest.approx(n.buses_t.marginal_price.to_numpy(), abs=2e-3)
    assert day.storage.to_numpy() == pytest.approx(n.storage_units_t.p.to_numpy(), abs=2e-2)


def test_the_day_of_scigrid_is_that_of_optimize() -> None:
    """24 hours of PyPSA's example with 38 pumped storages: recorded results of `network.optimize()`."""
    data = Path(os.environ.get("WATTBOOK_DATA", Path(__file__).parents[4] / "shared" / "data"))
    if not data.is_dir():
        pytest.skip(f"no reference data in {data} (WATTBOOK_DATA)")
    n = pypsa.Network(data / "pypsa" / "scigrid-de")
    day = day_of(n)
    assert day.cost == pytest.approx(6_684_817.32, abs=0.01)
    prices = pd.read_csv(data / "reference" / "computed" / "pypsa" / "scigrid-de.marginal_price.csv", index_col=0)
    assert n.buses.index.tolist() == prices.columns.tolist()
    assert day.prices.to_numpy() == pytest.approx(prices.to_numpy(), abs=1e-5)


if __name__ == "__main__":
    record()
