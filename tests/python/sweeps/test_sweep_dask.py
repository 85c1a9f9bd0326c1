"""Sweeps on a real cluster of Dask: several worker processes, one of which is killed meanwhile."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
import wattbook as wb
from test_sweep import monte_carlo, same

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with (
        distributed.LocalCluster(
            n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def grid() -> wb.Study:
    return wb.open_case("case200_activ").study()


def test_a_cluster_has_the_same_results_and_receives_the_case_once_a_worker(client: Any, grid: wb.Study) -> None:
    frame = monte_carlo(grid, 60)
    there = wb.sweep(grid, frame, client)
    same(wb.sweep(grid, frame), there)
    assert there.workers["scenarios"].sum() == 60 and len(there.workers) > 1
    assert (there.workers["case_reads"] == 1).all()
    # The workers have the case: nothing is sent for the next sweep.
    again = wb.sweep(grid, frame.head(12), client)
    assert again.workers["case_reads"].sum() <= len(client.ncores()) - len(there.workers)


def test_a_killed_worker_loses_no_scenario_and_none_counts_twice(client: Any, grid: wb.Study) -> None:
    frame = monte_carlo(grid, 400)
    expected = wb.sweep(grid, frame)
    known = set(client.scheduler_info()["workers"])
    victim = next(iter(client.run(os.getpid).values()))
    solved: list[int] = []

    def kill_once(fraction: float | None, count: int) -> None:
        if not solved:
            os.kill(victim, signal.SIGKILL)
        solved.append(count)

    found = wb.sweep(grid, frame, client, progress=kill_once)
    assert len(solved) > 2 and solved[0] < 400, "the worker was killed during the sweep"
    same(expected, found)
    assert found.index.tolist() == list(range(400)) and found.workers["scenarios"].sum() == 400
    client.wait_for_workers(3, timeout=60)
    assert set(client.scheduler_info()["workers"]) != known, "another worker took its place"


def test_variants_and_failures_reach_the_workers(client: Any, open_three_bus: Any) -> None:
    study = open_three_bus().study()
    scenarios = [{"outages": [3]}, {"units": {2: 0}}, {"costs": {1: 3}}, {"demand": {2: 9999}}, {"demand": {2: -200}}]
    there, here = wb.sweep(study, scenarios, client), wb.sweep(study, scenarios)
    same(here, there)
    assert here.failures["code"].tolist() == ["SOLVE.INFEASIBLE", "DELTA.NEGATIVE_DEMAND"]
    pd.testing.assert_frame_equal(here.failures, there.failures)
    assert np.isfinite(there.objective[:3]).all()
