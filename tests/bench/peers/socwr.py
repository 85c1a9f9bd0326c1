"""Solves programs of `wattbook-bench socwr` with Clarabel: `python socwr.py LIMIT_S REPEATS FILE...`.

One JSON object a line: `{case, peer, status, objective, iterations, ms, memory_mb}`; `status` is `optimal`, `almost` (its
reduced accuracy), `time` (more than LIMIT_S), or the solver's own word for what went wrong. Every solve has a process of its
own. One thread, its time on a processor; set-up, which orders and scales, is part of the solve.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import clarabel
import numpy as np
from dcopf import ENOUGH_S, run
from scipy import sparse


def solver(file: str, limit: float) -> Callable[[], tuple[str, float, int]]:
    data = json.loads(Path(file).read_text())
    n = len(data["cost"])
    shape = (len(data["right"]), n)
    # Duplicate entries add up, which compressed rows do not.
    rows = sparse.csr_matrix((data["value"], data["index"], data["starts"]), shape=shape)
    rows.sum_duplicates()
    cones = [clarabel.ZeroConeT(data["equal"]), clarabel.NonnegativeConeT(data["below"])]
    cones += [clarabel.SecondOrderConeT(size) for size in data["cones"]]
    matrix, right = sparse.csc_matrix(rows), np.asarray(data["right"])
    quad, cost = sparse.diags(np.asarray(data["quad"]), format="csc"), np.asarray(data["cost"])
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1
    settings.time_limit = limit

    def solve() -> tuple[str, float, int]:
        solution = clarabel.DefaultSolver(quad, cost, matrix, right, cones, settings).solve()
        known = {"Solved": "optimal", "AlmostSolved": "almost", "MaxTime": "time"}
        status = str(solution.status)
        return known.get(status, status), solution.obj_val + data["constant"], solution.iterations

    return solve


def work(make: Callable, repeats: int, limit: float, pipe) -> None:
    solve = make()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    best, spent = float("inf"), 0.0
    for _ in range(repeats):
        if spent > ENOUGH_S:
            break
        start = time.thread_time()
        status, objective, iterations = solve()
        passed = time.thread_time() - start
        best, spent = min(best, passed), spent + passed
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    answer = {"status": status, "objective": objective, "iterations": iterations}
    pipe.send(answer | {"ms": best * 1e3, "memory_mb": memory})


def main(limit: float, repeats: int, files: list[str]) -> None:
    for file in files:
        case, form = Path(file).name.removesuffix(".json").rsplit(".", 1)
        row = {"case": case, "peer": f"clarabel-{form}"}
        answer = run(lambda file=file: solver(file, limit), repeats, limit, work)
        print(json.dumps(row | answer), flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
