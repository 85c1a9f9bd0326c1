"""From committed grids to a warm server: packed by the build, unpacked by Python, served without solving; with further
cases of the test."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import wattbook as wb
from grids import module, row
from networks import three_bus
from wattbook.built import find_node, server_script
from wattbook.case import catalogue
from wattbook.cli import main

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of the server with one committed grid: the content of `server/dist` after `npm run build`, without the
    page."""
    folder = tmp_path_factory.mktemp("build")
    source, dist = folder / "grids", folder / "dist"
    source.mkdir()
    dist.mkdir()
    for name in ("server.mjs", "solver.worker.mjs", "wattbook_engine_bg.wasm"):
        shutil.copy(Path(server_script()).parent / name, dist / name)
    data = module(40)
    (source / "small.json.gz").write_bytes(gzip.compress(data))
    entry = {**row("small", data), "module": "small.json.gz", "metrics": {}, "parameters": {}}
    (source / "manifest.json").write_text(json.dumps({"schema": "wattbook-grids", "version": 1, "grids": [entry]}))
    pack(source, dist)
    return dist


def pack(source: Path, dist: Path) -> str:
    code = (
        f"import {{ packGrids }} from {json.dumps((ROOT / 'server/scripts/grids.mjs').as_uri())};"
        "await packGrids(...process.argv.slice(1));"
    )
    command = [find_node(), "--input-type=module", "-e", code, source, dist / "grids", dist / "server.mjs"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return done.stdout


def serve(
    command: list[Any], tmp_path: Path, **variables: str
) -> tuple[subprocess.Popen[bytes], wb.Service, list[dict[str, Any]]]:
    """Starts a server; returns it, its client, and the lines of its log until it listens."""
    log = tmp_path / "server.log"
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("SERVICE_")},
        **{"SERVICE_PORT": "0", "SERVICE_LOG_LEVEL": "debug", **variables},
    }
    with log.open("wb") as output:
        process = subprocess.Popen(list(map(str, command)), env=environment, stdout=output, stderr=output)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and process.poll() is None:
        found = re.search(r"Server listening at (http://[^\"]+)", log.read_text())
        if found:
            return process, wb.Service(found[1]), [json.loads(line) for line in log.read_text().splitlines()]
        time.sleep(0.05)
    process.kill()
    raise AssertionError(log.read_text())


def end(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    assert process.wait(15) == 0


def test_the_files_packed_by_the_build(built: Path) -> None:
    packed = built / "grids"
    catalogue = json.loads((packed / "catalogue.json").read_text())
    (case,) = catalogue["cases"]
    assert (case["id"], case["n_bus"]) == ("small", 3)
    assert sorted(path.name for path in packed.iterdir()) == [
        "base",
        "catalogue.json",
        "manifest.json",
        "small.json.gz",
    ]
    (base,) = (packed / "base").iterdir()
    assert case["sha256"] in base.name
    assert [path.name for path in built.iterdir() if path.name.startswith(".")] == [], "no temporary folder stays"


def test_a_second_packing_neither_solves_nor_changes_anything(built: Path) -> None:
    def content() -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in (built / "grids").rglob("*") if path.is_file()}

    before = content()
    (base,) = (built / "grids" / "base").iterdir()
    (built / "grids" / "base" / "of-another-engine.base").write_text("old")
    pack(built.parent / "grids", built)
    assert content() == before and base.exists()


def test_a_grid_without_a_solution_fails_the_build(built: Path, tmp_path: Path) -> None:
    source, dist = tmp_path / "grids", tmp_path / "dist"
    shutil.copytree(built, dist)
    source.mkdir()
    data = module(40).replace(b'"pmax":', b'"pmax":0.0,"was":')
    assert data != module(40)
    (source / "small.json.gz").write_bytes(gzip.compress(data))
    entry = {**row("small", data), "module": "small.json.gz"}
    (source / "manifest.json").write_text(json.dumps({"schema": "wattbook-grids", "version": 1, "grids": [entry]}))
    with pytest.raises(RuntimeError, match="exit code 3"):
        pack(source, dist)
    assert not (dist / "grids").exists()
    (source / "manifest.json").unlink()
    pack(source, dist)
    assert not (dist / "grids").exists(), "without committed grids there is no folder"


def test_a_user_starts_warm(built: Path, tmp_path: Path) -> None:
    folder = catalogue.stage(built / "grids", tmp_path / "user")
    (base,) = (folder / "base").iterdir()
    written = base.stat().st_mtime_ns
    process, service, log = serve([find_node(), built / "server.mjs", "serve"], tmp_path, SERVICE_DATA=str(folder))
    try:
        assert service.health()["status"] == "ok"
        assert service.cases().index.tolist() == ["small"]
        assert not [line for line in log if line["level"] >= 40], "nothing to warn of"
    finally:
        end(process)
    assert base.stat().st_mtime_ns == written, "taken as it was, not solved and written again"


def test_cases_of_our_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.m").write_bytes(three_bus(rating_23=40))
    (tmp_path / "buses.csv").write_text("bus,lat,lon\n1,35.1,-80.1\n2,35.2,-80.2\n3,35.3,-80.3\n")
    folder = tmp_path / "staged"
    assert main(["stage", str(folder), "--from", f"{tmp_path / 'mine.m'},{tmp_path / 'buses.csv'}"]) == 0
    assert "staged mine: 3 buses" in capfd.readouterr().out
    monkeypatch.setenv("SERVICE_DATA", str(folder))
    assert wb.cases().index.tolist() == ["mine"]
    assert wb.open_case("mine").study().solution.objective == pytest.approx(808.50, rel=1e-6)
    assert main(["stage", str(tmp_path / "other"), "--from", str(tmp_path / "nowhere.m")]) == 2
    assert "nowhere.m" in capfd.readouterr().err


def test_the_command_serve(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "wattbook.cli", "serve"]
    process, service, _ = serve(command, tmp_path, XDG_DATA_HOME=str(tmp_path / "data"))
    try:
        assert service.health()["status"] == "ok"
        assert service.cases().index.tolist() == wb.cases().index.tolist(), "what the kernel lists"
        staged = catalogue.bundle() is not None
        assert (tmp_path / "data" / "wattbook").exists() is staged
    finally:
        end(process)
