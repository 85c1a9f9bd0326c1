"""Long work: runs a job of the engine step by step, with progress, a time limit and interrupts in between."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

from .arguments import finite, formatted
from .errors import ArgumentError, WattbookError
from .native import engine_errors
from .threads import stop_if_cancelled

#: Called after each step with the completed fraction, 0 to 1, and further values of the job; False for no progress,
#: True for a bar.
Progress: TypeAlias = Callable[..., object] | bool | None
#: A step as reported by the engine (`JobStep`).
Step: TypeAlias = Mapping[str, Any]

#: Intended processor time of a step, ms; Python can be interrupted between steps.
_STEP_MS = 20.0
#: Seconds before a progress bar appears.
PATIENCE_S = 1.0


def finished(
    job: Any,
    report: Callable[[Step], object],
    *,
    budget_s: float | None = None,
    finish: Callable[[], Any] | None = None,
    keep_interrupted: bool = False,
) -> Any:
    """The result of a job, or its partial result after `budget_s` seconds; `finish` returns it (default: that of the job). With
    `keep_interrupted` an interrupt returns the partial result too."""
    ends = None if budget_s is None else time.monotonic() + _seconds(budget_s)
    budget = 1.0
    try:
        while True:
            stop_if_cancelled()
            # Processor time, so that a busy machine does not make steps smaller.
            started = time.thread_time()
            with engine_errors():
                step = json.loads(job.step(round(budget)))
            report(step)
            if step["done"] or (ends is not None and time.monotonic() >= ends):
                break
            spent_ms = 1000 * (time.thread_time() - started)
            # At most eightfold, because clocks are coarse.
            budget = min(1e6, max(1.0, budget * min(8.0, _STEP_MS / max(spent_ms, 0.1))))
        return _product(job, finish)
    except KeyboardInterrupt:
        if not keep_interrupted:
            raise
        try:
            return _product(job, finish)
        except WattbookError as error:
            if error.code != "JOB.INTERRUPTED":
                raise
        raise
    finally:
        close = getattr(report, "close", None)
        if close is not None:
            close()


def _product(job: Any, finish: Callable[[], Any] | None) -> Any:
    with engine_errors():
        return job.finish() if finish is None else finish()


def reporter(progress: Progress, *names: str, text: Callable[[Step], str]) -> Callable[[Step], object]:
    """Reports steps: a function `progress` gets the fraction and the values of `names`; otherwise a bar with a text, or nothing."""
    if callable(progress):
        return lambda step: progress(step["fraction"], *(step[name] for name in names))
    if progress is None or progress is True:
        return _Bar(text)
    if progress is False:
        return lambda step: None
    arguments = ", ".join(("fraction", *names))
    raise ArgumentError(
        "ARGUMENT.CHOICE", f"progress must be a function of ({arguments}), True or False, not {formatted(progress)}."
    )


def _seconds(budget_s: float) -> float:
    seconds = finite(budget_s)
    if seconds is None or seconds < 0:
        raise ArgumentError("ARGUMENT.NUMBER", f"budget_s must be a number of seconds, not {formatted(budget_s)}.")
    return seconds


class _Bar:
    """A tqdm bar, if tqdm is installed and the job takes longer than a moment."""

    def __init__(self, text: Callable[[Step], str]) -> None:
        self._text = text
        self._begun = time.monotonic()
        self._bar: Any = None

    def __call__(self, step: Step) -> None:
        if self._bar is None and time.monotonic() - self._begun > PATIENCE_S and step["fraction"] < 1:
            self._bar = _tqdm()
        if self._bar:
            self._bar.n = round(100 * step["fraction"])
            self._bar.set_description(self._text(step))

    def close(self) -> None:
        if self._bar:
            self._bar.close()


def _tqdm() -> Any:
    """A bar from 0 to 100; False if tqdm is not installed."""
    return tqdm_bar(total=100, leave=False, bar_format="{desc} |{bar}| {percentage:.0f} %") or False


def tqdm_bar(**settings: Any) -> Any:
    """A bar of tqdm; None if it is not installed."""
    with warnings.catch_warnings():
        # Without ipywidgets tqdm warns and draws text.
        warnings.simplefilter("ignore")
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return None
        return tqdm(**settings)


@contextmanager
def closing(report: object) -> Iterator[None]:
    """Closes the progress bar of a report at the end, if it has one."""
    try:
        yield
    finally:
        close = getattr(report, "close", None)
        if close is not None:
            close()
