"""Land and water below the network of a still picture: the same basemap as in the page."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

import numpy as np

from ..built import page_files

ATTRIBUTION = "Natural Earth, U.S. Census Bureau"
WATER = "#e3eaf0"
_LAND, _BORDER = "#ffffff", "#c3cad1"
#: Latitude limit of the picture in Web Mercator.
_MOST_LATITUDE = 84
#: Lines beyond this longitude are edges of the sheet, not coasts.
_DATE_LINE = 179.95
#: Width of the seam between the outlines of two sources, degrees.
_SEAM = 0.14
_RIVERS_FROM = 6.0

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class _Shape:
    """Rings of an area, or one line: projected positions (n, 2), degrees of longitude, and the bounding box."""

    rings: tuple[np.ndarray, ...]
    box: Box


@dataclass(frozen=True)
class _Arcs:
    """Lines that outlines consist of: projected positions, and the bounding box of each."""

    points: list[np.ndarray]
    boxes: list[Box]


def mercator(places: np.ndarray) -> np.ndarray:
    """Web Mercator of longitudes and latitudes (n, 2), in degrees of longitude, north up."""
    projected = np.array(places, dtype=float)
    projected[:, 1] = np.degrees(np.log(np.tan(math.pi / 4 + np.radians(projected[:, 1]) / 2)))
    return projected


def ground(box: Box, scale: float, origin: np.ndarray) -> list[str]:
    """Land, lakes, rivers, coasts and borders as SVG within a box of projected degrees (x0, y0, x1, y1), from the
    bottom up.

    The pixel position of a projected point is `origin + scale * (x, -y)`. Empty in a checkout that is not built.
    """
    basemap = _basemap()
    if basemap is None:
        return []

    def stratum(name: str, look: str, closed: bool = False) -> str:
        seen = [shape for shape in basemap[name] if _meets(shape.box, box)]
        data = "".join(way(ring, box, scale, origin, closed) for shape in seen for ring in shape.rings)
        return f'<path d="{data}" {look}/>' if data else ""

    def line(name: str, colour: str, width: float) -> str:
        return stratum(name, f'fill="none" stroke="{colour}" stroke-width="{width:g}" stroke-linejoin="round"')

    strata = [
        stratum("land", f'fill="{_LAND}" fill-rule="evenodd"', True),
        line("seam", _LAND, max(2, round(_SEAM * scale, 1))),
        stratum("lakes", f'fill="{WATER}" fill-rule="evenodd"', True),
        line("rivers", WATER, 0.8 if scale < 40 else 1.6) if scale >= _RIVERS_FROM else "",
        line("states", _BORDER, 0.7 if scale < 40 else 1.1),
        line("coasts", _BORDER, 0.7),
        line("borders", _BORDER, 1.1),
    ]
    return [part for part in strata if part]


def way(points: np.ndarray, box: Box, scale: float, origin: np.ndarray, closed: bool) -> str:
    """Path data of projected positions; empty if smaller than half a pixel."""
    x0, y0, x1, y1 = box
    # Positions far outside are clamped to a box three times as large, which is invisible.
    around = np.array([[2 * x0 - x1, 2 * y0 - y1], [2 * x1 - x0, 2 * y1 - y0]])
    remaining = _apart(np.round(np.clip(points, *around) * [scale, -scale] + origin, 1).tolist())
    if len(remaining) < (3 if closed else 2):
        return ""
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in remaining) + ("Z" if closed else "")


def _meets(one: Box, other: Box) -> bool:
    return one[2] >= other[0] and one[0] <= other[2] and one[3] >= other[1] and one[1] <= other[3]


def _apart(points: list[list[float]]) -> list[list[float]]:
    """The points at least half a pixel from their predecessor, and the last one."""
    remaining = points[:1]
    x0, y0 = remaining[0]
    for x, y in points[1:-1]:
        if abs(x - x0) >= 0.5 or abs(y - y0) >= 0.5:
            x0, y0 = x, y
            remaining.append([x, y])
    return [*remaining, points[-1]] if len(points) > 1 else remaining


@cache
def _basemap() -> dict[str, list[_Shape]] | None:
    """The shapes of the page's basemap.json (widgets/basemap/bake.mjs) by kind; None if the page is not built."""
    packed = next(
        (json.loads(file.read_bytes()) for file in page_files("assets/basemap-") if file.suffix == ".json"), None
    )
    if packed is None:
        return None
    world, states = packed["world"], packed["states"]
    earth, union = _arcs(world), _arcs(states)
    return {
        "land": [*_areas(world, earth, "land"), *_areas(states, union, "land")],
        "seam": list(_lines(world, earth, "seam")),
        "lakes": list(_areas(world, earth, "lakes")),
        "rivers": list(_lines(world, earth, "rivers")),
        "states": [*_lines(world, earth, "states"), *_lines(states, union, "states")],
        "coasts": [*_lines(world, earth, "coasts"), *_lines(states, union, "coasts")],
        "borders": list(_lines(world, earth, "borders")),
    }


def _arcs(packed: dict[str, Any]) -> _Arcs:
    """The lines of a topology, stored as differences of integers, projected."""
    ends = np.cumsum([len(steps) // 2 for steps in packed["arcs"]])
    sums = np.cumsum(np.reshape(list(chain.from_iterable(packed["arcs"])), (-1, 2)), axis=0)
    before = np.vstack([np.zeros((1, 2), sums.dtype), sums[ends[:-1] - 1]])  # every line restarts the sum
    steps = sums - np.repeat(before, np.diff(ends, prepend=0), axis=0)
    degrees = steps * packed["scale"] + packed["translate"]
    degrees[:, 1] = np.clip(degrees[:, 1], -_MOST_LATITUDE, _MOST_LATITUDE)
    points = mercator(degrees)
    begin = [0, *ends[:-1].tolist()]
    boxes = np.hstack([np.minimum.reduceat(points, begin), np.maximum.reduceat(points, begin)])
    parts = [points[first:end] for first, end in zip(begin, ends.tolist(), strict=True)]
    return _Arcs(parts, [tuple(box) for box in boxes.tolist()])


def _lines(packed: dict[str, Any], arcs: _Arcs, name: str) -> Iterator[_Shape]:
    for arc in packed["lines"].get(name, []):
        points, box = arcs.points[arc], arcs.boxes[arc]
        if box[0] >= -_DATE_LINE and box[2] <= _DATE_LINE and box[2] - box[0] <= 180:
            yield _Shape((points,), box)
            continue
        edge = np.abs(points[:, 0]) > _DATE_LINE
        cut = (edge[1:] & edge[:-1]) | (np.abs(np.diff(points[:, 0])) > 180)
        for part in np.split(points, np.flatnonzero(cut) + 1):
            if len(part) > 1:
                yield _shape((part,))


def _areas(packed: dict[str, Any], arcs: _Arcs, name: str) -> Iterator[_Shape]:
    """Areas by their rings; one that crosses the date line occurs twice, once on each side."""
    for rings in packed["areas"].get(name, []):
        # A negative number is a reversed arc.
        parts = [
            np.concatenate([arcs.points[arc] if arc >= 0 else arcs.points[~arc][::-1] for arc in ring])
            for ring in rings
        ]
        x0, y0, x1, y1 = zip(*(arcs.boxes[max(arc, ~arc)] for ring in rings for arc in ring), strict=True)
        box = min(x0), min(y0), max(x1), max(y1)
        if box[2] - box[0] <= 180:
            yield _Shape(tuple(parts), box)
            continue
        steps = np.diff(parts[0][:, 0])
        leaps = np.where(np.abs(steps) > 180, np.sign(steps), 0)
        if not leaps.any() or leaps.sum():
            yield _shape(tuple(parts))
            continue
        unrolled = parts[0].copy()
        unrolled[1:, 0] -= 360 * np.cumsum(leaps)
        for by in (0, -360 if unrolled[:, 0].max() > 180 else 360):
            moved = unrolled + np.array([by, 0])
            moved[:, 0] = np.clip(moved[:, 0], -180, 180)
            yield _shape((moved,))


def _shape(rings: tuple[np.ndarray, ...]) -> _Shape:
    points = np.concatenate(rings)
    (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
    return _Shape(rings, (float(x0), float(y0), float(x1), float(y1)))
