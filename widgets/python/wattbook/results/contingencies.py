"""N-1 screening: the run over all outages and its table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ..native import engine_errors
from ..tables import analyses

if TYPE_CHECKING:
    import pandas as pd

    from .solution import Solution

#: Outages per step; Ctrl-C is handled between steps.
_OUTAGES_AT_ONCE = 50


def screened(run: Any, base: Solution) -> pd.DataFrame:
    """The table of `study.contingencies` from the engine's `ContingencyRun` at the state `base`."""
    rows: list[dict[str, Any]] = []
    done = False
    while not done:
        with engine_errors():
            step = json.loads(run.step(_OUTAGES_AT_ONCE))
        rows += step["rows"]
        done = step["done"]
    return analyses.contingencies(rows, base.branches)
