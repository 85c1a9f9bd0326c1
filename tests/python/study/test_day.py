"""Days: closed forms on two and three buses, prices as derivatives of the cost, and refusals."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import wattbook as wb

#: A cheap unit of 100 MW at 20 $/MWh and a peaker at 50 $/MWh at bus 1. At bus 2 a storage unit of 50 MW that stores 1,000 MWh, empty, with
#: the efficiencies 0.9 and 0.8.
BATTERY = """function mpc = battery
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [1 3 80 0 0 0 1 1 0 230 1 1.1 0.9; 2 1 0 0 0 0 1 1 0 230 1 1.1 0.9];
mpc.gen = [1 80 0 99 -99 1 100 1 100 0; 1 0 0 99 -99 1 100 1 200 0];
mpc.branch = [1 2 0 0.1 0 200 0 0 0 0 1 -60 60];
mpc.gencost = [2 0 0 2 20 0; 2 0 0 2 50 0];
mpc.storage = [2 0 0 0 1000 50 50 0.9 0.8 0 -9 9 0 0 0 0 1];
"""
HOURS = pd.DataFrame({1: [80.0, 110.0]}, index=pd.Index(["night", "day"], name="hour"))


@pytest.fixture
def study(tmp_path: Path) -> wb.Study:
    path = tmp_path / "battery.m"
    path.write_text(BATTERY)
    return wb.open_case(path).study()


def test_a_battery_moves_cheap_energy(study: wb.Study) -> None:
    """The second price is that of an hour before, divided by the efficiencies."""
    day = study.day(HOURS)
    assert day.cost == pytest.approx(20 * (80 + 100 + 10 / 0.72))
    assert day.prices[1].tolist() == pytest.approx([20, 20 / 0.72])
    assert day.charge[1].tolist() == pytest.approx([10 / 0.72, 0])
    assert day.discharge[1].tolist() == pytest.approx([0, 10])
    assert day.storage[1].tolist() == pytest.approx([-10 / 0.72, 10])
    assert day.energy[1].tolist() == pytest.approx([12.5, 0])
    assert day.energy_value[1].tolist() == pytest.approx([20 / 0.9] * 2)
    assert day.step_costs.tolist() == pytest.approx([20 * (80 + 10 / 0.72), 2000])
    assert day.dispatch[2].tolist() == pytest.approx([0, 0])
    assert list(day.index) == ["night", "day"]
    assert day.energy.attrs["units"] == "MWh"
    assert day.certificate["worst_violation_mw"] < 1e-6
    assert day.certificate["relative_gap"] < 1e-9
    assert len(day.sha256) == 64
    assert day.sha256 == study.day(HOURS).sha256
    assert study.revision == 0


def test_steps_of_half_an_hour(study: wb.Study) -> None:
    """The same powers move half the energy."""
    day = study.day(HOURS, hours=0.5)
    assert day.cost == pytest.approx(10 * (80 + 100 + 10 / 0.72))
    assert day.energy[1].tolist() == pytest.approx([6.25, 0])
    assert day.prices[1].tolist() == pytest.approx([20, 20 / 0.72])


def test_wear_widens_the_gap_between_prices(study: wb.Study) -> None:
    day = study.day(HOURS, storage={1: {"charge_cost": 1.0, "discharge_cost": 2.0}})
    assert day.prices[1].tolist() == pytest.approx([20, (20 + 1) / 0.72 + 2])
    assert day.cost == pytest.approx(20 * 180 + (20 + 1) * 10 / 0.72 + 2 * 10)


def test_energy_at_both_ends(study: wb.Study) -> None:
    """Energy of the start is kept unless the end is free; its value counts there."""
    table = pd.DataFrame({"start_mwh": [100.0]}, index=pd.Index([1], name="storage"))
    assert study.day(HOURS, storage=table).energy.loc["day", 1] == pytest.approx(100)
    free = study.day(HOURS, storage=table, end="free")
    # 50 MW in both hours need 125 MWh, of which 100 are there.
    assert free.energy.loc["day", 1] == pytest.approx(0)
    assert free.cost == pytest.approx(20 * (190 - 80))
    study.commit(storage={1: {"energy_value": 30.0}})
    valued = study.day(HOURS, storage=table)
    # 30 $/MWh are worth more than 20 / 0.9, so that the unit charges all that the cheap unit has.
    assert valued.energy_value.loc["day", 1] == pytest.approx(30)
    assert valued.end_value == pytest.approx(30 * valued.energy.loc["day", 1])
    cyclic = study.day(HOURS, end={1: "cyclic"})
    assert cyclic.cost == pytest.approx(20 * (80 + 100 + 10 / 0.72))


def test_ramps(study: wb.Study) -> None:
    """With a ramp of 30 MW per hour one more MWh at night saves 30 $ of the peaker."""
    study.commit(storage={1: {"status": False}})
    demand = pd.DataFrame({1: [50.0, 100.0]})
    day = study.day(demand, ramps={1: {"up": 30.0}})
    assert day.prices[1].tolist() == pytest.approx([-10, 50])
    assert day.ramp_value[1].tolist() == pytest.approx([0, 30])
    assert day.cost == pytest.approx(20 * 50 + 20 * 80 + 50 * 20)
    # A unit that does not run in an hour starts at any output.
    off = pd.DataFrame({1: [0.0, 1.0]})
    assert study.day(demand, units=off, ramps={1: {"up": 30.0}}).dispatch[1].tolist() == pytest.approx([0, 100])


def test_inflow(study: wb.Study) -> None:
    inflow = pd.DataFrame({1: [40.0, 0.0]}, index=HOURS.index)
    day = study.day(HOURS, inflow=inflow)
    assert day.cost == pytest.approx(20 * (190 - 0.8 * 40))
    assert day.energy_value[1].tolist() == pytest.approx([16, 16])


def test_prices_are_derivatives_of_the_cost() -> None:
    """Of a day on a bundled grid with congestion and storage: central differences of the cost of certified days."""
    case = wb.open_case("carolina")
    buses = case.buses["demand_mw"].nlargest(5).index
    study = case.study()
    study.commit(
        add=[wb.Storage(bus=int(bus), p_charge_max=60, p_discharge_max=60, energy_max=200, energy=80) for bus in buses]
    )
    demand = case.synthetic_demand(6, seed=2)
    limits = {int(unit): {"up": 40.0, "down": 40.0} for unit in case.generators["p_max_mw"].nlargest(20).index}
    day = study.day(demand, ramps=limits)
    assert day.certificate["stationarity_usd_per_mwh"] < 1e-6
    assert (day.charge > 1).any(axis=None)
    for bus, hour in ((int(buses[0]), 1), (int(buses[3]), 4)):
        costs = []
        for mw in (0.01, -0.01):
            moved = demand.copy()
            moved.loc[moved.index[hour], bus] += mw
            costs.append(study.day(moved, ramps=limits).cost)
        assert (costs[0] - costs[1]) / 0.02 == pytest.approx(day.prices.loc[demand.index[hour], bus], abs=1e-4)


def test_derivatives_are_differences_of_days() -> None:
    """Of all prices and outputs, by demands in several steps; a battery lets the prices of hours move together."""
    case = wb.open_case("carolina")
    buses = case.buses["demand_mw"].nlargest(3).index
    study = case.study()
    study.commit(
        add=[wb.Storage(bus=int(bus), p_charge_max=60, p_discharge_max=60, energy_max=200, energy=80) for bus in buses]
    )
    demand = case.synthetic_demand(5, seed=2)
    day = study.day(demand)
    others = 0
    for bus, hour in ((int(buses[0]), 0), (int(buses[1]), 2), (int(buses[2]), 4)):
        found = day.sensitivity(bus, demand.index[hour])
        low, high = found.valid_mw
        assert low < 0 < high
        step = 0.4 * min(-low, high, 5.0)
        days = []
        for mw in (step, -step):
            moved = demand.copy()
            moved.loc[moved.index[hour], bus] += mw
            days.append(study.day(moved))
        # An output follows its price by the reciprocal of a small curvature.
        for name, tolerance in (("prices", 1e-6), ("dispatch", 1e-4)):
            more, less = (getattr(one, name) for one in days)
            difference = (more - less) / (2 * step)
            pd.testing.assert_frame_equal(getattr(found, name), difference, rtol=0, atol=tolerance, check_names=False)
        others += int((found.prices.drop(index=demand.index[hour]).abs() > 1e-6).any(axis=None))
    assert others > 0


def test_a_derivative_ends_where_the_battery_is_empty(study: wb.Study) -> None:
    """The cheap unit has 8.89 MW left for the battery at night: beyond 6.4 MW more of the day the peaker runs."""
    quadratic = {1: {"cost": 20.0, "c2": 0.01}, 2: {"cost": 50.0, "c2": 0.01}}
    study.commit(generators=quadratic)
    day = study.day(HOURS)
    found = day.sensitivity(1, "day")
    # One more MW of the day comes from the unit at night, through the battery: 2 c2 / 0.72^2.
    assert found.prices.loc["day", 1] == pytest.approx(0.02 / 0.72**2)
    assert found.dispatch.loc["night", 1] == pytest.approx(1 / 0.72)
    assert found.valid_mw[1] == pytest.approx((20 - 10 / 0.72) * 0.72)
    assert str(found.ends[1]).endswith("then generator 1 reaches a limit in step night")
    assert "derivatives by the demand of bus 1 in step day" in str(found)
    with pytest.raises(wb.ArgumentError, match="The day has no step 'noon'"):
        day.sensitivity(1, "noon")
    with pytest.raises(wb.EditError, match="There is no bus 7"):
        day.sensitivity(7, "day")
    with pytest.raises(wb.ArgumentError, match="has its tables alone"):
        pickle.loads(pickle.dumps(day)).sensitivity(1, "day")


def test_a_price_that_is_not_unique_has_no_derivative(study: wb.Study) -> None:
    study.commit(storage={1: {"status": False}})
    day = study.day(pd.DataFrame({1: [100.0]}))
    with pytest.raises(wb.WattbookError, match="has no derivative: it is not unique") as refused:
        day.sensitivity(1, 0)
    assert refused.value.code == "SENS.UNSUPPORTED"


def test_hours_without_coupling_are_a_series() -> None:
    case = wb.open_case("illinois")
    demand = case.synthetic_demand(4)
    study = case.study()
    day, series = study.day(demand), study.series(demand, progress=False)
    assert day.cost == pytest.approx(series.objective.sum(), rel=1e-10)
    for name in ("prices", "flows", "loading", "shadow", "dispatch"):
        pd.testing.assert_frame_equal(getattr(day, name), getattr(series, name), rtol=1e-6, atol=1e-5)


def test_series_hold_what_a_day_moves(study: wb.Study) -> None:
    assert study.series(HOURS, progress=False).objective.sum() == pytest.approx(20 * 180 + 50 * 10)


def test_a_day_is_shown_and_written(study: wb.Study, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    day = study.day(HOURS)
    assert str(day).startswith("2 steps of battery as one day, 3,877.78 $, LMP 20.00 to 27.78 $/MWh")
    assert "3,877.78 $" in day._repr_html_()
    files = {path.name for path in day.to_parquet(tmp_path / "day")}
    assert {"prices.parquet", "charge.parquet", "energy_value.parquet", "steps.parquet"} <= files
    assert pd.read_parquet(tmp_path / "day" / "steps.parquet")["cost"].sum() == pytest.approx(day.cost)
    with pytest.raises(wb.ArgumentError, match="This day has no ramp_value; it has prices, flows"):
        _ = day.ramp_value


def test_what_is_assumed_is_named(tmp_path: Path) -> None:
    """Prices between two units are not unique; a unit without stored energy is cyclic; storage burns power that nothing else takes."""
    path = tmp_path / "tie.m"
    path.write_text(BATTERY.replace("mpc.bus = [1 3 80", "mpc.bus = [1 3 100"))
    study = wb.open_case(path).study()
    day = study.day(pd.DataFrame({1: [100.0]}))
    (note,) = [one for one in day.diagnostics if one.code == "PRICE.NOT_UNIQUE"]
    assert "bus 1" in note.message
    assert 20 <= day.prices.loc[0, 1] <= 50
    study.commit(
        storage={1: {"status": False}}, add=[wb.Storage(bus=2, p_charge_max=20, p_discharge_max=20, energy_max=100)]
    )
    day = study.day(HOURS)
    (note,) = [one for one in day.diagnostics if one.code == "STORAGE.START"]
    assert note.message.startswith("Storage unit 2 has no stored energy in the source")
    assert day.cost == pytest.approx(20 * 190)
    # A unit that must run at 100 MW, beside 50 MW of demand and storage that is full at once.
    study.reset()
    study.commit(
        generators={1: {"p_min": 100.0}},
        storage={1: {"p_charge_max": 300, "p_discharge_max": 300, "energy_max": 0, "energy": 0}},
    )
    day = study.day(pd.DataFrame({1: [50.0]}))
    (note,) = [one for one in day.diagnostics if one.code == "STORAGE.BURNS"]
    assert "loses 50.000 MWh" in note.message
    assert day.charge.loc[0, 1] - day.discharge.loc[0, 1] == pytest.approx(50)


def test_a_day_without_power_names_the_step(study: wb.Study) -> None:
    with pytest.raises(wb.SolveError, match="step 2 lacks at least") as refused:
        study.day(pd.DataFrame({1: [80.0, 400.0]}))
    assert refused.value.code == "SOLVE.INFEASIBLE"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ({"hours": 0}, "ARGUMENT.NUMBER", "hours must be a positive number"),
        ({"end": "never"}, "ARGUMENT.CHOICE", "end"),
        ({"end": {7: "free"}}, "STORAGE.UNKNOWN", "There is no storage unit 7"),
        ({"storage": {1: {"start_mwh": 2000.0}}}, "STORAGE.MALFORMED", "within its limits"),
        ({"storage": {1: {"charge_cost": -1.0}}}, "STORAGE.MALFORMED", "at least zero"),
        ({"storage": {1: {"wear": 1.0}}}, "STORAGE.MALFORMED", "start_mwh, charge_cost, discharge_cost"),
        ({"ramps": {9: {"up": 1.0}}}, "GENERATOR.UNKNOWN", "There is no generator 9"),
        ({"ramps": {1: {"up": -1.0}}}, "INPUT.REQUEST", "at least zero"),
        ({"inflow": pd.DataFrame({1: [1.0]})}, "PROFILE.MALFORMED", "different steps"),
        ({"inflow": pd.DataFrame({1: [1.0, -1.0]}, index=HOURS.index)}, "INPUT.REQUEST", "inflow of storage unit 1"),
        ({"units": pd.DataFrame({1: [0.5, 2.0]}, index=HOURS.index)}, "PROFILE.MALFORMED", "from 0 to 1"),
    ],
)
def test_refusals(study: wb.Study, arguments: dict[str, object], code: str, message: str) -> None:
    with pytest.raises(wb.WattbookError) as refused:
        study.day(HOURS, **arguments)  # type: ignore[arg-type]
    assert refused.value.code == code
    assert message in str(refused.value)


def test_other_problems_have_no_days(study: wb.Study) -> None:
    with pytest.raises(wb.WattbookError, match="acpf does not solve days; dcopf does"):
        study.case.study("acpf").day(HOURS)
    secure = study.case.study(
        options={"limits": {"interfaces": [{"name": "tie", "branches": [[1, 1.0]], "max_mw": 10.0}]}}
    )
    with pytest.raises(wb.WattbookError, match="neither limits after outages, limits of interfaces nor soft limits"):
        secure.day(HOURS)
    with pytest.raises(wb.EditError, match="Give a table by step"):
        study.day()


def test_availability_of_a_part(study: wb.Study) -> None:
    units = pd.DataFrame({1: [0.5, 1.0]}, index=HOURS.index)
    day = study.day(HOURS, units=units)
    assert day.dispatch[1].tolist() == pytest.approx([50, 100])
    assert np.isclose(day.dispatch[2].sum(), 30 + 10)
