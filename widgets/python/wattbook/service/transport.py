"""Requests of the clients to the companion server: its address, connections and their failures, answers and their
parsing, and a server of this process for programs without a Jupyter server.

Exchanges are generators of requests and waits that receive the responses, without I/O: `Service` and `AsyncService`
differ only in how they send and wait.
"""

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
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar
from urllib.parse import quote, urlencode, urlsplit

import httpx

from ..arguments import finite, formatted, number, one_of, whole
from ..errors import (
    ArgumentError,
    EditError,
    ServiceBusyError,
    ServiceError,
    ServiceTimeoutError,
    ServiceUnreachableError,
)
from ..network import Changes, ElementName
from ..results.sensitivity import Sensitivity
from ..study.study import Case
from ..text.words import visible

if TYPE_CHECKING:
    import pandas as pd

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


ADDRESS_VARIABLE = "SERVICE_URL"
#: Seconds before the first retry if the server gives no time; doubled each time.
_FIRST_WAIT_S = 0.5
#: Formulations that the server solves.
_SERVED = ("dcopf", "acpf", "socwr")

T = TypeVar("T")


@dataclass(frozen=True)
class Ask:
    """GET of `path`, percent-encoded, from `/api` on. `known` is an entity tag: the answer is 304 if the resource still
    has it. The body of a granted `stream` is left unread."""

    path: str
    known: str | None = None
    stream: bool = False

    @property
    def headers(self) -> dict[str, str]:
        """Request headers; a stream is not compressed, so that its events arrive one by one."""
        accept = {"Accept": "text/event-stream", "Accept-Encoding": "identity"} if self.stream else {}
        condition = {"If-None-Match": self.known} if self.known else {}
        return {"Accept": "application/json", **accept, **condition}


@dataclass(frozen=True)
class Wait:
    """A pause of so many seconds."""

    seconds: float


Exchange: TypeAlias = Generator[Ask | Wait, httpx.Response | None, T]


class Client:
    """The common part of both clients of the companion server: address, time-out, retries, and their exchanges."""

    def __init__(
        self,
        server: str | None = None,
        *,
        token: str | None = None,
        timeout: float = 60.0,
        retries: int = 3,
        longest_wait: float = 60.0,
    ) -> None:
        if server is not None and not isinstance(server, str):
            raise ServiceError("SERVICE.ADDRESS", f"server must be an address as text, not {formatted(server)}.")
        silence = number("timeout", timeout, "seconds")
        self._retries = whole("retries", retries)
        self._longest_wait = number("longest_wait", longest_wait, "seconds")
        self._address = Address(server or os.environ.get(ADDRESS_VARIABLE) or own_address())
        self._open(self._address.settings(token, silence), self._address.transport_settings())

    def _open(self, settings: dict[str, Any], transport_settings: dict[str, Any]) -> None:
        raise NotImplementedError

    @property
    def server(self) -> str:
        """The address in use."""
        return self._address.text

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.server}>"

    def _asked(self, ask: Ask, accepted: tuple[int, ...] = (200,)) -> Exchange[httpx.Response]:
        """The response to a request, repeated after a wait while the server is busy. Raises ServiceError for any other
        status."""
        attempt = 0
        while True:
            response = yield ask
            assert response is not None
            if response.status_code in accepted:
                return response
            seconds = retry_after_s(response)
            wait = _FIRST_WAIT_S * 2**attempt if seconds is None else seconds
            if response.status_code not in BUSY or attempt >= self._retries or wait > self._longest_wait:
                raise refusal(response)
            attempt += 1
            yield Wait(wait)

    def _json(self, path: str, accepted: tuple[int, ...] = (200,)) -> Exchange[Any]:
        response = yield from self._asked(Ask(path), accepted)
        try:
            return json.loads(response.content)
        except ValueError as error:
            raise ServiceError(
                "SERVICE.ANSWER", f"The answer of {self.server} to {path} is not JSON: {error}."
            ) from error

    def _health(self) -> Exchange[dict[str, Any]]:
        found: dict[str, Any] = yield from self._json("/api/health", accepted=(200, 503))
        return found

    def _cases(self) -> Exchange[pd.DataFrame]:
        import pandas as pd

        rows = yield from self._json("/api/cases")
        # The catalogue form of `unavailable_reason`, for other languages.
        return pd.DataFrame(rows).drop(columns="unavailable_sentence", errors="ignore").set_index("id")

    def _sensitivity(
        self, case: Case | str, bus: ElementName | None, branch: ElementName | None, demand: Changes | None
    ) -> Exchange[Sensitivity]:
        kind, key = _target(case, bus, branch)
        yield from self._check_same(case)
        route = "d" if kind == "bus" else "fmax"
        query = _query({"d": _pairs("bus", case, demand)})
        path = f"/api/cases/{_id(case)}/sensitivity/lmp/{route}/{quote(str(key), safe='')}{query}"
        try:
            return Sensitivity.from_column((yield from self._json(path)))
        except ServiceError as error:
            raise (yield from self._explained(case, error)) from None

    def _solve(
        self,
        case: Case | str,
        demand: Changes | None,
        ratings: Changes | None,
        bus: ElementName | None,
        branch: ElementName | None,
        formulation: str | None,
    ) -> Exchange[httpx.Response]:
        query = {"d": _pairs("bus", case, demand), "rates": _pairs("branch", case, ratings)}
        if formulation is not None:
            query["formulation"] = one_of("formulation", formulation, _SERVED)
        if bus is not None or branch is not None:
            kind, key = _target(case, bus, branch)
            query["sens" if kind == "bus" else "sens_branch"] = str(key)
        yield from self._check_same(case)
        try:
            return (yield from self._asked(Ask(f"/api/cases/{_id(case)}/solve{_query(query)}", stream=True)))
        except ServiceError as error:
            raise (yield from self._explained(case, error)) from None

    def _check_same(self, case: Case | str) -> Exchange[None]:
        """Raises `CASE.DIFFERS` if the server has another case under the same id."""
        if isinstance(case, str):
            return
        ask = Ask(f"/api/cases/{_id(case)}/case", known=f'"{case.sha256}"')
        try:
            response = yield from self._asked(ask, accepted=(200, 304))
        except ServiceError as error:
            raise (yield from self._explained(case, error)) from None
        if response.status_code == 200:
            raise ServiceError(
                "CASE.DIFFERS",
                f"The server's case {case.id!r} has different contents. case.study() solves this case in the kernel.",
            )

    def _explained(self, case: Case | str, error: ServiceError) -> Exchange[ServiceError]:
        """`error`, with the list of served cases if the case is unknown."""
        if error.code != "CASE.UNKNOWN":
            return error
        try:
            rows = yield from self._json("/api/cases")
        except ServiceError:
            return error
        served = ", ".join(row["id"] for row in rows) or "none"
        name = case.id if isinstance(case, Case) else case
        return ServiceError(
            error.code,
            f"The server does not have the case {name!r}; it solves only: {served}. case.study() solves any case in the kernel.",
            details=error.details,
        )


def _id(case: Case | str) -> str:
    if not isinstance(case, (Case, str)):
        raise ArgumentError("ARGUMENT.CASE", f"case must be a Case or the id of a served case, not {formatted(case)}.")
    name = quote(case.id if isinstance(case, Case) else case, safe="")
    # A path segment of dots alone would name another path.
    return name if name.strip(".") else name.replace(".", "%2E")


def _target(case: Case | str, bus: ElementName | None, branch: ElementName | None) -> tuple[str, ElementName]:
    if bus is not None and branch is None:
        return "bus", case._bus_keys.target(bus) if isinstance(case, Case) else bus
    if branch is not None and bus is None:
        return "branch", case._branch_keys.target(branch) if isinstance(case, Case) else branch
    example = case._bus_keys.example if isinstance(case, Case) else 1
    raise EditError("TARGET.MALFORMED", f"Name one bus or one branch: bus={example}.")


def _pairs(kind: str, case: Case | str, changes: Changes | None) -> str:
    """`bus:mw,...` with all digits, so that both sides solve the same problem."""
    if changes is None:
        return ""
    if isinstance(case, Case):
        changes = (case._bus_keys if kind == "bus" else case._branch_keys).read(changes)
    elif not hasattr(changes, "items") or any(
        finite(mw) is None and not isinstance(mw, float) for _, mw in changes.items()
    ):
        raise EditError(
            "EDIT.MALFORMED",
            f"Changes must be a mapping of {kind} to MW, for instance {{1: 10.0}}, not {formatted(changes)}.",
        )
    return ",".join(f"{key}:{float(mw)!r}" for key, mw in changes.items())


def _query(fields: dict[str, str]) -> str:
    given = {name: text for name, text in fields.items() if text}
    return "?" + urlencode(given, safe=":,") if given else ""
