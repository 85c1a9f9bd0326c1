"""Connections to the companion server and their failures, and a server of this process for programs without a Jupyter
server."""

from __future__ import annotations

import atexit
import email.utils
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from ..errors import ServiceBusyError, ServiceError, ServiceTimeoutError, ServiceUnreachableError
from ..text.words import visible

#: Answers after which the same request may succeed later (RFC 9110, sections 10.2.3 and 15.6.4; RFC 6585, section 4).
BUSY = (429, 503)

_UNREACHABLE = (
    "The companion server cannot be reached at {address} ({reason}). JupyterLab starts it: restart the "
    'Lab if it is not running. Elsewhere start it with `wattbook serve` and pass its address: wb.Service("http://...").'
)
_START_LIMIT_S = 60.0
_PAUSE_S = 0.05
#: Variables for the location of a server that is started by hand.
_PLACES = ("SERVICE_SOCKET", "SERVICE_HOST", "SERVICE_PORT", "SERVICE_SECRET_FROM_STDIN")
_lock = threading.Lock()


class Address:
    """`unix:/path/to/socket`, `http://host:port`, `https://host/user/me/wattbook`, or `file:/path`: a file with the
    address and key of a server on this machine, which Jupyter writes at each start of its companion if there are no
    unix sockets.

    Raises ServiceError `SERVICE.ADDRESS`.
    """

    def __init__(self, text: str) -> None:
        url = urlsplit(text)
        local = url.scheme in ("unix", "file")
        if (url.scheme not in ("http", "https") and not local) or not (url.path if local else url.hostname):
            raise ServiceError(
                "SERVICE.ADDRESS",
                f"{text!r} is not a server address: use unix:/path, http://host:port or https://host/base.",
            )
        self.text = text
        self.socket = url.path if url.scheme == "unix" else None
        self.base = "http://localhost" if local else text.rstrip("/")
        self._file = Path(text.removeprefix("file:")) if url.scheme == "file" else None

    def located(self, path: str) -> tuple[str, dict[str, str]]:
        """The present URL of a resource, and the headers that authenticate a request. Raises ServiceUnreachableError."""
        if self._file is None:
            return path, {}
        try:
            found = json.loads(self._file.read_bytes())
            return f"{found['url']}{path}", {"x-service-secret": str(found["key"])}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise self._unreachable("it is starting, or has ended") from error

    def settings(self, token: str | None, timeout: float) -> dict[str, Any]:
        """Keywords of `httpx.Client` and `httpx.AsyncClient`; proxies of the environment are not used."""
        return {
            "base_url": self.base,
            "headers": {"Authorization": f"token {token}"} if token else {},
            "timeout": timeout,
            "trust_env": False,
        }

    def transport_settings(self) -> dict[str, Any]:
        """Keywords of their transports. Connections are not reused, so nothing has to be closed."""
        return {
            "uds": self.socket,
            "verify": ssl.create_default_context(),
            "limits": httpx.Limits(max_keepalive_connections=0),
        }

    def failed(self, error: httpx.HTTPError) -> ServiceError:
        """The error of a request without an answer."""
        if isinstance(error, httpx.TimeoutException) and not isinstance(error, httpx.ConnectTimeout):
            return ServiceTimeoutError(
                "SERVICE.TIMEOUT",
                f"The server at {self.text} did not answer in time; pass a longer timeout= in seconds.",
            )
        return self._unreachable(str(error) or type(error).__name__)

    def _unreachable(self, reason: str) -> ServiceUnreachableError:
        return ServiceUnreachableError("SERVICE.UNREACHABLE", _UNREACHABLE.format(address=self.text, reason=reason))


def refusal(response: httpx.Response) -> ServiceError:
    """The error for a response that is not 2xx, from its body."""
    details: dict[str, object] = {"status": response.status_code}
    wait = retry_after_s(response)
    if wait is not None:
        details["retry_after"] = wait
    kind = ServiceBusyError if response.status_code in BUSY else ServiceError
    try:
        body = json.loads(response.content)
        return kind(str(body["code"]), str(body["error"]), details=details)
    except (ValueError, KeyError, TypeError):
        return kind(
            "SERVICE.ANSWER",
            f"The server answered {response.status_code} {response.reason_phrase} without an error message.",
            details=details,
        )


def retry_after_s(response: httpx.Response) -> float | None:
    """Seconds to wait by the header `Retry-After`, which is a number or a date (RFC 9110, section 10.2.3); None without one."""
    text = response.headers.get("Retry-After", "").strip()
    if text.isdecimal():
        return float(text)
    try:
        date = email.utils.parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0.0, date.timestamp() - time.time())


_started: OwnServer | None = None


class OwnServer:
    """`wattbook serve` as a child that ends with this process, however that ends, because its standard input is closed
    then.

    It listens on a unix socket in a private folder; on Windows on a loopback port. Raises ServiceUnreachableError
    `SERVICE.UNREACHABLE` with its output if it does not start.
    """

    def __init__(self) -> None:
        self.process_id = os.getpid()
        self._folder = Path(tempfile.mkdtemp(prefix="wattbook-own-"))
        socket = None if sys.platform == "win32" else self._folder / "server.sock"
        place = (
            {"SERVICE_HOST": "127.0.0.1", "SERVICE_PORT": "0"} if socket is None else {"SERVICE_SOCKET": str(socket)}
        )
        inherited = {name: value for name, value in os.environ.items() if name not in _PLACES}
        log = self._folder / "log"
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "wattbook.cli", "serve"],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={
                    "SERVICE_SERVER_COMPUTE": "1",
                    "SERVICE_SOLVE_RATE_LIMIT_EVENTS": "0",
                    "SERVICE_SENSITIVITY_RATE_LIMIT_EVENTS": "0",
                    **inherited,
                    **place,
                    "SERVICE_EXIT_WITH_STDIN": "1",
                    "SERVICE_LOG_LEVEL": "info",  # its log states where it listens
                },
            )
        atexit.register(self.stop)
        self.address = self._listening(log, socket)

    @property
    def runs(self) -> bool:
        """Whether it still runs, as a child of this process."""
        return self.process_id == os.getpid() and self._process.poll() is None

    def stop(self) -> None:
        """Stops it and removes its folder. In a copy of this process (`os.fork`) it does neither."""
        if self.process_id != os.getpid():
            return
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(3.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)
        atexit.unregister(self.stop)

    def _listening(self, log: Path, socket: Path | None) -> str:
        deadline = time.monotonic() + _START_LIMIT_S
        while time.monotonic() < deadline and self._process.poll() is None:
            found = re.search(r"Server listening at (\S+?)\"", log.read_text("utf-8", "replace"))
            if found is not None:
                return f"unix:{socket}" if socket is not None else found[1]
            time.sleep(_PAUSE_S)
        output = log.read_text("utf-8", "replace").strip().splitlines()
        self.stop()
        reason = visible(output[-1][:500]) if output else "it printed nothing"
        raise ServiceUnreachableError(
            "SERVICE.UNREACHABLE", f"The companion server of this process did not start: {reason}"
        )


def own_address() -> str:
    """The address of this process's companion server, which is started by the first call, and again if it has ended."""
    global _started
    with _lock:
        if _started is None or not _started.runs:
            if _started is not None:
                _started.stop()
            _started = OwnServer()
        return _started.address
