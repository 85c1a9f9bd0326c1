"""The search for an explanation, with progress."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

from ..jobs import PATIENCE_S, Progress, Step, finished, reporter
from ..text import words
from .explanation import Explanation

__all__ = ["Line", "Progress", "explained"]


def explained(run: Any, budget_s: float | None, progress: Progress | Line, formulation: str) -> Explanation | None:
    """The explanation of the engine's job on a Study of a formulation, or the best relaxation found within `budget_s` seconds."""
    report: Callable[[Step], object]
    if isinstance(progress, Line):
        report = progress
    else:
        report = reporter(
            progress, "at_least_mw", text=lambda step: f"at least {words.mw(step['at_least_mw'])} MW short"
        )
    text, _ = finished(run, report, budget_s=budget_s)
    body = json.loads(text)
    return None if body is None else Explanation.from_body(body, words.rating_unit(formulation))


class Line:
    """A progress line on a terminal, cleared at the end; nothing if the standard error is not a terminal."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._shown = False

    def __call__(self, step: Step) -> None:
        if sys.stderr is not None and sys.stderr.isatty() and time.monotonic() - self._begun > PATIENCE_S:
            self._shown = True
            done, at_least = words.percent(step["fraction"]), words.mw(step["at_least_mw"])
            text = f"searching for the minimum relaxation: {done}, at least {at_least} MW short"
            print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Clears the line."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
