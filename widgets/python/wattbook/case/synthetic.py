"""Synthetic demand by hour, whose numbers the engine makes: the page has the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from ..arguments import whole
from ..errors import EditError
from ..native import engine_errors
from ..tables.columns import parted

if TYPE_CHECKING:
    from ..case.case import Case


def synthetic_demand(case: Case, hours: int, start: str, seed: int) -> pd.DataFrame:
    """Demand in MW by hour and bus; see `Case.synthetic_demand`."""
    count = whole("hours", hours, least=1)
    try:
        time = pd.date_range(start, periods=count, freq="h", name="time")
    except ValueError:
        raise EditError("PROFILE.MALFORMED", f"start must be a date such as 2026-07-06, not {start!r}.") from None
    # The clock of the case, whatever the time zone of the index is.
    clock = time.tz_localize(None)
    start_s = (clock[0] - pd.Timestamp(0)).total_seconds()
    with engine_errors():
        head, columns = parted(case._opened.synthetic_demand(start_s, count, whole("seed", seed, least=0)))
    demand = columns["demand_mw"].values.reshape(count, -1).copy()
    frame = pd.DataFrame(demand, index=time, columns=pd.Index(head["buses"], name="bus", dtype=case._buses.index.dtype))
    frame.attrs["units"] = "MW"
    return frame
