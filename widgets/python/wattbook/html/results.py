"""What tracks, explanations and parts of a price look like in a notebook: their sentence, and a small table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..text import words
from .parts import escaped, shown, table

if TYPE_CHECKING:
    from ..results.explanation import Explanation
    from ..results.price_parts import PriceParts
    from ..results.track import Track

#: Rows of a table; the DataFrames have them all.
_TOP = 8
_LIMITS = {
    "rating": "Rating of {}",
    "angle": "Angle window of {}",
    "rating_and_angle": "Rating and angle window of {}",
    "minimum": "Less than the minimum of {}",
    "maximum": "Maximum of {}",
    "demand": "Less demand at {}",
}


def track_html(track: Track) -> str:
    """The sentence and the first breakpoints in words, with the price at the watched bus to both sides."""
    points = track.breakpoints
    rows = [
        (
            words.event(row.event, {"kind": row.kind, "id": row.id}).capitalize(),
            words.mw(row.mw, sign=True),
            words.price(row.price_before),
            words.price(row.price_after),
        )
        for row in points.head(_TOP).itertuples()
    ]
    if len(points) > _TOP:
        rows.append((f"and {words.count(len(points) - _TOP, 'more breakpoint')}", "", "", ""))
    bus = f"at bus {track.watched_bus}"
    head = ("Breakpoint", "MW from the base case", f"$/MWh {bus} before", "after")
    return shown(_sentence(str(track)) + (table(head, rows) if rows else ""))


def explanation_html(explanation: Explanation) -> str:
    """The message and the limits that the least relaxation exceeds, largest first."""
    relaxed = explanation.relaxation
    rows = [
        (_LIMITS.get(row.limit, "{}").format(words.element({"kind": row.kind, "id": row.id})), words.mw_told(row.mw))
        for row in relaxed.head(_TOP).itertuples()
    ]
    if len(relaxed) > _TOP:
        rows.append((f"and {len(relaxed) - _TOP:,} more", words.mw_enough(relaxed["mw"].iloc[_TOP:].sum())))
    return shown(
        _sentence(explanation.message) + (table(("Exceeded by the least relaxation", "MW"), rows) if rows else "")
    )


def price_parts_html(parts: PriceParts) -> str:
    """Energy, the largest parts of lines, the others together, and the price that they add up to."""
    values = parts.congestion["value"]
    rows = [("Energy", words.price(parts.energy))]
    rows += [(f"Line {branch}", words.price(value)) for branch, value in values.head(_TOP).items()]
    rest = values.iloc[_TOP:]
    if len(rest):
        rows.append((words.count(len(rest), "other line"), words.price(rest.sum())))
    rows.append((f"Price at bus {parts.bus}", words.price(parts.price)))
    return shown(table(("Part", "$/MWh"), rows))


def _sentence(text: str) -> str:
    end = "" if text.endswith(".") else "."
    return f"<p>{escaped(text[:1].upper() + text[1:])}{end}</p>"
