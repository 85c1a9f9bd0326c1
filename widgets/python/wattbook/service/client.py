"""`Service`: the companion server from Python."""

from __future__ import annotations

import http.client
import json
import os
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from ..arguments import finite, number, told
from ..case.case import Case
from ..edits.edits import Changes, ElementName
from ..errors import ArgumentError, EditError, ServiceError
from ..results.sensitivity import Sensitivity
from .events import Event, read_events
from .transport import Transport, refusal

if TYPE_CHECKING:
    import pandas as pd

ADDRESS_VARIABLE = "SERVICE_URL"


class Service:
    """Client of the companion server.

    `server` is its address (`unix:/path`, `http://host:port`, or `https://host/user/me/wattbook` through a Jupyter server,
    then with that server's `token`). The default is the environment variable SERVICE_URL, which Jupyter sets for its
    kernels. `timeout` is the longest silence in seconds before a request fails; the solve stream has heartbeats.
    Every failure is a ServiceError with the server's code; `details["status"]` is the HTTP status.
    """

    def __init__(self, server: str | None = None, *, token: str | None = None, timeout: float = 60.0) -> None:
        if server is not None and not isinstance(server, str):
            raise ServiceError("SERVICE.ADDRESS", f"server must be an address as text, not {told(server)}.")
        silence = number("timeout", timeout, "seconds")
        address = server or os.environ.get(ADDRESS_VARIABLE)
        if not address:
            raise ServiceError(
                "SERVICE.NOT_CONFIGURED",
                f"No server address: {ADDRESS_VARIABLE} is not set. JupyterLab sets it for kernels on the same machine; "
                'elsewhere pass the address: wb.Service("http://127.0.0.1:8000").',
            )
        self._transport = Transport(address, token=token, timeout=silence)

    @property
    def server(self) -> str:
        """The address in use."""
        return self._transport.address

    def health(self) -> dict[str, Any]:
        """Liveness, versions and the served cases; a degraded server (HTTP 503) is reported in `status`, not as an error."""
        return self._json("/api/health", accepted=(200, 503))

    def cases(self) -> pd.DataFrame:
        """The served cases: index `id`; columns as in the case summaries (`name`, `n_bus`, `n_branch`, ...)."""
        import pandas as pd

        rows = self._json("/api/cases")
        # The sentence is what `unavailable_reason` says, for other languages.
        return pd.DataFrame(rows).drop(columns="unavailable_sentence", errors="ignore").set_index("id")

    def sensitivity(
        self,
        case: Case | str,
        *,
        bus: ElementName | None = None,
        branch: ElementName | None = None,
        demand: Changes | None = None,
    ) -> Sensitivity:
        """Derivatives of all LMPs of `case` (or the case with that id) as in `Study.sensitivity`, computed by the server.

        `demand` are changes in MW, the target is one `bus` or `branch`.

        Raises ServiceError, for instance `COMPUTE.DISABLED` if the server does not compute.
        """
        kind, key = _target(case, bus, branch)
        self._check_same(case)
        route = "d" if kind == "bus" else "fmax"
        query = _query({"d": _pairs("bus", case, demand)})
        try:
            column = self._json(f"/api/cases/{_id(case)}/sensitivity/lmp/{route}/{quote(str(key), safe='')}{query}")
        except ServiceError as error:
            raise self._explained(case, error) from None
        return Sensitivity.from_column(column)

    def solve_stream(
        self,
        case: Case | str,
        demand: Changes | None = None,
        *,
        ratings: Changes | None = None,
        bus: ElementName | None = None,
        branch: ElementName | None = None,
    ) -> SolveStream:
        """Solves `case` (or the case with that id) on the server with the edits `demand` and `ratings`, in MW, and yields events as they arrive.

        The server solves only the cases in `cases()`; use `Study` for any other case.
        The last event is `done`, also for a failed solve (`data["ok"]` is False, with `error` and `code`).
        `bus` or `branch` requests its sensitivities as well. Closing the stream early cancels the solve.
        Raises ServiceError if the server refuses the request.
        """
        query = {"d": _pairs("bus", case, demand), "rates": _pairs("branch", case, ratings)}
        if bus is not None or branch is not None:
            kind, key = _target(case, bus, branch)
            query["sens" if kind == "bus" else "sens_branch"] = str(key)
        self._check_same(case)
        connection, response = self._transport.open(
            f"/api/cases/{_id(case)}/solve{_query(query)}", accept="text/event-stream"
        )
        if response.status != 200:
            with closing(connection), closing(response):
                raise self._explained(case, refusal(response))
        return SolveStream(connection, response)

    def _json(self, path: str, accepted: tuple[int, ...] = (200,)) -> Any:
        connection, response = self._transport.open(path, accept="application/json")
        with closing(connection), closing(response):
            if response.status not in accepted:
                raise refusal(response)
            try:
                return json.loads(response.read())
            except (ValueError, http.client.HTTPException, OSError) as error:
                raise ServiceError(
                    "SERVICE.ANSWER", f"The answer of {self.server} to {path} is not JSON: {error}."
                ) from error

    def _check_same(self, case: Case | str) -> None:
        """Raises `CASE.DIFFERS` if the server has another case under the same id."""
        if isinstance(case, str):
            return
        path = f"/api/cases/{_id(case)}/case"
        connection, response = self._transport.open(path, accept="application/json", known=f'"{case.sha256}"')
        with closing(connection), closing(response):
            if response.status == 200:
                raise ServiceError(
                    "CASE.DIFFERS",
                    f"The server's case {case.id!r} has different contents. case.study() solves this case in the kernel.",
                )
            if response.status != 304:
                raise self._explained(case, refusal(response))

    def _explained(self, case: Case | str, error: ServiceError) -> ServiceError:
        """`error`, extended by the served cases if this one is unknown."""
        if error.code != "CASE.UNKNOWN":
            return error
        try:
            served = ", ".join(row["id"] for row in self._json("/api/cases")) or "none"
        except ServiceError:
            return error
        name = case.id if isinstance(case, Case) else case
        return ServiceError(
            error.code,
            f"The server does not have the case {name!r}; it solves only: {served}. case.study() solves any case in the kernel.",
            details=error.details,
        )

    def __repr__(self) -> str:
        return f"<Service {self.server}>"


class SolveStream:
    """Iterator of the events of one solve; `close()` (or leaving a `with` block) cancels a running solve."""

    def __init__(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        self._connection = connection
        self._response = response
        self._events = self._read()

    def _read(self) -> Iterator[Event]:
        try:
            for event in read_events(self._response):
                yield event
                if event.name == "done":
                    return
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise ServiceError("SERVICE.INTERRUPTED", f"The solve stream was interrupted: {error}.") from error
        finally:
            self.close()
        raise ServiceError("SERVICE.INTERRUPTED", "The solve stream ended without the event `done`.")

    def __iter__(self) -> SolveStream:
        return self

    def __next__(self) -> Event:
        return next(self._events)

    def close(self) -> None:
        """Ends the request; the server stops the solve."""
        self._response.close()
        self._connection.close()

    def __enter__(self) -> SolveStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _id(case: Case | str) -> str:
    if not isinstance(case, (Case, str)):
        raise ArgumentError("ARGUMENT.CASE", f"case must be a Case or the id of a served case, not {told(case)}.")
    return quote(case.id if isinstance(case, Case) else case, safe="")


def _target(case: Case | str, bus: ElementName | None, branch: ElementName | None) -> tuple[str, ElementName]:
    if bus is not None and branch is None:
        return "bus", case._bus_keys.target(bus) if isinstance(case, Case) else bus
    if branch is not None and bus is None:
        return "branch", case._branch_keys.target(branch) if isinstance(case, Case) else branch
    example = case._bus_keys.example if isinstance(case, Case) else 1
    raise EditError("TARGET.MALFORMED", f"Name one bus or one branch: bus={example}.")


def _pairs(kind: str, case: Case | str, changes: Changes | None) -> str:
    """`bus:mw,...`; with all digits, so that both sides solve the same problem."""
    if not changes:
        return ""
    if isinstance(case, Case):
        changes = (case._bus_keys if kind == "bus" else case._branch_keys).read(changes)
    elif not hasattr(changes, "items") or any(
        finite(mw) is None and not isinstance(mw, float) for mw in changes.values()
    ):
        raise EditError(
            "EDIT.MALFORMED",
            f"Changes must be a mapping of {kind} to MW, for instance {{1: 10.0}}, not {told(changes)}.",
        )
    return ",".join(f"{key}:{float(mw)!r}" for key, mw in changes.items())


def _query(fields: dict[str, str]) -> str:
    given = {name: text for name, text in fields.items() if text}
    return "?" + urlencode(given, safe=":,") if given else ""
