"""Quantities that colour the buses and lines of a map, with the numbers of a solution."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..quantities_generated import QUANTITIES, SAME_PRICE, TIGHT_CONE_GAP, VOLTAGE_TOLERANCE_PU
from ..text import words
from .colours import Scale, amount_scale, category_scale, change_scale, magnitude_scale, price_scale

if TYPE_CHECKING:
    from ..results.sensitivity import Sensitivity
    from ..results.solution import Solution

#: The default of the lines: their loading class.
LOADING = "loading"


@dataclass(frozen=True)
class Drawn:
    """A quantity of one solution: `values` by row of the case, NaN for elements without one."""

    title: str
    unit: str
    values: np.ndarray
    scale: Scale | None
    note: str = ""


@dataclass(frozen=True)
class _Rule:
    title: str
    unit: str
    #: Engine columns that it is computed from.
    needs: tuple[str, ...]
    values: Callable[[Solution], np.ndarray]
    scale: Callable[[np.ndarray], Scale | None]


def _column(name: str) -> Callable[[Solution], np.ndarray]:
    return lambda solution: np.asarray(solution._columns[name].values, dtype=float)


def _nonzero(name: str) -> Callable[[Solution], np.ndarray]:
    return lambda solution: np.where(_column(name)(solution) == 0, np.nan, _column(name)(solution))


def _by_bus(name: str) -> Callable[[Solution], np.ndarray]:
    def values(solution: Solution) -> np.ndarray:
        rows = solution.case._rows
        sums = np.full(len(rows.buses), np.nan)
        buses = rows.generators.integers("generator_bus").tolist()
        for bus, output in zip(buses, _column(name)(solution), strict=True):
            if np.isfinite(output):
                at = rows.buses.places[bus]
                sums[at] = np.nan_to_num(sums[at]) + output
        return sums

    return values


def _net_injection(solution: Solution) -> np.ndarray:
    """Generation minus demand."""
    return np.asarray(np.nan_to_num(_by_bus("dispatch_mw")(solution)) - _column("demand_mw")(solution))


def _kind(name: str) -> Callable[[Solution], np.ndarray]:
    return lambda solution: np.asarray(solution.case._rows.buses.numbers(name), dtype=float)


def _excess(solution: Solution) -> np.ndarray:
    """Distance of voltages outside their limits, positive above the upper one; zero between them."""
    magnitudes, low, high = (_column(name)(solution) for name in ("vm_pu", "vm_min_pu", "vm_max_pu"))
    over, under = magnitudes - high, magnitudes - low
    inside = np.where(np.isfinite(magnitudes), 0.0, np.nan)
    return np.where(over > VOLTAGE_TOLERANCE_PU, over, np.where(under < -VOLTAGE_TOLERANCE_PU, under, inside))


def _on_lines(values: np.ndarray) -> Scale | None:
    return amount_scale(values, lines=True)


_SCALES: Mapping[str, Callable[[np.ndarray], Scale | None]] = {
    "price": price_scale,
    "change": change_scale,
    "magnitude": magnitude_scale,
    "amount": amount_scale,
    "branch": _on_lines,
    "category": category_scale,
}


def _ruled(rules: Mapping[str, Callable[[Solution], np.ndarray]]) -> dict[str, _Rule]:
    """Rules of the engine's table, each with the values of a solution."""
    found = {}
    for name, values in rules.items():
        _, title, unit, scale, needs = QUANTITIES[name]
        found[name] = _Rule(title, _written(unit), needs, values, _SCALES[scale])
    return found


def _written(unit: str) -> str:
    return "p.u." if unit == "pu" else unit


def _size(name: str) -> Callable[[Solution], np.ndarray]:
    return lambda solution: np.abs(_column(name)(solution))


def _losses(solution: Solution) -> np.ndarray:
    return np.asarray(_column("flow_mw")(solution) + _column("flow_to_mw")(solution))


def _gaps(solution: Solution) -> np.ndarray:
    """Gaps of the cones that are not tight, per cent."""
    gaps = _column("cone_gap")(solution)
    return np.where(gaps < TIGHT_CONE_GAP, np.nan, 100 * gaps)


def _binding(solution: Solution) -> np.ndarray:
    shadow = _column("shadow")(solution)
    return np.where(shadow > 0, shadow, np.nan)


_BUSES = _ruled(
    {
        "lmp": _column("lmp"),
        "voltage": _column("vm_pu"),
        "voltage_excess": _excess,
        "angle": lambda solution: np.degrees(_column("va_rad")(solution)),
        "demand": _nonzero("demand_mw"),
        "reactive_demand": _nonzero("demand_mvar"),
        "generation": _by_bus("dispatch_mw"),
        "net_injection": _net_injection,
        "area": _kind("area"),
        "zone": _kind("zone"),
        "reactive_generation": _by_bus("dispatch_mvar"),
        **{name: _column(name) for name in ("lmp_security", "lmp_without_security")},
        **{name: _column(name) for name in ("lmp_q", "lmp_losses", "lmp_congestion", "lmp_voltage")},
    }
)
_LINES = _ruled(
    {
        "flow": _size("flow_mw"),
        "reactive_flow": _size("flow_mvar"),
        "losses": _losses,
        "cone_gap": _gaps,
        "shadow": _binding,
    }
)


def bus_quantity(solution: Solution, name: str) -> Drawn | None:
    """A bus quantity; if it is absent the price, or in a power flow the voltage, as on the map."""
    for wanted in (name, "lmp", "voltage"):
        rule = _BUSES.get(wanted) or _plain(solution, wanted, "bus")
        if rule is not None and all(need in solution._columns for need in rule.needs):
            values = rule.values(solution)
            if not np.isfinite(values).any():
                continue
            if wanted == "voltage":
                return _voltages(solution, rule, values)
            return Drawn(rule.title, rule.unit, values, rule.scale(values), _signed_note(wanted, values))
    return None


#: Names of the parameters of derivatives, as in the page.
_BY = {"demand": "dd", "rating": "dfmax", "p_max": "dPmax", "p_min": "dPmin", "cost": "dc"}


def sensitivity_quantity(solution: Solution, sensitivity: Sensitivity) -> Drawn:
    """The derivatives of the prices, or of the voltages of a power flow, by the selected element."""
    rows = solution.case._rows.buses.places
    values = np.full(len(rows), np.nan)
    known = sensitivity.values
    values[[rows[bus] for bus in known.index]] = known.to_numpy()
    of = "dVm" if str(known.name).startswith("dvm") else "dLMP"
    title = f"{of}/{_BY[sensitivity.parameter]}, {words.element(sensitivity.element)}"
    return Drawn(title, sensitivity.units, values, change_scale(values))


def change_quantity(solution: Solution, base: Solution) -> Drawn:
    """The price changes from another solution of the case."""
    values = _column("lmp")(solution) - _column("lmp")(base)
    changed = np.abs(np.nan_to_num(values)).max(initial=0) >= SAME_PRICE
    return Drawn(
        "Change from the base case",
        _BUSES["lmp"].unit,
        values,
        change_scale(values),
        "" if changed else "no change",
    )


def rating_change_quantity(solution: Solution, ratings: Mapping[Any, float]) -> Drawn:
    """The changes of the ratings from the base case, by branch id."""
    values = np.array([ratings.get(branch, np.nan) for branch in solution.case._branch_ids.tolist()], dtype=float)
    unit = "MVA" if "rating_mva" in solution._columns else "MW"
    title = QUANTITIES["rating_change"].title
    return Drawn(title, unit, values, change_scale(values), "" if ratings else "none is changed")


def line_quantity(solution: Solution, name: str) -> Drawn | None:
    """A line quantity; None if lines only show their class."""
    rule = _LINES.get(name) or _plain(solution, name, "branch")
    if rule is None or not all(need in solution._columns for need in rule.needs):
        return None
    values = rule.values(solution)
    unit = solution._branches.attrs["units"]["shadow"] if name == "shadow" else rule.unit
    note = ""
    if name == "cone_gap":
        gaps = _column("cone_gap")(solution)
        note = f"{int((gaps < TIGHT_CONE_GAP).sum()):,} of {int(np.isfinite(gaps).sum()):,} lines are tight"
    elif name == "shadow" and not np.isfinite(values).any():
        note = "no line binds"
    return Drawn(rule.title, unit, values, rule.scale(values), note)


def _plain(solution: Solution, name: str, element: str) -> _Rule | None:
    """An engine column without rules of its own, under its name."""
    column = solution._columns.get(name)
    if column is None or column.element != element or name == LOADING:
        return None
    on_lines = element == "branch"
    return _Rule(
        f"Lines: {name}" if on_lines else name,
        _written(column.unit),
        (name,),
        _column(name),
        _on_lines if on_lines else amount_scale,
    )


def _voltages(solution: Solution, rule: _Rule, values: np.ndarray) -> Drawn:
    """Magnitudes, the most common limits, and the number of buses outside their own limits."""
    if not all(name in solution._columns for name in ("vm_min_pu", "vm_max_pu")):
        return Drawn(rule.title, rule.unit, values, magnitude_scale(values))
    low, high = (_most_frequent(_column(name)(solution)) for name in ("vm_min_pu", "vm_max_pu"))
    if low is None or high is None or not high > low:
        return Drawn(rule.title, rule.unit, values, magnitude_scale(values))
    excess = _excess(solution)
    below, above = int((excess < 0).sum()), int((excess > 0).sum())
    outside = "all within" if below + above == 0 else f"{below:,} below, {above:,} above"
    return Drawn(
        rule.title,
        rule.unit,
        values,
        magnitude_scale(values),
        f"limits {low:.3f} to {high:.3f}: {outside}",
    )


def _most_frequent(values: np.ndarray) -> float | None:
    found, counts = np.unique(values[np.isfinite(values)], return_counts=True)
    return float(found[counts.argmax()]) if found.size else None


def _signed_note(name: str, values: np.ndarray) -> str:
    if name == "voltage_excess" and not np.nan_to_num(values).any():
        return "every voltage is within its limits"
    return ""
