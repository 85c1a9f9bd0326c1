"""Targets: the bus, branch, generator or HVDC link of a sensitivity or track, the bus or branch of LMP components, the demand that grows
in a loadability calculation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from ..arguments import formatted, one_of, truth
from ..errors import EditError
from ..network.elements import ElementName

if TYPE_CHECKING:
    from ..network.network import Network

#: Values of generators and HVDC links that LMPs can be differentiated by, the default first.
GENERATOR_VALUES = ("p_max", "p_min", "cost")
#: The phase shift as a value of a branch.
SHIFT = "shift"


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
    value: str,
) -> str:
    """The contract's `SensTarget` as JSON: one bus, the rating of one branch or with the `value` `shift` its phase shift, or the `value` of one
    generator or one HVDC link, `p_max`, `p_min` or `cost`.

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
    if sum(name is not None for name in (bus, branch, generator, link)) != 1:
        example = call.format(f"bus={network._bus_keys.example}")
        raise EditError("TARGET.MALFORMED", f"Name one bus, one branch, one generator or one link: {example}.")
    one_of("value", value, (*GENERATOR_VALUES, SHIFT))
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
