"""Studies: a case with its edits, solved after each commit."""

from __future__ import annotations

import json
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, SupportsFloat

import numpy as np

from ..arguments import number, truth
from ..edits.edits import Changes, EditMode, ElementKey, ElementName, ReactiveChanges
from ..edits.plans import Weights
from ..edits.state import EditState
from ..edits.targets import growth, target
from ..errors import SolveError, WattbookError, WattbookWarning
from ..jobs import Progress, finished, reporter
from ..map.page_state import StudyState, disagreement
from ..native import check_formulation, engine_errors, solve_options
from ..results.contingencies import screened
from ..results.explaining import explained
from ..results.explanation import Explanation
from ..results.lmp_components import LmpComponents
from ..results.loadability import Loadability
from ..results.plan import CapacityPlan
from ..results.preview import Preview
from ..results.sensitivity import Sensitivity
from ..results.solution import Solution
from ..results.track import Track
from ..tables.columns import parted
from ..text import words
from .copies import rebuilt
from .planning import planned
from .solving import committed, opened
from .study_files import StudyFiles

if TYPE_CHECKING:
    import pandas as pd

    from ..case.case import Case
    from ..map.case_map import CaseMap


_DROPPED = (
    "This track is no longer active: a commit or another track of the Study discarded it. Call `study.track(...)` again, "
    "or track on a second Study of the case (`study.case.study()`)."
)


class Study(StudyFiles):
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

    def explain(
        self,
        demand: Changes | None = None,
        ratings: Changes | None = None,
        *,
        reactive: ReactiveChanges | None = None,
        mode: EditMode = "set",
        budget_s: float | None = None,
        progress: Progress = None,
    ) -> Explanation | None:
        """Why the edits have no solution: the conflicting limits and the minimum relaxation in MW.

        `demand`, `ratings`, `reactive` and `mode` as for `commit`; without edits, those of the last failed commit. Returns None if the edits have
        a solution or no commit has failed. Ratings, angle-difference limits, demand and minimum outputs are relaxed together by
        the minimum sum of MW; if the demand of a single bus is edited, `demand_limit` is how far it can go. The Study does not
        change, and other threads can use it meanwhile.

        The search can be interrupted. After `budget_s` seconds it returns the best relaxation found, with `is_least` False and
        the gap in `verified["gap_mw"]`. `progress(fraction, at_least_mw)` is called after each step; by default a tqdm bar appears
        after a second if tqdm is installed, with `progress=False` nothing.
        Raises EditError for an invalid edit, SolveError if the explanation fails its own check.
        """
        with self._lock:
            if demand is None and ratings is None and reactive is None:
                self._require_engine()
                if self._failed is None:
                    return None
                edits = self._failed
            else:
                edits = self._edited(demand, ratings, reactive, mode)
            with engine_errors() as native:
                run = native.Job.explanation(self._engine, *edits.texts())
        return explained(run, budget_s, progress)

    def lmp_components(self, bus: ElementName) -> LmpComponents:
        """LMP components at a bus in the current state: energy, and congestion by line. No solve.

        Raises EditError for an unknown bus.
        """
        what = target(self.case, "study.lmp_components({})", (), bus, None)
        with self._lock:
            self._solve_current()
            with engine_errors():
                return LmpComponents.from_body(json.loads(self._engine.lmp_components(what)))

    def preview(
        self,
        demand: Changes | None = None,
        ratings: Changes | None = None,
        *,
        reactive: ReactiveChanges | None = None,
        mode: EditMode = "set",
    ) -> Preview:
        """What the edits would do; the Study does not change. For dcopf the linear estimate of the LMP changes, $/MWh by bus, without
        a solve; for acpf the changes of voltages (per unit, degrees) and flows (MW, MVAr) by chord steps from the base case, which raise
        SolveError where they find no solution.

        The estimate assumes that the binding limits stay the same: where it is not `exact` it misses further limits, and the edits
        may be infeasible. `track` is exact along one demand or rating; `explain` says why edits are infeasible. Arguments and edit
        errors as for `commit`.
        """
        with self._lock:
            edits = self._edited(demand, ratings, reactive, mode)
            self._solve_current()
            with engine_errors():
                answer = self._engine.preview(*edits.texts())
            return Preview.from_answer(*parted(answer), self.case._bus_ids, self.case._branch_ids)

    def sensitivity(
        self, *unnamed: ElementName, bus: ElementName | None = None, branch: ElementName | None = None
    ) -> Sensitivity:
        """Derivatives of all LMPs with respect to the demand at `bus` or the rating of `branch`, ($/MWh)/MW, and where they are exact.

        For acpf the derivatives of all voltages (pu/MW) and flows with respect to the demand at `bus`, reactive demand following by
        the power factor, with the interval in which the estimated error is below 1e-3 pu, and the demand at which voltages collapse.

        Pass exactly one of the two keywords. Raises EditError for an unknown element, SolveError if no derivative exists.
        """
        what = target(self.case, "study.sensitivity({})", unnamed, bus, branch)
        with self._lock:
            self._solve_current()
            with engine_errors():
                deltas, rates, reactive = self._edits.texts()
                answer = self._engine.sensitivity(self.case.id, deltas, rates, what, reactive)
            head, columns = parted(answer)
            ids = self.case._bus_ids, self.case._branch_ids
            return Sensitivity.from_answer(head, columns, *ids, self._lowest_change(head.get("bus")))

    def track(
        self,
        *unnamed: ElementName,
        bus: ElementName | None = None,
        branch: ElementName | None = None,
        to_mw: SupportsFloat,
        from_mw: SupportsFloat = 0.0,
        watch: ElementName | None = None,
        explain: bool = True,
        progress: Progress = None,
    ) -> Track:
        """The optimum as the demand at `bus` or the rating of `branch` goes from `from_mw` to `to_mw`, with every breakpoint.

        Both ends are changes from the base case in MW, as in edits; the other edits are fixed, and the Study does not change.
        `watch` is the bus whose LMP the tables give: by default the target, or for a rating the bus whose LMP changes most.
        A track stops where the problem becomes infeasible; `stopped` names the conflicting limits and, unless `explain` is False,
        the minimum relaxation that would reach the requested end (two searches, each longer than a solve). A track has at most 500
        breakpoints; if it stops there, `stopped.message` has the call that continues it.
        It can be interrupted. `progress(fraction, at_mw)` is called after each step; by default a tqdm bar is shown after a second, if
        tqdm is installed, and `progress=False` disables it.
        Raises EditError for an unknown element or an end that is not a number, SolveError if the track cannot begin.
        """
        what = target(self.case, "study.track({}, to_mw=50)", unnamed, bus, branch)
        ends = [
            number(name, mw, "MW", code="TARGET.MALFORMED") for name, mw in (("from_mw", from_mw), ("to_mw", to_mw))
        ]
        watched = "null" if watch is None else json.dumps(self.case._bus_keys.target(watch, argument="watch: "))
        explaining = truth("explain", explain)
        with self._lock:
            self._solve_current()
            revision = self._revision
            with engine_errors() as native:
                job = native.Job.track(self._engine, what, *ends, watched, explaining)
        report = reporter(progress, "at_mw", text=lambda step: f"followed to {words.mw(step['at_mw'])} MW")
        text, _ = finished(job, report, finish=lambda: self._kept(job))
        with self._lock:
            track = Track(self, json.loads(text))
            # A commit meanwhile has dropped it.
            if revision == self._revision:
                self._track = weakref.ref(track)
            return track

    def _kept(self, job: Any) -> Any:
        """The result of a track's job, whose path the engine keeps."""
        with self._lock:
            self._require_engine()
            return job.finish(self._engine)

    def loadability(
        self,
        *,
        bus: ElementName | None = None,
        area: int | None = None,
        system: bool = False,
        progress: Progress = None,
    ) -> Loadability:
        """How much the demand of a `bus`, of an `area` or of the whole `system` can grow before voltages collapse: the margin in MW
        from the current state of an AC power flow, and the PV curve.

        Pass exactly one of the three. The buses of an area or of the system grow in proportion to their demand, all with the power
        factors of the base case; who supplies it follows from the option `slack`. The curve is followed by Newton's method until no
        solution is found within 0.01 % further on. The Study does not change, and other threads can use it meanwhile.
        It can be interrupted. `progress(fraction, at_mw)` is called after each step; by default a tqdm bar appears after a second if
        tqdm is installed, with `progress=False` nothing.
        Raises EditError for an unknown bus, InputError if no demand grows or for another formulation than acpf.
        """
        what = growth(self.case, bus, area, system)
        with self._lock:
            self._solve_current()
            with engine_errors() as native:
                job = native.Job.loadability(self._engine, what)
        report = reporter(progress, "at_mw", text=lambda step: f"followed to {words.mw(step['at_mw'], sign=True)} MW")
        text, _ = finished(job, report)
        return Loadability.from_body(json.loads(text))

    def plan(
        self,
        spec: Mapping[str, Any] | None = None,
        *,
        weights: Weights | None = None,
        area: int | None = None,
        candidates: Iterable[ElementName] | None = None,
        increment_mw: float = 10.0,
        budget_mw: float = 100.0,
        max_increase_mw: float | None = None,
        max_lines: int | None = None,
        solves: int = 32,
        progress: Progress = None,
    ) -> CapacityPlan:
        """Which ratings to raise so that prices fall: bounded trials in the order of their derivatives, each solved exactly.

        Lowers the sum of LMPs with `weights` by bus; by default the mean LMP of all buses, or of an `area`, weighted with
        demand. `candidates` are the lines that may be raised, by default those that bind. Amounts are MW (MVA in the SOC relaxation)
        from the current state: trials add `increment_mw` to one line; `budget_mw` is for all lines, `max_increase_mw` for one (by
        default the budget), and both are multiples of the increment; at most `max_lines` change. `solves` counts the baseline and
        every trial, whether accepted, rejected or failed. `spec`, the contract's `CapacityPlanSpecJson`, says all of this at once.

        The Study does not change. An interrupt ends the search after the running solve; completed trials and the best one stay.
        `progress(fraction, trials)` is called after each step; by default a tqdm bar is shown after a second, if tqdm is installed, and
        `progress=False` disables it.
        Raises EditError for an unknown element, InputError `PLAN.SPEC` for limits that cannot be, or for a formulation without prices.
        """
        with self._lock:
            solution = self._solve_current()
            asked = planned(
                self.case,
                solution,
                spec,
                weights,
                area,
                candidates,
                increment_mw,
                budget_mw,
                max_increase_mw,
                max_lines,
                solves,
            )
            state = (type(self), self.case, self.formulation, dict(self.options), self._edits, 0)
            with engine_errors() as native:
                job = native.Job.plan(self._engine, json.dumps(asked))
        report = reporter(progress, "trials", text=lambda step: words.count(len(step["trials"]), "trial"))
        text, _ = finished(job, report, keep_interrupted=True)
        return CapacityPlan.from_body(json.loads(text), asked, lambda: rebuilt(*state))

    def contingencies(self, *, progress: Progress = None) -> pd.DataFrame:
        """N-1 screening of the current state: every single branch outage, at fixed dispatch and demand.

        One row per outage, index `branch`; columns `from_bus`, `to_bus` (of that branch), `kind` (`loading` or `islanding`);
        `worst_branch`, `worst_mw`, `worst_loading` (the most loaded branch after the outage, MW and fraction of its rating),
        `worst_base_loading`, `loading_rise` (its loading before the outage, and the increase); `overloads` (branches above their
        rating), `new_overloads` (those neither overloaded nor binding before the outage); for the new overload with the largest
        increase `new_overload_branch`, `new_overload_from_bus`, `new_overload_to_bus`, `new_overload_mw`, `new_overload_loading`,
        `new_overload_base_loading` (MW, and fractions of its rating after and before); for outages that split the grid
        `buses_cut_off`, `demand_cut_off_mw`, `generation_cut_off_mw` of the smaller part. Inapplicable values are missing. Units
        in `.attrs["units"]`.

        It can be interrupted. `progress(fraction)` is called after each step; by default a tqdm bar is shown after a second, if tqdm is
        installed, and `progress=False` disables it.
        """
        with self._lock:
            base = self._solve_current()
            with engine_errors() as native:
                job = native.Job.screening(self._engine)
        return screened(job, base, progress)

    def map(self, **view: Any) -> CaseMap:
        """A live map of this Study; all maps of one Study are synchronised.

        `view`: `height` in px (420), `quantity` of the buses ("lmp", "lmp_change", "sensitivity", "angle", "demand",
        "generation"; for acpf "voltage", "voltage_excess", "reactive_demand", "reactive_generation"), `lines`, the quantity of the
        lines ("loading", "flow", "shadow", "rating_change"; for acpf "reactive_flow", "losses"), `preview_mode` ("first_order" or
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

    def _on_track(self, track: Track, ask: Callable[[Any], Any]) -> Any:
        """Answer of the engine about a track, as long as it holds its path; see results/track.py."""
        with self._lock:
            self._require_engine()
            if self._track is None or self._track() is not track:
                raise WattbookError("TRACK.NONE", _DROPPED)
            with engine_errors():
                return ask(self._engine)

    def _lowest_change(self, bus: int | None) -> float | None:
        """Lower limit of the demand change at a bus from the current state, MW: to zero, or none if it injects. None for a line."""
        if bus is None:
            return None
        (row,) = np.flatnonzero(self.case._bus_ids == bus)
        now = float(self._solve_current()._columns["demand_mw"].values[row])
        return min(now - self._edits.demand.get(bus, 0.0), 0.0) - now

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
