"""The tiles of the usual basemap around a network, as an archive of their own."""

from __future__ import annotations

import gzip
import math
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Self

import numpy as np
from pmtiles.reader import MemorySource, Reader, all_tiles
from pmtiles.tile import Compression, zxy_to_tileid
from pmtiles.writer import Writer

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
