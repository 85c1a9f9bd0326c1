"""The search for an explanation: in steps, with progress, a time budget and interrupts."""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any, TypeAlias

from ..arguments import finite, told
from ..errors import ArgumentError
from ..native import engine_errors
from ..text import words
from .explanation import Explanation

#: Called after each step with the fraction done (0 to 1) and a lower bound on the relaxation in MW; False disables progress.
Progress: TypeAlias = Callable[[float, float], object] | bool | None

#: Budget of a step in ms; Ctrl-C is handled between steps.
_STEP_MS = 20
#: Seconds before progress is shown.
_PATIENCE_S = 1.0


def explained(run: Any, budget_s: float | None, progress: Progress) -> Explanation | None:
    """The explanation of the engine's `ExplainRun`, or the best relaxation found within `budget_s` seconds."""
    ends = None if budget_s is None else time.monotonic() + _seconds(budget_s)
    report = _report(progress)
    try:
        while True:
            with engine_errors():
                step = json.loads(run.step(_STEP_MS))
            report(step["fraction"], step["at_least_mw"])
            if step["done"]:
                body = step["explanation"]
                break
            if ends is not None and time.monotonic() >= ends:
                with engine_errors():
                    body = json.loads(run.stop())
                break
    finally:
        close = getattr(report, "close", None)
        if close is not None:
            close()
    return None if body is None else Explanation.from_body(body)


def _seconds(budget_s: float) -> float:
    seconds = finite(budget_s)
    if seconds is None or seconds < 0:
        raise ArgumentError("ARGUMENT.NUMBER", f"budget_s must be a number of seconds, not {told(budget_s)}.")
    return seconds


def _report(progress: Progress) -> Callable[[float, float], object]:
    if callable(progress):
        return progress
    if progress is None or progress is True:
        return _Bar()
    if progress is False:
        return lambda fraction, at_least_mw: None
    raise ArgumentError(
        "ARGUMENT.CHOICE",
        f"progress must be a function of (fraction, at_least_mw), True or False, not {told(progress)}.",
    )


class Line:
    """A progress line on a terminal, cleared at the end; nothing if the standard error is not a terminal."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._shown = False

    def __call__(self, fraction: float, at_least_mw: float) -> None:
        if sys.stderr.isatty() and time.monotonic() - self._begun > _PATIENCE_S:
            self._shown = True
            text = f"searching for the minimum relaxation: {words.percent(fraction)}, at least {words.mw(at_least_mw)} MW short"
            print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Clears the line."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


class _Bar:
    """A tqdm bar, if tqdm is installed and the search takes longer than a moment."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._bar: Any = None

    def __call__(self, fraction: float, at_least_mw: float) -> None:
        if self._bar is None and time.monotonic() - self._begun > _PATIENCE_S and fraction < 1:
            self._bar = _tqdm()
        if self._bar:
            self._bar.n = round(100 * fraction)
            self._bar.set_description(f"at least {words.mw(at_least_mw)} MW short")

    def close(self) -> None:
        if self._bar:
            self._bar.close()


def _tqdm() -> Any:
    """A bar from 0 to 100; False if tqdm is not installed."""
    with warnings.catch_warnings():
        # Without ipywidgets tqdm says so and draws text.
        warnings.simplefilter("ignore")
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return False
        return tqdm(total=100, leave=False, bar_format="{desc} |{bar}| {percentage:.0f} %")
