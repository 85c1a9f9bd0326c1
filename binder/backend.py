"""PEP 517 build backend: maturin, after the JavaScript parts of the wheel have been built.

Plain maturin would make a wheel without server and JupyterLab extension when they are not built, and would end in a
traceback when cargo is missing. Here each of these is a sentence that names what to do.
"""

from __future__ import annotations

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
#: Where the built server lies in the checkout, and where the Python package carries it.
SERVER = ROOT / "server" / "dist"
PACKAGED_SERVER = ROOT / "widgets" / "python" / "wattbook" / "server"
LABEXTENSION = ROOT / "widgets/python/wheel/data/share/jupyter/labextensions/@service/jupyterlab"
#: The licences of what the wheel contains. maturin leaves out of the metadata what is not there, without a word.
NOTICES = "THIRD-PARTY-NOTICES.txt"
#: Files without which the wheel would install and then not work, or not be allowed to be passed on.
SENTINELS = [
    ROOT / "LICENSE",
    ROOT / NOTICES,
    PACKAGED_SERVER / NOTICES,
    PACKAGED_SERVER / "page" / NOTICES,
    LABEXTENSION / "static" / NOTICES,
    PACKAGED_SERVER / "server.mjs",
    PACKAGED_SERVER / "solver.worker.mjs",
    PACKAGED_SERVER / "fallback" / "catalogue.json",
    PACKAGED_SERVER / "grids" / "catalogue.json",
    PACKAGED_SERVER / "grids" / "LICENSE",
    PACKAGED_SERVER / "page" / "index.html",
    PACKAGED_SERVER / "file" / "index.html",
    LABEXTENSION / "package.json",
]


def _need(tool: str, purpose: str, install: str) -> None:
    if shutil.which(tool) is None:
        sys.exit(f"{tool} is missing. It is needed {purpose}.\n  Install it with: {install}")


def copy_server(built: Path, packaged: Path) -> None:
    """The built server as the wheel carries it.

    Without source maps, and with the engine once: the server reads the page's, and the page is served over the loopback, where
    a compressed copy saves nothing.
    """
    engine = shutil.ignore_patterns("*.map", "wattbook_engine_bg.wasm", "wattbook_engine_bg-*.wasm.gz")
    shutil.copytree(built, packaged, ignore=engine)


@contextmanager
def _javascript() -> Iterator[None]:
    """Builds server and labextension in a checkout; a source distribution carries them already.

    The server is copied into the package for the time of the build only: in a checkout the package uses `server/dist`.
    """
    checkout = (ROOT / "package.json").exists()
    if checkout:
        _need(
            "node",
            "to build the server and the JupyterLab extension",
            "your system's package nodejs, version 20 or newer",
        )
        command = ["node", str(ROOT / "binder" / "build.mjs"), "--ship", "--python", sys.executable]
        if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
            sys.exit("The JavaScript parts of the wheel could not be built; the reason is above.")
        shutil.rmtree(PACKAGED_SERVER, ignore_errors=True)
        copy_server(SERVER, PACKAGED_SERVER)
    try:
        missing = [str(path.relative_to(ROOT)) for path in SENTINELS if not path.exists()]
        if missing:
            sys.exit(f"These parts of the wheel are not built: {', '.join(missing)}")
        yield
    finally:
        if checkout:
            shutil.rmtree(PACKAGED_SERVER, ignore_errors=True)


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """The wheel's metadata. They hold the licence notices, which are known when everything is built."""
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
