"""DataFrames of cases, distribution networks and drawings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..quantities_generated import COLUMNS
from .building import Rows, case_frame, flags, framed, ids, named_frame, numbers, texts
from .rows import Columns, ElementRows

#: Units of the columns of a case.
CASE_UNITS = {name: unit for name, (_, unit) in COLUMNS.items() if unit}
#: Result of the engine's `Case.parameters`: the corners of costs, and columns in row order.
Parameters = tuple[Mapping[str, Any], Columns]


def case_buses(rows: ElementRows, parameters: Parameters) -> pd.DataFrame:
    """Buses of a case; `demand_mw` and `gen_mw` as in the source."""
    columns = {
        "uid": pd.array(rows.uids, dtype="string"),
        "name": pd.array(rows.names, dtype="string"),
        "base_kv": rows.numbers("base_kv"),
        **place_columns(rows, parameters),
        "demand_mw": rows.numbers("demand_mw"),
        "gen_mw": rows.numbers("gen_mw"),
        "editable": rows.flags("bus_editable"),
    }
    if rows.source_indices:
        number_of = {number: index for index, number in rows.source_indices.items()}
        columns["source_index"] = pd.array([number_of.get(number) for number in rows.ids.tolist()], dtype="Int64")
    return case_frame("bus", rows, columns, CASE_UNITS)


def place_columns(rows: ElementRows, parameters: Parameters) -> dict[str, Any]:
    """Area, zone and position of each bus."""
    _, given = parameters
    return {
        "area": pd.array(given["area"].values, dtype="Int64"),
        "zone": pd.array(rows.numbers("zone"), dtype="Int64"),
        "longitude": given["longitude"].values,
        "latitude": given["latitude"].values,
    }


def case_branches(rows: ElementRows, switches: Sequence[int], parameters: Parameters) -> pd.DataFrame:
    """Branches of a case; `switches` are the rows of those that are switches."""
    _, given = parameters
    is_switch = np.zeros(len(rows), dtype=bool)
    is_switch[list(switches)] = True
    columns = {
        "uid": pd.array(rows.uids, dtype="string"),
        "name": pd.array(rows.names, dtype="string"),
        "from_bus": rows.integers("from_bus"),
        "to_bus": rows.integers("to_bus"),
        **{key: given[key].values for key in ("r_pu", "x_pu", "b_pu", "tap", "shift_deg")},
        "rating_mw": rows.numbers("rating_mw"),
        "rating_is_fallback": rows.flags("rating_is_fallback"),
        "rating_assumed": rows.flags("rating_is_fallback") & np.isfinite(rows.numbers("rating_mw")),
        "is_switch": is_switch,
        "in_service": rows.flags("branch_in_service"),
        "editable": rows.flags("branch_editable"),
    }
    return case_frame("branch", rows, columns, CASE_UNITS)


def case_generators(
    rows: ElementRows, energy_sources: Sequence[str], parameters: Parameters, buses: pd.DataFrame
) -> pd.DataFrame:
    """Generators of a case with what `buses` has of theirs; `energy_source` is missing if the source has none."""
    head, given = parameters
    corners = [head["cost_points"].get(str(row)) for row in range(len(rows))]
    models = ["polynomial" if one is None else "piecewise_linear" for one in corners]
    least, most = rows.numbers("p_min_mw"), rows.numbers("p_max_mw")
    fuels: list[str | None] = [*energy_sources] if energy_sources else [None] * len(rows)
    columns = {
        "uid": pd.array(rows.uids, dtype="string"),
        "bus": rows.integers("generator_bus"),
        **of_buses(rows.integers("generator_bus"), buses),
        "energy_source": pd.array(fuels, dtype="string"),
        "p_min_mw": least,
        "p_max_mw": most,
        # MATPOWER User's Manual, section 6.4.2: a load with a benefit is a generator that only draws power.
        "dispatchable_load": (most <= 0.0) & (least < 0.0),
        "cost_model": pd.array(models, dtype="string"),
        **{key: given[key].values for key in ("cost_c2", "cost_c1", "cost_c0")},
        "cost_points": [tuple(map(tuple, one or ())) for one in corners],
        "in_service": rows.flags("generator_in_service"),
    }
    return case_frame("generator", rows, columns, CASE_UNITS)


def of_buses(numbers: np.ndarray, buses: pd.DataFrame) -> dict[str, Any]:
    """Name, area and zone of the bus of each element."""
    own = buses.loc[numbers]
    return {"bus_name": own["name"].array, "area": own["area"].array, "zone": own["zone"].array}


LINK_UNITS = {"p_min_mw": "MW", "p_max_mw": "MW", "p_mw": "MW", "loss_mw": "MW", "cost": "$/MWh"}


def case_links(rows: ElementRows) -> pd.DataFrame:
    """HVDC links of a case."""
    return framed("link", rows.ids, link_columns(rows), LINK_UNITS)


def link_columns(rows: ElementRows) -> dict[str, Any]:
    """What a case says of its HVDC links."""
    return {
        "from_bus": rows.integers("link_from_bus"),
        "to_bus": rows.integers("link_to_bus"),
        "p_min_mw": rows.numbers("link_min_mw"),
        "p_max_mw": rows.numbers("link_max_mw"),
        "p_mw": rows.numbers("link_scheduled_mw"),
        "loss_mw": rows.numbers("link_loss_mw"),
        "loss_factor": rows.numbers("link_loss_factor"),
        "cost": rows.numbers("link_cost"),
        "in_service": rows.flags("link_in_service"),
    }


STORAGE_UNITS = {
    **{"p_mw": "MW", "q_mvar": "MVAr", "p_charge_max_mw": "MW", "p_discharge_max_mw": "MW"},
    **{"energy_mwh": "MWh", "energy_min_mwh": "MWh", "energy_max_mwh": "MWh", "energy_value": "$/MWh"},
}
#: Columns of storage units of a case by their names in tables.
_STORAGE = {
    "p_mw": "storage_held_mw",
    "q_mvar": "storage_held_mvar",
    "p_charge_max_mw": "storage_charge_max_mw",
    "p_discharge_max_mw": "storage_discharge_max_mw",
    "charge_efficiency": "storage_charge_efficiency",
    "discharge_efficiency": "storage_discharge_efficiency",
    "energy_mwh": "storage_energy_mwh",
    "energy_min_mwh": "storage_energy_min_mwh",
    "energy_max_mwh": "storage_energy_max_mwh",
    "energy_value": "storage_energy_value",
}


def case_storage(rows: ElementRows) -> pd.DataFrame:
    """Storage units of a case."""
    columns = {"uid": pd.array(rows.uids, dtype="string"), **storage_columns(rows)}
    return framed("storage", rows.ids, columns, STORAGE_UNITS)


def storage_columns(rows: ElementRows) -> dict[str, Any]:
    """What a case says of its storage units."""
    values = {name: rows.numbers(column) for name, column in _STORAGE.items()}
    return {"bus": rows.integers("storage_bus"), **values, "in_service": rows.flags("storage_in_service")}


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
    """Buses of a distribution network; NaN without a position."""
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
