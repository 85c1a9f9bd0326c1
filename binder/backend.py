"""PEP 517 build backend: maturin, after the JavaScript parts of the wheel have been built.

Plain maturin would make a wheel without server and JupyterLab extension when they are not built, and would end in a
traceback when cargo is missing. Here each of these is a sentence that names what to do.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import maturin
from maturin import (
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

ROOT = Path(__file__).resolve().parent.parent
#: Location of the built server in the checkout and in the Python package.
SERVER = ROOT / "server" / "dist"
PACKAGED_SERVER = ROOT / "widgets" / "python" / "wattbook" / "server"
#: The notebooks that `wattbook examples` writes.
EXAMPLES = ROOT / "examples"
LABEXTENSION = ROOT / "widgets/python/wheel/data/share/jupyter/labextensions/@service/jupyterlab"
#: Lists the files of the packaged server that are shared with the JupyterLab extension: their names here and there.
SHARED = "shared.json"
#: Smaller files are not worth an entry in it.
LEAST_SHARED_BYTES = 65536
#: The licences of the wheel's content. maturin silently omits missing files from the metadata.
NOTICES = "THIRD-PARTY-NOTICES.txt"
#: Files without which the wheel would install but not work, or could not be redistributed.
SENTINELS = [
    ROOT / "LICENSE",
    ROOT / NOTICES,
    PACKAGED_SERVER / NOTICES,
    PACKAGED_SERVER / "page" / NOTICES,
    LABEXTENSION / "static" / NOTICES,
    PACKAGED_SERVER / SHARED,
    PACKAGED_SERVER / "server.mjs",
    PACKAGED_SERVER / "solver.worker.mjs",
    PACKAGED_SERVER / "fallback" / "catalogue.json",
    PACKAGED_SERVER / "grids" / "catalogue.json",
    PACKAGED_SERVER / "grids" / "LICENSE",
    PACKAGED_SERVER / "examples" / "quickstart.ipynb",
    PACKAGED_SERVER / "page" / "index.html",
    PACKAGED_SERVER / "file" / "index.html",
    LABEXTENSION / "package.json",
]


def _need(tool: str, purpose: str, install: str) -> None:
    if shutil.which(tool) is None:
        sys.exit(f"{tool} is missing. It is needed {purpose}.\n  Install it with: {install}")


def copy_server(built: Path, labextension: Path, packaged: Path) -> None:
    """The built server as the wheel carries it: without source maps, and without what the JupyterLab extension holds byte for byte.

    Those are the engine, which the server reads as well, and the basemap: the largest files, once. Copies of the page that are compressed
    save nothing over the loopback, and are left out as well.
    """
    shutil.copytree(built, packaged, ignore=shutil.ignore_patterns("*.map", "wattbook_engine_bg.wasm"))
    shutil.copytree(EXAMPLES, packaged / "examples", ignore=shutil.ignore_patterns(".*"))
    for path in (packaged / "page").rglob("*.gz"):
        path.unlink()
    # A server that ran in the checkout has stored its base solutions.
    shutil.rmtree(packaged / "fallback" / "base", ignore_errors=True)
    there = {_sha256(path): path.name for path in (labextension / "static").iterdir() if _is_large(path)}
    shared = {}
    for path in sorted((packaged / "page" / "assets").iterdir()):
        name = there.get(_sha256(path)) if _is_large(path) else None
        if name is not None:
            shared[path.relative_to(packaged).as_posix()] = name
            path.unlink()
    if not any(name.endswith(".wasm") for name in shared):
        sys.exit("The page and the JupyterLab extension have different engines: build both again.")
    (packaged / SHARED).write_text(json.dumps(shared, indent=2) + "\n", encoding="utf-8")


def _is_large(path: Path) -> bool:
    return path.is_file() and path.stat().st_size >= LEAST_SHARED_BYTES


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@contextmanager
def _javascript() -> Iterator[None]:
    """Builds server and labextension in a checkout; a source distribution already contains them.

    The server is copied into the package only for the duration of the build: in a checkout the package uses
    `server/dist`.
    """
    checkout = (ROOT / "package.json").exists()
    if checkout:
        _need(
            "node",
            "to build the server and the JupyterLab extension",
            "your system's package nodejs, version 20 or newer",
        )
        print("Building the page, the server and the JupyterLab extension.", flush=True)
        command = ["node", str(ROOT / "binder" / "build.mjs"), "--ship", "--python", sys.executable]
        if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
            sys.exit("The JavaScript parts of the wheel could not be built; the reason is above.")
        shutil.rmtree(PACKAGED_SERVER, ignore_errors=True)
        copy_server(SERVER, LABEXTENSION, PACKAGED_SERVER)
    try:
        missing = [str(path.relative_to(ROOT)) for path in SENTINELS if not path.exists()]
        if missing:
            sys.exit(f"These parts of the wheel are not built: {', '.join(missing)}")
        print("Compiling the engine, which takes some ten minutes where it is optimised over all crates.", flush=True)
        yield
    finally:
        if checkout:
            shutil.rmtree(PACKAGED_SERVER, ignore_errors=True)


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """The wheel's metadata, with the licence notices, which are complete once everything is built."""
    _need("cargo", "to read the engine's version", "see https://rustup.rs")
    with _javascript():
        return maturin.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The wheel: native engine, Python package, server, JupyterLab extension."""
    _need("cargo", "to compile the engine, which is written in Rust", "see https://rustup.rs")
    with _javascript():
        return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    """The source distribution: Rust and Python sources, server and JupyterLab extension as built."""
    _need("cargo", "to list the engine's sources", "see https://rustup.rs")
    with _javascript():
        return maturin.build_sdist(sdist_directory, config_settings)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """An editable installation; it uses `server/dist` of the checkout."""
    _need("cargo", "to compile the engine, which is written in Rust", "see https://rustup.rs")
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)
