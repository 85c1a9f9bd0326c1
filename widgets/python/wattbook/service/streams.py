"""Server-sent events, parsed as in the WHATWG HTML standard (section 9.2.6, Interpreting an event stream), and the events of one solve as they
arrive."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, closing
from dataclasses import dataclass
from typing import Any

import httpx

from ..errors import ServiceError

_UNFINISHED = "The solve stream ended without the event `done`."


@dataclass(frozen=True)
class Event:
    """One event of the solve stream: `name` is status, solution, sensitivity or done, `data` its JSON object, `id` rises from 1.

    The `id` of `done` is None.
    """

    name: str
    data: dict[str, Any]
    id: int | None


class EventReader:
    """Events from a body that arrives in pieces; comments (heartbeats) and events without data are skipped."""

    def __init__(self) -> None:
        self._rest = b""
        self._name = "message"
        self._data: list[str] = []
        self._ident: str | None = None

    def feed(self, piece: bytes) -> Iterator[Event]:
        """The events that end in this piece. Raises ValueError when the data of an event is not JSON."""
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for raw in lines:
            line = raw.decode("utf-8").rstrip("\r")
            if line:
                self._field(line)
                continue
            if self._data:
                ident = int(self._ident) if self._ident and self._ident.isdigit() else None
                yield Event(self._name, json.loads("\n".join(self._data)), ident)
            self._name, self._data = "message", []

    def _field(self, line: str) -> None:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self._name = value
        elif field == "data":
            self._data.append(value)
        elif field == "id":
            self._ident = value


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
