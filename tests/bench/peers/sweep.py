"""Solves some scenarios of `npm run bench -- sweep` one after the other: `python sweep.py PEER FOLDER COSTS COUNT SEED LIMIT_S`.

PEER is `highs` (the program is passed once; for each scenario the bounds of the balances change and the solver starts from the last
basis), `clarabel` (one solver, whose right-hand side changes), or `pypsa` (one network, whose loads change before `optimize`). The
scenarios are a random subset of COUNT, the same for all peers; no further one begins after LIMIT_S. One JSON line:
`{seconds, processor_s, solved, places, objective}`. One thread each; making the model is timed with PyPSA only, where it is part of
`optimize`.
"""

import json
import logging
import sys
import time
import warnings
from pathlib import Path

import numpy as np


class Timed:
    """Times of the scenarios, and their objectives."""

    def __init__(self, places, limit):
        self._places, self._limit = places, limit
        self.objective = []
        self.seconds = self.processor = 0.0

    def run(self, solve):
        """Solves scenario after scenario: `solve(place)` is the objective or None; the first is not counted."""
        solve(self._places[0])
        began, spent = time.perf_counter(), time.process_time()
        for place in self._places:
            self.objective.append(solve(place))
            if time.perf_counter() - began > self._limit:
                break
        self.seconds, self.processor = time.perf_counter() - began, time.process_time() - spent

    def told(self):
        done = len(self.objective)
        solved = sum(one is not None for one in self.objective)
        return {
            "seconds": self.seconds,
            "processor_s": self.processor,
            "solved": solved,
            "places": [int(place) for place in self._places[:done]],
            "objective": self.objective,
        }


class Changed:
    """The program of a case, and what a scenario changes of it."""

    def __init__(self, folder, costs):
        from dcopf import Program

        self.program = Program(str(folder / f"{costs}.problem.json"))
        data = json.loads((folder / f"{costs}.problem.json").read_text())
        buses = json.loads((folder / "network.json").read_text())["scenario_buses"]
        self.rows = np.array([data["balance"][str(bus)] for bus in buses], dtype=np.int32)
        self.base = self.program.row_lo[self.rows]
        self.base_mva = data["base_mva"]

    def demand(self, changes_mw):
        return self.base + changes_mw / self.base_mva


def highs(folder, costs, scenarios, timed):
    import highspy

    from dcopf import highs as given

    changed = Changed(folder, costs)
    h = given(changed.program, "choose", 60, changed.program.is_quadratic).__closure__
    solver = next(cell.cell_contents for cell in h if isinstance(cell.cell_contents, highspy.Highs))

    def solve(place):
        demand = changed.demand(scenarios[place])
        solver.changeRowsBounds(len(changed.rows), changed.rows, demand, demand)
        solver.run()
        if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        solver.getSolution()  # prices are its row duals
        return solver.getInfo().objective_function_value

    timed.run(solve)


def clarabel(folder, costs, scenarios, timed):
    import clarabel
    from scipy import sparse

    changed = Changed(folder, costs)
    program = changed.program
    rows = sparse.csr_matrix((program.value, program.index, program.starts))
    equal = program.row_lo == program.row_hi
    below, above = ~equal & np.isfinite(program.row_hi), ~equal & np.isfinite(program.row_lo)
    identity = sparse.identity(len(program.cost), format="csr")
    # Columns that are fixed would have no interior.
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
    # Balances are the first of the equalities.
    at = np.searchsorted(np.flatnonzero(equal), changed.rows)

    def solve(place):
        right[at] = changed.demand(scenarios[place])
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
    # With 1 kV, ohm are per unit on 1 MVA.
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
    options = {"threads": 1, "output_flag": False, "log_to_console": False}

    def solve(place):
        loads = demand.copy()
        loads[changing] += scenarios[place]
        network.loads["p_set"] = loads
        status, _ = network.optimize(solver_name="highs", solver_options=options, io_api="direct", log_to_console=False)
        return float(network.objective) + constant if status == "ok" else None

    timed.run(solve)


def main(peer, folder, costs, count, seed, limit):
    scenarios = np.load(Path(folder) / "scenarios.npy", mmap_mode="r")
    places = np.random.default_rng(int(seed)).permutation(len(scenarios))[: int(count)]
    timed = Timed(places, float(limit))
    {"highs": highs, "clarabel": clarabel, "pypsa": pypsa}[peer](Path(folder), costs, scenarios, timed)
    print(json.dumps(timed.told()))


if __name__ == "__main__":
    main(*sys.argv[1:])
