"""The SVG of a solved state that a saved notebook shows without kernel and extension."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..html.parts import escaped
from ..html.solutions import solution_line
from ..text import words
from .colours import PriceScale, price_scale, ticks

if TYPE_CHECKING:
    from ..results.solution import Solution

_WIDTH = 800
_MARGIN = 16
_TITLE, _FOOT = 52, 56
_PICTURE_HEIGHT = (160, 560)
#: Most vertices of routes in one picture; above, lines are straight, which keeps notebooks small.
_MOST_CORNERS = 12_000
#: Loading from which a line is drawn as a warning, as on the map.
_WARNING = 0.8
_TEXT = "font-family:system-ui,sans-serif;fill:#1f2933"
_STYLES = {
    "calm": 'stroke="#b3bac2" stroke-width="0.8"',
    "warning": 'stroke="#d9902f" stroke-width="1.8"',
    "casing": 'stroke="#fff" stroke-width="6"',
    "binding": 'stroke="#c2352b" stroke-width="3.4"',
}


def price_picture(solution: Solution) -> str | None:
    """An SVG map of the LMPs with legend, title and result hash; None if buses have no positions, or no LMPs.

    At most about 300 kB, whatever the size of the network.
    """
    view = solution.case._view
    if "lmp" not in solution.buses:
        return None
    prices = np.asarray(solution.buses["lmp"], dtype=float)
    scale = price_scale(prices)
    if view is None or scale is None:
        return None
    rows = {row["id"]: place for place, row in enumerate(solution.case._bus_rows)}
    places = np.full((len(rows), 2), np.nan)
    places[[rows[bus["id"]] for bus in view["buses"]]] = _project([(bus["lon"], bus["lat"]) for bus in view["buses"]])
    known = np.isfinite(places).all(axis=1)
    if not known.any():
        return None
    frame = _Frame(places[known])
    parts = [
        *_lines(solution, view, rows, places, frame),
        *_buses(prices, scale, frame.points(places), known),
        *_legend(scale, prices, frame.height),
        _text(_MARGIN, 20, solution.case.name, "font-weight:600;font-size:14px"),
        _text(_MARGIN, 37, solution_line(solution), "font-size:12px"),
        *_notes(solution, view, frame.height, int((~known).sum())),
    ]
    label = escaped(f"Prices of {solution.case.name}: {solution_line(solution)}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {frame.height}" role="img" aria-label="{label}" '
        f'style="max-width:100%;height:auto"><rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>'
    )


class _Frame:
    """Where the picture lies: one scale for both axes, north up."""

    def __init__(self, places: np.ndarray) -> None:
        low, high = places.min(axis=0), places.max(axis=0)
        extent = np.maximum(high - low, 1e-6)
        wide = _WIDTH - 2 * _MARGIN
        scale = min(wide / extent[0], _PICTURE_HEIGHT[1] / extent[1])
        tall = max(_PICTURE_HEIGHT[0], scale * extent[1])
        middle = (low + high) / 2
        self.height = round(_TITLE + tall + _MARGIN + _FOOT)
        self._scale = np.array([scale, -scale])
        self._origin = np.array([_WIDTH / 2, _TITLE + tall / 2]) - middle * self._scale

    def points(self, places: np.ndarray) -> np.ndarray:
        """Pixels of projected places, to a tenth."""
        return np.round(places * self._scale + self._origin, 1)


def _project(places: Sequence[Sequence[float]]) -> np.ndarray:
    """Web Mercator of longitudes and latitudes, in degrees of longitude."""
    known = np.array(places, dtype=float).reshape(-1, 2)
    known[:, 1] = np.degrees(np.log(np.tan(math.pi / 4 + np.radians(known[:, 1]) / 2)))
    return known


def _lines(
    solution: Solution, view: dict[str, Any], rows: dict[int, int], places: np.ndarray, frame: _Frame
) -> list[str]:
    loading = np.asarray(solution.branches["loading"], dtype=float)
    shadow = np.asarray(solution.branches["shadow"], dtype=float)
    order = {branch: row for row, branch in enumerate(solution.branches.index)}
    routed = sum(len(branch.get("path") or ()) or 2 for branch in view["branches"]) <= _MOST_CORNERS
    drawn: dict[str, set[str]] = {"calm": set(), "warning": set(), "binding": set()}
    for branch in view["branches"]:
        row = order[branch["id"]]
        if not math.isfinite(loading[row]):
            continue  # out of service
        path = branch.get("path") if routed else None
        ends = [places[rows[branch[end]]] for end in ("from", "to")]
        kind = "binding" if shadow[row] > 0 else "warning" if loading[row] >= _WARNING else "calm"
        way = _way(frame.points(_project(path) if path else np.array(ends)), 1 if kind == "calm" else 0)
        if way:
            drawn[kind].add(way)
    layers = (("calm", "calm"), ("warning", "warning"), ("casing", "binding"), ("binding", "binding"))
    return [
        f'<path d="{"".join(sorted(drawn[kind]))}" fill="none" stroke-linecap="round" {_STYLES[style]}/>'
        for style, kind in layers
        if drawn[kind]
    ]


def _way(points: np.ndarray, shortest: float) -> str:
    """A path through the points; nothing where it is shorter than `shortest` pixels or has no place."""
    if not np.isfinite(points).all() or np.abs(points - points[0]).max() < shortest:
        return ""
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points)


def _buses(prices: np.ndarray, scale: PriceScale, points: np.ndarray, known: np.ndarray) -> list[str]:
    """Discs of one colour as one path of dots; dots of one colour at the same half pixel are one."""
    count = len(points)
    size = 9 if count <= 50 else 6 if count <= 1000 else 4 if count <= 4000 else 3
    places = scale.places(prices)
    parts = []
    for place, colour in enumerate(scale.palette):
        here = np.unique(np.round(2 * points[known & (places == place)]) / 2, axis=0)
        if len(here):
            dots = "".join(f"M{x:g} {y:g}h0" for x, y in here)
            parts.append(f'<path d="{dots}" stroke="{colour}" stroke-width="{size}" stroke-linecap="round"/>')
    return parts


def _legend(scale: PriceScale, prices: np.ndarray, height: int) -> list[str]:
    """A bar of the colours with round prices below it, and marks where prices lie outside."""
    left, top, wide = _MARGIN, height - _FOOT + 14, 220
    palette = scale.palette
    step = wide / len(palette)
    bar = [
        f'<rect x="{left + k * step:.1f}" y="{top}" width="{step + 0.4:.1f}" height="8" fill="{colour}"/>'
        for k, colour in enumerate(palette)
    ]
    known = prices[np.isfinite(prices)]
    slack = 1e-9 * max(abs(scale.low), abs(scale.high))
    marks = []
    for tick in ticks(scale, 4):
        at = (int(scale.places(np.array([tick]))[0]) + 0.5) * step
        marks.append(
            _text(left + at, top + 22, f"{tick:g}".replace("-", "\u2212"), "font-size:11px;text-anchor:middle")
        )
    outside = int((known < scale.low - slack).sum()), int((known > scale.high + slack).sum())
    beyond = [f"{n} {side}" for n, side in zip(outside, ("below", "above"), strict=True) if n]
    unit = "Price, $/MWh" + (f"; {', '.join(beyond)} the scale" if beyond else "")
    return [*bar, *marks, _text(left, top - 6, unit, "font-size:11px")]


def _notes(solution: Solution, view: dict[str, Any], height: int, missing: int) -> list[str]:
    lines = [f"Result {solution.sha256[:12]}, case {solution.case.sha256[:12]}"]
    if view["synthetic_coords"]:
        lines.append("Synthetic layout, not where the equipment is")
    if missing:
        lines.append(f"{words.count(missing, 'bus')} without a position not drawn")
    style = "font-size:11px;text-anchor:end;fill:#52606d"
    return [
        _text(_WIDTH - _MARGIN, height - 10 - 14 * (len(lines) - 1 - row), line, style)
        for row, line in enumerate(lines)
    ]


def _text(x: float, y: float, text: str, style: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" style="{_TEXT};{style}">{escaped(text)}</text>'
