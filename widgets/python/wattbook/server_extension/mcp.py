"""POST of `<base_url>wattbook/mcp`: the tools of agents over MCP's streamable HTTP, for who is logged in to Jupyter."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from jupyter_server.base.handlers import APIHandler
from tornado import web
from tornado.httputil import HTTPServerRequest

from ..errors import InputError

if TYPE_CHECKING:
    from ..agents import Desk

#: Secrets of Jupyter, which MCP has no use for.
_WITHHELD = frozenset({"authorization", "cookie"})


class McpService:
    """The server of the SDK on Studies of this process; each request is answered by itself, as JSON. Made with the first request."""

    def __init__(self) -> None:
        self._desk: Desk | None = None
        self._manager: Any = None
        self._running: asyncio.Task[None] | None = None
        self._ready = asyncio.Event()
        self._stop = asyncio.Event()

    @property
    def desk(self) -> Desk:
        """The Studies and live cases that it works on. Raises InputError `MCP.MISSING` without the package `mcp`."""
        if self._desk is None:
            if find_spec("mcp") is None:
                raise InputError(
                    "MCP.MISSING", "The MCP server needs the package mcp: pip install 'mcp>=1.30,<2' jsonschema."
                )
            from ..agents import Desk

            self._desk = Desk()
        return self._desk

    async def answer(self, request: HTTPServerRequest) -> tuple[int, list[tuple[str, str]], bytes]:
        """Status, headers and body. Raises InputError `MCP.MISSING` without the package `mcp`."""
        if self._running is None:
            # Not before: a start of Jupyter reads none of it.
            from ..agents import mcp_server

            server = mcp_server(self.desk)
            from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

            self._manager = StreamableHTTPSessionManager(server, json_response=True, stateless=True)
            self._running = asyncio.create_task(self._run())
        await self._ready.wait()
        return await self._ask(request)

    async def stop(self) -> None:
        """Ends what is being answered."""
        self._stop.set()
        if self._running is not None:
            await self._running

    async def _run(self) -> None:
        async with self._manager.run():
            self._ready.set()
            await self._stop.wait()

    async def _ask(self, request: HTTPServerRequest) -> tuple[int, list[tuple[str, str]], bytes]:
        """Hands a request to the SDK in the form that it knows, ASGI."""
        headers = [
            (name.lower().encode("latin-1"), value.encode("latin-1"))
            for name, value in request.headers.get_all()
            if name.lower() not in _WITHHELD
        ]
        scope = {
            **{"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": request.protocol},
            **{"method": request.method, "path": "/", "raw_path": b"/", "root_path": "", "query_string": b""},
            **{"headers": headers, "client": None, "server": None},
        }
        status, answered, body = 500, list[tuple[str, str]](), bytearray()
        sent = False

        async def receive() -> dict[str, Any]:
            nonlocal sent
            if sent:
                await asyncio.Event().wait()  # nobody tells of a client that goes away; the answer is short
            sent = True
            return {"type": "http.request", "body": request.body, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            nonlocal status, answered
            if message["type"] == "http.response.start":
                status = message["status"]
                answered = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in message["headers"]]
            else:
                body.extend(message.get("body", b""))

        await self._manager.handle_request(scope, receive, send)
        return status, answered, bytes(body)


class McpHandler(APIHandler):
    """Requests with the token of Jupyter, as its other programs send them."""

    def initialize(self, service: McpService) -> None:
        self._service = service

    @web.authenticated
    async def post(self) -> None:
        try:
            status, headers, body = await self._service.answer(self.request)
        except InputError as error:
            self.set_status(501)
            self.finish({"error": error.message, "code": error.code})
            return
        self.set_status(status)
        for name, value in headers:
            if name.lower() not in ("content-length", "date", "server"):
                self.set_header(name, value)
        self.finish(body)

    @web.authenticated
    async def get(self) -> None:
        """There is no stream of the server's own: each answer belongs to its request."""
        self.set_header("Allow", "POST")
        self.set_status(405)
        self.finish()

    delete = get
