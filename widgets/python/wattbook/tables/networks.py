"""DataFrames of cases, distribution networks and drawings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from .building import Rows, flags, framed, ids, in_service, named_frame, numbers, texts
from .columns import Columns

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


#: What the engine's `Case.parameters` gives: the corners of costs, and columns in row order.
Parameters = tuple[Mapping[str, Any], Columns]


def case_buses(rows: Rows, parameters: Parameters) -> pd.DataFrame:
    """Buses of a case; `demand_mw` and `gen_mw` as in the source."""
    _, given = parameters
    columns = {
        "uid": texts(rows, "uid"),
        "name": texts(rows, "name"),
        "base_kv": numbers(rows, "base_kv"),
        "area": pd.array(given["area"].values, dtype="Int64"),
        "demand_mw": numbers(rows, "demand_mw"),
        "gen_mw": numbers(rows, "gen_mw"),
        "longitude": given["longitude"].values,
        "latitude": given["latitude"].values,
        "editable": flags(rows, "editable"),
    }
    return framed("bus", rows, columns, _CASE_UNITS)


def case_branches(rows: Rows, parameters: Parameters) -> pd.DataFrame:
    """Branches of a case."""
    _, given = parameters
    columns = {
        "uid": texts(rows, "uid"),
        "from_bus": ids(rows, "from"),
        "to_bus": ids(rows, "to"),
        **{key: given[key].values for key in ("r_pu", "x_pu", "b_pu", "tap", "shift_deg")},
        "rating_mw": numbers(rows, "rate_mw"),
        "rating_is_fallback": flags(rows, "rate_is_fallback"),
        "in_service": in_service(rows),
        "editable": flags(rows, "editable"),
    }
    return framed("branch", rows, columns, _CASE_UNITS)


def case_generators(rows: Rows, parameters: Parameters) -> pd.DataFrame:
    """Generators of a case."""
    told, given = parameters
    corners = [told["cost_points"].get(str(row)) for row in range(len(rows))]
    models = ["polynomial" if one is None else "piecewise_linear" for one in corners]
    columns = {
        "uid": texts(rows, "uid"),
        "bus": ids(rows, "bus"),
        "p_min_mw": numbers(rows, "p_min_mw", -np.inf),
        "p_max_mw": numbers(rows, "p_max_mw", np.inf),
        "cost_model": pd.array(models, dtype="string"),
        **{key: given[key].values for key in ("cost_c2", "cost_c1", "cost_c0")},
        "cost_points": [tuple(map(tuple, one or ())) for one in corners],
        "in_service": in_service(rows),
    }
    return framed("generator", rows, columns, _CASE_UNITS)


def points(index: str, rows: Rows, key: str, *, names: bool = False) -> pd.DataFrame:
    """Columns `x` and `y`, with `names` also `name`, by `key`."""
    columns: dict[str, Any] = {"name": texts(rows, "name")} if names else {}
    columns |= {"x": numbers(rows, "x"), "y": numbers(rows, "y")}
    return pd.DataFrame(columns, index=pd.Index([row[key] for row in rows], name=index))


def display_branches(rows: Rows) -> pd.DataFrame:
    """Drawn lines in the order of the file."""
    columns = {
        "from_bus": ids(rows, "from"),
        "to_bus": ids(rows, "to"),
        "circuit": texts(rows, "circuit"),
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
        "load_kw": numbers(rows, "load_kw"),
        "has_source": flags(rows, "has_source"),
    }
    return named_frame("bus", rows, columns, {"load_kw": "kW"})


def distribution_edges(rows: Rows) -> pd.DataFrame:
    """Lines, switches and transformers of a distribution network."""
    columns = {
        "kind": texts(rows, "kind"),
        "from_bus": texts(rows, "from"),
        "to_bus": texts(rows, "to"),
        "conductors": [tuple(map(tuple, row["conductors"])) for row in rows],
        "closed": flags(rows, "closed"),
        "n_phases": ids(rows, "n_phases"),
    }
    return named_frame("edge", rows, columns, {})
