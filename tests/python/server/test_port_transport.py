"""The companion on a loopback port, like on Windows: the same service, and no answer without the secret."""

from __future__ import annotations

import asyncio
import hashlib
import http.client
import json
import re
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
import wattbook as wb
from lab import TOKEN, Lab
from wattbook.case import catalogue
from wattbook.server_extension.listening import kernel_key

(BENCHMARKS,) = (folder for folder in catalogue._FALLBACKS if folder.is_dir())
PATHS = (
    "/",
    "/api/health",
    "/api/cases",
    "/api/cases/case500_goc/solve",
    "/api/openapi.json",
    "/nothing",
    "/api/cases/%ff/case",
)


@pytest.fixture(scope="module")
def lab(short_folder: Path) -> Iterator[Lab]:
    """With an operator's variables that would open it to everybody."""
    server = Lab(
        short_folder / "port",
        env={
            "SERVICE_SOLVE_RATE_LIMIT_EVENTS": "0",
            "SERVICE_DATA": str(BENCHMARKS),
            "SERVICE_HOST": "0.0.0.0",
            "SERVICE_LOG_LEVEL": "debug",
        },
        arguments=("--Wattbook.server_transport=port", "--ServerApp.log_level=DEBUG"),
    )
    assert server.json("wattbook/api/health")["status"] == "ok"
    yield server
    server.stop()


def place(lab: Lab) -> Path:
    return lab.folders()[0] / "server.json"


def known(lab: Lab) -> tuple[str, str]:
    """Address and key, as found by kernels."""
    found = json.loads(place(lab).read_text())
    return found["url"], found["key"]


def ask(address: str, path: str, method: str = "GET", **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
    connection.request(method, path, headers={name.replace("_", "-"): text for name, text in headers.items()})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response.status, body


def companion(lab: Lab) -> psutil.Process:
    (found,) = (p for p in psutil.Process(lab.process.pid).children(recursive=True) if "serve" in p.cmdline())
    return found


def test_the_proxy_streams_a_solve(lab: Lab) -> None:
    with wb.Service(lab.url, token=TOKEN).solve_stream("case500_goc", {2: 1}) as stream:
        events = list(stream)
    assert events[-1].name == "done" and events[-1].data == {"ok": True}
    # PGLib's own baseline for the DC OPF, and one MW at a price between 28 and 54 $/MWh.
    assert events[-2].data["objective"] == pytest.approx(4.4055e5, rel=1e-3)


def test_it_listens_on_the_loopback_alone(lab: Lab) -> None:
    listening = [one.laddr for one in companion(lab).net_connections("tcp") if one.status == psutil.CONN_LISTEN]
    assert [one.ip for one in listening] == ["127.0.0.1"]
    assert known(lab)[0] == f"http://127.0.0.1:{listening[0].port}"
    assert not companion(lab).net_connections("unix") or not list(lab.folders()[0].glob("*.sock"))


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "OPTIONS"])
def test_without_the_secret_every_request_is_refused(lab: Lab, path: str, method: str) -> None:
    address, key = known(lab)
    wrong: list[dict[str, str]] = [
        {},
        {"x_service_secret": ""},
        {"x_service_secret": "0" * 64},
        {"x_service_secret": key.upper()},
        {"x_service_secret": f"{key}, {key}"},
        {"x_service_secret": kernel_key(key)},
        {"Authorization": f"token {TOKEN}"},
        {"x_service_client": "jupyter", "x_forwarded_for": "127.0.0.1"},
    ]
    for headers in wrong:
        status, body = ask(address, path, method, **headers)
        assert status == 403, headers
        if method != "HEAD":
            assert json.loads(body)["code"] == "SERVICE.FORBIDDEN"


def test_another_name_for_the_loopback_is_refused_even_with_the_key(lab: Lab) -> None:
    address, key = known(lab)
    status, body = ask(address, "/api/health", x_service_secret=key, Host="evil.example")
    assert (status, json.loads(body)["code"]) == (421, "HOST.UNKNOWN")


def test_kernels_find_address_and_key_in_a_file_of_their_users(lab: Lab) -> None:
    code = "import os, wattbook as wb\nprint(wb.Service().health()['status'], os.environ['SERVICE_URL'])"
    assert lab.run_in_kernel(code).split() == ["ok", f"file:{place(lab)}"]
    twin = "import asyncio, wattbook as wb\nprint((await wb.AsyncService().health())['status'])"
    assert lab.run_in_kernel(twin).strip() == "ok"
    assert stat.S_IMODE(place(lab).stat().st_mode) == 0o600
    assert stat.S_IMODE(place(lab).parent.stat().st_mode) == 0o700


def test_the_secret_is_nowhere_and_the_key_in_its_file_alone(lab: Lab) -> None:
    """The key is not among all reachable strings of 64 hexadecimal digits, nor derived from one of them."""
    address, key = known(lab)
    _, health = ask(address, "/api/health", x_service_secret=key)
    process = companion(lab)
    kernel = lab.run_in_kernel("import os\nprint(*os.environ.values())")
    texts = [
        *process.environ().values(),
        *process.cmdline(),
        *psutil.Process(lab.process.pid).environ().values(),
        kernel,
        lab.log.read_text(),
        health.decode(),
    ]
    found = {digits for text in texts for digits in re.findall(r"\b[0-9a-f]{64}\b", text)}
    assert key not in found
    assert key not in {kernel_key(digits) for digits in found}
    assert key not in {hashlib.sha256(digits.encode()).hexdigest() for digits in found}
    assert "companion server is ready" in lab.log.read_text() and "x-service-secret" not in lab.log.read_text().lower()


def test_kernels_are_one_client_beside_the_user(short_folder: Path) -> None:
    """Four requests in ten minutes for the logged-in user, four for the kernels, whatever identity they claim."""
    lab = Lab(
        short_folder / "port-limits",
        env={
            "SERVICE_DATA": str(BENCHMARKS),
            "SERVICE_SENSITIVITY_RATE_LIMIT_EVENTS": "4",
            "SERVICE_RATE_LIMIT_WINDOW_SECS": "600",
        },
        arguments=("--Wattbook.server_transport=port",),
    )
    try:
        assert lab.json("wattbook/api/health")["status"] == "ok"
        address, key = known(lab)
        path = "/api/cases/case500_goc/sensitivity/lmp/d/1"
        names = ["jupyter", "ada", "grace"]
        statuses = [
            ask(address, path, x_service_secret=key, x_service_client=names[k % 3], x_forwarded_for=f"10.0.0.{k}")[0]
            for k in range(8)
        ]
        assert statuses == [200] * 4 + [429] * 4
        assert [lab.get(f"wattbook{path}")[0].status for _ in range(6)] == [200] * 4 + [429] * 2
    finally:
        lab.stop()


def test_a_client_follows_a_server_that_came_back_elsewhere(lab: Lab) -> None:
    service = wb.Service(f"file:{place(lab)}")
    twin = wb.AsyncService(f"file:{place(lab)}")
    assert service.health()["status"] == "ok"
    address, key = known(lab)
    companion(lab).kill()
    deadline = time.monotonic() + 15
    while True:
        try:
            if known(lab) != (address, key):
                break
        except (FileNotFoundError, IndexError):
            pass
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert known(lab)[1] != key, "another secret at each start"
    assert service.health()["status"] == "ok"
    assert asyncio.run(twin.health())["status"] == "ok"
    assert ask(known(lab)[0], "/api/health", x_service_secret=key)[0] == 403, "the old key opens nothing"


def test_nothing_stays_when_jupyter_ends(short_folder: Path) -> None:
    lab = Lab(short_folder / "port-end", arguments=("--Wattbook.server_transport=port",))
    assert lab.json("wattbook/api/health")["status"] == "ok"
    service, process = wb.Service(f"file:{place(lab)}"), companion(lab)
    lab.stop()
    assert lab.folders() == [] and not process.is_running()
    with pytest.raises(wb.ServiceUnreachableError, match="it is starting, or has ended"):
        service.health()
