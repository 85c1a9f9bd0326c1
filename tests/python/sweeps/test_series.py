"""Series: every step equals a commit; profiles by bus, area and system; failed steps and refused profiles."""

from __future__ import annotations

import _thread
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import wattbook as wb
from networks import three_bus
from wattbook.tables.rows import parted


@pytest.fixture
def study() -> wb.Study:
    return wb.open_case(three_bus(rating_23=40), format="matpower").study()


def test_every_step_equals_the_commit_of_its_edits(study: wb.Study) -> None:
    load = float(study.case.buses["demand_mw"][2])
    rating = float(study.case.branches["rating_mw"][3])
    hours = pd.date_range("2026-07-06", periods=4, freq="h", name="time")
    demand = pd.DataFrame({2: [load, load + 4, load - 30, load + 3]}, index=hours)
    ratings = pd.DataFrame({"3": [rating, rating, rating + 5, rating - 1]}, index=hours)
    series = study.series(demand, ratings, threads=2)
    assert len(series) == 4 and series.failures.empty and not study.edits.demand
    for k, hour in enumerate(hours):
        found = study.commit({2: demand.iloc[k, 0] - load}, {3: ratings.iloc[k, 0] - rating}, mode="set")
        assert series.sha256[hour] == found.sha256 and series.objective[hour] == found.objective
        assert series.prices.loc[hour].tolist() == found.buses["lmp"].tolist()
        assert series.flows.loc[hour].tolist() == found.branches["p_from_mw"].tolist()
        assert series.dispatch.loc[hour].tolist() == found.generators["p_mw"].tolist()
        assert series.certificates["relative_gap"][hour] == found.certificate["relative_gap"]
    assert series.prices.attrs["units"] == "$/MWh" and series.prices.columns.name == "bus"
    assert "4 steps of dcopf" in repr(series)


def test_congestion_rent_is_what_demand_pays_beyond_what_units_earn(study: wb.Study) -> None:
    load = study.case.buses["demand_mw"]
    series = study.series(pd.Series([0.6, 0.8, 1.0, 1.05]), by="system", unit="pu")
    bus_of_unit = study.case.generators["bus"]
    for step, factor in enumerate([0.6, 0.8, 1.0, 1.05]):
        paid = (series.prices.loc[step] * load * factor).sum()
        earned = (series.dispatch.loc[step] * series.prices.loc[step].reindex(bus_of_unit).to_numpy()).sum()
        assert series.congestion_rent[step] == pytest.approx(paid - earned, abs=1e-6)
    binding = series.binding
    assert binding.index.tolist() == [3]
    assert binding["steps"][3] == (series.shadow[3] > 0).sum() and 0 < binding["share"][3] < 1
    assert binding["rent"][3] == pytest.approx(series.congestion_rent.sum())
    curve = series.duration_curve(2)
    assert curve.tolist() == sorted(series.prices[2], reverse=True) and curve.index.tolist() == [0.25, 0.5, 0.75, 1.0]
    # All demand is at bus 2.
    assert series.duration_curve().tolist() == pytest.approx(curve.tolist())


def test_demand_of_areas_preserves_the_shares_of_their_buses() -> None:
    case = wb.open_case("illinois")
    buses = case.buses
    area = int(buses["area"].dropna().iloc[0])
    total = float(buses["demand_mw"][buses["area"] == area].clip(lower=0).sum())
    by_area = case.with_profiles(pd.DataFrame({area: [total, 0.9 * total]}), by="area")
    shares = buses["demand_mw"][(buses["area"] == area) & (buses["demand_mw"] > 0)]
    by_bus = pd.DataFrame({bus: [mw, 0.9 * mw] for bus, mw in shares.items()})
    study = by_area.study()
    one, two = study.series(tables=["prices"]), study.series(by_bus, tables=["prices"])
    np.testing.assert_allclose(one.prices.to_numpy(), two.prices.to_numpy(), atol=1e-7)
    assert one.sha256[0] == study.solution.sha256
    assert by_area.with_layout((-89.0, 40.0)).profiles is by_area.profiles, "another place has the same steps"
    with pytest.raises(wb.ArgumentError, match=r'only prices: pass tables=\["prices", "flows"\]\.'):
        _ = one.flows
    for needs_both in ("binding", "congestion_rent"):
        with pytest.raises(wb.ArgumentError, match=r'pass tables=\["prices", "shadow", "flows"\]\.'):
            getattr(one, needs_both)


def test_the_synthetic_week_solves_and_its_peak_is_the_base_case() -> None:
    case = wb.open_case("carolina")
    week = case.synthetic_demand()
    assert week.shape[0] == 168 and week.attrs["units"] == "MW"
    assert week.sum(axis=1).max() == pytest.approx(case.buses["demand_mw"].clip(lower=0).sum())
    assert week.equals(case.synthetic_demand()) and not week.equals(case.synthetic_demand(seed=1))
    progress: list[tuple[float, int]] = []
    series = case.with_profiles(week).study().series(progress=lambda f, n: progress.append((f, n)))
    assert series.failures.empty and series.objective.min() > 0
    assert progress[-1] == (1.0, 168) and [n for _, n in progress] == sorted(n for _, n in progress)
    assert (series.certificates["relative_gap"].abs() < 1e-6).all()


def test_a_step_without_a_solution_is_recorded_and_stops_no_other(study: wb.Study) -> None:
    load = float(study.case.buses["demand_mw"][2])
    demand = pd.DataFrame({2: [load, 5000.0, load]}, index=["a", "b", "c"])
    series = study.series(demand)
    assert series.failures.index.tolist() == ["b"] and series.failures["code"]["b"] == "SOLVE.INFEASIBLE"
    assert series.prices.loc["b"].isna().all() and series.prices.loc[["a", "c"]].notna().all(axis=None)
    assert pd.isna(series.sha256["b"]) and np.isnan(series.objective["b"]) and "1 step without" in repr(series)
    with pytest.raises(wb.SolveError) as refused:
        study.series(demand, on_error="raise")
    assert refused.value.code == "SOLVE.INFEASIBLE"


def test_power_flows_have_voltages_and_no_prices() -> None:
    study = wb.open_case(three_bus(), format="matpower").study("acpf")
    series = study.series(pd.Series([1.0, 0.9]), by="system", unit="pu")
    assert series.voltages.loc[0].tolist() == study.solution.buses["vm_pu"].tolist()
    with pytest.raises(
        wb.ArgumentError, match="A series of acpf has no prices; it has voltages, flows, loading, dispatch"
    ):
        _ = series.prices


def test_units_that_are_not_available_give_nothing(study: wb.Study) -> None:
    hours = pd.date_range("2026-07-06", periods=4, freq="h", name="time")
    units = pd.DataFrame({1: [1.0, 0.0, 1.0, 1.0], 2: [1.0, 1.0, 0.0, 20 / 270]}, index=hours)
    demand = pd.DataFrame({2: [90.0, 40.0, 90.0, 40.0]}, index=hours)
    progress: list[tuple[float, int]] = []
    series = study.series(demand, units=units, threads=2, progress=lambda f, n: progress.append((f, n)))
    assert series.index.equals(hours) and progress[-1] == (1.0, 4) and not study.edits.demand
    assert series.sha256.iloc[0] == study.solution.sha256
    assert series.dispatch[1].tolist() == pytest.approx([60, np.nan, 90, 20], nan_ok=True)
    assert series.dispatch[2].tolist() == pytest.approx([30, 40, np.nan, 20], nan_ok=True)
    # One unit alone at 2 c2 p + c1; line 2-3 binds at 40 MW in the second hour from bus 3 only beyond it.
    assert series.prices.loc[hours[2]].tolist() == pytest.approx([2 * 0.11 * 90 + 5] * 3)
    assert series.certificates["relative_gap"].abs().max() < 1e-6
    alone = study.series(units=units.iloc[2:], tables=["prices"])
    assert alone.prices.loc[hours[2]].tolist() == series.prices.loc[hours[2]].tolist()
    stored = study.case.with_profiles(demand, units=units).study().series()
    assert stored.sha256.equals(series.sha256)
    none = study.series(units=pd.DataFrame({1: [0.0], 2: [0.0]}))
    assert none.failures["code"].tolist() == ["SOLVE.INFEASIBLE"] and none.failures.index.tolist() == [0]
    with pytest.raises(wb.SolveError):
        study.series(units=pd.DataFrame({1: [0.0], 2: [0.0]}), on_error="raise")


def test_tables_that_pages_read_are_the_profiles_of_frames() -> None:
    case = wb.open_case("carolina")
    area = int(case.buses["area"].dropna().iloc[0])
    frame = pd.DataFrame({area: [900.0, 800.0]})
    _, columns = parted(case._opened.read_profile(f"step,area {area}\n0,900\n1,800\n".encode()))
    read = columns["demand_mw"].values.reshape(2, -1)
    profiles = case.with_profiles(frame, by="area").profiles
    assert profiles is not None
    base = case.buses["demand_mw"].reindex(list(profiles.buses)).to_numpy()
    np.testing.assert_allclose(read, profiles.changes + base, rtol=1e-12)


def test_the_clock_of_synthetic_demand_is_that_of_the_index() -> None:
    case = wb.open_case("carolina")
    monday, plain = case.synthetic_demand(24), case.synthetic_demand(24, start="2026-07-06 00:00")
    assert monday.equals(plain) and monday.index[0] == pd.Timestamp("2026-07-06")
    saturday = case.synthetic_demand(48, start="2026-07-10").sum(axis=1)
    # Friday's peak is the base case; Saturday's is 7 % lower apart from the random variation.
    assert saturday.iloc[24:].max() / saturday.iloc[:24].max() == pytest.approx(0.93, abs=0.03)
    with pytest.raises(wb.EditError, match="start"):
        case.synthetic_demand(24, start="some day")


def test_zones_are_groups_as_areas_are() -> None:
    case = wb.open_case("illinois")
    zone = case.study().solution.aggregate("zone")["demand_mw"]
    frame = pd.DataFrame({number: [mw, 0.95 * mw] for number, mw in zone[zone > 0].items()})
    study = case.study()
    by_zone = study.series(frame, by="zone", tables=["prices"])
    by_system = study.series(pd.Series([1.0, 0.95]), by="system", unit="pu", tables=["prices"])
    np.testing.assert_allclose(by_zone.prices.to_numpy(), by_system.prices.to_numpy(), atol=1e-6)
    with pytest.raises(wb.EditError, match="zone 999"):
        study.series(pd.DataFrame({999: [1.0]}), by="zone")


def test_tables_are_written_to_files_during_the_run(study: wb.Study, tmp_path: Path) -> None:
    demand = pd.DataFrame({2: np.linspace(40, 91, 60)}, index=pd.RangeIndex(5, 65, name="hour"))
    stored, found = study.series(demand), study.series(demand, parquet=tmp_path / "files")
    assert not found._quantities and found.sha256.equals(stored.sha256)
    for table in ("prices", "flows", "loading", "shadow", "dispatch"):
        pd.testing.assert_frame_equal(getattr(found, table), getattr(stored, table), check_exact=True)
    assert found.binding.equals(stored.binding) and found.congestion_rent.equals(stored.congestion_rent)
    assert found.prices.attrs["units"] == "$/MWh" and found.prices.index.name == "hour"
    units = study.series(demand, units=pd.DataFrame({1: [1.0] * 60}, index=demand.index), parquet=tmp_path / "more")
    pd.testing.assert_frame_equal(units.prices, stored.prices, check_exact=True)


def test_shown_in_a_notebook_and_read_by_arrow(study: wb.Study) -> None:
    import pyarrow as pa

    series = study.series(pd.DataFrame({2: [60.0, 91.0, 9e3]}, index=["a", "b", "c<"]))
    html = series._repr_html_()
    assert "Line 3" in html and "Lowest cost: a" in html and "c&lt;: " in html and "<script" not in html
    table = pa.table(series)
    assert table.column("objective").to_pylist()[:2] == series.objective.tolist()[:2]
    assert "No line binds" in study.series(pd.DataFrame({2: [20.0]}))._repr_html_()


def test_an_interrupt_stops_between_blocks(study: wb.Study) -> None:
    def stop(fraction: float, solved: int) -> None:
        _thread.interrupt_main()
        threading.Event().wait(0.01)

    with pytest.raises(KeyboardInterrupt):
        study.series(pd.Series(np.linspace(0.5, 1.0, 5000)), by="system", unit="pu", threads=1, progress=stop)
    assert study.revision == 0 and study.solution.objective > 0


@pytest.mark.parametrize("units", [None, pd.DataFrame({1: [1.0] * 3}, index=["a", "b", "b"])])
def test_parquet_files_of_a_run_are_those_of_to_parquet(
    study: wb.Study, tmp_path: Path, units: pd.DataFrame | None
) -> None:
    demand = pd.DataFrame({2: [90.0, 5000.0, 80.0]}, index=["a", "b", "b"])
    run = study.series(demand, units=units, parquet=tmp_path / "run")
    series = study.series(demand, units=units)
    files = series.to_parquet(tmp_path / "after")
    assert sorted(file.name for file in files) == sorted(file.name for file in (tmp_path / "run").iterdir())
    assert [file.name for file in run.to_parquet(tmp_path / "again")] == [file.name for file in files]
    for file in files:
        written = pd.read_parquet(tmp_path / "run" / file.name)
        pd.testing.assert_frame_equal(written, pd.read_parquet(file), check_exact=True)
        pd.testing.assert_frame_equal(written, pd.read_parquet(tmp_path / "again" / file.name), check_exact=True)
    steps = pd.read_parquet(tmp_path / "run" / "steps.parquet")
    assert steps["sha256"].tolist()[::2] == series.sha256.tolist()[::2] and steps[
        "primal_residual_mw"
    ].notna().tolist() == [True, False, True]
    assert steps["error"].isna().tolist() == [True, False, True] and steps["error"].iloc[1] == "SOLVE.INFEASIBLE"
    assert steps["message"].iloc[1] == series.failures["message"].iloc[0] != ""


def test_parquet_files_hold_the_tables(study: wb.Study, tmp_path: Path) -> None:
    hours = pd.date_range("2026-07-06", periods=3, freq="h", name="time")
    series = study.series(pd.Series([0.8, 1.0, 90.0], index=hours), by="system", unit="pu")
    written = series.to_parquet(tmp_path / "week")
    assert sorted(path.name for path in written) == sorted(
        f"{name}.parquet" for name in ("prices", "flows", "loading", "shadow", "dispatch", "steps")
    )
    prices = pd.read_parquet(tmp_path / "week" / "prices.parquet")
    assert prices.index.equals(hours) and prices.columns.tolist() == ["1", "2", "3"]
    np.testing.assert_array_equal(prices.to_numpy(), series.prices.to_numpy())
    steps = pd.read_parquet(tmp_path / "week" / "steps.parquet")
    assert steps["sha256"].iloc[0] == series.sha256.iloc[0] and pd.isna(steps["sha256"].iloc[2])


def test_columns_have_the_names_of_files(study: wb.Study) -> None:
    plain = study.series(
        pd.DataFrame({2: [90.0, 80.0]}), pd.DataFrame({2: [200.0, 210.0]}), pd.DataFrame({1: [1.0, 0.9]})
    )
    named = study.series(
        pd.DataFrame({"bus 2": [90.0, 80.0]}),
        pd.DataFrame({"Line 2": [200.0, 210.0]}),
        pd.DataFrame({"unit 1": [1.0, 0.9]}),
    )
    assert named.sha256.tolist() == plain.sha256.tolist()
    by_area = [study.series(pd.DataFrame({name: [90.0]}), by="area").sha256.tolist() for name in (1, "1", "area 1")]
    assert by_area[0] == by_area[1] == by_area[2]


def test_shadow_prices_of_apparent_powers(study: wb.Study) -> None:
    relaxed = study.case.study("socwr")
    series = relaxed.series(pd.DataFrame({2: [90.0]}))
    units = [relaxed.solution.branches.attrs["units"]["shadow"], series.shadow.attrs["units"]]
    assert [*units, series.binding.attrs["units"]["mean_shadow"]] == ["$/MVAh"] * 3
    assert study.series(pd.DataFrame({2: [90.0]})).shadow.attrs["units"] == "$/MWh"


def test_the_label_of_a_step_comes_first_in_arrow(study: wb.Study) -> None:
    pa = pytest.importorskip("pyarrow")
    demand = pd.DataFrame({2: [90.0, 80.0]})
    assert pa.table(study.series(demand)).column_names[:2] == ["step", "objective"]
    assert pa.table(study.series(demand.rename_axis("hour"))).column_names[:2] == ["hour", "objective"]


class Polars:
    """A table of another library."""

    def to_pandas(self) -> pd.DataFrame:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("demand", "says"),
    [
        (pd.DataFrame({"time": ["a"], 2: [90.0]}), "column 'time' .* holds the steps: .* frame.set_index\\('time'\\)"),
        (pd.DataFrame({2: [90.0, "much"]}, index=["a", "b"]), "no number in column 2 at step b: 'much'"),
        (pd.DataFrame({"area 1": [90.0]}), "column 'area 1' .* is no bus: pass by=\"area\""),
        (pd.DataFrame({"System": [90.0]}), 'pass by="system"'),
        (np.array([[90.0]]), "must be a DataFrame with a row for each step"),
        (Polars(), "not a .* Polars; pass .to_pandas\\(\\) of it"),
    ],
)
def test_unreadable_tables_are_refused_with_the_remedy(study: wb.Study, demand: object, says: str) -> None:
    with pytest.raises(wb.EditError, match=says):
        study.series(demand)  # type: ignore[arg-type]


def test_an_invalid_availability_is_named(study: wb.Study) -> None:
    with pytest.raises(wb.EditError, match=r"in column 1 at step b it is 1\.5"):
        study.series(units=pd.DataFrame({1: [1.0, 1.5]}, index=["a", "b"]))


def test_a_step_that_ends_a_series_is_named(study: wb.Study) -> None:
    demand = pd.DataFrame({2: [90.0, 1e6]}, index=["noon", "night"])
    with pytest.raises(wb.SolveError, match=r"^Step night: No solution") as failed:
        study.series(demand, on_error="raise")
    assert failed.value.code == "SOLVE.INFEASIBLE"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({}, "PROFILE.MALFORMED"),
        ({"demand": pd.DataFrame({9: [1.0]})}, "BUS.UNKNOWN"),
        ({"demand": pd.DataFrame({2: [1.0], "2": [1.0]})}, "PROFILE.MALFORMED"),
        ({"demand": pd.DataFrame({2: [np.nan]})}, "PROFILE.MALFORMED"),
        ({"demand": pd.DataFrame({2: ["much"]})}, "PROFILE.MALFORMED"),
        ({"demand": pd.DataFrame({2: []})}, "PROFILE.MALFORMED"),
        ({"demand": 3.0}, "PROFILE.MALFORMED"),
        ({"units": pd.DataFrame({9: [1.0]})}, "GENERATOR.UNKNOWN"),
        ({"units": pd.DataFrame({1: [1.1]})}, "PROFILE.MALFORMED"),
        ({"units": pd.DataFrame({1: [1.0], "1": [1.0]})}, "PROFILE.MALFORMED"),
        ({"demand": pd.DataFrame({2: [1.0]}), "units": pd.DataFrame({1: [1.0]}, index=[4])}, "PROFILE.MALFORMED"),
        ({"demand": pd.DataFrame({7: [1.0]}), "by": "area"}, "PROFILE.MALFORMED"),
        ({"demand": pd.DataFrame({1: [1.0], 2: [1.0]}), "by": "system"}, "PROFILE.MALFORMED"),
        ({"demand": pd.DataFrame({2: [1.0]}), "ratings": pd.DataFrame({3: [1.0]}, index=[4])}, "PROFILE.MALFORMED"),
        ({"demand": pd.DataFrame({2: [90.0]}), "by": "region"}, "ARGUMENT.CHOICE"),
        ({"demand": pd.DataFrame({2: [90.0]}), "tables": ["voltages"]}, "ARGUMENT.CHOICE"),
        ({"demand": pd.DataFrame({2: [90.0]}), "tables": "prices"}, "ARGUMENT.CHOICE"),
        ({"demand": pd.DataFrame({2: [90.0]}), "threads": 0}, "ARGUMENT.NUMBER"),
        ({"demand": pd.DataFrame({2: [90.0]}), "on_error": "ignore"}, "ARGUMENT.CHOICE"),
    ],
)
def test_invalid_series_are_refused(study: wb.Study, arguments: dict[str, object], code: str) -> None:
    with pytest.raises(wb.WattbookError) as refused:
        study.series(**arguments)  # type: ignore[arg-type]
    assert refused.value.code == code
