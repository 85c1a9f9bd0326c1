"""The tools of agents over MCP: POST of `<base_url>wattbook/mcp`, MCP's streamable HTTP for users logged in to Jupyter,
and the web socket `<base_url>wattbook/mcp/page`, by which open pages of JupyterLab offer their live cases."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from jupyter_server.auth.decorator import ws_authenticated
from jupyter_server.base.handlers import APIHandler, JupyterHandler
from jupyter_server.base.websocket import WebSocketMixin
from tornado import web
from tornado.httputil import HTTPServerRequest
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from ..errors import InputError

if TYPE_CHECKING:
    from ..agents import Desk
    from ..agents.pages import Page

#: Secrets of Jupyter, which MCP must not receive.
_WITHHELD = frozenset({"authorization", "cookie"})
#: The first message to a page, which sends nothing before it.
_READY = '{"kind":"ready","version":1}'
_LONGEST_MESSAGE = 64 * 1024
#: Close codes after which a page does not reconnect: it sent an invalid message; there is no MCP here.
_MALFORMED, _MISSING = 4400, 4501


class McpService:
    """The SDK's server on Studies of this process, which answers each request separately as JSON. Created with the
    first request."""

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
            # Imported here, so that Jupyter's start does not load it.
            from ..agents import mcp_server

            server = mcp_server(self.desk)
            from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

            self._manager = StreamableHTTPSessionManager(server, json_response=True, stateless=True)
            self._running = asyncio.create_task(self._run())
        await self._ready.wait()
        return await self._ask(request)

    async def stop(self) -> None:
        """Cancels running requests."""
        self._stop.set()
        if self._running is not None:
            await self._running

    async def _run(self) -> None:
        async with self._manager.run():
            self._ready.set()
            await self._stop.wait()

    async def _ask(self, request: HTTPServerRequest) -> tuple[int, list[tuple[str, str]], bytes]:
        """Passes a request to the SDK as ASGI."""
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
                await asyncio.Event().wait()  # a disconnected client is not reported; answers are short
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
    """Requests with Jupyter's token, as its other programs send them."""

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
        """There is no separate event stream: each answer belongs to its request."""
        self.set_header("Allow", "POST")
        self.set_status(405)
        self.finish()

    delete = get


class PageSocket(WebSocketMixin, WebSocketHandler, JupyterHandler):
    """One page, logged in to Jupyter and from Jupyter's own origin."""

    #: An open page is not activity of its user.
    _track_activity = False
    _page: Page | None = None

    def initialize(self, service: McpService) -> None:
        self._service = service

    def set_default_headers(self) -> None:
        """Removes the headers of pages, which do not apply to sockets."""

    @property
    def max_message_size(self) -> int:
        """Largest message; longer ones close the socket before they are read."""
        return _LONGEST_MESSAGE

    @ws_authenticated
    async def get(self) -> None:
        await super().get()

    def open(self) -> None:
        super().open()
        try:
            desk = self._service.desk
        except InputError as error:
            self.close(_MISSING, error.code)
            return
        from ..agents.pages import Page

        self._page = Page(desk.pages, self._write)
        self._write(_READY)

    def on_message(self, message: str | bytes) -> None:
        from ..agents.pages import MessageError

        if self._page is None:
            return
        try:
            self._page.receive(message)
        except MessageError as error:
            self.log.warning("wattbook: a page sent what is no message: %s", error)
            self.on_close()
            self.close(_MALFORMED, "no message")

    def on_close(self) -> None:
        if self._page is not None:
            self._page.gone()
            self._page = None

    def _write(self, text: str) -> None:
        try:
            sending = asyncio.ensure_future(self.write_message(text))
        except WebSocketClosedError:
            raise ConnectionError("the page is closed") from None
        sending.add_done_callback(lambda sent: sent.exception())  # `on_close` reports a page that is gone
