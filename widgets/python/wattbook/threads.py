"""Calls of the package with `await`, in helper threads, and protected from interrupts."""

from __future__ import annotations

import asyncio
import contextvars
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from types import FrameType
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")

#: Seconds between checks for a cancellation.
_HEARD_S = 0.1

_cancelled: contextvars.ContextVar[threading.Event | None] = contextvars.ContextVar("cancelled", default=None)


class _Stopped(BaseException):
    """Ends a call in its thread; unlike an interrupt, after which some calls return a partial result."""


async def in_thread(call: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """Runs `call(*args, **kwargs)` in a thread while the event loop goes on, and returns its result: the asynchronous
    twin of each call of cases, Studies, feeders and sweeps, for instance `await wb.in_thread(study.series, demand,
    progress=False)`.

    A cancelled call stops within its next step, after some 20 to 200 ms, and leaves the Study unchanged; the
    cancellation returns only then, so nothing remains running in the background. Raises what the call raises.
    """
    cancelled = threading.Event()

    def run() -> _T | _Stopped:
        _cancelled.set(cancelled)
        try:
            return call(*args, **kwargs)
        except _Stopped as stopped:
            return stopped

    future = asyncio.get_running_loop().run_in_executor(None, contextvars.copy_context().run, run)
    try:
        found = await asyncio.shield(future)
    except asyncio.CancelledError:
        cancelled.set()
        while not future.done():
            try:
                await asyncio.wait([future])
            except asyncio.CancelledError:  # cancelled again
                continue
        future.exception()  # retrieves the exception, which nobody waits for
        raise
    if isinstance(found, _Stopped):
        raise asyncio.CancelledError
    return found


class Helpers:
    """Calls that other threads make for this one, and that end with it."""

    def __init__(self) -> None:
        self._ended = threading.Event()

    def run(self, call: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Runs `call(*args, **kwargs)` in the helper thread and returns its result."""
        token = _cancelled.set(self._ended)
        try:
            return call(*args, **kwargs)
        finally:
            _cancelled.reset(token)

    def end(self) -> None:
        """Ends running calls, whose results are not needed."""
        self._ended.set()


def apart(call: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """Runs a call that depends on its arguments alone and has long uninterruptible steps, such as reading a large file,
    in a thread; an interrupt returns at once and leaves the thread to end its step."""
    found: Future[_T] = Future()
    ended = threading.Event()

    def run() -> None:
        _cancelled.set(ended)
        try:
            found.set_result(call(*args, **kwargs))
        except BaseException as error:
            found.set_exception(error)

    threading.Thread(target=run, name="wattbook-apart", daemon=True).start()
    try:
        stop_if_cancelled()
        while not wait([found], _HEARD_S).done:
            stop_if_cancelled()
    except BaseException:
        ended.set()
        raise
    return found.result()


def stop_if_cancelled() -> None:
    """Called between two steps of a call, and within long calls of the engine: ends it if `in_thread` was cancelled."""
    cancelled = _cancelled.get()
    if cancelled is not None and cancelled.is_set():
        raise _Stopped


@contextmanager
def undisturbed() -> Iterator[None]:
    """Defers an interrupt to the end of a block of imports: numpy, and modules like our engine, cannot be imported
    again in the same interpreter after an interrupted import."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    put_off: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: put_off.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if put_off:
        handler(*put_off[-1])
