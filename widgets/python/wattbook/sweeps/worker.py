"""What a worker of a sweep does, in this process, another one, or on another machine: it has the case once and solves blocks of scenarios.

Workers need the engine only.
"""

from __future__ import annotations

import json
import os
import pickle
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..edits.variants import Variant
from ..errors import WattbookError
from ..native import engine, engine_errors
from ..quantities_generated import COLUMNS
from ..tables.columns import parted
from .blocks import Block, CaseFile, CaseText, Setup, Solved
from .open_cases import OpenCase, opened
from .scenarios import Scenario

#: Columns of the engine's columns that a stateless solve has by other names.
_STATELESS = {
    "lmp": ("prices", "bus", "value"),
    "vm_pu": ("vm", "bus", "value"),
    "flow_mw": ("flows", "branch", "pf"),
    "loading": ("flows", "branch", "loading"),
    "shadow": ("flows", "branch", "shadow"),
    "dispatch_mw": ("dispatch", "gen", "pg"),
}
#: Scenarios of one call of the engine: their columns stay in the processor's cache, and the memory for them is used again.
_AT_ONCE = 8
#: Takes scenarios by their places in the block: what the engine tells of each, and columns by scenario and row.
Keep = Callable[[Sequence[int], Sequence[dict[str, Any]], Mapping[str, np.ndarray]], None]


def solve_block(setup: Setup, source: CaseText | CaseFile, block: Block) -> Solved:
    """Solves scenarios on one thread. Each is a function of the setup, the case and itself alone.

    Raises WattbookError `SWEEP.VERSION` where this process has another version of the engine.
    """
    started = time.perf_counter()
    if setup.contract != engine().CONTRACT_SOURCE_SHA256:
        raise WattbookError(
            "SWEEP.VERSION", f"The worker {_here()} has another version of Wattbook: install the same one everywhere."
        )
    case, read = opened(source)
    steps: list[dict[str, Any]] = [{} for _ in block.scenarios]
    columns: dict[str, tuple[str, str, np.ndarray]] = {}

    def keep(places: Sequence[int], told: Sequence[dict[str, Any]], values: Mapping[str, np.ndarray]) -> None:
        solved = [k for k, step in enumerate(told) if "error" not in step]
        for k, step in enumerate(told):
            steps[places[k]] = step
        rows = dict(values) if len(solved) == len(told) else {name: of[solved] for name, of in values.items()}
        for k, figures in zip(solved, _summaries(rows, case.text.weights, len(solved)), strict=True):
            steps[places[k]] = {**told[k], **figures}
        for name in setup.kept:
            if name in values:
                columns[name][2][np.asarray(places)[solved]] = rows[name]

    for name in setup.kept:
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
    """Solves a pickled block. Whoever passes it on, such as the scheduler of a cluster, does not read its scenarios."""
    return solve_block(setup, source, pickle.loads(packed))


def _together(
    study: Any,
    setup: Setup,
    case: OpenCase,
    scenarios: Sequence[Scenario],
    places: Sequence[int],
    keep: Keep,
) -> None:
    """Scenarios of one variant in one call: every element that one of them changes is a column, at zero in the others."""
    chosen = [scenarios[place] for place in places]
    buses, branches, changes = _matrix(chosen)
    if not changes.shape[1]:  # a series has elements: the bus with the most demand is in no island of its own
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
            if not len(chosen[0].changes_mw):  # what is wrong may be that bus
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
    """A scenario of a variant that has a solution with edits only, if at all."""
    split = len(scenario.buses)
    edits = {
        "deltas": dict(zip(map(str, scenario.buses), scenario.changes_mw[:split].tolist(), strict=True)),
        "rates": dict(zip(map(str, scenario.branches), scenario.changes_mw[split:].tolist(), strict=True)),
        "reactive": json.loads(setup.reactive_json),
        "generators": case.generators(setup, scenario.variant),
    }
    request = {"formulation": setup.formulation, "options": json.loads(setup.options_json), "edits": edits}
    try:
        with engine_errors() as native:
            answer = json.loads(native.solve_module(case.module_json(scenario.variant), json.dumps(request)))
    except WattbookError as error:
        return {"error": _body(error)}, {}
    values = {}
    for name in setup.used:
        table, key, field = _STATELESS[name]
        ids = case.text.ids[COLUMNS[name].element]
        by_id = {row[key]: row[field] for row in answer.get(table, ())}
        values[name] = np.array([by_id.get(number, np.nan) for number in ids.tolist()], dtype=float)
    return {name: answer[name] for name in ("objective", "result_sha256", "certificate") if name in answer}, values


def _summaries(values: Mapping[str, np.ndarray], weights: np.ndarray, count: int) -> list[dict[str, float]]:
    """Figures of results by scenario. Sums are along contiguous rows, so that they do not depend on the block that a row is in."""
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
        found["max_loading"] = np.fmax.reduce(values["loading"], axis=1)
    lists = {name: of.tolist() for name, of in found.items()}
    return [{name: of[k] for name, of in lists.items()} for k in range(count)]


def _body(error: WattbookError) -> dict[str, Any]:
    return {"code": error.code, "message": error.message, "element": error.element}


def _here() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"
