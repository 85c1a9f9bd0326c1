"""The states of a Study: what they are called, returns to them, and the file that keeps them."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

from ..arguments import told
from ..edits.state import Edits
from ..errors import ArgumentError, EditError, InputError
from ..jobs import Progress
from . import documents
from .copies import StudyStart
from .history import History, SavedState

if TYPE_CHECKING:
    import pandas as pd

    from ..case.case import Case
    from ..results.plan import Plan
    from ..results.solution import Solution
    from .study import Study


class StudyHistory:
    """The part of `Study` that keeps its states."""

    case: Case
    options: Any
    _formulation: str
    _engine: Any
    _lock: AbstractContextManager[Any]
    _edits: Edits
    _history: History
    _revision: int

    if TYPE_CHECKING:

        def _require_engine(self) -> None: ...
        def _opened(self, formulation: str, progress: Progress = None) -> Any: ...
        def _solve(self, engine: Any, edits: Edits, progress: Progress = None) -> Solution: ...
        def _keep(
            self, edits: Edits, solution: Solution | None, page_sha256: str | None, state: str | None = None
        ) -> None: ...
        def _publish(self) -> None: ...

    @property
    def states(self) -> pd.DataFrame:
        """The saved states, the base case first: index `state`; columns `parent`, `name`, `note`, `label` (what was done),
        `formulation`, `demand` and `ratings` (number of changed buses and branches), `revision`, `at` (UTC), `objective` ($/h),
        `result_sha256`, `current`."""
        from ..tables.histories import states_table

        with self._lock:
            return states_table(list(self._history), self._history.current)

    @property
    def history(self) -> pd.DataFrame:
        """What happened: index `experiment`; columns `kind` (observation, edit, solve, planning trial, decision), `label`, `result`,
        `failed`, `at` (UTC), `ms` (wall time), `state`."""
        from ..tables.histories import activity_table

        with self._lock:
            return activity_table(self._history.experiments)

    @property
    def plans(self) -> dict[str, Plan]:
        """The plans of this Study by their goal, those of its file too; `.to_study()` applies a proposal elsewhere."""
        from ..results.plan import plan_of

        with self._lock:
            return {
                id: plan_of(goal["outcome"], goal["spec"], goal["formulation"], self._start_of(goal["start_state"]))
                for id, goal in self._history.goals.items()
                if "outcome" in goal
            }

    def name_state(self, name: str | None = None, note: str | None = None, *, state: str | None = None) -> None:
        """Gives a `state`, by default the current one, a `name` of one line and a `note`; an empty text takes a name or note away.

        Raises ArgumentError for a name or note that is no text, EditError `STATE.UNKNOWN`.
        """
        for argument, value in (("name", name), ("note", note)):
            if value is not None and not isinstance(value, str):
                raise ArgumentError("ARGUMENT.CHOICE", f"{argument} must be text, not {told(value)}.")
        with self._lock:
            self._history.name(self._known(state or self._history.current).id, name, note)

    def restore(self, state: str, *, progress: Progress = None) -> Solution:
        """Returns to a saved state, by its id or name, as a new revision; it adds no state. Returns its solution.

        Its formulation returns with it. `progress` as for `commit`. Raises EditError `STATE.UNKNOWN`, and `STATE.FORMULATION` for a
        state of another case or of other options, which `branch` opens.
        """
        with self._lock:
            self._require_engine()
            known = self._known(state)
            options = dict(self.options)
            if known.more.get("options", options) != options or not self._is_of_case(known):
                raise EditError(
                    "STATE.FORMULATION",
                    f"State {known.id} was solved with {known.formulation} from another Study: study.branch({known.id!r}) opens it.",
                )
            engine = self._opened(known.formulation, progress)
            solution = self._solve(engine, known.edits, progress)
            self._formulation, self._engine = known.formulation, engine
            self._keep(known.edits, solution, None, known.id)
            self._publish()
            return solution

    def branch(self, state: str, *, progress: Progress = None) -> Self:
        """A Study of its own that begins in a saved state of any formulation, given by its id or name; this one stays as it is.

        `state` as for `restore`, `progress` as for `commit`. Raises EditError `STATE.UNKNOWN`.
        """
        with self._lock:
            start = self._start_of(state)
        return cast("Self", start(progress))

    def save(self, path: str | os.PathLike[str], *, title: str | None = None) -> Path:
        """Writes the Study with its states, results, plans and activity, and returns the path; `wb.open_study` and JupyterLab open it.

        `title` is what the Study is called, by default the case. The name in `path` ends in `.study.json.gz`, or in `.study.json` for a file without compression, some eight times as large; in a folder the file is called `<id>.study.json.gz`.
        The file is written completely or not at all: an error leaves the file before it and the Study as they were. The results of
        the base case, of the current, recommended, inspected and named states and of the 8 latest are stored; the others are solved
        again when they are needed. Raises InputError `OUTPUT.UNWRITABLE` (full disk, no permission), and `EXPORT.FORMAT` for
        another name.
        """
        return documents.save(self, path, title)  # type: ignore[arg-type, no-any-return]

    def _packed_file(self) -> bytes:
        """The Study file that a page which is one file holds."""
        return documents.packed_bundle(self)  # type: ignore[arg-type]

    # The rest is used with the lock held.

    def _start_of(self, state: str) -> StudyStart:
        """Where a Study of its own begins that starts in a saved state."""
        known = self._known(state)
        case = self.case
        if not self._is_of_case(known):
            told = documents.inspected({"artifacts": self._history.artifacts}, known.more["input"])
            case = type(case)(case.id, told, name=case.name)
        options = known.more.get("options", dict(self.options))
        return StudyStart(cast("type[Study]", type(self)), case, known.formulation, options, known.edits)

    def _take(self, history: History, revision: int) -> None:
        """Begins with the states of a file."""
        with self._lock:
            self._history = history
            self._revision = revision

    def _has_base(self) -> bool:
        """Whether there is a base case to go back to: files of other programs may come without one."""
        return "id" not in self._history.document or "base_input" in self._history.document

    def _require_base(self) -> None:
        if not self._has_base():
            raise InputError("STUDY.NO_BASE", "This Study was saved without its base case: reset is unavailable.")

    def _is_of_case(self, state: SavedState) -> bool:
        return bool(state.more.get("input", self.case.sha256) == self.case.sha256)

    def _known(self, state: str) -> SavedState:
        found = self._history.states.get(state) if isinstance(state, str) else None
        named = [one for one in self._history if one.name == state]
        if found is None and len(named) == 1:
            return named[0]
        if found is None:
            what = "names several states: give an id" if named else "is not a state of this Study"
            raise EditError("STATE.UNKNOWN", f"{told(state)} {what}; study.states lists them.")
        return found
