"""Parts of DataFrames: columns from rows of the contract, ids as index, units in `df.attrs["units"]`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..text import words
from .rows import ElementRows

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
