"""Random work on one Study at a time in one process, as a kernel does it.

    python kernel.py SECONDS SAMPLES SEED MODULE_FILE...

One JSON line a sample: `{s, calls, mb}`, memory in MB when the Study is closed and garbage collected, and one of calls by kind and of
refusals by code at the end. A refusal must be one that the call may have, a state that is restored must have the hash that it had before.
"""

import collections
import ctypes
import gc
import json
import random
import re
import resource
import sys
import time
import warnings
from pathlib import Path

import pandas as pd
import wattbook as wb

#: Allowed errors: states without a solution or without derivatives, outages that split the grid, and changes without a
#: preview.
ALLOWED = re.compile(r"(SOLVE|SENS|OUTAGE|TRACK|GENERATOR|DELTA|RATE)\.")
#: DC is the most used formulation.
FORMULATIONS = ("dcopf", "dcopf", "dcopf", "acpf", "socwr")
#: Edited elements beyond which an edit starts from the base case.
MOST_EDITS = 12
MB = 2**20


class Session:
    """A Study, and the operations on it."""

    def __init__(self, files, rng):
        self._files, self._rng = files, rng
        self._study = None
        self.open()

    @property
    def formulation(self):
        return self._study.formulation

    def close(self):
        if self._study is not None:
            self._study.free()
        self._study = self._buses = self._branches = self._units = None

    def open(self):
        self.close()
        case = wb.open_case(self._rng.choice(self._files))
        self._buses = case.buses.query("editable and demand_mw > 0")["demand_mw"]
        self._branches = case.branches.query("editable and in_service")["rating_mw"]
        self._units = case.generators.query("p_max_mw > 0")["p_max_mw"]
        self._study = case.study()

    def _one(self, column):
        key = self._rng.choice(column.index)
        return int(key), float(column[key])

    def edit(self):
        study = self._study
        if len(study.edits.demand) + len(study.edits.ratings) + len(study.edits.generators) >= MOST_EDITS:
            study.reset()
        kind = self._rng.random()
        if kind < 0.7:
            bus, demand = self._one(self._buses)
            study.commit({bus: self._rng.uniform(-0.5, 0.5) * demand})
        elif kind < 0.9:
            branch, rating = self._one(self._branches)
            study.commit({}, {branch: self._rng.uniform(-0.3, 0.5) * rating})
        else:
            unit, p_max = self._one(self._units)
            values = [
                {"status": False},
                {"cost": self._rng.uniform(0, 80)},
                {"p_max": self._rng.uniform(0.5, 1) * p_max},
            ]
            study.commit(generators={unit: self._rng.choice(values)})
        study.solution.buses.mean(numeric_only=True)

    def undo(self):
        """Returns to an earlier state, which must be the same one."""
        states = self._study.states
        back = states.iloc[-self._rng.randint(1, min(10, len(states)))]
        solution = self._study.restore(back.name, progress=False)
        if isinstance(back["result_sha256"], str) and solution.sha256 != back["result_sha256"]:
            raise AssertionError(f"{back.name}: restored, {solution.sha256} in place of {back['result_sha256']}")

    def refuse(self):
        """Sets demand beyond all generation: refused, and the state is unchanged."""
        before = self._study.solution.sha256
        bus, _ = self._one(self._buses)
        try:
            self._study.commit({bus: 1e6})
        finally:
            if self._study.solution.sha256 != before:
                raise AssertionError("a refused commit changed the state")

    def preview(self):
        bus, demand = self._one(self._buses)
        repr(self._study.preview({bus: self._rng.uniform(-0.2, 0.2) * demand}))

    def sensitivity(self):
        bus, _ = self._one(self._buses)
        repr(self._study.sensitivity(bus=bus))

    def switch(self):
        self._study.switch(self._rng.choice(FORMULATIONS), progress=False)

    def track(self):
        bus, demand = self._one(self._buses)
        begin = self._study.edits.demand.get(bus, 0.0)
        track = self._study.track(bus=bus, from_mw=begin, to_mw=begin + 0.3 * demand, explain=False, progress=False)
        track.buses_at(begin).mean(numeric_only=True)

    def components(self):
        self._study.lmp_components(self._one(self._buses)[0])

    def outage(self):
        self._study.outage_flows(branch=self._one(self._branches)[0])

    def series(self):
        buses = self._rng.sample(list(self._buses.index), 5)
        rows = [[self._rng.uniform(0.8, 1.2) * self._buses[bus] for bus in buses] for _ in range(12)]
        self._study.series(pd.DataFrame(rows, columns=buses), progress=False).prices.mean(numeric_only=True)

    def show(self):
        self._study._repr_html_()


#: Relative frequencies of operations; the second set applies where the formulation is DC.
WORK = {"edit": 40, "undo": 15, "preview": 20, "sensitivity": 10, "refuse": 3, "show": 2, "switch": 2, "open": 1}
DC_WORK = {"track": 5, "components": 4, "outage": 4, "series": 3}


def resident_bytes():
    """Resident memory of the process, or its peak where the system reports nothing else."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def give_back():
    """Returns free memory of the C library to the system, where that is possible."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def main(seconds, samples, seed, *files):
    warnings.simplefilter("ignore", wb.WattbookWarning)
    rng = random.Random(int(seed))
    session = Session(files, rng)
    began, calls, refusals = time.monotonic(), collections.Counter(), collections.Counter()
    for sample in range(1, int(samples) + 1):
        while time.monotonic() - began < sample * float(seconds) / int(samples):
            work = WORK | (DC_WORK if session.formulation == "dcopf" else {})
            name = rng.choices(list(work), list(work.values()))[0]
            calls[name] += 1
            try:
                getattr(session, name)()
            except wb.WattbookError as error:
                if not ALLOWED.match(error.code):
                    raise
                refusals[error.code] += 1
        session.close()
        gc.collect()
        give_back()
        memory = {"process": resident_bytes() / MB}
        print(json.dumps({"s": time.monotonic() - began, "calls": calls.total(), "mb": memory}), flush=True)
        session.open()
    print(json.dumps({"kinds": calls, "refusals": refusals}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
