"""DataFrames of tracks, outages, explanations and LMP components."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from .building import Rows, column, framed, ids, numbers, texts


def track_breakpoints(rows: Rows, unit: str) -> pd.DataFrame:
    """Breakpoints of a track, in its direction; positions in `unit`."""
    columns = {
        "mw": numbers(rows, "mw"),
        "event": texts(rows, "event"),
        "kind": texts([row["element"] for row in rows], "kind"),
        "id": ids([row["element"] for row in rows], "id"),
        "price_before": numbers(rows, "price_before"),
        "price_after": numbers(rows, "price_after"),
    }
    frame = pd.DataFrame(columns)
    frame.attrs["units"] = {"mw": unit, "price_before": "$/MWh", "price_after": "$/MWh"}
    return frame


def track_segments(rows: Rows, unit: str) -> pd.DataFrame:
    """Segments of a track between breakpoints, in its direction; positions in `unit`."""
    units = {
        "from_mw": unit,
        "to_mw": unit,
        "objective": "$/h",
        "objective_end": "$/h",
        "price": "$/MWh",
        "slope": f"($/MWh)/{'degree' if unit == 'degrees' else unit}",
    }
    frame = pd.DataFrame({key: numbers(rows, key) for key in units})
    frame.attrs["units"] = units
    return frame


def contingencies(rows: Rows, branches: pd.DataFrame) -> pd.DataFrame:
    """Outages by branch, compared with `branches`, the pre-contingency state; inapplicable values are missing."""
    index = pd.Index(np.array([row["branch"] for row in rows], dtype=np.int64), name="branch")
    whole = {
        key: pd.array([row.get(key) for row in rows], dtype="Int64")
        for key in ("worst_branch", "overloads", "new_overloads")
    }
    new: list[Mapping[str, Any]] = [row.get("worst_new_overload", {}) for row in rows]
    number = {
        key: np.array([row.get(key, np.nan) for row in rows], dtype=np.float64)
        for key in ("worst_mw", "worst_loading", "demand_cut_off_mw", "generation_cut_off_mw")
    }
    worst = [row.get("worst_branch") for row in rows]
    loading = branches["loading"]
    before = np.array([np.nan if one is None else loading[one] for one in worst], dtype=np.float64)
    columns = {
        "from_bus": branches["from_bus"].loc[index].to_numpy(),
        "to_bus": branches["to_bus"].loc[index].to_numpy(),
        "kind": texts(rows, "kind"),
        "worst_branch": whole["worst_branch"],
        "worst_mw": number["worst_mw"],
        "worst_loading": number["worst_loading"],
        "worst_base_loading": before,
        "loading_rise": number["worst_loading"] - before,
        "overloads": whole["overloads"],
        "new_overloads": whole["new_overloads"],
        **{
            f"new_overload_{key}": pd.array([one.get(key) for one in new], dtype="Int64")
            for key in ("branch", "from_bus", "to_bus")
        },
        "new_overload_mw": column([one.get("mw") for one in new]),
        "new_overload_loading": column([one.get("loading_after") for one in new]),
        "new_overload_base_loading": column([one.get("loading_before") for one in new]),
        "buses_cut_off": [tuple(row.get("buses_cut_off", ())) for row in rows],
        "demand_cut_off_mw": number["demand_cut_off_mw"],
        "generation_cut_off_mw": number["generation_cut_off_mw"],
    }
    frame = pd.DataFrame(columns, index=index)
    frame.attrs["units"] = {
        "worst_mw": "MW",
        "worst_loading": "fraction of rating",
        "worst_base_loading": "fraction of rating",
        "loading_rise": "fraction of rating",
        "new_overload_mw": "MW",
        "new_overload_loading": "fraction of rating",
        "new_overload_base_loading": "fraction of rating",
        "demand_cut_off_mw": "MW",
        "generation_cut_off_mw": "MW",
    }
    return frame


def outage_flows(data: bytes, branches: pd.DataFrame) -> pd.DataFrame:
    """Flows and loadings after an outage beside those of `branches`, the pre-contingency state."""
    after = np.frombuffer(data, dtype="<f8")
    rating = branches["rating_mw"].to_numpy()
    columns = {
        "from_bus": branches["from_bus"].to_numpy(),
        "to_bus": branches["to_bus"].to_numpy(),
        "p_from_mw": after,
        "base_p_from_mw": branches["p_from_mw"].to_numpy(),
        "rating_mw": rating,
        "loading": np.abs(after) / rating,
        "base_loading": branches["loading"].to_numpy(),
    }
    frame = pd.DataFrame(columns, index=branches.index)
    frame.attrs["units"] = {
        "p_from_mw": "MW",
        "base_p_from_mw": "MW",
        "rating_mw": "MW",
        "loading": "fraction of rating",
        "base_loading": "fraction of rating",
    }
    return frame


def _named_limits(rows: Rows) -> dict[str, Any]:
    elements = [row["element"] for row in rows]
    # The two buses of a branch, the bus of a generator, or a bus itself.
    buses = [(row["id"],) if row["kind"] == "bus" else tuple(row.get("buses") or ()) for row in elements]
    return {
        "kind": texts(elements, "kind"),
        "id": ids(elements, "id"),
        "uid": texts(elements, "uid"),
        "name": texts(elements, "name"),
        "from_bus": pd.array([ends[0] if ends else None for ends in buses], dtype="Int64"),
        "to_bus": pd.array([ends[1] if len(ends) > 1 else None for ends in buses], dtype="Int64"),
        "limit": texts(rows, "limit"),
    }


def contradicting_limits(rows: Rows) -> pd.DataFrame:
    limits = np.array([row.get("limit_mw", np.nan) for row in rows], dtype=np.float64)
    assumed = np.array([row.get("rating_assumed", False) for row in rows], dtype=bool)
    given = {"limit_mw": limits, "weight": numbers(rows, "weight"), "rating_assumed": assumed}
    frame = pd.DataFrame({**_named_limits(rows), **given})
    frame.attrs["units"] = {"limit_mw": "MW", "weight": "MW of relaxation per MW"}
    return frame


def relaxed_limits(rows: Rows, rating_unit: str) -> pd.DataFrame:
    reactive = {"reactive_supply": "MVAr", "reactive_absorption": "MVAr"}
    units = {"rating": rating_unit, "rating_and_angle": rating_unit, **reactive}
    angles = np.array([row.get("angle_deg", 0.0) for row in rows], dtype=np.float64)
    amounts = {"mw": numbers(rows, "rounded_mw"), "exact_mw": numbers(rows, "mw")}
    voltages = np.array([row.get("voltage_pu", 0.0) for row in rows], dtype=np.float64)
    unit = pd.Series([units.get(row["limit"], "MW") for row in rows], dtype="str")
    assumed = np.array([row.get("rating_assumed", False) for row in rows], dtype=bool)
    given = {"unit": unit, "angle_deg": angles, "voltage_pu": voltages, "rating_assumed": assumed}
    frame = pd.DataFrame({**_named_limits(rows), **amounts, **given})
    power = "/".join(dict.fromkeys(unit)) or "MW"
    frame.attrs["units"] = {"mw": power, "exact_mw": power, "angle_deg": "deg", "voltage_pu": "pu"}
    return frame


def congestion_parts(rows: Rows) -> pd.DataFrame:
    units = {"value": "$/MWh", "shadow": "$/MWh", "shift_factor": "MW/MW"}
    columns = {key: numbers(rows, key) for key in units}
    frame = framed("branch", ids(rows, "branch"), columns, units)
    outages = [tuple(row.get("outage", ())) for row in rows]
    if any(outages):
        frame.insert(0, "outage", pd.Series(outages, index=frame.index, dtype="object"))
    return frame
