"""The ground below the network of a map: the keyword `basemap` of `study.map`, in the form that the page reads
(widgets/src/map/userBasemap/basemapChoice.ts)."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ..arguments import formatted, meant, shortened
from ..errors import ArgumentError, InputError
from ..files.files import path_of
from ..text.words import visible

#: Words for the bundled grounds.
WORDS = ("natural_earth", "plain")
#: Placeholders of templates of raster tiles.
_TILE = ("{z}", "{x}", "{y}")
#: First bytes of an archive of version 3: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md.
_MAGIC = b"PMTiles\x03"
#: Largest answer to the page, which reads the directories and tiles of an archive one by one.
MOST_BYTES = 8 * 1024 * 1024
_LONGEST_ATTRIBUTION = 300
_LONGEST_ADDRESS = 2_000


@dataclass(frozen=True)
class TileFile:
    """A tile archive on the kernel's disk, which the page reads in parts. Its name in the page does not reveal its
    folder."""

    path: Path
    key: str

    def read(self, offset: Any, length: Any) -> bytes:
        """Bytes of the file, fewer at its end; raises InputError `BASEMAP.RANGE` or `BASEMAP.FILE`."""
        if not (_whole(offset) and _whole(length) and length <= MOST_BYTES):
            raise InputError("BASEMAP.RANGE", f"Tiles are read in parts of at most {MOST_BYTES} bytes.")
        try:
            with self.path.open("rb") as file:
                file.seek(offset)
                return file.read(length)
        except OSError as error:
            raise _unreadable(self.path, error) from error


def basemap_of(value: Any, attribution: Any) -> tuple[dict[str, Any], TileFile | None]:
    """The basemap that keywords of `study.map` name, and the file that the page reads from the kernel for it, if any.

    Raises ArgumentError `BASEMAP.UNKNOWN`, `BASEMAP.ATTRIBUTION`, InputError `BASEMAP.FILE`.
    """
    credit = _attribution(attribution)
    if value is None or (isinstance(value, str) and value in WORDS):
        if credit:
            raise ArgumentError("BASEMAP.ATTRIBUTION", "attribution belongs to a basemap with an address or a file.")
        return {"kind": "none" if value is None else value}, None
    text = os.fspath(value) if isinstance(value, (str, os.PathLike)) else None
    if not isinstance(text, str):
        raise _unknown(value)
    try:
        address = urlsplit(text) if "://" in text else None
        port = None if address is None else address.port  # ValueError outside 0 to 65535
    except ValueError as error:
        raise ArgumentError("BASEMAP.UNKNOWN", f"{shortened(text)} is not an address: {error}.") from None
    if address is not None and (len(text) > _LONGEST_ADDRESS or re.search(r"\s", text) or visible(text) != text):
        raise ArgumentError(
            "BASEMAP.UNKNOWN",
            f"An address has at most {_LONGEST_ADDRESS:,} characters, and no spaces or invisible ones: {shortened(text)}.",
        )
    if address is not None and address.scheme in ("http", "https") and address.hostname and port != 0:
        return {"kind": _kind(text, address.path), "url": text, **credit}, None
    if address is None and text.lower().endswith(".pmtiles"):
        try:
            path = path_of(text).absolute()
        except InputError as error:
            raise InputError("BASEMAP.FILE", error.message) from None
        _check(path)
        file = TileFile(path, secrets.token_hex(16))
        return {"kind": "pmtiles", "file": file.key, "name": visible(path.name), **credit}, file
    raise _unknown(value)


def part_of(files: Mapping[str, TileFile], message: Mapping[str, Any]) -> tuple[int, bytes]:
    """Offset and bytes of the part that the page requests; raises InputError `BASEMAP.UNKNOWN` for another file."""
    key = message.get("file")
    file = files.get(key) if isinstance(key, str) else None
    if file is None:
        raise InputError("BASEMAP.UNKNOWN", "This map has no such file of tiles. Run the cell again.")
    data = file.read(message.get("offset"), message.get("length"))
    return message["offset"], data


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _kind(text: str, path: str) -> str:
    named = [part for part in _TILE if part in text]
    if named and len(named) < len(_TILE):
        raise ArgumentError("BASEMAP.UNKNOWN", f"A template of tiles names {', '.join(_TILE)}: {shortened(text)}.")
    return "raster" if named else "pmtiles" if path.lower().endswith(".pmtiles") else "style"


def _check(path: Path) -> None:
    try:
        with path.open("rb") as file:
            head = file.read(len(_MAGIC))
    except OSError as error:
        raise _unreadable(path, error) from error
    if head != _MAGIC:
        raise InputError("BASEMAP.FILE", f"{visible(path.name)} is not a PMTiles archive of version 3.")


def _unreadable(path: Path, error: OSError) -> InputError:
    return InputError("BASEMAP.FILE", f"{shortened(visible(path.name))} cannot be read: {error.strerror or error}.")


def _attribution(attribution: Any) -> dict[str, str]:
    if attribution is None:
        return {}
    credit = visible(attribution).strip() if isinstance(attribution, str) else ""
    if not 0 < len(credit) <= _LONGEST_ATTRIBUTION:
        message = (
            f"attribution must be a text of at most {_LONGEST_ATTRIBUTION} characters, not {formatted(attribution)}."
        )
        raise ArgumentError("BASEMAP.ATTRIBUTION", message)
    return {"attribution": credit}


def _unknown(value: Any) -> ArgumentError:
    hint = f"; {meant(value, WORDS)}" if isinstance(value, str) and meant(value, WORDS) else "."
    return ArgumentError(
        "BASEMAP.UNKNOWN",
        "basemap must be the address of a style (https://...), a template of tiles (https://.../{z}/{x}/{y}.png), a .pmtiles "
        f'file or its address, "natural_earth", "plain" or None, not {formatted(value)}{hint}',
    )
