"""Specifications of capacity plans: the objective, the lines that may be raised, and the limits of the search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..arguments import finite, number, told
from ..errors import EditError, InputError
from .edits import ElementName

if TYPE_CHECKING:
    import pandas as pd

    from ..case.case import Case

Weights = Mapping[ElementName, float]


def weights_of(case: Case, weights: Weights | None, area: int | None, demand: pd.Series) -> list[dict[str, Any]]:
    """The weights of an objective as the contract's list: those given, or of all buses (of an area) their share of `demand`, MW by bus.

    Raises InputError `PLAN.SPEC` for an area without demand, EditError `PLAN.SPEC` for weights that are no numbers.
    """
    if weights is not None:
        if area is not None:
            raise EditError("PLAN.SPEC", "Give weights or an area, not both.")
        if not hasattr(weights, "items"):
            raise EditError("PLAN.SPEC", f"weights must be a mapping of bus to weight, not {told(weights)}.")
        return [{"bus": case._bus_keys.target(bus), "weight": _weight(bus, value)} for bus, value in weights.items()]
    chosen = demand[demand > 0]
    if area is not None:
        chosen = chosen[case.buses["area"].reindex(chosen.index) == area]
    if chosen.empty:
        where = "this case" if area is None else f"area {area}"
        raise InputError("PLAN.SPEC", f"No bus of {where} has a demand to weight its price with; give weights.")
    shares = chosen / chosen.sum()
    return [{"bus": int(bus), "weight": float(share)} for bus, share in shares.items()]


def _weight(bus: ElementName, value: object) -> float:
    weight = finite(value)
    if weight is None:
        raise EditError("PLAN.SPEC", f"The weight of bus {bus} is not a finite number: {told(value)}.")
    return weight


def candidates_of(case: Case, lines: Iterable[ElementName] | None, binding: Sequence[int]) -> list[Any]:
    """The lines that may be raised: those given, or those that bind.

    Raises InputError `PLAN.SPEC` where none is given and none binds, EditError for an unknown line.
    """
    if lines is None:
        if not binding:
            raise InputError(
                "PLAN.SPEC", "No line binds, so raising a rating changes no price; name candidates to look anyway."
            )
        return [int(branch) for branch in binding]
    if isinstance(lines, str):
        lines = [lines]
    try:
        return [case._branch_keys.target(line) for line in lines]
    except TypeError:
        raise EditError("PLAN.SPEC", f"candidates must be a list of lines, not {told(lines)}.") from None


def limits_of(
    count: int, increment_mw: float, budget_mw: float, max_increase_mw: float | None, max_lines: int | None, solves: int
) -> dict[str, Any]:
    """The limits of a plan in the contract's fields; the engine checks them. Budget and maximum are multiples of the increment."""
    return {
        "increment_mw": number("increment_mw", increment_mw, "MW"),
        "budget_mw": number("budget_mw", budget_mw, "MW"),
        "max_increase_per_branch_mw": number(
            "max_increase_mw", budget_mw if max_increase_mw is None else max_increase_mw, "MW"
        ),
        "max_changed_lines": _whole("max_lines", count if max_lines is None else max_lines),
        "exact_solve_budget": _whole("solves", solves),
    }


def _whole(name: str, value: object) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__") or value.__index__() < 1:
        raise EditError("PLAN.SPEC", f"{name} must be a whole number of at least 1, not {told(value)}.")
    return value.__index__()
