"""The extension: settings, start and stop."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
from jupyter_server.extension.application import ExtensionApp
from traitlets import Bool, Enum

from ..built import NotInstalled, find_node, server_environment, server_script
from ..case import catalogue
from .companion import Companion, Door, Unavailable
from .listening import Listening, PortListening, RuntimeFolder, SocketListening
from .mcp import McpHandler, McpService, PageSocket
from .proxy import ApiProxyHandler

ADDRESS_VARIABLE = "SERVICE_URL"
#: Variables for the location of a server that is started by hand.
_PLACES = ("SERVICE_SOCKET", "SERVICE_HOST", "SERVICE_PORT")
#: Withheld from the companion: tokens of Jupyter, and the address variable that is meant for kernels.
_WITHHELD = ("JUPYTER_TOKEN", "JUPYTERHUB_API_TOKEN", "JPY_API_TOKEN", "JUPYTERHUB_CLIENT_ID", ADDRESS_VARIABLE)


class Missing:
    """Replaces the companion if it cannot run; every request gets the reason."""

    secret = ""
    url = "http://wattbook"

    def __init__(self, reason: str) -> None:
        self.client = httpx.AsyncClient(trust_env=False)
        self._reason = reason

    async def ready(self, seconds: float) -> None:
        raise Unavailable(self._reason)

    async def stop(self) -> None:
        await self.client.aclose()


class Wattbook(ExtensionApp):
    """Starts the companion server with Jupyter, serves it at `<base_url>wattbook/api/`, stops it with Jupyter."""

    name = "wattbook"
    load_other_extensions = True

    server_compute = Bool(
        True,
        config=True,
        help="Whether the companion server solves (SERVICE_SERVER_COMPUTE). Only the logged-in user reaches it.",
    )

    server_transport = Enum(
        ("socket", "port"),
        "port" if sys.platform == "win32" else "socket",
        config=True,
        help="Whether the companion server listens on a unix socket, or on a port of the loopback that asks for a secret.",
    )

    def initialize_handlers(self) -> None:
        self._folder: RuntimeFolder | None = None
        self._door: Door | None = None
        self._address_before = os.environ.get(ADDRESS_VARIABLE)
        data = os.environ.get(catalogue.DATA_VARIABLE, "").strip()
        if data:
            # Kernels inherit it and run in other folders than this process.
            os.environ[catalogue.DATA_VARIABLE] = str(Path(data).absolute())
        self._companion = self._make_companion()
        self._mcp = McpService()
        self.handlers.append((r"wattbook/api/(.*)", ApiProxyHandler, {"upstream": self._companion}))
        self.handlers.append((r"wattbook/mcp", McpHandler, {"service": self._mcp}))
        self.handlers.append((r"wattbook/mcp/page", PageSocket, {"service": self._mcp}))

    async def _start_jupyter_server_extension(self, serverapp: Any) -> None:
        if isinstance(self._companion, Companion):
            assert self._folder is not None
            try:
                data = await asyncio.to_thread(catalogue.data_environment, os.environ, self._folder.path)
            except (OSError, catalogue.DamagedBundle) as error:
                self._companion.give_up(f"The bundled grids cannot be staged: {error}")
                return
            self._companion.environment |= data
            self._door = Door(self._companion)
            await self._door.open()

    async def stop_extension(self) -> None:
        """Ends the process and removes its folder and its address."""
        await self._mcp.stop()
        if self._door is not None:
            await self._door.close()
        await self._companion.stop()
        if self._folder is not None:
            await asyncio.to_thread(self._folder.remove)
            if self._address_before is None:
                os.environ.pop(ADDRESS_VARIABLE, None)
            else:
                os.environ[ADDRESS_VARIABLE] = self._address_before

    def _make_companion(self) -> Companion | Missing:
        try:
            command = [str(find_node()), str(server_script()), "serve"]
        except NotInstalled as error:
            return self._missing(str(error))
        on_socket = self.server_transport == "socket"
        try:
            self._folder = RuntimeFolder(for_socket=on_socket)
        except OSError as error:
            return self._missing(
                f"The companion server has no folder of its own ({error}): set TMPDIR to one that can be written."
            )
        folder = self._folder.path
        listening: Listening = (
            SocketListening(folder / "behind.sock", folder / "server.sock")
            if on_socket
            else PortListening(folder / "server.json")
        )
        # Kernels inherit the environment of this process.
        os.environ[ADDRESS_VARIABLE] = listening.address
        environment = companion_environment(os.environ, listening.environment, self.server_compute)
        return Companion(command, listening, environment, self.log)

    def _missing(self, reason: str) -> Missing:
        self.log.warning("wattbook: %s The map and the kernel work without it.", reason)
        return Missing(reason)


def companion_environment(own: Mapping[str, str], place: Mapping[str, str], compute: bool) -> dict[str, str]:
    """The environment of the companion: ours without tokens, plus `place`, its location, and its permissions."""
    return {
        **{name: value for name, value in own.items() if name not in (*_WITHHELD, *_PLACES)},
        **place,
        **server_environment(),
        "SERVICE_SERVER_COMPUTE": "1" if compute else "0",
        "SERVICE_EXIT_WITH_STDIN": "1",
    }
