"""The extension in single-user servers of a real JupyterHub, reached through its proxy by browsers and by tokens."""

from __future__ import annotations

import http.client
import json
import os
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import httpx
import pytest
import wattbook as wb
from grids import stage_plainly

EXTRAS = os.environ.get("WATTBOOK_EXTRAS", "")
PROXY = os.environ.get("WATTBOOK_HUB_PROXY", "")
pytestmark = pytest.mark.skipif(not (EXTRAS and PROXY), reason="JupyterHub is installed by `npm test -- --all`")

USERS = ("ada lovelace", "grace")


class Hub:
    """A JupyterHub with its proxy on free ports of the loopback."""

    def __init__(self, folder: Path, data: Path) -> None:
        folder.mkdir()
        for user in USERS:
            (folder / user).mkdir()
        ports = _free_ports(3)
        self.url = f"http://127.0.0.1:{ports[0]}"
        self.log = folder / "hub.log"
        own = {key: value for key, value in os.environ.items() if not key.startswith(("JUPYTER", "SERVICE_"))}
        environment = {
            **own,
            **{"HUB_FOLDER": str(folder), "HUB_DATA": str(data), "HUB_PROXY": PROXY},
            "HUB_PORTS": " ".join(map(str, ports)),
        }
        command = [EXTRAS, "-m", "jupyterhub", "-f", str(Path(__file__).with_name("hub_config.py"))]
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(command, env=environment, stdout=output, stderr=output, cwd=folder)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                if httpx.get(f"{self.url}/hub/api/").status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.2)
        self.stop()
        raise AssertionError(f"the Hub did not start:\n{self.log.read_text()}")

    def browser(self, user: str) -> httpx.Client:
        """A browser after the user's login and the start of the user's server."""
        client = httpx.Client(base_url=self.url, follow_redirects=True, timeout=60)
        form = client.get("/hub/login", headers={"Sec-Fetch-Mode": "navigate"}).text
        mark = re.search(r'name="_xsrf" value="([^"]+)"', form)
        assert mark is not None, form
        fields = urlencode({"username": user, "password": "password", "_xsrf": mark[1]})
        kind = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Mode": "navigate"}
        client.post("/hub/login", content=fields, headers=kind)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            page = client.get(self.base(user) + "lab", headers={"Sec-Fetch-Mode": "navigate"})
            if page.url.raw_path.decode().startswith(self.base(user)) and page.status_code == 200:
                return client
            time.sleep(0.3)
        raise AssertionError(f"no server for {user}: {page.url} {page.status_code}\n{self.log.read_text()[-4000:]}")

    @staticmethod
    def base(user: str) -> str:
        return f"/user/{quote(user)}/"

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)


def _free_ports(count: int) -> list[int]:
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [int(probe.getsockname()[1]) for probe in probes]
    for probe in probes:
        probe.close()
    return ports


@pytest.fixture(scope="module")
def hub(short_folder: Path) -> Iterator[Hub]:
    running = Hub(short_folder / "hub", stage_plainly(short_folder / "hub-data", mine=45))
    yield running
    running.stop()


@pytest.fixture(scope="module")
def browsers(hub: Hub) -> Iterator[dict[str, httpx.Client]]:
    clients = {user: hub.browser(user) for user in USERS}
    yield clients
    for client in clients.values():
        client.close()


def mark_of(client: httpx.Client, base: str) -> str:
    """The page's XSRF token, as in JupyterLab's own requests."""
    marks = [cookie.value for cookie in client.cookies.jar if cookie.name == "_xsrf" and cookie.path == base]
    assert len(marks) == 1 and marks[0] is not None, [(cookie.name, cookie.path) for cookie in client.cookies.jar]
    return marks[0]


def test_a_page_needs_the_header_that_fetch_can_send(hub: Hub, browsers: dict[str, httpx.Client]) -> None:
    """Requests of `ServerConnection.makeRequest` are answered; those of an EventSource are not."""
    for user, client in browsers.items():
        base = hub.base(user)
        fetched = {"Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "same-origin", "X-XSRFToken": mark_of(client, base)}
        health = client.get(f"{base}wattbook/api/health", headers=fetched)
        assert health.json()["cases"] == ["mine"], health.text
        stream = client.get(f"{base}wattbook/api/cases/mine/solve?d=2:1", headers=fetched)
        assert stream.status_code == 200 and stream.text.endswith('data: {"ok":true}\n\n')
        bare = {"Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "same-origin", "Accept": "text/event-stream"}
        refused = client.get(f"{base}wattbook/api/cases/mine/solve", headers=bare)
        assert (refused.status_code, refused.json()["code"]) == (403, "SERVICE.FORBIDDEN")


def test_one_user_does_not_reach_the_server_of_another(hub: Hub, browsers: dict[str, httpx.Client]) -> None:
    one, other = USERS
    client = browsers[one]
    for headers in ({}, {"X-XSRFToken": mark_of(client, hub.base(one)), "Sec-Fetch-Mode": "cors"}):
        answer = client.get(f"{hub.base(other)}wattbook/api/health", headers=headers, follow_redirects=False)
        assert answer.status_code in (302, 403) and "mine" not in answer.text
    stranger = httpx.get(f"{hub.url}{hub.base(other)}wattbook/api/health", follow_redirects=False)
    assert stranger.status_code in (302, 403) and "mine" not in stranger.text


def test_a_token_of_the_hub(hub: Hub, browsers: dict[str, httpx.Client]) -> None:
    user = USERS[0]
    client = browsers[user]
    mark = next(c.value for c in client.cookies.jar if c.name == "_xsrf" and c.path == "/hub/")
    made = client.post(f"/hub/api/users/{quote(user)}/tokens", headers={"X-XSRFToken": mark or ""}, json={})
    token = made.json()["token"]
    service = wb.Service(f"{hub.url}{hub.base(user)}wattbook", token=token)
    assert service.health()["cases"] == ["mine"]
    events = list(service.solve_stream("mine", {2: 1}, bus=2))
    assert [event.name for event in events if event.name != "status"] == ["solution", "sensitivity", "done"]
    with pytest.raises(wb.ServiceError) as caught:
        wb.Service(f"{hub.url}{hub.base(USERS[1])}wattbook", token=token).health()
    assert caught.value.details["status"] == 403


def test_events_pass_the_hubs_proxy_one_by_one(hub: Hub, browsers: dict[str, httpx.Client]) -> None:
    user = USERS[1]
    client = browsers[user]
    headers = {"Sec-Fetch-Mode": "cors", "X-XSRFToken": mark_of(client, hub.base(user)), "Accept": "text/event-stream"}
    with client.stream("GET", f"{hub.base(user)}wattbook/api/cases/mine/solve", headers=headers) as stream:
        chunks = list(stream.iter_raw())
    assert len(chunks) > 1 and b"event: done" in chunks[-1]
    assert stream.headers["x-accel-buffering"] == "no" and "content-encoding" not in stream.headers


def test_a_kernel_of_the_hub_finds_its_own_server(hub: Hub, browsers: dict[str, httpx.Client]) -> None:
    """The address in the kernel's environment is that of its own user's companion, whose environment has no token of
    the Hub."""
    import psutil

    servers = [p for p in psutil.Process(hub.process.pid).children(recursive=True) if "serve" in p.cmdline()]
    assert len(servers) == len(USERS)
    sockets = {process.environ()["SERVICE_SOCKET"] for process in servers}
    assert len(sockets) == len(USERS)
    for process in servers:
        environment = process.environ()
        assert not [name for name in environment if "TOKEN" in name or name == "SERVICE_URL"], (
            "secrets stay with Jupyter"
        )
        assert Path(environment["SERVICE_SOCKET"]).stat().st_mode & 0o077 == 0


def test_the_hubs_health_is_not_ours(hub: Hub) -> None:
    connection = http.client.HTTPConnection(hub.url.removeprefix("http://"), timeout=10)
    connection.request("GET", "/wattbook/api/health")
    response = connection.getresponse()
    assert response.status in (302, 404)
    assert b"mine" not in response.read()
    connection.close()
    assert json.loads(httpx.get(f"{hub.url}/hub/api/").text)["version"]
