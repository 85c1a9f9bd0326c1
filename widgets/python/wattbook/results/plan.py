"""Plans: ratings to raise, or demand to place or move, with every trial that was solved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
import pandas as pd

from ..tables.networks import Rows
from ..text import words
from ..text.html import TOP_ROWS, sentence, shown, table

#: The class of Study that `study.plan` was called on, which is defined above this module.
Study = TypeVar("Study")

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
class Plan(Generic[Study]):
    """The best verified candidate within the budget: an unapplied proposal, not a global optimum.

    `proposal` maps elements to their change in MW from the state that the plan started from. `objective` is the
    weighted sum of LMPs that the plan lowers ($/MWh times the unit of the weights), at the proposal, and
    `baseline_objective` at the start; `cost` and `baseline_cost` are the costs of the optima, $/h. `spent_mw` is the
    used part of the budget. `exact_solves` counts the baseline and every trial; `ended` is why the search ended,
    `exhausted` whether the exact solves are exhausted.

    With new circuits among the candidates, `circuits` has those of the proposal, and `choices` one row for every choice of them within
    the budget: `circuits` in words, `capacity_mw`, the `objective` with the best ratings beside them, `cost`, `spent_mw`, `exact_solves`,
    and `reason` where there is no solution.

    `trials` has index `exact_solve` and one row per trial, in the order of their solves: the change; `predicted`, the
    linear estimate of the change of the objective; `path`, its change along the exact path of the step (DC only);
    `exact`, its change in the solve (missing without a solution); `error`, `error_rel` (of the linear estimate;
    relative to the exact change); `cost`; `accepted`; `reason`, why it was not accepted. Changes are from the best
    state before the trial. Units are in `.attrs["units"]`. `gradient` has the derivative of the objective by each
    candidate, per MW, by trial; `changes` all changes of a trial, MW by element.
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
    #: Unit of the changes: MW, for ratings in the SOC relaxation MVA.
    _unit: str = field(default="MW", repr=False)
    #: The new circuits of the proposal, `wb.Branch`; the changes of `proposal` and `trials` are beside them.
    circuits: tuple[Any, ...] = ()
    #: One row for each choice of circuits within the budget; None where no circuit was a candidate.
    choices: pd.DataFrame | None = None

    #: `branch` or `bus`.
    element: ClassVar[str]

    def to_study(self) -> Study:
        """A new Study with the proposal committed; the original Study does not change."""
        study = self._study()
        self._commit(study)
        return study

    def _commit(self, study: Any) -> None:
        raise NotImplementedError

    def _nothing(self) -> str:
        raise NotImplementedError

    def _changes(self) -> str:
        raised = [f"{self._name()} {id} {words.mw(mw, sign=True)} {self._unit}" for id, mw in self.proposal.items()]
        return ", ".join([*map(circuit_name, self.circuits), *raised])

    def _steps(self) -> list[str]:
        """The changes of each trial, in words."""
        raise NotImplementedError

    def __str__(self) -> str:
        solves = words.count(self.exact_solves, "exact solve")
        change = self.objective - self.baseline_objective
        if not self.proposal and not self.circuits:
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

        return plan_html(self)


class CapacityPlan(Plan[Study]):
    """A plan of line capacity; amounts are MVA in the SOC relaxation. In `trials`, `branch` is the line that receives
    another increment, and `delta_mw` the total increase of its rating."""

    element = "branch"

    def _commit(self, study: Any) -> None:
        study.commit(ratings=self.proposal, mode="increment")

    def _nothing(self) -> str:
        objective = words.price(self.baseline_objective)
        if self.trials.empty:
            return f"no increase was tried from the weighted LMP of {objective}"
        return f"no increase that was tried lowers the weighted LMP of {objective}"

    def _steps(self) -> list[str]:
        rows = self.trials.itertuples()
        return [f"Line {row.branch} {words.mw(row.delta_mw, sign=True)} {self._unit}" for row in rows]


class DemandPlan(Plan[Study]):
    """A plan of demand. In `trials`, `delta_mw` moves from `from_bus` to `to_bus`, or is placed at `to_bus` if
    `from_bus` is missing. An incomplete placement proposes nothing."""

    element = "bus"

    @property
    def kind(self) -> str:
        """`demand_placement` or `demand_redistribution`."""
        return str(self.spec["kind"])

    def _commit(self, study: Any) -> None:
        study.commit(demand=self.proposal, mode="increment")

    def _nothing(self) -> str:
        if self.kind == "demand_placement":
            return "the demand is not placed"
        return f"no move of demand lowers the weighted LMP of {words.price(self.baseline_objective)}"

    def _steps(self) -> list[str]:
        def step(row: Any) -> str:
            if row.placed:
                return f"Bus {row.to_bus} {words.mw(row.delta_mw, sign=True)} MW"
            return f"Bus {row.from_bus} to {row.to_bus}, {words.mw(row.delta_mw)} MW"

        rows = self.trials.assign(placed=self.trials["from_bus"].isna()).itertuples()
        return [step(row) for row in rows]


def plan_of(
    body: Mapping[str, Any], spec: Mapping[str, Any], formulation: str, study: Callable[[], Study]
) -> Plan[Study]:
    """The plan of `body`, the contract's `PlanOutcomeJson`; `spec` is its specification, `study` creates a Study in the
    state that the plan started from."""

    of_demand = "kind" in body
    plan: type[Plan[Study]] = DemandPlan if of_demand else CapacityPlan
    trials = demand_trials if of_demand else capacity_trials
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
        trials=trials(rows, unit),
        gradient=plan_gradient(rows, plan.element, unit),
        changes=plan_changes(rows, plan.element, unit),
        spec=spec,
        _study=study,
        _unit=unit,
    )


def circuit_name(circuit: Any) -> str:
    """A new circuit in words."""
    if circuit.name is not None:
        return f"circuit {circuit.name!r}"
    if circuit.copy_of is not None:
        return f"a circuit parallel to line {circuit.copy_of}"
    return f"a circuit from bus {circuit.from_bus} to bus {circuit.to_bus}"


def circuit_plan(
    choices: Sequence[Any], request: Mapping[str, Any], formulation: str, study: Callable[[Any], Callable[[], Study]]
) -> Plan[Study]:
    """The plan of the best of `choices` (`session.circuit_plans.Choice`), the first of which has no circuits. `study` makes the
    constructor of a Study from the start of a choice."""
    solved = [choice for choice in choices if choice.outcome is not None]
    # Of equal objectives, the one with fewer new circuits.
    best = min(solved, key=lambda choice: (round(choice.outcome["best"]["phi"], 9), choice.mw))
    frame = pd.DataFrame(
        {
            "circuits": pd.array([", ".join(map(circuit_name, choice.circuits)) for choice in choices], dtype="string"),
            "capacity_mw": np.array([choice.mw for choice in choices]),
            **{
                name: np.array([np.nan if one.outcome is None else one.outcome["best"][key] for one in choices])
                for name, key in (("objective", "phi"), ("cost", "objective"))
            },
            "spent_mw": np.array(
                [np.nan if one.outcome is None else one.mw + one.outcome["spent_budget_mw"] for one in choices]
            ),
            "exact_solves": np.array([1 if one.outcome is None else one.outcome["exact_solves"] for one in choices]),
            "reason": pd.array([choice.reason for choice in choices], dtype="string"),
        },
        index=pd.RangeIndex(len(choices), name="choice"),
    )
    unit = words.rating_unit(formulation)
    frame.attrs["units"] = {"capacity_mw": unit, "objective": "$/MWh", "cost": "$/h", "spent_mw": unit}
    found = plan_of(best.outcome, request, formulation, study(best.start))
    before = choices[0].outcome["baseline"]
    return replace(
        found,
        baseline_objective=before["phi"],
        baseline_cost=before["objective"],
        spent_mw=best.mw + found.spent_mw,
        exact_solves=int(frame["exact_solves"].sum()),
        circuits=best.circuits,
        choices=frame,
    )


def plan_html(found: Plan[Any]) -> str:
    """The sentence, and the first trials."""
    rows = [
        (
            step,
            words.price(row.predicted),
            "" if row.exact != row.exact else words.price(row.exact),
            "accepted" if row.accepted else str(row.reason),
        )
        for step, row in zip(found._steps(), found.trials.head(TOP_ROWS).itertuples(), strict=False)
    ]
    if len(found.trials) > TOP_ROWS:
        rows.append((f"and {words.count(len(found.trials) - TOP_ROWS, 'more trial')}", "", "", ""))
    head = ("Trial", "predicted, $/MWh", "exact", "")
    return shown(sentence(str(found)) + (table(head, rows) if rows else ""))


def _index(rows: Rows) -> pd.Index:
    return pd.Index(np.array([row["exact_solve"] for row in rows], dtype=np.int64), name="exact_solve")


def _results(rows: Rows) -> dict[str, object]:
    """The results of trials by exact solve; values that a trial lacks are missing."""

    def values(name: str) -> np.ndarray:
        return np.array([np.nan if row.get(name) is None else row[name] for row in rows], dtype=np.float64)

    reasons = [None if row["reason"] is None else row["reason"]["message"] for row in rows]
    return {
        "predicted": values("predicted_phi_delta"),
        "path": values("path_phi_delta"),
        "exact": values("exact_phi_delta"),
        "error": values("first_order_error"),
        "error_rel": values("first_order_error_rel"),
        "cost": values("objective"),
        "accepted": np.array([row["accepted"] for row in rows], dtype=bool),
        "reason": pd.array(reasons, dtype="string"),
    }


def _frame(rows: Rows, columns: dict[str, object], unit: str) -> pd.DataFrame:
    frame = pd.DataFrame({**columns, **_results(rows)}, index=_index(rows))
    change = dict.fromkeys(("predicted", "path", "exact", "error"), "$/MWh")
    frame.attrs["units"] = {"delta_mw": unit, **change, "error_rel": "1", "cost": "$/h"}
    return frame


def capacity_trials(rows: Rows, unit: str) -> pd.DataFrame:
    """Trials of line capacity by exact solve; `unit` is the unit of ratings."""

    def total(row: dict[str, object]) -> float:
        branch = row["line"]["branch"]  # type: ignore[index]
        return next(one["delta_mw"] for one in row["delta_mw"] if one["branch"] == branch)  # type: ignore[attr-defined, no-any-return]

    return _frame(
        rows,
        {
            "branch": np.array([row["line"]["branch"] for row in rows], dtype=np.int64),
            "delta_mw": np.array([total(dict(row)) for row in rows], dtype=np.float64),
        },
        unit,
    )


def demand_trials(rows: Rows, unit: str) -> pd.DataFrame:
    """Trials of demand by exact solve; `unit` is the unit of demand."""

    def ends(row: dict[str, object], sign: int) -> object:
        found = [one["bus"] for one in row["step"] if sign * one["delta_mw"] > 0]  # type: ignore[attr-defined]
        return found[0] if found else pd.NA

    def moved(row: dict[str, object]) -> float:
        return sum(max(one["delta_mw"], 0.0) for one in row["step"])  # type: ignore[attr-defined]

    return _frame(
        rows,
        {
            "from_bus": pd.array([ends(dict(row), -1) for row in rows], dtype="Int64"),
            "to_bus": pd.array([ends(dict(row), 1) for row in rows], dtype="Int64"),
            "delta_mw": np.array([moved(dict(row)) for row in rows], dtype=np.float64),
        },
        unit,
    )


def plan_changes(rows: Rows, element: str, unit: str) -> pd.DataFrame:
    """All changes of each trial, in `unit` by `element` (`branch` or `bus`), for the elements that any trial changes."""
    values = [{one[element]: one["delta_mw"] for one in row["delta_mw"]} for row in rows]
    frame = pd.DataFrame(values, index=_index(rows), dtype=np.float64).fillna(0.0).sort_index(axis="columns")
    frame.columns.name = element
    frame.attrs["units"] = unit
    return frame


def plan_gradient(rows: Rows, element: str, unit: str) -> pd.DataFrame:
    """Derivatives of the objective by candidate, by trial."""
    values = [{one[element]: one["value"] for one in row["gradient"]} for row in rows]
    frame = pd.DataFrame(values, index=_index(rows), dtype=np.float64)
    frame.columns.name = element
    frame.attrs["units"] = f"($/MWh)/{unit}"
    return frame
