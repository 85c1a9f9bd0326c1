"""Layers that a user draws on a map: `CaseMap.add_layer`, in the form that the page reads
(widgets/src/map/overlay/overlay.ts)."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..arguments import finite, formatted
from ..errors import ArgumentError, InputError
from ..files import files
from ..geography import geojson_of
from ..text.words import visible

#: Largest number of layers of one map, and of positions in all of them: what a page can draw during a drag.
MOST_LAYERS = 20
MOST_POSITIONS = 200_000
_LONGEST_NAME = 80
#: Default colours of layers in turn: Okabe and Ito, legible for the colour-blind.
_COLOURS = ("#cc79a7", "#009e73", "#56b4e9", "#e69f00", "#0072b2", "#d55e00")
_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}|[a-zA-Z]{3,24}")
#: Limits of width and size, px, and of opacity.
_RANGES = {"width": (0.25, 20.0), "size": (1.0, 60.0), "opacity": (0.0, 1.0)}

Layer = dict[str, Any]


def layer_of(data: Any, layers: Sequence[Layer], **look: Any) -> Layer:
    """A layer from GeoJSON (a mapping, a path or text of JSON), a GeoDataFrame or any object with `__geo_interface__`.

    `look`: `name`, `color`, `width`, `size`, `opacity`. Raises ArgumentError, InputError `LAYER.INVALID`, `LAYER.TOO_LARGE`,
    `LAYER.TOO_MANY`.
    """
    name = _name(look["name"], layers)
    others = [layer for layer in layers if layer["name"] != name]
    if len(others) >= MOST_LAYERS:
        raise InputError("LAYER.TOO_MANY", f"A map has at most {MOST_LAYERS} layers; remove_layer(name) removes one.")
    parts: dict[str, list[Any]] = {"points": [], "lines": [], "polygons": []}
    _collect(_read(data), parts)
    if not any(parts.values()):
        raise InputError("LAYER.INVALID", "The layer has no points, lines or polygons.")
    count = sum(map(positions, (parts, *others)))
    if count > MOST_POSITIONS:
        raise InputError(
            "LAYER.TOO_LARGE",
            f"The layers of a map have at most {MOST_POSITIONS:,} positions, not {count:,}: simplify the geometry.",
        )
    return {
        "name": name,
        "color": _colour(look["color"], len(others)),
        **{key: _number(key, look[key]) for key in _RANGES},
        **parts,
    }


def positions(layer: Mapping[str, Any]) -> int:
    """The number of positions of a layer."""
    lines = sum(map(len, layer["lines"]))
    return len(layer["points"]) + lines + sum(len(ring) for rings in layer["polygons"] for ring in rings)


def _read(data: Any) -> Any:
    if isinstance(data, os.PathLike) or (isinstance(data, str) and not data.lstrip().startswith("{")):
        try:
            _, data = files.content(data)
        except InputError as error:
            raise InputError("LAYER.INVALID", f"The layer cannot be read: {error.message}") from None
    text = geojson_of(data)
    if isinstance(text, (str, bytes)):
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InputError("LAYER.INVALID", f"The layer is not JSON: {error}.") from None
    try:
        found = getattr(data, "__geo_interface__", data)
    except Exception as error:  # raised by another package's code
        raise InputError("LAYER.INVALID", f"The layer's __geo_interface__ fails: {error}.") from error
    if not isinstance(found, Mapping):
        raise ArgumentError(
            "LAYER.INVALID",
            f"A layer is GeoJSON, a path, a GeoDataFrame or has __geo_interface__; not {formatted(data)}.",
        )
    return found


def _collect(given: Any, parts: dict[str, list[Any]], depth: int = 0) -> None:
    """Adds the geometries of a GeoJSON object (RFC 7946); features without geometry are skipped."""
    kind = given.get("type") if isinstance(given, Mapping) else None
    if kind == "Feature":
        if given.get("geometry") is not None:
            _collect(given["geometry"], parts, depth)
    elif kind in ("FeatureCollection", "GeometryCollection") and depth < 4:
        member = "features" if kind == "FeatureCollection" else "geometries"
        for one in _list(given.get(member) or (), f"The {member} of a {kind}"):
            _collect(one, parts, depth + 1)
    elif isinstance(kind, str) and kind in _GEOMETRIES:
        key, many, read = _GEOMETRIES[kind]
        found, what = given.get("coordinates"), f"The coordinates of a {kind}"
        parts[key].extend([read(one, what) for one in _list(found, what)] if many else [read(found, what)])
    else:
        what = f"the type {formatted(kind)}" if kind is not None else f"no type: {formatted(given)}"
        raise InputError("LAYER.INVALID", f"A part of the layer is not GeoJSON; it has {what}.")


def _list(value: Any, what: str) -> Sequence[Any]:
    """A list of GeoJSON, or a tuple or array of `__geo_interface__`."""
    if isinstance(value, (str, bytes, Mapping)) or not (hasattr(value, "__getitem__") and hasattr(value, "__len__")):
        raise InputError("LAYER.INVALID", f"{what} must be a list, not {formatted(value)}.")
    return value  # type: ignore[no-any-return]


def _position(value: Any, what: str) -> list[float]:
    numbers = [finite(one) for one in _list(value, what)[:2]]
    if len(numbers) < 2 or None in numbers:
        raise InputError(
            "LAYER.INVALID", f"{what} must be finite numbers, longitude and latitude, not {formatted(value)}."
        )
    lon, lat = (float(number or 0.0) for number in numbers)
    if not (abs(lon) <= 360 and abs(lat) <= 90):
        raise InputError(
            "LAYER.INVALID",
            f"{what}: ({lon:g}, {lat:g}) is not longitude and latitude in degrees; reproject to EPSG:4326.",
        )
    return [round(lon, 7), round(lat, 7)]


def _path(value: Any, what: str) -> list[list[float]]:
    return [_position(one, what) for one in _list(value, what)]


def _rings(value: Any, what: str) -> list[list[list[float]]]:
    return [_path(ring, what) for ring in _list(value, what)]


_GEOMETRIES: Mapping[str, tuple[str, bool, Callable[[Any, str], Any]]] = {
    "Point": ("points", False, _position),
    "MultiPoint": ("points", True, _position),
    "LineString": ("lines", False, _path),
    "MultiLineString": ("lines", True, _path),
    "Polygon": ("polygons", False, _rings),
    "MultiPolygon": ("polygons", True, _rings),
}


def _name(name: Any, layers: Sequence[Layer]) -> str:
    if name is None:
        taken = {layer["name"] for layer in layers}
        return next(text for k in range(1, len(layers) + 2) if (text := f"Layer {k}") not in taken)
    if not isinstance(name, str) or not 0 < len(shown_name(name)) <= _LONGEST_NAME:
        raise ArgumentError(
            "ARGUMENT.CHOICE", f"name must be a text of 1 to {_LONGEST_NAME} characters, not {formatted(name)}."
        )
    return shown_name(name)


def shown_name(name: str) -> str:
    """The name of a layer as displayed in legends."""
    return visible(name).strip()


def _colour(colour: Any, before: int) -> str:
    if colour is None:
        return _COLOURS[before % len(_COLOURS)]
    if not isinstance(colour, str) or not _COLOUR.fullmatch(colour):
        raise ArgumentError(
            "ARGUMENT.CHOICE", f'color must be "#rrggbb" or the name of a CSS colour, not {formatted(colour)}.'
        )
    return colour


def _number(name: str, value: Any) -> float:
    low, high = _RANGES[name]
    number = finite(value)
    if number is None or not low <= number <= high:
        raise ArgumentError("ARGUMENT.NUMBER", f"{name} must be from {low:g} to {high:g}, not {formatted(value)}.")
    return number
