"""`AsyncService`: the companion server from Python, without blocking the event loop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import httpx

from ..errors import ServiceError
from ..network.elements import Changes, ElementName
from ..results.sensitivity import Sensitivity
from ..study.study import Case
from .exchanges import Ask, Client, Exchange, T, Wait
from .streams import AsyncSolveStream

if TYPE_CHECKING:
    import pandas as pd


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
