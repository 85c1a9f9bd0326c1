"""Solves a program of `wattbook-bench dcopf` with HiGHS and Clarabel: `python dcopf.py LIMIT_S REPEATS FILE...`.

One JSON object a line and solver: `{case, peer, status, objective, ms}`; `status` is `optimal`, `infeasible`, `time` (more
than LIMIT_S), or the solver's own word for what went wrong. Every solve has a process of its own, which ends with its time:
not every solver looks at its clock everywhere. One thread each; handing the problem over is not timed with HiGHS, and is with
Clarabel, whose set-up also orders and scales.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
import time
from collections.abc import Callable
from pathlib import Path

import clarabel
import highspy
import numpy as np
from scipy import sparse

ENOUGH_S = 0.5
"""Seconds after which nothing is repeated."""
SPARE_S = 30
"""Seconds that a process may need beside its solve."""
NO_BOUND = 1e30


class Program:
    """`min sum quad x^2 / 2 + cost x + constant, lo <= x <= hi, row_lo <= A x <= row_hi`."""

    def __init__(self, file: str) -> None:
        data = json.loads(Path(file).read_text())
        self.constant = data["constant"]
        for name in ("cost", "quad", "lo", "hi", "row_lo", "row_hi", "value"):
            values = np.asarray(data[name], dtype=float)
            setattr(self, name, np.where(np.abs(values) >= NO_BOUND, np.copysign(np.inf, values), values))
        self.starts = np.asarray(data["starts"], dtype=np.int32)
        self.index = np.asarray(data["index"], dtype=np.int32)

    @property
    def is_quadratic(self) -> bool:
        return bool(self.quad.any())


def given(program: Program, solver: str, limit: float, quadratic: bool) -> highspy.Highs:
    """A solver with the program loaded."""
    h = highspy.Highs()
    for option, value in (
        ("output_flag", False),
        ("threads", 1),
        ("parallel", "off"),
        ("solver", solver),
        ("time_limit", limit),
    ):
        h.setOptionValue(option, value)
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(program.cost), len(program.row_lo)
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = program.cost, program.lo, program.hi
    lp.row_lower_, lp.row_upper_ = program.row_lo, program.row_hi
    lp.offset_ = program.constant
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = program.starts, program.index, program.value
    model = highspy.HighsModel()
    model.lp_ = lp
    if quadratic:
        curved = np.flatnonzero(program.quad)
        starts = np.concatenate([[0], np.cumsum(program.quad != 0)]).astype(np.int32)
        model.hessian_.dim_ = len(program.quad)
        model.hessian_.format_ = highspy.HessianFormat.kTriangular
        model.hessian_.start_, model.hessian_.index_ = starts, curved.astype(np.int32)
        model.hessian_.value_ = program.quad[curved]
    h.passModel(model)
    return h


def highs(program: Program, solver: str, limit: float, quadratic: bool) -> Callable[[], tuple[str, float | None]]:
    """A solver with the program loaded; calling it runs it."""
    h = given(program, solver, limit, quadratic)

    def solve() -> tuple[str, float | None]:
        h.run()
        status = h.getModelStatus()
        known = {
            highspy.HighsModelStatus.kOptimal: "optimal",
            highspy.HighsModelStatus.kInfeasible: "infeasible",
            highspy.HighsModelStatus.kUnboundedOrInfeasible: "infeasible",
            highspy.HighsModelStatus.kTimeLimit: "time",
        }
        return known.get(status, status.name), h.getObjectiveValue()

    return solve


def clarabel_solver(program: Program, limit: float) -> Callable[[], tuple[str, float | None]]:
    n = len(program.cost)
    a = sparse.csr_matrix((program.value, program.index, program.starts), shape=(len(program.row_lo), n))
    rows = sparse.vstack([a, sparse.identity(n, format="csr")], format="csr")
    lo, hi = np.concatenate([program.row_lo, program.lo]), np.concatenate([program.row_hi, program.hi])
    equal = np.isfinite(lo) & (lo == hi)
    below, above = np.isfinite(hi) & ~equal, np.isfinite(lo) & ~equal
    matrix = sparse.vstack([rows[equal], rows[below], -rows[above]], format="csc")
    rhs = np.concatenate([hi[equal], hi[below], -lo[above]])
    cones = [clarabel.ZeroConeT(int(equal.sum())), clarabel.NonnegativeConeT(int(below.sum() + above.sum()))]
    p = sparse.diags(program.quad, format="csc")
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1
    settings.time_limit = limit

    def solve() -> tuple[str, float | None]:
        solution = clarabel.DefaultSolver(p, program.cost, matrix, rhs, cones, settings).solve()
        known = {"Solved": "optimal", "PrimalInfeasible": "infeasible", "MaxTime": "time"}
        status = str(solution.status)
        return known.get(status, status), solution.obj_val + program.constant

    return solve


def sides(program: Program, limit: float) -> dict[str, Callable[[], Callable[[], tuple[str, float | None]]]]:
    """Constructors of each peer's fresh solver. A quadratic program also has its linear part, as a lower bound of
    HiGHS's time."""
    if program.is_quadratic:
        # The only choice: simplex and interior point do not support quadratic costs here, and HiGHS uses its active set
        # anyway.
        quadratic = {"highs-qp": ("choose", True)}
        linear = {f"highs-lp-part-{name}": (name, False) for name in ("simplex", "ipm")}
        ways = quadratic | linear
    else:
        ways = {f"highs-{name}": (name, False) for name in ("simplex", "ipm")}
    made = {
        peer: lambda solver=solver, curved=curved: highs(program, solver, limit, curved)
        for peer, (solver, curved) in ways.items()
    }
    return made | {"clarabel": lambda: clarabel_solver(program, limit)}


def work(make: Callable, repeats: int, limit: float, pipe) -> None:
    best, spent = float("inf"), 0.0
    for _ in range(repeats):
        if spent > ENOUGH_S:
            break
        solve = make()
        start = time.perf_counter()
        status, objective = solve()
        passed = time.perf_counter() - start
        best, spent = min(best, passed), spent + passed
    if best > limit:
        status = "time"
    pipe.send({"status": status, "objective": objective if status == "optimal" else None, "ms": best * 1e3})


def run(make: Callable, repeats: int, limit: float, work: Callable = work) -> dict:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(make, repeats, limit, theirs))
    process.start()
    theirs.close()
    try:
        if not ours.poll(limit + ENOUGH_S + SPARE_S):
            return {"status": "time", "objective": None, "ms": limit * 1e3}
        return ours.recv()
    except EOFError:
        return {"status": "crash", "objective": None, "ms": None}
    finally:
        process.kill()
        process.join()


def main(limit: float, repeats: int, files: list[str]) -> None:
    for file in files:
        program = Program(file)
        for peer, make in sides(program, limit).items():
            row = {"case": Path(file).name.removesuffix(".problem.json"), "peer": peer}
            print(json.dumps(row | run(make, repeats, limit)), flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
