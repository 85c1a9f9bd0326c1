"""Colours of quantities: the same scales and robust ranges as in the page (widgets/src/map/colour/colourScale.ts, legendRange.ts).

Prices have a colour map. Prices below zero and amounts have the uniform B-splines of d3-scale-chromatic through the classes of
ColorBrewer (RdPu below zero; Purples at buses, YlOrBr on lines). Changes and voltages pass through grey at zero and at 1 p.u.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

_RD_PU = ("fff7f3", "fde0dd", "fcc5c0", "fa9fb5", "f768a1", "dd3497", "ae017e", "7a0177", "49006a")
_PURPLES = ("fcfbfd", "efedf5", "dadaeb", "bcbddc", "9e9ac8", "807dba", "6a51a3", "54278f", "3f007d")
_YL_OR_BR = ("ffffe5", "fff7bc", "fee391", "fec44f", "fe9929", "ec7014", "cc4c02", "993404", "662506")
#: The diverging scale of the page in 25 steps.
_DIVERGING = [
    "0b4f8a",
    "1c5e98",
    "286ea7",
    "347eb5",
    "3f8fc4",
    "5a9ccb",
    "72aad2",
    "87b8d9",
    "9cc6e0",
    "accbde",
    "bcd0db",
    "cbd4d9",
    "d9d9d6",
    "e1d1c4",
    "e8c9b1",
    "edc19f",
    "f2b98d",
    "eda775",
    "e7965e",
    "e08446",
    "d9722e",
    "c66424",
    "b3561a",
    "a14810",
    "8f3a06",
]
#: The colour maps of the page on a light ground in 24 steps, from the lowest value to the highest (widgets/src/map/colour/colourMaps.ts).
COLOUR_MAPS: dict[str, tuple[str, ...]] = {
    "market": (
        "27408f",
        "2a4e9a",
        "2d5ca4",
        "2f6baf",
        "3279b9",
        "4088bd",
        "4d97c2",
        "58a6c6",
        "70b2c0",
        "96b8a5",
        "b4bd8a",
        "cdc36c",
        "dbbf56",
        "e0b249",
        "e4a33d",
        "e79530",
        "e4842b",
        "de712a",
        "d75d29",
        "d04828",
        "bf392b",
        "ac2d2d",
        "991f2e",
        "86102f",
    ),
    "viridis": (
        "440154",
        "471063",
        "481d6f",
        "472c7a",
        "453882",
        "414487",
        "3c508b",
        "375b8d",
        "32658e",
        "2d708e",
        "29798e",
        "26828e",
        "228d8d",
        "1f968b",
        "1fa088",
        "24aa83",
        "2eb37c",
        "3dbc74",
        "52c569",
        "67cc5c",
        "81d34d",
        "9bd93c",
        "b5de2b",
        "d2e21b",
    ),
    "cividis": (
        "002051",
        "00275f",
        "042e67",
        "0f356c",
        "1c3c6e",
        "29436e",
        "374a6e",
        "44516d",
        "51596e",
        "5c606e",
        "67676f",
        "706e71",
        "797673",
        "817d75",
        "898577",
        "918d78",
        "9a9478",
        "a49d78",
        "aea575",
        "b9ad72",
        "c5b66d",
        "d1bf66",
        "dec85e",
        "ead156",
    ),
    "plasma": (
        "0d0887",
        "260591",
        "38049a",
        "4903a0",
        "5901a5",
        "6900a8",
        "7801a8",
        "8707a6",
        "9511a1",
        "a21d9a",
        "ae2892",
        "ba3388",
        "c43e7f",
        "cd4a76",
        "d6556d",
        "de6164",
        "e66c5c",
        "ed7953",
        "f3854b",
        "f79342",
        "fba139",
        "fdaf31",
        "febe2a",
        "fcce25",
    ),
    "magma": (
        "06051a",
        "100b2d",
        "1a1042",
        "271258",
        "36106b",
        "451077",
        "54137d",
        "621980",
        "701f81",
        "7c2382",
        "8b2981",
        "992d80",
        "a8327d",
        "b73779",
        "c53c74",
        "d3436e",
        "e04c67",
        "eb5760",
        "f3655c",
        "f8745c",
        "fb8560",
        "fd9668",
        "fea772",
        "feb77e",
    ),
    "ylgnbu": (
        "d5eeb3",
        "caeab4",
        "bde5b5",
        "afe0b6",
        "9fdab8",
        "8fd3ba",
        "7fcdbb",
        "70c7bd",
        "61c2bf",
        "54bbc1",
        "47b5c2",
        "3cadc2",
        "33a5c2",
        "2b9cc0",
        "2593be",
        "2288ba",
        "207db6",
        "2072b1",
        "2166ac",
        "225ba7",
        "2351a1",
        "23479c",
        "223e94",
        "1f368c",
    ),
}
#: What prices have unless something else is chosen: cool for cheap, warm for expensive.
MARKET = "market"
#: Hues of kinds that have no order, as in the page.
_CATEGORIES = (
    "3b6fb5",
    "d9822b",
    "3f9a6b",
    "b8476b",
    "7a5cab",
    "8c6a3f",
    "2f9fa8",
    "a3a02c",
    "5a6672",
    "cc5fa8",
)
#: Half of the narrowest range of voltage magnitudes, per unit.
_LEAST_DEVIATION = 0.01


class Scale(Protocol):
    """Colours for values between `low` and `high`; values outside get the colour of the nearer end."""

    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def palette(self) -> list[str]:
        """CSS colours from the lowest value to the highest."""
        ...

    def places(self, values: np.ndarray) -> np.ndarray:
        """Place in `palette` of each value, -1 for a value that does not exist."""
        ...


@dataclass(frozen=True)
class PriceScale:
    """A `Scale` of prices in $/MWh, with a hue of their own below zero."""

    low: float
    high: float
    cmap: str = MARKET
    log: bool = False
    #: Colours of each side of zero.
    steps: int = 24

    def places(self, prices: np.ndarray) -> np.ndarray:
        base, top = max(self.low, 0.0), max(self.high, 0.0)
        share = _shares(prices, base, top, log=self.log) if top > base else np.full(prices.shape, 0.5)
        place = self._negatives + np.rint((self.steps - 1) * np.clip(np.nan_to_num(share), 0, 1)).astype(int)
        if self._negatives:
            below = np.clip((np.nan_to_num(prices) - self.low) / -self.low, 0, 1)
            place = np.where(prices < 0, np.rint((self.steps - 1) * below).astype(int), place)
        return np.where(np.isfinite(prices), place, -1)

    @property
    def palette(self) -> list[str]:
        rising = [k / (self.steps - 1) for k in range(self.steps)]
        negative = [_spline(_RD_PU, 0.4 + 0.5 * (1 - t)) for t in rising] if self._negatives else []
        return negative + [f"#{colour}" for colour in COLOUR_MAPS[self.cmap]]

    @property
    def _negatives(self) -> int:
        return self.steps if self.low < 0 else 0


@dataclass(frozen=True)
class DivergingScale:
    """A `Scale` to both sides of a value: changes of zero, voltage magnitudes of 1 p.u."""

    low: float
    high: float
    middle: float = 0.0

    def places(self, values: np.ndarray) -> np.ndarray:
        off = np.nan_to_num(values) - self.middle
        side = np.where(off < 0, self.middle - self.low, self.high - self.middle)
        share = np.divide(off, side, out=np.sign(off), where=side > 0)
        half = len(_DIVERGING) // 2
        place = half + np.rint(half * np.clip(share, -1, 1)).astype(int)
        return np.where(np.isfinite(values), place, -1)

    @property
    def palette(self) -> list[str]:
        return [f"#{colour}" for colour in _DIVERGING]


@dataclass(frozen=True)
class AmountScale:
    """A `Scale` of amounts at buses, or on lines in another hue."""

    low: float
    high: float
    lines: bool = False
    cmap: str = MARKET
    log: bool = False
    steps: int = 24

    def places(self, values: np.ndarray) -> np.ndarray:
        wide = self.high > self.low
        share = _shares(values, self.low, self.high, log=self.log) if wide else np.full(values.shape, 0.5)
        place = np.rint((self.steps - 1) * np.clip(share, 0, 1)).astype(int)
        return np.where(np.isfinite(values), place, -1)

    @property
    def palette(self) -> list[str]:
        rising = [k / (self.steps - 1) for k in range(self.steps)]
        if self.lines:
            return [_spline(_YL_OR_BR, 0.3 + 0.7 * t) for t in rising]
        if self.cmap != MARKET:
            return [f"#{colour}" for colour in COLOUR_MAPS[self.cmap]]
        return [_spline(_PURPLES, 0.38 + 0.62 * t) for t in rising]


@dataclass(frozen=True)
class CategoryScale:
    """A `Scale` of kinds by their numbers."""

    low: float
    high: float

    def places(self, values: np.ndarray) -> np.ndarray:
        place = np.abs(np.rint(np.nan_to_num(values))).astype(int) % len(_CATEGORIES)
        return np.where(np.isfinite(values), place, -1)

    @property
    def palette(self) -> list[str]:
        return [f"#{colour}" for colour in _CATEGORIES]


def category_scale(values: np.ndarray) -> CategoryScale | None:
    """The scale of kinds; None where no element has one."""
    known = values[np.isfinite(values)]
    return CategoryScale(float(known.min()), float(known.max())) if known.size else None


def _shares(values: np.ndarray, low: float, high: float, *, log: bool) -> np.ndarray:
    """Where values lie between the ends of a range: in equal steps, or in equal ratios (around zero in equal steps)."""
    known = np.nan_to_num(values)
    if not log:
        return (known - low) / (high - low)
    if low > 0:
        return (np.log(np.maximum(known, 1e-3 * low)) - math.log(low)) / (math.log(high) - math.log(low))
    near = 0.01 * max(abs(low), abs(high))
    ends = np.arcsinh(np.array([low, high]) / near)
    return (np.arcsinh(known / near) - ends[0]) / (ends[1] - ends[0])


def price_scale(prices: np.ndarray) -> PriceScale | None:
    """The scale for these prices: a range that few extreme ones cannot stretch; None where there is no price."""
    found = _robust_range(prices)
    return None if found is None else PriceScale(*found)


def amount_scale(values: np.ndarray, *, lines: bool = False) -> AmountScale | None:
    """The scale for amounts, likewise."""
    found = _robust_range(values)
    return None if found is None else AmountScale(*found, lines=lines)


def change_scale(values: np.ndarray) -> DivergingScale | None:
    """The scale for values of both signs: to the 98th percentile of their sizes, or to the largest where that is near."""
    sizes = np.sort(np.abs(values[np.isfinite(values)]))
    if sizes.size == 0:
        return None
    most, p98 = float(sizes[-1]), float(sizes[round(0.98 * (sizes.size - 1))])
    high = most if most <= 1.6 * p98 else p98
    return DivergingScale(-high, high)


def magnitude_scale(values: np.ndarray, limits: tuple[float, float] | None) -> DivergingScale | None:
    """The scale for voltage magnitudes: from limit to limit, or by the values where the limits are not known."""
    found = limits or _robust_range(values)
    if found is None:
        return None
    return DivergingScale(min(found[0], 1 - _LEAST_DEVIATION), max(found[1], 1 + _LEAST_DEVIATION), 1.0)


def _robust_range(values: np.ndarray) -> tuple[float, float] | None:
    known = np.sort(values[np.isfinite(values)])
    if known.size == 0:
        return None
    at = [float(known[round(share * (known.size - 1))]) for share in (0.0, 0.02, 0.98, 1.0)]
    near = 0.6 * (at[2] - at[1])
    low = at[0] if at[1] - at[0] <= near else at[1]
    high = at[3] if at[3] - at[2] <= near else at[2]
    if not high - low > 1e-6 * max(1.0, abs(high)):
        return low, high
    step = _nice((high - low) / 20)
    return math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step


def ticks(scale: Scale, count: int) -> list[float]:
    """Round values of the scale, about `count` of them; the one value where there is only one."""
    if not scale.high > scale.low:
        return [scale.low]
    step = _nice((scale.high - scale.low) / count)
    first, last = math.ceil(scale.low / step - 1e-9), math.floor(scale.high / step + 1e-9)
    return [k * step for k in range(first, last + 1)]


def _nice(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9)) * power


def _spline(classes: tuple[str, ...], t: float) -> str:
    """Uniform B-spline through the classes, its ends extended so that it begins and ends at the first and last."""
    count = len(classes) - 1
    piece = min(count - 1, int(t * count))
    channels = []
    for channel in range(3):
        values = [int(colour[2 * channel : 2 * channel + 2], 16) for colour in classes]
        v1, v2 = values[piece], values[piece + 1]
        v0 = values[piece - 1] if piece > 0 else 2 * v1 - v2
        v3 = values[piece + 2] if piece < count - 1 else 2 * v2 - v1
        u = t * count - piece
        value = (1 - u) ** 3 * v0 + (4 - 6 * u**2 + 3 * u**3) * v1 + (1 + 3 * u + 3 * u**2 - 3 * u**3) * v2 + u**3 * v3
        channels.append(max(0, min(255, round(value / 6))))
    return "#" + "".join(f"{channel:02x}" for channel in channels)
