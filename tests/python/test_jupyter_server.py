"""The extension in a real Jupyter server, with the real companion server behind it."""

from __future__ import annotations

import gzip
import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import wattbook as wb
from lab import Lab
from wattbook import catalogue

#: The operator's folder of this server: the two benchmark cases.
(BENCHMARKS,) = (folder for folder in catalogue._FALLBACKS if folder.is_dir())


@pytest.fixture(scope="module")
def lab(short_folder: Path) -> Iterator[Lab]:
    server = Lab(short_folder / "lab", env={"SERVICE_SOLVE_RATE_LIMIT_EVENTS": "0", "SERVICE_DATA": str(BENCHMARKS)})
    yield server
    server.stop()


def until(true: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if true():
            return True
        time.sleep(0.05)
    return true()


def companion_pid(folder: Path) -> int | None:
    """The process that has this folder's socket in its environment."""
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"SERVICE_SOCKET={folder}/".encode() in entry.read_bytes():
                return int(entry.parent.name)
        except OSError:
            continue
    return None


def test_health_and_cases(lab: Lab) -> None:
    health = lab.json("wattbook/api/health")
    assert health["status"] == "ok" and "case500_goc" in health["cases"]
    assert {row["id"] for row in lab.json("wattbook/api/cases")} == set(health["cases"])
    assert lab.json("wattbook/api/compute") == {"enabled": True}


def test_only_the_logged_in_user_is_served(lab: Lab) -> None:
    for token in (None, "wrong"):
        response, body = lab.get("wattbook/api/health", token=token)
        assert response.status == 403
        assert json.loads(body)["code"] == "SERVICE.FORBIDDEN"
    response, body = lab.get("wattbook/api/health?token=secret-of-the-test", token=None)
    assert response.status == 200


def test_errors_of_the_server_pass(lab: Lab) -> None:
    response, body = lab.get("wattbook/api/cases/nowhere/network")
    assert response.status == 404 and json.loads(body)["code"] == "CASE.UNKNOWN"
    response, body = lab.get("wattbook/api/nothing/here")
    assert response.status == 404 and json.loads(body)["code"] == "ROUTE.UNKNOWN"
    response, body = lab.get("wattbook/api/cases/case500_goc/solve?d=1")
    assert response.status == 400 and json.loads(body)["code"] == "DELTA.MALFORMED"


@pytest.mark.parametrize("path", ["..", "%2e%2e", "cases/../health", "cases/%2E./health"])
def test_paths_do_not_climb(lab: Lab, path: str) -> None:
    response, body = lab.get(f"wattbook/api/{path}")
    assert response.status == 404 and json.loads(body)["code"] == "ROUTE.UNKNOWN"


def test_validators_and_compression_pass(lab: Lab) -> None:
    path = "wattbook/api/cases/case500_goc/case"
    response, plain = lab.get(path)
    etag = response.headers["ETag"]
    assert response.status == 200 and json.loads(plain)["schema"] == "pio-ir"
    assert etag.strip('"').startswith(wb.open_case("case500_goc").sha256)
    response, packed = lab.get(path, Accept_Encoding="gzip")
    assert response.headers["Content-Encoding"] == "gzip" and gzip.decompress(packed) == plain
    response, nothing = lab.get(path, If_None_Match=etag)
    assert (response.status, nothing) == (304, b"")


def test_head_has_no_body(lab: Lab) -> None:
    response, body = lab.get("wattbook/api/health", method="HEAD")
    assert response.status == 200 and body == b""
    assert response.headers["Content-Type"].startswith("application/json")


def test_other_methods_are_refused(lab: Lab) -> None:
    for method in ("POST", "PUT", "DELETE"):
        response, body = lab.get("wattbook/api/health", method=method)
        assert response.status == 405, body
        assert response.headers["Allow"] == "GET, HEAD" and json.loads(body)["code"] == "METHOD.NOT_ALLOWED"


def test_the_solve_stream_through_the_proxy(lab: Lab) -> None:
    case = wb.open_case("case500_goc")
    bus = int(case.buses["demand_mw"].idxmax())
    with wb.Service(lab.url, token="secret-of-the-test").solve_stream(case, {bus: 5}, bus=bus) as stream:
        events = list(stream)
    names = [event.name for event in events]
    assert names[0] == "status" and names[-3:] == ["solution", "sensitivity", "done"]
    assert [event.id for event in events] == list(range(1, len(events) + 1))
    assert events[-1].data == {"ok": True}
    study = case.study()
    assert events[-3].data["objective"] == study.commit({bus: 5}).objective
    assert events[-3].data["result_sha256"] == study.solution.sha256


def test_kernels_find_the_server(lab: Lab) -> None:
    code = (
        "import os, wattbook as wb\n"
        "print(wb.Service().health()['status'], os.environ['SERVICE_URL'], os.environ.get('SERVICE_SOCKET'))"
    )
    status, address, socket = lab.run_in_kernel(code).split()
    assert (status, socket) == ("ok", "None")
    assert address == f"unix:{lab.folders()[0]}/server.sock"


def test_a_server_that_is_killed_comes_back(lab: Lab) -> None:
    folder = lab.folders()[0]
    first = companion_pid(folder)
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert until(lambda: companion_pid(folder) not in (None, first), 10)
    assert lab.json("wattbook/api/health")["status"] == "ok"


def test_compute_can_be_switched_off(short_folder: Path) -> None:
    lab = Lab(short_folder / "off", arguments=("--Wattbook.server_compute=False",))
    try:
        assert lab.json("wattbook/api/compute") == {"enabled": False}
        with pytest.raises(wb.ServiceError) as caught:
            wb.Service(lab.url, token="secret-of-the-test").solve_stream("case500_goc")
        assert caught.value.code == "COMPUTE.DISABLED" and caught.value.details["status"] == 403
    finally:
        lab.stop()


def test_the_server_ends_with_jupyter(short_folder: Path) -> None:
    lab = Lab(short_folder / "end")
    assert lab.json("wattbook/api/health")["status"] == "ok"
    (folder,) = lab.folders()
    pid = companion_pid(folder)
    assert pid is not None
    lab.stop(signal.SIGTERM)
    assert companion_pid(folder) is None
    assert lab.folders() == []


def test_the_server_ends_when_jupyter_is_killed_and_the_next_one_clears_up(short_folder: Path) -> None:
    lab = Lab(short_folder / "kill")
    assert lab.json("wattbook/api/health")["status"] == "ok"
    (left,) = lab.folders()
    lab.stop(signal.SIGKILL)
    assert until(lambda: companion_pid(left) is None, 5)
    assert lab.folders() == [left]
    following = Lab(short_folder / "kill")
    try:
        assert left not in following.folders() and len(following.folders()) == 1
    finally:
        following.stop()


def test_without_node_the_page_is_told_what_to_do(short_folder: Path) -> None:
    lab = Lab(short_folder / "none", env={"WATTBOOK_NODE": "/no/such/node"})
    try:
        response, body = lab.get("wattbook/api/health")
        error = json.loads(body)
        assert response.status == 503 and error["code"] == "SERVICE.UNAVAILABLE"
        assert "/no/such/node" in error["error"] and response.headers["Retry-After"]
        assert lab.folders() == []
        assert "wattbook: WATTBOOK_NODE names /no/such/node" in lab.log.read_text()
    finally:
        lab.stop()
