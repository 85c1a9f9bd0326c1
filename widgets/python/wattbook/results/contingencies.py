"""N-1 screening: the job over all outages and its table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..jobs import Progress, Step, finished, reporter
from ..tables import analyses
from ..text import words

if TYPE_CHECKING:
    import pandas as pd

    from .solution import Solution


def screened(job: Any, base: Solution, progress: Progress) -> pd.DataFrame:
    """The table of `study.contingencies` from the engine's job at the state `base`."""
    rows: list[dict[str, Any]] = []
    tell = reporter(progress, text=lambda step: words.count(len(rows), "outage"))

    def report(step: Step) -> None:
        rows.extend(step["rows"])
        tell(step)

    try:
        finished(job, report)
    finally:
        close = getattr(tell, "close", None)
        if close is not None:
            close()
    return analyses.contingencies(rows, base._branches)
