"""Studies: a case with its edits, solved after each commit."""

from __future__ import annotations

import json
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..edits.edits import Changes, EditMode, ElementKey, ReactiveChanges
from ..edits.state import EditState
from ..errors import SolveError, WattbookError, WattbookWarning
from ..jobs import Progress
from ..map.page_state import StudyState, disagreement
from ..native import check_formulation, solve_options
from ..results.solution import Solution
from ..results.track import Track
from ..tables.columns import parted
from .copies import rebuilt
from .solving import committed, opened
from .study_analyses import StudyAnalyses
from .study_files import StudyFiles

if TYPE_CHECKING:
    from ..case.case import Case
    from ..map.case_map import CaseMap


class Study(StudyAnalyses, StudyFiles):
    """A case, a formulation and absolute edits from the base case; made by `case.study()`.

    One lock orders commits from cells, threads and the page; each advances `revision` by one, and a failed commit changes
    nothing. Page and kernel solve independently and compare result hashes; after a commit in the page, the kernel solves when
    `solution` is read. A copy (`copy.deepcopy`, a process pool) is an independent Study with the same case, edits and result.
    """

    def __init__(
        self, case: Case, formulation: str, options: Mapping[str, Any] | None = None, *, progress: Progress = None
    ) -> None:
        check_formulation(formulation)
        self.case = case
        self.formulation = formulation
        self.options: Mapping[str, Any] = MappingProxyType(solve_options(options))
        self._lock = threading.RLock()
        self._maps: weakref.WeakSet[CaseMap] = weakref.WeakSet()
        self._edits = EditState()
        self._revision = 0
        self._page_sha256: str | None = None
        #: The track whose path the engine holds.
        self._track: weakref.ref[Track] | None = None
        #: The edits of the commit that failed last, until one succeeds.
        self._failed: EditState | None = None
        started = time.perf_counter()
        self._engine: Any = opened(case._opened, formulation, json.dumps(dict(self.options)), progress)
        elapsed_ms = 1000 * (time.perf_counter() - started)
        head, columns = parted(self._engine.current_solution())
        self._solution: Solution | None = Solution(case, head, columns, solve_ms=elapsed_ms)

    @property
    def revision(self) -> int:
        """Number of commits and resets so far."""
        return self._revision

    @property
    def demand(self) -> Mapping[ElementKey, float]:
        """Demand changes from the base case in MW by bus id; unchanged buses are absent."""
        with self._lock:
            return MappingProxyType(dict(self._edits.demand))

    @property
    def ratings(self) -> Mapping[ElementKey, float]:
        """Rating changes from the base case in MW by branch id; unchanged branches are absent."""
        with self._lock:
            return MappingProxyType(dict(self._edits.ratings))

    @property
    def reactive(self) -> Mapping[ElementKey, float]:
        """Reactive demand changes from the base case in MVAr by bus id, of buses whose reactive demand has a change of its own; that
        of all others follows the power factor."""
        with self._lock:
            return MappingProxyType(dict(self._edits.reactive))

    @property
    def solution(self) -> Solution:
        """The optimum of the current state, solved natively.

        After a commit in the page the first read solves here and compares result hashes; a difference is a WattbookWarning.
        Raises SolveError if the kernel finds no solution for the edits of the page.
        """
        with self._lock:
            return self._solve_current()

    def commit(
        self,
        demand: Changes | None = None,
        ratings: Changes | None = None,
        *,
        reactive: ReactiveChanges | None = None,
        mode: EditMode = "set",
        progress: Progress = None,
    ) -> Solution:
        """Solves with the edits and keeps them; returns the new solution.

        `demand` and `ratings` map bus and branch (number, digits or uid) to changes from the base case in MW;
        `mode="set"` replaces the named keys only, `mode="increment"` adds to them. With acpf and socwr, reactive demand follows by the
        power factor of the base case unless `reactive` gives its change in MVAr by bus, 0 to leave it as it is; None returns to the
        power factor. DC formulations refuse it (`DELTA.REACTIVE`).
        Raises EditError for an invalid edit and SolveError if the edited problem has no solution; then nothing changes, and the
        message names the conflicting limits and the minimum violation. `explain()` finds the minimum relaxation.

        A solve by iterations (socwr) can be interrupted, and then nothing changes. `progress(fraction)` is called after each step; by
        default a tqdm bar appears after a second if tqdm is installed, with `progress=False` nothing.
        """
        with self._lock:
            edits = self._edited(demand, ratings, reactive, mode)
            try:
                solution = self._solve(edits, progress)
            except SolveError:
                self._failed = edits
                raise
            self._keep(edits, solution, None)
            self._publish()
            return solution

    def reset(self) -> Solution:
        """Discards all edits and returns the base solution, as a new revision."""
        with self._lock:
            solution = self._solve(EditState())
            self._keep(EditState(), solution, None)
            self._publish()
            return solution

    def map(self, **view: Any) -> CaseMap:
        """A live map of this Study; all maps of one Study are synchronised.

        `view`: `height` in px (420), `quantity` of the buses ("lmp", "lmp_change", "sensitivity", "angle", "demand",
        "generation"; for acpf "voltage", "voltage_excess", "reactive_demand", "reactive_generation"; for
        socwr also "lmp_q", "lmp_losses", "lmp_congestion", "lmp_voltage"), `lines`, the quantity of the lines ("loading", "flow",
        "shadow", "rating_change"; for acpf and socwr "reactive_flow", "losses"; for socwr "cone_gap"), `preview_mode` ("first_order" or
        "exact"), and `bus` or `branch` to select ("sensitivity" needs one). An unknown keyword is a
        TypeError.
        """
        from ..map.case_map import CaseMap

        with self._lock:
            self._require_engine()
            return CaseMap(self, **view)

    def free(self) -> None:
        """Frees the memory of the engine and closes the maps. Any later use raises `STUDY.FREED`."""
        with self._lock:
            for view in list(self._maps):
                view.close()
            self._engine = None
            self._solution = None

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy has the same case, edits and revision, and is solved where it is made."""
        with self._lock:
            self._require_engine()
            state = self._edits, self._revision
        return rebuilt, (type(self), self.case, self.formulation, dict(self.options), *state)

    # What the maps use; see map/case_map.py.

    def _state(self) -> StudyState:
        with self._lock:
            known = self._solution.sha256 if self._solution is not None else self._page_sha256
            return StudyState(self._revision, self._edits.body(), known or "")

    def _commit_from_page(
        self,
        base_revision: int,
        edits: Mapping[str, Any],
        result_sha256: str,
        answer: Callable[[bool], None],
    ) -> None:
        """Accepts edits that the page has solved; the native solve waits until `solution` is read.

        `answer` is called inside the lock: with True if the edits were accepted, before the maps are updated, or with False if they
        started from another revision.
        """
        with self._lock:
            self._require_engine()
            if base_revision != self._revision:
                answer(False)
                return
            given = (edits.get(name) or {} for name in ("deltas", "rates", "reactive"))
            self._keep(EditState().edited(self.case, *given, mode="set"), None, result_sha256)
            answer(True)
            self._publish()

    # The rest is used with the lock held.

    def _edited(
        self, demand: Changes | None, ratings: Changes | None, reactive: ReactiveChanges | None, mode: EditMode
    ) -> EditState:
        self._require_engine()
        return self._edits.edited(self.case, demand, ratings, reactive, mode)

    def _require_engine(self) -> None:
        if self._engine is None:
            raise WattbookError("STUDY.FREED", "This Study was freed: create a new one with case.study().")

    def _solve(self, edits: EditState, progress: Progress = None) -> Solution:
        self._require_engine()
        started = time.perf_counter()
        answer = committed(self._engine, self.case.id, edits, progress)
        elapsed_ms = 1000 * (time.perf_counter() - started)
        self._track = None
        self._failed = None
        head, columns = parted(answer)
        return Solution(self.case, head["solution"], columns, iterations=head["iterations"], solve_ms=elapsed_ms)

    def _solve_current(self) -> Solution:
        self._require_engine()
        if self._solution is None:
            self._solution = self._solve(self._edits)
            if self._page_sha256 and self._page_sha256 != self._solution.sha256:
                told = disagreement(self._revision, self.case.id, self._page_sha256, self._solution.sha256)
                warnings.warn(told, WattbookWarning, stacklevel=3)
            self._publish()
        return self._solution

    def _keep(self, edits: EditState, solution: Solution | None, page_sha256: str | None) -> None:
        self._edits = edits
        self._solution, self._page_sha256 = solution, page_sha256
        self._track = None
        self._revision += 1

    def _publish(self) -> None:
        for view in list(self._maps):
            view._show(self._state())

    def __repr__(self) -> str:
        from ..html.parts import with_warnings
        from ..html.solutions import study_line

        with self._lock:
            return with_warnings(f"<Study {self.case.id}: {study_line(self)}>", self.case)

    def _repr_html_(self) -> str:
        from ..html.solutions import study_html

        return study_html(self)
