"""The companion's location: a unix socket, or a loopback port if there are no sockets (Windows)."""

from __future__ import annotations

import asyncio
import hmac
import json
import os
from pathlib import Path
from typing import Protocol

import httpx

#: No limit on connections: a process may send requests all day, and streams stay open, so none must wait for another.
_LIMITS = httpx.Limits(max_connections=None)


class Listening(Protocol):
    """The location, for the supervision of the companion and the proxy."""

    #: SERVICE_URL for kernels.
    address: str
    #: Variables of the companion's environment for the location.
    environment: dict[str, str]
    #: URL of requests; None until it is known.
    url: str | None
    #: The socket that kernels open before the companion is there; None if they find it by a file.
    front: Path | None

    def transport(self) -> httpx.AsyncBaseTransport:
        """The transport of requests."""

    def prepare(self, secret: str) -> None:
        """Called before the start of a process, which receives this secret."""

    def hear(self, line: bytes) -> None:
        """Called with each line that the process writes before it answers."""

    def publish(self) -> None:
        """Called when the process answers: kernels may use it."""

    def clear(self) -> None:
        """Called when the process has ended."""


class SocketListening:
    """A unix socket at `path`, in a folder private to its owner. If `front` is given, kernels use that socket: it
    exists before the companion does, and `Door` connects the two."""

    def __init__(self, path: Path, front: Path | None = None) -> None:
        self._path = path
        self.front = front
        self.address = f"unix:{front or path}"
        self.environment = {"SERVICE_SOCKET": str(path)}
        self.url: str | None = "http://wattbook"

    def transport(self) -> httpx.AsyncBaseTransport:
        return httpx.AsyncHTTPTransport(uds=str(self._path), limits=_LIMITS)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A raw connection to the companion, for `Door`."""
        return await asyncio.open_unix_connection(str(self._path))

    def prepare(self, secret: str) -> None:
        self.clear()

    def hear(self, line: bytes) -> None:
        """Does nothing, because the location is known."""

    def publish(self) -> None:
        """Does nothing, because the socket is there."""

    def clear(self) -> None:
        self._path.unlink(missing_ok=True)


class PortListening:
    """A loopback port, chosen by the system at each start. Every user of the machine can reach it, so the server only
    answers requests with the secret, or with the kernels' key derived from it (`kernel_key`).

    Kernels find address and key in the file `path`, like those of their own connection. It is in a folder private to
    its owner, and rewritten at each start, because kernels outlive the process.
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
    """The key with which kernels may send requests, but not speak for others: HMAC-SHA256 of `kernels`, as in
    `server/src/http/secret.ts`. The secret cannot be derived from it."""
    return hmac.new(secret.encode(), b"kernels", "sha256").hexdigest()
