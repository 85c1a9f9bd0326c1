"""DataFrames of cases, distribution networks, feeders and drawings, and the parts that all DataFrames are made of:
columns from rows of the contract, ids as index, units in `df.attrs["units"]`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..quantities_generated import COLUMNS
from ..text import words
from .rows import Columns, ElementRows

Rows = Sequence[Mapping[str, Any]]

#: Rows that model three-winding transformers; `editable` is False there.
_LOWERED = {"bus": "star point", "branch": "arm"}


def framed(name: str, numbers: Any, columns: Mapping[str, Any], units: Mapping[str, str]) -> pd.DataFrame:
    """A DataFrame by original id, with the units of its columns in `attrs`."""
    frame = pd.DataFrame(dict(columns), index=pd.Index(np.asarray(numbers, dtype=np.int64), name=name))
    frame.attrs["units"] = {column: units[column] for column in frame.columns if column in units}
    return frame


def case_frame(name: str, rows: ElementRows, columns: Mapping[str, Any], units: Mapping[str, str]) -> pd.DataFrame:
    """A DataFrame of all buses, branches or generators of a case, with a note on rows of three-winding transformers."""
    frame = framed(name, rows.ids, columns, units)
    lowered = int((~rows.flags(f"{name}_editable")).sum()) if name in _LOWERED else 0
    if lowered:
        own, added = words.count(len(rows) - lowered, name), words.count(lowered, _LOWERED[name])
        frame.attrs["rows"] = f"{own} and {added} of three-winding transformers, where editable is False"
    return frame


def named_frame(name: str, rows: Rows, columns: Mapping[str, Any], units: Mapping[str, str]) -> pd.DataFrame:
    """A DataFrame by name."""
    frame = pd.DataFrame(dict(columns), index=pd.Index([row["id"] for row in rows], name=name, dtype="object"))
    frame.attrs["units"] = dict(units)
    return frame


def numbers(rows: Rows, key: str) -> np.ndarray:
    """Numbers of one key; null is missing."""
    return np.array([np.nan if row[key] is None else row[key] for row in rows], dtype=np.float64)


def ids(rows: Rows, key: str) -> np.ndarray:
    """Integers of one key."""
    return np.array([row[key] for row in rows], dtype=np.int64)


def texts(rows: Rows, key: str) -> pd.api.extensions.ExtensionArray:
    """Texts of one key; a missing one is NA."""
    return pd.array([row.get(key) for row in rows], dtype="string")


def flags(rows: Rows, key: str) -> np.ndarray:
    """Truth values of one key; a missing one is False."""
    return np.array([bool(row.get(key)) for row in rows], dtype=bool)


def column(values: Sequence[float | None]) -> np.ndarray:
    """Numbers; null is missing."""
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


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


_OPEN_END = "switch._pio_open_"
#: Identification of rows: lists of names, and the columns that refer to them.
Naming = tuple[Mapping[str, Sequence[str]], Columns]


def _rows(columns: Columns, name: str) -> np.ndarray:
    return columns[name].values.astype(np.int64)


def _names(of: Sequence[str], rows: np.ndarray) -> np.ndarray:
    return np.asarray(np.asarray(of, dtype=object)[rows])


def _framed(index: pd.Index, columns: Mapping[str, Any], units: Mapping[str, str]) -> pd.DataFrame:
    frame = pd.DataFrame(dict(columns), index=index)
    frame.attrs["units"] = dict(units)
    return frame


def _terminals(naming: Naming) -> tuple[np.ndarray, np.ndarray]:
    names, columns = naming
    return _names(names["buses"], _rows(columns, "terminal_bus")), np.asarray(names["terminals"], dtype=object)


def _is_written(elements: Iterable[str]) -> np.ndarray:
    """Whether elements are in the source: the script reader represents each open end by an open switch, which carries
    no current."""
    return np.array([not name.startswith(_OPEN_END) for name in elements], dtype=bool)


def voltages(naming: Naming, result: Columns) -> pd.DataFrame:
    """Voltages by bus and terminal."""
    bus, terminal = _terminals(naming)
    at = _rows(naming[1], "terminal_bus")
    columns = {
        "voltage_v": result["voltage_v"].values,
        "voltage_pu": result["voltage_pu"].values,
        "angle_deg": result["voltage_deg"].values,
        "is_phase": naming[1]["is_phase"].values == 1.0,
        "distance_m": naming[1]["distance_m"].values[at],
    }
    index = pd.MultiIndex.from_arrays([bus, terminal], names=["bus", "terminal"])
    units = {"voltage_v": "V", "voltage_pu": "pu", "angle_deg": "deg", "distance_m": "m"}
    return _framed(index, columns, units)


def bus_voltages(naming: Naming, result: Columns) -> pd.DataFrame:
    """By bus: nominal voltage to ground, distance from the source, unbalance."""
    names, columns = naming
    index = pd.Index(np.asarray(names["buses"], dtype=object), name="bus")
    values = {
        "nominal_v": columns["nominal_v"].values,
        "distance_m": columns["distance_m"].values,
        "vuf": result["vuf"].values,
    }
    return _framed(index, values, {"nominal_v": "V", "distance_m": "m", "vuf": "1"})


def currents(naming: Naming, result: Columns) -> pd.DataFrame:
    """Currents into the elements, by element, end and terminal."""
    names, columns = naming
    bus, terminal = _terminals(naming)
    at = _rows(columns, "conductor_terminal")
    element = _names(names["elements"], _rows(columns, "conductor_element"))
    index = pd.MultiIndex.from_arrays(
        [element, _rows(columns, "conductor_end"), terminal[at]], names=["element", "end", "terminal"]
    )
    values = {"bus": bus[at], "current_a": result["current_a"].values, "angle_deg": result["current_deg"].values}
    frame = _framed(index, values, {"current_a": "A", "angle_deg": "deg"})
    frame = frame[_is_written(element)]
    frame.index = frame.index.remove_unused_levels()
    return frame


def sources(naming: Naming, result: Columns) -> pd.DataFrame:
    names, columns = naming
    values = {
        "bus": _names(names["buses"], _rows(columns, "source_bus")),
        "p_w": result["source_w"].values,
        "q_var": result["source_var"].values,
        "emf_p_w": result["emf_w"].values,
        "emf_q_var": result["emf_var"].values,
    }
    units = {"p_w": "W", "q_var": "var", "emf_p_w": "W", "emf_q_var": "var"}
    return _framed(pd.Index(list(names["sources"]), name="source", dtype="object"), values, units)


def losses(naming: Naming, result: Columns) -> pd.DataFrame:
    names, _ = naming
    values = {"p_w": result["loss_w"].values, "q_var": result["loss_var"].values}
    index = pd.Index(list(names["elements"]), name="element", dtype="object")
    frame = _framed(index, values, {"p_w": "W", "q_var": "var"})
    return frame[_is_written(names["elements"])]


def loads(naming: Naming, result: Columns) -> pd.DataFrame:
    """Loads by name without `load.`."""
    names, columns = naming
    values = {
        "bus": _names(names["buses"], _rows(columns, "load_bus")),
        "p_kw": result["load_kw"].values,
        "q_kvar": result["load_kvar"].values,
        "drawn_kw": result["drawn_w"].values / 1000,
        "drawn_kvar": result["drawn_var"].values / 1000,
    }
    own = [name.removeprefix("load.") for name in names["loads"]]
    units = {"p_kw": "kW", "q_kvar": "kvar", "drawn_kw": "kW", "drawn_kvar": "kvar"}
    return _framed(pd.Index(own, name="load", dtype="object"), values, units)


def profile(naming: Naming, result: Columns) -> pd.DataFrame:
    """One row per phase conductor of a line, switch or transformer: its ends in the voltage profile."""
    names, columns = naming
    bus, terminal = _terminals(naming)
    at, end = _rows(columns, "conductor_terminal"), _rows(columns, "conductor_end")
    element = _rows(columns, "conductor_element")
    km = columns["distance_m"].values[_rows(columns, "terminal_bus")] / 1000
    pu, phase = result["voltage_pu"].values, columns["is_phase"].values == 1.0
    ends = pd.DataFrame({"element": element, "end": end, "terminal": at, "place": 0})
    ends["place"] = ends.groupby(["element", "end"]).cumcount()
    both = ends[ends["end"] == 1].merge(ends[ends["end"] == 2], on=["element", "place"])
    a, b = both["terminal_x"].to_numpy(), both["terminal_y"].to_numpy()
    keep = phase[a] & phase[b] & (terminal[a] == terminal[b])
    a, b = a[keep], b[keep]
    values = {
        "phase": terminal[a],
        "from_bus": bus[a],
        "to_bus": bus[b],
        "from_km": km[a],
        "to_km": km[b],
        "from_pu": pu[a],
        "to_pu": pu[b],
    }
    index = pd.Index(_names(names["elements"], both["element"].to_numpy()[keep]), name="element")
    return _framed(index, values, {"from_km": "km", "to_km": "km", "from_pu": "pu", "to_pu": "pu"})
