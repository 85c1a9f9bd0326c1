"""The way of kernels to the companion, which starts with the first of them."""

from __future__ import annotations

import asyncio

from .companion import Companion, Unavailable
from .listening import SocketListening

_READY_SECONDS = 30.0
_PIECE = 65536


class Door:
    """Listens on the socket that kernels know, starts the companion when one connects, and passes bytes both ways.

    Where there are no unix sockets, kernels find the companion by a file that it writes, so it starts at once.
    """

    def __init__(self, companion: Companion) -> None:
        self._companion = companion
        self._server: asyncio.Server | None = None
        self._visits: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Listens; raises OSError."""
        listening = self._companion.listening
        if listening.front is None:
            self._companion.start()
            return
        self._server = await asyncio.start_unix_server(self._visit, str(listening.front))
        listening.front.chmod(0o600)  # its folder has admitted nobody else before

    async def close(self) -> None:
        """Listens no more, and ends what is being passed."""
        if self._server is not None:
            self._server.close()
        for visit in self._visits:
            visit.cancel()
        await asyncio.gather(*self._visits, return_exceptions=True)

    async def _visit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visit = asyncio.current_task()
        assert visit is not None
        self._visits.add(visit)
        try:
            await self._passed(reader, writer)
        except (OSError, Unavailable):
            pass  # the connection ends without an answer: the client says that nobody answers, the log of the companion why
        finally:
            self._visits.discard(visit)
            writer.close()

    async def _passed(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._companion.ready(_READY_SECONDS)
        listening = self._companion.listening
        assert isinstance(listening, SocketListening)
        inner_reader, inner_writer = await listening.connect()
        try:
            there = asyncio.create_task(_pump(reader, inner_writer))
            back = asyncio.create_task(_pump(inner_reader, writer))
            # A client that leaves ends its solve; what the server ends is at its end.
            await asyncio.wait({there, back}, return_when=asyncio.FIRST_COMPLETED)
            for task in (there, back):
                task.cancel()
            await asyncio.gather(there, back, return_exceptions=True)
        finally:
            inner_writer.close()


async def _pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while piece := await source.read(_PIECE):
        target.write(piece)
        await target.drain()
