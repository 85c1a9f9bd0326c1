"""Studies: a case with its edits and a formulation, solved after each commit."""

from __future__ import annotations

import json
import os
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from types import EllipsisType, MappingProxyType
from typing import TYPE_CHECKING, Any, Self

from ..edits.edits import Changes, EditMode, ElementKey, ElementName, ReactiveChanges
from ..edits.generators import GeneratorChanges
from ..edits.state import EditState
from ..errors import SolveError, WattbookError, WattbookWarning
from ..jobs import Progress
from ..map.page_state import StudyState, disagreement
from ..native import check_formulation, options_for, solve_options
from ..results.solution import Solution
from ..results.track import Track
from ..tables.columns import parted
from .copies import StudyStart, rebuilt
from .history import History
from .series import StudySeries
from .solving import committed, opened
from .study_derivatives import StudyDerivatives
from .study_files import StudyFiles
from .study_history import StudyHistory
from .study_searches import StudySearches

if TYPE_CHECKING:
    from ..case.case import Case
    from ..map.case_map import CaseMap


class Study(StudyDerivatives, StudySearches, StudySeries, StudyFiles, StudyHistory):
    """A case, a formulation and absolute edits from the base case; made by `case.study()`.

    One lock orders commits from cells, threads and the page; each advances `revision` by one, and a failed commit changes
    nothing. Page and kernel solve independently and compare result hashes; after a commit in the page, the kernel solves when
    `solution` is read. A copy (`copy.deepcopy`, a process pool) is an independent Study with the same case, edits and result.
    """

    def __init__(
        self,
        case: Case,
        formulation: str,
        options: Mapping[str, Any] | None = None,
        *,
        progress: Progress = None,
        saved: bool = False,
    ) -> None:
        """With `saved` the options are those of a saved Study, and may be meant for other formulations."""
        check_formulation(formulation)
        self.case = case
        self._formulation = formulation
        self.options: Mapping[str, Any] = MappingProxyType(solve_options(options))
        self._lock = threading.RLock()
        self._maps: weakref.WeakSet[CaseMap] = weakref.WeakSet()
        self._edits = EditState()
        self._revision = 0
        self._page_sha256: str | None = None
        #: The track whose path the engine holds.
        self._track: weakref.ref[Track] | None = None
        #: The native Study and the edits of the commit that failed last, until one succeeds.
        self._failed: tuple[Any, EditState] | None = None
        #: The native Studies by formulation; each is opened once.
        self._engines: dict[str, Any] = {}
        #: The options that each of them does not read.
        self._left_out: dict[str, list[str]] = {}
        started = time.perf_counter()
        self._engine: Any = self._opened(formulation, progress) if saved else self._opened_as_asked(progress)
        elapsed_ms = 1000 * (time.perf_counter() - started)
        head, columns = parted(self._engine.current_solution())
        self._solution: Solution | None = Solution(case, head, columns, solve_ms=elapsed_ms)
        self._history = History(formulation, self._solution)

    @property
    def formulation(self) -> str:
        """The formulation of the current state; `switch` and the list in the map's bar change it."""
        return self._formulation

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
    def generators(self) -> Mapping[ElementKey, Mapping[str, float | bool]]:
        """Values of generators that differ from the case, by id: `p_min`, `p_max` (MW), `cost` ($/MWh), `status`."""
        with self._lock:
            return MappingProxyType(deepcopy(self._edits.generators))

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
        generators: GeneratorChanges | None = None,
        mode: EditMode = "set",
        progress: Progress = None,
    ) -> Solution:
        """Solves with the edits and keeps them; returns the new solution.

        `demand` and `ratings` map bus and branch (number, digits or uid) to changes from the base case in MW;
        `mode="set"` replaces the named keys only, `mode="increment"` adds to them. With acpf and socwr, reactive demand follows by the
        power factor of the base case unless `reactive` gives its change in MVAr by bus, 0 to leave it as it is; None returns to the
        power factor. DC formulations keep it without effect, and say so in `diagnostics`.
        `generators` gives values of generators, by number or uid, in place of those of the case: `p_min` and `p_max` in MW, `cost` in
        $/MWh (it replaces the cost curve), `status` True or False. Values that are not named stay; None returns to that of the case.
        Raises EditError for an invalid edit and SolveError if the edited problem has no solution; then nothing changes, and the
        message names the conflicting limits and the minimum violation. `explain()` finds the minimum relaxation.

        A solve by iterations (socwr) can be interrupted, and then nothing changes. `progress(fraction)` is called after each step; by
        default a tqdm bar appears after a second if tqdm is installed, with `progress=False` nothing.
        """
        with self._lock:
            edits = self._edited(demand, ratings, reactive, generators, mode)
            solution = self._solve_candidate(self._native(), edits, progress)
            self._keep(edits, solution, None)
            self._publish()
            return solution

    def switch(self, formulation: str, *, progress: Progress = None) -> Solution:
        """Solves the current edits in another formulation and continues there, as a new revision; maps of the Study follow. `progress` as
        for `commit`.

        Options stay as they are; a WattbookWarning names those without effect in the new formulation. A formulation that was used before
        is not set up again. Raises InputError
        (`FORMULATION.UNAVAILABLE`) for an unknown formulation, and SolveError if it has no solution for the edits; then nothing
        changes. DC formulations keep reactive demand without effect, and say so in `diagnostics`. For results of several formulations at a time use
        several Studies: `case.study("acpf")`.
        """
        check_formulation(formulation)
        with self._lock:
            self._require_engine()
            if formulation == self._formulation:
                return self._solve_current()
            engine = self._opened(formulation, progress)
            solution = self._solve_candidate(engine, self._edits, progress)
            self._formulation, self._engine = formulation, engine
            self._keep(self._edits, solution, None)
            self._publish()
            self._tell_left_out()
            return solution

    def reset(self) -> Solution:
        """Discards all edits and returns the base solution, as a new revision; earlier states stay in `states`.

        Raises InputError `STUDY.NO_BASE` for a Study that was saved without its base case.
        """
        with self._lock:
            self._require_base()
            solution = self._solve(self._native(), EditState())
            self._keep(EditState(), solution, None)
            self._publish()
            return solution

    def map(
        self,
        *,
        quantity: str | None = None,
        color: str | None = None,
        lines: str | None = None,
        bus: ElementName | None = None,
        branch: ElementName | None = None,
        generator: ElementName | None = None,
        height: int | None = None,
        preview_mode: str | None = None,
        vmin: float | None = None,
        vmax: float | None = None,
        range: str | None = None,
        cmap: str | None = None,
        log: bool | None = None,
        surface: str | None = None,
        width: str | None = None,
        levels: float | Iterable[float] | None = None,
        areas: int | Iterable[int] | None = None,
        zones: int | Iterable[int] | None = None,
        generators: str | None = None,
        bus_size: float | None = None,
        line_size: float | None = None,
        basemap: str | os.PathLike[str] | EllipsisType | None = ...,
        attribution: str | None = None,
        **unknown: Any,
    ) -> CaseMap:
        """A live map of this Study; all maps of one Study are synchronised.

        `height` in px (the network fills the width of the cell as far as the window allows), `quantity` of the buses ("lmp", "lmp_change", "lmp_move", what the last move changes, of which
        a saved picture shows the price, "sensitivity", "angle", "demand", "generation"; for acpf "voltage", "voltage_excess", "reactive_demand", "reactive_generation"; for
        socwr also "lmp_q", "lmp_losses", "lmp_congestion", "lmp_voltage"), `lines`, the quantity of the lines ("loading", "flow",
        "shadow", "rating_change"; for acpf and socwr "reactive_flow", "losses"; for socwr "cone_gap"), `preview_mode` ("exact" or
        "first_order"), and `bus`, `branch` or `generator` to select ("sensitivity" needs one). "net_injection", "area" and "zone" are quantities
        too; `color` is another name of `quantity`.

        How it is drawn: `vmin`, `vmax` (the ends of the colours, in the unit of the quantity) or `range` ("auto", "quantile" for the
        5th to 95th percentile, "fixed"), `cmap` ("market", blue for cheap to red for expensive, "viridis", "cividis", "plasma",
        "magma", "ylgnbu"), `log` (True for a log scale), `surface` ("dots", "contour"), `width` of the lines ("class" of loading,
        "rating", "kv"), `levels` (base kV that are drawn), `areas`, `zones`, `generators` ("none", "fuel", "cost"), `bus_size` and
        `line_size` (factors, 0.25 to 4). Saved pictures have the colours. An unknown keyword is a TypeError.

        What lies below: `basemap`, the address of a MapLibre style, a template of raster tiles
        ("https://tiles.example.org/{z}/{x}/{y}.png"), a PMTiles file or its address, "natural_earth", "plain" (coasts and borders
        alone) or None; without it what the settings of the page say. `attribution` is shown with it. Nothing is asked of another
        server before a person allows it in the page.
        """
        given = {name: value for name, value in locals().items() if name not in ("self", "basemap", "unknown")}
        view = {name: value for name, value in given.items() if value is not None} | unknown
        if basemap is not ...:
            view["basemap"] = basemap
        from ..map.case_map import CaseMap

        with self._lock:
            self._require_engine()
            return CaseMap(self, **view)

    def free(self) -> None:
        """Frees the memory of the engine and closes the maps. What solves, has the result or saves then raises WattbookError
        `STUDY.FREED`; the edits, `states`, `history` and `plans` stay, and `branch` begins another Study in one of the states."""
        with self._lock:
            for view in list(self._maps):
                view.close()
            self._engine = None
            self._engines.clear()
            self._failed = None
            self._solution = None

    def __enter__(self) -> Self:
        """`with case.study() as study:` frees the memory of the engine at the end."""
        return self

    def __exit__(self, *_: object) -> None:
        self.free()

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy has the same case, edits and revision, and is solved where it is made."""
        with self._lock:
            self._require_engine()
            start = StudyStart(type(self), self.case, self.formulation, dict(self.options), self._edits)
            return rebuilt, (start, self._revision)

    # What the maps use; see map/case_map.py.

    def _state(self) -> StudyState:
        with self._lock:
            known = self._solution.sha256 if self._solution is not None else self._page_sha256
            return StudyState(self._revision, self._formulation, self._edits.body(), known or "")

    def _base_solution(self) -> Solution:
        """The solution of the base case in the current formulation; it is solved apart, so the Study does not change."""
        return type(self)(self.case, self.formulation, self.options, progress=False, saved=True).solution

    def _commit_from_page(
        self,
        base_revision: int,
        edits: Mapping[str, Any],
        result_sha256: str,
        answer: Callable[[bool], None],
        formulation: str | None = None,
    ) -> None:
        """Accepts edits that the page has solved, in another `formulation` or the present one; the native solve waits until `solution`
        is read.

        `answer` is called inside the lock: with True if the edits were accepted, before the maps are updated, or with False if they
        started from another revision.
        """
        with self._lock:
            self._require_engine()
            if base_revision != self._revision:
                answer(False)
                return
            demand, ratings, reactive, generators = (
                edits.get(name) or {} for name in ("deltas", "rates", "reactive", "generators")
            )
            state = EditState().edited(self.case, demand, ratings, reactive, generators, "set")
            if formulation is not None:
                check_formulation(formulation)
                self._formulation, self._engine = formulation, self._engines.get(formulation)
            self._keep(state, None, result_sha256)
            answer(True)
            self._publish()

    # The rest is used with the lock held.

    def _edited(
        self,
        demand: Changes | None,
        ratings: Changes | None,
        reactive: ReactiveChanges | None,
        generators: GeneratorChanges | None,
        mode: EditMode,
    ) -> EditState:
        self._require_engine()
        return self._edits.edited(self.case, demand, ratings, reactive, generators, mode)

    def _require_engine(self) -> None:
        if not self._engines:
            raise WattbookError("STUDY.FREED", "This Study was freed: create a new one with case.study().")

    def _native(self) -> Any:
        """The native Study of the current formulation; a formulation that only the page has used is opened."""
        self._require_engine()
        self._engine = self._opened(self._formulation)
        return self._engine

    def _opened(self, formulation: str, progress: Progress = None) -> Any:
        """The native Study of a formulation, opened where there is none yet."""
        if formulation not in self._engines:
            own, left_out = options_for(formulation, self.options)
            self._engines[formulation] = opened(self.case._opened, formulation, json.dumps(own), progress)
            self._left_out[formulation] = left_out
        return self._engines[formulation]

    def _opened_as_asked(self, progress: Progress) -> Any:
        """The native Study of the first formulation, which reads all options."""
        options = json.dumps(dict(self.options))
        self._engines[self._formulation] = opened(self.case._opened, self._formulation, options, progress)
        return self._engines[self._formulation]

    def _tell_left_out(self) -> None:
        """Warns of options that the formulation just chosen does not read."""
        names = self._left_out.get(self._formulation, [])
        if names:
            warnings.warn(
                f"{self._formulation} does not read {', '.join(names)}: kept for the formulations that do.",
                WattbookWarning,
                stacklevel=3,
            )

    def _solve_candidate(self, engine: Any, edits: EditState, progress: Progress = None) -> Solution:
        """The solution of edits that are not kept yet; a failure is remembered for `explain`."""
        try:
            return self._solve(engine, edits, progress)
        except SolveError:
            self._failed = engine, edits
            raise

    def _solve(self, engine: Any, edits: EditState, progress: Progress = None) -> Solution:
        started = time.perf_counter()
        answer = committed(engine, self.case.id, edits, progress)
        elapsed_ms = 1000 * (time.perf_counter() - started)
        self._track = None
        self._failed = None
        head, columns = parted(answer)
        return Solution(
            self.case,
            head["solution"],
            columns,
            iterations=head["iterations"],
            solve_ms=elapsed_ms,
            generators=edits.generators,
        )

    def _solve_current(self) -> Solution:
        engine = self._native()
        if self._solution is None:
            self._solution = self._solve(engine, self._edits)
            self._history.solved(self._solution)
            if self._page_sha256 and self._page_sha256 != self._solution.sha256:
                told = disagreement(self._revision, self.case.id, self._page_sha256, self._solution.sha256)
                warnings.warn(told, WattbookWarning, stacklevel=3)
            self._publish()
        return self._solution

    def _keep(
        self, edits: EditState, solution: Solution | None, page_sha256: str | None, state: str | None = None
    ) -> None:
        """Makes a solved state the current one: a new one, or a `state` of the history again."""
        self._edits = edits
        self._solution, self._page_sha256 = solution, page_sha256
        self._track = None
        self._revision += 1
        if state is None:
            self._history.add(self.formulation, edits, self._revision, solution, page_sha256)
        else:
            self._history.returned(state)

    def _publish(self) -> None:
        for view in list(self._maps):
            view._show(self._state())

    def __repr__(self) -> str:
        from ..html.parts import with_warnings
        from ..html.solutions import study_line

        with self._lock:
            return with_warnings(f"<Study {self.case.id}: {study_line(self)}>", self.case)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """The Study itself, which JupyterLab shows with its states and opens without a kernel; other front ends show the HTML."""
        from .documents import shown_bundle

        if not self._engines:
            return {}
        bundle = shown_bundle(self)
        return {} if bundle is None else {"application/vnd.wattbook.study-bundle+json": bundle}

    def _repr_html_(self) -> str:
        from ..html.parts import escaped, shown
        from ..html.solutions import study_html

        return study_html(self) if self._engines else shown(escaped(repr(self)))
