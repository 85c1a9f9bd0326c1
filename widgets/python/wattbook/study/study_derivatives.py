"""Derivatives and paths of a Study at its state: sensitivities, previews, LMP components, tracks."""

from __future__ import annotations

import json
import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Literal, SupportsFloat, cast

import numpy as np

from ..arguments import number, one_of, truth
from ..edits.edits import Changes, EditMode, ElementName, ReactiveChanges
from ..edits.generators import GeneratorChanges
from ..edits.state import Edits
from ..edits.targets import column_target, target
from ..errors import WattbookError
from ..jobs import Progress, finished, reporter
from ..native import engine_errors
from ..results.lmp_components import LmpComponents
from ..results.preview import Preview
from ..results.sensitivity import Sensitivity
from ..results.solution import Solution
from ..results.track import Track
from ..tables.columns import parted
from ..text import words

if TYPE_CHECKING:
    from ..case.case import Case
    from .study import Study

_DROPPED = (
    "This track is no longer active: a commit or another track of the Study discarded it. Call `study.track(...)` again, "
    "or track on a second Study of the case (`study.case.study()`)."
)


class StudyDerivatives:
    """The part of `Study` that differentiates and follows its state. The lock is held while the request is made."""

    case: Case
    _engine: Any
    _lock: AbstractContextManager[Any]
    _edits: Edits
    _revision: int
    _track: weakref.ref[Track] | None

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
        def _solve_current(self) -> Solution: ...

    def lmp_components(self, bus: ElementName) -> LmpComponents:
        """LMP components at a bus in the current state: energy, and congestion by line. No solve.

        Raises EditError for an unknown bus.
        """
        what = target(self.case, "bus", bus, "study.lmp_components({})")
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
        generators: GeneratorChanges | None = None,
        mode: EditMode = "set",
    ) -> Preview:
        """What the edits would do; the Study does not change. For dcopf and socwr the linear estimate of the LMP changes, $/MWh by bus,
        without a solve; for acpf the changes of voltages (per unit, degrees) and flows (MW, MVAr) by chord steps from the base case,
        which raise SolveError where they find no solution.

        The estimate assumes that the binding limits stay the same: beyond `valid_step` it misses further limits, and the edits may be
        infeasible. For dcopf it is `exact` up to there, for socwr it never is. `track` (dcopf) is exact along one demand, rating or limit of a generator;
        `explain` says why edits are infeasible. Arguments and edit errors as for `commit`. Limits and costs of `generators` are previewed for
        dcopf and socwr; a cost in place of a cost curve is never `exact`. A change of `status`, of a piecewise linear cost, and every
        change of generators for acpf raises EditError `GENERATOR.NO_PREVIEW`.
        """
        with self._lock:
            edits = self._edited(demand, ratings, reactive, generators, mode)
            self._solve_current()
            with engine_errors():
                answer = self._engine.preview(*edits.texts())
            unit = words.rating_unit(self.formulation) if ratings and not demand else "MW"
            absolute = bool(generators) and not demand and not ratings
            if generators and absolute and any("cost" in (values or {}) for values in generators.values()):
                unit = "$/MWh"
            ids = self.case._bus_ids, self.case._branch_ids
            return Preview.from_answer(*parted(answer), *ids, unit, absolute=absolute)

    def sensitivity(
        self,
        *unnamed: ElementName,
        bus: ElementName | None = None,
        branch: ElementName | None = None,
        generator: ElementName | None = None,
        value: Literal["p_max", "p_min", "cost"] = "p_max",
    ) -> Sensitivity:
        """Derivatives of all LMPs with respect to the demand at `bus`, the rating of `branch`, or the `value` of `generator`: a limit, or
        the marginal cost in ($/MWh)/($/MWh). ($/MWh)/MW, and for dcopf the interval in which they are exact: of the cost of a unit with
        a cost curve at the current state only. For socwr they are a linear estimate, by a rating in ($/MWh)/MVA, with the interval in which the
        same limits bind.

        For acpf the derivatives of all voltages (pu/MW) and flows with respect to the demand at `bus`, reactive demand following by
        the power factor, with the interval in which the estimated error is below 1e-3 pu, and the demand at which voltages collapse.

        Pass exactly one of `bus`, `branch` and `generator`. Raises EditError for an unknown element and for a generator that is out of
        service, SolveError if no derivative exists.
        """
        call = "study.sensitivity({})"
        what = column_target(self.case, call, unnamed, bus=bus, branch=branch, generator=generator, value=value)
        with self._lock:
            self._solve_current()
            with engine_errors():
                deltas, rates, reactive, generators = self._edits.texts()
                answer = self._engine.sensitivity(self.case.id, deltas, rates, what, reactive, generators)
            head, columns = parted(answer)
            ids = self.case._bus_ids, self.case._branch_ids
            return Sensitivity.from_answer(head, columns, *ids, self._lowest_change(head.get("bus")))

    def track(
        self,
        *unnamed: ElementName,
        bus: ElementName | None = None,
        branch: ElementName | None = None,
        generator: ElementName | None = None,
        value: Literal["p_max", "p_min"] = "p_max",
        to_mw: SupportsFloat,
        from_mw: SupportsFloat | None = None,
        watch: ElementName | None = None,
        explain: bool = True,
        progress: Progress = None,
    ) -> Track:
        """The optimum as the demand at `bus`, the rating of `branch`, or a limit of `generator` (`value`) goes from `from_mw` to `to_mw`,
        with every breakpoint.

        Both ends are in MW, as in edits: changes from the base case, by default from 0, or for a generator the limit itself, by default
        from what it is now. The other edits are fixed, and the Study does not change. `watch` is the bus whose LMP the tables give: by
        default the target or the bus of the generator, or for a rating the bus whose LMP changes most.
        A track stops where the problem becomes infeasible; `stopped` names the conflicting limits and, unless `explain` is False,
        the minimum relaxation that would reach the requested end (two searches, each longer than a solve). A track has at most 500
        breakpoints; if it stops there, `stopped.message` has the call that continues it.
        It can be interrupted. `progress(fraction, at_mw)` is called after each step; by default a tqdm bar is shown after a second, if
        tqdm is installed, and `progress=False` disables it.
        Raises EditError for an unknown element, a generator that is out of service or whose limits would cross at both ends, and an end
        that is not a number, ArgumentError for another `value`, SolveError if the track cannot begin.
        """
        one_of("value", value, ("p_max", "p_min"))
        call = "study.track({}, to_mw=50)"
        what = column_target(self.case, call, unnamed, bus=bus, branch=branch, generator=generator, value=value)
        if from_mw is None:
            from_mw = 0.0 if generator is None else self._limit_mw(generator, value)
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
            track = Track(cast("Study", self), json.loads(text))
            # A commit meanwhile has dropped it.
            if revision == self._revision:
                self._track = weakref.ref(track)
            return track

    def _kept(self, job: Any) -> Any:
        """The result of a track's job, whose path the engine keeps."""
        with self._lock:
            self._require_engine()
            return job.finish(self._engine)

    def _on_track(self, track: Track, ask: Callable[[Any], Any]) -> Any:
        """Answer of the engine about a track, as long as it holds its path; see results/track.py."""
        with self._lock:
            self._require_engine()
            if self._track is None or self._track() is not track:
                raise WattbookError("TRACK.NONE", _DROPPED)
            with engine_errors():
                return ask(self._engine)

    def _limit_mw(self, generator: ElementName, value: str) -> float:
        """A limit of a generator in the current state, MW."""
        row = self.case._generator_keys.known(generator, "GENERATOR.UNKNOWN")
        with self._lock:
            edit = self._edits.generators.get(row, {})
            return float(edit.get(value, self.case._generators.at[row, f"{value}_mw"]))

    def _lowest_change(self, bus: int | None) -> float | None:
        """Lower limit of the demand change at a bus from the current state, MW: to zero, or none if it injects. None for a line."""
        if bus is None:
            return None
        (row,) = np.flatnonzero(self.case._bus_ids == bus)
        now = float(self._solve_current()._columns["demand_mw"].values[row])
        return min(now - self._edits.demand.get(bus, 0.0), 0.0) - now
