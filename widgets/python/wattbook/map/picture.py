"""The SVG of a solved state that a saved notebook shows without kernel and extension, and figures on paper: the same map
as SVG of a given size, or as PDF."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from textwrap import wrap
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np

from ..arguments import finite, formatted
from ..edits.costs import not_contained
from ..errors import ArgumentError
from ..files.files import path_of
from ..native import engine_errors
from ..quantities_generated import EARTH_RADIUS_KM, EXCEEDED_LOADING, SAME_LOADING, SUBSTATION_KM, WARNING_LOADING
from ..results.solution import solution_line
from ..text import words
from ..text.html import escaped
from .colours import CategoryScale, Scale, ticks
from .ground import ATTRIBUTION, WATER, ground, mercator, way
from .overlays import Layer
from .quantities import LOADING, Drawn, bus_quantity, line_quantity
from .style import styled

if TYPE_CHECKING:
    from ..results.solution import Solution
    from ..tables.rows import CaseRows

#: Width of a picture, px.
WIDTH = 800
_MARGIN = 16
#: Height of a line of the caption, and of a block of the legend with the space above it, px.
_LINE, _BLOCK = 17, 50
_NOTE_LINE = 14
#: Widths from which the blocks of the legend are side by side below the map, and the notes beside them, px.
_BESIDE, _NOTES_BESIDE = 560, 780
#: Mean width of a letter of the caption and of notes, px.
_LETTER = 6.0
#: Default height of the map, px, as in a cell.
USUAL_HEIGHT = 420
#: Smallest and largest height of a picture that is cropped to its network, px.
_CROPPED = (160, 560)
#: Largest number of route vertices in one picture; above, lines are straight, which limits the size of notebooks.
_MOST_CORNERS = 12_000
#: Width of a colour bar, px.
_BAR = 220
_RIM = "#ffffff"
#: Opacity of areas relative to their layer's.
_AREA = 0.2
#: Largest number of characters of the layers' names in the notes.
_LAYER_NAMES = 60
_TEXT = "font-family:system-ui,sans-serif;fill:#1f2933"
_STYLES = {
    "calm": 'stroke="#b3bac2" stroke-width="0.8"',
    "rim": 'stroke="#fff" stroke-width="4"',
    "warning": 'stroke="#454d56" stroke-width="1.8"',
    "casing": 'stroke="#fff" stroke-width="6"',
    "binding": 'stroke="#000" stroke-width="3.4"',
}

#: Colour and width of HVDC links by state, px, and their dashes, by which they differ from lines whatever their colour.
_LINK_STYLES = {"between": ("#454d56", 2.2), "limit": ("#000", 3.4), "out": ("#b3bac2", 2.2)}
_LINK_DASHES = "11 4 2.5 4"


def picture(
    solution: Solution,
    quantity: str | Drawn = "lmp",
    lines: str | Drawn = LOADING,
    style: Mapping[str, Any] | None = None,
    layers: Sequence[Layer] = (),
    *,
    height: int | None = USUAL_HEIGHT,
    basemap: bool = True,
    caption: bool = True,
    letters: float = 1.0,
) -> str | None:
    """An SVG map of a bus quantity and a line quantity, by their names in `study.map`, with legend, title and result
    hash; None if buses have no positions. A quantity that the solution lacks is replaced by the price or voltage.

    `layers` of `add_layer` are drawn between ground and network. `height` is that of the map itself, px; None crops it
    to the network. `basemap`: land and water below the network. `caption`: the lines above the map. `letters` is the
    factor of letters and legend relative to a picture of 800 px.

    At most about 300 kB, whatever the size of the network.
    """
    view = solution.case._view
    drawn = quantity if isinstance(quantity, Drawn) else bus_quantity(solution, quantity)
    if view is None or drawn is None or drawn.scale is None:
        return None
    scale = styled(drawn.scale, drawn.values, style)
    assert scale is not None
    drawn = replace(drawn, scale=scale)
    rows = solution.case._rows
    places = mercator(rows.positions())
    known = np.isfinite(places).all(axis=1)
    if not known.any():
        return None
    wide = WIDTH / letters
    head = _caption(solution, wide) if caption else []
    top = 12 + _LINE * len(head) if head else 0
    frame = _Frame(places[known], height, round(letters * top))
    below = ground(frame.box, frame.scale, frame.origin) if basemap else []
    on_lines = lines if isinstance(lines, Drawn) else line_quantity(solution, lines)
    classes = line_classes(solution)
    ways = _ways(rows, places, frame, classes)
    notes = _notes(solution, view, int((~known).sum()), bool(below), layers)
    key = _key(classes, within_substations(rows), solution) if on_lines is None else _bar(on_lines)
    links = _link_counts(solution)
    if links:
        notes = [links, *notes]
    foot, tall = _foot(_bar(drawn), key, notes, wide, by_class=on_lines is None)
    height_of_all = frame.bottom + round(letters * tall)
    parts = [
        frame.inside(
            [
                *([f'<rect width="100%" height="100%" fill="{WATER}"/>', *below] if below else []),
                *(part for layer in layers for part in _layer(layer, frame)),
                *(_classed(ways, classes) if on_lines is None else _coloured(ways, on_lines)),
                *_links(solution, places, frame),
                *_buses(drawn.values, scale, frame.points(places), known),
            ]
        ),
        *_magnified(foot, frame.bottom, wide, tall, letters),
        *_magnified(head, 0, wide, top, letters),
    ]
    label = escaped(f"{drawn.title} of {solution.case.name}: {solution_line(solution)}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height_of_all}" role="img" aria-label="{label}" '
        f'style="max-width:100%;height:auto"><rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>'
    )


class _Frame:
    """The frame of the map: one scale for both axes, north up. `height` is that of the map, None for that of the
    network; `top` is the space above."""

    def __init__(self, places: np.ndarray, height: int | None, top: int) -> None:
        low, high = places.min(axis=0), places.max(axis=0)
        extent = np.maximum(high - low, 1e-6)
        wide = WIDTH - 2 * _MARGIN
        most = _CROPPED[1] if height is None else max(1, height - 2 * _MARGIN)
        self.scale = float(min(wide / extent[0], most / extent[1]))
        tall = max(_CROPPED[0], round(self.scale * extent[1]) + 2 * _MARGIN) if height is None else height
        self._top, self._tall = top, tall
        self.bottom = top + tall
        # Pixels relative to the upper left corner of the map itself.
        self.origin = np.array([WIDTH / 2, tall / 2]) - (low + high) / 2 * [self.scale, -self.scale]
        left, upper = -self.origin / [self.scale, -self.scale]
        self.box = (left, upper - tall / self.scale, left + WIDTH / self.scale, upper)

    def points(self, places: np.ndarray) -> np.ndarray:
        """Pixels of projected positions, to a tenth."""
        return np.asarray(np.round(places * [self.scale, -self.scale] + self.origin, 1))

    def inside(self, parts: list[str]) -> str:
        """The drawing on the map, clipped at its edges."""
        return f'<svg x="0" y="{self._top}" width="{WIDTH}" height="{self._tall}">{"".join(parts)}</svg>'


def _layer(layer: Layer, frame: _Frame) -> list[str]:
    """A layer of the user's: areas, lines, points."""

    def ways(lines: Sequence[Any], closed: bool) -> str:
        shapes = (mercator(np.clip(line, [-360, -85], [360, 85])) for line in lines)
        return "".join(way(shape, frame.box, frame.scale, frame.origin, closed) for shape in shapes)

    def drawn(data: str, look: str, opacity: float) -> list[str]:
        return [f'<path d="{data}" {look} opacity="{opacity:g}"/>'] if data else []

    colour, opacity = escaped(layer["color"]), float(layer["opacity"])
    line = f'fill="none" stroke="{colour}" stroke-width="{layer["width"]:g}" stroke-linejoin="round"'
    rings = [ring for polygon in layer["polygons"] for ring in polygon]
    points = mercator(np.reshape(np.array(layer["points"], dtype=float), (-1, 2)))
    inside = ((points >= frame.box[:2]) & (points <= frame.box[2:])).all(axis=1)
    dots = np.unique(np.round(2 * frame.points(points[inside])) / 2, axis=0)
    look = f'stroke="{colour}" stroke-width="{layer["size"]:g}" stroke-linecap="round"'
    return [
        *drawn(ways(rings, True), f'fill="{colour}" fill-rule="evenodd"', round(opacity * _AREA, 3)),
        *drawn(ways(rings, True) + ways(layer["lines"], False), line, opacity),
        *drawn("".join(f"M{x:g} {y:g}h0" for x, y in dots), look, opacity),
    ]


def _magnified(parts: list[str], y: float, wide: float, tall: float, letters: float) -> list[str]:
    """Parts of a width and height, px, scaled by a factor."""
    box = f'y="{y:g}" width="{WIDTH}" height="{letters * tall:.6g}" viewBox="0 0 {wide:.6g} {tall:g}"'
    return [f"<svg {box}>{''.join(parts)}</svg>"] if parts else []


def _caption(solution: Solution, wide: float) -> list[str]:
    """The lines above the map: the name of the case, and its state."""
    most = int((wide - 2 * _MARGIN) / _LETTER)
    state = wrap(solution_line(solution) + not_contained(solution.case), most)
    return [
        _text(_MARGIN, 20, solution.case.name, "font-weight:600;font-size:14px"),
        *(_text(_MARGIN, 20 + _LINE * row, line, "font-size:12px") for row, line in enumerate(state, 1)),
    ]


def _foot(left: list[str], right: list[str], notes: list[str], wide: float, *, by_class: bool) -> tuple[list[str], int]:
    """The legends of buses and lines and the notes below the map, and their height: side by side if there is room."""
    style = "font-size:11px;text-anchor:end;fill:#52606d"

    def written(lines: list[str], bottom: float) -> list[str]:
        last = len(lines) - 1
        return [
            _text(wide - _MARGIN, bottom - _NOTE_LINE * (last - row), line, style) for row, line in enumerate(lines)
        ]

    if wide >= _NOTES_BESIDE:
        across = _MARGIN + _BAR + (140 if by_class else 40)  # the text above the bar is wider than the bar
        return [*_moved(left, _MARGIN, 0), *_moved(right, across, 0), *written(notes, _BLOCK + 4)], _BLOCK + 14
    most = int((wide - 2 * _MARGIN) / _LETTER)
    lines = [line for note in notes for line in wrap(note, most)]
    across, down = (_MARGIN + _BAR + 40, 0) if wide >= _BESIDE else (_MARGIN, _BLOCK - (12 if by_class else 0))
    tall = down + _BLOCK + 10 + _NOTE_LINE * len(lines)
    return [*_moved(left, _MARGIN, 0), *_moved(right, across, down), *written(lines, tall - 6)], tall


def _moved(parts: list[str], x: float, y: float) -> list[str]:
    return [f'<svg x="{x:g}" y="{y:g}" width="{WIDTH}" height="{_BLOCK + 14}">{"".join(parts)}</svg>'] if parts else []


def line_classes(solution: Solution) -> np.ndarray:
    """Class of each line by row: out of service, calm, warning, or binding; without shadow prices overloaded lines
    count as binding."""
    columns = solution._branches
    shadow = np.asarray(columns["shadow"], dtype=float) if "shadow" in columns else None
    return classes_of(np.asarray(columns["loading"], dtype=float), shadow)


def classes_of(loading: np.ndarray, shadow: np.ndarray | None) -> np.ndarray:
    """The class of each line by its loading (fraction of the rating) and shadow price, None if there are no shadow
    prices."""
    binds = loading > EXCEEDED_LOADING if shadow is None else shadow > 0
    known = np.isfinite(loading)
    warns = known & (loading >= WARNING_LOADING - SAME_LOADING)
    return np.select([~known, binds, warns], ["", "binding", "warning"], "calm")


def within_substations(rows: CaseRows) -> np.ndarray:
    """Whether the two ends of each branch are in one substation, so that maps of the whole network do not show it."""
    degrees = np.radians(rows.positions())
    at = rows.buses.places
    ends = [degrees[[at[bus] for bus in rows.branches.integers(end).tolist()]] for end in ("from_bus", "to_bus")]
    (lon_a, lat_a), (lon_b, lat_b) = ends[0].T, ends[1].T
    half = np.sin((lat_b - lat_a) / 2) ** 2 + np.cos(lat_a) * np.cos(lat_b) * np.sin((lon_b - lon_a) / 2) ** 2
    return np.asarray(2 * EARTH_RADIUS_KM * np.arcsin(np.sqrt(half)) <= SUBSTATION_KM)


def _ways(rows: CaseRows, places: np.ndarray, frame: _Frame, classes: np.ndarray) -> dict[int, str]:
    """Path data of the visible lines, by row of the case."""
    routes = rows.routes()
    routed = sum(2 if route is None else len(route) or 2 for route in routes) <= _MOST_CORNERS
    at = rows.buses.places
    ends = np.array([[at[bus] for bus in rows.branches.integers(end).tolist()] for end in ("from_bus", "to_bus")])
    shown = np.flatnonzero(classes != "")  # the others are out of service
    if not shown.size:
        return {}
    # The points of all lines are in one array, because creating arrays of two points each takes longer than drawing
    # them.
    paths = list(places[ends[:, shown].T])
    for k, row in enumerate(shown.tolist()):
        route = routes[row]
        if routed and route is not None and len(route):
            paths[k] = mercator(route)
    counts = np.array([len(path) for path in paths])
    points = frame.points(np.concatenate(paths))
    begin = np.cumsum(counts) - counts
    placed = np.logical_and.reduceat(np.isfinite(points).all(axis=1), begin)
    span = np.maximum.reduceat(np.abs(points - np.repeat(points[begin], counts, axis=0)).max(axis=1), begin)
    drawn = placed & (span >= np.where(classes[shown] == "calm", 1, 0))  # lines shorter than a pixel are invisible
    texts = [f"{x:g} {y:g}" for x, y in points.tolist()]
    rows_drawn = zip(shown[drawn].tolist(), begin[drawn].tolist(), counts[drawn].tolist(), strict=True)
    return {row: "M" + "L".join(texts[first : first + count]) for row, first, count in rows_drawn}


def _classed(ways: dict[int, str], classes: np.ndarray) -> list[str]:
    drawn = {kind: {way for row, way in ways.items() if classes[row] == kind} for kind in _STYLES}
    layers = (
        *(("calm", "calm"), ("rim", "warning"), ("casing", "binding")),
        *(("warning", "warning"), ("binding", "binding")),
    )
    return [
        f'<path d="{"".join(sorted(drawn[kind]))}" fill="none" stroke-linecap="round" {_STYLES[style]}/>'
        for style, kind in layers
        if drawn[kind]
    ]


def _coloured(ways: dict[int, str], quantity: Drawn) -> list[str]:
    """Lines in the colours of a quantity, the highest values on top; lines without a value are grey."""
    palette = [] if quantity.scale is None else quantity.scale.palette
    places = np.full(len(quantity.values), -1) if quantity.scale is None else quantity.scale.places(quantity.values)
    layers = [
        (-1, _STYLES["calm"]),
        *((k, f'stroke="{colour}" stroke-width="2.2"') for k, colour in enumerate(palette)),
    ]
    drawn = [(style, sorted({way for row, way in ways.items() if places[row] == place})) for place, style in layers]
    return [
        f'<path d="{"".join(paths)}" fill="none" stroke-linecap="round" {style}/>' for style, paths in drawn if paths
    ]


def _links(solution: Solution, places: np.ndarray, frame: _Frame) -> list[str]:
    """HVDC links, dashed on a casing as on the map; those at a limit with a shadow price are thick."""
    parts = []
    for state, ends in _link_states(solution):
        known = np.isfinite(points := frame.points(places[ends])).all()
        if known:
            (ax, ay), (bx, by) = points.tolist()
            d = f"M{ax:g} {ay:g}L{bx:g} {by:g}"
            colour, width = _LINK_STYLES[state]
            parts.append(f'<path d="{d}" fill="none" stroke="#fff" stroke-width="{width + 3:g}"/>')
            style = f'stroke="{colour}" stroke-width="{width:g}" stroke-dasharray="{_LINK_DASHES}"'
            parts.append(f'<path class="link" d="{d}" fill="none" {style}/>')
    return parts


def _link_states(solution: Solution) -> list[tuple[str, list[int]]]:
    """The state of each link and the rows of its buses."""
    rows, at = solution.case._rows.links, solution.case._rows.buses.places
    ends = zip(rows.integers("link_from_bus").tolist(), rows.integers("link_to_bus").tolist(), strict=True)
    links = solution._links
    power = links["p_from_mw"].tolist() if "p_from_mw" in links else [0.0] * len(links)
    shadow = links["shadow"].tolist() if "shadow" in links else [0.0] * len(links)
    return [
        ("out" if np.isnan(p) else "limit" if s > 0 else "between", [at[f], at[t]])
        for p, s, (f, t) in zip(power, shadow, ends, strict=True)
    ]


def _link_counts(solution: Solution) -> str:
    """The legend text of the links; empty without links."""
    states = [state for state, _ in _link_states(solution)]
    kinds = (("between", ""), ("limit", " at a limit"), ("out", " out of service"))
    counts = [(states.count(state), text) for state, text in kinds]
    return ", ".join(f"{words.count(n, 'HVDC link')}{text}" for n, text in counts if n)


def _buses(values: np.ndarray, scale: Scale, points: np.ndarray, known: np.ndarray) -> list[str]:
    """Discs of one colour as one path of dots; dots of one colour at the same half pixel are merged."""
    count = len(points)
    size = 9 if count <= 50 else 6 if count <= 1000 else 4 if count <= 4000 else 3
    places = scale.places(values)

    def dots(which: np.ndarray, colour: str, width: float) -> list[str]:
        here = np.unique(np.round(2 * points[known & which]) / 2, axis=0)
        data = "".join(f"M{x:g} {y:g}h0" for x, y in here)
        return [f'<path d="{data}" stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round"/>'] if data else []

    # All outlines are below all discs, as on the map; the smallest discs have no outline.
    rims = dots(places >= 0, _RIM, size + 2) if size > 3 else []
    return [
        *rims,
        *(part for place, colour in enumerate(scale.palette) for part in dots(places == place, colour, size)),
    ]


def _bar(quantity: Drawn) -> list[str]:
    """A colour bar with round values below it, its title, and the number of values outside."""
    scale = quantity.scale
    left, top = 0, 20
    if scale is None:
        return [_text(left, top - 6, f"{quantity.title}: {quantity.note or 'no values'}", "font-size:11px")]
    if isinstance(scale, CategoryScale):
        return _kinds(quantity, scale, top)
    palette = scale.palette
    step = _BAR / len(palette)
    bar = [
        f'<rect x="{left + k * step:.1f}" y="{top}" width="{step + 0.4:.1f}" height="8" fill="{colour}"/>'
        for k, colour in enumerate(palette)
    ]
    known = quantity.values[np.isfinite(quantity.values)]
    slack = 1e-9 * max(abs(scale.low), abs(scale.high))
    marks = []
    for tick in ticks(scale, 4):
        at = (int(scale.places(np.array([tick]))[0]) + 0.5) * step
        marks.append(
            _text(left + at, top + 22, f"{tick:g}".replace("-", "\u2212"), "font-size:11px;text-anchor:middle")
        )
    outside = int((known < scale.low - slack).sum()), int((known > scale.high + slack).sum())
    beyond = [f"{n} {side}" for n, side in zip(outside, ("below", "above"), strict=True) if n]
    beside = quantity.note or (f"{', '.join(beyond)} the scale" if beyond else "")
    title = f"{quantity.title}, {quantity.unit}" + (f"; {beside}" if beside else "")
    return [*bar, *marks, _text(left, top - 6, title, "font-size:11px")]


#: Largest number of categories in the legend.
_MOST_KINDS = 12


def _kinds(quantity: Drawn, scale: CategoryScale, top: int) -> list[str]:
    """The categories, each after a mark in its colour."""
    kinds = np.unique(quantity.values[np.isfinite(quantity.values)])
    places, palette = scale.places(kinds), scale.palette
    parts = [_text(0, top - 6, quantity.title, "font-size:11px")]
    for k, (kind, place) in enumerate(zip(kinds[:_MOST_KINDS].tolist(), places.tolist(), strict=False)):
        parts.append(f'<rect x="{26 * k:g}" y="{top}" width="9" height="9" fill="{palette[place]}"/>')
        parts.append(_text(26 * k + 4, top + 22, f"{kind:g}", "font-size:11px;text-anchor:middle"))
    return parts


def _key(classes: np.ndarray, within: np.ndarray, solution: Solution) -> list[str]:
    """The legend of thick lines with counts, including those hidden within substations."""
    rows = []
    for k, (kind, text) in enumerate(line_counts(classes, within, "shadow" in solution._branches).items()):
        y = 24 + 16 * k
        rows.append(f'<path d="M2 {y - 4}h18" stroke-linecap="round" {_STYLES[kind]}/>')
        rows.append(_text(26, y, text, "font-size:11px"))
    return rows


def line_counts(classes: np.ndarray, within: np.ndarray, keeps_ratings: bool) -> dict[str, str]:
    """The legend texts by class of lines; where ratings are not enforced, overloaded lines take the place of binding
    ones."""
    own = {kind: int((classes == kind).sum()) for kind in ("binding", "warning")}
    most = "binding" if keeps_ratings else "above its rating" if own["binding"] == 1 else "above their rating"
    texts = {}
    for kind, text in (("binding", most), ("warning", "more at 80 % or above")):
        hidden = int(((classes == kind) & within).sum())
        texts[kind] = f"{own[kind]:,} {text}" + (f", {hidden:,} in substations" if hidden else "")
    return texts


def _notes(solution: Solution, view: dict[str, Any], missing: int, basemap: bool, layers: Sequence[Layer]) -> list[str]:
    """The lines at the lower right: the identity of the result, and the other content of the picture."""
    lines = [f"Result {solution.sha256[:12]}, case {solution.case.sha256[:12]}"]
    if view["synthetic_coords"]:
        lines.append("Synthetic layout, not where the equipment is")
    if missing:
        lines.append(f"{words.count(missing, 'bus')} without a position not drawn")
    if basemap:
        lines.append(ATTRIBUTION)
    if layers:
        names = ", ".join(layer["name"] for layer in layers)
        lines.append(f"Layers: {names if len(names) <= _LAYER_NAMES else f'{names[:_LAYER_NAMES]}...'}")
    return lines


def _text(x: float, y: float, text: str, style: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" style="{_TEXT};{style}">{escaped(text)}</text>'


_WIDTHS_CM = (2, 100)
_PX_PER_CM = 96 / 2.54


class FigureForm:
    """Path, format and width of a figure; raises ArgumentError for an unknown format."""

    def __init__(self, path: str | PathLike[str], width_cm: Any) -> None:
        self.path = path_of(path)
        self._ending = self.path.suffix.lower()
        if self._ending not in (".svg", ".pdf"):
            ending = self.path.suffix or self.path.name
            raise ArgumentError("ARGUMENT.CHOICE", f"A map is saved as .svg or .pdf, not as {ending!r}.")
        wide = finite(width_cm)
        if wide is None or not _WIDTHS_CM[0] <= wide <= _WIDTHS_CM[1]:
            limits = f"from {_WIDTHS_CM[0]} to {_WIDTHS_CM[1]}"
            raise ArgumentError("ARGUMENT.NUMBER", f"width_cm must be {limits}, not {formatted(width_cm)}.")
        self._width_cm = wide

    @property
    def letters(self) -> float:
        """Factor of the letters, relative to a picture for the screen, at which they have 8 points on paper."""
        return WIDTH / (self._width_cm * _PX_PER_CM)

    def content(self, svg: str) -> bytes:
        """The bytes of the file for an SVG of `picture`."""
        return pdf(svg, self._width_cm) if self._ending == ".pdf" else on_paper(svg, self._width_cm).encode()


def on_paper(svg: str, width_cm: float) -> str:
    """The same SVG with its size in cm."""
    root = ElementTree.fromstring(svg)
    _, _, wide, tall = _numbers(root.attrib["viewBox"])
    size = f'width="{width_cm:g}cm" height="{width_cm * tall / wide:.4g}cm"'
    return re.sub(r'style="max-width:100%;height:auto"', size, svg, count=1)


def pdf(svg: str, width_cm: float) -> bytes:
    """An SVG of `picture` as a PDF of one page with its fonts embedded.

    Raises ArgumentError for a letter that the fonts do not have, and for a colour that is neither a name nor `#rrggbb`.
    """
    with engine_errors() as engine:
        data: bytes = engine.figure_pdf(svg, width_cm)
    return data


def _numbers(text: str) -> list[float]:
    return [float(value) for value in text.replace(",", " ").split()]
