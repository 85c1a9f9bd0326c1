"""Scales of quantities, with the same robust ranges as in the page.

Prices below zero have a separate hue. Changes and voltages pass through grey at zero and at 1 p.u.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..quantities_generated import CATEGORY_COLOURS, QUANTILE_SHARE, USUAL_MAGNITUDES
from .colour_maps import MARKET, map_palette, ramp_palette


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
