"""Reading and writing files; a file is written completely or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from secrets import token_hex
from typing import TypeAlias

from ..arguments import told
from ..errors import ArgumentError, InputError
from ..text.visible import visible

#: A path (`~` is the home folder), or the bytes of a file.
Source: TypeAlias = str | os.PathLike[str] | bytes
#: Largest file that is read, in bytes.
#: Longest path of any system, in characters.
_LONGEST_PATH = 32_767
MAX_BYTES = 128 * 1024 * 1024


def content(source: Source) -> tuple[Path | None, bytes]:
    """The path, None for bytes, and the contents.

    Raises InputError: `INPUT.NOT_FOUND`, `INPUT.UNREADABLE`, `INPUT.TOO_LARGE` (above 128 MiB), `INPUT.FORMAT` for text
    instead of a path; ArgumentError `ARGUMENT.FILE` for anything else, an open file for instance.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        return None, bytes(source)
    path = path_of(source, reading=True)
    return path, read(path)


def path_of(source: str | os.PathLike[str], *, reading: bool = False) -> Path:
    """`source` as a path with the home folder filled in; errors as for `content`."""
    if hasattr(source, "read"):
        raise ArgumentError(
            "ARGUMENT.FILE", "This is an open file: pass its path, or the bytes of its read() in binary mode."
        )
    if not isinstance(source, (str, os.PathLike)):
        what = "source must be a path or the bytes of a file" if reading else "path must be a path"
        raise ArgumentError("ARGUMENT.FILE", f"{what}, not {told(source)}.")
    text = os.fspath(source)
    if not text.strip():
        raise InputError("INPUT.NOT_FOUND", "The file name is empty.")
    # JSON is often one long line; no file system has names of this length.
    if "\n" in text or "\0" in text or len(text) > _LONGEST_PATH:
        raise InputError("INPUT.FORMAT", "This is text, not a path: pass the bytes of a file, text.encode().")
    path = Path(text)
    try:
        return path.expanduser()
    except RuntimeError:
        raise InputError("INPUT.NOT_FOUND", f"{path.parts[0]} has no home folder.") from None


def read(path: Path, limit: int = MAX_BYTES) -> bytes:
    """The bytes of a file of at most `limit` bytes; errors as for `content`."""
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except FileNotFoundError:
        where = "" if path.is_absolute() else f" in {Path.cwd()}"
        raise InputError("INPUT.NOT_FOUND", f"File not found: {visible(str(path))}{where}.") from None
    except IsADirectoryError:
        raise InputError("INPUT.UNREADABLE", f"{path} is a folder: pass the file itself.") from None
    except OSError as error:
        raise InputError("INPUT.UNREADABLE", f"{path} cannot be read: {error.strerror or error}.") from None
    if len(data) > limit:
        raise InputError("INPUT.TOO_LARGE", f"{visible(path.name)} is larger than {MAX_BYTES >> 20} MiB.")
    return data


def target(path: str | os.PathLike[str], stem: str, ending: str) -> Path:
    """Where to write: the path itself, or in a folder the file `stem` with `ending`."""
    chosen = path_of(path)
    if chosen.is_dir():
        return chosen / f"{stem}{ending}"
    if os.fspath(path).endswith(("/", os.sep)):  # a folder, which must not become a file of its name
        raise InputError("OUTPUT.UNWRITABLE", f"{os.fspath(path)} cannot be written: the folder does not exist.")
    return chosen


def write(path: Path, data: bytes, *, sync: bool = False) -> Path:
    """Writes the file and returns its path; an existing file is replaced only by a complete one, with `sync` by one that is on
    the disk.

    Raises InputError `OUTPUT.UNWRITABLE`.
    """
    try:
        if path.exists() and not path.is_file():  # write to a device or pipe, never replace it
            path.write_bytes(data)
            return path
        end = path.resolve()
        part = end.with_name(f".{end.name[:100]}.{token_hex(4)}.part")
        try:
            with part.open("xb") as file:
                file.write(data)
                if sync:
                    file.flush()
                    os.fsync(file.fileno())
            part.replace(end)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        why = "the folder does not exist" if isinstance(error, FileNotFoundError) else error.strerror or error
        raise InputError("OUTPUT.UNWRITABLE", f"{path} cannot be written: {why}.") from None
    return path
