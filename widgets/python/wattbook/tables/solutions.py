"""DataFrames of Solutions, from the columns of the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from .networks import (
    CASE_UNITS,
    LINK_UNITS,
    STORAGE_UNITS,
    Parameters,
    case_frame,
    framed,
    link_columns,
    place_columns,
    storage_columns,
)
from .rows import Column, Columns, ElementRows

#: Names in tables of the engine's columns, in display order; other columns follow under their own names.
_TITLES = {
    "demand_mw": "demand_mw",
    "demand_mvar": "demand_mvar",
    "lmp": "lmp",
    "lmp_q": "lmp_q",
    "lmp_energy": "lmp_energy",
    "lmp_losses": "lmp_losses",
    "lmp_congestion": "lmp_congestion",
    "lmp_voltage": "lmp_voltage",
    "lmp_without_security": "lmp_without_security",
    "lmp_security": "lmp_security",
    "slack_weight": "slack_weight",
    "vm_pu": "vm_pu",
    "vm_min_pu": "vm_min_pu",
    "vm_max_pu": "vm_max_pu",
    "va_rad": "va_deg",
    "injection_mw": "p_mw",
    "injection_mvar": "q_mvar",
    "rating_mw": "rating_mw",
    # One name for the ratings of a case, which are in MVA where flows have reactive power.
    "rating_mva": "rating_mw",
    "flow_mw": "p_from_mw",
    "flow_mvar": "q_from_mvar",
    "flow_to_mw": "p_to_mw",
    "flow_to_mvar": "q_to_mvar",
    "loading": "loading",
    "shadow": "shadow",
    "dispatch_mw": "p_mw",
    "dispatch_mvar": "q_mvar",
    "link_mw": "p_from_mw",
    "link_to_mw": "p_to_mw",
    "link_from_mvar": "q_from_mvar",
    "link_to_mvar": "q_to_mvar",
    "link_price_difference": "price_difference",
    "link_shadow": "shadow",
    "link_rent": "rent",
    "storage_mw": "p_mw",
    "storage_mvar": "q_mvar",
    "storage_charges_below": "charges_below",
    "storage_discharges_above": "discharges_above",
    "q_min_mvar": "q_min_mvar",
    "q_max_mvar": "q_max_mvar",
}

#: Columns of previews and sensitivities of power flows by their names in tables: changes, and derivatives per MW.
_CHANGES = {
    "vm_change": "vm_pu",
    "va_change": "va_deg",
    "flow_change": "p_from_mw",
    "flow_mvar_change": "q_from_mvar",
    "flow_to_change": "p_to_mw",
    "flow_to_mvar_change": "q_to_mvar",
    "loading_change": "loading",
    "vm_slope": "vm_pu",
    "va_slope": "va_deg",
    "flow_slope": "p_from_mw",
    "flow_mvar_slope": "q_from_mvar",
}
#: Columns that buses can be grouped by.
GROUPS = ("area", "zone", "base_kv")
_GROUP_UNITS = {
    "demand_mw": "MW",
    "generation_mw": "MW",
    "capacity_mw": "MW",
    "net_export_mw": "MW",
    "lmp": "$/MWh",
    "lmp_min": "$/MWh",
    "lmp_max": "$/MWh",
}


def solution_buses(rows: ElementRows, parameters: Parameters, columns: Columns) -> pd.DataFrame:
    """Buses of a solution; NaN at isolated buses."""
    values, units = _solved("bus", columns)
    out = {
        "name": pd.array(rows.names, dtype="string"),
        "base_kv": rows.numbers("base_kv"),
        **place_columns(rows, parameters),
        **values,
        "editable": rows.flags("bus_editable"),
    }
    return case_frame("bus", rows, out, {**CASE_UNITS, **units})


def solution_branches(
    rows: ElementRows, columns: Columns, edits: Mapping[Any, Mapping[str, float | bool]]
) -> pd.DataFrame:
    """Branches of a solution with the values of `edits`."""
    values, units = _solved("branch", columns)
    rating = values.pop("rating_mw")
    is_fallback = rows.flags("rating_is_fallback").copy()
    is_fallback[[rows.places[branch] for branch, own in edits.items() if "rating" in own]] = False
    out = {
        "name": pd.array(rows.names, dtype="string"),
        "from_bus": rows.integers("from_bus"),
        "to_bus": rows.integers("to_bus"),
        "rating_mw": rating,
        "rating_is_fallback": is_fallback,
        # Options may exclude the assumed ratings.
        "rating_assumed": is_fallback & np.isfinite(rating),
        **values,
        "in_service": _status(rows, edits, "branch_in_service"),
        "editable": rows.flags("branch_editable"),
    }
    return case_frame("branch", rows, out, units)


def solution_generators(
    generators: pd.DataFrame, rows: ElementRows, columns: Columns, edits: Mapping[Any, Mapping[str, float | bool]]
) -> pd.DataFrame:
    """Generators of a solution with the values of `edits`; `generators` are those of the case. Dispatch is NaN for
    generators out of service."""
    values, units = _solved("generator", columns)
    out = {
        **{name: generators[name].array for name in ("bus", "bus_name", "area", "zone", "energy_source")},
        **values,
        "p_min_mw": _limits(rows, edits, "p_min"),
        "p_max_mw": _limits(rows, edits, "p_max"),
        "cost": _costs(generators, rows, values.get("p_mw"), edits),
        "in_service": _status(rows, edits, "generator_in_service"),
    }
    return case_frame("generator", rows, out, {**CASE_UNITS, **units, "cost": "$/MWh"})


def solution_links(
    rows: ElementRows, columns: Columns, edits: Mapping[Any, Mapping[str, float | bool]]
) -> pd.DataFrame:
    """HVDC links of a solution with the values of `edits`."""
    values, units = _solved("link", columns)
    of_case = link_columns(rows)
    ends = {name: of_case[name] for name in ("from_bus", "to_bus")}
    given = {name: of_case[name].copy() for name in ("p_min_mw", "p_max_mw")}
    for link, own in edits.items():
        for name in ("p_min", "p_max"):
            if name in own:
                given[f"{name}_mw"][rows.places[link]] = own[name]
    status = _status(rows, edits, "link_in_service")
    return framed("link", rows.ids, {**ends, **values, **given, "in_service": status}, {**LINK_UNITS, **units})


def solution_storage(
    rows: ElementRows, columns: Columns, prices: pd.Series | None, edits: Mapping[Any, Mapping[str, float | bool]]
) -> pd.DataFrame:
    """Storage units of a solution with the values of `edits`; `prices` are by bus."""
    values, units = _solved("storage", columns)
    of_case = storage_columns(rows)
    names = ("p_charge_max_mw", "p_discharge_max_mw", "energy_mwh", "energy_value")
    given = {name: of_case[name].copy() for name in names}
    for storage, own in edits.items():
        for name in names:
            edit = name.removesuffix("_mw").removesuffix("_mwh")
            if edit in own:
                given[name][rows.places[storage]] = own[edit]
    buses = of_case["bus"]
    price = {} if prices is None else {"lmp": prices.loc[buses].to_numpy()}
    status = _status(rows, edits, "storage_in_service")
    out = {"bus": buses, **values, **price, **given, "in_service": status}
    return framed("storage", rows.ids, out, {**STORAGE_UNITS, **units, **({"lmp": "$/MWh"} if price else {})})


def _costs(
    generators: pd.DataFrame,
    rows: ElementRows,
    output: np.ndarray | None,
    edits: Mapping[Any, Mapping[str, float | bool]],
) -> np.ndarray:
    """Marginal cost at the output, $/MWh; for a piecewise-linear cost that of the next MW; without an output that at
    Pmin."""
    least = generators["p_min_mw"].to_numpy()
    at = least if output is None else np.where(np.isnan(output), least, output)
    costs: np.ndarray = 2.0 * generators["cost_c2"].to_numpy() * at + generators["cost_c1"].to_numpy()
    for row, points in enumerate(generators["cost_points"]):
        if points:
            mw, cost = np.array(points).T
            slopes = np.diff(cost) / np.diff(mw)
            costs[row] = slopes[min(np.searchsorted(mw[1:], at[row] + 1e-6), len(slopes) - 1)]
    for generator, values in edits.items():
        if "cost" in values:
            row = rows.places[generator]
            costs[row] = values["cost"] + 2.0 * values.get("c2", 0.0) * at[row]
    return costs


def _status(rows: ElementRows, edits: Mapping[Any, Mapping[str, float | bool]], of_case: str) -> np.ndarray:
    """Whether each element is in service; `of_case` names its flag in the case."""
    status = rows.flags(of_case).copy()
    for element, values in edits.items():
        if "status" in values:
            status[rows.places[element]] = values["status"]
    return status


def _limits(rows: ElementRows, edits: Mapping[Any, Mapping[str, float | bool]], name: str) -> np.ndarray:
    """Pmin or Pmax, MW, with edits by original id."""
    limits = rows.numbers(f"{name}_mw").copy()
    for generator, values in edits.items():
        if name in values:
            limits[rows.places[generator]] = values[name]
    return limits


def _solved(element: str, columns: Columns) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Columns of one kind of element by their names in tables, and their units."""
    found = columns.of(element)
    values: dict[str, np.ndarray] = {}
    units: dict[str, str] = {}
    for name in sorted(found, key=lambda name: list(_TITLES).index(name) if name in _TITLES else len(_TITLES)):
        _, unit, numbers = found[name]
        title = _TITLES.get(name, name)
        values[title] = np.degrees(numbers) if unit == "rad" else numbers
        units[title] = "deg" if unit == "rad" else unit
        if name == "shadow" and "rating_mva" in found:
            units[title] = "$/MVAh"
        if name == "flow_mw" and "flow_to_mw" not in found:
            # Without losses the flow at the to end is minus the one at the from end.
            values["p_to_mw"], units["p_to_mw"] = -numbers, unit
    return values, units


def changes(element: str, element_ids: np.ndarray, columns: Columns) -> pd.DataFrame:
    """Changes or derivatives of a power flow at `element` (`bus` or `branch`) by original id, without elements out of service."""
    values: dict[str, np.ndarray] = {}
    units: dict[str, str] = {}
    for name, (_, unit, column) in columns.of(element).items():
        title = _CHANGES[name]
        is_angle = unit.startswith("rad")
        values[title] = np.degrees(column) if is_angle else column
        units[title] = unit.replace("rad", "deg", 1) if is_angle else unit
    frame = pd.DataFrame(values, index=pd.Index(element_ids, name=element)).dropna(how="all")
    frame.attrs["units"] = units
    return frame


def by_bus(bus_ids: np.ndarray, column: Column, name: str) -> pd.Series:
    """A column as a Series by bus id, without isolated buses (NaN)."""
    known = ~np.isnan(column.values)
    series = pd.Series(column.values[known], index=pd.Index(bus_ids[known], name="bus"), name=name)
    series.attrs["units"] = column.unit
    return series


def by_id(rows: Sequence[Mapping[str, Any]], name: str, unit: str) -> pd.Series:
    """Values at buses (`bus`, `value`) as a Series by bus id."""
    index = pd.Index([row["bus"] for row in rows], name="bus", dtype="int64")
    series = pd.Series([row["value"] for row in rows], index=index, name=name, dtype="float64")
    series.attrs["units"] = unit
    return series


# Ids of the branches and of the generators out of service.
OUT = ("outage", "generators_out")


def binding_limits(branches: ElementRows, rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Limits after outages, and ratings that may be exceeded, by branch."""
    units = {"flow_mw": "MW", "limit_mw": "MW", "excess_mw": "MW", "shadow": "$/MWh"}
    keys = {**{name: name for name in units}, "shadow": "shadow_usd_per_mwh"}
    index = pd.Index([row["branch"] for row in rows], name="branch", dtype="int64")
    names = pd.array(branches.names, dtype="string")
    columns: dict[str, Any] = {
        "name": pd.Series(names[[branches.places[branch] for branch in index]], index=index),
        **{key: pd.Series([tuple(row.get(key, ())) for row in rows], index=index, dtype="object") for key in OUT},
        **{name: pd.Series([row[key] for row in rows], index=index, dtype="float64") for name, key in keys.items()},
    }
    names_of_outages = [row.get("outage_name") for row in rows]
    if any(names_of_outages):
        columns["outage_name"] = pd.Series(names_of_outages, index=index, dtype="string")
    twins = [row.get("twin") for row in rows]
    if any(twins):
        columns["twin"] = pd.Series(twins, index=index, dtype="Int64")
    frame = pd.DataFrame({name: values.array for name, values in columns.items()}, index=index)
    frame.attrs["units"] = units
    return frame


def interface_flows(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Interfaces by name: flow, limits (NaN where unlimited), excess and shadow price."""
    units = {"flow_mw": "MW", "min_mw": "MW", "max_mw": "MW", "excess_mw": "MW", "shadow": "$/MWh"}
    keys = {**{name: name for name in units}, "shadow": "shadow_usd_per_mwh"}
    index = pd.Index([row["name"] for row in rows], name="interface", dtype="string")
    columns = {name: np.array([row.get(key, np.nan) for row in rows], dtype=np.float64) for name, key in keys.items()}
    frame = pd.DataFrame(columns, index=index)
    frame.attrs["units"] = units
    return frame


def grouped(buses: pd.DataFrame, generators: pd.DataFrame, rows: ElementRows, by: str) -> pd.DataFrame:
    """One row per group, from the buses and generators of a solution; buses without a group are excluded."""
    group = pd.Series(rows.numbers(by), index=buses.index)
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
        # Weighted by demand, as loads pay; without demand the plain mean. Negative demand has zero weight, so that the
        # mean lies between the extremes.
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
    out.attrs["units"] = {name: unit for name, unit in _GROUP_UNITS.items() if name in out}
    return out
