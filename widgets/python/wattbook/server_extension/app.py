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
from traitlets import Bool

from ..case import staging
from .companion import Companion, Unavailable
from .mcp import McpHandler, McpService
from .mcp_page import PageSocket
from .node import NotInstalled, find_node, server_script
from .proxy import ApiProxyHandler

ADDRESS_VARIABLE = "SERVICE_URL"
#: Not the companion's business: tokens of Jupyter, and the address variable that is meant for kernels.
_WITHHELD = ("JUPYTER_TOKEN", "JUPYTERHUB_API_TOKEN", "JPY_API_TOKEN", "JUPYTERHUB_CLIENT_ID", ADDRESS_VARIABLE)


class Missing:
    """Takes the place of the companion if it cannot run; every request gets the reason."""

    secret = ""

    def __init__(self, reason: str) -> None:
        self.client = httpx.AsyncClient(trust_env=False)
        self._reason = reason

    def start(self) -> None:
        return None

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

    def initialize_handlers(self) -> None:
        self._folder: Any = None
        self._address_before = os.environ.get(ADDRESS_VARIABLE)
        data = os.environ.get(staging.DATA_VARIABLE, "").strip()
        if data:
            # Kernels inherit it and run in other folders than this process.
            os.environ[staging.DATA_VARIABLE] = str(Path(data).absolute())
        self._companion = self._make_companion()
        self._mcp = McpService()
        self.handlers.append((r"wattbook/api/(.*)", ApiProxyHandler, {"upstream": self._companion}))
        self.handlers.append((r"wattbook/mcp", McpHandler, {"service": self._mcp}))
        self.handlers.append((r"wattbook/mcp/page", PageSocket, {"service": self._mcp}))

    async def _start_jupyter_server_extension(self, serverapp: Any) -> None:
        if isinstance(self._companion, Companion):
            try:
                data = await asyncio.to_thread(staging.data_environment, os.environ, self._folder.path)
            except (OSError, staging.DamagedBundle) as error:
                self._companion.give_up(f"The bundled grids cannot be staged: {error}")
                return
            self._companion.environment |= data
        self._companion.start()

    async def stop_extension(self) -> None:
        """Ends the process, removes its folder and its address."""
        await self._mcp.stop()
        await self._companion.stop()
        if self._folder is not None:
            await asyncio.to_thread(self._folder.remove)
            if self._address_before is None:
                os.environ.pop(ADDRESS_VARIABLE, None)
            else:
                os.environ[ADDRESS_VARIABLE] = self._address_before

    def _make_companion(self) -> Companion | Missing:
        if sys.platform == "win32":
            return self._missing(
                "The companion server needs unix sockets, which Python lacks on Windows: start Jupyter in WSL, or run "
                "`wattbook serve` separately."
            )
        from .runtime_folder import RuntimeFolder

        try:
            command = [str(find_node()), str(server_script()), "serve"]
        except NotInstalled as error:
            return self._missing(str(error))
        try:
            self._folder = RuntimeFolder()
        except OSError as error:
            return self._missing(
                f"The companion server has no folder for its socket ({error}): set TMPDIR to one that can be written."
            )
        socket = self._folder.path / "server.sock"
        # Kernels inherit the environment of this process.
        os.environ[ADDRESS_VARIABLE] = f"unix:{socket}"
        return Companion(command, socket, companion_environment(os.environ, str(socket), self.server_compute), self.log)

    def _missing(self, reason: str) -> Missing:
        self.log.warning("wattbook: %s The map and the kernel work without it.", reason)
        return Missing(reason)


def companion_environment(own: Mapping[str, str], socket: str, compute: bool) -> dict[str, str]:
    """The environment of the companion: ours without tokens, plus where it listens and what it may do."""
    return {
        **{name: value for name, value in own.items() if name not in _WITHHELD},
        "SERVICE_SOCKET": socket,
        "SERVICE_SERVER_COMPUTE": "1" if compute else "0",
        "SERVICE_EXIT_WITH_STDIN": "1",
    }
