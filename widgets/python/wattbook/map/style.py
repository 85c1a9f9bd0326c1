"""Keywords of `study.map`, and the style of a map among them, in the form that the page reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arguments import finite, formatted, meant, one_of
from ..errors import ArgumentError, EditError, InputError
from ..network import ElementName
from ..quantities_generated import COLOUR_MAPS, MAP_CHOICES, MAP_SIZES
from ..quantities_generated import QUANTITIES as TABLE
from .colours import AmountScale, DivergingScale, PriceScale, Scale, quantile_range

if TYPE_CHECKING:
    from ..network import Network

_HEIGHT_PX = (120, 4000)


def style_of(network: Network, view: Mapping[str, Any]) -> dict[str, Any]:
    """The style given by keywords of `study.map`; raises ArgumentError for an invalid one."""
    given = {name: view[name] for name in STYLE_KEYWORDS if view.get(name) is not None}
    style = {_NAMES.get(name, name): _READERS[name](network, name, value) for name, value in given.items()}
    low, high = style.get("vmin"), style.get("vmax")
    if low is not None and high is not None and not low < high:
        raise ArgumentError("ARGUMENT.NUMBER", f"vmin must be below vmax, not {formatted(low)} and {formatted(high)}.")
    if (low is not None or high is not None) and style.setdefault("range", "fixed") != "fixed":
        raise ArgumentError("ARGUMENT.CHOICE", 'vmin and vmax are the ends of range="fixed".')
    return style


def styled(scale: Scale | None, values: np.ndarray, style: Mapping[str, Any] | None) -> Scale | None:
    """A scale with the palette and the range of a style."""
    if scale is None or not style:
        return scale
    around_zero = isinstance(scale, DivergingScale) and scale.middle == 0.0
    found = quantile_range(np.abs(values) if around_zero else values) if style.get("range") == "quantile" else None
    low, high = found or (scale.low, scale.high)
    low = low if style.get("vmin") is None else float(style["vmin"])
    high = high if style.get("vmax") is None else float(style["vmax"])
    if isinstance(scale, DivergingScale) and around_zero:
        size = max(abs(low), abs(high))
        return replace(scale, low=-size, high=size)
    if isinstance(scale, PriceScale) or (isinstance(scale, AmountScale) and not scale.lines):
        cmap, log = style.get("cmap", scale.cmap), bool(style.get("log", False))
        return replace(scale, low=low, high=max(low, high), cmap=cmap, log=log)
    return scale


def _number(_network: Network, name: str, value: Any) -> float:
    number = finite(value)
    if number is None:
        raise ArgumentError("ARGUMENT.NUMBER", f"{name} must be a finite number, not {formatted(value)}.")
    return number


def _size(network: Network, name: str, value: Any) -> float:
    number = _number(network, name, value)
    least, most = MAP_SIZES
    if not least <= number <= most:
        raise ArgumentError("ARGUMENT.NUMBER", f"{name} must be from {least} to {most:g}, not {formatted(value)}.")
    return number


def _truth(_network: Network, name: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise ArgumentError("ARGUMENT.CHOICE", f"{name} must be True or False, not {formatted(value)}.")
    return bool(value)


def _choice(allowed: Iterable[str]) -> Callable[[Network, str, Any], str]:
    return lambda _case, name, value: one_of(name, value, tuple(allowed))


def _kinds(column: str, unit: str) -> Callable[[Network, str, Any], list[float]]:
    def read(network: Network, name: str, value: Any) -> list[float]:
        values = [value] if finite(value) is not None else list(value) if isinstance(value, Iterable) else [None]
        numbers = [None if isinstance(value, (str, bytes)) else finite(one) for one in values]
        known = np.unique(network._rows.buses.numbers(column))
        known = known[np.isfinite(known)]
        for one, number in zip(values, numbers, strict=True):
            if number is None or number not in known:
                listed = ", ".join(f"{one:g}" for one in known[:20]) or "none"
                message = f"{name}: the case has no {formatted(one)}{unit}. It has: {listed}."
                raise ArgumentError("ARGUMENT.CHOICE", message)
        return [number for number in numbers if number is not None]

    return read


_READERS: Mapping[str, Callable[[Network, str, Any], Any]] = {
    "vmin": _number,
    "vmax": _number,
    "cmap": _choice(COLOUR_MAPS),
    "range": _choice(MAP_CHOICES["range"]),
    "log": _truth,
    "width": _choice(MAP_CHOICES["width"]),
    "levels": _kinds("base_kv", " kV"),
    "areas": _kinds("area", ""),
    "zones": _kinds("zone", ""),
    "surface": _choice(MAP_CHOICES["surface"]),
    "generators": _choice(MAP_CHOICES["generators"]),
    "bus_size": _size,
    "line_size": _size,
}
#: The keywords, and the page's names where they differ.
STYLE_KEYWORDS = tuple(_READERS)
_NAMES = {"bus_size": "busSize", "line_size": "lineSize"}


def height_px(height: Any) -> int:
    """The height of a map, px; raises ArgumentError for an invalid one."""
    pixels = finite(height)
    if pixels is None or not pixels.is_integer() or not _HEIGHT_PX[0] <= pixels <= _HEIGHT_PX[1]:
        raise ArgumentError(
            "ARGUMENT.NUMBER",
            f"height must be a whole number of pixels from {_HEIGHT_PX[0]} to {_HEIGHT_PX[1]}, not {formatted(height)}.",
        )
    return int(pixels)


QUANTITIES = tuple(name for name, quantity in TABLE.items() if quantity.element == "bus")
LINE_QUANTITIES = tuple(name for name, quantity in TABLE.items() if quantity.element == "branch")
PREVIEW_MODES = ("first_order", "exact")


def map_settings(formulation: str, network: Network, view: Mapping[str, Any]) -> dict[str, Any]:
    """The traits for the keywords of `study.map`; raises an error for an unknown keyword."""
    known = (
        *("height", "quantity", "color", "lines", "preview_mode", "bus", "branch", "generator"),
        *("basemap", "attribution"),
        *STYLE_KEYWORDS,
    )
    for name in view:
        if name not in known:
            hint = f"; {meant(name, known)}" if meant(name, known) else "."
            message = f"map() has no keyword {name!r}{hint} It takes: {', '.join(known)}."
            raise ArgumentError("ARGUMENT.UNKNOWN", message)
    if "color" in view and "quantity" in view:
        raise ArgumentError("ARGUMENT.CHOICE", "color is another name of quantity; give one of them.")
    view = {**view, "quantity": view["color"]} if "color" in view else view
    settings: dict[str, Any] = {
        "view": {
            "quantity": one_of(
                "quantity", view.get("quantity", "voltage" if formulation == "acpf" else "lmp"), QUANTITIES
            ),
        },
        "preview_mode": one_of("preview_mode", view.get("preview_mode", "exact"), PREVIEW_MODES),
    }
    if view.get("height") is not None:
        settings["view"]["height"] = height_px(view["height"])
    style = style_of(network, view)
    if style:
        settings["view"]["style"] = style
    if "lines" in view:
        settings["view"]["lines"] = one_of("lines", view["lines"], LINE_QUANTITIES)
    kinds = ("bus", "branch", "generator")
    selected: dict[str, ElementName] = {kind: view[kind] for kind in kinds if view.get(kind) is not None}
    if len(selected) > 1:
        raise EditError("TARGET.MALFORMED", "Select one bus, one branch or one generator.")
    if settings["view"]["quantity"] == "sensitivity" and not selected:
        raise InputError(
            "TARGET.MISSING",
            "A map of sensitivities needs one bus, branch or generator: "
            f'study.map(quantity="sensitivity", bus={network._bus_keys.example}).',
        )
    for kind, key in selected.items():
        if kind == "generator":
            ident = network._generator_keys.known(key, "GENERATOR.UNKNOWN")
        else:
            elements = network._bus_keys if kind == "bus" else network._branch_keys
            ident = elements.target(key)
        settings["selection"] = {"kind": kind, "id": ident}
    return settings
