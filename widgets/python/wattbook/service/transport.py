"""How to reach the companion server, and what its failures are: shared by `Service` and `AsyncService`."""

from __future__ import annotations

import email.utils
import json
import ssl
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from ..errors import ServiceBusyError, ServiceError, ServiceTimeoutError, ServiceUnreachableError

#: Answers after which the same request may succeed later (RFC 9110, sections 10.2.3 and 15.6.4; RFC 6585, section 4).
BUSY = (429, 503)

_UNREACHABLE = (
    "The companion server cannot be reached at {address} ({reason}). JupyterLab starts it: restart the "
    'Lab if it is not running. Elsewhere start it with `wattbook serve` and pass its address: wb.Service("http://...").'
)


class Address:
    """`unix:/path/to/socket`, `http://host:port`, `https://host/user/me/wattbook`, or `file:/path`: a file with the address of a server
    on this machine and the key that it asks for, which Jupyter writes at each start of its companion where unix sockets are missing.

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
        """Where the resource is now, and the headers that let a client ask for it. Raises ServiceUnreachableError."""
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
        """Keywords of their transports. Connections are not kept, so that nothing has to be closed."""
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
    """The error for a response that is not 2xx, whose body is read."""
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
