"""Verification: solves every state of a saved Study, or the saved power flow of a feeder, again and compares the
numbers with the file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..edits.edits import Edits
from ..errors import WattbookError
from ..files import files
from ..jobs import finished
from ..native import engine, engine_errors
from ..session.documents import options_of, read_bundle
from ..session.session import native_study
from ..tables.rows import Columns, parted
from ..text import words
from ..version import __version__

if TYPE_CHECKING:
    import pandas as pd

#: Columns that are inputs of a solve, edits included: a module stores them as decimal sums, whose rounding differs from
#: that of binary sums. They are compared to this relative accuracy, results bit for bit.
_INPUTS = ("demand_mw", "demand_mvar", "rating_mw", "rating_mva")
_INPUT_ACCURACY = 1e-12


@dataclass(frozen=True, repr=False)
class Verification:
    """Every state and plan of a Study file, solved again and compared bit for bit with the file.

    `reproduces` is True if every stored number is equal. `states` has index `state` and columns `label`, `formulation`,
    `reproduces`, `compared` (numbers compared besides the result hash) and `difference`, the difference and its reason,
    missing without one; `plans` has the same by goal. `producer` is the engine that wrote the file, or None.
    """

    title: str
    reproduces: bool
    states: pd.DataFrame
    plans: pd.DataFrame
    producer: Mapping[str, str] | None

    def __str__(self) -> str:
        plans = f" and {words.count(len(self.plans), 'plan')}" if len(self.plans) else ""
        all_of = f"{words.count(len(self.states), 'state')}{plans}"
        if self.reproduces:
            numbers = int(self.states["compared"].sum() + self.plans["compared"].sum())
            return f"{self.title}: {all_of} reproduced, {words.count(numbers, 'number')} and every result hash equal"
        bad = (~self.states["reproduces"]).sum() + (~self.plans["reproduces"]).sum()
        return f"{self.title}: of {all_of}, {bad} not reproduced"

    @property
    def differences(self) -> list[str]:
        """The differences, a sentence each."""
        rows = [*self.states["difference"].dropna().items(), *self.plans["difference"].dropna().items()]
        return [f"{name}: {message}" for name, message in rows]

    def __repr__(self) -> str:
        return "\n".join([f"<Verification of {self}>", *self.differences])


class _Compared(NamedTuple):
    """Number of compared values, and the difference; None without one."""

    numbers: int
    difference: str | None


def verify(source: str | os.PathLike[str] | bytes) -> Verification:
    """Solves every state and runs every plan of a Study file (`source`, a path or bytes) again, and compares all results bit for bit
    (demands and ratings of edited elements to a relative 1e-12). The power flow of a feeder is one state.

    Raises InputError `STUDY_FILE.*` for a damaged file, `INPUT.FORMAT` for a file of another kind. `wattbook verify
    FILE` does the same on the command line.
    """
    try:
        bundle = read_bundle(source)
    except WattbookError as error:
        found = verify_feeder(source) if error.code == "STUDY_FILE.SCHEMA" else None
        if found is None:
            raise
        return found
    document = bundle["document"]
    cases: dict[str, Any] = {}
    why = _why(document.get("producer"))

    def case_of(sha256: str) -> Any:
        if sha256 not in cases:
            with engine_errors() as native:
                cases[sha256] = native.Case(sha256, bundle["artifacts"][sha256]["text"])
        return cases[sha256]

    def compared(check: Any, *arguments: Any) -> _Compared:
        try:
            found: _Compared = check(bundle, case_of, *arguments)
        except WattbookError as error:
            return _Compared(0, f"{error.message} [{error.code}] {why}")
        if found.difference is None:
            return found
        return _Compared(found.numbers, f"{found.difference} {why}")

    order = sorted(document["states"].items(), key=lambda item: (item[1].get("revision", np.inf), item[0]))
    states = {id: compared(_state, state) for id, state in order}
    plans = {id: compared(_plan, goal) for id, goal in document.get("goals", {}).items() if "outcome" in goal}
    return Verification(
        title=document["title"],
        reproduces=all(one.difference is None for one in [*states.values(), *plans.values()]),
        states=_table("state", document["states"], states),
        plans=_table("goal", document.get("goals", {}), plans),
        producer=document.get("producer"),
    )


def _table(index: str, entries: Mapping[str, Any], found: Mapping[str, _Compared]) -> pd.DataFrame:
    import pandas as pd

    columns = {
        "label": pd.array([entries[id].get("name", entries[id]["label"]) for id in found], dtype="string"),
        "formulation": pd.array([entries[id]["formulation"] for id in found], dtype="string"),
        "reproduces": np.array([one.difference is None for one in found.values()], dtype=bool),
        "compared": np.array([one.numbers for one in found.values()], dtype=np.int64),
        "difference": pd.array([one.difference for one in found.values()], dtype="string"),
    }
    return pd.DataFrame(columns, index=pd.Index(list(found), name=index, dtype=object))


def _why(producer: Mapping[str, str] | None) -> str:
    """The likely reason for a difference."""
    if producer is None:
        return "The file does not say which engine solved it."
    if producer["version"] != __version__ or producer["contract_sha256"] != engine().CONTRACT_SOURCE_SHA256:
        return f"Another engine solved it: Wattbook {producer['version']}, build {producer['contract_sha256'][:12]}."
    return (
        "The same engine solved it: the file was changed, or this platform computes otherwise. Please report the file."
    )


def _study(bundle: Mapping[str, Any], case_of: Any, state: Mapping[str, Any]) -> tuple[Any, dict[str, Any], Columns]:
    """The engine's Study at a state, its result in words and its numbers."""
    study = native_study(case_of(state["input"]), state["formulation"], options_of(bundle["document"], state))
    with engine_errors():
        head, columns = parted(study.commit(bundle["document"]["case"]["id"], Edits.from_body(state).json()))
    return study, head["solution"], columns


def _state(bundle: Mapping[str, Any], case_of: Any, state: Mapping[str, Any]) -> _Compared:
    _, head, columns = _study(bundle, case_of, state)
    differences, numbers = [], 0
    if state.get("objective", head.get("objective")) != head.get("objective"):
        differences.append(f"The objective is {head.get('objective')} $/h, in the file {state['objective']} $/h.")
    if "solution" in state:
        with engine_errors() as native:
            stored, saved = parted(native.read_solution_module(bundle["artifacts"][state["solution"]]["text"]))
        rows = {"bus": saved["bus_id"], "branch": saved["branch_id"], "generator": saved["generator_id"]}
        saved = saved.without([*(f"{element}_id" for element in rows), "generator_bus"])
        numbers = sum(len(column.values) for column in saved.values())
        differences += _columns(saved, columns, {element: column.values for element, column in rows.items()})
        if not differences and stored["solution"]["certificate"] != head["certificate"]:
            differences.append("The residuals of the certificate differ.")
    if not differences and state.get("result_sha256", head["result_sha256"]) != head["result_sha256"]:
        differences.append(
            f"The result hash is {head['result_sha256'][:12]}, in the file {state['result_sha256'][:12]}."
        )
    return _Compared(numbers, " ".join(differences) or None)


def _columns(stored: Columns, here: Columns, ids: Mapping[str, np.ndarray]) -> list[str]:
    """The column with the largest relative difference, in words; `ids` name the rows of each kind of element."""
    if set(stored) != set(here):
        return [f"The file has other quantities: {', '.join(sorted(set(stored) ^ set(here)))}."]
    worst: tuple[float, str] | None = None
    for name, column in stored.items():
        mine = here[name].values
        if len(mine) != len(column.values):
            return [f"The file has {len(column.values)} rows of {name}, this engine {len(mine)}."]
        # Bit for bit: zero is always positive here, and rows that are not energised are NaN.
        differs = (mine != column.values) & ~(np.isnan(mine) & np.isnan(column.values))
        if name in _INPUTS:
            differs &= ~np.isclose(mine, column.values, rtol=_INPUT_ACCURACY, atol=_INPUT_ACCURACY)
        if not differs.any():
            continue
        size = np.abs(mine - column.values) / np.maximum(np.abs(column.values), 1e-12)
        row = int(np.nanargmax(np.where(differs, size, -1.0)))
        both = f"{float(mine[row])!r} {column.unit} here, {float(column.values[row])!r} in the file"
        where = words.element({"kind": column.element, "id": int(ids[column.element][row])})
        text = f"{words.count(int(differs.sum()), 'number')} of {name} differ, most at {where}: {both}."
        if worst is None or size[row] > worst[0]:
            worst = (float(size[row]), text)
    return [] if worst is None else [worst[1]]


def _plan(bundle: Mapping[str, Any], case_of: Any, goal: Mapping[str, Any]) -> _Compared:
    """Runs a plan again; a cancelled one must have the same trials up to where it was stopped."""
    start = {**bundle["document"]["states"][goal["start_state"]]}
    study, _, _ = _study(bundle, case_of, start)
    with engine_errors() as native:
        job = native.Job.plan(study, json.dumps(goal["spec"]))
    again = json.loads(finished(job, lambda step: None)[0])
    stored = goal["outcome"]
    trials = again["trials"][: len(stored["trials"])] if stored["ended"] == "cancelled" else again["trials"]
    numbers = sum(1 for _ in _numbers(stored))
    for mine, theirs in zip(trials, stored["trials"], strict=False):
        if mine != theirs:
            name = next(key for key in {**mine, **theirs} if mine.get(key) != theirs.get(key))
            what = f"{mine.get(name)} here, {theirs.get(name)} in the file"
            return _Compared(numbers, f"Trial {theirs['exact_solve']} differs in {name}: {what}.")
    if len(trials) != len(stored["trials"]):
        return _Compared(numbers, f"The plan has {len(trials)} trials here, {len(stored['trials'])} in the file.")
    if stored["ended"] != "cancelled" and again != stored:
        return _Compared(numbers, "The outcome of the plan differs.")
    return _Compared(numbers, None)


def _numbers(value: Any) -> Any:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from _numbers(one)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value


def verify_feeder(source: str | os.PathLike[str] | bytes) -> Verification | None:
    """The comparison of `wb.verify`; None for a file that is not a feeder's.

    Raises InputError `STUDY_FILE.*`.
    """
    import pandas as pd

    _, data = files.content(source)
    try:
        with engine_errors() as native:
            document = json.loads(native.read_mc_study_bundle(data))
    except WattbookError as error:
        if error.code == "STUDY_FILE.SCHEMA":
            return None
        raise
    numbers, difference = 0, None
    try:
        numbers, difference = _compared(document)
    except WattbookError as error:
        difference = f"{error.message} [{error.code}]"
    name = document["input"]["name"]
    columns = {
        "label": pd.array([name], dtype="string"),
        "formulation": pd.array(["multiconductor"], dtype="string"),
        "reproduces": np.array([difference is None], dtype=bool),
        "compared": np.array([numbers], dtype=np.int64),
        "difference": pd.array([difference], dtype="string"),
    }
    states = pd.DataFrame(columns, index=pd.Index(["result"], name="state", dtype=object))
    plans = states.iloc[:0].rename_axis("goal")
    return Verification(title=name, reproduces=difference is None, states=states, plans=plans, producer=None)


def _compared(document: dict[str, Any]) -> tuple[int, str | None]:
    """Number of compared values, and the difference."""
    given = document["input"]
    with engine_errors() as native:
        native.replay_mc_study(json.dumps(document))  # its numbers follow from the stored solution
        again = native.Feeder(given["module_json"], json.dumps(document["options"]), json.dumps(given["loads"]))
        (_, naming), (head, result) = parted(again.rows()), parted(again.result())
    stored = document["result"]
    here: dict[str, Columns] = {"rows": naming, "result": result}
    numbers, worst = 0, None
    for column in stored["columns"]:
        name = column["name"]
        values = np.array([np.nan if x is None else x for x in column["values"]], dtype=float)
        mine = next((columns[name].values for columns in here.values() if name in columns), np.empty(0))
        numbers += len(values)
        if len(mine) != len(values):
            return numbers, f"The file has {len(values)} rows of {name}, this engine {len(mine)}."
        differs = (mine != values) & ~(np.isnan(mine) & np.isnan(values))
        if differs.any() and worst is None:
            most = int(np.nanargmax(np.where(differs, np.abs(mine - values), -1.0)))
            both = f"{float(mine[most])!r} {column['unit']} here, {float(values[most])!r} in the file"
            worst = f"{words.count(int(differs.sum()), 'number')} of {name} differ, most in row {most}: {both}."
    if worst is None and head["result_sha256"] != stored["head"]["result_sha256"]:
        worst = (
            f"The result hash is {head['result_sha256'][:12]}, in the file {stored['head']['result_sha256'][:12]}: "
            "another engine solved it, or the file was changed."
        )
    return numbers, worst
