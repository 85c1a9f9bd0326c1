"""HTTP GET over TCP or over a unix socket, with the standard library only."""

from __future__ import annotations

import http.client
import json
import socket
from urllib.parse import urlsplit

from ..errors import ServiceError

_UNREACHABLE = (
    "The companion server cannot be reached at {address} ({reason}). JupyterLab starts it: restart the "
    'Lab if it is not running. Elsewhere start it with `wattbook serve` and pass its address: wb.Service("http://...").'
)


class UnixConnection(http.client.HTTPConnection):
    """HTTP/1.1 over the unix socket `path`."""

    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class Transport:
    """Opens requests below one address: `unix:/path/to/socket`, `http://host:port` or `https://host/user/me/wattbook`."""

    def __init__(self, address: str, *, token: str | None, timeout: float) -> None:
        self.address = address
        self._timeout = timeout
        self._headers = {"Authorization": f"token {token}"} if token else {}
        url = urlsplit(address)
        if url.scheme not in ("unix", "http", "https") or not (url.path if url.scheme == "unix" else url.hostname):
            raise ServiceError(
                "SERVICE.ADDRESS",
                f"{address!r} is not a server address: use unix:/path, http://host:port or https://host/base.",
            )
        self._url = url

    def open(
        self, path: str, *, accept: str, known: str | None = None
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        """Sends GET `path` (percent-encoded, from `/api` on); returns the response whatever its status.
        `known` is an entity tag: the answer is 304 if the resource still has it.

        Raises ServiceError with the server's own code, or `SERVICE.UNREACHABLE`.
        """
        connection = self._connect()
        base = "" if self._url.scheme == "unix" else self._url.path.rstrip("/")
        try:
            condition = {"If-None-Match": known} if known else {}
            connection.request("GET", base + path, headers={"Accept": accept, **condition, **self._headers})
            response = connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            reason = str(error) or type(error).__name__
            raise ServiceError(
                "SERVICE.UNREACHABLE", _UNREACHABLE.format(address=self.address, reason=reason)
            ) from error
        return connection, response

    def _connect(self) -> http.client.HTTPConnection:
        if self._url.scheme == "unix":
            return UnixConnection(self._url.path, self._timeout)
        kind = http.client.HTTPSConnection if self._url.scheme == "https" else http.client.HTTPConnection
        return kind(self._url.hostname or "", self._url.port, timeout=self._timeout)


def refusal(response: http.client.HTTPResponse) -> ServiceError:
    """The error for a response that is not 2xx; reads its body."""
    details: dict[str, object] = {"status": response.status}
    if response.headers.get("Retry-After"):
        details["retry_after"] = response.headers["Retry-After"]
    try:
        body = json.loads(response.read())
        return ServiceError(str(body["code"]), str(body["error"]), details=details)
    except (ValueError, KeyError, TypeError):
        return ServiceError(
            "SERVICE.ANSWER",
            f"The server answered {response.status} {response.reason} without an error message.",
            details=details,
        )
