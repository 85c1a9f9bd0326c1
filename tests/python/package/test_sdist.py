"""The source distribution holds what the build of the wheel reads. With `npm test -- --all` the wheel is built from it, in an empty
environment."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "binder"))
from backend import LABEXTENSION, PACKAGED_SERVER, SENTINELS, SERVER, copy_server

#: What cargo writes beside the module: each file that compiling it has read, those of build scripts too.
READ = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "engine" / "target")) / "release" / "lib_engine.d"


def sdist(tree: Path, folder: Path) -> Path:
    """The source distribution of a tree, without what the build backend does before."""
    done = subprocess.run(
        [sys.executable, "-m", "maturin", "sdist", "--out", folder], cwd=tree, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("*.tar.gz")
    return path


def names(path: Path) -> set[str]:
    with tarfile.open(path) as file:
        return {name.partition("/")[2] for name in file.getnames()}


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    return names(sdist(ROOT, tmp_path_factory.mktemp("sdist")))


def test_what_the_compiler_read_is_there(listed: set[str]) -> None:
    if not READ.exists():
        pytest.skip("the module was not compiled here: cargo's list of its sources is missing")
    files = [Path(os.path.normpath(one)) for one in re.split(r"(?<!\\) ", READ.read_text().partition(": ")[2].strip())]
    read = {one.relative_to(ROOT).as_posix() for one in files if one.is_relative_to(ROOT) and one != READ.parent}
    if not read:
        pytest.skip("the module was compiled from another checkout")
    assert len(read) > 100
    assert read - listed == set()


def test_what_build_scripts_read_is_there(listed: set[str]) -> None:
    """By their text, for a checkout in which nothing has been compiled."""
    scripts = [name for name in listed if name.endswith("/build.rs")]
    assert scripts, "the catalogue of sentences is read by one"
    found = 0
    for script in scripts:
        text = (ROOT / script).read_text()
        for relative in re.findall(r"\"((?:\.\./)+[\w./-]+)\"", text):
            path = Path(os.path.normpath(Path(script).parent / relative)).as_posix()
            found += 1
            assert path in listed, f"{script} reads it"
    assert found > 0


def test_what_the_wheel_needs_is_there(listed: set[str]) -> None:
    built = {path.relative_to(ROOT).as_posix() for path in SENTINELS if not path.is_relative_to(PACKAGED_SERVER)}
    assert built | {"pyproject.toml", "README.md", "binder/backend.py", "engine/Cargo.lock"} <= listed


@pytest.mark.skipif(
    "WATTBOOK_EXTRAS" not in os.environ, reason="compiles the engine anew; part of `npm test -- --all`"
)
def test_a_wheel_from_the_source_distribution(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, tracked.split("\0")):
        # package.json marks a checkout, whose JavaScript parts the backend would build.
        if (ROOT / name).is_file() and name != "package.json":
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tree / name)
    shutil.copy(ROOT / "THIRD-PARTY-NOTICES.txt", tree)
    shutil.copytree(LABEXTENSION, tree / LABEXTENSION.relative_to(ROOT), dirs_exist_ok=True)
    copy_server(SERVER, LABEXTENSION, tree / PACKAGED_SERVER.relative_to(ROOT))
    source = sdist(tree, tmp_path / "sdist")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_"))}
    # Without link-time optimisation, which takes minutes and reads nothing else.
    environment["MATURIN_PEP517_ARGS"] = "--profile=release"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--no-deps", "-w", str(tmp_path)]
    done = subprocess.run([*pip, str(source)], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        content = set(file.namelist())
    assert {"wattbook/_engine.abi3.so", "wattbook/server/server.mjs", "wattbook/__init__.py"} <= content
