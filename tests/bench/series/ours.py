"""Series natively, on one thread, beside the solver alone: `python ours.py LIBRARY REPEATS CASE HOURS [CASE HOURS ...]`.

LIBRARY is engine/crates/bench as a shared library. The solver alone gets the same demands, each step from the optimum of the base case,
as the series does. One JSON object a case; times by the clock and of this process, least of the repeats, s.
"""

import ctypes
import json
import sys
import time

import numpy as np
import wattbook as wb


def least(repeats, work):
    """The least wall and processor time of some runs, and the last result."""
    wall, processor, result = [], [], None
    for _ in range(repeats):
        began, spent = time.perf_counter(), time.process_time()
        result = work()
        wall.append(time.perf_counter() - began)
        processor.append(time.process_time() - spent)
    return min(wall), min(processor), result


def solver_of(library, case):
    """Our solver at the optimum of the base case, without the Python package."""
    calls = ctypes.CDLL(library)
    calls.bench_alloc.restype = ctypes.c_void_p
    calls.bench_open.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint32]
    calls.bench_prepare.argtypes = [ctypes.c_size_t] * 3
    calls.bench_at_demand.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    calls.bench_text_at.restype = ctypes.c_void_p
    text = case.module_json.encode()
    at = calls.bench_alloc(len(text))
    ctypes.memmove(at, text, len(text))
    for done in (calls.bench_open(at, len(text), 0), calls.bench_build(), calls.bench_prepare(0, 0, 0)):
        if done != 1:
            raise RuntimeError("the solver refused")
    return calls


def measured(library, repeats, name, hours):
    case = wb.open_case(name)
    demand = case.synthetic_demand(hours)
    study = case.study()
    wall, processor, found = least(repeats, lambda: study.series(demand, threads=1, progress=False))
    bare, bare_processor, _ = least(
        repeats, lambda: study.series(demand, tables=("prices",), threads=1, progress=False)
    )
    solver = solver_of(library, case)
    rows = np.tile(case.buses["demand_mw"].to_numpy(dtype=float), (hours, 1))
    place = {bus: k for k, bus in enumerate(case.buses.index)}
    rows[:, [place[bus] for bus in demand.columns]] = demand.to_numpy(dtype=float)
    rows = np.ascontiguousarray(rows)

    def alone():
        return sum(solver.bench_at_demand(row.ctypes.data, len(row)) for row in rows)

    alone_wall, alone_processor, solved = least(repeats, alone)
    if solved != int(found.objective.notna().sum()):
        raise RuntimeError(f"{name}: the solver solves {solved} steps, the series {found.objective.notna().sum()}")
    apart = objectives_apart(solver, rows, found)
    return {
        "case": name,
        "n_bus": case.n_bus,
        "hours": hours,
        "failed": len(found.failures),
        "seconds": wall,
        "processor_s": processor,
        "prices_s": bare,
        "prices_processor_s": bare_processor,
        "solver_s": alone_wall,
        "solver_processor_s": alone_processor,
        "gap": float(found.certificates["relative_gap"].max()),
        "apart": apart,
    }


def objectives_apart(solver, rows, found):
    """The largest difference of an objective from the solver's, over ten of the steps."""
    most = 0.0
    for k in range(0, len(rows), max(1, len(rows) // 10)):
        row = rows[k]
        if solver.bench_at_demand(row.ctypes.data, len(row)) == 1:
            length = solver.bench_text()
            text = json.loads(ctypes.string_at(solver.bench_text_at(), length))
            most = max(most, abs(text["objective"] - float(found.objective.iloc[k])))
    return most


def main(library, repeats, *cases):
    for name, hours in zip(cases[::2], cases[1::2], strict=True):
        print(json.dumps(measured(library, int(repeats), name, int(hours))), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
