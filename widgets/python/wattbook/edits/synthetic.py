"""Synthetic demand by hour: a plausible shape for examples and tests, no measurements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ..arguments import whole
from ..errors import EditError

if TYPE_CHECKING:
    from ..case.case import Case

#: Height, hour and width in hours of the daily peaks above the level of the night.
_PEAKS = ((0.20, 9.5, 3.0), (0.34, 18.5, 3.6))
_NIGHT = 0.62
_WEEKEND = 0.93
#: Height, day of the year and width in days of the yearly peaks above the level of spring and autumn.
_SEASONS = ((0.16, 15.0, 45.0), (0.25, 205.0, 40.0))
_MILD = 0.75
#: Standard deviation of an area's own variation, and its correlation from hour to hour.
_NOISE, _MEMORY = 0.02, 0.9


def synthetic_demand(case: Case, hours: int, start: str, seed: int) -> pd.DataFrame:
    """Demand in MW by hour and bus; see `Case.synthetic_demand`."""
    count = whole("hours", hours, least=1)
    try:
        time = pd.date_range(start, periods=count, freq="h", name="time")
    except ValueError:
        raise EditError("PROFILE.MALFORMED", f"start must be a date such as 2026-07-06, not {start!r}.") from None
    buses = case.buses
    loads = buses[(buses["demand_mw"] > 0) & buses["editable"]]
    longitude = loads["longitude"].fillna(loads["longitude"].mean()).fillna(0.0)
    ahead = (longitude - longitude.mean()).to_numpy() / 15.0
    hour = (time.hour.to_numpy()[:, None] + ahead[None, :]) % 24
    daily = _NIGHT + _bumps(hour, _PEAKS, 24.0)
    yearly = _MILD + _bumps(time.day_of_year.to_numpy(dtype=float), _SEASONS, 365.0)
    weekly = np.where(time.day_of_week.to_numpy() >= 5, _WEEKEND, 1.0)
    factor = daily * (yearly * weekly)[:, None] * (1.0 + _variation(loads["area"], count, seed))
    demand = factor * loads["demand_mw"].to_numpy()
    demand *= loads["demand_mw"].sum() / demand.sum(axis=1).max()
    frame = pd.DataFrame(demand, index=time, columns=loads.index.rename("bus"))
    frame.attrs["units"] = "MW"
    return frame


def _bumps(at: np.ndarray, peaks: tuple[tuple[float, float, float], ...], period: float) -> np.ndarray:
    away = [(at - centre + period / 2) % period - period / 2 for _, centre, _ in peaks]
    bumps = (height * np.exp(-((x / width) ** 2)) for x, (height, _, width) in zip(away, peaks, strict=True))
    return np.asarray(sum(bumps))


def _variation(area: pd.Series, hours: int, seed: int) -> np.ndarray:
    """An autoregressive variation by hour and bus, the same for all buses of an area."""
    codes, _ = pd.factorize(area, use_na_sentinel=False)
    noise = np.random.default_rng(seed).standard_normal((hours, codes.max() + 1 if len(codes) else 0))
    for k in range(1, hours):
        noise[k] = _MEMORY * noise[k - 1] + np.sqrt(1 - _MEMORY**2) * noise[k]
    return _NOISE * noise[:, codes]
