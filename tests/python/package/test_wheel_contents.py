"""What the wheel carries of the server: everything that it needs, the engine once, no source maps."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from conftest import ROOT
from wattbook.server_extension.node import find_node

sys.path.insert(0, str(ROOT / "binder"))
from backend import PACKAGED_SERVER, SENTINELS, copy_server


@pytest.fixture(scope="module")
def packaged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel") / "server"
    copy_server(ROOT / "server" / "dist", folder)
    return folder


def test_contents(packaged: Path) -> None:
    files = {path.relative_to(packaged).as_posix() for path in packaged.rglob("*") if path.is_file()}
    assert len([name for name in files if ".wasm" in name]) == 1
    assert not [name for name in files if name.endswith((".map", ".ts", ".tsbuildinfo"))]
    needed = {
        path.relative_to(PACKAGED_SERVER).as_posix() for path in SENTINELS if path.is_relative_to(PACKAGED_SERVER)
    }
    assert {"server.mjs", "page/index.html", "THIRD-PARTY-NOTICES.txt"} <= needed <= files


def test_the_server_solves_with_the_engine_of_the_page(packaged: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SERVICE_")}
    environment |= {"SERVICE_ALLOW_FALLBACK": "1", "SERVICE_PORT": "0", "SERVICE_EXIT_WITH_STDIN": "1"}
    command = [find_node(), str(packaged / "server.mjs"), "serve"]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        lines: list[str] = []
        address = None
        while address is None:
            line = process.stdout.readline().decode()
            assert line, "".join(lines)
            lines.append(line)
            address = re.search(r"Server listening at (http://[^\"]+)", line)
        with urllib.request.urlopen(f"{address[1]}/api/health") as answer:
            health = json.load(answer)
        process.stdin.close()
        process.stdout.read()
    # It has solved both public cases at its start.
    assert (health["status"], len(health["cases"])) == ("ok", 2)
