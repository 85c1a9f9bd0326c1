"""DataFrames of multiconductor power flows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from .rows import Columns

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
