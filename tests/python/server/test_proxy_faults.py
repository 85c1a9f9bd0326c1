"""The proxy when a client leaves or the companion fails, with a stand-in for the companion."""

from __future__ import annotations

import http.client
import json
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from lab import BASE, TOKEN, Lab
from test_companion import STAND_IN


@pytest.fixture(scope="module")
def lab(short_folder: Path) -> Iterator[Lab]:
    """A Jupyter server whose "Node.js" is the stand-in."""
    folder = short_folder / "faults"
    folder.mkdir()
    node = folder / "node"
    node.write_text(f"#!/bin/sh\nexec {sys.executable} {STAND_IN}\n")
    node.chmod(0o700)
    server = Lab(folder, env={"WATTBOOK_NODE": str(node), "STAND_IN_LOG": str(folder / "notes")})
    yield server
    server.stop()


def notes(lab: Lab) -> dict[str, float]:
    return {line.split()[0]: float(line.split()[1]) for line in (lab.log.parent / "notes").read_text().splitlines()}


def test_no_secret_of_jupyter_reaches_the_companion(lab: Lab) -> None:
    response, body = lab.get(
        f"wattbook/api/echo?token={TOKEN}&d=1:2&1732190000000",
        Cookie="username=secret",
        X_XSRFToken="secret",
        X_Forwarded_For="1.2.3.4",
        X_Service_Client="somebody else",
        X_Service_Secret="secret",
        Accept="application/json",
    )
    seen = json.loads(body)
    assert seen["path"] == "/api/echo?d=1:2"
    assert set(seen["headers"]) <= {"host", "accept", "accept-encoding", "user-agent", "x-service-client", "connection"}
    assert seen["headers"]["x-service-client"] == "jupyter", "nobody names himself"
    assert seen["proxy"] is True, "the secret is the proxy's own"
    assert "secret" not in json.dumps(seen)
    assert {"a=1", "b=2"} <= set(response.headers.get_all("Set-Cookie", []))
    assert "Keep-Alive" not in response.headers


def test_percent_encoding_passes_as_it_is(lab: Lab) -> None:
    _, body = lab.get("wattbook/api/cases/a%20b/sensitivity/lmp/d/buses%3A1%2F2")
    assert json.loads(body)["path"] == "/api/cases/a%20b/sensitivity/lmp/d/buses%3A1%2F2"


def test_the_first_bytes_arrive_at_once_and_a_disconnect_ends_the_work_within_a_second(lab: Lab) -> None:
    with socket.create_connection(("127.0.0.1", lab.port), timeout=10) as client:
        client.sendall(
            f"GET {BASE}wattbook/api/endless HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n"
            f"Authorization: token {TOKEN}\r\n\r\n".encode()
        )
        received = b""
        while b"first" not in received:
            received += client.recv(65536)
    assert received.startswith(b"HTTP/1.1 200") and b"Content-Encoding" not in received
    left = time.time()
    while "endless-end" not in notes(lab) and time.time() < left + 5:
        time.sleep(0.02)
    assert notes(lab)["endless-end"] - left < 1.0


def test_a_body_that_breaks_off_is_not_taken_for_whole(lab: Lab) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", lab.port, timeout=10)
    connection.request("GET", f"{BASE}wattbook/api/broken", headers={"Authorization": f"token {TOKEN}"})
    response = connection.getresponse()
    assert response.status == 200
    with pytest.raises(http.client.IncompleteRead) as caught:
        response.read()
    assert caught.value.partial == b"first\n"
    assert "stopped in the middle of /api/broken" in lab.log.read_text()
