"""Workers of a sweep, in this process, another process, or on another machine: a worker reads the case once and solves blocks of scenarios.

Workers need the engine only.
"""

from __future__ import annotations

import json
import os
import pickle
import socket
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

import numpy as np

from ..errors import WattbookError
from ..native import engine, engine_errors
from ..quantities_generated import COLUMNS
from ..tables.rows import parted
from .scenarios import Block, CaseFile, CaseText, Scenario, Setup, Solved, Variant, availability, changed

#: Scenarios per engine call: few enough for their columns to fit into the processor's cache and their memory to be
#: reused.
_AT_ONCE = 8
#: Receives the results of scenarios by their positions in the block: the engine's answers, and columns by scenario and
#: row.
Keep = Callable[[Sequence[int], Sequence[dict[str, Any]], Mapping[str, np.ndarray]], None]
#: Largest number of cases that a process holds open, and of solved variants of each.
_CASES, _STUDIES = 2, 16
_lock = threading.Lock()


def solve_block(setup: Setup, source: CaseText | CaseFile, block: Block) -> Solved:
    """Solves scenarios on one thread. Each result is a function of the setup, the case and the scenario alone.

    Raises WattbookError `SWEEP.VERSION` if this process has another version of the engine.
    """
    started = time.perf_counter()
    if setup.contract != engine().CONTRACT_SOURCE_SHA256:
        raise WattbookError(
            "SWEEP.VERSION", f"The worker {_here()} has another version of Wattbook: install the same one everywhere."
        )
    case, read = opened(source)
    steps: list[dict[str, Any]] = [{} for _ in block.scenarios]
    columns: dict[str, tuple[str, str, np.ndarray]] = {}

    def keep(places: Sequence[int], answers: Sequence[dict[str, Any]], values: Mapping[str, np.ndarray]) -> None:
        solved = [k for k, step in enumerate(answers) if "error" not in step]
        for k, step in enumerate(answers):
            steps[places[k]] = step
        rows = dict(values) if len(solved) == len(answers) else {name: of[solved] for name, of in values.items()}
        for k, figures in zip(solved, _summaries(rows, case.text.weights, len(solved)), strict=True):
            steps[places[k]] = {**answers[k], **figures}
        for name in setup.stored:
            if name in values:
                columns[name][2][np.asarray(places)[solved]] = rows[name]

    for name in setup.stored:
        element, unit = COLUMNS[name]
        rows = len(case.text.ids[element])
        columns[name] = (element, unit, np.full((len(block.scenarios), rows), np.nan))
    groups: dict[Variant, list[int]] = {}
    for place, scenario in enumerate(block.scenarios):
        groups.setdefault(scenario.variant, []).append(place)
    for variant, places in groups.items():
        study = case.study(setup, variant)
        if isinstance(study, WattbookError):
            for place in places:
                step, found = _alone(case, setup, block.scenarios[place])
                keep([place], [step], {name: one[None, :] for name, one in found.items()})
        else:
            _together(study, setup, case, block.scenarios, places, keep)
    return Solved(block.number, steps, columns, _here(), time.perf_counter() - started, read)


def solve_packed(setup: Setup, source: CaseText | CaseFile, packed: bytes) -> Solved:
    """Solves a pickled block. Intermediaries, such as the scheduler of a cluster, do not unpickle its scenarios."""
    return solve_block(setup, source, pickle.loads(packed))


def _together(
    study: Any,
    setup: Setup,
    case: OpenCase,
    scenarios: Sequence[Scenario],
    places: Sequence[int],
    keep: Keep,
) -> None:
    """Solves scenarios of one variant in one call: every element that one of them changes is a column, at zero in the
    others."""
    chosen = [scenarios[place] for place in places]
    buses, branches, changes = _matrix(chosen)
    if not changes.shape[
        1
    ]:  # a series needs an element: the bus with the largest demand is not in an island without generators
        buses, changes = (case.text.largest,), np.zeros((len(chosen), 1))
    spec = {"buses": buses, "branches": branches, "columns": setup.used}
    try:
        with engine_errors() as native:
            series = native.Series(study, json.dumps(spec))
            for first in range(0, len(chosen), _AT_ONCE):
                some = slice(first, first + _AT_ONCE)
                head, columns = parted(series.solve(changes[some].tobytes(), 1))
                values = {name: column.values.reshape(len(head["steps"]), -1) for name, column in columns.items()}
                keep(places[some], head["steps"], values)
    except WattbookError as error:
        if len(places) == 1:
            step: dict[str, Any] = {"error": _body(error)}
            found: dict[str, np.ndarray] = {}
            if not len(chosen[0].changes_mw):  # the cause may be that bus
                step, found = _alone(case, setup, chosen[0])
            keep(places, [step], {name: one[None, :] for name, one in found.items()})
            return
        for place in places:
            _together(study, setup, case, scenarios, [place], keep)


def _matrix(chosen: Sequence[Scenario]) -> tuple[tuple[int, ...], tuple[int, ...], np.ndarray]:
    """Changes by scenario and element."""
    first = chosen[0]
    if all(one.buses == first.buses and one.branches == first.branches for one in chosen[1:]):
        return first.buses, first.branches, np.vstack([one.changes_mw for one in chosen])
    buses = sorted({bus for one in chosen for bus in one.buses})
    branches = sorted({branch for one in chosen for branch in one.branches})
    at_bus = {bus: k for k, bus in enumerate(buses)}
    at_branch = {branch: len(buses) + k for k, branch in enumerate(branches)}
    changes = np.zeros((len(chosen), len(buses) + len(branches)))
    for row, one in zip(changes, chosen, strict=True):
        row[[*(at_bus[bus] for bus in one.buses), *(at_branch[branch] for branch in one.branches)]] = one.changes_mw
    return tuple(buses), tuple(branches), changes


def _alone(case: OpenCase, setup: Setup, scenario: Scenario) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Solves a scenario of a variant that has a solution only with edits, if at all."""
    split = len(scenario.buses)
    edits = {
        **case.edits(setup, scenario.variant),
        "deltas": dict(zip(map(str, scenario.buses), scenario.changes_mw[:split].tolist(), strict=True)),
        "rates": dict(zip(map(str, scenario.branches), scenario.changes_mw[split:].tolist(), strict=True)),
    }
    request = {"formulation": setup.formulation, "options": json.loads(setup.options_json), "edits": edits}
    try:
        with engine_errors() as native:
            head, columns = parted(native.solve_module(case.module_json(scenario.variant), json.dumps(request)))
    except WattbookError as error:
        return {"error": _body(error)}, {}
    answer = head["response"]
    absent = {
        name: np.full(len(case.text.ids[COLUMNS[name].element]), np.nan) for name in setup.used if name not in columns
    }
    values = {name: absent[name] if name in absent else columns[name].values for name in setup.used}
    return {name: answer[name] for name in ("objective", "result_sha256", "certificate") if name in answer}, values


def _summaries(values: Mapping[str, np.ndarray], weights: np.ndarray, count: int) -> list[dict[str, float]]:
    """Figures of results by scenario. Sums run along contiguous rows, so that they do not depend on the block of a row."""
    found: dict[str, np.ndarray] = {}
    if "lmp" in values:
        lmp = values["lmp"]
        known = ~np.isnan(lmp)
        weight = np.where(known, weights, 0.0)
        total = np.add.reduce(weight, axis=1)
        found["lmp_min"], found["lmp_max"] = np.fmin.reduce(lmp, axis=1), np.fmax.reduce(lmp, axis=1)
        sums = np.add.reduce(np.where(known, lmp, 0.0) * weight, axis=1)
        found["lmp_mean"] = np.divide(sums, total, out=np.full(count, np.nan), where=total != 0)
    if "vm_pu" in values:
        magnitudes = values["vm_pu"]
        found["vm_min_pu"], found["vm_max_pu"] = (
            np.fmin.reduce(magnitudes, axis=1),
            np.fmax.reduce(magnitudes, axis=1),
        )
    if "shadow" in values:
        shadow = np.nan_to_num(values["shadow"])
        found["binding"] = (shadow > 0).sum(axis=1)
        found["congestion_rent"] = np.add.reduce(shadow * np.abs(np.nan_to_num(values["flow_mw"])), axis=1)
    if "loading" in values:
        found["max_loading"] = np.fmax.reduce(values["loading"], axis=1, initial=np.nan)  # a case may have no lines
    lists = {name: of.tolist() for name, of in found.items()}
    return [{name: of[k] for name, of in lists.items()} for k in range(count)]


def _body(error: WattbookError) -> dict[str, Any]:
    return {"code": error.code, "message": error.message, "element": error.element}


def _here() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


class OpenCase:
    """A case of this process, with Studies of its variants."""

    def __init__(self, text: CaseText) -> None:
        self.text = text
        self._module_json = zlib.decompress(text.packed).decode()
        self._module: dict[str, Any] | None = None
        self._case: Any = None
        self._studies: OrderedDict[Any, Any] = OrderedDict()
        self._lock = threading.Lock()

    def module_json(self, variant: Variant) -> str:
        if not variant:
            return self._module_json
        return changed(self._parsed(), variant)

    def study(self, setup: Setup, variant: Variant) -> Any:
        """The native Study of a variant, or the error if it has no solution without edits."""
        key = (setup.formulation, setup.options_json, setup.edits_json, variant)
        with self._lock:
            slot = self._studies.setdefault(key, _Slot())
            self._studies.move_to_end(key)
            while len(self._studies) > _STUDIES:
                self._studies.popitem(last=False)
        with slot.lock:
            if slot.study is None:
                slot.study = self._solved(setup, variant)
            return slot.study

    def _solved(self, setup: Setup, variant: Variant) -> Any:
        is_edit = _is_edit(setup, variant)
        edits = self.edits(setup, variant)
        try:
            with engine_errors() as native:
                if is_edit:
                    study = native.Study(self._opened(), setup.formulation, setup.options_json)
                else:
                    module_json = self.module_json(variant)
                    case = native.Case(sha256(module_json.encode()).hexdigest(), module_json)
                    study = native.Study(case, setup.formulation, setup.options_json)
                if any(edits.values()):
                    study.commit("case", json.dumps(edits))
                return study
        except WattbookError as error:
            return error

    def _opened(self) -> Any:
        """The case itself, read once."""
        with self._lock:
            if self._case is None:
                self._case = engine().Case(self.text.sha256, self._module_json)
            return self._case

    def edits(self, setup: Setup, variant: Variant) -> dict[str, dict[str, Any]]:
        """The committed edits of the Study with those of a variant, which its module lacks."""
        edits: dict[str, dict[str, Any]] = json.loads(setup.edits_json)
        generators = self._generators(edits.get("generators", {}), variant, is_edit=_is_edit(setup, variant))
        branches = edits.get("branches", {})
        for row in variant.outages:
            branch = str(self.text.ids["branch"][row])
            branches[branch] = {**branches.get(branch, {}), "status": False}
        return {**edits, "generators": generators, "branches": branches}

    def _generators(
        self, edits: dict[str, dict[str, Any]], variant: Variant, *, is_edit: bool
    ) -> dict[str, dict[str, Any]]:
        """The committed edits of generators, unless a variant overrides them, and its own if it consists of edits alone. An
        availability is a fraction of the committed limits."""
        if not (variant.units or variant.costs):
            return edits
        units, ids = self._parsed()["value"]["data"]["generators"], self.text.ids["generator"].tolist()
        for row, share in variant.units:
            own = edits.get(str(ids[row]), {})
            if own or is_edit:
                limits = {"pmin": own.get("p_min", units[row]["pmin"]), "pmax": own.get("p_max", units[row]["pmax"])}
                edits[str(ids[row])] = {**own, **availability(limits, share)}
        for row, (_, c1, _) in variant.costs:
            own = {name: value for name, value in edits.pop(str(ids[row]), {}).items() if name != "cost"}
            if is_edit:
                own["cost"] = c1
            if own:
                edits[str(ids[row])] = own
        return edits

    def _parsed(self) -> dict[str, Any]:
        if self._module is None:
            self._module = json.loads(self._module_json)
        return self._module


def _is_edit(setup: Setup, variant: Variant) -> bool:
    """Whether a variant consists of edits, which give the same results without reading a module."""
    if not (variant.units or variant.costs):
        return bool(variant.outages)
    return setup.formulation == "dcopf" and all(c2 == 0 and c0 == 0 for _, (c2, _, c0) in variant.costs)


class _Slot:
    """A Study that one thread creates while others wait for it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.study: Any = None


_open: OrderedDict[str, OpenCase] = OrderedDict()


def opened(source: CaseText | CaseFile) -> tuple[OpenCase, int]:
    """The case of this process, and whether it had to be read now."""
    with _lock:
        found = _open.get(source.key)
        if found is not None:
            _open.move_to_end(source.key)
            return found, 0
        found = _open[source.key] = OpenCase(source.of_case())
        while len(_open) > _CASES:
            _open.popitem(last=False)
        return found, 1
