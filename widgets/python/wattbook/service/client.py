"""`Service` and `AsyncService`: the companion server from Python, with blocking calls and with `await`, and its stream of solves."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx

from ..errors import ServiceError
from ..network import Changes, ElementName
from ..results.sensitivity import Sensitivity
from ..study.study import Case
from .transport import Ask, Client, Exchange, T, Wait

if TYPE_CHECKING:
    import pandas as pd

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


class Service(Client):
    """Client of the companion server; `AsyncService` is its asynchronous twin.

    `server` is its address (`unix:/path`, `http://host:port`, or `https://host/user/me/wattbook` through a Jupyter
    server, then with that server's `token`). The default is the environment variable SERVICE_URL, which Jupyter sets
    for its kernels; without it this process starts its own server, which ends with the process. `timeout` is the
    longest silence in seconds before a request fails; the solve stream has heartbeats.

    If the server is busy (HTTP 429 and 503), a request is repeated up to `retries` times, after the seconds that the
    server requests (`Retry-After`) or after 0.5, 1, 2, ... s; not if it requests more than `longest_wait` seconds.

    Every failure is a ServiceError with the server's code; `details["status"]` is the HTTP status. Among its
    subclasses, ServiceUnreachableError means that no server answers at the address, ServiceTimeoutError that the answer
    took too long, and ServiceBusyError, with `retry_after`, that the server stays busy.
    """

    def _open(self, settings: dict[str, Any], transport_settings: dict[str, Any]) -> None:
        self._client = httpx.Client(transport=httpx.HTTPTransport(**transport_settings), **settings)

    def health(self) -> dict[str, Any]:
        """Liveness, versions and the served cases; a degraded server (HTTP 503) is reported in `status`, not as an error."""
        return self._done(self._health())

    def cases(self) -> pd.DataFrame:
        """The served cases: index `id`; columns as in the case summaries (`name`, `n_bus`, `n_branch`, ...)."""
        return self._done(self._cases())

    def sensitivity(
        self,
        case: Case | str,
        *,
        bus: ElementName | None = None,
        branch: ElementName | None = None,
        demand: Changes | None = None,
    ) -> Sensitivity:
        """Derivatives of all LMPs of `case` (or the case with that id) as in `Study.sensitivity`, computed by the server.

        `demand` are changes in MW, the target is one `bus` or `branch`.

        Raises ServiceError, for instance `COMPUTE.DISABLED` if the server does not compute.
        """
        return self._done(self._sensitivity(case, bus, branch, demand))

    def solve_stream(
        self,
        case: Case | str,
        demand: Changes | None = None,
        *,
        ratings: Changes | None = None,
        bus: ElementName | None = None,
        branch: ElementName | None = None,
        formulation: str | None = None,
    ) -> SolveStream:
        """Solves `case` (or the case with that id) on the server with the edits `demand` and `ratings`, in MW (of ratings of acpf and socwr MVA),
        and yields events as they arrive. `formulation` is "dcopf", "acpf" or "socwr"; without it the server's default, dcopf.

        The server solves only the cases in `cases()`; use `Study` for any other case.
        The last event is `done`, also for a failed solve (`data["ok"]` is False, with `error` and `code`).
        `bus` or `branch` requests its sensitivities as well (acpf has those of a `bus` only). Closing the stream early cancels the solve.
        Raises ArgumentError for another formulation, ServiceError if the server refuses the request.
        """
        return SolveStream(self._done(self._solve(case, demand, ratings, bus, branch, formulation)))

    def _done(self, exchange: Exchange[T]) -> T:
        """The result of an exchange."""
        try:
            step = next(exchange)
            while True:
                if isinstance(step, Wait):
                    time.sleep(step.seconds)
                    step = exchange.send(None)
                    continue
                try:
                    response = self._sent(step)
                except ServiceError as error:
                    step = exchange.throw(error)
                else:
                    step = exchange.send(response)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    def _sent(self, ask: Ask) -> httpx.Response:
        url, keys = self._address.located(ask.path)
        request = self._client.build_request("GET", url, headers={**ask.headers, **keys})
        try:
            response = self._client.send(request, stream=True)
            if not (ask.stream and response.status_code == 200):
                response.read()
        except httpx.HTTPError as error:
            raise self._address.failed(error) from error
        return response


class AsyncService(Client):
    """Asynchronous twin of `Service`: the same arguments, results and errors, with `await`."""

    def _open(self, settings: dict[str, Any], transport_settings: dict[str, Any]) -> None:
        self._client = httpx.AsyncClient(transport=httpx.AsyncHTTPTransport(**transport_settings), **settings)

    async def health(self) -> dict[str, Any]:
        """As `Service.health`."""
        return await self._done(self._health())

    async def cases(self) -> pd.DataFrame:
        """As `Service.cases`, with the units of its columns."""
        return await self._done(self._cases())

    async def sensitivity(
        self,
        case: Case | str,
        *,
        bus: ElementName | None = None,
        branch: ElementName | None = None,
        demand: Changes | None = None,
    ) -> Sensitivity:
        """As `Service.sensitivity`."""
        return await self._done(self._sensitivity(case, bus, branch, demand))

    async def solve_stream(
        self,
        case: Case | str,
        demand: Changes | None = None,
        *,
        ratings: Changes | None = None,
        bus: ElementName | None = None,
        branch: ElementName | None = None,
        formulation: str | None = None,
    ) -> AsyncSolveStream:
        """As `Service.solve_stream`: `async for event in await service.solve_stream(case)`."""
        return AsyncSolveStream(await self._done(self._solve(case, demand, ratings, bus, branch, formulation)))

    async def _done(self, exchange: Exchange[T]) -> T:
        """The result of an exchange."""
        try:
            step = next(exchange)
            while True:
                if isinstance(step, Wait):
                    await asyncio.sleep(step.seconds)
                    step = exchange.send(None)
                    continue
                try:
                    response = await self._sent(step)
                except ServiceError as error:
                    step = exchange.throw(error)
                else:
                    step = exchange.send(response)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    async def _sent(self, ask: Ask) -> httpx.Response:
        url, keys = self._address.located(ask.path)
        request = self._client.build_request("GET", url, headers={**ask.headers, **keys})
        try:
            response = await self._client.send(request, stream=True)
            if not (ask.stream and response.status_code == 200):
                await response.aread()
        except httpx.HTTPError as error:
            raise self._address.failed(error) from error
        return response
