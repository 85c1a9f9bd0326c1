"""Where the companion listens: on a unix socket, or on a port of the loopback where sockets are missing (Windows)."""

from __future__ import annotations

import asyncio
import hmac
import json
import os
from pathlib import Path
from typing import Protocol

import httpx

#: Another process may ask all day, and streams stay open: connections are not counted, and none waits for another.
_LIMITS = httpx.Limits(max_connections=None)


class Listening(Protocol):
    """What the supervision of the companion and the proxy need to know of the place."""

    #: SERVICE_URL of kernels.
    address: str
    #: What the companion's environment says of it.
    environment: dict[str, str]
    #: URL of requests; None until it is known.
    url: str | None
    #: The socket that kernels open before the companion is there; None where they find it by a file.
    front: Path | None

    def transport(self) -> httpx.AsyncBaseTransport:
        """How requests get there."""

    def prepare(self, secret: str) -> None:
        """Before a process starts, which knows this secret."""

    def hear(self, line: bytes) -> None:
        """A line that the process wrote before it answered."""

    def publish(self) -> None:
        """The process answers: kernels may ask it."""

    def clear(self) -> None:
        """The process has ended."""


class SocketListening:
    """A unix socket at `path`, whose folder admits nobody but its owner. Kernels know that at `front`, where one is given: it is there
    before the companion is, and `Door` connects the two."""

    def __init__(self, path: Path, front: Path | None = None) -> None:
        self._path = path
        self.front = front
        self.address = f"unix:{front or path}"
        self.environment = {"SERVICE_SOCKET": str(path)}
        self.url: str | None = "http://wattbook"

    def transport(self) -> httpx.AsyncBaseTransport:
        return httpx.AsyncHTTPTransport(uds=str(self._path), limits=_LIMITS)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection to the companion, past the transport of requests."""
        return await asyncio.open_unix_connection(str(self._path))

    def prepare(self, secret: str) -> None:
        self.clear()

    def hear(self, line: bytes) -> None:
        """Nothing that is not known."""

    def publish(self) -> None:
        """The socket is there."""

    def clear(self) -> None:
        self._path.unlink(missing_ok=True)


class PortListening:
    """A port of the loopback, chosen by the system at each start. Every user of the machine reaches it: the server answers nobody who
    does not show the secret, or the key of kernels, which follows from it (`kernel_key`).

    Kernels find address and key in the file `path`, as they find those of their own connection. It is in a folder that admits nobody
    but its owner, and written anew at each start: kernels outlive the process that they ask.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._key = ""
        self.address = f"file:{path}"
        self.environment = {"SERVICE_HOST": "127.0.0.1", "SERVICE_PORT": "0"}
        self.front: Path | None = None
        self.url: str | None = None

    def transport(self) -> httpx.AsyncBaseTransport:
        return httpx.AsyncHTTPTransport(limits=_LIMITS)

    def prepare(self, secret: str) -> None:
        self.clear()
        self._key = kernel_key(secret)

    def hear(self, line: bytes) -> None:
        if self.url is None and line.startswith(b'{"listening":'):
            self.url = str(json.loads(line)["listening"])

    def publish(self) -> None:
        new = self._path.with_suffix(".new")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump({"url": self.url, "key": self._key}, file)
        new.replace(self._path)

    def clear(self) -> None:
        self.url = None
        self._path.unlink(missing_ok=True)


def kernel_key(secret: str) -> str:
    """The key that lets kernels ask, and speak for nobody: HMAC-SHA256 of `kernels`, as in `server/src/http/secret.ts`. The secret
    does not follow from it."""
    return hmac.new(secret.encode(), b"kernels", "sha256").hexdigest()
