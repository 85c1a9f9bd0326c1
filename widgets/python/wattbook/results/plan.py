"""Capacity plans: which ratings to raise, with every trial that was solved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..text import words

if TYPE_CHECKING:
    import pandas as pd

    from ..study.study import Study

_ENDS = {
    "solve_budget": "the exact solves are used up",
    "capacity_budget": "the budget is used up",
    "no_improvement": "no further increment lowers the objective",
    "cancelled": "it was cancelled",
}


@dataclass(frozen=True, repr=False)
class CapacityPlan:
    """The best candidate that was verified within the budget: an unapplied proposal, not a global optimum.

    `proposal` maps lines to the increase of their rating in MW (MVA in the SOC relaxation) from the state that the plan started from.
    `objective` is what it lowers, the weighted sum of LMPs ($/MWh times the unit of the weights), at the proposal, and
    `baseline_objective` at the start; `cost` and `baseline_cost` are the costs of the optima, $/h. `exact_solves` counts the
    baseline and every trial; `ended` says why the search is over, `exhausted` whether the exact solves are used up.

    `trials` has index `exact_solve` and one row for each trial, in the order of their solves: `branch`, the line that gets another
    increment; `delta_mw`, what its rating has risen by in all; `predicted`, the change of the objective to first order; `path`, the
    change by the exact path of the rating (DC only); `exact`, the change that the solve found (missing where there is no
    solution); `error`, `error_rel` (of the first order; relative to the exact change); `cost`; `accepted`; `reason`, why it was not. Changes
    are from the best state before the trial. `gradient` has the derivative of the objective by each candidate, per MW, by trial.
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
    spec: Mapping[str, Any]
    _study: Callable[[], Study] = field(repr=False)

    @classmethod
    def from_body(cls, body: Mapping[str, Any], spec: Mapping[str, Any], study: Callable[[], Study]) -> CapacityPlan:
        """From `body`, the contract's `CapacityPlanOutcomeJson`; `spec` is what was asked, `study` makes a Study in the
        state that the plan started from."""
        from ..tables.plans import plan_gradient, plan_trials

        return cls(
            proposal={row["branch"]: row["delta_mw"] for row in body["proposal"]},
            objective=body["best"]["phi"],
            baseline_objective=body["baseline"]["phi"],
            cost=body["best"]["objective"],
            baseline_cost=body["baseline"]["objective"],
            spent_mw=body["spent_budget_mw"],
            exact_solves=body["exact_solves"],
            exhausted=body["exhausted"],
            ended=body["ended"],
            trials=plan_trials(body["trials"]),
            gradient=plan_gradient(body["trials"]),
            spec=spec,
            _study=study,
        )

    def to_study(self) -> Study:
        """A Study of its own with the proposal committed; the Study that was planned on stays as it is."""
        study = self._study()
        study.commit(ratings=self.proposal, mode="increment")
        return study

    def __str__(self) -> str:
        solves = words.count(self.exact_solves, "exact solve")
        change = self.objective - self.baseline_objective
        if not self.proposal:
            return f"no increase lowers the weighted LMP of {words.price(self.baseline_objective)}; {solves}, {_ENDS[self.ended]}"
        lines = ", ".join(f"line {branch} {words.mw(mw, sign=True)} MW" for branch, mw in self.proposal.items())
        return (
            f"best verified within the budget: {lines}; weighted LMP {words.price(self.baseline_objective)} to "
            f"{words.price(self.objective)} ({words.price(change)}); {solves}, {_ENDS[self.ended]}"
        )

    def __repr__(self) -> str:
        return f"<CapacityPlan: {self}>"

    def _repr_html_(self) -> str:
        from ..html.results import plan_html

        return plan_html(self)
