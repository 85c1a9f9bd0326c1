"""DataFrames of plans."""

from __future__ import annotations

import numpy as np
import pandas as pd

from .building import Rows


def _index(rows: Rows) -> pd.Index:
    return pd.Index(np.array([row["exact_solve"] for row in rows], dtype=np.int64), name="exact_solve")


def _results(rows: Rows) -> dict[str, object]:
    """What the solves say of trials; what a trial lacks is missing."""

    def values(name: str) -> np.ndarray:
        return np.array([np.nan if row.get(name) is None else row[name] for row in rows], dtype=np.float64)

    reasons = [None if row["reason"] is None else row["reason"]["message"] for row in rows]
    return {
        "predicted": values("predicted_phi_delta"),
        "path": values("path_phi_delta"),
        "exact": values("exact_phi_delta"),
        "error": values("first_order_error"),
        "error_rel": values("first_order_error_rel"),
        "cost": values("objective"),
        "accepted": np.array([row["accepted"] for row in rows], dtype=bool),
        "reason": pd.array(reasons, dtype="string"),
    }


def _frame(rows: Rows, columns: dict[str, object], unit: str) -> pd.DataFrame:
    frame = pd.DataFrame({**columns, **_results(rows)}, index=_index(rows))
    change = dict.fromkeys(("predicted", "path", "exact", "error"), "$/MWh")
    frame.attrs["units"] = {"delta_mw": unit, **change, "error_rel": "1", "cost": "$/h"}
    return frame


def capacity_trials(rows: Rows, unit: str) -> pd.DataFrame:
    """Trials of line capacity by their exact solve; `unit` is that of ratings."""

    def total(row: dict[str, object]) -> float:
        branch = row["line"]["branch"]  # type: ignore[index]
        return next(one["delta_mw"] for one in row["delta_mw"] if one["branch"] == branch)  # type: ignore[attr-defined, no-any-return]

    return _frame(
        rows,
        {
            "branch": np.array([row["line"]["branch"] for row in rows], dtype=np.int64),
            "delta_mw": np.array([total(dict(row)) for row in rows], dtype=np.float64),
        },
        unit,
    )


def demand_trials(rows: Rows, unit: str) -> pd.DataFrame:
    """Trials of demand by their exact solve; `unit` is that of demand."""

    def ends(row: dict[str, object], sign: int) -> object:
        found = [one["bus"] for one in row["step"] if sign * one["delta_mw"] > 0]  # type: ignore[attr-defined]
        return found[0] if found else pd.NA

    def moved(row: dict[str, object]) -> float:
        return sum(max(one["delta_mw"], 0.0) for one in row["step"])  # type: ignore[attr-defined]

    return _frame(
        rows,
        {
            "from_bus": pd.array([ends(dict(row), -1) for row in rows], dtype="Int64"),
            "to_bus": pd.array([ends(dict(row), 1) for row in rows], dtype="Int64"),
            "delta_mw": np.array([moved(dict(row)) for row in rows], dtype=np.float64),
        },
        unit,
    )


def plan_changes(rows: Rows, element: str, unit: str) -> pd.DataFrame:
    """What each trial changes in all, in `unit` by `element` (`branch` or `bus`), which are those that any trial changes."""
    values = [{one[element]: one["delta_mw"] for one in row["delta_mw"]} for row in rows]
    frame = pd.DataFrame(values, index=_index(rows), dtype=np.float64).fillna(0.0).sort_index(axis="columns")
    frame.columns.name = element
    frame.attrs["units"] = unit
    return frame


def plan_gradient(rows: Rows, element: str, unit: str) -> pd.DataFrame:
    """Derivatives of the objective by candidate, by trial."""
    values = [{one[element]: one["value"] for one in row["gradient"]} for row in rows]
    frame = pd.DataFrame(values, index=_index(rows), dtype=np.float64)
    frame.columns.name = element
    frame.attrs["units"] = f"($/MWh)/{unit}"
    return frame
