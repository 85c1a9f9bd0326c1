"""What a Study answers about its state, without changing it."""

from __future__ import annotations

import json
import weakref
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, SupportsFloat

import numpy as np

from ..arguments import number, truth
from ..edits.edits import Changes, EditMode, ElementName, ReactiveChanges
from ..edits.plans import Weights
from ..edits.state import EditState
from ..edits.targets import growth, target
from ..errors import WattbookError
from ..jobs import Progress, finished, reporter
from ..native import engine_errors
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

if TYPE_CHECKING:
    import pandas as pd

    from ..case.case import Case


_DROPPED = (
    "This track is no longer active: a commit or another track of the Study discarded it. Call `study.track(...)` again, "
    "or track on a second Study of the case (`study.case.study()`)."
)


class StudyAnalyses:
    """The part of `Study` that answers questions about the current state. The lock is held while the question is put."""

    case: Case
    formulation: str
    options: Mapping[str, Any]
    _engine: Any
    _lock: AbstractContextManager[Any]
    _edits: EditState
    _revision: int
    _track: weakref.ref[Track] | None
    _failed: EditState | None

    if TYPE_CHECKING:

        def _require_engine(self) -> None: ...
        def _solve_current(self) -> Solution: ...

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
