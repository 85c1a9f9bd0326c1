"""Solves power flows of `wattbook-bench acpf` with lightsim2grid and pandapower: `python acpf.py LIMIT_S REPEATS FILE...`.

One JSON object a line and peer: `{case, peer, status, iterations, first_ms, ms, apart_pu, memory_mb}`. `first_ms` is a solver
that has seen nothing, with its ordering; `ms` one that keeps its symbolic analysis where the peer can. `apart_pu` is the
largest difference to the voltages of the file. Admittances, injections and start are the file's on every side, and so is the
tolerance. Every peer has a process of its own, one thread, its time on a processor.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from dcopf import ENOUGH_S, run
from lightsim2grid.algorithm import NRSing_KLU
from pandapower.pypower.newtonpf import newtonpf
from scipy import sparse

TOLERANCE = 1e-8
"""Largest mismatch, per unit."""
MOST = 30
"""Iterations."""
COLUMNS = 64
"""Number of columns, more than any table of pandapower has."""

Solve = Callable[[], tuple[np.ndarray | None, int]]
"""Returns voltages, where it found any, and iterations."""


class Flow:
    """A power flow: rows are buses."""

    def __init__(self, file: str) -> None:
        data = json.loads(Path(file).read_text())
        numbers = {name: np.asarray(data[name][0]) + 1j * np.asarray(data[name][1]) for name in ("admittance", "power")}
        n = len(data["starts"]) - 1
        self.admittance = sparse.csr_matrix((numbers["admittance"], data["index"], data["starts"]), shape=(n, n))
        self.power = numbers["power"]
        self.start, self.voltages = (
            np.asarray(re) + 1j * np.asarray(im) for re, im in (data["start"], data["voltages"])
        )
        self.reference, self.pv, self.pq = (
            np.asarray(data[name], dtype=np.int32) for name in ("reference", "pv", "pq")
        )


def lightsim2grid(flow: Flow) -> Callable[[], Solve]:
    """A solver for one slack bus with KLU."""
    admittance = flow.admittance.tocsc()
    weights = np.zeros(len(flow.power))
    weights[flow.reference] = 1.0

    def fresh() -> Solve:
        solver = NRSing_KLU()

        def solve() -> tuple[np.ndarray | None, int]:
            start = flow.start.copy()
            found = solver.compute_pf(
                admittance, start, flow.power, flow.reference, weights, flow.pv, flow.pq, MOST, TOLERANCE
            )
            return (np.array(solver.get_V()) if found else None), solver.get_nb_iter()

        return solve

    return fresh


def pandapower(flow: Flow) -> Callable[[], Solve]:
    """Its Newton power flow, compiled by numba as users get it."""
    # Tables that its Newton's method reads, all without rows here except that of the buses.
    tables = ("branch", "bus_dc", "branch_dc", "tcsc", "svc", "ssc", "vsc", "source_dc")
    case = {"baseMVA": 1.0} | {name: np.zeros((0, COLUMNS)) for name in tables}
    case["internal"] = {}
    case |= {"bus": np.zeros((len(flow.power), COLUMNS)), "gen": np.zeros((len(flow.pv) + 1, COLUMNS))}
    options = {
        "tolerance_mva": TOLERANCE,
        "max_iteration": MOST,
        "numba": True,
        "algorithm": "nr",
        "voltage_depend_loads": False,
        "distributed_slack": False,
        "v_debug": False,
        "use_umfpack": True,
        "permc_spec": None,
    }

    def solve() -> tuple[np.ndarray | None, int]:
        found = newtonpf(
            flow.admittance, flow.power, flow.start.copy(), flow.reference, flow.pv, flow.pq, case, options
        )
        return (found[0] if found[1] else None), found[2]

    solve()  # Compiles.
    return lambda: solve


def work(make: Callable, repeats: int, limit: float, pipe) -> None:
    flow, fresh = make()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def least(work: Callable) -> tuple[float, tuple[np.ndarray | None, int]]:
        best, spent = float("inf"), 0.0
        for _ in range(repeats):
            if spent > ENOUGH_S:
                break
            start = time.thread_time()
            answer = work()
            passed = time.thread_time() - start
            best, spent = min(best, passed), spent + passed
        return best, answer

    first, _ = least(lambda: fresh()())
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    solve = fresh()
    solve()
    best, (voltages, iterations) = least(solve)
    apart = None if voltages is None else float(np.abs(voltages - flow.voltages).max())
    answer = {"status": "diverged" if voltages is None else "feasible", "iterations": iterations, "apart_pu": apart}
    pipe.send(answer | {"first_ms": first * 1e3, "ms": best * 1e3, "memory_mb": memory})


def main(limit: float, repeats: int, files: list[str]) -> None:
    for file in files:
        row = {"case": Path(file).name.removesuffix(".flow.json")}
        for name, peer in (("lightsim2grid", lightsim2grid), ("pandapower", pandapower)):

            def make(file: str = file, peer: Callable = peer) -> tuple[Flow, Callable[[], Solve]]:
                flow = Flow(file)
                return flow, peer(flow)

            print(json.dumps(row | {"peer": name} | run(make, repeats, limit, work)), flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
