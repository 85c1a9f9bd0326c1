"""Assumed costs: as callers give them, in mappings, tables or CSV files. The engine writes them into the module and marks them as assumed."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from ..arguments import finite, foreign_frame, formatted, meant
from ..errors import Advice, EditError, InputError
from ..files import files
from ..native import engine, engine_errors
from ..text import words
from ..text.words import visible
from ..threads import apart

if TYPE_CHECKING:
    import pandas as pd

    from ..network import Network

#: Coefficients of a cost in $/h for an output of p MW: c2 p^2 + c1 p + c0.
Polynomial: TypeAlias = tuple[float, float, float]
#: Costs in the forms that callers may use; see `Case.with_costs`.
Costs: TypeAlias = "str | pd.DataFrame | pd.Series | Mapping[Any, Any]"

_COLUMNS = ("cost_c2", "cost_c1", "cost_c0")
#: Columns of a table that name its generators or fuels.
_NAMES = ("generator", "fuel", "energy_source", "carrier")


def typical_costs() -> pd.DataFrame:
    """The table of `case.with_costs("typical")`: `cost` in $/MWh by `fuel` and size (`from_mw`, MW of Pmax), computed
    as `heat_rate` (MMBtu/MWh) times `fuel_price` ($/MMBtu) plus `variable` ($/MWh). Marginal costs rise by 10 % from
    zero to full output and equal `cost` at half output. These are round figures, so that a price map of a case without
    costs shows congestion; they describe no real plant."""
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


def costs_are_assumed(network: Network) -> bool:
    """Whether costs of a case, or some of them, are assumed."""
    return any(warning.code == "COST.ASSUMED" for warning in network.warnings)


def not_contained(network: Network) -> str:
    """The remarks in every answer of a case: equipment that the reader dropped, and assumed costs. The text is appended
    to a sentence, with a semicolon before each part."""
    left_out = [warning.message.rstrip(".") for warning in network.warnings if warning.code == "INPUT.LEFT_OUT"]
    return "".join(f"; {part}" for part in [*left_out, *(["costs are assumed"] if costs_are_assumed(network) else [])])


def cost_of(name: Any, cost: Any) -> Polynomial:
    """A cost as coefficients: $/MWh, or (c2, c1) or (c2, c1, c0). Raises EditError `COST.MALFORMED`; `name` is for its message."""
    parts = list(cost) if isinstance(cost, (Sequence, np.ndarray)) and not isinstance(cost, str) else [0.0, cost]
    numbers = [finite(part) for part in parts]
    whose = repr(name) if isinstance(name, str) else f"generator {name}"
    if len(numbers) not in (2, 3) or None in numbers:
        raise EditError(
            "COST.MALFORMED",
            f"The cost of {whose} must be $/MWh, or (c2, c1, c0) in $/MW²h, $/MWh and $/h, not {formatted(cost)}.",
        )
    c2, c1, c0 = [*(number for number in numbers if number is not None), 0.0][:3]
    if c2 < 0:
        raise EditError("COST.MALFORMED", f"The cost of {whose} is not convex: c2 is {c2:g}.")
    return c2, c1, c0


def module_with_costs(
    network: Network, costs: Costs | os.PathLike[str] | bytes, fuels: Mapping[Any, Any] | pd.Series | None
) -> str:
    """The module of a case with costs; the arguments are those of `Case.with_costs`."""
    return _assumed(network, costs, fuels, "assume_costs")


def _assumed(
    network: Network,
    costs: Costs | os.PathLike[str] | bytes,
    fuels: Mapping[Any, Any] | pd.Series | None,
    call: Literal["assume_costs", "cost_edits"],
) -> str:
    if isinstance(costs, (str, os.PathLike, bytes)) and costs != "typical":
        costs = read_costs(costs)
    request: dict[str, Any] = {}
    if not (isinstance(costs, bytes) or (isinstance(costs, str) and costs == "typical")):
        request["given"] = _given(network, costs)
    known = _fuels(network, fuels)
    if any(known):
        request["fuels"] = known
    try:
        with engine_errors() as native:
            # An empty table makes the engine use the request.
            table = costs if isinstance(costs, bytes) else b""
            answer: str = apart(getattr(native, call), network.module_json, json.dumps(request), table)
            return answer
    except EditError as error:
        raise _hinted(error) from None


def cost_edits(
    network: Network, costs: Costs | os.PathLike[str] | bytes | None, fuels: Mapping[Any, Any] | pd.Series | None
) -> dict[int, Any] | None:
    """The same costs as edits, `{"cost", "c2"}` by generator; None without costs. Raises EditError `COST.MALFORMED` also for a
    constant term, and for fuels without costs."""
    if costs is None and fuels is None:
        return None
    if costs is None:
        raise EditError("COST.MALFORMED", "fuels name the fuels that costs are given by: give costs too.")
    edits: dict[str, Any] = json.loads(_assumed(network, costs, fuels, "cost_edits"))
    return {int(generator): edit for generator, edit in edits.items()}


def _fuels(network: Network, fuels: Mapping[Any, Any] | pd.Series | None) -> list[str]:
    """The fuel of each generator in lower case; empty if unknown."""
    found = [str(name or "").casefold() for name in network._rows.energy_sources] or [""] * len(
        network._rows.generators
    )
    if fuels is None:
        return found
    if not hasattr(fuels, "items"):
        raise EditError("COST.MALFORMED", f"fuels must be a mapping of generator to fuel, not {formatted(fuels)}.")
    for name, fuel in fuels.items():
        found[unit_row(network, name)] = str(fuel).strip().casefold()
    return found


def unit_row(network: Network, name: Any) -> int:
    """The row of a generator by its number, uid or name. Raises EditError `GENERATOR.UNKNOWN`, `GENERATOR.MALFORMED`."""
    return network._rows.generators.places[network._generator_keys.known(name, "GENERATOR.UNKNOWN")]  # type: ignore[index]


def _given(network: Network, costs: Any) -> list[dict[str, Any]]:
    """The contract's `GivenCost[]`. Raises EditError `COST.MALFORMED` if a generator or a fuel has two costs, as may
    happen in a CSV file."""
    given: list[dict[str, Any]] = []
    rows: dict[Any, int] = {}
    for row, (name, cost) in enumerate(_entries(costs), 1):
        one = _given_cost(network, name, cost)
        first = rows.setdefault(one.get("generator") or str(one["fuel"]).strip().casefold(), row)
        if first != row:
            twice = {"first": {"count": first}, "whose": {"text": visible(str(name))}}
            why = {"message": {"key": "costs.twice", "values": twice}}
            raise EditError("COST.MALFORMED", words.message("costs.in_row", row={"count": row}, why=why))
        given.append(one)
    return given


def _given_cost(network: Network, name: Any, cost: Any) -> dict[str, Any]:
    c2, c1, c0 = cost_of(name, cost)
    of = (
        {"fuel": name}
        if isinstance(name, str) and not name.strip().isdigit()
        else {"generator": unit_row(network, name) + 1}
    )
    return {**of, "c2": c2, "c1": c1, "c0": c0}


def _hinted(error: EditError) -> EditError:
    """The error of an unknown fuel with a suggestion."""
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
        f'costs must be "typical", a mapping such as {example}, a DataFrame or a CSV file, not {foreign_frame(costs) or formatted(costs)}.',
    )


def _of_frame(frame: pd.DataFrame) -> list[tuple[Any, Any]]:
    """One row per generator or fuel: its name in a column, or in an index of that name, and `cost_c1` or `cost`,
    `cost_c2`, `cost_c0`."""
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


def read_costs(source: files.Source) -> bytes:
    """The bytes of a CSV file. Raises EditError `COST.MALFORMED`, InputError `INPUT.EMPTY` and as for reading files."""
    if isinstance(source, str) and not Path(source).suffix and not files.is_file(Path(source)):
        hint = meant(source, ["typical"])
        raise EditError(
            "COST.MALFORMED", f'{formatted(source)} is neither a file nor "typical"{f": {hint}" if hint else "."}'
        )
    path, data = files.content(source)
    # With an empty table the engine would assume typical costs.
    if not data.strip():
        name = "" if path is None else f" {visible(path.name)}"
        raise InputError("INPUT.EMPTY", f"The cost file{name} is empty.")
    return data
