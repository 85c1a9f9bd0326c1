"""Reading and writing files; a file is written completely or not at all."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import TypeAlias

from ..arguments import formatted
from ..errors import ArgumentError, InputError
from ..text.words import visible

#: A path (`~` is the home folder), or the bytes of a file.
Source: TypeAlias = str | os.PathLike[str] | bytes
#: Longest path on any system, in characters.
_LONGEST_PATH = 32_767
#: Largest input file, in bytes.
MAX_BYTES = 128 * 1024 * 1024
#: Largest number of files of one case.
MAX_FILES = 32
#: Characters that file names must not contain: separators and others with a meaning for file systems or shells, white
#: space, controls and invisible characters. `fileName` of widgets/src/workspace/cases/exports.ts has the same rule.
_UNSAFE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff\ud800-\udfff"
    r'\U000e0000-\U000e007f<>:"/\\|?*\s,]+'
)
#: Names of devices on Windows, with any extension.
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)", re.I)
#: Longest file name without its ending, in bytes of UTF-8.
_LONGEST_NAME = 120


def content(source: Source) -> tuple[Path | None, bytes]:
    """The path, None for bytes, and the contents.

    Raises InputError: `INPUT.NOT_FOUND`, `INPUT.UNREADABLE`, `INPUT.TOO_LARGE` (above 128 MiB), `INPUT.FORMAT` for text
    instead of a path; ArgumentError `ARGUMENT.FILE` for anything else, an open file for instance.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        return None, bytes(source)
    path = path_of(source, reading=True)
    return path, read(path)


def joined(sources: Sequence[str | os.PathLike[str]]) -> tuple[Path, bytes]:
    """The first path, and the contents of up to 32 XML files one after another, as the engine reads profiles of CGMES.

    Raises InputError: those of `content`, `INPUT.TOO_MANY`, and `INPUT.TOO_LARGE` for more than 128 MiB together;
    ArgumentError `ARGUMENT.FILE` for an empty list and for anything but paths.
    """
    if not sources:
        raise ArgumentError("ARGUMENT.FILE", "source is an empty list: pass the paths of the files.")
    if len(sources) > MAX_FILES:
        raise InputError("INPUT.TOO_MANY", f"{len(sources)} files are more than the {MAX_FILES} that a case may have.")
    paths = [path_of(source, reading=True) for source in sources]
    parts: list[bytes] = []
    for path in paths:
        parts.append(read(path))
        if sum(map(len, parts)) > MAX_BYTES:
            raise InputError("INPUT.TOO_LARGE", f"Up to {path.name} the files have more than 128 MiB together.")
    return paths[0], b"\n".join(parts)


def path_of(source: str | os.PathLike[str], *, reading: bool = False) -> Path:
    """`source` as a path with the home folder expanded; errors as for `content`."""
    if hasattr(source, "read"):
        raise ArgumentError(
            "ARGUMENT.FILE", "This is an open file: pass its path, or the bytes of its read() in binary mode."
        )
    if not isinstance(source, (str, os.PathLike)):
        what = "source must be a path or the bytes of a file" if reading else "path must be a path"
        raise ArgumentError("ARGUMENT.FILE", f"{what}, not {formatted(source)}.")
    text = os.fspath(source)
    if not text.strip():
        raise InputError("INPUT.NOT_FOUND", "The file name is empty.")
    # JSON is often one long line; no file system permits names of this length.
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


def is_file(path: Path) -> bool:
    """Whether there is a file; False also where a folder above may not be searched, which reading or writing reports."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_folder(path: Path) -> bool:
    """Whether there is a folder, as `is_file`."""
    try:
        return path.is_dir()
    except OSError:
        return False


def component(name: str) -> str:
    """`name`, which may come from a file, as one component of a path on every file system: no separator, no leading
    dot."""
    safe = _UNSAFE.sub("_", name).lstrip(".-").encode()[:_LONGEST_NAME].decode(errors="ignore").rstrip(".")
    return f"_{safe}" if _DEVICES.match(safe) else safe or "case"


def target(path: str | os.PathLike[str], stem: str, ending: str) -> Path:
    """Where to write: the path itself, or in a folder the file named after `stem`, with `ending`."""
    chosen = path_of(path)
    if is_folder(chosen):
        return chosen / f"{component(stem)}{ending}"
    if os.fspath(path).endswith(("/", os.sep)):  # a folder, which must not become a file of that name
        raise InputError("OUTPUT.UNWRITABLE", f"{os.fspath(path)} cannot be written: the folder does not exist.")
    return chosen


def write(path: Path, data: bytes, *, sync: bool = False) -> Path:
    """Writes the file and returns its path. An existing file is replaced only by a complete one, and with `sync` by one
    that is on the disk.

    Raises InputError `OUTPUT.UNWRITABLE`.
    """
    with writing(path):
        if path.exists() and not path.is_file():  # write to a device or pipe, never replace it
            path.write_bytes(data)
            return path
        with beside(path) as part, part.open("xb") as file:
            file.write(data)
            if sync:
                file.flush()
                os.fsync(file.fileno())
    return path


@contextmanager
def beside(path: Path) -> Iterator[Path]:
    """The path of a temporary file that replaces `path` at the end, and is removed if writing fails. Raises OSError."""
    end = path.resolve()
    part = part_of(end)
    try:
        yield part
        part.replace(end)
    finally:
        part.unlink(missing_ok=True)


def part_of(path: Path) -> Path:
    """A temporary name beside `path` for an incomplete file."""
    return path.with_name(f".{token_hex(8)}.part")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raises InputError `OUTPUT.UNWRITABLE` for `path` if writing fails, for instance on a full disk."""
    try:
        yield
    except OSError as error:
        raise unwritable(path, error) from None


def unwritable(path: Path, error: OSError) -> InputError:
    """The error of a file or folder that cannot be written."""
    if isinstance(error, FileNotFoundError):
        why = "the folder does not exist"
    else:  # pyarrow reports the number of the error with its own text
        why = os.strerror(error.errno) if error.errno else str(error)
    return InputError("OUTPUT.UNWRITABLE", f"{visible(str(path))} cannot be written: {why}.")
