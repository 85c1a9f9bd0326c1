"""Plans with new circuits: every choice of circuits within the budget is solved exactly, with a plan of ratings of its own."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ..edits.added import Branch
from ..edits.edits import edited
from ..errors import EditError, SolveError
from ..jobs import Progress, closing, finished, reporter
from ..native import engine_errors
from ..text import words
from ..threads import stop_if_cancelled
from .session import Session, Start

if TYPE_CHECKING:
    from ..network import Network

#: Most choices of circuits; each is another network, which takes a solve from scratch.
MOST_CHOICES = 64


@dataclass(frozen=True)
class Choice:
    """Some circuits, their capacity in MW, and what came of them: the contract's `PlanOutcomeJson`, or why there is no solution."""

    circuits: tuple[Branch, ...]
    mw: float
    start: Start
    outcome: Mapping[str, Any] | None
    reason: str | None


def parted(candidates: Any) -> tuple[list[Branch], Any]:
    """The new circuits among the candidates of a plan, and the others."""
    if candidates is None or isinstance(candidates, str) or not hasattr(candidates, "__iter__"):
        return [], candidates
    named = list(candidates)
    circuits = [one for one in named if isinstance(one, Branch)]
    return circuits, [one for one in named if not isinstance(one, Branch)]


def circuit_choices(
    start: Start,
    circuits: Sequence[Branch],
    request: Mapping[str, Any],
    progress: Progress,
) -> list[Choice]:
    """Every choice of `circuits` within the budget of `request`, the contract's `PlanSpecJson`, without circuits first.

    What circuits leave of the budget is spent on the ratings of the candidates of `request`, if it has any. Raises EditError
    `PLAN.SPEC` for a circuit without a rating and for too many choices, and the codes of added elements.
    """
    network = start.network
    capacity = [_capacity(network, circuit) for circuit in circuits]
    budget = float(request["budget_mw"])
    chosen = [
        rows
        for count in range(len(circuits) + 1)
        for rows in combinations(range(len(circuits)), count)
        if sum(capacity[row] for row in rows) <= budget * (1 + 1e-9)
    ]
    if len(chosen) > MOST_CHOICES:
        raise EditError(
            "PLAN.SPEC",
            f"{len(circuits)} circuits have {len(chosen)} choices within the budget, and each takes a solve: "
            f"name fewer circuits, or lower budget_mw, so that there are at most {MOST_CHOICES}.",
        )
    report = reporter(progress, text=lambda step: words.count(len(found), "choice"))
    found: list[Choice] = []
    with closing(report):
        for rows in chosen:
            stop_if_cancelled()
            own = tuple(circuits[row] for row in rows)
            mw = sum(capacity[row] for row in rows)
            begun = replace(start, edits=edited(start.edits, network, add=own))
            try:
                outcome = _outcome(begun(False), request, budget - mw)
                found.append(Choice(own, mw, begun, outcome, None))
            except SolveError as error:
                found.append(Choice(own, mw, begun, None, error.message))
            report({"fraction": len(found) / len(chosen)})
    return found


def _capacity(network: Network, circuit: Branch) -> float:
    """What a circuit takes from the budget: its rating, MW."""
    if circuit.rating is not None:
        return float(circuit.rating)
    rating = math.inf
    if circuit.copy_of is not None:
        row = network._branch_keys.known(circuit.copy_of, "BRANCH.UNKNOWN")
        rating = float(network._branches.at[row, "rating_mw"])
    if not math.isfinite(rating):
        raise EditError("PLAN.SPEC", "A circuit counts in the budget by its rating: give wb.Branch a rating in MW.")
    return rating


def _outcome(session: Session, request: Mapping[str, Any], left_mw: float) -> Mapping[str, Any]:
    """The plan of ratings of a state with `left_mw` of the budget, or the state itself where no rating can rise; frees the session."""
    try:
        increment = float(request["increment_mw"])
        budget = increment * math.floor(left_mw / increment + 1e-9)
        if request["candidates"] and budget > 0.0:
            spec = {
                **request,
                "budget_mw": budget,
                "max_increase_per_branch_mw": min(budget, float(request["max_increase_per_branch_mw"])),
            }
            with session.lock:
                session.solution()
                with engine_errors() as native:
                    job = native.Job.plan(session.native(), json.dumps(spec))
            text, _ = finished(job, lambda step: None)
            outcome: Mapping[str, Any] = json.loads(text)
            return outcome
        with session.lock:
            solution = session.solution()
        prices = solution._buses["lmp"]
        phi = sum(entry["weight"] * float(prices[entry["bus"]]) for entry in request["objective"]["weights"])
        state = {"phi": phi, "objective": solution.objective}
        return {
            "baseline": state,
            "best": state,
            "proposal": [],
            "trials": [],
            "spent_budget_mw": 0.0,
            "exact_solves": 1,
            "exhausted": False,
            "ended": "no_improvement" if request["candidates"] else "capacity_budget",
        }
    finally:
        session.free()
