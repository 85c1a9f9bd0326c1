"""The content of a wheel and its functions: engine and basemap once, for JupyterLab, the page, the server and maps as
files. The wheel is assembled here from built files, without compiling, and pip installs it into an empty environment.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import sysconfig
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import wattbook as wb
from assembled_wheel import assemble
from conftest import ROOT

sys.path.insert(0, str(ROOT / "binder"))
from backend import LABEXTENSION, PACKAGED_SERVER, SENTINELS, SHARED, copy_server

NOTICES = "THIRD-PARTY-NOTICES.txt"


@pytest.fixture(scope="module")
def packaged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel") / "server"
    copy_server(ROOT / "server" / "dist", LABEXTENSION, folder)
    return folder


@pytest.fixture(scope="module")
def wheel(packaged: Path) -> Path:
    return assemble(packaged)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel; its dependencies are the project's, later on the path."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python, "install", "-q"]
    subprocess.run([*pip, "--no-deps", "--no-index", wheel], check=True)
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    Path(site, "project.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


def run(python: Path, code: str, folder: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("SERVICE_", "PYTHON"))}
    done = subprocess.run(
        [python, "-c", code],
        cwd=folder,
        env={**environment, "XDG_DATA_HOME": str(folder)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_engine_and_basemap_are_there_once(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
        large = [
            digest(file.read(one)) for one in file.infolist() if one.file_size >= 65536 and NOTICES not in one.filename
        ]
    assert len(large) == len(set(large)), "no large file twice"
    for pattern in (r"\.wasm", r"\bearth\b.*\.pmtiles", r"\bbasemap\b.*\.json", r"\bcounties\b.*\.json"):
        assert len([name for name in names if re.search(pattern, name)]) == 1, pattern
    assert not [name for name in names if name.endswith((".map", ".ts", ".tsbuildinfo"))]
    assert not [name for name in names if "/page/" in name and name.endswith(".gz")]


def test_every_part_has_its_licences(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        names = set(file.namelist())
        for place in (
            "wattbook-0.1.0.dist-info/licenses",
            "wattbook/server",
            "wattbook/server/page",
            "wattbook-0.1.0.data/data/share/jupyter/labextensions/@service/jupyterlab/static",
        ):
            assert b"Copyright" in file.read(f"{place}/{NOTICES}"), place
    assert {"wattbook-0.1.0.dist-info/licenses/LICENSE", "wattbook/server/grids/LICENSE", "wattbook/py.typed"} <= names


def test_contents(packaged: Path) -> None:
    files = {path.relative_to(packaged).as_posix() for path in packaged.rglob("*") if path.is_file()}
    needed = {
        path.relative_to(PACKAGED_SERVER).as_posix() for path in SENTINELS if path.is_relative_to(PACKAGED_SERVER)
    }
    assert {"server.mjs", "page/index.html", SHARED, NOTICES} <= needed <= files
    for name, there in json.loads((packaged / SHARED).read_text()).items():
        assert (ROOT / "server" / "dist" / name).read_bytes() == (LABEXTENSION / "static" / there).read_bytes()


def test_parts_of_two_builds_are_refused(tmp_path: Path) -> None:
    built, labextension = tmp_path / "built", tmp_path / "labextension"
    for folder, text in ((built / "page" / "assets", b"a"), (labextension / "static", b"b")):
        folder.mkdir(parents=True)
        (folder / "wattbook_engine_bg.wasm").write_bytes(text * 70_000)
    with pytest.raises(SystemExit, match="different engines: build both again"):
        copy_server(built, labextension, tmp_path / "packaged")


def test_a_map_becomes_one_page(installed: Path, tmp_path: Path) -> None:
    code = (
        "import pathlib, wattbook as wb\n"
        "study = wb.open_case('case200_activ').study()\n"
        "study.map().to_html('map.html')\n"
        "study.map().save('map.svg')\n"
        "print(pathlib.Path(wb.__file__).parents[4])"
    )
    assert run(installed, code, tmp_path) == str(installed.parents[1]), "the installed package, not the checkout's"
    page = (tmp_path / "map.html").read_text()
    packed = {one["path"].rpartition("/")[2] for one in json.loads((ROOT / "server/dist/file/files.json").read_text())}
    assert packed <= set(re.findall(r"&quot;name&quot;: &quot;([^&]+)&quot;", page))
    wb.open_case("case200_activ").study().map().save(tmp_path / "checkout.svg")
    assert (tmp_path / "map.svg").read_text() == (tmp_path / "checkout.svg").read_text(), "with the same ground"


@contextmanager
def serving(command: list[str], folder: Path, **variables: str) -> Iterator[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("SERVICE_", "PYTHON"))}
    environment |= {"SERVICE_PORT": "0", "SERVICE_EXIT_WITH_STDIN": "1", "XDG_DATA_HOME": str(folder), **variables}
    with subprocess.Popen(
        command, env=environment, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        lines: list[str] = []
        address = None
        while address is None:
            line = process.stdout.readline().decode()
            assert line, "".join(lines)
            lines.append(line)
            address = re.search(r"Server listening at (http://[^\"]+)", line)
        yield address[1]
        process.stdin.close()
        process.stdout.read()


def test_the_command_serves_the_whole_page_and_solves(installed: Path, tmp_path: Path) -> None:
    command = [str(installed.parent / "wattbook"), "serve"]
    with serving(command, tmp_path, SERVICE_ALLOW_FALLBACK="1", SERVICE_SERVER_COMPUTE="1") as address:
        with urllib.request.urlopen(f"{address}/api/health") as answer:
            health = json.load(answer)
        assert (health["status"], len(health["cases"])) == ("ok", 4)
        page = ROOT / "server" / "dist" / "page"
        for path in sorted(page.rglob("*")):
            name = path.relative_to(page).as_posix()
            if not path.is_file() or name.endswith((".map", ".gz")):
                continue
            with urllib.request.urlopen(f"{address}/{name}") as answer:
                assert digest(answer.read()) == digest(path.read_bytes()), name
                wasm = name.endswith(".wasm")
                assert not wasm or answer.headers["Content-Type"] == "application/wasm"
                assert not wasm or "immutable" in answer.headers["Cache-Control"]
        (tiles,) = (page / "assets").glob("earth-*.pmtiles")
        part = urllib.request.Request(f"{address}/assets/{tiles.name}", headers={"Range": "bytes=0-6"})
        with urllib.request.urlopen(part) as answer:
            assert (answer.status, answer.read()) == (206, b"PMTiles")
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{address}/assets/{SHARED}")
        with urllib.request.urlopen(f"{address}/api/cases/illinois/solve") as answer:
            assert b'"ok":true' in answer.read()


def test_a_server_without_the_shared_files_reports_that(installed: Path, packaged: Path, tmp_path: Path) -> None:
    from wattbook.built import find_node

    command = [str(find_node()), str(packaged / "server.mjs"), "serve"]
    done = subprocess.run(command, env={"SERVICE_ALLOW_FALLBACK": "1"}, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("wattbook-server: WATTBOOK_SHARED_FILES must name the folder")


def test_jupyterlab_finds_the_extension(installed: Path, tmp_path: Path) -> None:
    code = (
        "from jupyter_core.paths import jupyter_path\n"
        "from jupyterlab_server.config import get_federated_extensions\n"
        "print(get_federated_extensions(jupyter_path('labextensions'))['@service/jupyterlab']['ext_path'])"
    )
    prefix = installed.parents[1]
    assert run(installed, code, tmp_path) == str(prefix / "share/jupyter/labextensions/@service/jupyterlab")
    config = json.loads((prefix / "etc/jupyter/jupyter_server_config.d/wattbook.json").read_text())
    assert config["ServerApp"]["jpserver_extensions"] == {"wattbook.server_extension": True}


def test_the_wheel_holds_the_examples(installed: Path, tmp_path: Path) -> None:
    command = [str(installed.parent / "wattbook"), "examples", str(tmp_path / "examples")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    written = {path.name: path.read_bytes() for path in (tmp_path / "examples").iterdir()}
    assert written == {path.name: path.read_bytes() for path in (ROOT / "examples").iterdir() if path.is_file()}
