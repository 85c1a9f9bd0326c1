"""DataFrames of capacity plans."""

from __future__ import annotations

import numpy as np
import pandas as pd

from .building import Rows


def _index(rows: Rows) -> pd.Index:
    return pd.Index(np.array([row["exact_solve"] for row in rows], dtype=np.int64), name="exact_solve")


def plan_trials(rows: Rows) -> pd.DataFrame:
    """Trials by their exact solve; what a trial lacks is missing."""

    def values(name: str) -> np.ndarray:
        return np.array([np.nan if row.get(name) is None else row[name] for row in rows], dtype=np.float64)

    def total(row: dict[str, object]) -> float:
        branch = row["line"]["branch"]  # type: ignore[index]
        return next(one["delta_mw"] for one in row["delta_mw"] if one["branch"] == branch)  # type: ignore[attr-defined, no-any-return]

    reasons = [None if row["reason"] is None else row["reason"]["message"] for row in rows]
    columns = {
        "branch": np.array([row["line"]["branch"] for row in rows], dtype=np.int64),
        "delta_mw": np.array([total(dict(row)) for row in rows], dtype=np.float64),
        "predicted": values("predicted_phi_delta"),
        "path": values("path_phi_delta"),
        "exact": values("exact_phi_delta"),
        "error": values("first_order_error"),
        "error_rel": values("first_order_error_rel"),
        "cost": values("objective"),
        "accepted": np.array([row["accepted"] for row in rows], dtype=bool),
        "reason": pd.array(reasons, dtype="string"),
    }
    frame = pd.DataFrame(columns, index=_index(rows))
    change = dict.fromkeys(("predicted", "path", "exact", "error"), "$/MWh")
    frame.attrs["units"] = {"delta_mw": "MW", **change, "error_rel": "1", "cost": "$/h"}
    return frame


def plan_gradient(rows: Rows) -> pd.DataFrame:
    """Derivatives of the objective by candidate, by trial."""
    values = [{one["branch"]: one["value"] for one in row["gradient"]} for row in rows]
    frame = pd.DataFrame(values, index=_index(rows), dtype=np.float64)
    frame.columns.name = "branch"
    frame.attrs["units"] = "($/MWh)/MW"
    return frame
