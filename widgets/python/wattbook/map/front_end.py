"""The front end of maps for pages saved with their widgets, as by `ipywidgets.embed`."""

from __future__ import annotations

import json
import shutil
from base64 import b64encode
from os import PathLike
from pathlib import Path
from typing import Any

from ..built import page_file, places
from ..errors import InputError
from ..files import files

#: Text below a map where no front end shows it live.
NOT_LIVE = 'This is a picture. Live maps need JupyterLab with Wattbook; study.map().to_html("map.html") writes one as a page of its own.'


def embedded(state: dict[str, Any], study: bytes, picture: str | None) -> dict[str, Any]:
    """The state of a map in a page of `ipywidgets.embed`, with its gzipped Study file and its picture (SVG, None
    without positions)."""
    packed = {"encoding": "base64", "path": ["study"], "data": b64encode(study).decode("ascii")}
    return {
        **state,
        "state": {**state["state"], "picture": picture},
        "buffers": [*state.get("buffers", ()), packed],
    }


def copy_front_end(folder: str | PathLike[str]) -> Path:
    """Copies the front end of maps into the folder of a page of `ipywidgets.embed`, and returns the folder.

    The module is `@service/jupyterlab.js`, where require.js looks for it, with the engine and the map data beside it:
    28 MB. The page then needs a web server, because browsers do not load such files from the disk; `map.to_html()`
    writes a page that works from the disk. Raises InputError `OUTPUT.UNWRITABLE`, `MAP.NO_PAGE`.
    """
    built = next((path for path in places() if (path / "file" / "amd.json").is_file()), None)
    if built is None:
        raise InputError("MAP.NO_PAGE", "The page is not built: run `npm run build` in the checkout.")
    target = files.path_of(folder)
    with files.writing(target):
        inside = target / "@service"
        inside.mkdir(parents=True, exist_ok=True)
        for file in json.loads((built / "file" / "amd.json").read_bytes()):
            name = "jupyterlab.js" if file["role"] == "main" else file["path"].rpartition("/")[2]
            with files.beside(inside / name) as part:
                shutil.copyfile(page_file(file["path"]), part)
    return target
