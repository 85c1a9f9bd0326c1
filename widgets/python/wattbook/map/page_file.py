"""The page of a map outside JupyterLab: as a single file that works without a server and a network, with the page's own
files, the Study and the tiles around the network packed into it; and the front end of maps for pages saved with their
widgets, as by `ipywidgets.embed`."""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import shutil
import sys
from base64 import b64encode
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any, Self

import numpy as np
from pmtiles.reader import MemorySource, Reader, all_tiles
from pmtiles.tile import Compression, zxy_to_tileid
from pmtiles.writer import Writer

from .. import built
from ..errors import InputError
from ..files import files

#: Up to this zoom an extract has every tile.
_WHOLE_ZOOM = 4
#: Sides of the square around a network whose tiles of all zooms are in the extract: so many times its larger extent, and at least
#: so many degrees.
_TIMES, _LEAST = 1.1, 2.0
#: Latitude of the edge of Web Mercator's square, degrees.
_EDGE = math.degrees(math.atan(math.sinh(math.pi)))

#: West, south, east, north, degrees.
_Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class TileExtract:
    """The tiles of an extract: all of the first zooms, and of the others those within `box`; None for no others."""

    box: _Box | None

    @classmethod
    def around(cls, places: np.ndarray) -> Self:
        """The extract for buses at these longitudes and latitudes, degrees; rows that are not finite do not count."""
        known = places[np.isfinite(places).all(axis=1)]
        if not len(known):
            return cls(None)
        low, high = known.min(axis=0), known.max(axis=0)
        half = max(_TIMES * float((high - low).max()), _LEAST) / 2
        longitude, latitude = ((low + high) / 2).tolist()
        west, east = max(longitude - half, -180.0), min(longitude + half, 180.0)
        return cls((west, max(latitude - half, -_EDGE), east, min(latitude + half, _EDGE)))

    def as_json(self) -> dict[str, Any]:
        """As the page reads it (widgets/src/map/ground/groundStyle.ts): beyond the box it enlarges the tiles of the last whole zoom."""
        return {"zoom": _WHOLE_ZOOM, "box": self.box}

    def of(self, archive: Path) -> bytes:
        """The PMTiles archive with these tiles of `archive`, which are unpacked: the page packs them together."""
        source = MemorySource(archive.read_bytes())
        reader = Reader(source)
        target = BytesIO()
        writer = Writer(target)
        # The writer gathers tiles in a temporary file, which a full disk refuses.
        writer.tile_f.close()
        writer.tile_f = BytesIO()  # type: ignore[assignment]
        for (zoom, x, y), data in all_tiles(source):
            if zoom <= _WHOLE_ZOOM or self._meets(zoom, x, y):
                writer.write_tile(zxy_to_tileid(zoom, x, y), gzip.decompress(data))
        writer.finalize({**reader.header(), "tile_compression": Compression.NONE}, reader.metadata())
        return target.getvalue()

    def _meets(self, zoom: int, x: int, y: int) -> bool:
        if self.box is None:
            return False
        west, south, east, north = self.box
        left, upper = _tile(zoom, west, north)
        right, lower = _tile(zoom, east, south)
        return left <= x <= right and upper <= y <= lower


def _tile(zoom: int, longitude: float, latitude: float) -> tuple[int, int]:
    """Column and row of the tile that contains a place."""
    down = (1 - math.asinh(math.tan(math.radians(latitude))) / math.pi) / 2
    return math.floor(2**zoom * (longitude + 180) / 360), math.floor(2**zoom * down)


if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


_BUILT = built.places()
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
    found = next((path for path in _BUILT if (path / "file" / "index.html").is_file()), None)
    if found is None:
        raise InputError("MAP.NO_PAGE", "The page is not built: run `npm run build` in the checkout.")
    tiles = TileExtract.around(places)
    shown = json.dumps({**view, "tiles": tiles.as_json()})
    own = [("map.study.json", "file", gzip.decompress(study)), ("view.json", "file", shown.encode())]
    shared = []
    for file in json.loads((found / "file" / "files.json").read_bytes()):
        path = built.page_file(file["path"])
        name = str(file["path"]).rpartition("/")[2]
        if path.suffix == ".pmtiles":
            own.append((name, file["role"], tiles.of(path)))
        else:
            shared.append((name, str(file["role"]), path, path.stat().st_mtime_ns))
    parts = [_packed_built(tuple(shared)), _packed(own)]
    shell = (found / "file" / "index.html").read_text(encoding="utf-8")
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
    module = next((path for path in built.places() if (path / "file" / "amd.json").is_file()), None)
    if module is None:
        raise InputError("MAP.NO_PAGE", "The page is not built: run `npm run build` in the checkout.")
    target = files.path_of(folder)
    with files.writing(target):
        inside = target / "@service"
        inside.mkdir(parents=True, exist_ok=True)
        for file in json.loads((module / "file" / "amd.json").read_bytes()):
            name = "jupyterlab.js" if file["role"] == "main" else file["path"].rpartition("/")[2]
            with files.beside(inside / name) as part:
                shutil.copyfile(built.page_file(file["path"]), part)
    return target
