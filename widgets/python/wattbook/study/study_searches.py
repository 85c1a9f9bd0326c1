"""Searches of a Study around its state: explanations, loadability, capacity plans, outages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, cast

from ..edits.edits import Changes, EditMode, ElementName, ReactiveChanges
from ..edits.generators import GeneratorChanges
from ..edits.plans import PlanKind, Weights, in_arguments
from ..edits.state import Edits
from ..edits.targets import growth, target
from ..errors import EditError
from ..jobs import Progress, finished, reporter
from ..native import engine_errors
from ..results.contingencies import screened
from ..results.explaining import explained
from ..results.explanation import Explanation
from ..results.loadability import Loadability
from ..results.plan import Plan, plan_of
from ..results.solution import Solution
from ..tables import analyses
from ..text import words
from .copies import StudyStart
from .history import History
from .planning import planned, scope_of

if TYPE_CHECKING:
    import pandas as pd

    from ..case.case import Case
    from .study import Study


class StudySearches:
    """The part of `Study` that runs many solves around its state, which does not change. The lock is held while the request is made."""

    case: Case
    options: Mapping[str, Any]
    _engine: Any
    _lock: AbstractContextManager[Any]
    _edits: Edits
    _history: History
    _failed: tuple[Any, Edits] | None

    if TYPE_CHECKING:

        @property
        def formulation(self) -> str: ...
        def _edited(
            self,
            demand: Changes | None,
            ratings: Changes | None,
            reactive: ReactiveChanges | None,
            generators: GeneratorChanges | None,
            mode: EditMode,
        ) -> Edits: ...
        def _require_engine(self) -> None: ...
        def _native(self) -> Any: ...
        def _solve_current(self) -> Solution: ...

    def explain(
        self,
        demand: Changes | None = None,
        ratings: Changes | None = None,
        *,
        reactive: ReactiveChanges | None = None,
        generators: GeneratorChanges | None = None,
        mode: EditMode = "set",
        budget_s: float | None = None,
        progress: Progress = None,
    ) -> Explanation | None:
        """Why the edits have no solution: the conflicting limits and the minimum relaxation in MW.

        `demand`, `ratings`, `reactive`, `generators` and `mode` as for `commit`; without edits, those of the last failed commit. Returns None if the edits have
        a solution or no commit has failed. Ratings, angle-difference limits, demand and minimum outputs are relaxed together by
        the minimum sum of MW; if the demand of a single bus is edited, `demand_limit` is how far it can go. The Study does not
        change, and other threads can use it meanwhile.

        The search can be interrupted. After `budget_s` seconds it returns the best relaxation found, with `is_least` False and
        the gap in `verified["gap_mw"]`. `progress(fraction, at_least_mw)` is called after each step; by default a tqdm bar appears
        after a second if tqdm is installed, with `progress=False` nothing.
        Raises EditError for an invalid edit, SolveError if the explanation fails its own check.
        """
        with self._lock:
            if demand is None and ratings is None and reactive is None and generators is None:
                self._require_engine()
                if self._failed is None:
                    return None
                engine, edits = self._failed
            else:
                edits = self._edited(demand, ratings, reactive, generators, mode)
                engine = self._native()
            with engine_errors() as native:
                run = native.Job.explanation(engine, *edits.texts())
        return explained(run, budget_s, progress, self.formulation)

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
        kind: PlanKind = "line_capacity",
        weights: Weights | None = None,
        area: int | None = None,
        candidates: Iterable[ElementName] | None = None,
        increment_mw: float = 10.0,
        budget_mw: float = 100.0,
        max_increase_mw: float | None = None,
        max_lines: int | None = None,
        max_buses: int | None = None,
        solves: int = 32,
        progress: Progress = None,
    ) -> Plan:
        """Which ratings to raise, or where demand should be, so that prices are low: bounded trials in the order of their derivatives,
        each solved exactly.

        `kind` is `line_capacity`; `demand_placement`, which adds demand where it raises prices least; or `demand_redistribution`, which
        moves demand from bus to bus and keeps the total. The plan lowers the sum of LMPs with `weights` by bus; by default the mean
        LMP of all buses, or of an `area`, weighted with demand. `candidates` are the lines that may be raised, by default those that
        bind, or the buses whose demand may change, by default those (of the area) with a demand.

        Amounts are MW (of ratings in the SOC relaxation MVA) from the current state, in multiples of `increment_mw`, of which a trial
        gives one to a line or moves one to another bus. `budget_mw` is for all lines together, the demand to place, or the most that
        may move; `max_increase_mw` is for one line or bus, of demand that moves up or down (by default the budget). At most `max_lines`
        or `max_buses` change. `solves` counts the baseline and every trial, whether accepted, rejected or failed.
        `spec`, the contract's `PlanSpecJson`, says all of this at once. Reactive demand follows as in `commit`.

        The Study does not change. An interrupt ends the search after the running solve; completed trials and the best one stay.
        `progress(fraction, trials)` is called after each step; by default a tqdm bar is shown after a second, if tqdm is installed, and
        `progress=False` disables it.
        Raises EditError for an unknown element, `PLAN.SPEC` for limits that cannot be, InputError for a formulation without prices.
        """
        with self._lock:
            solution = self._solve_current()
            asked = planned(
                self.case,
                solution,
                spec,
                kind,
                weights,
                area,
                candidates,
                increment_mw,
                budget_mw,
                max_increase_mw,
                max_lines,
                max_buses,
                solves,
            )
            own = cast("type[Study]", type(self))
            start = StudyStart(own, self.case, self.formulation, dict(self.options), self._edits)
            begun = self._history.current
            try:
                with engine_errors() as native:
                    job = native.Job.plan(self._engine, json.dumps(asked))
            except EditError as error:
                if spec is not None or error.code != "PLAN.SPEC":
                    raise
                raise in_arguments(error, "budget_mw" if max_increase_mw is None else "max_increase_mw") from None
        report = reporter(progress, "trials", text=lambda step: words.count(len(step["trials"]), "trial"))
        text, _ = finished(job, report, keep_interrupted=True)
        outcome = json.loads(text)
        with self._lock:
            scope = None if spec is not None else scope_of(asked, weights, area)
            self._history.planned(self.formulation, begun, asked, outcome, scope)
        return plan_of(outcome, asked, self.formulation, start)

    def outage_flows(self, branch: ElementName) -> pd.DataFrame:
        """Flows after the outage of one branch in the current state, at fixed dispatch and demand.

        Index `branch`; columns `from_bus`, `to_bus`, `p_from_mw`, `base_p_from_mw` (MW into the branch at the from bus after the outage
        and before it), `rating` (MW), `loading`, `base_loading` (fraction of the rating). Branches without a result are NaN. Units in
        `.attrs["units"]`. The factors are those of Wood, Wollenberg and Sheble, *Power Generation, Operation and Control*, 3rd ed.,
        section 7.6.

        Raises EditError for an unknown branch, `OUTAGE.ISLANDING` where the outage splits an island; InputError
        `FORMULATION.UNAVAILABLE` where the formulation has no screening.
        """
        what = target(self.case, "branch", branch, "study.outage_flows({})")
        with self._lock:
            base = self._solve_current()
            with engine_errors():
                data = self._engine.outage_flows(what)
        return analyses.outage_flows(data, base._branches)

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
