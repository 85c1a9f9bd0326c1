"""Solves a program of `wattbook-bench secure` with the outage of every line in HiGHS: `python secure.py LIMIT_S FILE`.

One JSON object: `{status, objective, ms, rounds, rows}`. As in the engine, limits after outages are added where the optimum
violates them, each line with one excess for all outages; here by a matrix of all distribution factors. `ms` is the processor
time of one thread from the program on, factors and screenings included; `status` is `time` after LIMIT_S.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import highspy
import numpy as np
from dcopf import NO_BOUND, Program, given
from scipy import sparse
from scipy.sparse.linalg import splu

#: $/MWh beyond a limit after an outage.
PENALTY = 2000.0
#: Violations below this are within the tolerance of HiGHS, per unit.
TOLERANCE = 1e-6
#: A smaller part of a transfer that remains on its line means that the outage splits an island.
SPLITS = 1e-8
ROUNDS = 60


def distribution_factors(b: np.ndarray, ends: np.ndarray, nodes: np.ndarray, references: np.ndarray) -> np.ndarray:
    """By line and outage, the share of the flow that the line takes over; zero for outages that split an island."""
    m, n = len(b), int(nodes.max()) + 1
    place = np.full(n, -1)
    free = np.setdiff1d(np.unique(nodes[ends]), references)
    place[free] = np.arange(len(free))
    rows = place[nodes[ends]]
    used = rows >= 0
    column = np.repeat(np.arange(m)[:, None], 2, axis=1)
    sign = np.broadcast_to([1.0, -1.0], (m, 2))
    incidence = sparse.csc_matrix((sign[used], (rows[used], column[used])), shape=(len(free), m))
    x = splu((incidence @ sparse.diags(b) @ incidence.T).tocsc()).solve(incidence.toarray())
    ptdf = b[:, None] * (incidence.T @ x)
    remains = 1 - np.diag(ptdf)
    factors = np.where(np.abs(remains) > SPLITS, ptdf / np.where(np.abs(remains) > SPLITS, remains, 1), 0)
    np.fill_diagonal(factors, 0)
    return factors


def solve(file: str, limit: float) -> dict[str, object]:
    program = Program(file)
    data = json.loads(Path(file).read_text())
    row, b, shift, rating = (np.asarray(data["lines"][name]) for name in ("row", "b", "shift", "rating"))
    base_mva = data["base_mva"]
    start = time.process_time()
    matrix = sparse.csr_matrix(
        (program.value, program.index, program.starts), shape=(len(program.row_lo), len(program.cost))
    )
    pairs = matrix[row]
    ends = np.array([pairs.indices[at : at + 2][np.argsort(-pairs.data[at : at + 2])] for at in pairs.indptr[:-1]])
    # Branches without impedance join the buses at their ends.
    equal = np.flatnonzero((program.row_lo == 0) & (program.row_hi == 0) & (np.diff(program.starts) == 2))
    joined = matrix[equal]
    are_angles = np.isin(joined.indices.reshape(-1, 2), ends).all(axis=1) & (
        joined.data.reshape(-1, 2).sum(axis=1) == 0
    )
    links = joined.indices.reshape(-1, 2)[are_angles]
    graph = sparse.csr_matrix((np.ones(len(links)), (links[:, 0], links[:, 1])), shape=(len(program.cost),) * 2)
    nodes = sparse.csgraph.connected_components(graph, directed=False)[1]
    references = nodes[
        np.flatnonzero((program.lo == 0) & (program.hi == 0) & np.isin(np.arange(len(program.lo)), ends))
    ]
    factors = distribution_factors(b, ends, nodes, references)
    h = given(program, "choose", limit, program.is_quadratic)
    excess: dict[int, int] = {}
    added = 0
    for rounds in range(1, ROUNDS + 1):
        h.run()
        if time.process_time() - start > limit or h.getModelStatus() == highspy.HighsModelStatus.kTimeLimit:
            return {"status": "time", "objective": None, "ms": None, "rounds": rounds, "rows": added}
        if h.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return {"status": h.getModelStatus().name, "objective": None, "ms": None, "rounds": rounds, "rows": added}
        x = np.asarray(h.getSolution().col_value)
        flow = b * (x[ends[:, 0]] - x[ends[:, 1]] - shift)
        room = np.where(rating < NO_BOUND, rating, np.inf)
        for line, column in excess.items():
            room[line] += x[column]
        after = flow[:, None] + factors * flow[None, :]
        new = 0
        for sign in (1.0, -1.0):
            beyond = sign * after - room[:, None]
            worst = beyond.argmax(axis=1)
            for line in np.flatnonzero(beyond[np.arange(len(b)), worst] > TOLERANCE):
                out = worst[line]
                if line not in excess:
                    h.addCol(PENALTY * base_mva, 0.0, np.inf, 0, np.array([], dtype=np.int32), np.array([]))
                    excess[line] = h.getNumCol() - 1
                terms = {excess[line]: -1.0}
                for at, weight in ((line, 1.0), (out, factors[line, out])):
                    for end, part in zip(ends[at], (1.0, -1.0), strict=True):
                        terms[end] = terms.get(end, 0.0) + sign * weight * b[at] * part
                moved = b[line] * shift[line] + factors[line, out] * b[out] * shift[out]
                scale = 1 / abs(b[line])
                index, values = np.array(list(terms), dtype=np.int32), scale * np.array(list(terms.values()))
                h.addRow(-np.inf, scale * (rating[line] + sign * moved), len(index), index, values)
                new += 1
        added += new
        if new == 0:
            ms = (time.process_time() - start) * 1e3
            objective = h.getInfo().objective_function_value
            return {"status": "optimal", "objective": objective, "ms": ms, "rounds": rounds, "rows": added}
    return {"status": "rounds", "objective": None, "ms": None, "rounds": ROUNDS, "rows": added}


if __name__ == "__main__":
    print(json.dumps(solve(sys.argv[2], float(sys.argv[1]))))
