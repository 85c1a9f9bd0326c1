"""The second-order cone relaxation of the AC optimal power flow in the space of voltage products, solved with clarabel.

Jabr, IEEE Transactions on Power Systems 21(3), 2006; the flows are those of PowerModels (Coffrin et al. 2018) with w_i = |V_i|^2,
wr + j wi = V_i conj(V_j). Everything is per unit.

On a short line wr is almost (w_i + w_j) / 2, and what counts is the difference. So the variable is d = (w_i + w_j) / 2 - wr, and
wr^2 + wi^2 <= w_i w_j becomes wi^2 + ((w_i - w_j) / 2)^2 <= 2 d ((w_i + w_j) / 2 - d / 2), without cancellation. d and wi are
counted in units of the pair's impedance, so that they are of the size of flows.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import clarabel
import numpy as np
from modules import Case
from scipy.sparse import coo_matrix, csc_matrix

VERSION = clarabel.__version__

#: Widest angle difference that the service allows, degrees.
WIDEST_ANGLE = 60


@dataclass
class Relaxed:
    status: str
    objective: float
    iterations: int
    #: Largest active or reactive imbalance at a bus, computed from the answer.
    imbalance_mva: float


class Rows:
    """Rows of A x + s = b, gathered cone by cone."""

    def __init__(self, columns: int):
        self.columns = columns
        self.entries: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self.right: list[np.ndarray] = []
        self.count = 0

    def add(self, matrix: csc_matrix, right: np.ndarray) -> None:
        coo = coo_matrix(matrix)
        self.entries.append((coo.row + self.count, coo.col, coo.data))
        self.right.append(right)
        self.count += matrix.shape[0]

    def matrix(self) -> csc_matrix:
        row, column, data = (np.concatenate(part) for part in zip(*self.entries, strict=True))
        return csc_matrix((data, (row, column)), shape=(self.count, self.columns))


def sparse(row, column, data, shape) -> csc_matrix:
    return csc_matrix((np.asarray(data, float), (row, column)), shape=shape)


def interleave(*matrices: csc_matrix) -> csc_matrix:
    """Rows of several matrices in turn: first rows, second rows, and so on."""
    count, parts = matrices[0].shape[0], len(matrices)
    stacked = [coo_matrix(m) for m in matrices]
    row = np.concatenate([m.row * parts + k for k, m in enumerate(stacked)])
    column = np.concatenate([m.col for m in stacked])
    data = np.concatenate([m.data for m in stacked])
    return csc_matrix((data, (row, column)), shape=(count * parts, matrices[0].shape[1]))


def solve(case: Case) -> Relaxed:
    base = case.base_mva
    n, m, g = len(case.base_kv), len(case.z), len(case.gen_bus)
    # One pair of products for each pair of buses, whatever the number of circuits.
    low, high = case.ends.min(axis=1), case.ends.max(axis=1)
    pairs, pair = np.unique(np.stack([low, high], axis=1), axis=0, return_inverse=True)
    pair = pair.ravel()
    turned = np.where(case.ends[:, 0] == low, 1.0, -1.0)
    k = len(pairs)
    piecewise = [i for i, cost in enumerate(case.costs) if cost["model"] == 1]
    # Columns: w, d, wi, p, q, and the cost of a unit with a piecewise linear curve.
    at_d, at_wi, at_p, at_q, at_c = n, n + k, n + 2 * k, n + 2 * k + g, n + 2 * k + 2 * g
    columns = at_c + len(piecewise)

    y = 1 / case.z
    gs, bs, bc = y.real, y.imag, case.charging / 2
    unit = np.zeros(k)
    np.maximum.at(unit, pair, np.abs(y))
    unit = 1 / unit
    ratio = np.where(case.tap == 0, 1.0, case.tap)
    angle = np.deg2rad(case.shift)
    tr, ti, tt = ratio * np.cos(angle), ratio * np.sin(angle), ratio**2
    rows = np.arange(m)
    shape = (m, columns)

    def flow(end: int, own, real, imaginary) -> csc_matrix:
        here, there = case.ends[:, end], case.ends[:, 1 - end]
        column = np.concatenate([here, there, at_d + pair, at_wi + pair])
        data = [own + real / 2, real / 2, -real * unit[pair], turned * imaginary * unit[pair]]
        return sparse(np.tile(rows, 4), column, np.concatenate(data), shape)

    pf = flow(0, gs / tt, (-gs * tr + bs * ti) / tt, (-bs * tr - gs * ti) / tt)
    qf = flow(0, -(bs + bc) / tt, (bs * tr + gs * ti) / tt, (-gs * tr + bs * ti) / tt)
    pt = flow(1, gs, (-gs * tr - bs * ti) / tt, (bs * tr - gs * ti) / tt)
    qt = flow(1, -(bs + bc), (bs * tr - gs * ti) / tt, (gs * tr + bs * ti) / tt)

    ends = [sparse(case.ends[:, e], rows, np.ones(m), (n, m)) for e in (0, 1)]
    units = np.arange(g)
    given = [sparse(case.gen_bus, start + units, np.ones(g), (n, columns)) for start in (at_p, at_q)]
    buses = np.arange(n)
    shunts = [sparse(buses, buses, part / base, (n, columns)) for part in (case.shunt.real, case.shunt.imag)]
    balance_p = ends[0] @ pf + ends[1] @ pt + shunts[0] - given[0]
    balance_q = ends[0] @ qf + ends[1] @ qt + shunts[1] - given[1]

    all_rows, cones = Rows(columns), []
    all_rows.add(balance_p, -case.demand.real / base)
    all_rows.add(balance_q, -case.demand.imag / base)
    cones.append(clarabel.ZeroConeT(2 * n))

    start = all_rows.count
    for first, limits in (
        (0, np.stack([case.vmin, case.vmax], 1) ** 2),
        (at_p, case.plim / base),
        (at_q, case.qlim / base),
    ):
        count = len(limits)
        own = sparse(np.arange(count), first + np.arange(count), np.ones(count), (count, columns))
        all_rows.add(own, limits[:, 1])
        all_rows.add(-own, -limits[:, 0])
    widest = np.tan(np.deg2rad(WIDEST_ANGLE))
    every = np.arange(k)
    first = sparse(every, pairs[:, 0], np.ones(k), (k, columns))
    second = sparse(every, pairs[:, 1], np.ones(k), (k, columns))
    difference = sparse(every, at_d + every, unit, (k, columns))
    imaginary = sparse(every, at_wi + every, unit, (k, columns))
    real = (first + second) / 2 - difference
    all_rows.add(imaginary - widest * real, np.zeros(k))
    all_rows.add(-imaginary - widest * real, np.zeros(k))
    slopes, right = curve_rows(case, piecewise, at_p, at_c, columns)
    all_rows.add(slopes, right)
    cones.append(clarabel.NonnegativeConeT(all_rows.count - start))

    # u v >= wi^2 + ((w_i - w_j) / 2)^2 as |(2 wi, w_i - w_j, u - v)| <= u + v with u = 2 d, v = (w_i + w_j) / 2 - d / 2; each
    # side in units of the impedance.
    inverse = sparse(every, every, 1 / unit, (k, k))
    u, v = inverse @ (2 * difference), (first + second) / 2 - difference / 2
    narrow = sparse(every, every, 1 / np.sqrt(unit), (k, k))
    cone = interleave(u + v, u - v, narrow @ (2 * imaginary), narrow @ (first - second))
    all_rows.add(-cone, np.zeros(4 * k))
    cones += [clarabel.SecondOrderConeT(4)] * k
    # |(p, q)| <= rating at both ends.
    nothing = csc_matrix(shape)
    for p, q in ((pf, qf), (pt, qt)):
        right = np.zeros(3 * m)
        right[::3] = case.mva / base
        all_rows.add(-interleave(nothing, p, q), right)
        cones += [clarabel.SecondOrderConeT(3)] * m

    quadratic, linear = objective(case, at_p, at_c, columns, piecewise)
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_iter = 200
    answer = clarabel.DefaultSolver(
        quadratic, linear, all_rows.matrix(), np.concatenate(all_rows.right), cones, settings
    ).solve()
    x = np.array(answer.x)
    mismatch = [balance_p @ x + case.demand.real / base, balance_q @ x + case.demand.imag / base]
    return Relaxed(
        status=str(answer.status),
        objective=float(answer.obj_val) * SCALE,
        iterations=int(answer.iterations),
        imbalance_mva=float(max(np.abs(part).max() for part in mismatch) * base),
    )


#: The objective is solved in units of this many $/h.
SCALE = 1000.0


def objective(case: Case, at_p: int, at_c: int, columns: int, piecewise: list[int]) -> tuple[csc_matrix, np.ndarray]:
    """Quadratic costs in $/h of p in per unit, and the costs of piecewise linear curves as they are."""
    diagonal, linear = np.zeros(columns), np.zeros(columns)
    for i, cost in enumerate(case.costs):
        if cost["model"] == 2:
            c2, c1, _ = cost["coeffs"]
            diagonal[at_p + i] = 2 * c2 * case.base_mva**2 / SCALE
            linear[at_p + i] = c1 * case.base_mva / SCALE
    linear[at_c : at_c + len(piecewise)] = 1
    index = np.arange(columns)
    return sparse(index, index, diagonal, (columns, columns)), linear


def curve_rows(case: Case, piecewise: list[int], at_p: int, at_c: int, columns: int) -> tuple[csc_matrix, np.ndarray]:
    """Each segment of a convex curve bounds the unit's cost from below: slope p - c <= slope p0 - c0."""
    row, column, data, right = [], [], [], []
    for k, i in enumerate(piecewise):
        corners = np.array(case.costs[i]["coeffs"]).reshape(-1, 2) * (1 / case.base_mva, 1 / SCALE)
        for (p0, c0), (p1, c1) in pairwise(corners):
            slope = (c1 - c0) / (p1 - p0)
            row += [len(right)] * 2
            column += [at_p + i, at_c + k]
            data += [slope, -1]
            right.append(slope * p0 - c0)
    return sparse(row, column, data, (len(right), columns)), np.array(right)
