"""The events of one solve as they arrive."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, closing

import httpx

from ..errors import ServiceError
from .events import Event, EventReader

_UNFINISHED = "The solve stream ended without the event `done`."


class SolveStream:
    """Iterator of the events of one solve; `close()` (or leaving a `with` block) cancels a running solve."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._events = self._read()

    def _read(self) -> Iterator[Event]:
        reader = EventReader()
        try:
            with closing(self._response):
                for piece in self._response.iter_bytes():
                    for event in reader.feed(piece):
                        yield event
                        if event.name == "done":
                            return
        except (httpx.HTTPError, httpx.StreamError, ValueError) as error:
            raise _interrupted(error) from error
        raise ServiceError("SERVICE.INTERRUPTED", _UNFINISHED)

    def __iter__(self) -> SolveStream:
        return self

    def __next__(self) -> Event:
        return next(self._events)

    def close(self) -> None:
        """Ends the request; the server stops the solve."""
        self._response.close()

    def __enter__(self) -> SolveStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncSolveStream:
    """Asynchronous iterator of the events of one solve; `aclose()` (or leaving an `async with` block) cancels a running solve."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._events = self._read()

    async def _read(self) -> AsyncIterator[Event]:
        reader = EventReader()
        try:
            async with aclosing(self._response):
                async for piece in self._response.aiter_bytes():
                    for event in reader.feed(piece):
                        yield event
                        if event.name == "done":
                            return
        except (httpx.HTTPError, httpx.StreamError, ValueError) as error:
            raise _interrupted(error) from error
        raise ServiceError("SERVICE.INTERRUPTED", _UNFINISHED)

    def __aiter__(self) -> AsyncSolveStream:
        return self

    async def __anext__(self) -> Event:
        return await anext(self._events)

    async def aclose(self) -> None:
        """Ends the request; the server stops the solve."""
        await self._response.aclose()

    async def __aenter__(self) -> AsyncSolveStream:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def _interrupted(error: Exception) -> ServiceError:
    return ServiceError(
        "SERVICE.INTERRUPTED", f"The solve stream was interrupted: {str(error) or type(error).__name__}."
    )
