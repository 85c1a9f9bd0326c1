"""DataFrames of cases and solutions: original ids as index, units in `df.attrs["units"]`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..text import words
from .columns import Column, Columns

Rows = Sequence[Mapping[str, Any]]

#: Rows that model three-winding transformers; `editable` is False there.
_LOWERED = {"bus": "star point", "branch": "arm"}
_CASE_UNITS = {
    "base_kv": "kV",
    "demand_mw": "MW",
    "gen_mw": "MW",
    "rating_mw": "MW",
    "p_min_mw": "MW",
    "p_max_mw": "MW",
    "longitude": "deg",
    "latitude": "deg",
    "r_pu": "pu",
    "x_pu": "pu",
    "b_pu": "pu",
    "shift_deg": "deg",
    "cost_c2": "$/MW²h",
    "cost_c1": "$/MWh",
    "cost_c0": "$/h",
}


def _frame(name: str, rows: Rows, columns: Mapping[str, Any], units: Mapping[str, str]) -> pd.DataFrame:
    index = pd.Index(np.array([row["id"] for row in rows], dtype=np.int64), name=name)
    frame = pd.DataFrame(dict(columns), index=index)
    frame.attrs["units"] = {column: units[column] for column in frame.columns if column in units}
    lowered = len(rows) - sum(bool(row.get("editable", True)) for row in rows)
    if lowered and name in _LOWERED:
        own, added = words.count(len(rows) - lowered, name), words.count(lowered, _LOWERED[name])
        frame.attrs["rows"] = f"{own} and {added} of three-winding transformers, where editable is False"
    return frame


def _numbers(rows: Rows, key: str, unlimited: float = np.nan) -> np.ndarray:
    """Numbers of one key; null is `unlimited`."""
    return np.array([unlimited if row[key] is None else row[key] for row in rows], dtype=np.float64)


def _ids(rows: Rows, key: str) -> np.ndarray:
    return np.array([row[key] for row in rows], dtype=np.int64)


def _texts(rows: Rows, key: str) -> pd.api.extensions.ExtensionArray:
    return pd.array([row.get(key) for row in rows], dtype="string")


def _flags(rows: Rows, key: str) -> np.ndarray:
    return np.array([bool(row.get(key)) for row in rows], dtype=bool)


def _in_service(rows: Rows) -> np.ndarray:
    return np.array([row["status"] == 1 for row in rows], dtype=bool)


def _column(values: Sequence[float | None]) -> np.ndarray:
    """Numbers; null is missing."""
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


# `parameters` below are those of the engine's `Case.parameters`, in the order of the rows.


def case_buses(rows: Rows, parameters: Mapping[str, Any]) -> pd.DataFrame:
    """Buses of a case; `demand_mw` and `gen_mw` as in the source."""
    columns = {
        "uid": _texts(rows, "uid"),
        "name": _texts(rows, "name"),
        "base_kv": _numbers(rows, "base_kv"),
        "demand_mw": _numbers(rows, "demand_mw"),
        "gen_mw": _numbers(rows, "gen_mw"),
        "longitude": _column(parameters["buses"]["longitude"]),
        "latitude": _column(parameters["buses"]["latitude"]),
        "editable": _flags(rows, "editable"),
    }
    return _frame("bus", rows, columns, _CASE_UNITS)


def case_branches(rows: Rows, parameters: Mapping[str, Any]) -> pd.DataFrame:
    """Branches of a case."""
    columns = {
        "uid": _texts(rows, "uid"),
        "from_bus": _ids(rows, "from"),
        "to_bus": _ids(rows, "to"),
        **{key: _column(parameters["branches"][key]) for key in ("r_pu", "x_pu", "b_pu", "tap", "shift_deg")},
        "rating_mw": _numbers(rows, "rate_mw"),
        "rating_is_fallback": _flags(rows, "rate_is_fallback"),
        "in_service": _in_service(rows),
        "editable": _flags(rows, "editable"),
    }
    return _frame("branch", rows, columns, _CASE_UNITS)


def case_generators(rows: Rows, parameters: Mapping[str, Any]) -> pd.DataFrame:
    """Generators of a case."""
    costs = parameters["costs"]
    columns = {
        "uid": _texts(rows, "uid"),
        "bus": _ids(rows, "bus"),
        "p_min_mw": _numbers(rows, "p_min_mw", -np.inf),
        "p_max_mw": _numbers(rows, "p_max_mw", np.inf),
        "cost_model": _texts(costs, "model"),
        **{f"cost_{key}": _column([cost.get(key) for cost in costs]) for key in ("c2", "c1", "c0")},
        "cost_points": [tuple(map(tuple, cost.get("points", ()))) for cost in costs],
        "in_service": _in_service(rows),
    }
    return _frame("generator", rows, columns, _CASE_UNITS)


def solution_buses(rows: Rows, columns: Columns) -> pd.DataFrame:
    """Buses of a solution; NaN at isolated buses."""
    values, units = _solved("bus", columns)
    out = {
        "name": _texts(rows, "name"),
        "base_kv": _numbers(rows, "base_kv"),
        **values,
        "editable": _flags(rows, "editable"),
    }
    return _frame("bus", rows, out, {"base_kv": "kV", **units})


def solution_branches(rows: Rows, columns: Columns) -> pd.DataFrame:
    """Branches of a solution."""
    values, units = _solved("branch", columns)
    out = {
        "from_bus": _ids(rows, "from"),
        "to_bus": _ids(rows, "to"),
        "rating": values.pop("rating"),
        "rating_is_fallback": _flags(rows, "rate_is_fallback"),
        **values,
        "editable": _flags(rows, "editable"),
    }
    return _frame("branch", rows, out, units)


def solution_generators(rows: Rows, columns: Columns) -> pd.DataFrame:
    """Generators of a solution; NaN dispatch for those out of service."""
    values, units = _solved("generator", columns)
    out = {
        "bus": _ids(rows, "bus"),
        **values,
        "p_min_mw": _numbers(rows, "p_min_mw", -np.inf),
        "p_max_mw": _numbers(rows, "p_max_mw", np.inf),
    }
    return _frame("generator", rows, out, {**units, "p_min_mw": "MW", "p_max_mw": "MW"})


#: Names in tables of the engine's columns, in display order; other columns follow under their own names.
_TITLES = {
    "demand_mw": "demand_mw",
    "lmp": "lmp",
    "va_rad": "va_deg",
    "rating_mw": "rating",
    "flow_mw": "p_from_mw",
    "loading": "loading",
    "shadow": "shadow",
    "dispatch_mw": "p_mw",
}


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
        if name == "flow_mw" and "flow_to_mw" not in found:
            # Without losses the flow at the to end is minus the one at the from end.
            values["p_to_mw"], units["p_to_mw"] = -numbers, unit
    return values, units


def by_bus(bus_ids: np.ndarray, column: Column, name: str) -> pd.Series:
    """A column as a Series by bus id, without isolated buses (NaN)."""
    known = ~np.isnan(column.values)
    series = pd.Series(column.values[known], index=pd.Index(bus_ids[known], name="bus"), name=name)
    series.attrs["units"] = column.unit
    return series


def track_breakpoints(rows: Rows) -> pd.DataFrame:
    """Breakpoints of a track, in its direction."""
    columns = {
        "mw": _numbers(rows, "mw"),
        "event": _texts(rows, "event"),
        "kind": _texts([row["element"] for row in rows], "kind"),
        "id": _ids([row["element"] for row in rows], "id"),
        "price_before": _numbers(rows, "price_before"),
        "price_after": _numbers(rows, "price_after"),
    }
    frame = pd.DataFrame(columns)
    frame.attrs["units"] = {"mw": "MW", "price_before": "$/MWh", "price_after": "$/MWh"}
    return frame


def track_segments(rows: Rows) -> pd.DataFrame:
    """Segments of a track between breakpoints, in its direction."""
    units = {
        "from_mw": "MW",
        "to_mw": "MW",
        "objective": "$/h",
        "objective_end": "$/h",
        "price": "$/MWh",
        "slope": "($/MWh)/MW",
    }
    frame = pd.DataFrame({key: _numbers(rows, key) for key in units})
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
        "kind": _texts(rows, "kind"),
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
        "new_overload_mw": _column([one.get("mw") for one in new]),
        "new_overload_loading": _column([one.get("loading_after") for one in new]),
        "new_overload_base_loading": _column([one.get("loading_before") for one in new]),
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


def _named_limits(rows: Rows) -> dict[str, Any]:
    elements = [row["element"] for row in rows]
    # The two buses of a branch, the one of a generator, and a bus itself.
    buses = [(row["id"],) if row["kind"] == "bus" else tuple(row.get("buses") or ()) for row in elements]
    return {
        "kind": _texts(elements, "kind"),
        "id": _ids(elements, "id"),
        "uid": _texts(elements, "uid"),
        "name": _texts(elements, "name"),
        "from_bus": pd.array([ends[0] if ends else None for ends in buses], dtype="Int64"),
        "to_bus": pd.array([ends[1] if len(ends) > 1 else None for ends in buses], dtype="Int64"),
        "limit": _texts(rows, "limit"),
    }


def contradicting_limits(rows: Rows) -> pd.DataFrame:
    limits = np.array([row.get("limit_mw", np.nan) for row in rows], dtype=np.float64)
    frame = pd.DataFrame({**_named_limits(rows), "limit_mw": limits, "weight": _numbers(rows, "weight")})
    frame.attrs["units"] = {"limit_mw": "MW", "weight": "MW of relaxation per MW"}
    return frame


def relaxed_limits(rows: Rows) -> pd.DataFrame:
    angles = np.array([row.get("angle_deg", 0.0) for row in rows], dtype=np.float64)
    amounts = {"mw": _numbers(rows, "rounded_mw"), "exact_mw": _numbers(rows, "mw")}
    frame = pd.DataFrame({**_named_limits(rows), **amounts, "angle_deg": angles})
    frame.attrs["units"] = {"mw": "MW", "exact_mw": "MW", "angle_deg": "deg"}
    return frame


def congestion_parts(rows: Rows) -> pd.DataFrame:
    units = {"value": "$/MWh", "shadow": "$/MWh", "shift_factor": "MW/MW"}
    columns = {key: _numbers(rows, key) for key in units}
    return _frame("branch", [{"id": row["branch"]} for row in rows], columns, units)


def points(index: str, rows: Rows, key: str, *, names: bool = False) -> pd.DataFrame:
    """Columns `x` and `y`, with `names` also `name`, by `key`."""
    columns: dict[str, Any] = {"name": _texts(rows, "name")} if names else {}
    columns |= {"x": _numbers(rows, "x"), "y": _numbers(rows, "y")}
    return pd.DataFrame(columns, index=pd.Index([row[key] for row in rows], name=index))


def display_branches(rows: Rows) -> pd.DataFrame:
    """Drawn lines in the order of the file."""
    columns = {
        "from_bus": _ids(rows, "from"),
        "to_bus": _ids(rows, "to"),
        "circuit": _texts(rows, "circuit"),
        "points": [row["points"] for row in rows],
    }
    return pd.DataFrame(columns)


def distribution_buses(rows: Rows) -> pd.DataFrame:
    """Buses of a distribution network; NaN where there is no position."""
    nowhere = (np.nan, np.nan)
    columns = {
        "terminals": [tuple(row["terminals"]) for row in rows],
        "grounded": [tuple(row["grounded"]) for row in rows],
        "x": np.array([row.get("xy", nowhere)[0] for row in rows], dtype=np.float64),
        "y": np.array([row.get("xy", nowhere)[1] for row in rows], dtype=np.float64),
        "load_kw": _numbers(rows, "load_kw"),
        "has_source": _flags(rows, "has_source"),
    }
    return _named("bus", rows, columns, {"load_kw": "kW"})


def distribution_edges(rows: Rows) -> pd.DataFrame:
    """Lines, switches and transformers of a distribution network."""
    columns = {
        "kind": _texts(rows, "kind"),
        "from_bus": _texts(rows, "from"),
        "to_bus": _texts(rows, "to"),
        "conductors": [tuple(map(tuple, row["conductors"])) for row in rows],
        "closed": _flags(rows, "closed"),
        "n_phases": _ids(rows, "n_phases"),
    }
    return _named("edge", rows, columns, {})


def _named(name: str, rows: Rows, columns: Mapping[str, Any], units: Mapping[str, str]) -> pd.DataFrame:
    frame = pd.DataFrame(dict(columns), index=pd.Index([row["id"] for row in rows], name=name, dtype="object"))
    frame.attrs["units"] = dict(units)
    return frame
