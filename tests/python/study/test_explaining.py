"""Explanations as jobs: on time, with progress, interrupted, and beside other threads; on a grid whose demand is doubled."""

from __future__ import annotations

import _thread
import gzip
import threading
from pathlib import Path

import pytest
import wattbook as wb

GRIDS = Path(__file__).parents[3] / "server" / "grids"


@pytest.fixture(scope="module")
def illinois() -> wb.Case:
    text = gzip.decompress((GRIDS / "illinois.json.gz").read_bytes())
    return wb.open_case(text, format="module")


@pytest.fixture
def doubled(illinois: wb.Case) -> tuple[wb.Study, dict[int, float]]:
    demand = illinois.buses["demand_mw"]
    return illinois.study(), {int(bus): float(mw) for bus, mw in demand[demand > 0].items()}


def test_a_refusal_has_no_search(doubled: tuple[wb.Study, dict[int, float]]) -> None:
    study, demand = doubled
    with pytest.raises(wb.SolveError) as failed:
        study.commit(demand)
    assert failed.value.message == (
        "No solution: the demand exceeds the generators' capacity; at least 6,536.3 MW short."
    )
    assert failed.value.details["kind"] == "balance" and "explanation" not in failed.value.details


def test_progress_rises_to_the_least_relaxation(doubled: tuple[wb.Study, dict[int, float]]) -> None:
    study, demand = doubled
    seen: list[tuple[float, float]] = []
    why = study.explain(demand, progress=lambda fraction, at_least_mw: seen.append((fraction, at_least_mw)))
    assert why is not None and why.is_least
    assert why.relaxation_total_mw == pytest.approx(9383.18165, rel=1e-7)
    assert len(seen) > 1 and seen == sorted(seen) and seen[-1][0] == 1
    assert all(at_least <= why.relaxation_total_mw * (1 + 1e-9) for _, at_least in seen)


def test_a_budget_ends_with_the_best_relaxation_so_far(doubled: tuple[wb.Study, dict[int, float]]) -> None:
    study, demand = doubled
    why = study.explain(demand, budget_s=0, progress=False)
    assert why is not None and not why.is_least
    assert why.remedy.startswith("Best relaxation so far, ")
    assert why.verified["gap_mw"] == pytest.approx(why.relaxation_total_mw - why.verified["bound_mw"])
    assert why.verified["bound_mw"] <= 9383.1817 <= why.relaxation_total_mw
    with pytest.raises(wb.ArgumentError, match="budget_s must be a number of seconds"):
        study.explain(demand, budget_s=-1)
    with pytest.raises(wb.ArgumentError, match="progress must be a function"):
        study.explain(demand, progress="yes")  # type: ignore[arg-type]


def test_an_interrupt_ends_the_search(doubled: tuple[wb.Study, dict[int, float]]) -> None:
    study, demand = doubled
    steps: list[float] = []

    def interrupt(fraction: float, at_least_mw: float) -> None:
        steps.append(fraction)
        _thread.interrupt_main()

    with pytest.raises(KeyboardInterrupt):
        study.explain(demand, progress=interrupt)
    assert len(steps) == 1 and steps[0] < 1
    assert study.revision == 0
    study.commit({next(iter(demand)): 1.0})


def test_other_threads_use_the_study_meanwhile(doubled: tuple[wb.Study, dict[int, float]]) -> None:
    study, demand = doubled
    revisions: list[int] = []

    def commit() -> None:
        study.commit({next(iter(demand)): 1.0})
        assert study.solution is not None
        revisions.append(study.revision)

    def during(fraction: float, at_least_mw: float) -> None:
        if not revisions:
            other = threading.Thread(target=commit)
            other.start()
            other.join(300)
            assert not other.is_alive(), "the search blocks another thread"

    why = study.explain(demand, progress=during)
    # The requested edits are explained, whatever is committed meanwhile.
    assert why is not None and why.relaxation_total_mw == pytest.approx(9383.18165, rel=1e-7)
    assert revisions == [1]
