"""Targets: the bus, branch or generator of a sensitivity, the bus or branch of a track or an LMP decomposition, the demand that a
loadability lets grow."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..arguments import one_of, told, truth
from ..errors import EditError
from .edits import ElementName

if TYPE_CHECKING:
    from ..case.case import Case

#: Values of a generator that LMPs are differentiated by.
GENERATOR_VALUES = ("p_max", "p_min", "cost")


def target(
    case: Case,
    call: str,
    unnamed: Sequence[ElementName],
    bus: ElementName | None,
    branch: ElementName | None,
) -> str:
    """The contract's `SensTarget` as JSON: one bus or one branch by its original id.

    `call` is an example call with `{}` for the target. Raises EditError: `TARGET.MALFORMED` unless exactly one is named,
    `BUS.UNKNOWN`, `BRANCH.UNKNOWN`.
    """
    if unnamed:
        raise EditError(
            "TARGET.MALFORMED",
            f"Say whether {told(unnamed[0])} is a bus or a branch: {call.format(f'bus={unnamed[0]!r}')} or "
            f"{call.format(f'branch={unnamed[0]!r}')}.",
        )
    if (bus is None) == (branch is None):
        example = call.format(f"bus={case._bus_keys.example}")
        raise EditError("TARGET.MALFORMED", f"Name one bus or one branch: {example}.")
    if branch is None:
        return json.dumps({"bus": case._bus_keys.target(bus)})
    return json.dumps({"branch": case._branch_keys.target(branch)})


def column_target(
    case: Case,
    call: str,
    unnamed: Sequence[ElementName],
    *,
    bus: ElementName | None,
    branch: ElementName | None,
    generator: ElementName | None,
    value: str,
) -> str:
    """As `target`, of a generator too: `value` is `p_max`, `p_min` or `cost`.

    Raises EditError as `target`, and `GENERATOR.UNKNOWN`; ArgumentError for another value.
    """
    if generator is None:
        return target(case, call, unnamed, bus, branch)
    if unnamed or bus is not None or branch is not None:
        example = call.format(f"generator={case._generator_keys.example}")
        raise EditError("TARGET.MALFORMED", f"Name one bus, one branch or one generator: {example}.")
    row = case._generator_keys.known(generator, "GENERATOR.UNKNOWN")
    return json.dumps({"generator": row, "value": one_of("value", value, GENERATOR_VALUES)})


def growth(case: Case, bus: ElementName | None, area: int | None, system: bool) -> str:
    """The contract's `LoadabilityTarget` as JSON.

    Raises EditError `TARGET.MALFORMED` unless exactly one of the three is named, `BUS.UNKNOWN`.
    """
    if (bus is not None) + (area is not None) + bool(truth("system", system)) != 1:
        example = f"study.loadability(bus={case._bus_keys.example})"
        raise EditError("TARGET.MALFORMED", f"Name one bus, one area or system=True: {example}.")
    if bus is not None:
        return json.dumps({"bus": case._bus_keys.target(bus)})
    if area is None:
        return json.dumps({"system": True})
    if isinstance(area, bool) or not hasattr(area, "__index__") or area.__index__() < 0:
        raise EditError("TARGET.MALFORMED", f"An area is a whole number, not {told(area)}.")
    return json.dumps({"area": area.__index__()})
