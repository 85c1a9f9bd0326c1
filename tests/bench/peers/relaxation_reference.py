"""Writes the minimum relaxations of `engine/crates/solve/tests/explain/limits.rs` with HiGHS (through SciPy).

    python relaxation_reference.py DATA_FOLDER > engine/crates/solve/tests/reference/relaxations.csv

The whole network with its bus angles, nothing eliminated, as one linear program: the least sum of demand that is not served,
of minimum output that is undercut (down to zero), and of MW by which flows leave their ratings and angle windows (one interval
per branch, in terms of its flow). Convention of the service: b = x / (r^2 + x^2), no taps, phase shifts and shunt conductance
counted. Every case has no solution; of one with an edit the demand of a bus is raised, MW. With names behind the folder only
these files of it are solved.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from matpowercaseframes import CaseFrames
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, hstack, identity, vstack

CASES = [
    *(
        f"pglib/sad/pglib_opf_case{name}__sad.m"
        for name in (
            [
                "5_pjm",
                "30_ieee",
                "89_pegase",
                "118_ieee",
                "200_activ",
                "240_pserc",
                "500_goc",
                "1354_pegase",
                "2869_pegase",
            ]
        )
    ),
    "new_england250/BaseCase.m",
]
#: Cases with the demand of one bus raised, MW: line limits, capacity, and both.
EDITS = [
    ("activsg200/case_ACTIVSg200.m", 189, 1400.0),
    ("activsg200/case_ACTIVSg200.m", 189, 3000.0),
    ("activsg500/case_ACTIVSg500.m", 31, 3000.0),
    ("activsg500/case_ACTIVSg500.m", 31, 1000.0),
]

TIGHT = {"primal_feasibility_tolerance": 1e-9, "dual_feasibility_tolerance": 1e-9}


def solve(cost, matrix, low, high, bounds):
    equal = np.isclose(low, high, atol=0.0, rtol=0.0)
    upper = np.isfinite(high) & ~equal
    lower = np.isfinite(low) & ~equal
    above = vstack([matrix[upper], -matrix[lower]]) if (upper | lower).any() else None
    limits = np.concatenate([high[upper], -low[lower]]) if above is not None else None
    found = linprog(
        cost,
        A_ub=above,
        b_ub=limits,
        A_eq=matrix[equal],
        b_eq=low[equal],
        bounds=bounds,
        method="highs-ds",
        options=TIGHT,
    )
    assert found.status == 0, found.message
    return found


def relaxation(path: Path, at: int = 0, more: float = 0.0) -> tuple[float, float]:
    """The least sum, MW, and that of demand and minimum output without line limits."""
    frames = CaseFrames(str(path))
    base = float(frames.baseMVA)
    bus = frames.bus.to_numpy(float)
    bus = bus[bus[:, 1] != 4]
    gen = frames.gen.to_numpy(float)
    gen = gen[gen[:, 7] > 0]
    branch = frames.branch.to_numpy(float)
    branch = branch[branch[:, 10] > 0]
    row = {int(number): k for k, number in enumerate(bus[:, 0])}
    n, n_gen, n_line = len(bus), len(gen), len(branch)
    f, t = (np.array([row[int(number)] for number in branch[:, column]]) for column in (0, 1))
    r, x = branch[:, 2], branch[:, 3]
    b = x / (r**2 + x**2)
    offset = -b * np.radians(branch[:, 9])
    assert (branch[:, 5] > 0).all(), "every branch of these cases has a rating"
    rating = branch[:, 5] / base
    unset = (branch[:, 11:13] == 0.0).all(axis=1, keepdims=True)
    limits = np.radians(np.where(unset, (-60.0, 60.0), np.clip(branch[:, 11:13], -60.0, 60.0)))
    ends = b[:, None] * limits + offset[:, None]
    low, high = np.maximum(-rating, ends.min(axis=1)), np.minimum(rating, ends.max(axis=1))
    bus[bus[:, 0] == at, 2] += more
    demand, shunt = bus[:, 2] / base, bus[:, 4] / base
    assert (demand >= 0.0).all() or demand.sum() > 0.0

    lines = np.arange(n_line)
    incidence = coo_matrix(
        (np.concatenate([np.ones(n_line), -np.ones(n_line)]), (np.concatenate([lines, lines]), np.concatenate([f, t]))),
        shape=(n_line, n),
    ).tocsr()
    flows = incidence.multiply(b[:, None]).tocsr()
    at_bus = coo_matrix(
        (np.ones(n_gen), ([row[int(number)] for number in gen[:, 0]], np.arange(n_gen))), shape=(n, n_gen)
    ).tocsr()
    # theta, generation, reduced minimum, shed demand, line slacks up and down.
    balance = hstack([-(incidence.T @ flows), at_bus, coo_matrix((n, n_gen)), identity(n), coo_matrix((n, 2 * n_line))])
    line = hstack(
        [flows, coo_matrix((n_line, 2 * n_gen + n)), identity(n_line), -identity(n_line)],
    )
    minimum = hstack(
        [coo_matrix((n_gen, n)), identity(n_gen), identity(n_gen), coo_matrix((n_gen, n + 2 * n_line))],
    )
    needed = demand + shunt + incidence.T @ offset
    sizes = [n, n_gen, n_gen, n, 2 * n_line]
    missed = np.concatenate([np.zeros(n + n_gen), np.ones(n_gen + n), np.zeros(2 * n_line)])
    exceeded = np.concatenate([np.zeros(sum(sizes[:4])), np.ones(2 * n_line)])
    pmin, pmax = gen[:, 9] / base, gen[:, 8] / base
    bounds = np.column_stack(
        [
            np.concatenate([np.full(n, -np.inf), np.minimum(pmin, 0.0), np.zeros(n_gen + n + 2 * n_line)]),
            np.concatenate(
                [np.full(n, np.inf), pmax, np.full(n_gen, np.inf), np.maximum(demand, 0.0), np.full(2 * n_line, np.inf)]
            ),
        ]
    )
    first = solve(
        missed,
        vstack([balance, minimum]).tocsr(),
        np.concatenate([needed, pmin]),
        np.concatenate([needed, np.full(n_gen, np.inf)]),
        bounds,
    )
    least = solve(
        missed + exceeded,
        vstack([balance, minimum, line]).tocsr(),
        np.concatenate([needed, pmin, low - offset]),
        np.concatenate([needed, np.full(n_gen, np.inf), high - offset]),
        bounds,
    )
    return least.fun * base, first.fun * base


def main(folder: Path, names: list[str]) -> None:
    print("case,bus,more_mw,least_mw,balance_mw")
    chosen = [(name, 0, 0.0) for name in CASES] + EDITS
    if names:
        chosen = [(name, 0, 0.0) for name in names]
    for name, at, more in chosen:
        least, balance = relaxation(folder / name, at, more)
        print(f"{name},{at},{more:g},{least:.6f},{balance:.6f}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
