"""The state of a Study: edits, revision, solution and history of one network, ordered by one lock."""

from __future__ import annotations

import json
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np

from ..edits import added as adding
from ..edits.edits import Edits, edited
from ..edits.security_lists import listed_options
from ..errors import EditError, InputError, SolveError, WattbookError, WattbookWarning
from ..jobs import Progress, Step, finished, reporter
from ..native import check_formulation, engine_errors, options_for, solve_options
from ..network import Network
from ..results.sensitivity import Sensitivity
from ..results.solution import Solution, solution_html, solution_line
from ..tables.rows import parted
from ..text import words
from ..text.html import paragraph, shown, table
from .history import History, SavedState

#: Number of edits in the table of a Study.
_TOP_EDITS = 10
_DROPPED = (
    "This track is no longer active: a commit or another track of the Study discarded it. Call `study.track(...)` again, "
    "or track on a second Study of the case (`study.case.study()`)."
)


@dataclass(frozen=True)
class StudyState:
    """The state that kernel and page share: revision, formulation, absolute edits with the keys of the contract, and result hash (empty
    if unknown)."""

    revision: int
    formulation: str
    edits: dict[str, dict[str, Any]]
    result_sha256: str


class View(Protocol):
    """A view of the state, such as a map."""

    def _show(self, state: StudyState) -> None:
        """Shows a state; called with the lock held, after each change."""

    def close(self) -> None:
        """Closes the view."""


@dataclass(frozen=True)
class Start:
    """The start of a Study. It can be pickled, and each call creates a separate session in that state."""

    network: Network
    formulation: str
    options: Mapping[str, Any]
    edits: Edits

    def __call__(self, progress: Progress = None) -> Session:
        session = Session(self.network, self.formulation, self.options, progress=progress, saved=True)
        if self.edits:
            session.commit(self.edits, progress)
        return session


class Session:
    """The state of one Study.

    One lock orders commits from cells, threads and the page; each advances `revision` by one, and a failed commit
    changes nothing. Page and kernel solve independently and compare result hashes; after a commit in the page, the
    kernel solves when the solution is read. Attributes must be read, and methods called, with the lock held, unless a
    method states that it takes the lock.
    """

    def __init__(
        self,
        network: Network,
        formulation: str,
        options: Mapping[str, Any] | None = None,
        *,
        progress: Progress = None,
        saved: bool = False,
    ) -> None:
        """With `saved`, the options are those of a saved Study, and some may belong to other formulations."""
        check_formulation(formulation)
        self.network = network
        self.formulation = formulation
        self.options: Mapping[str, Any] = MappingProxyType(
            solve_options(options) if saved else listed_options(network, options)
        )
        self.lock = threading.RLock()
        self.views: weakref.WeakSet[View] = weakref.WeakSet()
        self.edits = Edits()
        self.revision = 0
        #: The native Study and the edits of the last failed commit, until one succeeds.
        self.failed: tuple[Any, Edits] | None = None
        #: The solution of the current state; None until the kernel has solved what the page committed.
        self.known: Solution | None = None
        self._page_sha256: str | None = None
        #: The track whose path the engine holds.
        self._track: weakref.ref[object] | None = None
        #: The native Studies by formulation; each is opened once.
        self._engines: dict[str, Any] = {}
        #: The options that each of them does not read.
        self._left_out: dict[str, list[str]] = {}
        started = time.perf_counter()
        if saved:
            self._opened(formulation, progress)
        else:
            # The first formulation reads all options, or refuses them.
            self._engines[formulation] = _open(network, formulation, json.dumps(dict(self.options)), progress)
        elapsed_ms = 1000 * (time.perf_counter() - started)
        head, columns = parted(self._engines[formulation].current_solution())
        self.known = Solution(network, head, columns, solve_ms=elapsed_ms)
        self.history = History(formulation, self.known)

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy has the same network, edits and revision, and is solved where it is created."""
        with self.lock:
            self.require_engine()
            return _rebuilt, (self.start(), self.revision)

    def start(self) -> Start:
        """The current state as the start of another Study."""
        return Start(self.network, self.formulation, dict(self.options), self.edits)

    def start_of(self, state: SavedState) -> Start:
        """A saved state, possibly of another case, as the start of another Study."""
        network = self.network
        if not self.is_of_case(state):
            network = network._of_module(self.history.artifacts[state.more["input"]]["text"])
        options = state.more.get("options", dict(self.options))
        return Start(network, state.formulation, options, state.edits)

    def is_of_case(self, state: SavedState) -> bool:
        """Whether a saved state belongs to the case of this Study."""
        return bool(state.more.get("input", self.network.sha256) == self.network.sha256)

    # Solving

    @property
    def is_free(self) -> bool:
        """Whether the memory of the engine was freed."""
        return not self._engines

    def require_engine(self) -> None:
        """Raises WattbookError `STUDY.FREED` after `free`."""
        if self.is_free:
            raise WattbookError("STUDY.FREED", "This Study was freed: create a new one with case.study().")

    def native(self) -> Any:
        """The native Study of the current formulation, opened if only the page has used the formulation."""
        self.require_engine()
        return self._opened(self.formulation)

    def solution(self) -> Solution:
        """The solution of the current state. It is solved if only the page has solved it; a WattbookWarning reports different results."""
        engine = self.native()
        if self.known is None:
            self.known = self._solve(engine, self.edits)
            self.history.solved(self.known)
            if self._page_sha256 and self._page_sha256 != self.known.sha256:
                message = _disagreement(self.revision, self.network.id, self._page_sha256, self.known.sha256)
                warnings.warn(message, WattbookWarning, stacklevel=3)
            self._publish()
        return self.known

    def base_solution(self) -> Solution:
        """The solution of the base case in the current formulation; the session does not change."""
        base = Session(self.network, self.formulation, self.options, progress=False, saved=True)
        return base.solution()

    def sensitivity(self, target: str) -> Sensitivity:
        """The derivatives with respect to `target`, the contract's `SensTarget` as JSON. Takes the lock."""
        with self.lock:
            solution = self.solution()
            with engine_errors():
                answer = self.native().sensitivity(self.network.id, self.edits.json(), target)
            head, columns = parted(answer)
            ids = self.network._bus_ids, self.edited_network._branch_ids
            return Sensitivity.from_answer(head, columns, *ids, self._lowest_change(solution, head.get("bus")))

    def _lowest_change(self, solution: Solution, bus: int | None) -> float | None:
        """Lower limit of the demand change at a bus from the current state, MW: down to zero, or None if it injects,
        and for a line."""
        if bus is None:
            return None
        (row,) = np.flatnonzero(self.network._bus_ids == bus)
        now = float(solution._columns["demand_mw"].values[row])
        return min(now - self.edits.demand.get(bus, 0.0), 0.0) - now

    # Changes

    def commit(self, edits: Edits, progress: Progress = None) -> Solution:
        """Solves absolute edits and makes them the current state."""
        solution = self._solve_candidate(self.native(), edits, progress)
        self._advance(edits, solution)
        return solution

    def switch(self, formulation: str, progress: Progress = None) -> Solution:
        """Solves the current edits in another formulation and continues there; a WattbookWarning names options that it
        does not read."""
        self.require_engine()
        if formulation == self.formulation:
            return self.solution()
        solution = self._solve_candidate(self._opened(formulation, progress), self.edits, progress)
        self.formulation = formulation
        self._advance(self.edits, solution)
        names = self.left_out()
        if names:
            message = f"{formulation} does not read {', '.join(names)}: kept for the formulations that do."
            warnings.warn(message, WattbookWarning, stacklevel=3)
        return solution

    def reset(self) -> Solution:
        """Returns to the base case. Raises InputError `STUDY.NO_BASE` if the Study was saved without it."""
        if not self.has_base():
            raise InputError("STUDY.NO_BASE", "This Study was saved without its base case: reset is unavailable.")
        solution = self._solve(self.native(), Edits())
        self._advance(Edits(), solution)
        return solution

    def restore(self, state: SavedState, progress: Progress = None) -> Solution:
        """Returns to a saved state of this case and its options. Raises EditError `STATE.FORMULATION` for another one."""
        self.require_engine()
        options = dict(self.options)
        if state.more.get("options", options) != options or not self.is_of_case(state):
            raise EditError(
                "STATE.FORMULATION",
                f"State {state.id} was solved with {state.formulation} from another Study: study.branch({state.id!r}) opens it.",
            )
        solution = self._solve(self._opened(state.formulation, progress), state.edits, progress)
        self.formulation = state.formulation
        self._advance(state.edits, solution, state=state.id)
        return solution

    def commit_from_page(
        self,
        base_revision: int,
        edits: Mapping[str, Any],
        result_sha256: str,
        answer: Callable[[bool], None],
        formulation: str | None = None,
    ) -> None:
        """Accepts edits that the page has solved, in another `formulation` or the present one; the kernel solves them
        when the solution is read. Takes the lock.

        `answer` is called inside the lock: with True if the edits were accepted, before the views change, or with False
        if they started from another revision.
        """
        with self.lock:
            self.require_engine()
            if base_revision != self.revision:
                answer(False)
                return
            state = edited(
                Edits(),
                self.network,
                edits.get("deltas") or {},
                edits.get("rates") or {},
                edits.get("reactive") or {},
                edits.get("generators") or {},
                edits.get("branches") or {},
                edits.get("links") or {},
                edits.get("storage") or {},
                edits.get("interfaces") or {},
                add=adding.from_body(edits.get("added") or {}),
            )
            if formulation is not None:
                check_formulation(formulation)
                self.formulation = formulation
            self._advance(state, None, result_sha256, before_views=lambda: answer(True))

    def take(self, history: History, revision: int) -> None:
        """Adopts the history of a file. Takes the lock."""
        with self.lock:
            self.history = history
            self.revision = revision

    def has_base(self) -> bool:
        """Whether there is a base case to return to: files of other programs may lack it."""
        return "id" not in self.history.document or "base_input" in self.history.document

    def free(self) -> None:
        """Frees the memory of the engine and closes the views. Takes the lock."""
        with self.lock:
            for view in list(self.views):
                view.close()
            self._engines.clear()
            self.failed = None
            self.known = None

    @property
    def edited_network(self) -> Network:
        """The case with the elements that the current edits add."""
        return self.network._with_added(self.edits.added_json)

    def state(self) -> StudyState:
        """The state that a view shows. Takes the lock."""
        with self.lock:
            sha256 = self.known.sha256 if self.known is not None else self._page_sha256
            return StudyState(self.revision, self.formulation, self.edits.body(), sha256 or "")

    def left_out(self) -> list[str]:
        """The names of the options that the current formulation does not read."""
        return self._left_out.get(self.formulation, [])

    # Tracks

    def hold(self, track: object, revision: int) -> None:
        """Records that the engine holds the path of a track that began at a revision; a later commit discards it."""
        if revision == self.revision:
            self._track = weakref.ref(track)

    def on_track(self, track: object, ask: Callable[[Any], Any]) -> Any:
        """The engine's answer about a track. Takes the lock. Raises WattbookError `TRACK.NONE` if the engine no longer holds its path."""
        with self.lock:
            self.require_engine()
            if self._track is None or self._track() is not track:
                raise WattbookError("TRACK.NONE", _DROPPED)
            with engine_errors():
                return ask(self.native())

    def _opened(self, formulation: str, progress: Progress = None) -> Any:
        """The native Study of a formulation, opened on first use."""
        if formulation not in self._engines:
            own, left_out = options_for(formulation, self.options)
            self._engines[formulation] = _open(self.network, formulation, json.dumps(own), progress)
            self._left_out[formulation] = left_out
        return self._engines[formulation]

    def _solve_candidate(self, engine: Any, edits: Edits, progress: Progress) -> Solution:
        """The solution of edits that are not committed yet; a failure is stored for `explain`."""
        try:
            return self._solve(engine, edits, progress)
        except SolveError:
            self.failed = engine, edits
            raise

    def _solve(self, engine: Any, edits: Edits, progress: Progress = None) -> Solution:
        started = time.perf_counter()
        answer = _commit(engine, self.network.id, edits, progress)
        elapsed_ms = 1000 * (time.perf_counter() - started)
        self._track = None
        self.failed = None
        head, columns = parted(answer)
        return Solution(
            self.network._with_added(edits.added_json),
            head["solution"],
            columns,
            iterations=head["iterations"],
            solve_ms=elapsed_ms,
            edits=edits,
        )

    def _advance(
        self,
        edits: Edits,
        solution: Solution | None,
        page_sha256: str | None = None,
        *,
        state: str | None = None,
        before_views: Callable[[], None] = lambda: None,
    ) -> None:
        """Makes a solved state the current one: a new state, or `state` of the history again."""
        self.edits = edits
        self.known, self._page_sha256 = solution, page_sha256
        self._track = None
        self.revision += 1
        if state is None:
            self.history.add(self.formulation, edits, self.revision, solution, page_sha256)
        else:
            self.history.returned(state)
        before_views()
        self._publish()

    def _publish(self) -> None:
        for view in list(self.views):
            view._show(self.state())


def native_study(case: Any, formulation: str, options: Mapping[str, Any]) -> Any:
    """The native Study of an open case for a saved state; some of its `options` may belong to other formulations."""
    own, _ = options_for(formulation, options)
    with engine_errors() as native:
        return native.Study(case, formulation, json.dumps(own))


def study_line(session: Session) -> str:
    """`dcopf, optimal, 808.50 $/h, prices 6.30 to 30.10 $/MWh, 1 line binds; revision 2, 1 demand change, 0 rating
    changes`.

    Does not solve: the line states if only the page has solved the state.
    """
    if session.is_free:
        return "freed"
    edits = session.edits
    demand, ratings = len(edits.demand), len(edits.ratings)
    reactive = f", {words.count(len(edits.reactive), 'reactive demand change')}" if edits.reactive else ""
    units = f", {words.count(len(edits.generators), 'changed generator')}" if edits.generators else ""
    lines = f", {words.count(len(edits.branches), 'changed branch')}" if edits.branches else ""
    lines += f", {words.count(len(edits.links), 'changed HVDC link')}" if edits.links else ""
    lines += f", {words.count(len(edits.storage), 'changed storage unit')}" if edits.storage else ""
    lines += f", {words.count(len(edits.interfaces), 'changed interface')}" if edits.interfaces else ""
    lines += f", {words.count(len(edits.added), 'added element')}" if edits.added else ""
    return (
        f"{session.formulation}, {solution_line(session.known) if session.known else 'not yet solved in the kernel'}; "
        f"revision {session.revision}, {words.count(demand, 'demand change')}, {words.count(ratings, 'rating change')}{reactive}{units}{lines}"
    )


def study_html(session: Session) -> str:
    """The solution and the edits."""
    edits, unit = session.edits, words.rating_unit(session.formulation)
    changes = [(f"Demand at bus {bus}", f"{words.mw(mw, sign=True)} MW") for bus, mw in edits.demand.items()]
    changes += [(f"Rating of line {line}", f"{words.mw(mw, sign=True)} {unit}") for line, mw in edits.ratings.items()]
    changes += [
        (f"Reactive demand at bus {bus}", f"{words.mw(mvar, sign=True)} MVAr") for bus, mvar in edits.reactive.items()
    ]
    first = changes[:_TOP_EDITS]
    if len(changes) > len(first):
        first.append((f"and {len(changes) - len(first)} more", ""))
    rows = table(("Change from the base case", ""), first) if changes else paragraph("No change from the base case.")
    with session.lock:
        return shown(solution_html(session.solution()) + rows)


def _rebuilt(start: Start, revision: int) -> Session:
    """A session in the given state; its result is a pure function of these arguments."""
    session = start()
    session.revision = revision
    return session


def _open(network: Network, formulation: str, options_json: str, progress: Progress) -> Any:
    """The native Study of a network, its base case solved in steps, so that it can be interrupted."""
    with engine_errors() as native:
        job = native.Job.opening(network._opened, formulation, options_json)
    return finished(job, reporter(progress, text=_iteration), finish=job.study)


def _commit(study: Any, case_id: str, edits: Edits, progress: Progress) -> tuple[str, dict[str, Any]]:
    """The engine's answer to absolute edits; an interrupt leaves the native Study unchanged."""
    with engine_errors() as native:
        job = native.Job.commit(study, case_id, edits.json())
    answer: tuple[str, dict[str, Any]] = finished(
        job, reporter(progress, text=_iteration), finish=lambda: job.finish(study)
    )
    return answer


def _iteration(step: Step) -> str:
    if "iteration" not in step:
        return "Solving"
    return f"Solving: iteration {step['iteration']['iteration']}, gap {step['gap']:.0e}"


def _disagreement(revision: int, case_id: str, page_sha256: str, kernel_sha256: str) -> str:
    """The warning for two results of one state."""
    return (
        f"The page and the kernel disagree about revision {revision} of {case_id}: result {page_sha256[:12]} in the page, "
        f"{kernel_sha256[:12]} here. This notebook shows the kernel's numbers. Reload the page and restart the kernel so "
        "that both run the same version of Wattbook; if this persists, please report the case and both hashes."
    )
