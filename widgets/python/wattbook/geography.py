"""Positions of buses: geographic layers, synthetic layouts, one-line drawings."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self, SupportsFloat

import numpy as np

from .arguments import finite, foreign_frame, formatted
from .errors import POSITIONS, InputError, error_for
from .files import files
from .files.kinds import MODULE_SUFFIX, SOLUTION_SUFFIX, kind_by_name, refuse, stem
from .jobs import finished, reporter
from .native import engine, engine_errors
from .tables.rows import Inspected, parted, whole
from .text import words
from .text.html import SHOWN_WARNINGS
from .threads import apart

if TYPE_CHECKING:
    import pandas as pd


def open_display(source: files.Source) -> Display:
    """Reads a PowerWorld display file (`.pwd`); `source` is a path, or the bytes of the file.

    Raises InputError: `INPUT.DISPLAY` if it is not such a file or contains no supported equipment positions, `INPUT.FORMAT` for a
    file of another kind, and those of reading a file.
    """
    path, data = files.content(source)
    kind = kind_by_name(path)
    if kind in ("balanced", "distribution", "geography"):
        refuse(kind, path)
    with engine_errors() as native:
        return Display(stem(path), json.loads(native.parse_display(data)))


class Display:
    """Positions of substations, buses and lines in a drawing, in drawing units with y upwards; never longitude and latitude.

    `canvas` is (width, height), or None if the file does not give it; `unmatched` lists, as sentences, symbols that could not be
    read or belong to no element.
    """

    def __init__(self, display_id: str, body: Mapping[str, Any]) -> None:
        self.id = display_id
        canvas = body["canvas"]
        self.canvas: tuple[float, float] | None = (canvas["width"], canvas["height"]) if canvas else None
        self.unmatched: tuple[str, ...] = tuple(symbol["message"] for symbol in body["unmatched"])
        self._body = body

    @property
    def substations(self) -> pd.DataFrame:
        """Index `substation` (its number); columns `name`, `x`, `y`."""
        return self._substations.copy()

    @cached_property
    def _substations(self) -> pd.DataFrame:
        from .tables.networks import points

        return points("substation", self._body["substations"], "number", names=True)

    @property
    def buses(self) -> pd.DataFrame:
        """Index `bus` (its number); columns `x`, `y`."""
        return self._buses.copy()

    @cached_property
    def _buses(self) -> pd.DataFrame:
        from .tables.networks import points

        return points("bus", self._body["buses"], "number")

    @property
    def branches(self) -> pd.DataFrame:
        """Columns `from_bus`, `to_bus`, `circuit` (missing if the drawing has no circuit names), `points` (lists of
        `[x, y]`), in the order of the file."""
        return self._branches.copy()

    @cached_property
    def _branches(self) -> pd.DataFrame:
        from .tables.networks import display_branches

        return display_branches(self._body["branches"])

    def __repr__(self) -> str:
        counts = (("substations", "substation"), ("buses", "bus"), ("branches", "line"))
        held = ", ".join(words.count(len(self._body[key]), noun) for key, noun in counts)
        left = f"; {words.count(len(self.unmatched), 'note')}" if self.unmatched else ""
        return f"<Display {self.id}: {held}, in drawing units{left}>"


_HOLDS = {MODULE_SUFFIX: "a saved module", SOLUTION_SUFFIX: "a saved solution"}
_SPACES = {
    "geographic": "longitude and latitude",
    "projected": "projected coordinates",
    "drawing": "drawing units",
    "unknown": "unknown coordinates",
}
#: Descriptions of the sources of positions, by `coords_kind`.
POSITION_SOURCES = {
    "file": "longitudes and latitudes from a file",
    "synthetic": "a synthetic layout, not surveyed",
    "manual": "set by hand",
    "synthetic_pending": f"none; add them with {POSITIONS.python}",
}


class RecordNote(NamedTuple):
    """A note on one record of a layer: its 1-based number (0 for the whole layer), a stable code, a sentence."""

    record: int
    code: str
    message: str

    def __str__(self) -> str:
        where = f"Record {self.record}: " if self.record else ""
        return f"{where}{self.message} [{self.code}]"


@dataclass(frozen=True)
class GeoReport:
    """The result of applying a geographic layer.

    `space` is the kind of its coordinates (`geographic`, `projected`, `drawing` or `unknown`), `basis` how that was determined
    (`marker`, `names`, `inferred`, `nothing`). `bus_records` and `branch_records` count the records with coordinates,
    `matched_buses` and `matched_branches` the elements of the case that they place, `unmatched_records` those that place
    nothing, `unplaced_buses` the buses that still have no position and are not on the map. `notes` refer to single records, at
    most 1,000; `notes_left_out` counts the others.
    """

    space: str
    basis: str
    bus_records: int
    branch_records: int
    matched_buses: int
    matched_branches: int
    unmatched_records: int
    unplaced_buses: int
    notes: tuple[RecordNote, ...]
    notes_left_out: int

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> GeoReport:
        """From `body`, the contract's `GeoReport`."""
        counts = ("bus_records", "branch_records", "matched_buses", "matched_branches", "unmatched_records")
        return cls(
            space=body["space"],
            basis=body["basis"],
            **{name: body[name] for name in counts},
            unplaced_buses=body["unplaced_buses"],
            notes=tuple(RecordNote(row["record"], row["code"], row["message"]) for row in body["warnings"]),
            notes_left_out=body["warnings_left_out"],
        )

    def __str__(self) -> str:
        parts = [
            f"{words.count(self.matched_buses, 'bus')} and {words.count(self.matched_branches, 'branch')} placed by "
            f"{_SPACES.get(self.space, self.space)}",
            f"{words.count(self.unmatched_records, 'unmatched record')}",
        ]
        if self.unplaced_buses:
            parts.append(f"{words.count(self.unplaced_buses, 'bus')} without a position, not on the map")
        return "; ".join(parts)


class GeoDrawing:
    """Positions from a layer that is not in longitude and latitude: for the diagram, in the units of the layer."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        self._body = body

    @property
    def buses(self) -> pd.DataFrame:
        """Index `bus`; columns `x`, `y`."""
        return self._buses.copy()

    @cached_property
    def _buses(self) -> pd.DataFrame:
        from .tables.networks import points

        return points("bus", self._body["buses"], "bus")

    @property
    def branches(self) -> pd.DataFrame:
        """Index `branch`; column `points`, lists of `[x, y]`."""
        return self._branches.copy()

    @cached_property
    def _branches(self) -> pd.DataFrame:
        import pandas as pd

        rows = self._body["branches"]
        index = pd.Index([row["branch"] for row in rows], name="branch")
        return pd.DataFrame({"points": [row["points"] for row in rows]}, index=index)

    def __repr__(self) -> str:
        buses, branches = len(self._body["buses"]), len(self._body["branches"])
        return f"<GeoDrawing: {words.count(buses, 'bus')}, {words.count(branches, 'branch')}, no map positions>"


class Placeable:
    """Base of cases and distribution networks: a module, with or without positions."""

    id: str
    #: Report on the layer that `with_geography` applied last, or None.
    geo_report: GeoReport | None = None
    #: Positions of that layer that are not map positions, or None.
    geo_drawing: GeoDrawing | None = None
    _module_json: str
    _layout: list[float] | None = None

    @property
    def module_json(self) -> str:
        """The retained generation-2 module; `sha256` is its hash."""
        return self._module_json

    def _again(self, inspected: Inspected) -> Self:
        """A copy with the same id and name and another module."""
        raise NotImplementedError

    def with_geography(self, source: files.Source | Any) -> Self:
        """A new case or distribution network with the positions and routes of a geographic layer; this one does not change.

        `source` is a path or the bytes of a CSV with or without header, of JSON records, of GeoJSON, or of a PowerWorld
        `.aux` table of bus positions; or a DataFrame with the columns of such a CSV (its index too if it has a name),
        or a `geopandas.GeoDataFrame`. The buses of a case match by number, uid or name, its branches by uid, number or
        their pair of buses; the buses and lines of a distribution network match by name. `geo_report` lists the
        matches; a layer in other coordinates goes to `geo_drawing` and leaves map positions unchanged. The module
        changes, and with it `sha256`.

        Raises InputError: `INPUT.GEO_NO_MATCH` if nothing matches, `INPUT.GEO_FORMAT` and `INPUT.GEO_EMPTY` if the file
        is not a layer or has no usable coordinates, and those of reading a file.
        """
        path, data = files.content(_layer_of(source))
        kind = kind_by_name(path)
        # PowerWorld uses the same extension for cases and for tables of positions.
        if path is not None and (
            kind in ("display", "distribution") or (kind == "balanced" and path.suffix.lower() != ".aux")
        ):
            refuse(kind, path)
        with engine_errors() as native:
            text, numbers, module_json = apart(native.apply_geo, self._module_json, data)
        body, columns = parted((text, numbers))
        again = self._again((whole(body["case"], module_json), columns))
        again.geo_report = GeoReport.from_body(body["report"])
        again.geo_drawing = GeoDrawing(body["drawing"]) if body["drawing"] else None
        return again

    def with_layout(self, centre: Sequence[SupportsFloat], *, scale_km: SupportsFloat | None = None) -> Self:
        """The same with a synthetic layout around `centre`, (longitude, latitude) in degrees; this one does not change.

        The layout is deterministic: equal networks get the same positions bit for bit, here and in the page. `scale_km` is
        the length of its longer side at the centre in km; by default neighbours are about 10 km apart. All positions are
        replaced and stored routes removed. 10,000 buses take a few seconds; Ctrl-C interrupts.

        Raises InputError `INPUT.PLACEMENT` if the centre or part of the layout is off the map.
        """
        lon, lat = _centre(centre)
        scale = None if scale_km is None else _number("scale_km", scale_km)
        positions = self._positions()
        with engine_errors() as native:
            text, numbers, module_json = apart(native.apply_layout, self._module_json, positions, lon, lat, scale)
        head, columns = parted((text, numbers))
        again = self._again((whole(head, module_json), columns))
        again._layout = positions
        return again

    def _positions(self) -> list[float]:
        """The layout by row of the module; depends on the network only, so copies share it."""
        if self._layout is None:
            with engine_errors() as native:
                job = apart(native.Job.layout, self._module_json)
            report = reporter(None, text=lambda step: "laying out")
            _, columns = finished(job, report)
            x, y = (np.frombuffer(columns[name][2], dtype="<f8") for name in ("layout_x", "layout_y"))
            self._layout = np.column_stack((x, y)).ravel().tolist()
        return self._layout

    def to_geojson(self) -> str:
        """Positions and routes as GeoJSON text; `with_geography` reads the same positions from it, bit for bit.

        Raises InputError `INPUT.GEO_EMPTY` without positions.
        """
        native = engine()
        try:
            return str(apart(native.geo_json, self._module_json))
        except native.EngineError as error:
            code, message, *rest = error.args
            if code == "INPUT.GEO_EMPTY":
                message = POSITIONS.within(f"{message} Add them with ", ".")
            raise error_for(code, message, *(json.loads(part) if part else None for part in rest)) from None

    def save_geojson(self, path: str | os.PathLike[str]) -> Path:
        """Writes `to_geojson()` and returns the path; in a folder the file is called `<id>.geo.json`.

        Raises InputError `INPUT.GEO_EMPTY`, `OUTPUT.UNWRITABLE`.
        """
        text = self.to_geojson()
        return files.write(files.target(path, self.id, ".geo.json"), text.encode())

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the module, which stores everything, and returns the path; in a folder the file is called
        `<id>.module.json`.

        `wb.open_case` reads it, or `wb.open_distribution` that of a distribution network, with the same `sha256`. Raises InputError
        `OUTPUT.UNWRITABLE`, and `EXPORT.FORMAT` for a file name that does not end in `.json`.
        """
        return write_module(path, self.id, self._module_json)


def write_module(path: str | os.PathLike[str], stem: str, module_json: str, suffix: str = MODULE_SUFFIX) -> Path:
    """Writes a module; errors as for `Placeable.save`."""
    where = files.target(path, stem, suffix)
    if where.suffix.lower() != ".json":
        raise InputError(
            "EXPORT.FORMAT",
            f"The name of {_HOLDS[suffix]} ends in .json, for instance {files.component(stem)}{suffix}, not {where.name}. export() writes other formats.",
        )
    return files.write(where, module_json.encode())


def _layer_of(source: Any) -> Any:
    """The bytes of a CSV file for a DataFrame; other sources are returned unchanged."""
    if hasattr(source, "to_csv") and not hasattr(source, "geometry"):
        named = source.index.name is not None and source.index.name not in source.columns
        return source.to_csv(index=named).encode()
    if foreign := foreign_frame(source):
        raise InputError("INPUT.GEO_FORMAT", f"The layer is {foreign}.")
    return geojson_of(source)


def geojson_of(source: Any) -> Any:
    """The bytes of GeoJSON for a GeoDataFrame, in degrees; other sources are returned unchanged."""
    if not (hasattr(source, "to_json") and hasattr(source, "geometry")):
        return source
    degrees = source if source.crs is None else source.to_crs(4326)
    text: str = degrees.to_json()
    return text.encode()


def _centre(centre: Sequence[SupportsFloat]) -> tuple[float, float]:
    pair = list(centre) if isinstance(centre, Sequence) and not isinstance(centre, (str, bytes)) else centre
    try:
        lon, lat = pair
    except (TypeError, ValueError):
        raise InputError(
            "INPUT.PLACEMENT", f"centre must be (longitude, latitude) in degrees, not {formatted(centre)}."
        ) from None
    lon, lat = _number("centre", lon), _number("centre", lat)
    if abs(lat) > 90 >= abs(lon):
        raise InputError(
            "INPUT.PLACEMENT",
            f"centre must be (longitude, latitude), and latitude {lat:g} is out of range: did you mean ({lat:g}, {lon:g})?",
        )
    return lon, lat


def _number(name: str, value: Any) -> float:
    number = finite(value)
    if number is None:
        raise InputError("INPUT.PLACEMENT", f"{name} contains {formatted(value)}, which is not a finite number.")
    return number


def report_rows(case: Placeable) -> list[tuple[str, str]]:
    return [("Layer", str(case.geo_report))] if case.geo_report else []


def record_notes(case: Placeable) -> list[str]:
    report = case.geo_report
    if report is None:
        return []
    more = len(report.notes) + report.notes_left_out - SHOWN_WARNINGS
    return [*map(str, report.notes[:SHOWN_WARNINGS]), *([f"and {words.count(more, 'more note')}"] if more > 0 else [])]
