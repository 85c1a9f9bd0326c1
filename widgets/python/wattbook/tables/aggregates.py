"""Solutions summed up by area, zone or voltage level."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from ..results.solution import Solution

#: What buses can be grouped by.
GROUPS = ("area", "zone", "base_kv")

_UNITS = {
    "demand_mw": "MW",
    "generation_mw": "MW",
    "capacity_mw": "MW",
    "net_export_mw": "MW",
    "lmp": "$/MWh",
    "lmp_min": "$/MWh",
    "lmp_max": "$/MWh",
}


def grouped(solution: Solution, by: str) -> pd.DataFrame:
    """One row a group; buses without one are left out."""
    rows = solution.case._rows
    buses, generators = solution._buses, solution._generators
    group = pd.Series(rows.buses.numbers(by), index=buses.index)
    at = generators["bus"].map(group)
    running = generators["p_mw"].notna()
    demand = buses["demand_mw"].groupby(group).sum()
    generation = generators["p_mw"].groupby(at).sum().reindex(demand.index, fill_value=0.0)
    capacity = generators["p_max_mw"].where(running).groupby(at).sum().reindex(demand.index, fill_value=0.0)
    out = pd.DataFrame(
        {
            "buses": group.groupby(group).size(),
            "demand_mw": demand,
            "generation_mw": generation,
            "capacity_mw": capacity,
            "net_export_mw": generation - demand,
        }
    )
    if "lmp" in buses:
        # Weighted by demand, as loads pay; without demand the plain mean. Negative demand has no weight: a mean lies between the ends.
        weight = buses["demand_mw"].clip(lower=0.0).where(buses["lmp"].notna(), 0.0)
        weighted = (buses["lmp"].fillna(0.0) * weight).groupby(group).sum() / weight.groupby(group).sum().replace(
            0.0, np.nan
        )
        prices = buses["lmp"].groupby(group)
        out["lmp"] = weighted.fillna(prices.mean())
        out["lmp_min"], out["lmp_max"] = prices.min(), prices.max()
    if by != "base_kv":
        out.index = out.index.astype("int64")
    out.index.name = by
    out.attrs["units"] = {name: unit for name, unit in _UNITS.items() if name in out}
    return out
