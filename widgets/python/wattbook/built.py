"""Locations of the files that `npm run build` makes."""

from __future__ import annotations

import json
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
