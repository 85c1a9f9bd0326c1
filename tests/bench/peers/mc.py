"""Solves a feeder with OpenDSS: `python mc.py LIMIT_S REPEATS SCRIPT LOAD KW`.

One JSON object: `{peer, cold_ms, iterations, edit_ms, losses_w, memory_mb}`. `cold_ms` is everything but reading the script: the matrices of
all elements, that of the circuit and its factors, and the voltages from loads as impedances; `edit_ms` sets one load and solves from
there. Controls are off; the tolerance is 1e-8.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

import opendssdirect as dss

TOLERANCE = "1e-8"
# `BuildYMatrix` of all elements, not of series elements alone, with voltages and currents reallocated.
WHOLE, ALLOCATE = 2, 1


def least(repeats: int, limit: float, work: object) -> float:
    """Processor milliseconds of this thread in the fastest run, with as many runs as there is time for."""
    begun, best = time.perf_counter(), float("inf")
    for _ in range(repeats):
        start = time.thread_time()
        work()  # type: ignore[operator]
        took = time.thread_time() - start
        # The clock of a thread may stand still at times.
        best = min(best, took) if took > 0 else best
        if time.perf_counter() - begun > limit:
            break
    return 1000 * best


def main() -> None:
    limit, repeats, script, load, kw = float(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), sys.argv[4], sys.argv[5]
    dss.Basic.AllowForms(False)
    # Off before the script solves, otherwise taps move.
    text = script.read_text(errors="replace")
    at = text.lower().rfind("\nsolve")
    held = script.with_name(f"{script.stem}.held.dss")
    held.write_text(f"{text[:at]}\nSet controlmode=off\nSet tolerance={TOLERANCE}\nSolve\n")
    try:
        dss.Text.Command(f'Compile "{held}"')
    finally:
        held.unlink()
    dss.Text.Command(f"Set controlmode=off tolerance={TOLERANCE} maxiterations=100")
    solution = dss.Solution
    frequency = solution.Frequency()

    def cold() -> None:
        # It reuses matrices of elements while the frequency does not change.
        solution.Frequency(2 * frequency)
        solution.Frequency(frequency)
        solution.BuildYMatrix(WHOLE, ALLOCATE)
        solution.SolveDirect()
        solution.SolveNoControl()

    cold_ms = least(repeats, limit, cold)
    iterations, losses = solution.Iterations(), dss.Circuit.Losses()[0]
    converged = bool(solution.Converged())
    own = load.removeprefix("load.")
    values = [float(kw), float(kw) / 1.2]

    def edit() -> None:
        values.reverse()
        dss.Text.Command(f"Load.{own}.kw={values[0]}")
        solution.SolveNoControl()

    edit_ms = least(max(repeats, 4), limit, edit)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    row = {"peer": "OpenDSS", "cold_ms": cold_ms, "iterations": iterations, "edit_ms": edit_ms, "memory_mb": memory}
    print(json.dumps({**row, "losses_w": losses} if converged else row))


main()
