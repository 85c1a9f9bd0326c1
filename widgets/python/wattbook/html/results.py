"""HTML of sensitivities, tracks, explanations and LMP components: a sentence and a small table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..text import words
from .parts import escaped, shown, table

if TYPE_CHECKING:
    from ..results.explanation import Explanation
    from ..results.lmp_components import LmpComponents
    from ..results.loadability import Loadability
    from ..results.plan import Plan
    from ..results.sensitivity import Sensitivity
    from ..results.track import Track

#: Rows of the table of sensitivities.
_MOST_SENSITIVE = 5
#: Rows of the other tables; the DataFrames have them all.
_TOP = 8
_LIMITS = {
    "rating": "Rating of {}",
    "angle": "Angle-difference limit of {}",
    "rating_and_angle": "Rating and angle-difference limit of {}",
    "minimum": "Minimum output of {}",
    "maximum": "Maximum output of {}",
    "demand": "Demand reduction at {}",
    "injection": "Power to absorb at {}",
    "reactive_supply": "Reactive power to supply at {}",
    "reactive_absorption": "Reactive power to absorb at {}",
    "voltage_minimum": "Minimum voltage of {}",
    "voltage_maximum": "Maximum voltage of {}",
}


def track_html(track: Track) -> str:
    """The sentence and the first breakpoints, with the LMP of the watched bus on both sides."""
    points = track.breakpoints
    rows = [
        (
            words.event(row.event, {"kind": row.kind, "id": row.id}).capitalize(),
            words.mw(row.mw, sign=track.value is None),
            words.price(row.price_before),
            words.price(row.price_after),
        )
        for row in points.head(_TOP).itertuples()
    ]
    if len(points) > _TOP:
        rows.append((f"and {words.count(len(points) - _TOP, 'more breakpoint')}", "", "", ""))
    bus = f"at bus {track.watched_bus}"
    positions = "MW from the base case" if track.value is None else f"{words.limit(track.value)}, MW"
    head = ("Breakpoint", positions, f"$/MWh {bus} before", "after")
    return shown(_sentence(str(track)) + (table(head, rows) if rows else ""))


def explanation_html(explanation: Explanation) -> str:
    """The message and the minimum relaxation, largest first."""
    relaxed = explanation.relaxation
    # Limits of voltages and angles alone are no powers.
    is_power = (relaxed["voltage_pu"] == 0.0) & ((relaxed["angle_deg"] == 0.0) | (relaxed["mw"] > 0.0))
    units = set(relaxed["unit"])
    unit = units.pop() if is_power.all() and len(units) == 1 else None
    rows = [
        (
            _LIMITS.get(row.limit, "{}").format(words.element({"kind": row.kind, "id": row.id})),
            _given_way(row, "" if unit else f" {row.unit}"),
        )
        for row in relaxed.head(_TOP).itertuples()
    ]
    if len(relaxed) > _TOP:
        rest = relaxed["mw"].iloc[_TOP:].sum()
        more = words.mw_enough(rest) if unit else ""
        rows.append((f"and {words.count(len(relaxed) - _TOP, 'more limit')}", more))
    head = ("Minimum relaxation" if explanation.is_least else "Relaxation", unit or "by")
    return shown(_sentence(explanation.message) + (table(head, rows) if rows else ""))


def _given_way(row: Any, unit: str) -> str:
    if row.voltage_pu > 0.0:
        return f"{row.voltage_pu:g} pu"
    if row.angle_deg > 0.0 and row.mw == 0.0:
        return f"{row.angle_deg:g}°"
    return words.mw_rounded(row.mw) + unit


def lmp_components_html(parts: LmpComponents) -> str:
    """Energy, the largest congestion components, the sum of the others, and the LMP."""
    values = parts.congestion["value"]
    rows = [("Energy", words.price(parts.energy))]
    rows += [(name.capitalize(), words.price(value)) for name, value in parts.parts]
    rows += [(f"Line {branch}", words.price(value)) for branch, value in values.head(_TOP).items()]
    rest = values.iloc[_TOP:]
    if len(rest):
        rows.append((words.count(len(rest), "other line"), words.price(rest.sum())))
    rows.append((f"LMP at bus {parts.bus}", words.price(parts.price)))
    return shown(table(("Component", "$/MWh"), rows))


def sensitivity_html(column: Sensitivity) -> str:
    """The sentence and the largest derivatives."""
    moving = column.values[column.values != 0]
    order = moving.abs().nlargest(_MOST_SENSITIVE).index
    rows = [(f"Bus {bus}", words.derivative(moving[bus])) for bus in order]
    largest = (
        table((f"Most sensitive {'voltages' if column.error_below_pu else 'LMPs'}", column.units), rows) if rows else ""
    )
    return shown(_sentence(str(column)) + largest)


def loadability_html(found: Loadability) -> str:
    """The sentence, and the voltages of the buses that fall first, at the current state and at the last point."""
    rows = [
        (f"Bus {bus}", f"{voltages.iloc[0]:.4f}", f"{voltages.iloc[-1]:.4f}") for bus, voltages in found.curve.items()
    ]
    head = ("Voltage, pu", "now", f"at {words.mw(found.margin_mw, sign=True)} MW")
    return shown(_sentence(str(found)) + (table(head, rows) if rows else ""))


def plan_html(found: Plan) -> str:
    """The sentence, and the first trials."""
    rows = [
        (
            step,
            words.price(row.predicted),
            "" if row.exact != row.exact else words.price(row.exact),
            "accepted" if row.accepted else str(row.reason),
        )
        for step, row in zip(found._steps(), found.trials.head(_TOP).itertuples(), strict=False)
    ]
    if len(found.trials) > _TOP:
        rows.append((f"and {words.count(len(found.trials) - _TOP, 'more trial')}", "", "", ""))
    head = ("Trial", "predicted, $/MWh", "exact", "")
    return shown(_sentence(str(found)) + (table(head, rows) if rows else ""))


def _sentence(text: str) -> str:
    end = "" if text.endswith(".") else "."
    return f"<p>{escaped(text[:1].upper() + text[1:])}{end}</p>"
