"""DataFrames of the states of a Study and of what happened in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from ..study.history import SavedState


def states_table(states: Sequence[SavedState], current: str) -> pd.DataFrame:
    """One row for each state."""

    def texts(name: str) -> pd.api.extensions.ExtensionArray:
        return pd.array([getattr(state, name) for state in states], dtype="string")

    objective = [np.nan if state.objective is None else state.objective for state in states]
    columns = {
        "parent": texts("parent"),
        "name": texts("name"),
        "note": texts("note"),
        "label": texts("label"),
        "formulation": texts("formulation"),
        "demand": np.array([len({*state.edits.demand, *state.edits.reactive}) for state in states], dtype=np.int64),
        "ratings": np.array([len(state.edits.ratings) for state in states], dtype=np.int64),
        "generators": np.array([len(state.edits.generators) for state in states], dtype=np.int64),
        "revision": pd.array([state.revision for state in states], dtype="Int64"),
        "at": pd.to_datetime([state.at for state in states], utc=True, format="ISO8601"),
        "objective": np.array(objective, dtype=np.float64),
        "result_sha256": texts("result_sha256"),
        "current": np.array([state.id == current for state in states], dtype=bool),
    }
    frame = pd.DataFrame(columns, index=pd.Index([state.id for state in states], name="state"))
    frame.attrs["units"] = {"objective": "$/h"}
    return frame


def activity_table(experiments: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """One row for each entry, the oldest first."""
    rows = list(experiments.values())

    def texts(name: str) -> pd.api.extensions.ExtensionArray:
        return pd.array([row.get(name) for row in rows], dtype="string")

    kinds = [row["kind"].replace("_", " ") for row in rows]
    columns = {
        "kind": pd.array(kinds, dtype="string"),
        "label": texts("label"),
        "result": texts("result"),
        "failed": np.array([row.get("failed", False) for row in rows], dtype=bool),
        "at": pd.to_datetime([row["at"] for row in rows], utc=True, format="ISO8601"),
        "ms": np.array([row.get("ms", np.nan) for row in rows], dtype=np.float64),
        "state": texts("state"),
    }
    frame = pd.DataFrame(columns, index=pd.Index(list(experiments), name="experiment"))
    frame.attrs["units"] = {"ms": "ms"}
    return frame
