"""What a map colours its buses and lines by: names, units and numbers as in the page (widgets/src/map/colour/quantities.ts)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..text import words
from .colours import Scale, amount_scale, category_scale, change_scale, magnitude_scale, price_scale

if TYPE_CHECKING:
    from ..results.sensitivity import Sensitivity
    from ..results.solution import Solution

#: What lines are coloured by unless something else is asked for: their class.
LOADING = "loading"
#: Cones with a smaller gap are tight.
_TIGHT = 1e-6
#: Voltages this far outside their limits, per unit, are at them.
_TOLERANCE_PU = 1e-6
#: Changes of all prices below this, $/MWh, are rounding.
_SAME_PRICE = 1e-6


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
    #: Columns of the engine that it is made of.
    needs: tuple[str, ...]
    values: Callable[[Solution], np.ndarray]
    scale: Callable[[np.ndarray], Scale | None]
    #: Its unit where that is not the one of its first column.
    converted: str | None = None

    def unit(self, solution: Solution) -> str:
        own = solution._columns[self.needs[0]].unit if self.converted is None else self.converted
        return "p.u." if own == "pu" else own


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
    """How far voltages are outside their limits, above zero over the upper one; zero between them."""
    magnitudes, low, high = (_column(name)(solution) for name in ("vm_pu", "vm_min_pu", "vm_max_pu"))
    over, under = magnitudes - high, magnitudes - low
    inside = np.where(np.isfinite(magnitudes), 0.0, np.nan)
    return np.where(over > _TOLERANCE_PU, over, np.where(under < -_TOLERANCE_PU, under, inside))


def _on_lines(values: np.ndarray) -> Scale | None:
    return amount_scale(values, lines=True)


_BUSES: Mapping[str, _Rule] = {
    "lmp": _Rule("Price", ("lmp",), _column("lmp"), price_scale),
    "voltage": _Rule("Voltage magnitude", ("vm_pu",), _column("vm_pu"), magnitude_scale),
    "voltage_excess": _Rule("Voltage outside its limits", ("vm_pu", "vm_min_pu", "vm_max_pu"), _excess, change_scale),
    "angle": _Rule(
        "Voltage angle", ("va_rad",), lambda solution: np.degrees(_column("va_rad")(solution)), amount_scale, "degrees"
    ),
    "demand": _Rule("Demand", ("demand_mw",), _nonzero("demand_mw"), amount_scale),
    "reactive_demand": _Rule("Reactive demand", ("demand_mvar",), _nonzero("demand_mvar"), change_scale),
    "generation": _Rule("Generation", ("dispatch_mw",), _by_bus("dispatch_mw"), amount_scale),
    "net_injection": _Rule("Net injection", ("dispatch_mw", "demand_mw"), _net_injection, change_scale),
    "area": _Rule("Area", ("demand_mw",), _kind("area"), category_scale, ""),
    "zone": _Rule("Zone", ("demand_mw",), _kind("zone"), category_scale, ""),
    "reactive_generation": _Rule("Reactive generation", ("dispatch_mvar",), _by_bus("dispatch_mvar"), change_scale),
    "lmp_q": _Rule("Reactive price", ("lmp_q",), _column("lmp_q"), change_scale),
    "lmp_losses": _Rule("Price: losses", ("lmp_losses",), _column("lmp_losses"), change_scale),
    "lmp_congestion": _Rule("Price: congestion", ("lmp_congestion",), _column("lmp_congestion"), change_scale),
    "lmp_voltage": _Rule("Price: voltage limits", ("lmp_voltage",), _column("lmp_voltage"), change_scale),
}

_LINES: Mapping[str, _Rule] = {
    "flow": _Rule("Lines: flow", ("flow_mw",), lambda s: np.abs(_column("flow_mw")(s)), _on_lines),
    "reactive_flow": _Rule(
        "Lines: reactive flow", ("flow_mvar",), lambda s: np.abs(_column("flow_mvar")(s)), _on_lines
    ),
    "losses": _Rule(
        "Lines: losses",
        ("flow_mw", "flow_to_mw"),
        lambda s: _column("flow_mw")(s) + _column("flow_to_mw")(s),
        _on_lines,
    ),
    "cone_gap": _Rule(
        "Lines: gap of the relaxation",
        ("cone_gap",),
        lambda s: np.where(_column("cone_gap")(s) < _TIGHT, np.nan, 100 * _column("cone_gap")(s)),
        _on_lines,
        "%",
    ),
    "shadow": _Rule(
        "Lines: shadow price",
        ("shadow",),
        lambda s: np.where(_column("shadow")(s) > 0, _column("shadow")(s), np.nan),
        _on_lines,
    ),
}


def bus_quantity(solution: Solution, name: str) -> Drawn | None:
    """A quantity of the buses; without it the price, or in a power flow the voltage, as the map does."""
    for wanted in (name, "lmp", "voltage"):
        rule = _BUSES.get(wanted) or _plain(solution, wanted, "bus")
        if rule is not None and all(need in solution._columns for need in rule.needs):
            values = rule.values(solution)
            if not np.isfinite(values).any():
                continue
            if wanted == "voltage":
                return _voltages(solution, rule, values)
            return Drawn(rule.title, rule.unit(solution), values, rule.scale(values), _signed_note(wanted, values))
    return None


#: What a derivative is by, as the page calls it.
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
    """The change of the prices from those of another solution of the case."""
    values = _column("lmp")(solution) - _column("lmp")(base)
    changed = np.abs(np.nan_to_num(values)).max(initial=0) >= _SAME_PRICE
    return Drawn(
        "Change from the base case",
        _BUSES["lmp"].unit(solution),
        values,
        change_scale(values),
        "" if changed else "no change",
    )


def rating_change_quantity(solution: Solution, ratings: Mapping[Any, float]) -> Drawn:
    """The changes of the ratings from the base case, by branch id."""
    values = np.array([ratings.get(branch, np.nan) for branch in solution.case._branch_ids.tolist()], dtype=float)
    unit = "MVA" if "rating_mva" in solution._columns else "MW"
    return Drawn(
        "Lines: change of the rating", unit, values, change_scale(values), "" if ratings else "none is changed"
    )


def line_quantity(solution: Solution, name: str) -> Drawn | None:
    """A quantity of the lines; None where only their class distinguishes them."""
    rule = _LINES.get(name) or _plain(solution, name, "branch")
    if rule is None or not all(need in solution._columns for need in rule.needs):
        return None
    values = rule.values(solution)
    unit = solution._branches.attrs["units"]["shadow"] if name == "shadow" else rule.unit(solution)
    note = ""
    if name == "cone_gap":
        gaps = _column("cone_gap")(solution)
        note = f"{int((gaps < _TIGHT).sum()):,} of {int(np.isfinite(gaps).sum()):,} lines are tight"
    elif name == "shadow" and not np.isfinite(values).any():
        note = "no line binds"
    return Drawn(rule.title, unit, values, rule.scale(values), note)


def _plain(solution: Solution, name: str, element: str) -> _Rule | None:
    """A column of the engine without rules of its own, under its name."""
    column = solution._columns.get(name)
    if column is None or column.element != element or name == LOADING:
        return None
    on_lines = element == "branch"
    return _Rule(
        f"Lines: {name}" if on_lines else name,
        (name,),
        _column(name),
        _on_lines if on_lines else amount_scale,
    )


def _voltages(solution: Solution, rule: _Rule, values: np.ndarray) -> Drawn:
    """Magnitudes, the limits that most buses have, and how many are outside of their own."""
    if not all(name in solution._columns for name in ("vm_min_pu", "vm_max_pu")):
        return Drawn(rule.title, rule.unit(solution), values, magnitude_scale(values))
    low, high = (_most_frequent(_column(name)(solution)) for name in ("vm_min_pu", "vm_max_pu"))
    if low is None or high is None or not high > low:
        return Drawn(rule.title, rule.unit(solution), values, magnitude_scale(values))
    excess = _excess(solution)
    below, above = int((excess < 0).sum()), int((excess > 0).sum())
    outside = "all within" if below + above == 0 else f"{below:,} below, {above:,} above"
    return Drawn(
        rule.title,
        rule.unit(solution),
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
