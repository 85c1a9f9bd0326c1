"""N-1 screening: the run over all outages, and its table beside the state before."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ..native import engine_errors
from ..tables import frames

if TYPE_CHECKING:
    import pandas as pd

    from .solution import Solution

#: Outages between two chances for Python to be interrupted.
_OUTAGES_AT_ONCE = 50


def screened(run: Any, base: Solution) -> pd.DataFrame:
    """The table of `study.contingencies` from an engine's run over the state `base`."""
    rows: list[dict[str, Any]] = []
    done = False
    while not done:
        with engine_errors():
            step = json.loads(run.step(_OUTAGES_AT_ONCE))
        rows += step["rows"]
        done = step["done"]
    return frames.contingencies(rows, base.branches)
