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
from wattbook.case import catalogue

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
    """The process with this folder's socket in its environment."""
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
    for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "TRACE"):
        for path in ("wattbook/api/health", "wattbook/api/cases/case500_goc/solve", "wattbook/api/none"):
            response, body = lab.get(path, method=method)
            assert response.status == 405, (method, body)
            assert response.headers["Allow"] == "GET, HEAD"
            assert response.headers["Content-Type"] == "application/json; charset=utf-8"
            assert json.loads(body)["code"] == "METHOD.NOT_ALLOWED"
            assert "Access-Control-Allow-Methods" not in response.headers


@pytest.mark.parametrize("path", ["/health", "health%00", "health//", "/", "%00"])
def test_similar_addresses_are_not_found(lab: Lab, path: str) -> None:
    response, body = lab.get(f"wattbook/api/{path}")
    assert (response.status, json.loads(body)["code"]) == (404, "ROUTE.UNKNOWN")


def test_the_solve_stream_through_the_proxy(lab: Lab) -> None:
    case = wb.open_case("case500_goc")
    bus = int(case.buses["demand_mw"].idxmax())
    with wb.Service(lab.url, token="secret-of-the-test").solve_stream(case, {bus: 5}, bus=bus) as stream:
        events = list(stream)
    names = [event.name for event in events]
    assert names[0] == "status" and names[-3:] == ["solution", "sensitivity", "done"]
    assert [event.id for event in events] == [*range(1, len(events)), None]
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


def test_a_killed_server_is_restarted(lab: Lab) -> None:
    folder = lab.folders()[0]
    first = companion_pid(folder)
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert until(lambda: companion_pid(folder) not in (None, first), 10)
    assert lab.json("wattbook/api/health")["status"] == "ok"


#: In a kernel: statuses of several sensitivity requests on the socket, with headers invented by the kernel.
ASK = """
import os, httpx
def ask(count):
    socket = httpx.HTTPTransport(uds=os.environ["SERVICE_URL"].removeprefix("unix:"))
    client = httpx.Client(transport=socket, base_url="http://localhost", timeout=30)
    for k in range(count):
        names = ["jupyter", f"somebody-{k}"]
        headers = {"x-service-client": names[k % 2], "x-service-secret": "a" * 64, "x-forwarded-for": f"10.0.0.{k}"}
        yield client.get("/api/cases/case500_goc/sensitivity/lmp/d/1", headers=headers).status_code
"""


def test_by_no_header_does_anybody_get_more_or_take_from_others(short_folder: Path) -> None:
    """Four requests in ten minutes for the logged-in user, four for the kernels; each page and script is the same user."""
    env = {
        "SERVICE_DATA": str(BENCHMARKS),
        "SERVICE_SENSITIVITY_RATE_LIMIT_EVENTS": "4",
        "SERVICE_RATE_LIMIT_WINDOW_SECS": "600",
    }
    lab = Lab(short_folder / "limits", env=env, arguments=("--ServerApp.log_level=DEBUG",))
    try:
        assert lab.json("wattbook/api/health")["status"] == "ok"
        printed = lab.run_in_kernel(f"{ASK}\nprint(*ask(10))")
        assert printed.split() == ["200"] * 4 + ["429"] * 6
        path = "wattbook/api/cases/case500_goc/sensitivity/lmp/d/1"
        invented = [
            {"X_Forwarded_For": f"10.0.0.{k}", "X_Service_Client": f"b{k}", "X_Real_IP": f"10.0.0.{k}"}
            for k in range(7)
        ]
        # Without a cookie Jupyter invents another user name for each request.
        statuses = [lab.get(path, **headers)[0].status for headers in invented]
        assert statuses == [200] * 4 + [429] * 3
        # The secret has 64 hexadecimal digits; the kernel prints every such string that it can reach.
        code = (
            "import os, re, pathlib\n"
            "texts = [*os.environ.values()]\n"
            "for process in pathlib.Path('/proc').glob('[0-9]*'):\n"
            "    for name in ('environ', 'cmdline'):\n"
            "        try: texts.append((process / name).read_bytes().decode('latin-1'))\n"
            "        except OSError: pass\n"
            "print(len(texts), any('SERVICE_SOCKET=' in text and 'limits' in text for text in texts))\n"
            "print(*(name for text in texts for name in re.findall('SERVICE_[A-Z]*SECRET[A-Z_]*=(?!1.)[^\\0]*', text)))"
        )
        count, found, *secrets = lab.run_in_kernel(code).split()
        assert int(count) > 10 and found == "True", "the companion's environment was looked at"
        assert secrets == []
    finally:
        lab.stop()
    assert "x-service-secret" not in lab.log.read_text().lower()


def test_a_home_that_cannot_be_written(short_folder: Path) -> None:
    """The bundled grids are then unpacked beside the socket; Jupyter's own folders are set by its variables."""
    folder = short_folder / "homeless"
    folder.mkdir()
    (folder / "file").touch()
    env = {"HOME": str(folder / "file"), "XDG_DATA_HOME": "", "JUPYTER_DATA_DIR": str(folder / "data")}
    lab = Lab(folder, env=env)
    try:
        health = lab.json("wattbook/api/health")
        assert health["cases"] == ["california", "carolina", "illinois", "texas"]
    finally:
        lab.stop()


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


def test_without_node_the_page_receives_the_remedy(short_folder: Path) -> None:
    lab = Lab(short_folder / "none", env={"WATTBOOK_NODE": "/no/such/node"})
    try:
        response, body = lab.get("wattbook/api/health")
        error = json.loads(body)
        assert response.status == 503 and error["code"] == "SERVICE.UNAVAILABLE"
        assert "/no/such/node" in error["error"] and response.headers["Retry-After"]
        assert lab.folders() == []
        assert "wattbook: WATTBOOK_NODE is /no/such/node" in lab.log.read_text()
    finally:
        lab.stop()
