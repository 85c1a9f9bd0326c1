"""A map as a single page that works without a server and a network: the page's own files and the Study, packed into it."""

from __future__ import annotations

import gzip
import hashlib
import json
from base64 import b64encode
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

from .. import built as files
from ..errors import InputError

_BUILT = files.places()


def page_file(title: str, study: bytes, view: dict[str, Any]) -> bytes:
    """The page of a map: `study` is a gzipped Study file, `view` the options of the map, as in
    widgets/src/page/file/packed.ts.

    Raises InputError `MAP.NO_PAGE` in a checkout that is not built.
    """
    built = next((path for path in _BUILT if (path / "file" / "index.html").is_file()), None)
    if built is None:
        raise InputError("MAP.NO_PAGE", "The page is not built: run `npm run build` in the checkout.")
    parts = [_packed("map.study.json.gz", "file", study), _packed("view.json", "file", json.dumps(view).encode())]
    for file in json.loads((built / "file" / "files.json").read_bytes()):
        name = str(file["path"])
        path = files.page_file(name)
        parts.append(_packed_built(path, path.stat().st_mtime_ns, name.rpartition("/")[2], file["role"]))
    shell = (built / "file" / "index.html").read_text(encoding="utf-8")
    # Only scripts with this value run, and packed content cannot contain it.
    nonce = hashlib.sha256("".join(parts).encode()).hexdigest()
    head, rest = shell.replace("{nonce}", nonce).split("{files}")
    return (head.replace("{title}", escape(title)) + "\n".join(parts) + rest).encode()


@lru_cache(maxsize=128)
def _packed_built(path: Path, mtime_ns: int, name: str, role: str) -> str:
    """A file of the built page, packed once while it is unchanged, because packing the engine takes seconds."""
    return _packed(name, role, path.read_bytes())


def _packed(name: str, role: str, data: bytes) -> str:
    text = b64encode(gzip.compress(data, 9 if role != "file" else 6, mtime=0)).decode()
    return f'<script type="application/gzip" data-name="{name}" data-role="{role}">{text}</script>'
