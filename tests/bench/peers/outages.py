"""Solves the outage of every branch of a MATPOWER file with lightsim2grid: `python outages.py REPEATS FILE VOLTAGES`.

One JSON object: `{peer, solved, ms, apart_pu}`. `solved` counts the outages with a power flow, `ms` is the processor time of
the contingency analysis from the solved base case on one thread, `apart_pu` the largest difference to VOLTAGES, which
`wattbook-bench outages` writes.
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np
from lightsim2grid.lightsim2grid_cpp import ContingencyAnalysisCPP
from lightsim2grid.network import init_from_matpower
from matpowercaseframes import CaseFrames

TOLERANCE = 1e-8
"""Largest mismatch, per unit."""
MOST = 30
"""Iterations."""
ENOUGH_S = 5.0
"""Seconds after which nothing is repeated."""
TAP, SHIFT, STATUS = 8, 9, 10


def main(repeats: int, file: str, voltages: str) -> None:
    branches = CaseFrames(file).branch.to_numpy(dtype=float)
    if not (branches[:, STATUS] == 1).all():
        raise SystemExit(f"{file}: every branch must be in service")
    # Lines come before transformers, both in the order of the file.
    is_line = (branches[:, TAP] == 0) & (branches[:, SHIFT] == 0)
    place = np.empty(len(branches), dtype=int)
    place[np.concatenate([np.flatnonzero(is_line), np.flatnonzero(~is_line)])] = np.arange(len(branches))

    grid = init_from_matpower(file)
    base = grid.ac_pf(np.ones(grid.total_bus(), dtype=complex), MOST, TOLERANCE)
    best, spent = float("inf"), 0.0
    for _ in range(repeats):
        analysis = ContingencyAnalysisCPP(grid)
        analysis.add_all_n1()
        start = time.thread_time()
        analysis.compute(base.copy(), MOST, TOLERANCE)
        passed = time.thread_time() - start
        best, spent = min(best, passed), spent + passed
        if spent > ENOUGH_S:
            break
    found = np.asarray(analysis.get_voltages())
    ours = np.fromfile(voltages, dtype="<f8").reshape(-1, 1 + 2 * len(base))
    theirs = found[place[ours[:, 0].astype(int)]]
    apart = np.abs(theirs - (ours[:, 1::2] + 1j * ours[:, 2::2])).max()
    solved = int((np.abs(found).max(axis=1) > 0).sum())
    print(json.dumps({"peer": "lightsim2grid", "solved": solved, "ms": best * 1e3, "apart_pu": float(apart)}))


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
