"""The companion's location: a unix socket, or a loopback port if there are no sockets (Windows), with its private folder
and a file lock that lasts as long as its owner."""

from __future__ import annotations

import asyncio
import hmac
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
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


_PREFIX = "wattbook-run-"
_LOCK = "lock"
#: A folder without a lock file may be under construction for this long.
_GRACE_SECONDS = 60.0
#: Length of `sun_path` on macOS (104) and Linux (108), with its end mark.
_LONGEST_PATH = 103
_LONGEST_PARENT = _LONGEST_PATH - len(f"/{_PREFIX}12345678/server.sock")


class RuntimeFolder:
    """A folder with mode 0700 below XDG_RUNTIME_DIR (or else the temporary folder), with a path short enough for a
    socket if it is `for_socket`. `remove()` deletes it. Raises OSError.

    Folders whose owners died without removing them are cleared first. The lock shows whether an owner lives: it
    disappears with the process, however that ended, and is not affected by reused process ids.
    """

    def __init__(self, parent: Path | None = None, *, for_socket: bool = True) -> None:
        self.path = _made([parent] if parent else _parents(for_socket))
        self._lock = hold(self.path / _LOCK)

    def remove(self) -> None:
        """Removes the folder and its content."""
        os.close(self._lock)  # first: Windows removes no file that is open
        shutil.rmtree(self.path, ignore_errors=True)


def remove_stale(parent: Path) -> None:
    """Removes this user's folders below `parent` whose owner is gone."""
    for folder in parent.glob(f"{_PREFIX}*"):
        try:
            if folder.is_dir() and not folder.is_symlink() and _is_mine(folder) and _abandoned(folder):
                shutil.rmtree(folder, ignore_errors=True)
        except FileNotFoundError:
            continue  # another process cleared it in the meantime


def _is_mine(folder: Path) -> bool:
    # The temporary folder of Windows is private to a user.
    return sys.platform == "win32" or folder.stat().st_uid == os.getuid()


def _abandoned(folder: Path) -> bool:
    try:
        return is_free(folder / _LOCK)
    except FileNotFoundError:
        return time.time() - folder.stat().st_mtime > _GRACE_SECONDS


def _made(parents: Iterable[Path]) -> Path:
    """A new folder below the first of `parents` that is writable."""
    refused: OSError | None = None
    for parent in parents:
        try:
            remove_stale(parent)
            return Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        except OSError as error:
            refused = error
    raise refused or OSError(f"no folder has a path of at most {_LONGEST_PARENT} characters, so that a socket fits in")


def _parents(for_socket: bool) -> Iterator[Path]:
    """XDG_RUNTIME_DIR, the temporary folder and `/tmp`; for a socket only those with room for its path."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    named = [runtime] if Path(runtime).is_absolute() else []
    last = [] if sys.platform == "win32" else ["/tmp"]
    for parent in dict.fromkeys((*named, tempfile.gettempdir(), *last)):
        if not for_socket or len(os.fsencode(parent)) <= _LONGEST_PARENT:
            yield Path(parent)


if sys.platform == "win32":
    import msvcrt

    def hold(path: Path) -> int:
        """Creates the locked file; its descriptor holds the lock. An open file cannot be renamed or removed here: a
        process that looks between its creation and its lock finds it free and removes nothing."""
        held = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        msvcrt.locking(held, msvcrt.LK_NBLCK, 1)
        return held

    def is_free(path: Path) -> bool:
        """Whether no process holds the file. Raises FileNotFoundError."""
        with path.open("rb") as file:
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            except OSError:
                return False
            return True

else:
    import fcntl

    def hold(path: Path) -> int:
        """Creates the locked file; its descriptor holds the lock. The file has a temporary name until it is locked."""
        new = path.with_name(f"{path.name}.new")
        held = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        fcntl.flock(held, fcntl.LOCK_EX)
        new.rename(path)
        return held

    def is_free(path: Path) -> bool:
        """Whether no process holds the file. Raises FileNotFoundError."""
        with path.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True
