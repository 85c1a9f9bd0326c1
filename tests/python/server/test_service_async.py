"""Both clients of the companion server: retries, time-outs and errors against a scripted server, and the asynchronous
client against the real server."""

from __future__ import annotations

import asyncio
import email.utils
import json
import pickle
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any

import pytest
import wattbook as wb
from wattbook.service import client

#: Status, headers and body of an answer; None for silence.
Scripted = tuple[int, dict[str, str], object] | None
HEALTHY: Scripted = (200, {}, {"status": "ok"})
LIMITED = {"code": "RATE.LIMIT", "error": "Too many requests."}


class Script:
    """A server whose answers are `script`, in order; the last one repeats."""

    def __init__(self) -> None:
        self.script: list[Scripted] = [HEALTHY]
        self.paths: list[str] = []
        over = self.over = threading.Event()
        script = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                script.paths.append(self.path)
                answer = script.script.pop(0) if len(script.script) > 1 else script.script[0]
                if answer is None:
                    over.wait(60)
                    return
                status, headers, body = answer
                data = json.dumps(body).encode()
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(data))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def server() -> Iterator[Script]:
    script = Script()
    yield script
    script.close()


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that clients wait between requests, without the actual delay."""
    found: list[float] = []

    async def sleep(seconds: float) -> None:
        found.append(seconds)

    monkeypatch.setattr(client, "time", SimpleNamespace(sleep=found.append))
    monkeypatch.setattr(client, "asyncio", SimpleNamespace(sleep=sleep))
    return found


def _sync(url: str, **options: Any) -> Any:
    return wb.Service(url, **options).health()


def _async(url: str, **options: Any) -> Any:
    async def ask() -> Any:
        return await wb.AsyncService(url, **options).health()

    return asyncio.run(ask())


@pytest.fixture(params=[_sync, _async], ids=["sync", "async"])
def health(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """The health of a server by either client."""
    return request.param  # type: ignore[no-any-return]


def test_a_busy_server_is_called_again_after_its_delay(
    server: Script, waits: list[float], health: Callable[..., Any]
) -> None:
    server.script = [(429, {"Retry-After": "7"}, LIMITED), (429, {}, LIMITED), HEALTHY]
    assert health(server.url) == {"status": "ok"}
    assert waits == [7.0, 1.0] and len(server.paths) == 3


def test_a_date_of_another_attempt(server: Script, waits: list[float], health: Callable[..., Any]) -> None:
    past = email.utils.formatdate(time.time() - 3600, usegmt=True)
    later = email.utils.formatdate(time.time() + 3600, usegmt=True)
    server.script = [(429, {"Retry-After": past}, LIMITED), (429, {"Retry-After": later}, LIMITED), HEALTHY]
    with pytest.raises(wb.ServiceBusyError) as refused:
        health(server.url)
    assert waits == [0.0] and refused.value.retry_after is not None and 3000 < refused.value.retry_after <= 3600


def test_a_server_that_stays_busy(server: Script, waits: list[float], health: Callable[..., Any]) -> None:
    server.script = [(429, {"Retry-After": "2"}, LIMITED)]
    with pytest.raises(wb.ServiceBusyError) as refused:
        health(server.url, retries=2)
    assert waits == [2.0, 2.0] and len(server.paths) == 3
    assert (refused.value.code, refused.value.retry_after) == ("RATE.LIMIT", 2.0)
    assert refused.value.details["status"] == 429
    again = pickle.loads(pickle.dumps(refused.value))
    assert isinstance(again, wb.ServiceBusyError) and again.retry_after == 2.0
    with pytest.raises(wb.ServiceBusyError):
        health(server.url, longest_wait=1.0)
    assert len(waits) == 2, "no client waits longer than requested"


def test_other_refusals_are_final(server: Script, waits: list[float], health: Callable[..., Any]) -> None:
    server.script = [(403, {"Retry-After": "1"}, {"code": "COMPUTE.DISABLED", "error": "No."})]
    with pytest.raises(wb.ServiceError) as refused:
        health(server.url)
    assert refused.value.code == "COMPUTE.DISABLED" and not isinstance(refused.value, wb.ServiceBusyError)
    assert waits == [] and len(server.paths) == 1


def test_a_silent_and_a_missing_server_are_errors(server: Script, health: Callable[..., Any]) -> None:
    server.script = [None]
    with pytest.raises(wb.ServiceTimeoutError) as late:
        health(server.url, timeout=0.3)
    assert late.value.code == "SERVICE.TIMEOUT"
    with pytest.raises(wb.ServiceUnreachableError) as nobody:
        health("http://127.0.0.1:9")
    assert nobody.value.code == "SERVICE.UNREACHABLE"


def test_an_answer_that_is_not_json_is_an_error(server: Script, health: Callable[..., Any]) -> None:
    server.script = [(500, {}, "<html>")]
    with pytest.raises(wb.ServiceError) as refused:
        health(server.url)
    assert refused.value.code == "SERVICE.ANSWER" and "500" in refused.value.message


def test_the_asynchronous_client_solves(server_address: str) -> None:
    case = wb.open_case("case500_goc")
    bus = int(case.buses["demand_mw"].idxmax())

    async def solved() -> tuple[list[wb.Event], wb.Sensitivity, int]:
        service = wb.AsyncService(server_address)
        # The event loop is free while the server solves.
        stream, column, cases = await asyncio.gather(
            service.solve_stream(case, {bus: 5.5}, ratings={1: -1}, bus=bus),
            service.sensitivity(case, bus=bus, demand={bus: 2}),
            service.cases(),
        )
        async with stream:
            return [event async for event in stream], column, len(cases)

    events, column, count = asyncio.run(solved())
    assert [event.name for event in events if event.name != "status"] == ["solution", "sensitivity", "done"]
    study = case.study()
    native = study.commit({bus: 5.5}, {1: -1})
    solution = next(event.data for event in events if event.name == "solution")
    assert [row["usd_per_mwh"] for row in solution["lmp"]] == native.buses["lmp"].tolist()
    study.reset()
    study.commit({bus: 2})
    assert column.values.equals(study.sensitivity(bus=bus).values) and count > 0


def test_an_asynchronous_stream_can_be_closed_early(server_address: str) -> None:
    async def left() -> str:
        service = wb.AsyncService(server_address)
        async with await service.solve_stream("case500_goc") as stream:
            assert (await anext(stream)).name == "status"
        with pytest.raises(wb.ServiceError, match="does not have the case"):
            await service.solve_stream("nowhere")
        return str((await service.health())["status"])

    assert asyncio.run(left()) == "ok"
