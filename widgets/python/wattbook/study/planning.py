"""What a Study's plan asks of the engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..arguments import told
from ..edits.edits import ElementName
from ..edits.plans import PlanKind, Weights, buses_of, candidates_of, kind_of, limits_of, weights_of
from ..errors import EditError, InputError
from ..text import words

if TYPE_CHECKING:
    from ..case.case import Case
    from ..results.solution import Solution


def planned(
    case: Case,
    solution: Solution,
    spec: Mapping[str, Any] | None,
    kind: PlanKind,
    weights: Weights | None,
    area: int | None,
    candidates: Iterable[ElementName] | None,
    increment_mw: float,
    budget_mw: float,
    max_increase_mw: float | None,
    max_lines: int | None,
    max_buses: int | None,
    solves: int,
) -> dict[str, Any]:
    """The contract's `PlanSpecJson`: `spec` itself, or made of the arguments at the state of `solution`.

    Raises InputError `FORMULATION.UNAVAILABLE` without prices, and EditError `PLAN.SPEC`.
    """
    if spec is not None:
        if not hasattr(spec, "items"):
            raise EditError("PLAN.SPEC", f"spec must be a mapping, not {told(spec)}.")
        if weights is not None or area is not None or candidates is not None or kind != "line_capacity":
            raise EditError("PLAN.SPEC", "Give a spec or its parts, not both.")
        return dict(spec)
    kind = kind_of(kind)
    if "lmp" not in solution._buses:
        said = words.told("formulation.lacks_plans", formulation={"text": solution.formulation})
        raise InputError("FORMULATION.UNAVAILABLE", said)
    demand = solution._buses["demand_mw"].fillna(0.0)
    if kind == "line_capacity":
        branches = solution._branches
        binding = [] if "shadow" not in branches else branches.index[branches["shadow"] > 0].tolist()
        elements = candidates_of(case, candidates, binding)
        most, other = ("max_lines", max_lines), ("max_buses", max_buses)
    else:
        elements = buses_of(case, candidates, area, demand)
        most, other = ("max_buses", max_buses), ("max_lines", max_lines)
    if other[1] is not None:
        raise EditError("PLAN.SPEC", f"{other[0]} is not a limit of {kind}; give {most[0]}.")
    return {
        "objective": {"kind": "weighted_lmp", "weights": weights_of(case, weights, area, demand)},
        "candidates": elements,
        **limits_of(kind, len(elements), increment_mw, budget_mw, max_increase_mw, most, solves),
    }


def scope_of(spec: Mapping[str, Any], weights: Weights | None, area: int | None) -> dict[str, Any]:
    """Whose prices a plan lowers, as its goal says it: the whole network, an area, or the buses with weights."""
    if weights is not None:
        buses = [entry["bus"] for entry in spec["objective"]["weights"]]
        return {"kind": "elements", "elements": [{"kind": "bus", "id": bus} for bus in buses]}
    return {"kind": "network"} if area is None else {"kind": "area", "area": area}
