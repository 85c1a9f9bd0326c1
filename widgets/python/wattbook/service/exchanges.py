"""Requests of the clients to the companion server and the parsing of its answers, without I/O: each exchange is a
generator of requests and waits that receives the responses. `Service` and `AsyncService` differ only in how they send
and wait."""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar
from urllib.parse import quote, urlencode

import httpx

from ..arguments import finite, formatted, number, one_of, whole
from ..errors import ArgumentError, EditError, ServiceError
from ..network.elements import Changes, ElementName
from ..results.sensitivity import Sensitivity
from ..study.study import Case
from .transport import BUSY, Address, own_address, refusal, retry_after_s

if TYPE_CHECKING:
    import pandas as pd

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
