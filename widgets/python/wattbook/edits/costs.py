"""Costs that a case does not bring: given by unit or fuel, or typical ones, written into its module and marked there as assumed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from ..arguments import finite, meant, told
from ..errors import EditError
from .variants import Polynomial, polynomial

if TYPE_CHECKING:
    import pandas as pd

    from ..case.case import Case

#: Costs as callers give them; see `Case.with_costs`.
Costs: TypeAlias = "str | pd.DataFrame | pd.Series | Mapping[Any, Any]"


class TypicalCost(NamedTuple):
    """A class of units: fuel, from a size on (MW); heat rate (MMBtu/MWh) times fuel price ($/MMBtu) plus variable cost ($/MWh)."""

    fuel: str
    from_mw: float
    heat_rate: float
    fuel_price: float
    variable: float

    @property
    def cost(self) -> float:
        """$/MWh at half of the output."""
        return round(self.heat_rate * self.fuel_price + self.variable, 2)


#: Round figures for comparisons of places, not for forecasts. The largest size that a unit reaches decides.
TYPICAL = (
    TypicalCost("wind", 0, 0, 0, 0),
    TypicalCost("solar", 0, 0, 0, 0),
    TypicalCost("hydro", 0, 0, 0, 2),
    TypicalCost("geothermal", 0, 0, 0, 5),
    TypicalCost("nuclear", 0, 10.4, 0.7, 2.5),
    TypicalCost("coal", 0, 11.0, 2.5, 6),
    TypicalCost("coal", 300, 10.0, 2.5, 4.5),
    TypicalCost("biomass", 0, 13.0, 3.0, 6),
    TypicalCost("gas", 0, 11.0, 3.5, 5),
    TypicalCost("gas", 100, 8.5, 3.5, 3.5),
    TypicalCost("gas", 300, 7.0, 3.5, 2.5),
    TypicalCost("oil", 0, 11.0, 15.0, 5),
)
#: Fuels by the words that files use; a unit of unknown fuel counts as gas of its size.
_WORDS = {
    "ng": "gas",
    "natural gas": "gas",
    "lng": "gas",
    "ccgt": "gas",
    "ocgt": "gas",
    "thermal": "gas",
    "other": "gas",
    "unknown": "gas",
    "lignite": "coal",
    "hard coal": "coal",
    "bit": "coal",
    "sub": "coal",
    "dfo": "oil",
    "rfo": "oil",
    "diesel": "oil",
    "petroleum": "oil",
    "pv": "solar",
    "onwind": "wind",
    "offwind": "wind",
    "ror": "hydro",
    "water": "hydro",
    "uranium": "nuclear",
    "nuc": "nuclear",
    "wood": "biomass",
    "biogas": "biomass",
    "waste": "biomass",
}
#: Rise of the marginal cost of typical costs from zero to full output, as a fraction: equal units share, instead of a tie.
_SLOPE = 0.1
_COLUMNS = ("cost_c2", "cost_c1", "cost_c0")
_FUEL = ("fuel", "energy_source", "carrier")
_GENFUEL = re.compile(r"^\s*mpc\.genfuel\s*=\s*\{(.*?)\}", re.MULTILINE | re.DOTALL)
_QUOTED = re.compile(r"'((?:[^'\n]|'')*)'|\"([^\"\n]*)\"")


def typical_costs() -> pd.DataFrame:
    """The table of `case.with_costs("typical")`: `cost` in $/MWh by `fuel` and size (`from_mw`, MW of Pmax), made of `heat_rate` (MMBtu/MWh)
    times `fuel_price` ($/MMBtu) plus `variable` ($/MWh). Marginal costs rise by 10 % from zero to full output and are `cost` at half of
    it. These are round figures, so that a price map of a case without costs shows congestion; they describe no real plant.
    """
    import pandas as pd

    frame = pd.DataFrame([{**row._asdict(), "cost": row.cost} for row in TYPICAL])
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


def genfuel(data: bytes) -> list[str]:
    """The fuels of `mpc.genfuel` in a MATPOWER file, by row of `mpc.gen`; empty without."""
    found = _GENFUEL.search(data.decode("utf-8", "replace"))
    return [(a or b).strip() for a, b in _QUOTED.findall(found[1])] if found else []


def module_with_costs(case: Case, costs: Costs, fuels: Mapping[Any, Any] | pd.Series | None) -> str:
    """The module of a case with costs in it; the arguments are those of `Case.with_costs`."""
    module = json.loads(case.module_json)
    generators = module["value"]["data"]["generators"]
    of_fuel = _fuels(case, fuels)
    if isinstance(costs, str) and costs == "typical":
        chosen = _typical(generators, of_fuel)
        told_of = "typical costs by fuel and size"
    else:
        chosen = _given(case, generators, of_fuel, _entries(costs))
        told_of = "given by unit or fuel, not by the file"
    for row, cost in chosen.items():
        generators[row]["cost"] = polynomial(cost)
    units = f"{len(chosen):,} of {len(generators):,} units" if len(generators) != 1 else "the only unit"
    _mark(module, f"The costs of {units} are assumed: {told_of}.")
    return json.dumps(module, separators=(",", ":"), ensure_ascii=False)


def _mark(module: dict[str, Any], sentence: str) -> None:
    """Stores the sentence as a warning, first, in the place of what the reader says of a file without costs."""
    stale = ("WATTBOOK.COST.NO_TABLE", "WATTBOOK.COST.NOT_IN_FORMAT")
    kept = [row for row in module.get("diagnostics", ()) if row["code"] not in stale]
    own = {"severity": "warning", "code": "WATTBOOK.COST.ASSUMED", "message": sentence}
    module["diagnostics"] = [{**row, "id": f"d{k}"} for k, row in enumerate([own, *kept])]


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
    """The row of a generator by its number. Raises EditError `EDIT.UNKNOWN_GENERATOR`."""
    places = case._rows.generators.places
    number = int(name) if isinstance(name, str) and name.strip().isdigit() else name
    try:
        return places[int(number.__index__())]
    except (AttributeError, KeyError):
        last = max(places, default=0)
        raise EditError(
            "EDIT.UNKNOWN_GENERATOR",
            f"There is no generator {told(name)} in this case: its numbers go from 1 to {last}.",
        ) from None


def _typical(generators: Sequence[Mapping[str, Any]], fuels: Sequence[str]) -> dict[int, Polynomial]:
    chosen = {}
    for row, unit in enumerate(generators):
        if unit.get("cost") is not None:
            continue
        size = max(float(unit["pmax"]), 0.0) if np.isfinite(float(unit["pmax"])) else 0.0
        fuel = _WORDS.get(fuels[row], fuels[row])
        classes = [one for one in TYPICAL if one.fuel == fuel] or [one for one in TYPICAL if one.fuel == "gas"]
        cost = [one for one in classes if one.from_mw <= size][-1].cost
        chosen[row] = (_SLOPE * cost / (2 * size) if size > 0 else 0.0, (1 - _SLOPE / 2) * cost, 0.0)
    if not chosen:
        raise EditError(
            "COST.MALFORMED",
            "Every unit has a cost in the file: typical costs are for units without. Give costs by fuel or unit to replace them.",
        )
    return chosen


def _given(
    case: Case, generators: Sequence[Any], fuels: Sequence[str], entries: Sequence[tuple[Any, Any]]
) -> dict[int, Polynomial]:
    """Fuels first, so that a unit's own cost prevails."""
    by_unit: dict[int, Polynomial] = {}
    by_fuel: dict[int, Polynomial] = {}
    for name, cost in entries:
        if isinstance(name, str) and not name.strip().isdigit():
            word = name.strip().casefold()
            rows = [row for row, fuel in enumerate(fuels) if fuel and word in (fuel, _WORDS.get(fuel))]
            if not rows:
                raise _no_fuel(name, fuels)
            by_fuel.update(dict.fromkeys(rows, cost_of(name, cost)))
        else:
            by_unit[unit_row(case, name)] = cost_of(name, cost)
    if not entries:
        raise EditError("COST.MALFORMED", 'There is no cost; give them by fuel, {"gas": 30}, or by unit, {1: 30}.')
    return {row: cost for row, cost in {**by_fuel, **by_unit}.items() if row < len(generators)}


def _no_fuel(name: str, fuels: Sequence[str]) -> EditError:
    known = sorted({fuel for fuel in fuels if fuel})
    if not known:
        return EditError(
            "COST.MALFORMED",
            f"This case does not say the fuels of its units, so {told(name)} has none: give fuels={{1: {name!r}}} as well, or costs by unit.",
        )
    hint = meant(name, known) or f"its fuels are {', '.join(known)}."
    return EditError("COST.MALFORMED", f"No unit of this case has the fuel {told(name)}: {hint}")


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
        f'costs must be "typical", a mapping such as {example}, a DataFrame or a CSV file, not {told(costs)}.',
    )


def _of_frame(frame: pd.DataFrame) -> list[tuple[Any, Any]]:
    """A row for each unit or fuel: its name in a column or the index, and `cost_c1` or `cost`, `cost_c2`, `cost_c0`."""
    key = next((name for name in ("generator", *_FUEL) if name in frame.columns), None)
    names = list(frame.index if key is None else frame[key])
    linear = next((name for name in ("cost_c1", "cost") if name in frame.columns), None)
    if linear is None:
        raise EditError(
            "COST.MALFORMED",
            "A table of costs has a column generator or fuel, and cost_c1 (or cost) in $/MWh; cost_c2 in $/MW²h and cost_c0 in $/h if needed.",
        )
    rows = []
    for name, (_, row) in zip(names, frame.iterrows(), strict=True):
        parts = [row[linear] if part == "cost_c1" else row.get(part, 0.0) for part in _COLUMNS]
        number = finite(name)
        rows.append((int(number) if number is not None and number == int(number) else name, tuple(parts)))
    return rows
