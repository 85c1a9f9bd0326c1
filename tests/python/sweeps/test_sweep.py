"""Sweeps: every scenario equals the result of a Study; executors do not change results; failed scenarios and refused
ones."""

from __future__ import annotations

import _thread
import json
import os
import pickle
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import wattbook as wb
from networks import CLOSED_FORMS, three_bus
from wattbook.sweeps import pools, scenarios
from wattbook.sweeps.scenarios import Variant, availability, changed


@pytest.fixture
def study() -> wb.Study:
    return wb.open_case(three_bus(rating_23=40), format="matpower").study()


@pytest.fixture(scope="module")
def grid() -> wb.Study:
    return wb.open_case("case200_activ").study()


def monte_carlo(study: wb.Study, count: int) -> pd.DataFrame:
    """Demand of twenty buses, with normally distributed changes of 3 % each."""
    loads = study.case.buses.query("demand_mw > 1 and editable")["demand_mw"].head(20)
    changes = np.random.default_rng(7).normal(0, 0.03, (count, len(loads))) * loads.to_numpy()
    return pd.DataFrame(changes, columns=pd.MultiIndex.from_product([["demand"], loads.index]))


def same(one: wb.SolvedSweep, other: wb.SolvedSweep) -> None:
    assert one.sha256.equals(other.sha256)
    pd.testing.assert_frame_equal(one.scenarios, other.scenarios, check_exact=True)
    pd.testing.assert_frame_equal(one.prices, other.prices, check_exact=True)
    pd.testing.assert_frame_equal(one.certificates, other.certificates, check_exact=True)


def test_every_scenario_equals_the_commit_of_its_edits(study: wb.Study) -> None:
    study.commit(ratings={1: -5})
    scenarios = [{}, {"demand": {2: 4}}, {"demand": {"2": -30}, "ratings": {3: 5}}, {"name": "own", "ratings": {1: 0}}]
    found = wb.sweep(study, scenarios, tables=["prices", "flows", "shadow", "dispatch"])
    assert found.index.tolist() == [0, 1, 2, "own"] and found.failures.empty and study.revision == 1
    own = study.case.study()
    for name, one in zip(found.index, scenarios, strict=True):
        own.reset()
        own.commit(ratings={1: -5})
        solved = own.commit(one.get("demand"), one.get("ratings"))
        assert found.sha256[name] == solved.sha256 and found.objective[name] == solved.objective
        assert found.prices.loc[name].tolist() == solved.buses["lmp"].tolist()
        assert found.flows.loc[name].tolist() == solved.branches["p_from_mw"].tolist()
        assert found.dispatch.loc[name].tolist() == solved.generators["p_mw"].tolist()
        row = found.scenarios.loc[name]
        assert row["lmp_min"] == solved.buses["lmp"].min() and row["lmp_max"] == solved.buses["lmp"].max()
        assert row["lmp_mean"] == pytest.approx(solved.buses["lmp"][2]), "all demand is at bus 2"
        assert row["binding"] == (solved.branches["shadow"] > 0).sum()
        assert row["max_loading"] == solved.branches["loading"].max()
        paid = (solved.buses["lmp"] * solved.buses["demand_mw"]).sum()
        units = solved.generators
        earned = (units["p_mw"] * solved.buses["lmp"].reindex(units["bus"]).to_numpy()).sum()
        assert row["congestion_rent"] == pytest.approx(paid - earned, abs=1e-6)


def test_ratings_outages_units_and_costs_have_their_closed_forms(open_three_bus: Any) -> None:
    study = open_three_bus().study()
    found = wb.sweep(
        study,
        {
            "base": {},
            "line 2-3 at 40 MW": {"ratings": {3: 40 - 250}},
            "line 1-3 out": {"outages": 2},
            "unit 2 out": {"units": {2: 0}},
            "unit 2 at 20 MW": {"units": {2: 20 / 270}},
            "one cost": {"costs": {1: 20.0, 2: (0.0, 10.0, 7.0)}},
            "both": {"outages": [3], "units": {2: False}, "demand": {2: 10}},
        },
        tables=["prices", "flows", "dispatch"],
    )
    assert found.failures.empty
    for name, form in (("base", "uncongested"), ("line 2-3 at 40 MW", "line 2-3 at 40 MW")):
        assert found.dispatch.loc[name].tolist() == pytest.approx(CLOSED_FORMS[form]["dispatch"])
        assert found.prices.loc[name].tolist() == pytest.approx(CLOSED_FORMS[form]["lmp"])
        assert found.objective[name] == pytest.approx(CLOSED_FORMS[form]["objective"])
    # A radial network: each unit supplies over its own line.
    assert found.flows.loc["line 1-3 out", [1, 3]].tolist() == pytest.approx(
        [found.dispatch.loc["line 1-3 out", 1], -found.dispatch.loc["line 1-3 out", 2]]
    )
    assert np.isnan(found.flows.loc["line 1-3 out", 2])
    # 2 c2 p + c1 of the remaining unit.
    assert found.prices.loc["unit 2 out"].tolist() == pytest.approx([2 * 0.11 * 90 + 5] * 3)
    assert np.isnan(found.dispatch.loc["unit 2 out", 2])
    assert found.dispatch.loc["unit 2 at 20 MW"].tolist() == pytest.approx([70, 20])
    assert found.prices.loc["unit 2 at 20 MW"].tolist() == pytest.approx([2 * 0.11 * 70 + 5] * 3)
    # Unit 1 is at its Pmin of 10 MW.
    assert found.objective["one cost"] == pytest.approx(10 * 20 + 80 * 10 + 7)
    assert found.prices.loc["both"].tolist() == pytest.approx([2 * 0.11 * 100 + 5] * 3)


def test_units_and_costs_have_the_bits_of_a_case_that_has_them_in_its_module() -> None:
    case = wb.open_case("carolina")
    module, rng = json.loads(case.module_json), np.random.default_rng(5)
    ids = case.generators.index.tolist()
    study = case.study()
    # An availability is a share of the unit's committed capacity.
    study.commit(generators={ids[0]: {"p_max": 40.0}})
    p_min = module["value"]["data"]["generators"][0]["pmin"]
    for _ in range(6):
        rows = [0, *rng.choice(np.arange(1, len(ids)), 3, replace=False).tolist()]
        units = {ids[row]: float(rng.choice([0.0, 0.4, 0.9])) for row in rows[:3]}
        costs = {ids[row]: float(rng.uniform(5, 60)) for row in rows[1:]}
        found = wb.sweep(study, [{"units": units, "costs": costs}], tables=())
        variant = Variant(
            units=tuple((row, units[ids[row]]) for row in rows[:3]),
            costs=tuple((row, (0.0, costs[ids[row]], 0.0)) for row in rows[1:]),
        )
        alone = wb.open_case(changed(module, variant).encode()).study()
        own = {"p_max": 40.0, **availability({"pmin": p_min, "pmax": 40.0}, units[ids[0]])}
        expected = alone.commit(generators={ids[0]: own})
        assert found.scenarios["sha256"][0] == expected.sha256
        assert found.objective[0] == expected.objective


def test_a_scenario_that_has_a_solution_only_with_its_edits_is_solved(study: wb.Study) -> None:
    # 54 MW of capacity for 90 MW of demand, which suffices for 40 MW.
    scarce = {"units": {1: 0, 2: 54 / 270}}
    found = wb.sweep(
        study, [scarce, {**scarce, "demand": {2: -50}}, {**scarce, "demand": {2: -60}}], tables=["prices", "dispatch"]
    )
    assert found.failures.index.tolist() == [0] and found.failures["code"][0] == "SOLVE.INFEASIBLE"
    assert found.dispatch.loc[1, 2] == pytest.approx(40) and found.prices.loc[1].tolist() == pytest.approx(
        [2 * 0.085 * 40 + 1.2] * 3
    )
    assert found.scenarios.loc[2, "lmp_max"] == pytest.approx(2 * 0.085 * 30 + 1.2)
    assert found.prices.loc[0].isna().all() and found.scenarios["error"][0] == "SOLVE.INFEASIBLE"
    assert "1 scenario without a solution" in repr(found)
    with pytest.raises(wb.SolveError, match="Scenario 0"):
        wb.sweep(study, [scarce], on_error="raise")


def test_units_at_the_bus_of_an_arm_are_named_by_row_of_the_file() -> None:
    """`texas` has three-winding transformers, whose arms follow the lines of the file in all tables."""
    case = wb.open_case("texas")
    arm = case.branches.index[-1]
    with pytest.raises(wb.EditError) as refused:
        wb.sweep(case.study(), [{"outages": [arm]}])
    assert refused.value.code == "EDIT.NOT_EDITABLE"


def test_executors_change_no_result(grid: wb.Study) -> None:
    frame = monte_carlo(grid, 60)
    alone = wb.sweep(grid, frame)
    assert len(alone) == 60 and alone.failures.empty
    own = grid.case.study()
    for k in (0, 31, 59):
        found = own.commit({bus: frame.loc[k, ("demand", bus)] for _, bus in frame.columns}, mode="set")
        assert alone.sha256[k] == found.sha256
    with ThreadPoolExecutor(3) as threads:
        same(alone, wb.sweep(grid, frame, threads))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        there = wb.sweep(grid, frame, processes)
    same(alone, there)
    assert there.workers["scenarios"].sum() == 60 and (there.workers["case_reads"] == 1).all()
    assert not any(name.endswith(f":{os.getpid()}") for name in there.workers.index)
    records = [{"demand": {bus: row["demand", bus] for _, bus in frame.columns}} for _, row in frame.iterrows()]
    same(alone, wb.sweep(grid, iter(records)))
    backwards = wb.sweep(grid, frame.iloc[::-1])
    assert backwards.sha256.iloc[::-1].equals(alone.sha256)


def test_joblib(grid: wb.Study) -> None:
    joblib = pytest.importorskip("joblib")
    frame = monte_carlo(grid, 24)
    there = wb.sweep(grid, frame, joblib.Parallel(n_jobs=2, return_as="generator_unordered"))
    same(wb.sweep(grid, frame), there)
    assert there.workers["scenarios"].sum() == 24 and (there.workers["case_reads"] == 1).all()
    same(there, wb.sweep(grid, frame, joblib.Parallel(n_jobs=2, backend="threading")))


class _Ending(scenarios.CaseText):
    """A case that ends the first process that opens it, once."""

    def of_case(self) -> scenarios.CaseText:
        mark = Path(os.environ["WATTBOOK_TEST_MARK"])
        try:
            mark.touch(exist_ok=False)
        except FileExistsError:
            return self
        os.kill(os.getpid(), signal.SIGKILL)
        return self


def test_a_process_that_ends_is_started_again(grid: wb.Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATTBOOK_TEST_MARK", str(tmp_path / "ended"))
    original = pools._Spooled.__enter__

    def ending(self: pools._Spooled) -> Any:
        found = original(self)
        assert isinstance(found, scenarios.CaseFile)
        text = self._case
        Path(found.path).write_bytes(pickle.dumps(_Ending(text.key, text.sha256, text.packed, text.ids, text.weights)))
        return _EndingFile(found.key, found.path)

    monkeypatch.setattr(pools._Spooled, "__enter__", ending)
    frame = monte_carlo(grid, 30)
    found = wb.sweep(grid, frame, "processes")
    assert (tmp_path / "ended").exists()
    monkeypatch.undo()
    same(wb.sweep(grid, frame), found)
    assert found.workers["scenarios"].sum() == 30


class _EndingFile(scenarios.CaseFile):
    def of_case(self) -> scenarios.CaseText:
        return super().of_case().of_case()


def test_a_broken_pool_of_the_caller_is_an_error(grid: wb.Study) -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        process = pool.submit(os.getpid).result()
        os.kill(process, signal.SIGKILL)
        with pytest.raises(wb.WattbookError) as refused:
            wb.sweep(grid, monte_carlo(grid, 8), pool)
    assert refused.value.code == "SWEEP.POOL_BROKEN" and '"processes"' in refused.value.message


@pytest.mark.parametrize("formulation", ["dcopf", "socwr"])
def test_values_of_a_scenario_prevail_over_committed_ones(open_three_bus: Any, formulation: str) -> None:
    case = open_three_bus()
    p_max = 0.8 * float(case.generators["p_max_mw"][1])
    study = case.study(formulation)
    study.commit(generators={1: {"p_max": p_max, "cost": 17.0}})
    scenarios = [{"costs": {1: 33.0}}, {"costs": {1: (0.0, 33.0, 0.0)}}, {"units": {1: 0.4}}, {"units": {1: 0.0}}, {}]
    found = wb.sweep(study, scenarios).scenarios["objective"].tolist()
    edits: list[dict[str, Any]] = [{"cost": 33.0}, {"cost": 33.0}, {"p_max": 0.4 * p_max}, {"status": False}, {}]
    expected = []
    for edit in edits:
        again = case.study(formulation)
        expected.append(again.commit(generators={1: {"p_max": p_max, "cost": 17.0, **edit}}).objective)
    assert found == pytest.approx(expected, rel=1e-7)
    units = pd.DataFrame({1: [1.0, 0.4]})
    demand = float(study.solution.buses["demand_mw"][2])
    steps = study.series(pd.DataFrame({2: [demand, demand]}), units=units, progress=False).objective
    assert steps.tolist() == pytest.approx([expected[4], expected[2]], rel=1e-7)


def test_an_outage_of_a_line_whose_rating_is_committed(open_three_bus: Any) -> None:
    study = open_three_bus().study()
    plain = wb.sweep(study, [{"outages": 3}]).objective[0]
    study.commit(ratings={3: 10.0})
    assert wb.sweep(study, [{"outages": 3}]).objective[0] == plain


def test_the_first_bus_may_be_isolated() -> None:
    text = """function mpc = three
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [1 4 5 0 0 0 1 1 0 230 1 1.1 0.9; 2 3 0 0 0 0 1 1 0 230 1 1.1 0.9; 3 1 80 20 0 0 1 1 0 230 1 1.1 0.9];
mpc.gen = [2 80 0 100 -100 1 100 1 200 0];
mpc.branch = [2 3 .01 .1 0 120 0 0 0 0 1 -360 360; 2 3 .01 .1 0 120 0 0 0 0 1 -360 360; 1 3 .01 .1 0 120 0 0 0 0 1 -360 360];
mpc.gencost = [2 0 0 2 10 0];
"""
    study = wb.open_case(text.encode(), format="matpower").study()
    found = wb.sweep(study, [{"units": {1: 0.9}}, {"outages": 1}, {"outages": [1, 2]}]).scenarios
    assert found["objective"][0] == found["objective"][1] == pytest.approx(800.0)
    assert found["error"].isna().tolist() == [True, True, False]


def test_pools_that_are_closed_are_refused(study: wb.Study) -> None:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(wb.ArgumentError, match=r"The pool is shut down; make a new one\."):
        wb.sweep(study, [{"demand": {2: 1.0}}], pool)
    distributed = pytest.importorskip("distributed")
    client = distributed.Client(processes=False, dashboard_address=None)
    client.close()
    with pytest.raises(wb.ArgumentError, match=r"The Client is closed; make a new one\."):
        wb.sweep(study, [{"demand": {2: 1.0}}], client)


def test_scenarios_without_a_solution_have_their_columns(study: wb.Study) -> None:
    solved = wb.sweep(study, [{"demand": {2: 1.0}}]).scenarios
    failed = wb.sweep(study, [{"demand": {2: 1e6}}])
    assert failed.scenarios.columns.tolist() == solved.columns.tolist()
    assert failed.objective.isna().all() and failed.scenarios["error"].tolist() == ["SOLVE.INFEASIBLE"]


def test_scenarios_of_an_iterator_are_taken_as_they_are_needed(study: wb.Study) -> None:
    taken = 0

    def endless() -> Iterator[dict[str, Any]]:
        nonlocal taken
        while True:
            taken += 1
            yield {"demand": {2: (taken % 50) - 60}}

    pieces = wb.iter_sweep(study, endless(), ThreadPoolExecutor(2))
    first, second = next(pieces), next(pieces)
    assert first.index[0] == 0 and second.index[0] == len(first)
    assert taken < 20_000, "not the whole of an endless iterator"
    pieces.close()  # type: ignore[attr-defined]


def test_parquet_files_equal_the_tables_in_memory(grid: wb.Study, tmp_path: Path) -> None:
    frame = monte_carlo(grid, 40)
    frame.loc[3, ("demand", frame.columns[0][1])] = 1e6  # no solution
    stored = wb.sweep(grid, frame, tables=["prices", "dispatch"])
    found = wb.sweep(grid, frame, tables=["prices", "dispatch"], parquet=tmp_path / "files")
    assert sorted(path.name for path in (tmp_path / "files").iterdir()) == [
        "dispatch.parquet",
        "prices.parquet",
        "scenarios.parquet",
    ]
    assert not found._quantities
    pd.testing.assert_frame_equal(found.prices, stored.prices, check_exact=True)
    rows = pd.read_parquet(tmp_path / "files" / "scenarios.parquet")
    assert (
        rows["sha256"].tolist() == stored.sha256.tolist()
        or rows["sha256"].isna().tolist() == stored.sha256.isna().tolist()
    )
    assert rows["error"][3] == "SOLVE.INFEASIBLE" and len(rows["message"][3]) > 20
    for file in stored.to_parquet(tmp_path / "after"):
        written = pd.read_parquet(tmp_path / "files" / file.name)
        pd.testing.assert_frame_equal(written, pd.read_parquet(file), check_exact=True)
    with pytest.raises(wb.InputError, match="keeps only prices, dispatch: pass tables="):
        _ = found.flows

    again = wb.sweep(grid, frame[:2], tables=["flows"], parquet=tmp_path / "files")
    assert sorted(path.stem for path in (tmp_path / "files").iterdir()) == ["flows", "scenarios"], (
        "none of the run before"
    )
    with pytest.raises(wb.InputError, match="keeps only flows"):
        _ = again.prices


def test_arrow_reads_the_scenarios(study: wb.Study) -> None:
    import pyarrow as pa

    found = wb.sweep(study, [{"demand": {2: 1}}, {"demand": {2: 2}}], tables=())
    table = pa.table(found)
    assert table.column("objective").to_pylist() == found.objective.tolist()
    assert {"scenario", "lmp_mean", "sha256"} <= set(table.column_names)


def test_power_flows_have_voltages(open_three_bus: Any) -> None:
    study = open_three_bus().study("acpf")
    found = wb.sweep(study, [{}, {"demand": {2: 20}}, {"outages": [1]}])
    assert found.voltages.loc[0].tolist() == study.solution.buses["vm_pu"].tolist()
    assert found.scenarios["vm_min_pu"][0] == study.solution.buses["vm_pu"].min() and "lmp_min" not in found.scenarios
    assert found.scenarios["vm_min_pu"][1] < found.scenarios["vm_min_pu"][0]


def test_an_interrupt_stops_between_blocks(study: wb.Study) -> None:
    def stop(fraction: float | None, solved: int) -> None:
        _thread.interrupt_main()
        threading.Event().wait(0.01)

    frame = pd.DataFrame({("demand", 2): np.linspace(-20, 0, 20_000)})
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        wb.sweep(study, frame, progress=stop, tables=())
    assert time.monotonic() - started < 30 and study.revision == 0


def test_progress(study: wb.Study) -> None:
    progress: list[tuple[float | None, int]] = []
    wb.sweep(study, [{"demand": {2: k}} for k in range(7)], progress=lambda f, n: progress.append((f, n)))
    assert progress[-1] == (1.0, 7) and [n for _, n in progress] == sorted(n for _, n in progress)
    progress.clear()
    wb.sweep(study, ({"demand": {2: k}} for k in range(3)), progress=lambda f, n: progress.append((f, n)))
    assert progress[-1] == (None, 3)


@pytest.mark.parametrize(
    ("scenarios", "more", "code"),
    [
        (3, {}, "SWEEP.MALFORMED"),
        ("demand", {}, "SWEEP.MALFORMED"),
        ([], {}, "SWEEP.MALFORMED"),
        ({"demand": {2: 1}}, {}, "SWEEP.MALFORMED"),
        ([{"demands": {2: 1}}], {}, "SWEEP.MALFORMED"),
        ([5], {}, "SWEEP.MALFORMED"),
        ([{"demand": {9: 1}}], {}, "DELTA.UNKNOWN_BUS"),
        ([{"demand": {2: np.nan}}], {}, "DELTA.MALFORMED"),
        ([{"ratings": {9: 1}}], {}, "RATE.UNKNOWN_BRANCH"),
        ([{"outages": [9]}], {}, "BRANCH.UNKNOWN"),
        ([{"units": {9: 0}}], {}, "GENERATOR.UNKNOWN"),
        ([{"outages": {1: "no"}}], {}, "SWEEP.MALFORMED"),
        (pd.DataFrame({("outages", 1): ["yes"]}), {}, "SWEEP.MALFORMED"),
        ([{"units": {1: 1.5}}], {}, "SWEEP.MALFORMED"),
        ([{"units": 1}], {}, "SWEEP.MALFORMED"),
        ([{"costs": {1: "dear"}}], {}, "COST.MALFORMED"),
        ([{"costs": {1: (-1, 2)}}], {}, "COST.MALFORMED"),
        (pd.DataFrame({2: [1.0]}), {}, "SWEEP.MALFORMED"),
        (pd.DataFrame({("power", 2): [1.0]}), {}, "SWEEP.MALFORMED"),
        (pd.DataFrame({("demand", 2): ["much"]}), {}, "SWEEP.MALFORMED"),
        (pd.DataFrame({("demand", 9): [1.0]}), {}, "BUS.UNKNOWN"),
        ([{}], {"executor": 4}, "ARGUMENT.CHOICE"),
        ([{}], {"tables": "prices"}, "ARGUMENT.CHOICE"),
        ([{}], {"tables": ["voltages"]}, "ARGUMENT.CHOICE"),
        ([{}], {"on_error": "ignore"}, "ARGUMENT.CHOICE"),
        ([{}], {"progress": "bar"}, "ARGUMENT.CHOICE"),
    ],
)
def test_invalid_sweeps_are_refused(study: wb.Study, scenarios: Any, more: dict[str, Any], code: str) -> None:
    with pytest.raises(wb.WattbookError) as refused:
        wb.sweep(study, scenarios, **more)
    assert refused.value.code == code
