"""Plans: which ratings to raise, or where demand is to be, with every trial that was solved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from ..text import words

if TYPE_CHECKING:
    import pandas as pd

    from ..study.study import Study

_ENDS = {
    "solve_budget": "the exact solves are used up",
    "capacity_budget": "the budget is used up",
    "demand_budget": "no further move within the limits lowers the objective",
    "element_limit": "no further {element} may change",
    "change_limit": "a {element} that would lower the objective further has its largest change",
    "not_placed": "no candidate can take what is left of the demand",
    "no_improvement": "no further increment is estimated to lower the objective, or none tried does",
    "cancelled": "it was cancelled",
}


@dataclass(frozen=True, repr=False)
class Plan:
    """The best candidate that was verified within the budget: an unapplied proposal, not a global optimum.

    `proposal` maps elements to their change in MW from the state that the plan started from. `objective` is what the plan lowers, the
    weighted sum of LMPs ($/MWh times the unit of the weights), at the proposal, and `baseline_objective` at the start; `cost` and
    `baseline_cost` are the costs of the optima, $/h. `spent_mw` is what of the budget is used. `exact_solves` counts the baseline and
    every trial; `ended` says why the search is over, `exhausted` whether the exact solves are used up.

    `trials` has index `exact_solve` and one row for each trial, in the order of their solves: what it changes; `predicted`, the linear
    estimate of the change of the objective; `path`, the change by the exact path of the step (DC only); `exact`, the change that the solve
    found (missing where there is no solution); `error`, `error_rel` (of the linear estimate; relative to the exact change); `cost`;
    `accepted`; `reason`, why it was not. Changes are from the best state before the trial. Units are in `.attrs["units"]`. `gradient`
    has the derivative of the objective by each candidate, per MW, by trial; `changes` all that a trial changes, MW by element.
    """

    proposal: dict[int, float]
    objective: float
    baseline_objective: float
    cost: float
    baseline_cost: float
    spent_mw: float
    exact_solves: int
    exhausted: bool
    ended: str
    trials: pd.DataFrame
    gradient: pd.DataFrame
    changes: pd.DataFrame
    spec: Mapping[str, Any]
    _study: Callable[[], Study] = field(repr=False)
    #: That of the changes: MW, of ratings in the SOC relaxation MVA.
    _unit: str = field(default="MW", repr=False)

    #: `branch` or `bus`.
    element: ClassVar[str]

    def to_study(self) -> Study:
        """A new Study with the proposal committed; the original Study does not change."""
        study = self._study()
        self._commit(study)
        return study

    def _commit(self, study: Study) -> None:
        raise NotImplementedError

    def _nothing(self) -> str:
        raise NotImplementedError

    def _changes(self) -> str:
        return ", ".join(
            f"{self._name()} {id} {words.mw(mw, sign=True)} {self._unit}" for id, mw in self.proposal.items()
        )

    def _steps(self) -> list[str]:
        """What each trial changes, in words."""
        raise NotImplementedError

    def __str__(self) -> str:
        solves = words.count(self.exact_solves, "exact solve")
        change = self.objective - self.baseline_objective
        if not self.proposal:
            return f"{self._nothing()}; {solves}, {self._end()}"
        return (
            f"best verified within the budget: {self._changes()}; weighted LMP {words.price(self.baseline_objective)} to "
            f"{words.price(self.objective)} ({words.price(change)}); {solves}, {self._end()}"
        )

    def _end(self) -> str:
        return _ENDS[self.ended].format(element=self._name())

    def _name(self) -> str:
        return "line" if self.element == "branch" else "bus"

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"

    def _repr_html_(self) -> str:
        from ..html.results import plan_html

        return plan_html(self)


class CapacityPlan(Plan):
    """A plan of line capacity; amounts are MVA in the SOC relaxation. In `trials`, `branch` is the line that gets another increment,
    and `delta_mw` the total increase of its rating.
    """

    element = "branch"

    def _commit(self, study: Study) -> None:
        study.commit(ratings=self.proposal, mode="increment")

    def _nothing(self) -> str:
        objective = words.price(self.baseline_objective)
        if self.trials.empty:
            return f"no increase was tried from the weighted LMP of {objective}"
        return f"no increase that was tried lowers the weighted LMP of {objective}"

    def _steps(self) -> list[str]:
        rows = self.trials.itertuples()
        return [f"Line {row.branch} {words.mw(row.delta_mw, sign=True)} {self._unit}" for row in rows]


class DemandPlan(Plan):
    """A plan of demand. In `trials`, `delta_mw` moves from `from_bus` to `to_bus`; where `from_bus` is missing, it is placed there. A
    placement that is not complete proposes nothing.
    """

    element = "bus"

    @property
    def kind(self) -> str:
        """`demand_placement` or `demand_redistribution`."""
        return str(self.spec["kind"])

    def _commit(self, study: Study) -> None:
        study.commit(demand=self.proposal, mode="increment")

    def _nothing(self) -> str:
        if self.kind == "demand_placement":
            return "the demand is not placed"
        return f"no move of demand lowers the weighted LMP of {words.price(self.baseline_objective)}"

    def _steps(self) -> list[str]:
        def told(row: Any) -> str:
            if row.placed:
                return f"Bus {row.to_bus} {words.mw(row.delta_mw, sign=True)} MW"
            return f"Bus {row.from_bus} to {row.to_bus}, {words.mw(row.delta_mw)} MW"

        rows = self.trials.assign(placed=self.trials["from_bus"].isna()).itertuples()
        return [told(row) for row in rows]


def plan_of(body: Mapping[str, Any], spec: Mapping[str, Any], formulation: str, study: Callable[[], Study]) -> Plan:
    """The plan of `body`, the contract's `PlanOutcomeJson`; `spec` is what was asked of a formulation, `study` makes a Study in the state that the plan
    started from."""
    from ..tables.plans import capacity_trials, demand_trials, plan_changes, plan_gradient

    of_demand = "kind" in body
    plan, table = (DemandPlan, demand_trials) if of_demand else (CapacityPlan, capacity_trials)
    unit = "MW" if of_demand else words.rating_unit(formulation)
    rows = body["trials"]
    return plan(
        proposal={row[plan.element]: row["delta_mw"] for row in body["proposal"]},
        objective=body["best"]["phi"],
        baseline_objective=body["baseline"]["phi"],
        cost=body["best"]["objective"],
        baseline_cost=body["baseline"]["objective"],
        spent_mw=body["spent_budget_mw"],
        exact_solves=body["exact_solves"],
        exhausted=body["exhausted"],
        ended=body["ended"],
        trials=table(rows, unit),
        gradient=plan_gradient(rows, plan.element, unit),
        changes=plan_changes(rows, plan.element, unit),
        spec=spec,
        _study=study,
        _unit=unit,
    )
