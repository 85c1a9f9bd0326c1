"""The source distribution has all files that the build of the wheel reads. With `npm test -- --all` the wheel is built
from it, in an empty environment."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_string
from email.message import Message
from pathlib import Path

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "binder"))
from backend import LABEXTENSION, PACKAGED_SERVER, SENTINELS, SERVER, copy_server

#: Cargo's list beside the module: each file that compiling it has read, including those of build scripts.
READ = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "engine" / "target")) / "release" / "lib_engine.d"


def sdist(tree: Path, folder: Path) -> Path:
    """The source distribution of a tree, without the preceding steps of the build backend."""
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
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sdist(ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def listed(source: Path) -> set[str]:
    return names(source)


@pytest.fixture(scope="module")
def metadata(source: Path) -> Message:
    """The metadata that a registry and pip read; maturin writes the same into the wheel."""
    with tarfile.open(source) as file:
        (member,) = (one for one in file.getmembers() if one.name.count("/") == 1 and one.name.endswith("/PKG-INFO"))
        content = file.extractfile(member)
        assert content is not None
        return message_from_string(content.read().decode())


def test_files_read_by_the_compiler_are_included(listed: set[str]) -> None:
    if not READ.exists():
        pytest.skip("the module was not compiled here: cargo's list of its sources is missing")
    files = [Path(os.path.normpath(one)) for one in re.split(r"(?<!\\) ", READ.read_text().partition(": ")[2].strip())]
    read = {
        one.relative_to(ROOT).as_posix()
        for one in files
        if one.is_relative_to(ROOT) and not one.is_relative_to(READ.parent)
    }
    if not read:
        pytest.skip("the module was compiled from another checkout")
    assert len(read) > 100
    assert read - listed == set()


def test_files_of_build_scripts_are_included(listed: set[str]) -> None:
    """Found in their text, for a checkout in which nothing has been compiled."""
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


def test_files_that_the_wheel_needs_are_included(listed: set[str]) -> None:
    built = {path.relative_to(ROOT).as_posix() for path in SENTINELS if not path.is_relative_to(PACKAGED_SERVER)}
    assert built | {"pyproject.toml", "binder/backend.py", "engine/Cargo.lock"} <= listed


def test_metadata_of_the_package(metadata: Message) -> None:
    assert metadata["License-Expression"] == "Apache-2.0"
    assert set(metadata.get_all("License-File", [])) == {"LICENSE", "THIRD-PARTY-NOTICES.txt"}
    assert metadata["Author"] == "Wattbook contributors"
    urls = dict(line.split(", ", 1) for line in metadata.get_all("Project-URL", []))
    assert {"Homepage", "Documentation", "Changelog", "Issues", "Source"} <= set(urls)
    assert all(url.startswith("https://") for url in urls.values())
    classifiers = metadata.get_all("Classifier", [])
    assert "Programming Language :: Python :: 3.11" in classifiers and len(classifiers) > 10
    assert not [one for one in classifiers if one.startswith("License ::")], "the expression says it"


def test_the_tag_of_the_wheel_is_the_oldest_python(metadata: Message) -> None:
    (minor,) = re.findall(r"abi3-py3(\d+)", (ROOT / "engine/crates/python/Cargo.toml").read_text())
    assert metadata["Requires-Python"] == f">=3.{minor}"
    oldest = min(int(one) for one in re.findall(r"Python :: 3\.(\d+)", "\n".join(metadata.get_all("Classifier", []))))
    assert oldest == int(minor)


def test_links_and_pictures_work_on_a_package_page(metadata: Message) -> None:
    page = metadata.get_payload()
    assert isinstance(page, str)
    targets = re.findall(r"\]\(([^)]+)\)", page)
    assert any(one.endswith(".png") for one in targets)
    assert [one for one in targets if not one.startswith("https://")] == []
    here = (
        "https://raw.githubusercontent.com/wattbook/wattbook/main/",
        "https://github.com/wattbook/wattbook/blob/main/",
    )
    for one in targets:
        path = next((one.removeprefix(start) for start in here if one.startswith(start)), None)
        assert path is None or (ROOT / path).is_file(), one


def test_pandapower_is_installed_with_a_compatible_pandas() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert any(re.fullmatch(r"pandas.*<3", one) for one in project["optional-dependencies"]["pandapower"])


@pytest.mark.skipif("WATTBOOK_EXTRAS" not in os.environ, reason="compiles the engine anew; part of `npm test -- --all`")
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
    # Without link-time optimisation, which takes minutes and reads no other files.
    environment["MATURIN_PEP517_ARGS"] = "--profile=release"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--no-deps", "-w", str(tmp_path)]
    done = subprocess.run([*pip, str(source)], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        content = set(file.namelist())
    assert {"wattbook/_engine.abi3.so", "wattbook/server/server.mjs", "wattbook/__init__.py"} <= content
