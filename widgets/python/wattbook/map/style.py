"""How a map is drawn: the keywords of `study.map` that say so, as the page takes them (widgets/src/map/style/mapStyle.ts)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arguments import finite, formatted, one_of
from ..errors import ArgumentError
from .colour_maps import COLOUR_MAPS
from .colours import AmountScale, DivergingScale, PriceScale, Scale

if TYPE_CHECKING:
    from ..network.network import Network

#: What a range comes from, what the width of lines stands for, how values are drawn, what the symbols of generators stand for.
RANGES = ("auto", "quantile", "fixed")
WIDTHS = ("class", "rating", "kv")
SURFACES = ("dots", "contour")
GENERATORS = ("none", "fuel", "cost")
_SIZES = (0.25, 4.0)
_HEIGHT_PX = (120, 4000)
#: Shares of the values that a quantile range leaves outside at each end.
_QUANTILE = 0.05


def style_of(network: Network, view: Mapping[str, Any]) -> dict[str, Any]:
    """The style that keywords of `study.map` say; raises ArgumentError for one that is none."""
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
    low, high = scale.low, scale.high
    known = np.sort(values[np.isfinite(values)])
    if style.get("range") == "quantile" and known.size:
        low, high = (float(np.quantile(known, share)) for share in (_QUANTILE, 1 - _QUANTILE))
    low = low if style.get("vmin") is None else float(style["vmin"])
    high = high if style.get("vmax") is None else float(style["vmax"])
    if isinstance(scale, DivergingScale) and scale.middle == 0.0:
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
    if not _SIZES[0] <= number <= _SIZES[1]:
        raise ArgumentError(
            "ARGUMENT.NUMBER", f"{name} must be from {_SIZES[0]} to {_SIZES[1]:g}, not {formatted(value)}."
        )
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
    "range": _choice(RANGES),
    "log": _truth,
    "width": _choice(WIDTHS),
    "levels": _kinds("base_kv", " kV"),
    "areas": _kinds("area", ""),
    "zones": _kinds("zone", ""),
    "surface": _choice(SURFACES),
    "generators": _choice(GENERATORS),
    "bus_size": _size,
    "line_size": _size,
}
#: The keywords, and the names of those that the page calls otherwise.
STYLE_KEYWORDS = tuple(_READERS)
_NAMES = {"bus_size": "busSize", "line_size": "lineSize"}


def height_px(height: Any) -> int:
    """The height of a map, px; raises ArgumentError for what is none."""
    pixels = finite(height)
    if pixels is None or not pixels.is_integer() or not _HEIGHT_PX[0] <= pixels <= _HEIGHT_PX[1]:
        raise ArgumentError(
            "ARGUMENT.NUMBER",
            f"height must be a whole number of pixels from {_HEIGHT_PX[0]} to {_HEIGHT_PX[1]}, not {formatted(height)}.",
        )
    return int(pixels)
