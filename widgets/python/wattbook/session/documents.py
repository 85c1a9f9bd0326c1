"""Study files: writing the bundle of a Study, and opening a Study from a bundle. The engine checks and writes them."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..edits.edits import Edits
from ..errors import InputError, WattbookError
from ..files import files, kinds
from ..native import engine_errors
from ..threads import apart, stop_if_cancelled
from ..version import __version__
from .history import History, SavedState
from .session import native_study

if TYPE_CHECKING:
    from .session import Session

SUFFIX, PACKED_SUFFIX = ".study.json", ".study.json.gz"
#: Attributes of a state that become fields of the document unless they are None.
_FACTS = ("name", "note", "parent", "revision", "result_sha256", "objective", "solve_ms")
#: The number of latest results in a file, in addition to those of the base case, of pointers and of named states. Other
#: results are recomputed on demand.
_LATEST = 8
#: Largest size of the solutions in one file, bytes.
_MOST_BYTES = 64 << 20
#: Length of a piece of text that is escaped in one step, characters.
_PIECE = 1 << 22
#: Largest module of a Study that a notebook output includes, characters.
_MOST_SHOWN = 1 << 20


def read_bundle(source: str | os.PathLike[str] | bytes) -> dict[str, Any]:
    """The contract's `StudyBundle` in a file, checked. Raises InputError `STUDY_FILE.*`, `INPUT.FORMAT` for a file of
    another kind."""
    path, data = files.content(source)
    try:
        with engine_errors() as native:
            bundle: dict[str, Any] = json.loads(apart(native.read_study_bundle, data))
    except InputError as error:
        if error.code == "STUDY_FILE.UNREADABLE":
            kinds.refuse_other(data, path)
        raise
    return bundle


def options_of(document: Mapping[str, Any], state: Mapping[str, Any]) -> dict[str, Any]:
    """The solve options of a state."""
    own: dict[str, Any] = state.get("options", document.get("options", {}))
    return own


def history_of(bundle: Mapping[str, Any], own: History) -> History:
    document = bundle["document"]
    own.states = {id: _state(id, state) for id, state in sorted(document["states"].items(), key=_place)}
    own.current = document["applied_state"]
    order = document.get("experiment_order", [])
    own.experiments = {id: document["experiments"][id] for id in order}
    own.goals = dict(document.get("goals", {}))
    own.decisions = dict(document.get("decisions", {}))
    stored = ("id", "title", "inspected_state", "recommended_state", "active_goal", "base_input", "display")
    own.document = {name: document[name] for name in stored if name in document}
    layers = [*document.get("display", {}).get("layers", ()), document.get("display", {}).get("drawing")]
    named = [layer["artifact"] for layer in layers if layer is not None]
    own.artifacts = {name: bundle["artifacts"][name] for name in named}
    own.artifacts |= {name: one for name, one in bundle["artifacts"].items() if one["kind"] == "evidence"}
    inputs = {state["input"] for state in document["states"].values()}
    own.artifacts |= {name: bundle["artifacts"][name] for name in inputs}
    return own


def _place(entry: tuple[str, Mapping[str, Any]]) -> tuple[int, str]:
    """Sort key of states: their numbers."""
    digits = entry[0][1:]
    return (int(digits) if digits.isdecimal() else 0, entry[0])


def _state(id: str, state: Mapping[str, Any]) -> SavedState:
    facts = {name: state[name] for name in _FACTS if name in state and name != "parent"}
    more = {name: state[name] for name in ("options", "view", "input") if name in state}
    return SavedState(
        id=id,
        parent=state.get("parent"),
        formulation=state["formulation"],
        edits=Edits.from_body(state),
        label=state["label"],
        at=state["at"],
        remote=state.get("remote", False),
        more=more,
        **facts,
    )


def save(session: Session, path: str | os.PathLike[str], title: str | None) -> Path:
    """Writes the file of a Study and returns its path; see `wb.Study.save`."""
    chosen = files.target(path, session.network.id, PACKED_SUFFIX)
    if not chosen.name.endswith((SUFFIX, PACKED_SUFFIX)):
        raise InputError(
            "EXPORT.FORMAT", f"{chosen.name}: the name of a Study file ends in {SUFFIX} or {PACKED_SUFFIX}."
        )
    with session.lock:
        bundle = _bundle(session, title)
    with engine_errors() as native:
        data = apart(native.write_study_bundle, _json_of(bundle), chosen.name.endswith(".gz"))
    return files.write(chosen, data, sync=True)


def shown_bundle(session: Session) -> dict[str, Any] | None:
    """The bundle of a Study for an output, without the numbers of its results; None if the case is too large for a
    notebook."""
    if len(session.network.module_json) > _MOST_SHOWN:
        return None
    with session.lock:
        bundle = _bundle(session, None, solutions={})
    with engine_errors() as native:
        shown: dict[str, Any] = json.loads(native.write_study_bundle(_json_of(bundle), False))
    return shown


def packed_bundle(session: Session) -> bytes:
    """The gzipped Study file of a Study without the numbers of its results; opening it solves again."""
    with session.lock:
        bundle = _bundle(session, None, solutions={})
    with engine_errors() as native:
        data: bytes = apart(native.write_study_bundle, _json_of(bundle), True)
    return data


def _json_of(bundle: Mapping[str, Any]) -> str:
    """A bundle as JSON. Long texts are escaped in pieces, between which interrupts are noticed."""
    parts = ['{"document": ', json.dumps(bundle["document"], allow_nan=False), ', "artifacts": {']
    for k, (id, artifact) in enumerate(bundle["artifacts"].items()):
        text = artifact["text"]
        comma = ", " if k else ""
        parts.append(f'{comma}{json.dumps(id)}: {{"kind": {json.dumps(artifact["kind"])}, "text": "')
        for begin in range(0, len(text), _PIECE):
            stop_if_cancelled()
            parts.append(json.dumps(text[begin : begin + _PIECE])[1:-1])
        parts.append('"}')
    return "".join([*parts, "}}"])


def _bundle(session: Session, title: str | None, solutions: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The document of a session and its artifacts. `solutions` are solution modules by state; without them the stored
    results are recomputed."""
    from ..native import engine

    session.solution()
    history, network = session.history, session.network
    solutions = _solutions(session) if solutions is None else solutions
    states = {}
    for state in history:
        body: dict[str, Any] = {
            "label": state.label,
            "formulation": state.formulation,
            "at": state.at,
            **state.edits.body(),
        }
        body |= {name: getattr(state, name) for name in _FACTS if getattr(state, name) is not None}
        body |= {"input": network.sha256, **state.more}
        if state.remote:
            body["remote"] = True
        if state.id in solutions:
            body["solution"] = state.id
        states[state.id] = body
    artifacts = {**history.artifacts, network.sha256: {"kind": "module", "text": network.module_json}}
    artifacts |= {id: {"kind": "solution", "text": text} for id, text in solutions.items()}
    has_base = session.has_base()
    document = {
        "schema": "wattbook-study",
        "version": 2,
        "id": str(uuid.uuid4()),
        "title": network.name,
        "inspected_state": history.current,
        **history.document,
        **({} if title is None else {"title": title}),
        **({"base_input": network.sha256} if has_base else {}),
        "revision": session.revision,
        "case": {"id": network.id, "sha256": network.sha256, "name": network.name},
        "formulation": session.formulation,
        "options": dict(session.options),
        "producer": {"version": __version__, "contract_sha256": engine().CONTRACT_SOURCE_SHA256},
        "states": states,
        "goals": history.goals,
        "experiments": history.experiments,
        "experiment_order": list(history.experiments),
        "decisions": history.decisions,
        "applied_state": history.current,
    }
    history.document.setdefault("id", document["id"])
    history.document["title"] = document["title"]
    if has_base:
        history.document.setdefault("base_input", network.sha256)
    return {"document": document, "artifacts": artifacts}


def _solutions(session: Session) -> dict[str, str]:
    """Solution modules by state: of the current state, and recomputed ones of the other states whose results a file
    stores."""
    history = session.history
    pointers = {history.document.get(name) for name in ("inspected_state", "recommended_state")}
    pointers |= {goal.get("candidate_state") for goal in history.goals.values()}
    others = [state for state in reversed(list(history)) if state.id != history.current]
    first: list[SavedState] = []
    rest: list[SavedState] = []
    for state in others:
        (first if state.parent is None or state.name or state.id in pointers else rest).append(state)
    del rest[_LATEST:]
    again: dict[tuple[str, str], Any] = {}
    with engine_errors():
        texts = {history.current: apart(session.native().save_solution_module, session.network.module_json)}
    size = len(texts[history.current])
    for state in first + rest:
        if size > _MOST_BYTES or state.more.get("input", session.network.sha256) != session.network.sha256:
            continue
        stop_if_cancelled()
        text = _solution(session, state, again)
        if text is not None:
            texts[state.id] = text
            size += len(text)
    return texts


def _solution(session: Session, state: SavedState, again: dict[tuple[str, str], Any]) -> str | None:
    """The solution module of a state; None if its result differs, which `wb.verify` reports. `again` caches the native
    Studies in which states are solved, by formulation and options."""
    try:
        options = state.more.get("options", dict(session.options))
        kind = (state.formulation, json.dumps(options, sort_keys=True))
        if kind not in again:
            again[kind] = native_study(session.network._opened, state.formulation, options)
        with engine_errors():
            head, _ = again[kind].commit(session.network.id, state.edits.json())
            if json.loads(head)["solution"]["result_sha256"] != state.result_sha256:
                return None
            text: str = apart(again[kind].save_solution_module, session.network.module_json)
            return text
    except WattbookError:
        return None
