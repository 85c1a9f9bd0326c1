"""Where files of `npm run build` lie."""

from __future__ import annotations

import json
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_SERVERS = (_PACKAGE / "server", _PACKAGE.parents[2] / "server" / "dist")
#: Where an installation puts the files of the JupyterLab extension.
_LABEXTENSION = "share/jupyter/labextensions/@service/jupyterlab/static"
#: Tells the companion server of that folder.
SHARED_VARIABLE = "WATTBOOK_SHARED_FILES"


def examples() -> Path | None:
    """The folder of the example notebooks; None where an installation has none."""
    return next((one for one in (_SERVERS[0] / "examples", _PACKAGE.parents[2] / "examples") if one.is_dir()), None)


def places(*names: str) -> tuple[Path, ...]:
    """Both places of a built file or folder: inside the package in a wheel, in the server's build folder in a checkout."""
    return tuple(server.joinpath(*names) for server in _SERVERS)


def page_file(name: str) -> Path:
    """The file `name` of the built page. A wheel holds the engine and the basemap once, with the JupyterLab extension."""
    shared = _shared().get(f"page/{name}")
    return shared or next(
        (path for path in places("page", *name.split("/")) if path.is_file()), places("page", name)[0]
    )


def page_files(prefix: str) -> list[Path]:
    """The files of the built page whose names begin so."""
    shared = [path for name, path in _shared().items() if name.startswith(f"page/{prefix}")]
    return shared or [path for page in places("page") for path in sorted(page.glob(f"{prefix}*"))]


def server_environment() -> dict[str, str]:
    """What the environment of the companion server says of its files."""
    shared = next(iter(_shared().values()), None)
    return {} if shared is None else {SHARED_VARIABLE: str(shared.parent)}


@cache
def _shared() -> dict[str, Path]:
    """Files of the server that lie with the JupyterLab extension, by their names in the server (`binder/backend.py`)."""
    table = _SERVERS[0] / "shared.json"
    if not table.is_file():
        return {}
    folder = _labextension()
    return {name: folder / there for name, there in json.loads(table.read_bytes()).items()}


def _labextension() -> Path:
    """Where the extension was installed: its installer has written down every file."""
    try:
        files = distribution("wattbook").files or []
    except PackageNotFoundError:
        files = []
    found = next((file for file in files if file.parent.as_posix().endswith(_LABEXTENSION)), None)
    return Path(str(found.locate())).resolve().parent if found else Path(sys.prefix, _LABEXTENSION)
