"""Access to the companion server: the logged-in user of its own Jupyter server and nobody else, under any base URL."""

from __future__ import annotations

import http.client
import json
import os
import signal
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest
import wattbook as wb
from grids import stage_plainly
from lab import TOKEN, Lab
from test_jupyter_server import companion_pid, until

#: A user name with a space, as JupyterHub writes it into the base URL.
BASE = "/user/x%20y/"
CASE = "wattbook/api/cases/mine"
PATHS = [
    "wattbook/api/health",
    "wattbook/api/compute",
    "wattbook/api/cases",
    f"{CASE}/case",
    f"{CASE}/network",
    f"{CASE}/solution",
    f"{CASE}/sensitivity/lmp/d/2",
    f"{CASE}/sensitivity/lmp/fmax/2",
    f"{CASE}/solve",
]
STRANGE = ["wattbook/api/", "wattbook/api/openapi.json", "wattbook/api/nothing/here", "wattbook/api/../api/health"]


@pytest.fixture(scope="module")
def lab(short_folder: Path) -> Iterator[Lab]:
    data = stage_plainly(short_folder / "operator", mine=45)
    # Like behind JupyterHub: another address in front, and no handler of any extension without a login.
    server = Lab(
        short_folder / "access",
        base=BASE,
        # Relative to the folder where Jupyter was started; its kernels run elsewhere.
        env={"SERVICE_DATA": os.path.relpath(data), "SERVICE_SOLVE_RATE_LIMIT_EVENTS": "0"},
        arguments=("--ServerApp.trust_xheaders=True", "--ServerApp.allow_unauthenticated_access=False"),
    )
    yield server
    server.stop()


def ask(lab: Lab, path: str, method: str = "GET", **headers: str) -> tuple[int, bytes]:
    response, body = lab.get(path, token=None, method=method, **headers)
    return response.status, body


@pytest.fixture(scope="module")
def cookies(lab: Lab) -> dict[str, str]:
    """The cookies of a browser after a login."""
    connection = http.client.HTTPConnection("127.0.0.1", lab.port, timeout=30)
    connection.request("GET", f"{BASE}tree?token={TOKEN}", headers={"Accept": "text/html"})
    set_ = connection.getresponse().headers.get_all("Set-Cookie", [])
    connection.close()
    found = dict(line.split(";")[0].split("=", 1) for line in set_)
    # Tornado sends the XSRF token with the first page that has a form; any value named by both sides is valid.
    return {**found, "_xsrf": found.get("_xsrf", "2|0|0|0")}


def jar(cookies: dict[str, str]) -> str:
    return "; ".join(f"{name}={value}" for name, value in cookies.items())


@pytest.mark.parametrize("path", PATHS + STRANGE)
def test_no_answer_without_a_login(lab: Lab, path: str) -> None:
    wrong: list[dict[str, str]] = [
        {},
        {"Authorization": "token wrong"},
        {"Authorization": f"Basic {TOKEN}"},
        {"Authorization": "token "},
        {"Cookie": f"username-127-0-0-1-{lab.port}=2|1:0|10:0|8:username|4:eHk=|forged; _xsrf=a", "X_XSRFToken": "a"},
        {"X_Service_Client": "x y", "X_Forwarded_For": "127.0.0.1", "X_Forwarded_User": "x y"},
    ]
    for headers in wrong:
        for method in ("GET", "HEAD"):
            status, body = ask(lab, path, method, **headers)
            assert status == 403, (headers, method, status)
            if method == "GET":
                assert json.loads(body)["code"] == "SERVICE.FORBIDDEN"
    status, body = ask(lab, f"{path}?token=wrong")
    assert (status, json.loads(body)["code"]) == (403, "SERVICE.FORBIDDEN")


@pytest.mark.parametrize("path", PATHS)
def test_every_route_with_the_token(lab: Lab, path: str) -> None:
    assert ask(lab, path, Authorization=f"token {TOKEN}")[0] == 200
    assert ask(lab, path, Authorization=f"Bearer {TOKEN}")[0] == 200
    assert ask(lab, f"{path}?token={TOKEN}")[0] == 200
    assert ask(lab, path, "HEAD", Authorization=f"token {TOKEN}") == (200, b"")


def test_a_cookie_counts_as_it_does_for_jupyters_own_api(lab: Lab, cookies: dict[str, str]) -> None:
    """Same origin or none: served. Another origin, or a modifying method without the token: refused as by Jupyter."""
    login = jar(cookies)
    xsrf = cookies["_xsrf"]
    other = {"Origin": "http://elsewhere.example", "Cookie": login}
    for own, jupyter in (("wattbook/api/health", "api/status"), (f"{CASE}/solve", "api/contents")):
        same: list[tuple[str, dict[str, str]]] = [
            ("GET", {"Cookie": login}),
            ("GET", {"Cookie": login, "X_XSRFToken": xsrf}),
            ("GET", {"Cookie": login, "Origin": f"http://127.0.0.1:{lab.port}"}),
            ("GET", other),
            ("GET", {"Cookie": jar({"_xsrf": xsrf}), "X_XSRFToken": xsrf}),
        ]
        statuses = [(ask(lab, own, m, **h)[0], ask(lab, jupyter, m, **h)[0]) for m, h in same]
        assert [ours for ours, _ in statuses] == [200, 200, 200, 404, 403]
        assert all(ours == theirs for ours, theirs in statuses), statuses
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert ask(lab, "wattbook/api/health", method, Cookie=login)[0] == 403, "no mark against forged requests"
        status, body = ask(lab, "wattbook/api/health", method, Authorization=f"token {TOKEN}")
        assert (status, json.loads(body)["code"]) == (405, "METHOD.NOT_ALLOWED")


def test_only_jupyter_reaches_the_socket(lab: Lab) -> None:
    (folder,) = lab.folders()
    socket = folder / "server.sock"
    assert ask(lab, "wattbook/api/health", Authorization=f"token {TOKEN}")[0] == 200
    assert stat.S_ISSOCK(socket.stat().st_mode)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(socket.stat().st_mode) & 0o077 == 0, "nobody else, wherever the folder lies"
    pid = companion_pid(folder)
    assert pid is not None
    assert psutil.Process(pid).net_connections(kind="inet") == [], "no port is open"
    environment = psutil.Process(pid).environ()
    assert TOKEN not in " ".join(environment.values())


def test_the_companion_under_a_base_url_with_a_space(lab: Lab) -> None:
    service = wb.Service(lab.url, token=TOKEN)
    assert service.health()["cases"] == ["mine"]
    assert [event.name for event in service.solve_stream("mine", {2: 1}) if event.name != "status"] == [
        "solution",
        "done",
    ]
    response, _ = lab.get(f"{CASE}/sensitivity/lmp/d/buses%2F2")
    assert response.status == 404, "an encoded slash stays inside the name"


def test_many_pages_at_once(lab: Lab) -> None:
    """Sixty requests through Jupyter at the same time; half of the streams are closed after their first event."""
    service = wb.Service(lab.url, token=TOKEN)
    network = lab.get(f"{CASE}/network")[1]

    def one(number: int) -> bool:
        if number % 3 == 0:
            return lab.get(f"{CASE}/network")[1] == network
        with service.solve_stream("mine", {2: number / 100}) as stream:
            first = next(stream)
            if number % 3 == 1:
                return first.name == "status"
            return [event.name for event in stream][-2:] == ["solution", "done"]

    with ThreadPoolExecutor(20) as pool:
        assert all(pool.map(one, range(60)))
    pid = companion_pid(lab.folders()[0])
    assert pid is not None
    assert until(lambda: service.health()["status"] == "ok", 5)
    # Open connections are reused for the next request and not leaked: those of the pool and the one that listens.
    assert len(psutil.Process(pid).net_connections(kind="unix")) < 45


def test_the_operators_folder_is_served_and_a_bad_one_is_explained(lab: Lab, short_folder: Path) -> None:
    printed = lab.run_in_kernel("import wattbook as wb; print(*wb.cases().index, wb.open_case('mine').counts['buses'])")
    assert printed.split() == ["mine", "3"]
    empty = short_folder / "empty"
    empty.mkdir()
    bad = Lab(short_folder / "bad", env={"SERVICE_DATA": str(empty)})
    try:
        answers: list[dict[str, Any]] = []

        def explained() -> bool:
            answers.append(json.loads(bad.get("wattbook/api/health")[1]))
            return str(empty) in answers[-1]["error"]

        assert until(explained, 20), answers[-1:]
        assert answers[-1]["code"] == "SERVICE.UNAVAILABLE"
    finally:
        bad.stop()


def test_two_servers_on_one_machine_do_not_disturb_each_other(short_folder: Path) -> None:
    """Started at once, with one home, one runtime folder and nothing staged yet; the end of one does not affect the
    other."""
    runtime, home = short_folder / "shared-run", short_folder / "shared-home"
    env = {"XDG_DATA_HOME": str(home)}
    names = ("one", "two")
    with ThreadPoolExecutor() as pool:
        labs = list(pool.map(lambda name: Lab(short_folder / name, runtime=runtime, env=env), names))
    try:
        one, two = labs
        assert len(one.folders()) == 2
        health = [lab.json("wattbook/api/health") for lab in labs]
        assert health[0]["cases"] == health[1]["cases"] and health[0]["status"] == "ok"
        sockets = [lab.run_in_kernel("import os; print(os.environ['SERVICE_URL'])").strip() for lab in labs]
        assert {f"unix:{folder}/server.sock" for folder in one.folders()} == set(sockets)
        assert health[0]["cases"] == ["california", "carolina", "illinois", "texas"]
        assert len(list(home.glob("wattbook/*"))) == 1, "one staging, and no temporary folder"
        # The kernel's case is the server's: the same bytes, the same optimum.
        code = (
            "import wattbook as wb; case = wb.open_case('carolina')\n"
            "solution = list(wb.Service().solve_stream(case))[-2].data\n"
            "print(case.study().solution.sha256 == solution['result_sha256'])"
        )
        assert two.run_in_kernel(code) == "True\n"
        assert one.get("wattbook/api/health", token="another")[0].status == 403

        one.stop(signal.SIGKILL)
        assert two.json("wattbook/api/health")["status"] == "ok"
        third = Lab(short_folder / "three", runtime=runtime, env=env)
        labs.append(third)
        assert len(third.folders()) == 2, "the dead one's folder is gone, the living one's is not"
        assert two.json("wattbook/api/health")["status"] == third.json("wattbook/api/health")["status"] == "ok"
        two.stop()
        assert third.json("wattbook/api/health")["status"] == "ok"
    finally:
        for lab in labs:
            lab.stop()
    assert list(runtime.iterdir()) == []
