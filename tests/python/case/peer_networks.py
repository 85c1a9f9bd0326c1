"""Networks of other packages against these packages themselves. Runs in an environment that has them (`test_peers.py`)."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pandapower
import pandapower.networks
import pypsa
import pytest
import wattbook as wb
from networks import CLOSED_FORMS, three_bus

sys.path.insert(0, str(Path(__file__).parents[2] / "bench" / "corpus"))
import pandapowerNetworks


def grid(shift_deg: float = 0.0, iron: float = 0.0) -> pypsa.Network:
    """Four buses in a ring, transformers with taps, shift and iron losses, a shunt, quadratic costs, a binding line."""
    n = pypsa.Network(name="ring")
    n.set_snapshots([0, 1])
    n.add("Carrier", "AC")
    for k, kv in enumerate((220, 220, 220, 110)):
        n.add("Bus", f"b{k}", v_nom=kv, x=10 + k, y=50 + k, v_mag_pu_set=1.02 if k == 0 else 1.0)
    for k, (one, other) in enumerate((("b0", "b1"), ("b1", "b2"), ("b2", "b0"))):
        n.add("Line", f"l{k}", bus0=one, bus1=other, r=2.0, x=20.0 + 5 * k, b=1e-4, s_nom=80 if k == 0 else 200)
    n.add(
        "Transformer",
        "t",
        bus0="b2",
        bus1="b3",
        r=0.01,
        x=0.1,
        g=iron,
        b=-20 * iron,
        s_nom=150,
        tap_ratio=1.05,
        phase_shift=shift_deg,
    )
    n.add("Transformer", "u", bus0="b1", bus1="b3", x=0.12, s_nom=150, tap_ratio=0.97, tap_side=1, model="pi")
    n.add("Generator", "cheap", bus="b0", p_nom=300, marginal_cost=10, marginal_cost_quadratic=0.02)
    n.add("Generator", "dear", bus="b2", p_nom=200, marginal_cost=40, p_min_pu=0.1, control="PV")
    n.add("Load", "a", bus="b1", p_set=[120.0, 60.0], q_set=[30.0, 10.0])
    n.add("Load", "c", bus="b3", p_set=100, q_set=20)
    n.add("ShuntImpedance", "s", bus="b3", b=1e-3, g=iron / 100)
    return n


def one_snapshot(n: pypsa.Network) -> wb.Case:
    with pytest.warns(wb.ConversionWarning, match="1 of 2 snapshots"):
        return wb.open_case(n)


def test_pypsa_prices() -> None:
    n = grid()
    case = one_snapshot(n)
    solution = case.study(options={"dc_convention": "matpower"}).solution
    n.optimize(snapshots=n.snapshots[:1], solver_name="highs", log_to_console=False)
    assert solution.objective == pytest.approx(n.objective, rel=1e-6)
    assert solution.buses["lmp"].tolist() == pytest.approx(n.buses_t.marginal_price.iloc[0].tolist(), abs=1e-3)
    assert np.ptp(solution.buses["lmp"]) > 1, "a line binds"
    assert case.buses["name"].tolist() == ["b0", "b1", "b2", "b3"] and case.buses["longitude"].tolist() == [
        10,
        11,
        12,
        13,
    ]


def test_pypsa_voltages() -> None:
    n = grid(shift_deg=3.0, iron=0.001)
    n.generators["p_set"] = [150.0, 80.0]
    case = one_snapshot(n)
    with pytest.warns(wb.ConversionWarning, match="scheduled output of 2"):
        there = case.to_pypsa()
    there.generators["p_set"] = [150.0, 80.0]
    buses = case.study("acpf", options={"dispatch": "file", "slack": "single"}).solution.buses
    for network in (n, there):
        network.pf(network.snapshots[:1])
        assert buses["vm_pu"].tolist() == pytest.approx(network.buses_t.v_mag_pu.iloc[0].tolist(), abs=1e-6)
        assert np.deg2rad(buses["va_deg"]).tolist() == pytest.approx(network.buses_t.v_ang.iloc[0].tolist(), abs=1e-6)


def test_components_of_pypsa_without_a_counterpart_are_listed() -> None:
    n = grid()
    n.add("Bus", "gas", carrier="gas")
    n.add("Generator", "well", bus="gas", p_nom=10)
    n.add("Link", "turbine", bus0="gas", bus1="b3", p_nom=10)
    n.add("StorageUnit", "lake", bus="b0", p_nom=5)
    n.generators.loc["dear", ["committable", "p_nom_extendable"]] = [False, True]
    with pytest.warns(wb.ConversionWarning) as warned:
        case = wb.open_case(n)
    text = str(warned[0].message)
    for one in (
        "1 of 2 snapshots",
        "1 bus of other carriers",
        "1 link",
        "1 storage unit",
        "extension of 1 generator",
    ):
        assert one in text
    assert (case.n_bus, case.n_gen, case.n_branch) == (4, 2, 5)


@pytest.mark.filterwarnings("ignore::wattbook.ConversionWarning")
def test_to_pypsa_and_back() -> None:
    case = wb.open_case(three_bus(rating_23=40), format="matpower")
    n = case.to_pypsa()
    n.optimize(solver_name="highs", log_to_console=False)
    form = CLOSED_FORMS["line 2-3 at 40 MW"]
    assert n.objective == pytest.approx(form["objective"], rel=1e-6)
    again = wb.open_case(n).study().solution
    assert again.objective == pytest.approx(form["objective"]) and again.buses["lmp"].tolist() == pytest.approx(
        form["lmp"]
    )


#: From the collection in tests/bench/corpus/pandapowerNetworks.py: networks of each origin, and each one with special
#: tables.
NETWORKS = [
    "case9",
    "case39",
    "case118",
    "case145",
    "create_cigre_network_hv",
    "create_cigre_network_lv",
    "create_cigre_network_mv",
    "create_kerber_dorfnetz",
    "create_synthetic_voltage_control_lv_network",
    "example_multivoltage",
    "example_simple",
    "GBreducednetwork",
    "iceland",
    "ieee_european_lv_asymmetric",
    "mv_oberrhein",
    "simple_mv_open_ring_net",
]
#: A network with every table that is read; engine/crates/network/tests/fields_pandapower.rs describes it.
EVERY_TABLE = Path(__file__).parents[3] / "engine" / "crates" / "network" / "tests" / "formats" / "pandapower.json"


@pytest.mark.parametrize("name", NETWORKS)
def test_networks_of_pandapower(name: str) -> None:
    [(_, _, ac, _, dc, _)] = pandapowerNetworks.rows([name])
    assert ac == "equal" and dc in ("equal", "equal but for no-load losses", "no costs", "no solution, as in rundcopp")


def in_dc(net: pandapower.pandapowerNet) -> pandapower.pandapowerNet:
    """The network as `rundcopp` accepts it: without piecewise costs beside quadratic ones. Angle-difference limits of
    60 degrees, which `rundcopp` lacks, exclude a vector group of 150."""
    net.pwl_cost = net.pwl_cost.iloc[:0]
    net.trafo.loc[net.trafo.shift_degree > 60, "shift_degree"] = 30.0
    return net


def test_every_table_of_pandapower() -> None:
    net = in_dc(pandapower.from_json(EVERY_TABLE))
    verdict, apart = pandapowerNetworks.power_flow(net)
    assert verdict == "equal" and apart < 1e-8, verdict
    # Without shunts of open ends, whose losses count here, and with the switches of `rundcopp`.
    lossless = pandapowerNetworks.without_losses(net)
    lossless.switch = lossless.switch[lossless.switch.closed]
    lossless.line.loc[6, "in_service"] = False
    pandapower.rundcopp(lossless, switch_rx_ratio=2)
    solution = wb.open_case(lossless).study(options={"dc_convention": "matpower"}).solution
    assert solution.objective == pytest.approx(lossless.res_cost, rel=1e-7)
    prices = lossless.res_bus["lam_p"]
    assert solution.buses.loc[prices.index + 1, "lmp"].tolist() == pytest.approx(prices.tolist(), abs=1e-4, nan_ok=True)


def test_transformers_are_those_of_the_last_power_flow() -> None:
    """Before any power flow the pi circuits of MATPOWER, with a warning; after one its own circuits, which its result
    tables have."""
    net = pandapower.networks.example_multivoltage()
    net.pop("_options", None)
    case = wb.open_case(net)
    assert any("pi circuit" in warning.message for warning in case.warnings)
    for model, opened in (("pi", lambda: case), ("t", lambda: wb.open_case(net)), ("pi", lambda: wb.open_case(net))):
        pandapower.runpp(net, trafo_model=model, numba=False)
        assert "trafo_model" not in (net.get("user_pf_options") or {})
        buses = opened().study("acpf").solution.buses.loc[net.bus.index + 1]
        assert np.allclose(buses["vm_pu"], net.res_bus["vm_pu"], rtol=0, atol=2e-7, equal_nan=True)


@pytest.mark.filterwarnings("ignore::wattbook.ExportWarning")
@pytest.mark.parametrize("name", ["case30", "example_multivoltage", "mv_oberrhein", EVERY_TABLE])
def test_to_pandapower_and_back(name: str | Path) -> None:
    net = in_dc(pandapower.from_json(name)) if isinstance(name, Path) else pandapowerNetworks.network(name)
    pandapower.runpp(net, numba=False)
    again = wb.open_case(net).to_pandapower()
    pandapower.runpp(again, numba=False)
    theirs = pandapowerNetworks.voltages(again)[[again.bus.index.get_loc(bus) for bus in net.bus.index]]
    assert np.allclose(theirs, pandapowerNetworks.voltages(net), rtol=0, atol=1e-7, equal_nan=True)
    verdict, apart = pandapowerNetworks.power_flow(again)
    assert verdict == "equal" and apart < 1e-7, verdict
    if len(net.poly_cost):
        cost = [
            wb.open_case(one).study(options={"dc_convention": "matpower"}).solution.objective for one in (net, again)
        ]
        assert cost[0] == pytest.approx(cost[1], rel=1e-9)


def test_the_recorded_voltages_are_those_of_pandapower() -> None:
    recorded = json.loads((Path(__file__).parents[2] / "fixtures" / "pandapower.json").read_text())
    for one in recorded.values():
        net = pandapower.from_json_string(json.dumps(one["network"]))
        pandapower.runpp(net, trafo_model="pi", numba=False, tolerance_mva=1e-9)
        assert net.res_bus["vm_pu"].tolist() == pytest.approx(one["vm_pu"], abs=1e-9)


def test_distribution_factors_are_those_of_pandapower() -> None:
    from pandapower.pypower.makeLODF import makeLODF
    from pandapower.pypower.makePTDF import makePTDF

    net = pandapower.networks.case118()
    pandapower.rundcpp(net, trafo_model="pi")
    tables = net._ppc["internal"]
    slack = int(np.flatnonzero(tables["bus"][:, 1] == 3)[0])
    ptdf = makePTDF(tables["baseMVA"], tables["bus"], tables["branch"], slack)
    case = wb.open_case(net)
    convention = {"dc_convention": "matpower"}
    own = case.ptdf(int(case.buses.index[slack]), options=convention).to_numpy()
    assert np.abs(own - ptdf).max() < 1e-9
    lodf = case.lodf(options=convention).to_numpy()
    meshed = ~np.isnan(lodf).any(axis=0)
    assert 100 < meshed.sum() < lodf.shape[1]
    assert np.abs(lodf - makeLODF(tables["branch"], ptdf))[:, meshed].max() < 1e-9


def test_distribution_factors_are_those_of_pypsa() -> None:
    network = grid()
    network.determine_network_topology()
    part = network.sub_networks.obj.iloc[0]
    part.calculate_PTDF()
    part.calculate_BODF()
    case = wb.open_case(network)
    names, branches = case.buses["name"], case.branches.reset_index().set_index("uid")
    buses = [names.index[names == name][0] for name in part.buses_o]
    rows = branches.loc[[name for _, name in part.branches_i()]]
    # Positions of a transformer with its tap at the other side are read from there.
    starts = [network.c[kind].static.at[name, "bus0"] for kind, name in part.branches_i()]
    sign = np.where(names[rows["from_bus"]].to_numpy() == starts, 1.0, -1.0)
    lines = rows["branch"].tolist()
    own = case.ptdf(buses[0], options={"dc_convention": "matpower"}).loc[lines, buses].to_numpy()
    assert np.abs(sign[:, None] * own - part.PTDF).max() < 1e-9
    outages = case.lodf(options={"dc_convention": "matpower"}).loc[lines, lines].to_numpy()
    assert np.abs(sign[:, None] * outages * sign - part.BODF).max() < 1e-9


def test_results_are_geodataframes() -> None:
    solution = wb.open_case("carolina").study().solution
    buses, branches = solution.to_geodataframe(), solution.to_geodataframe("branch")
    assert str(buses.crs) == str(branches.crs) == "EPSG:4326"
    assert buses["lmp"].equals(solution.buses["lmp"]) and buses.index.equals(solution.buses.index)
    assert buses.geometry.x.tolist() == solution.buses["longitude"].tolist()
    assert set(branches.geometry.geom_type) == {"LineString"} and len(branches) == len(solution.branches)
