"""Costs that a case does not bring, as callers give them; the engine writes them into its module and marks them there as assumed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..advice import Advice
from ..arguments import finite, foreign_frame, meant, told
from ..errors import EditError
from ..native import engine, engine_errors
from ..text import words
from ..text.visible import visible
from ..threads import apart
from .variants import Polynomial

if TYPE_CHECKING:
    import pandas as pd

    from ..case.case import Case

#: Costs as callers give them; see `Case.with_costs`.
Costs: TypeAlias = "str | pd.DataFrame | pd.Series | Mapping[Any, Any]"


_COLUMNS = ("cost_c2", "cost_c1", "cost_c0")
#: What a table calls its units or fuels.
_NAMES = ("generator", "fuel", "energy_source", "carrier")


def typical_costs() -> pd.DataFrame:
    """The table of `case.with_costs("typical")`: `cost` in $/MWh by `fuel` and size (`from_mw`, MW of Pmax), made of `heat_rate` (MMBtu/MWh)
    times `fuel_price` ($/MMBtu) plus `variable` ($/MWh). Marginal costs rise by 10 % from zero to full output and are `cost` at half of
    it. These are round figures, so that a price map of a case without costs shows congestion; they describe no real plant.
    """
    import pandas as pd

    frame = pd.DataFrame(json.loads(engine().typical_costs()))
    frame["fuel"] = frame["fuel"].astype("string")
    frame.attrs["units"] = {
        "from_mw": "MW",
        "heat_rate": "MMBtu/MWh",
        "fuel_price": "$/MMBtu",
        "variable": "$/MWh",
        "cost": "$/MWh",
    }
    return frame


def costs_are_assumed(case: Case) -> bool:
    """Whether costs of a case, or some of them, are assumed."""
    return any(warning.code == "COST.ASSUMED" for warning in case.warnings)


def not_contained(case: Case) -> str:
    """What every answer of a case says of itself: what the reader left out of the file, and that costs are assumed. It follows a
    sentence, with a semicolon before each part."""
    left_out = [warning.message.rstrip(".") for warning in case.warnings if warning.code == "INPUT.LEFT_OUT"]
    return "".join(f"; {part}" for part in [*left_out, *(["costs are assumed"] if costs_are_assumed(case) else [])])


def cost_of(name: Any, cost: Any) -> Polynomial:
    """A cost as coefficients: $/MWh, or (c2, c1) or (c2, c1, c0). Raises EditError `COST.MALFORMED`; `name` is for its message."""
    parts = list(cost) if isinstance(cost, (Sequence, np.ndarray)) and not isinstance(cost, str) else [0.0, cost]
    numbers = [finite(part) for part in parts]
    whose = repr(name) if isinstance(name, str) else f"generator {name}"
    if len(numbers) not in (2, 3) or None in numbers:
        raise EditError(
            "COST.MALFORMED",
            f"The cost of {whose} must be $/MWh, or (c2, c1, c0) in $/MW²h, $/MWh and $/h, not {told(cost)}.",
        )
    c2, c1, c0 = [*(number for number in numbers if number is not None), 0.0][:3]
    if c2 < 0:
        raise EditError("COST.MALFORMED", f"The cost of {whose} is not convex: c2 is {c2:g}.")
    return c2, c1, c0


def module_with_costs(case: Case, costs: Costs | bytes, fuels: Mapping[Any, Any] | pd.Series | None) -> str:
    """The module of a case with costs in it; the arguments are those of `Case.with_costs`, and the bytes of a CSV file, which are not empty."""
    asked: dict[str, Any] = {}
    if not (isinstance(costs, bytes) or (isinstance(costs, str) and costs == "typical")):
        asked["given"] = _given(case, costs)
    known = _fuels(case, fuels)
    if any(known):
        asked["fuels"] = known
    try:
        with engine_errors() as native:
            # Without a table the engine takes what is asked.
            table = costs if isinstance(costs, bytes) else b""
            module: str = apart(native.assume_costs, case.module_json, json.dumps(asked), table)
            return module
    except EditError as error:
        raise _hinted(error) from None


def _fuels(case: Case, fuels: Mapping[Any, Any] | pd.Series | None) -> list[str]:
    """The fuel of each unit in small letters; empty where nothing says it."""
    found = [str(name or "").casefold() for name in case._rows.energy_sources] or [""] * len(case._rows.generators)
    if fuels is None:
        return found
    if not hasattr(fuels, "items"):
        raise EditError("COST.MALFORMED", f"fuels must be a mapping of generator to fuel, not {told(fuels)}.")
    for name, fuel in fuels.items():
        found[unit_row(case, name)] = str(fuel).strip().casefold()
    return found


def unit_row(case: Case, name: Any) -> int:
    """The row of a generator by its number. Raises EditError `GENERATOR.UNKNOWN`."""
    places = case._rows.generators.places
    number = int(name) if isinstance(name, str) and name.strip().isdigit() else name
    try:
        return places[int(number.__index__())]
    except (AttributeError, KeyError):
        last = max(places, default=0)
        raise EditError(
            "GENERATOR.UNKNOWN",
            f"There is no generator {told(name)} in this case: its numbers go from 1 to {last}.",
        ) from None


def _given(case: Case, costs: Any) -> list[dict[str, Any]]:
    """The contract's `GivenCost[]`. Raises EditError `COST.MALFORMED` where a unit or a fuel has two costs, as in a CSV file."""
    given: list[dict[str, Any]] = []
    rows: dict[Any, int] = {}
    for row, (name, cost) in enumerate(_entries(costs), 1):
        one = _given_cost(case, name, cost)
        first = rows.setdefault(one.get("generator") or str(one["fuel"]).strip().casefold(), row)
        if first != row:
            twice = {"first": {"count": first}, "whose": {"text": visible(str(name))}}
            why = {"message": {"key": "costs.twice", "values": twice}}
            raise EditError("COST.MALFORMED", words.told("costs.in_row", row={"count": row}, why=why))
        given.append(one)
    return given


def _given_cost(case: Case, name: Any, cost: Any) -> dict[str, Any]:
    c2, c1, c0 = cost_of(name, cost)
    of = (
        {"fuel": name}
        if isinstance(name, str) and not name.strip().isdigit()
        else {"generator": unit_row(case, name) + 1}
    )
    return {**of, "c2": c2, "c1": c1, "c0": c0}


def _hinted(error: EditError) -> EditError:
    """The error of an unknown fuel with what may have been meant."""
    details = error.details or {}
    name, known = details.get("fuel"), details.get("fuels")
    if name is None:
        return error
    if not known:
        fuels = Advice(f"Give fuels={{1: {name!r}}} as well", "Give a CSV file with the columns generator and cost_c1")
        return EditError(error.code, fuels.within(f"{error.message} ", "."), details=details)
    hint = meant(name, known)
    return EditError(error.code, f"{error.message} {hint[0].upper()}{hint[1:]}", details=details) if hint else error


def _entries(costs: Any) -> list[tuple[Any, Any]]:
    """Names and costs, from a mapping, a table or a CSV file."""
    import pandas as pd

    if isinstance(costs, pd.DataFrame):
        return _of_frame(costs)
    if hasattr(costs, "items"):
        return list(costs.items())
    example = '{"coal": 25}'
    raise EditError(
        "COST.MALFORMED",
        f'costs must be "typical", a mapping such as {example}, a DataFrame or a CSV file, not {foreign_frame(costs) or told(costs)}.',
    )


def _of_frame(frame: pd.DataFrame) -> list[tuple[Any, Any]]:
    """A row for each unit or fuel: its name in a column, or in an index that is called like one, and `cost_c1` or `cost`, `cost_c2`, `cost_c0`."""
    key = next((name for name in _NAMES if name in frame.columns), None)
    linear = next((name for name in ("cost_c1", "cost") if name in frame.columns), None)
    if linear is None or (key is None and frame.index.name not in _NAMES):
        raise EditError(
            "COST.MALFORMED",
            "A table of costs has a column generator or fuel, and cost_c1 (or cost) in $/MWh; cost_c2 in $/MW²h and cost_c0 in $/h if needed.",
        )
    names = list(frame.index if key is None else frame[key])
    rows = []
    for name, (_, row) in zip(names, frame.iterrows(), strict=True):
        parts = [row[linear] if part == "cost_c1" else row.get(part, 0.0) for part in _COLUMNS]
        number = finite(name)
        rows.append((int(number) if number is not None and number == int(number) else name, tuple(parts)))
    return rows
