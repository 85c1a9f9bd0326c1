"""Palettes and scales of quantities in still pictures, the same as the page's on a light ground, with the same robust
ranges.

Prices below zero have a separate hue. Changes and voltages pass through grey at zero and at 1 p.u.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..quantities_generated import (
    CATEGORY_COLOURS,
    COLOUR_MAPS,
    COLOUR_RAMPS,
    QUANTILE_SHARE,
    USUAL_MAGNITUDES,
    Part,
    Ramp,
)

#: The default colour map of prices: cool for cheap, warm for expensive.
MARKET = "market"
#: Classes of ColorBrewer, which d3-scale-chromatic interpolates by uniform B-splines.
_CLASSES = {
    "rdpu": ("fff7f3", "fde0dd", "fcc5c0", "fa9fb5", "f768a1", "dd3497", "ae017e", "7a0177", "49006a"),
    "purples": ("fcfbfd", "efedf5", "dadaeb", "bcbddc", "9e9ac8", "807dba", "6a51a3", "54278f", "3f007d"),
    "ylorbr": ("ffffe5", "fff7bc", "fee391", "fec44f", "fe9929", "ec7014", "cc4c02", "993404", "662506"),
    "ylgnbu": ("ffffd9", "edf8b1", "c7e9b4", "7fcdbb", "41b6c4", "1d91c0", "225ea8", "253494", "081d58"),
}
#: Parts of matplotlib's colour maps in 24 steps, from the lowest value to the highest.
_SAMPLES = {
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
}


def map_palette(name: str, steps: int) -> list[str]:
    """A colour map in `steps` CSS colours from the lowest value to the highest; matplotlib's have 24."""
    return [f"#{colour}" for colour in _SAMPLES[name]] if name in _SAMPLES else _palette(COLOUR_MAPS[name], steps)


def ramp_palette(name: str, steps: int) -> list[str]:
    """A ramp of the engine's table in `steps` colours, from its lower end to the upper one."""
    return _palette(COLOUR_RAMPS[name], steps)


def _palette(ramp: Ramp, steps: int) -> list[str]:
    shares = np.linspace(0.0, 1.0, steps)
    if isinstance(ramp, Part):
        return [_spline(_CLASSES[ramp.ramp], ramp.low + (ramp.high - ramp.low) * t) for t in shares.tolist()]
    return _through(ramp, shares)


#: From linear sRGB to CIE XYZ relative to the white point D50, which the rows sum to.
_XYZ = np.array(
    [
        [0.4360747, 0.3850649, 0.1430804],
        [0.2225045, 0.7168786, 0.0606169],
        [0.0139322, 0.0971045, 0.7141733],
    ]
)
#: CIE Lab is linear for cube roots below this.
_LINEAR = 6 / 29


def _through(colours: tuple[str, ...], shares: np.ndarray) -> list[str]:
    """Colours interpolated linearly in CIE Lab between equidistant ones."""
    white = _XYZ.sum(axis=1)
    parts = np.array([_channels(colour.removeprefix("#")) for colour in colours]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    xyz = linear @ _XYZ.T / white
    # L, a and b are linear in these roots.
    roots = np.where(xyz > _LINEAR**3, np.cbrt(xyz), xyz / (3 * _LINEAR**2) + 4 / 29)
    places = np.arange(len(colours))
    between = np.column_stack([np.interp(shares * places[-1], places, root) for root in roots.T])
    xyz = np.where(between > _LINEAR, between**3, 3 * _LINEAR**2 * (between - 4 / 29)) * white
    linear = np.clip(xyz @ np.linalg.inv(_XYZ).T, 0, 1)
    found = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return ["#" + "".join(f"{round(255 * channel):02x}" for channel in colour) for colour in found.tolist()]


def _channels(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (0, 2, 4)]


def _spline(classes: tuple[str, ...], t: float) -> str:
    """Uniform B-spline through the classes, with extended ends so that it begins and ends at the first and last class."""
    count = len(classes) - 1
    piece = min(count - 1, int(t * count))
    channels = []
    for values in zip(*map(_channels, classes), strict=True):
        v1, v2 = values[piece], values[piece + 1]
        v0 = values[piece - 1] if piece > 0 else 2 * v1 - v2
        v3 = values[piece + 2] if piece < count - 1 else 2 * v2 - v1
        u = t * count - piece
        value = (1 - u) ** 3 * v0 + (4 - 6 * u**2 + 3 * u**3) * v1 + (1 + 3 * u + 3 * u**2 - 3 * u**3) * v2 + u**3 * v3
        channels.append(max(0, min(255, round(value / 6))))
    return "#" + "".join(f"{channel:02x}" for channel in channels)


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
        """Palette index of each value, -1 for NaN."""
        ...


@dataclass(frozen=True)
class PriceScale:
    """A `Scale` of prices in $/MWh, with a separate hue below zero."""

    low: float
    high: float
    cmap: str = MARKET
    log: bool = False
    #: Number of colours on each side of zero.
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
        negative = ramp_palette("negative_price", self.steps)[::-1] if self._negatives else []
        return negative + map_palette(self.cmap, self.steps)

    @property
    def _negatives(self) -> int:
        return self.steps if self.low < 0 else 0


@dataclass(frozen=True)
class DivergingScale:
    """A diverging `Scale`: around zero for changes, around 1 p.u. for voltage magnitudes."""

    low: float
    high: float
    middle: float = 0.0
    #: Number of colours, including the middle one.
    steps: int = 25

    def places(self, values: np.ndarray) -> np.ndarray:
        off = np.nan_to_num(values) - self.middle
        side = np.where(off < 0, self.middle - self.low, self.high - self.middle)
        share = np.divide(off, side, out=np.sign(off), where=side > 0)
        half = self.steps // 2
        place = half + np.rint(half * np.clip(share, -1, 1)).astype(int)
        return np.where(np.isfinite(values), place, -1)

    @property
    def palette(self) -> list[str]:
        return ramp_palette("change", self.steps)


@dataclass(frozen=True)
class AmountScale:
    """A `Scale` of amounts at buses, or in another hue on lines."""

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
        if self.cmap != MARKET and not self.lines:
            return map_palette(self.cmap, self.steps)
        return ramp_palette("branch" if self.lines else "amount", self.steps)


@dataclass(frozen=True)
class CategoryScale:
    """A `Scale` of categories by number."""

    low: float
    high: float

    def places(self, values: np.ndarray) -> np.ndarray:
        place = np.abs(np.rint(np.nan_to_num(values))).astype(int) % len(CATEGORY_COLOURS)
        return np.where(np.isfinite(values), place, -1)

    @property
    def palette(self) -> list[str]:
        return [*CATEGORY_COLOURS]


def category_scale(values: np.ndarray) -> CategoryScale | None:
    """The scale of categories; None if no element has one."""
    known = values[np.isfinite(values)]
    return CategoryScale(float(known.min()), float(known.max())) if known.size else None


def _shares(values: np.ndarray, low: float, high: float, *, log: bool) -> np.ndarray:
    """Positions of values between the ends of a range, linear or logarithmic (then linear around zero)."""
    known = np.nan_to_num(values)
    if not log:
        return np.asarray((known - low) / (high - low))
    if low > 0:
        return np.asarray((np.log(np.maximum(known, 1e-3 * low)) - math.log(low)) / (math.log(high) - math.log(low)))
    near = 0.01 * max(abs(low), abs(high))
    ends = np.arcsinh(np.array([low, high]) / near)
    return np.asarray((np.arcsinh(known / near) - ends[0]) / (ends[1] - ends[0]))


def price_scale(prices: np.ndarray) -> PriceScale | None:
    """The scale for these prices, with a range robust against outliers; None without prices."""
    found = _robust_range(prices)
    return None if found is None else PriceScale(*found)


def amount_scale(values: np.ndarray, *, lines: bool = False) -> AmountScale | None:
    """The scale for amounts, likewise."""
    found = _robust_range(values)
    return None if found is None else AmountScale(*found, lines=lines)


def change_scale(values: np.ndarray) -> DivergingScale | None:
    """The scale for values of both signs, up to the 98th percentile of their magnitudes, or to the largest if that is
    near."""
    sizes = np.sort(np.abs(values[np.isfinite(values)]))
    if sizes.size == 0:
        return None
    most, p98 = float(sizes[-1]), _ranked(sizes, 0.98)
    high = most if most <= 1.6 * p98 else p98
    return DivergingScale(-high, high)


def magnitude_scale(values: np.ndarray) -> DivergingScale | None:
    """The scale for voltage magnitudes of transmission networks: 0.95 to 1.05 pu, as on the map, whatever the limits of
    a case."""
    return DivergingScale(*USUAL_MAGNITUDES, 1.0) if np.isfinite(values).any() else None


def _robust_range(values: np.ndarray) -> tuple[float, float] | None:
    known = np.sort(values[np.isfinite(values)])
    if known.size == 0:
        return None
    at = [_ranked(known, share) for share in (0.0, 0.02, 0.98, 1.0)]
    near = 0.6 * (at[2] - at[1])
    low = at[0] if at[1] - at[0] <= near else at[1]
    high = at[3] if at[3] - at[2] <= near else at[2]
    if not high - low > 1e-6 * max(1.0, abs(high)):
        return low, high
    step = _nice((high - low) / 20)
    return math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step


def quantile_range(values: np.ndarray) -> tuple[float, float] | None:
    """The range that leaves a share of the values outside at each end; None without values."""
    known = np.sort(values[np.isfinite(values)])
    return (_ranked(known, QUANTILE_SHARE), _ranked(known, 1 - QUANTILE_SHARE)) if known.size else None


def _ranked(ascending: np.ndarray, share: float) -> float:
    """The value of the nearest rank, with halves rounded up."""
    return float(ascending[math.floor(share * (ascending.size - 1) + 0.5)])


def ticks(scale: Scale, count: int) -> list[float]:
    """About `count` round values of the scale, but at least three if possible; a single value if the range is one."""
    if not scale.high > scale.low:
        return [scale.low + 0.0]  # avoids negative zero
    found: list[float] = []
    for most in (count, 2 * count):
        step = _nice((scale.high - scale.low) / most)
        first, last = math.ceil(scale.low / step - 1e-9), math.floor(scale.high / step + 1e-9)
        found = [k * step for k in range(first, last + 1)]
        if len(found) > 2:
            break
    return found


def _nice(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9)) * power
