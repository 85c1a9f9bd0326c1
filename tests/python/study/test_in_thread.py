"""Calls with `await`: the event loop continues, errors are raised, and a cancelled call stops without changes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
import wattbook as wb
from wattbook.jobs import finished

STEPS = 400_000


@pytest.fixture
def demand() -> pd.DataFrame:
    return pd.DataFrame({2: [60.0 + step % 60 for step in range(STEPS)]})


def test_results_are_those_of_the_call_and_the_loop_continues(study: wb.Study, demand: pd.DataFrame) -> None:
    async def ran() -> tuple[wb.Solution, wb.SolvedSeries, int]:
        turns, done = 0, asyncio.Event()

        async def turn() -> None:
            nonlocal turns
            while not done.is_set():
                await asyncio.sleep(0.001)
                turns += 1

        turning = asyncio.create_task(turn())
        committed = await wb.in_thread(study.commit, {2: 5.0})
        series = await wb.in_thread(study.series, demand[:20_000], progress=False)
        done.set()
        await turning
        return committed, series, turns

    committed, series, turns = asyncio.run(ran())
    again = study.case.study()
    assert committed.sha256 == again.commit({2: 5.0}).sha256 and study.revision == 1
    pd.testing.assert_frame_equal(series.prices, again.series(demand[:20_000], progress=False).prices)
    assert turns > 3


def test_errors_arrive(study: wb.Study) -> None:
    with pytest.raises(wb.SolveError) as fractions:
        asyncio.run(wb.in_thread(study.commit, {2: 1000.0}))
    assert fractions.value.code == "SOLVE.INFEASIBLE" and study.revision == 0


def cancelled_at_first_step(call: Callable[..., Any], *given: Any) -> list[float]:
    """The fractions reported by a call that is cancelled at its first report."""

    async def ran() -> list[float]:
        fractions: list[float] = []
        loop = asyncio.get_running_loop()

        def report(fraction: float, *_: object) -> None:
            fractions.append(fraction)
            loop.call_soon_threadsafe(task.cancel)

        task = asyncio.ensure_future(wb.in_thread(call, *given, progress=report))
        with pytest.raises(asyncio.CancelledError):
            await task
        count = len(fractions)
        await asyncio.sleep(0.05)
        assert len(fractions) == count, "nothing goes on behind it"
        return fractions

    return asyncio.run(ran())


def test_a_cancelled_series_stops_between_blocks(study: wb.Study, demand: pd.DataFrame) -> None:
    fractions = cancelled_at_first_step(study.series, demand)
    assert 0 < fractions[-1] < 1
    assert study.revision == 0 and study.commit({2: 1.0}) is study.solution


def test_a_cancelled_sweep_stops_between_blocks(study: wb.Study) -> None:
    scenarios = [{"demand": {2: step % 60}} for step in range(100_000)]
    fractions = cancelled_at_first_step(wb.sweep, study, scenarios)
    assert 0 < fractions[-1] < 1


def test_a_cancelled_job_gives_no_partial_result() -> None:
    """An interrupt returns the partial result of a search; a cancelled search has no caller to return it to."""

    class Endless:
        finished = False

        def step(self, budget: int) -> str:
            return json.dumps({"done": False, "fraction": 0.5, "budget": budget})

        def finish(self) -> str:
            self.finished = True
            return ""

    job = Endless()

    def search(progress: Callable[..., object]) -> Any:
        return finished(job, lambda step: progress(step["fraction"]), keep_interrupted=True)

    assert cancelled_at_first_step(search)
    assert not job.finished
