"""The history of a Study: its states with their parents, plans, and activity, also as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from ..edits.added import title
from ..edits.edits import Edits, ValueEdits
from ..network import ElementKey
from ..results.solution import Solution
from ..text import words
from ..text.words import visible

if TYPE_CHECKING:
    import pandas as pd

#: Largest number of characters of a name, and of a note, as in the page.
_LONGEST_NAME, _LONGEST_NOTE = 120, 2000
#: Largest number of states besides the base case, the current state, named states and referenced ones; and of activity
#: entries. As in the page.
_MOST_STATES, _MOST_EXPERIMENTS = 200, 500


@dataclass(frozen=True)
class SavedState:
    """A state of a Study: its result is a function of case, formulation, options and edits alone."""

    id: str
    parent: str | None
    formulation: str
    edits: Edits
    label: str
    at: str
    revision: int | None = None
    name: str | None = None
    note: str | None = None
    objective: float | None = None
    result_sha256: str | None = None
    solve_ms: float | None = None
    remote: bool = False
    #: Further fields of a state in a file: options and view.
    more: Mapping[str, Any] = field(default_factory=dict)

    def solved(self, solution: Solution) -> SavedState:
        """The state with its result."""
        return replace(self, objective=solution.objective, result_sha256=solution.sha256, solve_ms=solution.solve_ms)


class History:
    """The states of one Study, the base case first, and the current one. Restoring a state adds no state."""

    def __init__(self, formulation: str, solution: Solution) -> None:
        base = SavedState("s0", None, formulation, Edits(), "Base case", now(), revision=0)
        self.states: dict[str, SavedState] = {"s0": base.solved(solution)}
        self.current = "s0"
        self.goals: dict[str, dict[str, Any]] = {}
        self.experiments: dict[str, dict[str, Any]] = {}
        self.decisions: dict[str, dict[str, Any]] = {}
        #: Further parts of a file: title, pointers, display, artifacts.
        self.document: dict[str, Any] = {}
        self.artifacts: dict[str, dict[str, Any]] = {}
        #: By table: its entries, and the number of the last one added.
        self._last: dict[str, tuple[Mapping[str, Any], int]] = {}
        self.record("solve", "Base case", state="s0", **_solved(solution))

    def add(self, formulation: str, edits: Edits, revision: int, solution: Solution | None, sha256: str | None) -> None:
        """Makes a state that was just committed the current one; the page's states are solved later."""
        before = self.states[self.current]
        switched = before.formulation != formulation
        label = (
            f"Formulation: {formulation}" if switched else _label(before.edits, edits, words.rating_unit(formulation))
        )
        state = SavedState(
            self._next("s", self.states),
            self.current,
            formulation,
            edits,
            label,
            now(),
            revision=revision,
            result_sha256=sha256,
            remote=solution is None,
        )
        self.states[state.id] = state
        self.current = state.id
        self._forget()
        self.record("edit", label, f"revision {revision}", state=state.id, remote=solution is None)
        if solution is not None:
            self.solved(solution)

    def solved(self, solution: Solution) -> None:
        """Stores the result of the current state."""
        state = self.states[self.current]
        if state.objective is None or state.result_sha256 != solution.sha256:
            self.states[state.id] = state.solved(solution)
            self.record("solve", state.label, state=state.id, **_solved(solution))

    def returned(self, state: str) -> None:
        """Makes an existing state the current one."""
        self.current = state
        self.record("edit", f"Return to {self.states[state].name or self.states[state].label}", state=state)

    def name(self, state: str, name: str | None, note: str | None) -> None:
        """Sets the name and note of a state; None leaves them unchanged, an empty text removes them."""
        known = self.states[state]
        if name is not None:
            known = replace(known, name=visible(name).strip()[:_LONGEST_NAME].strip() or None)
        if note is not None:
            lines = "\n".join(visible(line) for line in note.splitlines())
            known = replace(known, note=lines.strip()[:_LONGEST_NOTE].strip() or None)
        self.states[state] = known

    def planned(
        self,
        formulation: str,
        start: str,
        spec: Mapping[str, Any],
        outcome: Mapping[str, Any],
        scope: Mapping[str, Any] | None = None,
    ) -> None:
        """Adds a plan from a state, with all its trials; `scope` is the part of the network whose prices it lowers, if
        known."""
        goal = self._next("g", self.goals)
        label = "Lower weighted LMP"
        self.goals[goal] = {
            "label": label,
            **({} if scope is None else {"scope": dict(scope)}),
            "formulation": formulation,
            "start_state": start,
            "spec": dict(spec),
            "outcome": dict(outcome),
        }
        for trial in outcome["trials"]:
            self.record(
                "planning_trial",
                _step(trial, words.rating_unit(formulation)),
                "accepted" if trial["accepted"] else (trial["reason"] or {}).get("message", "rejected"),
                goal=goal,
                trial=trial["exact_solve"],
            )
        self.document["active_goal"] = goal

    def record(self, kind: str, label: str, result: str = "", **more: Any) -> None:
        """Adds an entry to the activity."""
        entry = {"kind": kind, "label": label, "result": result, "at": now(), **more}
        self.experiments[self._next("e", self.experiments)] = {
            key: value for key, value in entry.items() if value is not None and value is not False
        }
        while len(self.experiments) > _MOST_EXPERIMENTS:
            del self.experiments[next(iter(self.experiments))]

    def _forget(self) -> None:
        """Removes the oldest states beyond the limit; their children get their parent."""
        if len(self.states) <= _MOST_STATES:
            return
        referenced = {self.current, self.document.get("inspected_state"), self.document.get("recommended_state")}
        for goal in self.goals.values():
            referenced |= {goal["start_state"], goal.get("candidate_state")}
        referenced |= {decision.get("state") for decision in self.decisions.values()}
        plain = [one for one in self if one.parent is not None and one.name is None and one.id not in referenced]
        for forgotten in plain[: max(0, len(plain) - _MOST_STATES)]:
            del self.states[forgotten.id]
            for one in list(self):
                if one.parent == forgotten.id:
                    self.states[one.id] = replace(one, parent=forgotten.parent)
            for entry in self.experiments.values():
                if entry.get("state") == forgotten.id:
                    del entry["state"]

    def __iter__(self) -> Iterator[SavedState]:
        return iter(self.states.values())

    def _next(self, table: str, entries: Mapping[str, Any]) -> str:
        """A new id. All entries are searched only once for each table, because a commit waits for its id."""
        known, last = self._last.get(table, (None, 0))
        if known is not entries:
            numbers = [int(key[1:]) for key in entries if key[:1] == table and key[1:].isdecimal()]
            last = max(numbers, default=-1 if table == "s" else 0)
        self._last[table] = (entries, last + 1)
        return f"{table}{last + 1}"


def now() -> str:
    """The present time in the format of documents."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _solved(solution: Solution) -> dict[str, Any]:
    result = "" if solution.objective is None else f"{words.price(solution.objective)} $/h"
    return {"result": result or "solved", "ms": solution.solve_ms}


def _label(before: Edits, after: Edits, rating_unit: str) -> str:
    """The edit between two states, in words."""
    if not after:
        return "Back to the base case" if before else "Solved again"
    changes = [
        *_changes("bus", "MW", before.demand, after.demand),
        *_changes("branch", rating_unit, before.ratings, after.ratings),
        *_changes("bus", "MVAr", before.reactive, after.reactive),
        *_value_changes("generator", before.generators, after.generators, rating_unit),
        *_value_changes("branch", before.branches, after.branches, rating_unit),
        *_value_changes("link", before.links, after.links, rating_unit),
        *_value_changes("storage", before.storage, after.storage, rating_unit),
        *_value_changes("interface", before.interfaces, after.interfaces, rating_unit),
        *(f"{title(element)} added" for element in after.added if element not in before.added),
        *(f"{title(element)} removed" for element in before.added if element not in after.added),
    ]
    return changes[0] if len(changes) == 1 else words.count(len(changes), "change") if changes else "Solved again"


def _changes(kind: str, unit: str, before: Mapping[ElementKey, float], after: Mapping[ElementKey, float]) -> list[str]:
    names = [key for key in {**before, **after} if before.get(key, 0.0) != after.get(key, 0.0)]
    moved = [(words.element({"kind": kind, "id": key}), words.mw(after.get(key, 0.0), sign=True)) for key in names]
    return [f"{element[0].upper()}{element[1:]} {amount} {unit}" for element, amount in moved]


def _value_changes(kind: str, before: ValueEdits, after: ValueEdits, rating_unit: str) -> list[str]:
    """`Generator 12 Pmax 300.0 MW`, `Line 12 out of service`, `Generator 12 cost as in the case`."""
    changes = []
    for key in {**before, **after}:
        was, now = before.get(key, {}), after.get(key, {})
        for name in {**was, **now}:
            if was.get(name) != now.get(name):
                element = words.element({"kind": kind, "id": key, "uid": key})
                value = _value(name, now.get(name), rating_unit)
                # The power that storage is held at is no schedule.
                value = value.replace("schedule", "held power", 1) if kind == "storage" and name == "p" else value
                changes.append(f"{element[0].upper()}{element[1:]} {value}")
    return changes


_TITLES = {
    "p": ("schedule", "MW"),
    "p_min": ("Pmin", "MW"),
    "p_max": ("Pmax", "MW"),
    "cost": ("cost", "$/MWh"),
    "c2": ("quadratic cost", "$/MW²h"),
    "loss": ("loss", "MW"),
    "loss_factor": ("loss factor", ""),
    "p_charge_max": ("charging limit", "MW"),
    "p_discharge_max": ("discharging limit", "MW"),
    "q": ("reactive power", "MVAr"),
    "charge_efficiency": ("efficiency of charging", ""),
    "discharge_efficiency": ("efficiency of discharging", ""),
    "energy": ("stored energy", "MWh"),
    "energy_min": ("least energy", "MWh"),
    "energy_max": ("largest energy", "MWh"),
    "energy_value": ("energy value", "$/MWh"),
    "min_mw": ("lower limit", "MW"),
    "max_mw": ("upper limit", "MW"),
    "x": ("reactance", "per unit"),
    "tap": ("tap ratio", ""),
    "shift": ("phase shift", "degrees"),
}


def _value(name: str, value: float | bool | None, rating_unit: str) -> str:
    if name == "status" and value is not None:
        return "in service" if value else "out of service"
    title, unit = ("rating", rating_unit) if name == "rating" else _TITLES.get(name, (name, ""))
    if value is None:
        return f"{title} as in the case"
    amount = (
        words.price(value)
        if name in ("cost", "energy_value")
        else words.mw(value)
        if unit in ("MW", "MVA")
        else f"{value:g}"
    )
    return f"{title} {amount} {unit}".rstrip()


def _step(trial: Mapping[str, Any], rating_unit: str) -> str:
    """The change of a trial of a plan, as text."""
    moves = [("branch", trial["line"])] if "line" in trial else [("bus", one) for one in trial["step"]]
    return ", ".join(
        f"{words.element({'kind': kind, 'id': one[kind]})} {words.mw(one['delta_mw'], sign=True)} {rating_unit if kind == 'branch' else 'MW'}"
        for kind, one in moves
    )


def states_table(states: Sequence[SavedState], current: str) -> pd.DataFrame:
    """One row for each state."""
    import pandas as pd

    def texts(name: str) -> pd.api.extensions.ExtensionArray:
        return pd.array([getattr(state, name) for state in states], dtype="string")

    objective = [np.nan if state.objective is None else state.objective for state in states]
    columns = {
        "parent": texts("parent"),
        "name": texts("name"),
        "note": texts("note"),
        "label": texts("label"),
        "formulation": texts("formulation"),
        "demand": np.array([len({*state.edits.demand, *state.edits.reactive}) for state in states], dtype=np.int64),
        "ratings": np.array([len(state.edits.ratings) for state in states], dtype=np.int64),
        "generators": np.array([len(state.edits.generators) for state in states], dtype=np.int64),
        "branches": np.array([len(state.edits.branches) for state in states], dtype=np.int64),
        "links": np.array([len(state.edits.links) for state in states], dtype=np.int64),
        "storage": np.array([len(state.edits.storage) for state in states], dtype=np.int64),
        "interfaces": np.array([len(state.edits.interfaces) for state in states], dtype=np.int64),
        "added": np.array([len(state.edits.added) for state in states], dtype=np.int64),
        "revision": pd.array([state.revision for state in states], dtype="Int64"),
        "at": pd.to_datetime([state.at for state in states], utc=True, format="ISO8601"),
        "objective": np.array(objective, dtype=np.float64),
        "result_sha256": texts("result_sha256"),
        "current": np.array([state.id == current for state in states], dtype=bool),
    }
    frame = pd.DataFrame(columns, index=pd.Index([state.id for state in states], name="state"))
    frame.attrs["units"] = {"objective": "$/h"}
    return frame


def activity_table(experiments: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """One row for each entry, the oldest first."""
    import pandas as pd

    rows = list(experiments.values())

    def texts(name: str) -> pd.api.extensions.ExtensionArray:
        return pd.array([row.get(name) for row in rows], dtype="string")

    kinds = [row["kind"].replace("_", " ") for row in rows]
    columns = {
        "kind": pd.array(kinds, dtype="string"),
        "label": texts("label"),
        "result": texts("result"),
        "failed": np.array([row.get("failed", False) for row in rows], dtype=bool),
        "at": pd.to_datetime([row["at"] for row in rows], utc=True, format="ISO8601"),
        "ms": np.array([row.get("ms", np.nan) for row in rows], dtype=np.float64),
        "state": texts("state"),
    }
    frame = pd.DataFrame(columns, index=pd.Index(list(experiments), name="experiment"))
    frame.attrs["units"] = {"ms": "ms"}
    return frame
