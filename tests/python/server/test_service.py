"""The client of the companion server, against the real server."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import wattbook as wb
from wattbook.service.client import EventReader


@pytest.fixture
def service(server_address: str) -> wb.Service:
    return wb.Service(server_address)


@pytest.fixture
def goc() -> wb.Case:
    return wb.open_case("case500_goc")


def test_health_and_cases(service: wb.Service) -> None:
    assert service.health()["status"] == "ok"
    cases = service.cases()
    assert cases.loc["case500_goc", "n_bus"] == 500


@pytest.mark.parametrize("formulation", ["dcopf", "acpf", "socwr"])
def test_the_stream_solves_the_requested_formulation(service: wb.Service, goc: wb.Case, formulation: str) -> None:
    events = list(service.solve_stream(goc, formulation=formulation))
    try:
        native = goc.study(formulation).solution
    except wb.SolveError as error:
        # This grid has no power flow at the dispatch of its file.
        assert (formulation, events[-1].data["code"]) == ("acpf", error.code)
    else:
        solution = next(event.data for event in events if event.name == "solution")
        assert (solution["formulation"], solution.get("objective")) == (formulation, native.objective)
    with pytest.raises(wb.ArgumentError, match="formulation must be one of 'dcopf'"):
        service.solve_stream(goc, formulation="dc")


def test_the_address_comes_from_the_environment(server_address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERVICE_URL", server_address)
    assert wb.Service().health()["status"] == "ok"


def test_without_jupyter_a_process_starts_its_own_server(tmp_path: Path) -> None:
    """Started with the first client, shared by all, closed to others, ended with the process however that ends."""
    code = (
        "import os, pathlib, wattbook as wb\n"
        "from wattbook.service import transport\n"
        "one, two = wb.Service(), wb.Service()\n"
        "assert one.server == two.server\n"
        "folder = pathlib.Path(one.server.removeprefix('unix:')).parent\n"
        "events = list(one.solve_stream('carolina', {241: 5}))\n"
        "assert transport._started is not None\n"
        "print(folder, oct(folder.stat().st_mode & 0o777), events[-1].name, events[-1].data['ok'], transport._started._process.pid, flush=True)\n"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SERVICE_")}
    environment |= {"XDG_DATA_HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    for end in ("", "os._exit(3)"):
        done = subprocess.run(
            [sys.executable, "-c", code + end], env=environment, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == (3 if end else 0), done.stderr
        folder, mode, last, ok, pid = done.stdout.split()
        assert (mode, last, ok) == ("0o700", "done", "True")
        deadline = time.monotonic() + 30
        while _runs(int(pid)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not _runs(int(pid))
        assert end or not Path(folder).exists()


def _runs(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_server_that_does_not_start_is_reported_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SERVICE_URL", raising=False)
    monkeypatch.setenv("WATTBOOK_NODE", "/no/such/node")
    with pytest.raises(wb.ServiceUnreachableError, match="WATTBOOK_NODE is /no/such/node"):
        wb.Service()


@pytest.mark.parametrize("address", ["unix:/no/such/socket", "http://127.0.0.1:9"])
def test_a_missing_server_is_an_error(address: str) -> None:
    with pytest.raises(wb.ServiceError) as caught:
        wb.Service(address).health()
    assert caught.value.code == "SERVICE.UNREACHABLE" and "wattbook serve" in str(caught.value)


@pytest.mark.parametrize("address", ["ftp://x", "unix:", "localhost"])
def test_not_an_address(address: str) -> None:
    with pytest.raises(wb.ServiceError) as caught:
        wb.Service(address)
    assert caught.value.code == "SERVICE.ADDRESS"


def test_the_stream_ends_with_done_and_has_the_kernels_result(service: wb.Service, goc: wb.Case) -> None:
    bus = int(goc.buses["demand_mw"].idxmax())
    events = list(service.solve_stream(goc, {bus: 5.5}, ratings={1: -1}, bus=bus))
    assert [event.name for event in events if event.name != "status"] == ["solution", "sensitivity", "done"]
    solution, sensitivity = (next(e.data for e in events if e.name == name) for name in ("solution", "sensitivity"))
    study = goc.study()
    native = study.commit({bus: 5.5}, {1: -1})
    assert solution["objective"] == native.objective
    assert [row["usd_per_mwh"] for row in solution["lmp"]] == native.buses["lmp"].tolist()
    column = study.sensitivity(bus=bus)
    assert [row["value"] for row in sensitivity["values"]] == column.values.tolist()


def test_a_failed_solve_is_reported_in_the_stream(service: wb.Service, goc: wb.Case) -> None:
    bus = int(goc.buses["demand_mw"].idxmax())
    *_, failed, done = service.solve_stream(goc, {bus: 1e5})
    assert (failed.name, failed.data["phase"], failed.data["code"]) == ("status", "failed", "SOLVE.INFEASIBLE")
    assert (done.name, done.data["ok"], done.data["code"]) == ("done", False, "SOLVE.INFEASIBLE")


def test_a_stream_can_be_closed_early(service: wb.Service, goc: wb.Case) -> None:
    with service.solve_stream(goc) as stream:
        assert next(stream).name == "status"
    assert service.health()["status"] == "ok"


@pytest.mark.parametrize(
    ("case", "demand", "status", "code"),
    [
        ("nowhere", None, 404, "CASE.UNKNOWN"),
        ("case500_goc", {"99999": 1}, 400, "DELTA.UNKNOWN_BUS"),
        ("case500_goc", {1: float("nan")}, 400, "DELTA.MALFORMED"),
    ],
)
def test_refusals(service: wb.Service, case: str, demand: dict[str, float] | None, status: int, code: str) -> None:
    with pytest.raises(wb.ServiceError) as caught:
        service.solve_stream(case, demand)
    assert (caught.value.code, caught.value.details["status"]) == (code, status)


def test_a_column_over_http_is_the_kernels(service: wb.Service, goc: wb.Case) -> None:
    bus = int(goc.buses["demand_mw"].idxmax())
    over_http = service.sensitivity(goc, bus=bus, demand={bus: 2})
    study = goc.study()
    study.commit({bus: 2})
    native = study.sensitivity(bus=bus)
    assert over_http.values.equals(native.values)
    assert (over_http.kind, over_http.valid_mw, over_http.ends) == (native.kind, native.valid_mw, native.ends)
    with pytest.raises(wb.EditError):
        service.sensitivity(goc)


def test_events_are_read_as_the_standard_says() -> None:
    stream = (
        b': a comment\n\nevent: status\ndata: {"phase":\ndata: "queued"}\nid: 1\n\n'
        b'event: nothing\n\nid:2\r\nevent:done\r\ndata:{"ok":true}\r\n\r\nevent: cut\ndata: {}\n'
    )
    for size in (1, 7, len(stream)):
        reader = EventReader()
        pieces = [stream[at : at + size] for at in range(0, len(stream), size)]
        events = [event for piece in pieces for event in reader.feed(piece)]
        assert [(event.name, event.data, event.id) for event in events] == [
            ("status", {"phase": "queued"}, 1),
            ("done", {"ok": True}, 2),
        ]


def test_a_case_that_the_server_does_not_serve(service: wb.Service, case: wb.Case) -> None:
    for ask in (lambda: service.solve_stream(case), lambda: service.sensitivity(case, bus=2)):
        with pytest.raises(wb.ServiceError) as caught:
            ask()
        assert caught.value.code == "CASE.UNKNOWN" and caught.value.details["status"] == 404
        assert "does not have the case" in str(caught.value) and "case500_goc" in str(caught.value)


def test_a_case_of_a_served_name_with_other_content_is_not_solved(
    service: wb.Service, case: wb.Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(case, "id", "case500_goc")
    for ask in (lambda: service.solve_stream(case), lambda: service.sensitivity(case, bus=2)):
        with pytest.raises(wb.ServiceError) as caught:
            ask()
        assert caught.value.code == "CASE.DIFFERS"


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (
            lambda service, goc: service.sensitivity(5, bus=1),
            "case must be a Case or the id of a served case, not 5.",
        ),
        (
            lambda service, goc: service.sensitivity(goc, bus=9999),
            "There is no bus 9999 in this case: its numbers go from",
        ),
        (lambda service, goc: service.solve_stream(goc, {9999: 1}), "There is no bus 9999 in this case"),
        (
            lambda service, goc: service.solve_stream(goc.id, 5),
            "Changes must be a mapping of bus to MW, for instance {1: 10.0}",
        ),
        (lambda service, goc: service.solve_stream(goc.id, {1: "5MW"}), "not {1: '5MW'}."),
    ],
)
def test_wrong_arguments_do_not_reach_the_server(ask: Any, says: str, service: wb.Service, goc: wb.Case) -> None:
    with pytest.raises(wb.WattbookError) as caught:
        ask(service, goc)
    assert says in caught.value.message and not isinstance(caught.value, wb.ServiceError)
