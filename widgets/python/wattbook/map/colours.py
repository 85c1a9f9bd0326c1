"""Colours of prices: the same scales and robust ranges as in the page (widgets/src/map/colourScale.ts, colourRange.ts).

The scales are the uniform B-splines of d3-scale-chromatic through the classes of ColorBrewer (YlGnBu; RdPu below zero).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

_YL_GN_BU = ("ffffd9", "edf8b1", "c7e9b4", "7fcdbb", "41b6c4", "1d91c0", "225ea8", "253494", "081d58")
_RD_PU = ("fff7f3", "fde0dd", "fcc5c0", "fa9fb5", "f768a1", "dd3497", "ae017e", "7a0177", "49006a")


@dataclass(frozen=True)
class PriceScale:
    """Colours for prices in $/MWh between `low` and `high`; prices outside get the colour of the nearer end."""

    low: float
    high: float
    #: Colours of each side of zero.
    steps: int = 24

    def places(self, prices: np.ndarray) -> np.ndarray:
        """Place in `palette` of each price, -1 for a price that does not exist."""
        base, top = max(self.low, 0.0), max(self.high, 0.0)
        share = (prices - base) / (top - base) if top > base else np.full(prices.shape, 0.5)
        place = self._negatives + np.rint((self.steps - 1) * np.clip(np.nan_to_num(share), 0, 1)).astype(int)
        if self._negatives:
            below = np.clip((np.nan_to_num(prices) - self.low) / -self.low, 0, 1)
            place = np.where(prices < 0, np.rint((self.steps - 1) * below).astype(int), place)
        return np.where(np.isfinite(prices), place, -1)

    @property
    def palette(self) -> list[str]:
        """CSS colours from the lowest price to the highest; below zero in a hue of their own."""
        rising = [k / (self.steps - 1) for k in range(self.steps)]
        negative = [_spline(_RD_PU, 0.4 + 0.5 * (1 - t)) for t in rising] if self._negatives else []
        return negative + [_spline(_YL_GN_BU, 0.2 + 0.68 * t) for t in rising]

    @property
    def _negatives(self) -> int:
        return self.steps if self.low < 0 else 0


def price_scale(prices: np.ndarray) -> PriceScale | None:
    """The scale for these prices: a range that few extreme ones cannot stretch; None where there is no price."""
    known = np.sort(prices[np.isfinite(prices)])
    if known.size == 0:
        return None
    at = [float(known[round(share * (known.size - 1))]) for share in (0.0, 0.02, 0.98, 1.0)]
    near = 0.6 * (at[2] - at[1])
    low = at[0] if at[1] - at[0] <= near else at[1]
    high = at[3] if at[3] - at[2] <= near else at[2]
    if not high - low > 1e-6 * max(1.0, abs(high)):
        return PriceScale(low, high)
    step = _nice((high - low) / 20)
    return PriceScale(math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step)


def ticks(scale: PriceScale, count: int) -> list[float]:
    """Round prices of the scale, about `count` of them; the one price where there is only one."""
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
