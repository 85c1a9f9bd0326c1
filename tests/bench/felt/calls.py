"""The calls of the Python package that people wait for, beside the solver alone in the same process.

    python calls.py LIBRARY REPEATS STEPS CASE...

LIBRARY is engine/crates/bench as a shared library. A case is a file or the name of a bundled grid. One JSON object a case: the
middle of the steps' least times in ms, by the wall clock and of this process.
"""

import ctypes
import json
import statistics
import sys
import time
from pathlib import Path

import wattbook as wb

BUSES = 25


class Solver:
    """Our solver without the Python package."""

    def __init__(self, library, module_json):
        self.calls = ctypes.CDLL(library)
        self.calls.bench_alloc.restype = ctypes.c_void_p
        self.calls.bench_open.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint32]
        self.calls.bench_prepare.argtypes = [ctypes.c_size_t] * 3
        self.calls.bench_steps.restype = ctypes.c_size_t
        for name in ("bench_step", "bench_step_bus", "bench_step_mw"):
            getattr(self.calls, name).argtypes = [ctypes.c_size_t]
        self.calls.bench_step_bus.restype = ctypes.c_uint64
        self.calls.bench_step_mw.restype = ctypes.c_double
        text = module_json.encode()
        at = self.calls.bench_alloc(len(text))
        ctypes.memmove(at, text, len(text))
        self.done(self.calls.bench_open(at, len(text), 0))

    @staticmethod
    def done(went_well):
        if went_well != 1:
            raise RuntimeError("the solver refused")

    def base(self):
        self.done(self.calls.bench_build())
        self.done(self.calls.bench_solve())

    def steps(self, per_bus):
        self.done(self.calls.bench_prepare(BUSES, per_bus, 0))
        count = self.calls.bench_steps()
        return [(str(self.calls.bench_step_bus(k)), self.calls.bench_step_mw(k)) for k in range(count)]


def least(repeats, work, before=lambda: None):
    """The least wall and processor time of some runs, ms."""
    wall, processor = [], []
    for _ in range(repeats):
        before()
        began, spent = time.perf_counter(), time.process_time()
        work()
        processor.append(time.process_time() - spent)
        wall.append(time.perf_counter() - began)
    return 1000 * min(wall), 1000 * min(processor)


def measured(library, repeats, per_bus, source):
    case = wb.open_case(source)
    solver = Solver(library, case.module_json)
    study = case.study()
    # In turns, so that other work of the machine affects both alike.
    base = least(repeats, solver.base)
    opened = least(repeats, case.study)
    steps = solver.steps(per_bus)
    solved, committed = [], []
    for k, (bus, mw) in enumerate(steps):
        solved.append(least(repeats, lambda k=k: solver.calls.bench_step(k)))
        # From the base case each time, like the solver's step; the reset is not timed.
        commit = least(repeats, lambda bus=bus, mw=mw: study.commit({bus: mw}), before=study.reset)
        committed.append(commit)

    def middle(times, clock):
        return statistics.median(one[clock] for one in times)

    return {
        "case": Path(str(source)).stem,
        "n_bus": len(case.buses),
        "steps": len(steps),
        **{
            f"{what}_{clock}_ms": value
            for at, clock in enumerate(("wall", "cpu"))
            for what, value in (
                ("base_solver", base[at]),
                ("study", opened[at]),
                ("step_solver", middle(solved, at)),
                ("commit", middle(committed, at)),
            )
        },
    }


def main(library, repeats, per_bus, *sources):
    for source in sources:
        print(json.dumps(measured(library, int(repeats), int(per_bus), source)), flush=True)


main(*sys.argv[1:])
