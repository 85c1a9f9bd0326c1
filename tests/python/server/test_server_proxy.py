"""The other way to the companion server: jupyter-server-proxy in place of the extension (docs/guides/jupyter.md)."""

from __future__ import annotations

import http.client
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
import wattbook as wb
from grids import stage_plainly
from lab import TOKEN, Lab

ROOT = Path(__file__).resolve().parents[3]
EXTRAS = os.environ.get("WATTBOOK_EXTRAS", "")
pytestmark = pytest.mark.skipif(not EXTRAS, reason="jupyter-server-proxy is installed by `npm test -- --all`")


def guide_setting(start: str) -> str:
    """The Python block of the guide that begins with `start`, as a user copies it."""
    guide = (ROOT / "docs" / "guides" / "jupyter.md").read_text(encoding="utf-8")
    (block,) = (part for part in guide.split("```python\n")[1:] if part.startswith(start))
    return block.partition("```")[0]


@pytest.fixture(scope="module")
def lab(short_folder: Path) -> Iterator[Lab]:
    folder = short_folder / "jsp"
    data = stage_plainly(short_folder / "jsp-data", mine=45)
    (folder / "config").mkdir(parents=True)
    setting = guide_setting("c.ServerProxy.servers")
    (folder / "config" / "jupyter_server_config.py").write_text(f"c = get_config()\n{setting}")
    server = Lab(
        folder,
        python=EXTRAS,
        base="/user/x%20y/",
        extensions=("jupyter_server_proxy",),
        env={"SERVICE_DATA": str(data), "SERVICE_SOLVE_RATE_LIMIT_EVENTS": "0"},
    )
    yield server
    server.stop()


def test_the_api_below_the_proxys_prefix(lab: Lab) -> None:
    assert lab.json("wattbook-server/api/health")["cases"] == ["mine"]
    assert lab.json("wattbook-server/api/compute") == {"enabled": True}
    response, body = lab.get("wattbook-server/api/cases/nowhere/network")
    assert response.status == 404 and json.loads(body)["code"] == "CASE.UNKNOWN"


def test_only_the_logged_in_user_is_served(lab: Lab) -> None:
    for token in (None, "wrong"):
        for path in ("wattbook-server/api/health", "wattbook-server/api/cases/mine/solve", "wattbook-server/"):
            response, body = lab.get(path, token=token)
            assert response.status in (302, 403), path
            assert b"mine" not in body


def test_the_client_of_the_package_streams_through_it(lab: Lab) -> None:
    address = f"http://127.0.0.1:{lab.port}{lab.base}wattbook-server"
    events = list(wb.Service(address, token=TOKEN).solve_stream("mine", {2: 1}, bus=2))
    assert [event.name for event in events if event.name != "status"] == ["solution", "sensitivity", "done"]


@pytest.mark.parametrize(("accept", "streamed"), [("text/event-stream", True), ("text/event-stream, */*", False)])
def test_events_pass_at_once_only_for_the_exact_media_type(lab: Lab, accept: str, streamed: bool) -> None:
    """The behaviour of jupyter-server-proxy: the guide names the header, which our clients send exactly."""
    connection = http.client.HTTPConnection("127.0.0.1", lab.port, timeout=30)
    path = f"{lab.base}wattbook-server/api/cases/mine/solve?d=2:1"
    connection.request("GET", path, headers={"Authorization": f"token {TOKEN}", "Accept": accept})
    response = connection.getresponse()
    body = response.read().decode()
    connection.close()
    assert response.status == 200 and body.endswith('data: {"ok":true}\n\n')
    # A body that was buffered first has a length.
    assert (response.headers["Content-Length"] is None) is streamed


def servers(lab: Lab) -> list[psutil.Process]:
    return [p for p in psutil.Process(lab.process.pid).children(recursive=True) if "serve" in p.cmdline()]


def test_a_dead_process_is_restarted_by_a_request(lab: Lab) -> None:
    lab.json("wattbook-server/api/health")
    (first,) = servers(lab)
    first.kill()
    deadline = time.monotonic() + 20
    while lab.get("wattbook-server/api/health")[0].status != 200 and time.monotonic() < deadline:
        time.sleep(0.2)
    assert lab.json("wattbook-server/api/health")["status"] == "ok"
    assert [process.pid for process in servers(lab)] != [first.pid]


def test_the_process_ends_with_jupyter(lab: Lab) -> None:
    lab.json("wattbook-server/api/health")
    mine = servers(lab)
    assert len(mine) == 1
    lab.stop()
    deadline = time.monotonic() + 10
    while mine[0].is_running() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not mine[0].is_running()
