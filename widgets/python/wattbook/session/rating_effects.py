"""The effect of every rating on the LMP of a bus, or on a weighted mean of LMPs: derivatives, and exact solves on request."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, SolveError
from ..jobs import Progress, closing, reporter
from ..results.solution import Solution
from ..text import words
from ..threads import stop_if_cancelled
from .price_states import columns_of
from .session import Session

if TYPE_CHECKING:
    import pandas as pd


def rating_effects(
    session: Session, weights: Mapping[int, float] | None, verify_mw: float | None, progress: Progress
) -> pd.DataFrame:
    """The table of `study.rating_effects`: one row for each line that binds in the current state. Takes the lock.

    `weights` are by bus; None for the mean LMP by positive demand. Raises InputError `FORMULATION.UNAVAILABLE` without prices, SolveError.
    """
    from ..tables.price_changes import rating_effects as framed

    with session.lock:
        solution = session.solution()
        branches, buses = solution._branches, solution._buses
        if "shadow" not in branches or "lmp" not in buses:
            message = words.message("formulation.lacks_prices", formulation={"text": session.formulation})
            raise InputError("FORMULATION.UNAVAILABLE", message)
        own = _weights(buses, weights)
        binding = branches.index[branches["shadow"] > 0].tolist()
        rows: list[dict[str, Any]] = []
        # The rating of a line that does not bind changes no LMP. A forward solve gives the interval too, which an adjoint one does not.
        targets = [json.dumps({"branch": branch}) for branch in binding]
        for branch, column in zip(binding, columns_of(session, targets, progress), strict=True):
            sides = (column.right, column.left)
            if column.kind in ("regular", "estimate"):
                sides = (column.values, column.values)
            increase, decrease = (_mean(side, own) for side in sides)
            low, high = column.valid_mw
            end = column.ends[1]
            rows.append(
                {
                    "branch": branch,
                    "increase": increase,
                    "decrease": decrease,
                    "kind": column.kind,
                    "valid_from": low,
                    "valid_to": high,
                    "event": None if end is None else words.event(end.event, end.element),
                }
            )
        start = session.start()
    rows.sort(key=lambda row: (math.isnan(row["increase"]), row["increase"], row["branch"]))
    exact = None if verify_mw is None else _verified(start(False), rows, own, verify_mw, progress)
    return framed(rows, branches, words.rating_unit(session.formulation), verify_mw, exact)


def _weights(buses: pd.DataFrame, weights: Mapping[int, float] | None) -> pd.Series:
    import pandas as pd

    if weights is not None:
        return pd.Series(dict(weights), dtype="float64")
    demand = buses["demand_mw"].where(buses["lmp"].notna(), 0.0).clip(lower=0.0)
    own = demand[demand > 0.0]
    return own / own.sum()


def _mean(values: pd.Series | None, weights: pd.Series) -> float:
    """The weighted sum of values by bus; NaN where there are none."""
    return np.nan if values is None else float((values.reindex(weights.index) * weights).sum(skipna=False))


def _verified(
    session: Session, rows: list[dict[str, Any]], weights: pd.Series, raised_mw: float, progress: Progress
) -> list[float]:
    """The exact change of the price with each rating raised alone, on a session of its own; NaN where there is no solution."""

    def price(solution: Solution) -> float:
        return _mean(solution._buses["lmp"], weights)

    report = reporter(progress, text=lambda step: words.count(len(found), "line"))
    found: list[float] = []
    start, edits = price(session.solution()), session.edits
    with closing(report):
        try:
            for row in rows:
                stop_if_cancelled()
                ratings = {**edits.ratings, row["branch"]: edits.ratings.get(row["branch"], 0.0) + raised_mw}
                try:
                    found.append(price(session.commit(replace(edits, ratings=ratings), False)) - start)
                except SolveError:
                    found.append(np.nan)
                report({"fraction": len(found) / len(rows)})
        finally:
            session.free()
    return found
