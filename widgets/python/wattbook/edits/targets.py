"""Targets: the bus, branch, generator, HVDC link or interface of a sensitivity or track, the bus or branch of LMP components, the demand that grows
in a loadability calculation, and the objective, the candidates and the limits of a plan."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

from ..arguments import finite, formatted, number, one_of, truth, whole
from ..errors import EditError, InputError, WattbookError, error_for
from ..network import ElementName, Elements
from ..text import words

if TYPE_CHECKING:
    import pandas as pd

    from ..network import Network

#: Values of generators and HVDC links that LMPs can be differentiated by, the default first.
GENERATOR_VALUES = ("p_max", "p_min", "cost")
#: The phase shift as a value of a branch.
SHIFT = "shift"
#: Limits of interfaces, the default first.
INTERFACE_VALUES = ("max_mw", "min_mw")


def interface_value(value: str) -> str:
    """The limit of an interface that `value` names; the default of other elements stands for that of interfaces."""
    return INTERFACE_VALUES[0] if value == GENERATOR_VALUES[0] else value


def target(network: Network, kind: Literal["bus", "branch"], name: ElementName | None, call: str) -> str:
    """The contract's `SensTarget` as JSON: a bus or a branch by its original id.

    `call` is an example call with `{}` for the target. Raises EditError: `TARGET.MALFORMED` for None, `BUS.UNKNOWN`, `BRANCH.UNKNOWN`.
    """
    elements = network._bus_keys if kind == "bus" else network._branch_keys
    if name is None:
        raise EditError("TARGET.MALFORMED", f"Name a {kind}: {call.format(elements.example)}.")
    return json.dumps({kind: elements.target(name)})


def column_target(
    network: Network,
    call: str,
    unnamed: Sequence[ElementName],
    *,
    bus: ElementName | None,
    branch: ElementName | None,
    generator: ElementName | None,
    link: ElementName | None,
    interface: str | None,
    value: str,
) -> str:
    """The contract's `SensTarget` as JSON: one bus, the rating of one branch or with the `value` `shift` its phase shift, or the `value` of one
    generator or one HVDC link, `p_max`, `p_min` or `cost`, or of one interface, `max_mw` or `min_mw`.

    `call` is an example call with `{}` for the target. Raises EditError: `TARGET.MALFORMED` unless exactly one is named, and for a
    `value` of another kind of element, `BUS.UNKNOWN`, `BRANCH.UNKNOWN`, `GENERATOR.UNKNOWN`, `LINK.UNKNOWN`; ArgumentError for another
    value.
    """
    if unnamed:
        calls = [call.format(f"{kind}={formatted(unnamed[0])}") for kind in ("bus", "branch", "generator", "link")]
        raise EditError(
            "TARGET.MALFORMED",
            f"Say whether {formatted(unnamed[0])} is a bus, a branch, a generator or a link: {', '.join(calls[:3])} or {calls[3]}.",
        )
    if sum(name is not None for name in (bus, branch, generator, link, interface)) != 1:
        example = call.format(f"bus={network._bus_keys.example}")
        raise EditError("TARGET.MALFORMED", f"Name one bus, branch, generator, link or interface: {example}.")
    one_of("value", value, (*GENERATOR_VALUES, SHIFT, *INTERFACE_VALUES))
    if interface is not None:
        limit = interface_value(value)
        if not isinstance(interface, str):
            raise EditError("TARGET.MALFORMED", f"The name of an interface is a text, not {formatted(interface)}.")
        if limit not in INTERFACE_VALUES:
            raise EditError("TARGET.MALFORMED", f"An interface has no {value}: its values are max_mw and min_mw.")
        return json.dumps({"interface": interface, "value": limit})
    if value in INTERFACE_VALUES:
        example = call.format(f'interface="North", value={value!r}')
        raise EditError("TARGET.MALFORMED", f"{value} is a value of an interface, and none is named: {example}.")
    if value == SHIFT:
        if branch is None:
            example = call.format(f"branch={network._branch_keys.example}, value={value!r}")
            raise EditError("TARGET.MALFORMED", f"A phase shift is a value of a branch, and none is named: {example}.")
        return json.dumps({"branch": network._branch_keys.target(branch), "value": SHIFT})
    if generator is not None:
        return json.dumps({"generator": network._generator_keys.known(generator, "GENERATOR.UNKNOWN"), "value": value})
    if link is not None:
        return json.dumps({"link": network._link_keys.known(link, "LINK.UNKNOWN"), "value": value})
    if value != GENERATOR_VALUES[0]:
        example = call.format(f"generator={network._generator_keys.example}, value={value!r}")
        raise EditError(
            "TARGET.MALFORMED", f"{value} is a value of a generator or a link, and none is named: {example}."
        )
    return target(network, "bus", bus, call) if branch is None else target(network, "branch", branch, call)


def growth(network: Network, bus: ElementName | None, area: int | None, system: bool) -> str:
    """The contract's `LoadabilityTarget` as JSON.

    Raises EditError `TARGET.MALFORMED` unless exactly one of the three is named, `BUS.UNKNOWN`.
    """
    if (bus is not None) + (area is not None) + bool(truth("system", system)) != 1:
        example = f"study.loadability(bus={network._bus_keys.example})"
        raise EditError("TARGET.MALFORMED", f"Name one bus, one area or system=True: {example}.")
    if bus is not None:
        return json.dumps({"bus": network._bus_keys.target(bus)})
    if area is None:
        return json.dumps({"system": True})
    if isinstance(area, bool) or not hasattr(area, "__index__") or area.__index__() < 0:
        raise EditError("TARGET.MALFORMED", f"An area is a whole number, not {formatted(area)}.")
    return json.dumps({"area": area.__index__()})


Weights = Mapping[ElementName, float]
PlanKind = Literal["line_capacity", "demand_placement", "demand_redistribution"]


def weights_of(network: Network, weights: Weights | None, area: int | None, demand: pd.Series) -> list[dict[str, Any]]:
    """The weights of an objective as the contract's list: the given ones, or for all buses (of an area) their share of
    `demand`, MW by bus.

    Raises EditError `PLAN.SPEC` for an area without demand and for invalid weights.
    """
    if weights is not None:
        if area is not None:
            raise EditError("PLAN.SPEC", "Give weights or an area, not both.")
        if not hasattr(weights, "items"):
            raise EditError("PLAN.SPEC", f"weights must be a mapping of bus to weight, not {formatted(weights)}.")
        return [{"bus": network._bus_keys.target(bus), "weight": _weight(bus, value)} for bus, value in weights.items()]
    chosen = demand[demand > 0]
    if area is not None:
        chosen = chosen[network._buses["area"].reindex(chosen.index) == area]
    if chosen.empty:
        where = "this case" if area is None else f"area {area}"
        raise EditError("PLAN.SPEC", f"No bus of {where} has a demand to weight its price with; give weights.")
    shares = chosen / chosen.sum()
    return [{"bus": int(bus), "weight": float(share)} for bus, share in shares.items()]


def _weight(bus: ElementName, value: object) -> float:
    weight = finite(value)
    if weight is None:
        raise EditError("PLAN.SPEC", f"The weight of bus {bus} is not a finite number: {formatted(value)}.")
    return weight


def candidates_of(network: Network, lines: Iterable[ElementName] | None, binding: Sequence[int]) -> list[Any]:
    """The lines that may be raised: the given ones, or the binding ones.

    Raises EditError `PLAN.SPEC` if there are neither, and for an unknown line.
    """
    if lines is None:
        if not binding:
            raise EditError(
                "PLAN.SPEC", "No line binds, so raising a rating changes no price; name candidates to look anyway."
            )
        return [int(branch) for branch in binding]
    return _named(network._branch_keys, lines, "lines")


def buses_of(network: Network, buses: Iterable[ElementName] | None, area: int | None, demand: pd.Series) -> list[Any]:
    """The buses whose demand may change: the given ones, or those with editable demand (of an area).

    Raises EditError `PLAN.SPEC` if none has a demand, and for an unknown bus.
    """
    if buses is None:
        chosen = demand[(demand > 0) & network._buses["editable"].reindex(demand.index)]
        if area is not None:
            chosen = chosen[network._buses["area"].reindex(chosen.index) == area]
        if chosen.empty:
            raise EditError("PLAN.SPEC", "No bus has a demand; name candidates.")
        return [int(bus) for bus in chosen.index]
    return _named(network._bus_keys, buses, "buses")


def _named(elements: Elements, names: Iterable[ElementName], what: str) -> list[Any]:
    """The candidates that a caller names."""
    try:
        found = [elements.target(name) for name in ([names] if isinstance(names, str) else names)]
    except TypeError:
        raise EditError("PLAN.SPEC", f"candidates must be a list of {what}, not {formatted(names)}.") from None
    if not found:
        raise EditError("PLAN.SPEC", f"candidates is empty: name {what}, or leave it out.")
    return found


def kind_of(kind: object) -> PlanKind:
    """A valid kind of plan. Raises EditError `PLAN.SPEC` for anything else."""
    for known in get_args(PlanKind):
        if kind == known:
            return known  # type: ignore[no-any-return]
    raise EditError("PLAN.SPEC", f"kind must be one of {', '.join(get_args(PlanKind))}, not {formatted(kind)}.")


def limits_of(
    kind: PlanKind,
    count: int,
    increment_mw: float,
    budget_mw: float,
    max_increase_mw: float | None,
    most: tuple[str, int | None],
    solves: int,
) -> dict[str, Any]:
    """The limits of a plan in the contract's fields, which the engine checks. Budget and maximum are multiples of the
    increment.

    `most` is how many of the `count` candidates may change, with the name of the argument.
    """
    budget = number("budget_mw", budget_mw, "MW")
    each = budget if max_increase_mw is None else number("max_increase_mw", max_increase_mw, "MW")
    changed = whole(most[0], count if most[1] is None else most[1], least=1, code="PLAN.SPEC")
    own = (
        {"max_increase_per_branch_mw": each, "max_changed_lines": changed}
        if kind == "line_capacity"
        else {"kind": kind, "max_change_per_bus_mw": each, "max_changed_buses": changed}
    )
    return {
        "increment_mw": number("increment_mw", increment_mw, "MW"),
        "budget_mw": budget,
        **own,
        "exact_solve_budget": whole("solves", solves, least=1, code="PLAN.SPEC"),
    }


def in_arguments(error: WattbookError, each: str) -> WattbookError:
    """The engine's refusal of limits in terms of the arguments of `study.plan`; `each` is the argument that limits one
    element."""
    names = {
        "max_increase_per_branch_mw": each,
        "max_change_per_bus_mw": each,
        "max_changed_lines": "max_lines",
        "max_changed_buses": "max_buses",
        "exact_solve_budget": "solves",
    }
    message = error.message
    for field, name in names.items():
        message = message.replace(field, name)
    return error_for(error.code, message, error.element, error.details)


def planned(
    network: Network,
    formulation: str,
    buses: pd.DataFrame,
    shadows: pd.Series | None,
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
    circuits: bool = False,
) -> dict[str, Any]:
    """The contract's `PlanSpecJson`: `spec` itself, or built from the arguments for the state whose solution has these
    `buses` and, by branch, these shadow prices of ratings. With `circuits` among the candidates, none need be a line.

    Raises InputError `FORMULATION.UNAVAILABLE` without prices, and EditError `PLAN.SPEC`.
    """
    if spec is not None:
        if not hasattr(spec, "items"):
            raise EditError("PLAN.SPEC", f"spec must be a mapping, not {formatted(spec)}.")
        if weights is not None or area is not None or candidates is not None or kind != "line_capacity":
            raise EditError("PLAN.SPEC", "Give a spec or its parts, not both.")
        return dict(spec)
    kind = kind_of(kind)
    if "lmp" not in buses:
        message = words.message("formulation.lacks_plans", formulation={"text": formulation})
        raise InputError("FORMULATION.UNAVAILABLE", message)
    demand = buses["demand_mw"].fillna(0.0)
    if kind == "line_capacity":
        binding = [] if shadows is None else shadows.index[shadows > 0].tolist()
        elements = [] if circuits and candidates == [] else candidates_of(network, candidates, binding)
        most, other = ("max_lines", max_lines), ("max_buses", max_buses)
    else:
        elements = buses_of(network, candidates, area, demand)
        most, other = ("max_buses", max_buses), ("max_lines", max_lines)
    if other[1] is not None:
        raise EditError("PLAN.SPEC", f"{other[0]} is not a limit of {kind}; give {most[0]}.")
    return {
        "objective": {"kind": "weighted_lmp", "weights": weights_of(network, weights, area, demand)},
        "candidates": elements,
        **limits_of(kind, max(1, len(elements)), increment_mw, budget_mw, max_increase_mw, most, solves),
    }


def scope_of(spec: Mapping[str, Any], weights: Weights | None, area: int | None) -> dict[str, Any]:
    """The scope of a goal, whose prices the plan lowers: the whole network, an area, or the buses with weights."""
    if weights is not None:
        buses = [entry["bus"] for entry in spec["objective"]["weights"]]
        return {"kind": "elements", "elements": [{"kind": "bus", "id": bus} for bus in buses]}
    return {"kind": "network"} if area is None else {"kind": "area", "area": area}
