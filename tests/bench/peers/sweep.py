"""Solves some scenarios of `npm run bench -- sweep` one after the other: `python sweep.py PEER FOLDER COSTS OF COUNT SEED LIMIT_S`.

PEER is `highs` (the program is passed once; for each scenario the bounds of the balances change and the solver starts from the last
basis, where that has no optimum once more from nothing), `clarabel` (one solver, whose right-hand side changes), or `pypsa` (one network, whose loads change before `optimize`). The
scenarios are COUNT random ones of the first OF, the same for all peers; no further one begins after LIMIT_S. One JSON line:
`{seconds, processor_s, solved, places, objective}`. One thread each; making the model is timed with PyPSA only, where it is part of
`optimize`.
"""

import json
import logging
import os
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from scipy import sparse


class Timed:
    """Times and objectives of the scenarios."""

    def __init__(self, places, limit):
        self._places, self._limit = places, limit
        self.objective = []
        self.seconds = self.processor = 0.0

    def run(self, solve):
        """Solves scenario after scenario: `solve(place)` is the objective or None; the first one is not timed."""
        solve(self._places[0])
        began, spent = time.perf_counter(), time.process_time()
        for place in self._places:
            self.objective.append(solve(place))
            if time.perf_counter() - began > self._limit:
                break
        self.seconds, self.processor = time.perf_counter() - began, time.process_time() - spent

    def summary(self):
        done = len(self.objective)
        solved = sum(one is not None for one in self.objective)
        return {
            "seconds": self.seconds,
            "processor_s": self.processor,
            "solved": solved,
            "places": [int(place) for place in self._places[:done]],
            "objective": self.objective,
        }


#: Largest angle difference, rad; the engine assumes it where a case has no limit.
ANGLE = np.pi / 3


class Program:
    """The DC OPF of the network as a general program in per unit, with the fields of `dcopf.Program`.

    Columns are the angles of the buses, the first of which is zero, then outputs; rows the balances of the buses, then lines.
    """

    def __init__(self, folder, costs):
        data = json.loads((folder / "network.json").read_text())
        base = self.base_mva = data["base_mva"]
        place = {bus: k for k, bus in enumerate(data["buses"])}
        buses, lines, units = len(place), len(data["from"]), len(data["bus"])
        start, end, at = ([place[bus] for bus in data[key]] for key in ("from", "to", "bus"))
        quadratic = np.array(data["cost_c2"]) if costs == "quadratic" else np.zeros(units)
        self.constant = float(np.sum(data["cost_c0"])) if costs == "quadratic" else 0.0
        self.cost = np.concatenate([np.zeros(buses), np.array(data["cost_c1"]) * base])
        self.quad = np.concatenate([np.zeros(buses), 2 * quadratic * base**2])
        angles = np.where(np.arange(buses) > 0, np.inf, 0.0)
        self.lo = np.concatenate([-angles, np.array(data["p_min_mw"]) / base])
        self.hi = np.concatenate([angles, np.array(data["p_max_mw"]) / base])
        stiffness = np.array(data["susceptance"]) / base
        most = np.minimum(np.array(data["rating_mw"]) / base / np.abs(stiffness), ANGLE)
        demand = np.array(data["demand_mw"]) / base
        self.row_lo, self.row_hi = np.concatenate([demand, -most]), np.concatenate([demand, most])
        ends = sparse.csr_matrix(
            (np.tile([1.0, -1.0], lines), np.ravel([start, end], order="F"), np.arange(0, 2 * lines + 1, 2)),
            (lines, buses),
        )
        outputs = sparse.csr_matrix((np.ones(units), (at, np.arange(units))), (buses, units))
        balances = -(ends.T @ sparse.diags(stiffness) @ ends)
        matrix = sparse.bmat([[balances, outputs], [ends, None]], format="csr")
        self.starts, self.index, self.value = matrix.indptr, matrix.indices, matrix.data
        self.changing = np.array([place[bus] for bus in data["scenario_buses"]], dtype=np.int32)

    @property
    def is_quadratic(self):
        return bool(self.quad.any())

    def demand(self, changes_mw):
        """Demand of the buses with changes, per unit."""
        return self.row_lo[self.changing] + changes_mw / self.base_mva


def highs(folder, costs, scenarios, timed):
    import highspy
    from dcopf import given

    program = Program(folder, costs)
    # Its clock continues from solve to solve.
    solver = given(program, "choose", np.inf, program.is_quadratic)

    def solve(place):
        demand = program.demand(scenarios[place])
        solver.changeRowsBounds(len(demand), program.changing, demand, demand)
        solver.run()
        if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            solver.clearSolver()
            solver.run()
        if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        solver.getSolution()  # prices are its row duals
        return solver.getInfo().objective_function_value

    timed.run(solve)


def clarabel(folder, costs, scenarios, timed):
    import clarabel

    program = Program(folder, costs)
    rows = sparse.csr_matrix((program.value, program.index, program.starts))
    equal = program.row_lo == program.row_hi
    below, above = ~equal & np.isfinite(program.row_hi), ~equal & np.isfinite(program.row_lo)
    identity = sparse.identity(len(program.cost), format="csr")
    # Fixed columns would have no interior.
    fixed = program.lo == program.hi
    upper, lower = ~fixed & np.isfinite(program.hi), ~fixed & np.isfinite(program.lo)
    parts = [rows[equal], identity[fixed], rows[below], -rows[above], identity[upper], -identity[lower]]
    sides = [
        program.row_lo[equal],
        program.lo[fixed],
        program.row_hi[below],
        -program.row_lo[above],
        program.hi[upper],
        -program.lo[lower],
    ]
    free = sum(part.shape[0] for part in parts[2:])
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.presolve_enable = False
    settings.max_threads = 1
    right = np.concatenate(sides)
    cones = [clarabel.ZeroConeT(int(equal.sum() + fixed.sum())), clarabel.NonnegativeConeT(int(free))]
    hessian = sparse.diags(program.quad, format="csc")
    matrix = sparse.vstack(parts, format="csc")
    solver = clarabel.DefaultSolver(hessian, program.cost, matrix, right, cones, settings)
    # Balances come first among the equalities.
    at = np.searchsorted(np.flatnonzero(equal), program.changing)

    def solve(place):
        right[at] = program.demand(scenarios[place])
        solver.update(b=right)
        answer = solver.solve()
        solved = str(answer.status) == "Solved"
        return answer.obj_val + program.constant if solved else None

    timed.run(solve)


def pypsa(folder, costs, scenarios, timed):
    import pypsa

    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    data = json.loads((folder / "network.json").read_text())
    network = pypsa.Network()
    names = [str(bus) for bus in data["buses"]]
    network.add("Bus", names, v_nom=1.0)
    count = range(len(data["from"]))
    # With 1 kV, ohms are per unit on 1 MVA.
    network.add(
        "Line",
        [f"line {k}" for k in count],
        bus0=[str(bus) for bus in data["from"]],
        bus1=[str(bus) for bus in data["to"]],
        x=1 / np.array(data["susceptance"]),
        r=0.0,
        s_nom=data["rating_mw"],
    )
    most = np.array(data["p_max_mw"])
    capacity = np.where(most > 0, most, 1.0)
    quadratic = np.array(data["cost_c2"]) if costs == "quadratic" else 0.0
    network.add(
        "Generator",
        [f"unit {k}" for k in range(len(most))],
        bus=[str(bus) for bus in data["bus"]],
        p_nom=capacity,
        p_min_pu=np.array(data["p_min_mw"]) / capacity,
        p_max_pu=most / capacity,
        marginal_cost=data["cost_c1"],
        marginal_cost_quadratic=quadratic,
    )
    demand = np.array(data["demand_mw"])
    network.add("Load", [f"load {name}" for name in names], bus=names, p_set=demand)
    place_of = {bus: k for k, bus in enumerate(data["buses"])}
    changing = [place_of[bus] for bus in data["scenario_buses"]]
    constant = float(np.sum(data["cost_c0"])) if costs == "quadratic" else 0.0
    options = {"threads": 1, "output_flag": False}

    def solve(place):
        loads = demand.copy()
        loads[changing] += scenarios[place]
        network.loads["p_set"] = loads
        status, _ = network.optimize(solver_name="highs", solver_options=options, io_api="direct")
        return float(network.objective) + constant if status == "ok" else None

    timed.run(solve)


def main(peer, folder, costs, of, count, seed, limit):
    scenarios = np.load(Path(folder) / "scenarios.npy", mmap_mode="r")
    places = np.random.default_rng(int(seed)).permutation(int(of))[: int(count)]
    timed = Timed(places, float(limit))
    # HiGHS prints a banner on standard output, whatever its options.
    answers = os.dup(1)
    os.dup2(2, 1)
    {"highs": highs, "clarabel": clarabel, "pypsa": pypsa}[peer](Path(folder), costs, scenarios, timed)
    os.write(answers, f"{json.dumps(timed.summary())}\n".encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
