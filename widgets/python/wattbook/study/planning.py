"""What a Study's capacity plan asks of the engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..arguments import told
from ..edits.edits import ElementName
from ..edits.plans import Weights, candidates_of, limits_of, weights_of
from ..errors import EditError

if TYPE_CHECKING:
    from ..case.case import Case
    from ..results.solution import Solution


def planned(
    case: Case,
    solution: Solution,
    spec: Mapping[str, Any] | None,
    weights: Weights | None,
    area: int | None,
    candidates: Iterable[ElementName] | None,
    increment_mw: float,
    budget_mw: float,
    max_increase_mw: float | None,
    max_lines: int | None,
    solves: int,
) -> dict[str, Any]:
    """The contract's `CapacityPlanSpecJson`: `spec` itself, or made of the arguments at the state of `solution`."""
    if spec is not None:
        if not hasattr(spec, "items"):
            raise EditError("PLAN.SPEC", f"spec must be a mapping, not {told(spec)}.")
        if weights is not None or area is not None or candidates is not None:
            raise EditError("PLAN.SPEC", "Give a spec or its parts, not both.")
        return dict(spec)
    branches = solution.branches
    binding = [] if "shadow" not in branches else branches.index[branches["shadow"] > 0].tolist()
    lines = candidates_of(case, candidates, binding)
    demand = solution.buses["demand_mw"].fillna(0.0)
    return {
        "objective": {"kind": "weighted_lmp", "weights": weights_of(case, weights, area, demand)},
        "candidates": lines,
        **limits_of(len(lines), increment_mw, budget_mw, max_increase_mw, max_lines, solves),
    }
