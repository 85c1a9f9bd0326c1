"""A map as a single page that works without a server and a network: the page's own files and the Study, packed into it."""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

from .. import built as files
from ..errors import InputError
from .tile_extract import TileExtract

_BUILT = files.places()
#: The engine in a second. Level 19 saves a tenth of its bytes and takes ten.
_LEVEL = 12
#: The engine repeats itself over distances longer than the 4 MB that the level looks back.
_OPTIONS: dict[int, int] = {
    zstd.CompressionParameter.compression_level: _LEVEL,
    zstd.CompressionParameter.window_log: 25,
}
#: Characters that a parser of HTML changes or reads (NUL, CR, <), and those that programs for text may not pass on (SUB, ESC, &):
#: two bytes of UTF-8 stand for one of them and the character after it.
_REPLACED = np.frombuffer(b"\x00\r\x1a\x1b&<", dtype=np.uint8)
_BITS = 7

#: Name, role and content of a file of the page; the roles are those of widgets/src/page/file/unpack.ts.
_File = tuple[str, str, bytes]


def page_file(title: str, study: bytes, view: dict[str, Any], places: np.ndarray) -> bytes:
    """The page of a map: `study` is a gzipped Study file, `view` how the map looks, as widgets/src/page/file/packed.ts has it, `places`
    are longitude and latitude of the buses, around which the page has all tiles of the basemap.

    Raises InputError `MAP.NO_PAGE` in a checkout that is not built.
    """
    built = next((path for path in _BUILT if (path / "file" / "index.html").is_file()), None)
    if built is None:
        raise InputError("MAP.NO_PAGE", "The page is not built: run `npm run build` in the checkout.")
    tiles = TileExtract.around(places)
    shown = json.dumps({**view, "tiles": tiles.as_json()})
    own = [("map.study.json", "file", gzip.decompress(study)), ("view.json", "file", shown.encode())]
    shared = []
    for file in json.loads((built / "file" / "files.json").read_bytes()):
        path = files.page_file(file["path"])
        name = str(file["path"]).rpartition("/")[2]
        if path.suffix == ".pmtiles":
            own.append((name, file["role"], tiles.of(path)))
        else:
            shared.append((name, str(file["role"]), path, path.stat().st_mtime_ns))
    parts = [_packed_built(tuple(shared)), _packed(own)]
    shell = (built / "file" / "index.html").read_text(encoding="utf-8")
    # Only scripts with this value run, and what is packed cannot hold it.
    nonce = hashlib.sha256(b"".join(parts)).hexdigest()
    head, rest = shell.replace("{nonce}", nonce).split("{files}")
    return b"".join([head.replace("{title}", escape(title)).encode(), *parts, rest.encode()])


@lru_cache(maxsize=2)
def _packed_built(built: tuple[tuple[str, str, Path, int], ...]) -> bytes:
    """Files of the built page by name, role, path and time, packed once as long as they stay the same: the engine takes a second."""
    return _packed([(name, role, path.read_bytes()) for name, role, path, _ in built])


def _packed(contents: list[_File]) -> bytes:
    """Files as one element of the page."""
    packed = zstd.compress(b"".join(data for _, _, data in contents), options=_OPTIONS)
    table = json.dumps([{"name": name, "role": role, "bytes": len(data)} for name, role, data in contents])
    start = f'<script type="application/zstd" data-bytes="{len(packed)}" data-files="{escape(table)}">'
    return b"".join([start.encode(), characters(packed), b"</script>"])


def characters(data: bytes) -> bytes:
    """Bytes as UTF-8 for the inside of a script element of HTML: 8 bytes for 7, where base64 takes 9.3.

    Each character has seven bits, the highest first; zeros fill the last one, and one character more follows. A replaced character
    and the one after it are one from U+0400 to U+07FF, whose lower bits are the place in `_REPLACED` and the seven bits.
    """
    groups = np.zeros((-(-len(data) // _BITS), 8), dtype=np.uint8)
    groups[:, 1:] = np.frombuffer(data.ljust(_BITS * len(groups), b"\0"), dtype=np.uint8).reshape(-1, _BITS)
    shifts = np.arange(8 * _BITS - _BITS, -1, -_BITS, dtype=np.uint64)
    text = (groups.view(">u8") >> shifts & 127).astype(np.uint8).ravel()
    text = np.append(text, np.uint8(ord(" ")))
    found = np.flatnonzero(np.isin(text, _REPLACED))
    # Of those in a row, every second one goes with the one before it.
    begin = np.maximum.accumulate(np.where(np.diff(found, prepend=-2) > 1, found, 0))
    first = found[(found - begin) % 2 == 0]
    pairs = 0x400 | np.searchsorted(_REPLACED, text[first]) << _BITS | text[first + 1]
    text[first], text[first + 1] = 0xC0 | pairs >> 6, 0x80 | pairs & 0x3F
    return text.tobytes()
