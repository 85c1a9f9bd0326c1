"""The web socket `<base_url>wattbook/mcp/page`, by which open pages of JupyterLab offer their live cases to MCP clients."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from jupyter_server.auth.decorator import ws_authenticated
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.base.websocket import WebSocketMixin
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from ..errors import InputError
from .mcp import McpService

if TYPE_CHECKING:
    from ..agents.pages import Page

#: What a page waits for before it says anything.
_READY = '{"kind":"ready","version":1}'
_LONGEST_MESSAGE = 64 * 1024
#: Codes that a page takes as lasting: what it sent is no message; there is no MCP here.
_MALFORMED, _MISSING = 4400, 4501


class PageSocket(WebSocketMixin, WebSocketHandler, JupyterHandler):
    """One page, logged in to Jupyter and from Jupyter's own origin."""

    #: An open page is no activity of its user.
    _track_activity = False
    _page: Page | None = None

    def initialize(self, service: McpService) -> None:
        self._service = service

    def set_default_headers(self) -> None:
        """Headers of pages do not belong on sockets."""

    @property
    def max_message_size(self) -> int:
        """Longer messages close the socket before they are read."""
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
        sending.add_done_callback(lambda sent: sent.exception())  # `on_close` tells of a page that is gone
