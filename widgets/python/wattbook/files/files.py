"""Reading and writing files; a file is written completely or not at all. The files that an OpenDSS master file includes
are found here, because the engine never accesses the disk. Tables in Parquet files are written block by block."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from ..arguments import formatted
from ..errors import ArgumentError, InputError
from ..text.words import visible

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow

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


#: Commands that include a file, and their shortest forms.
_VERBS = {"redirect": 3, "compile": 1, "buscoords": 3, "latlongcoords": 2}
_SCRIPTS = ("redirect", "compile")
#: Largest number of files of one network, and of their nesting; the engine reports these limits first.
_MAX_FILES, _MAX_DEPTH = 4096, 64
#: Largest number of missing scripts named, as in the engine.
_MOST_MISSING = 100
_COMMAND = re.compile(
    r"""\s*([a-z]+)[\s=,]+(?:file\s*=\s*)?(?:"([^"]*)"|'([^']*)'|\(([^)]*)\)|\[([^]]*)\]|\{([^}]*)\}|([^\s,!]+))""",
    re.I,
)
_PROFILE = re.compile(r"""\b(?:csvfile|file)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s,!()\[\]{}"']+))""", re.I)


def companions(master: Path, data: bytes) -> list[tuple[str, bytes]]:
    """The files that `master` includes, directly or through each other, with the names that the engine uses.

    Names are paths relative to the master's folder with `/`; letter case and `\\` do not matter, as on the systems
    where these files are written. Only included files are read: by relative path or, if the path is absolute, by name
    in the master's folder. Raises InputError `INPUT.COMPANION` for missing scripts, up to a hundred of them in
    `details["missing"]`. Positions (`BusCoords`, `LatLongCoords`) may be missing, with a warning of the engine, and so
    may profiles of loads.
    """
    walk = _Walk(master.parent, len(data))
    walk.script(master.name, data, "", 0)
    walk.refuse_missing()
    return sorted(walk.found.values())


class _Walk:
    def __init__(self, folder: Path, used: int) -> None:
        self.folder = folder
        #: By name in lower case: name and contents.
        self.found: dict[str, tuple[str, bytes]] = {}
        self.used = used
        #: Missing scripts by name in lower case: the name as written, and the message.
        self.missing: dict[str, tuple[str, str]] = {}

    def script(self, name: str, data: bytes, folder: str, depth: int) -> None:
        """Reads the files that the script `name` includes; relative paths start at `folder`, which a compiled script
        changes."""
        for number, line in _lines(data):
            command = _COMMAND.match(line)
            verb = _verb(command[1]) if command else None
            if command is None or verb is None:
                for match in _PROFILE.finditer(line):
                    self.take(_key(_first(match.groups()), folder))
                continue
            given = _first(command.groups()[1:])
            if given.startswith("@"):
                continue  # the engine refuses variables in file names
            key = _key(given, folder)
            new = key.lower() not in self.found
            if not self.take(key):
                if verb not in _SCRIPTS:
                    continue
                message = f"Line {number} of {name} includes {given}, but {self.folder / key} does not exist."
                if len(self.missing) < _MOST_MISSING:
                    self.missing.setdefault(given.lower(), (given, message))
            elif verb in _SCRIPTS and new and depth < _MAX_DEPTH:
                self.script(given, self.found[key.lower()][1], posixpath.dirname(key), depth + 1)
            if verb == "compile":
                folder = posixpath.dirname(key)

    def refuse_missing(self) -> None:
        if self.missing:
            names, message = zip(*self.missing.values(), strict=True)
            also = f" Also missing: {', '.join(names[1:])}." if len(names) > 1 else ""
            details = {"file": names[0], "missing": [*names]}
            raise InputError("INPUT.COMPANION", message[0] + also, details=details)

    def take(self, key: str) -> bool:
        """Reads a file; False if it does not exist."""
        if key.lower() in self.found:
            return True
        path = _on_disk(self.folder, key) if len(self.found) < _MAX_FILES else None
        if path is None:
            return False
        data = read(path, MAX_BYTES - self.used)
        self.used += len(data)
        self.found[key.lower()] = key, data
        return True


def _verb(word: str) -> str | None:
    word = word.lower()
    return next((verb for verb, least in _VERBS.items() if len(word) >= least and verb.startswith(word)), None)


def _first(parts: Iterable[str | None]) -> str:
    return next((part for part in parts if part), "")


def _lines(data: bytes) -> Iterator[tuple[int, str]]:
    """Numbered lines outside of block comments, which begin a line with `/*`."""
    inside = False
    for number, line in enumerate(data.decode("latin-1").splitlines(), 1):
        inside = inside or line.lstrip().startswith("/*")
        if not inside:
            text = re.split("!|//", line, maxsplit=1)[0]
            if text.strip():
                yield number, text
        elif "*/" in line:
            inside = False


def _key(given: str, folder: str) -> str:
    """The path relative to the master's folder; of an absolute path, which is from another machine, only the name
    counts."""
    path = given.strip().replace("\\", "/")
    if path.startswith("/") or re.match("[a-zA-Z]:", path):
        return posixpath.basename(path)
    return posixpath.normpath(posixpath.join(folder, path))


def _on_disk(folder: Path, key: str) -> Path | None:
    """The file with exactly this name, or else one that differs only in letter case."""
    here = folder
    for part in key.split("/"):
        step = here / part
        try:
            names = [] if part == ".." or step.exists() else sorted(entry.name for entry in here.iterdir())
        except OSError:
            return None
        here = next((here / name for name in names if name.lower() == part.lower()), step)
    return here if is_file(here) else None


#: Limits of a row group, in rows and in bytes before compression. Every column of a group is written separately, so
#: groups of few rows take many times as long and as much space.
_GROUP_ROWS, _GROUP_BYTES = 4096, 32 << 20


def arrow(frame: pd.DataFrame) -> pyarrow.Table:
    """A DataFrame as an Arrow table. Raises InputError `OUTPUT.PYARROW` without pyarrow."""
    try:
        import pyarrow as pa
    except ImportError:
        raise InputError("OUTPUT.PYARROW", "This needs pyarrow: pip install pyarrow.") from None
    plain = frame.copy(deep=False)
    plain.attrs = {}
    if not all(kind == "float64" for kind in frame.dtypes):
        return pa.Table.from_pandas(plain, preserve_index=True)
    # pandas takes six times as long for wide numeric tables, because it inspects the type of each column.
    index = pa.Table.from_pandas(plain.iloc[:, :0], preserve_index=True)
    values = plain.to_numpy()
    columns = [pa.array(values[:, k], from_pandas=True) for k in range(values.shape[1])]
    names = [*plain.columns, *index.column_names]
    return pa.table([*columns, *index.columns], names, metadata=index.schema.metadata)


class TableFiles:
    """One Parquet file per table in a folder, which is created; nothing without a folder.

    Rows are buffered until they fill a row group. Files are written under temporary names and renamed at the end, also
    after an interrupt, with the rows added until then. If one cannot be written, all are removed and the tables of an
    earlier run stay. `names` are the tables that results may have: those of an earlier run are removed, because they
    would be mistaken for this run's.

    Raises ArgumentError `ARGUMENT.FILE`, InputError `OUTPUT.PYARROW`, `OUTPUT.UNWRITABLE`.
    """

    def __init__(self, folder: str | os.PathLike[str] | None, names: Iterable[str]) -> None:
        self.folder = None if folder is None else path_of(folder)
        self._names = names
        self._waiting: dict[str, list[pd.DataFrame]] = {}
        self._writers: dict[str, Any] = {}
        self._parts: dict[str, Path] = {}

    def __enter__(self) -> Self:
        if self.folder is not None:
            try:
                import pyarrow.parquet  # noqa: F401
            except ImportError:
                raise InputError("OUTPUT.PYARROW", "Parquet files need pyarrow: pip install pyarrow.") from None
            with writing(self.folder):
                self.folder.mkdir(parents=True, exist_ok=True)
        return self

    def write(self, name: str, frame: pd.DataFrame) -> None:
        """Adds rows to a table, with the columns and types of the first ones."""
        if self.folder is None:
            return
        waiting = self._waiting.setdefault(name, [])
        waiting.append(frame)
        rows = sum(map(len, waiting))
        if rows >= _GROUP_ROWS or 8 * rows * frame.shape[1] >= _GROUP_BYTES:
            self._put(self.folder, name)

    def _put(self, folder: Path, name: str) -> None:
        """Writes the buffered rows of a table as a row group."""
        import pandas as pd
        import pyarrow.parquet as pq

        path = folder / f"{name}.parquet"
        waiting = self._waiting.pop(name)
        table = arrow(pd.concat(waiting) if len(waiting) > 1 else waiting[0])
        with writing(path):
            if name not in self._writers:
                self._parts[name] = part_of(path)
                self._writers[name] = pq.ParquetWriter(self._parts[name], table.schema)
            self._writers[name].write_table(table.cast(self._writers[name].schema))

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if self.folder is None:
            return
        try:
            if getattr(error, "code", None) != "OUTPUT.UNWRITABLE":
                for name in [*self._waiting]:
                    self._put(self.folder, name)
                self._finish(self.folder)
        finally:
            self._abandon()

    def _finish(self, folder: Path) -> None:
        """Closes and renames the files."""
        for name, writer in self._writers.items():
            with writing(folder / f"{name}.parquet"):
                writer.close()
        if self._parts:
            with writing(folder):
                for earlier in set(self._names) - set(self._parts):
                    (folder / f"{earlier}.parquet").unlink(missing_ok=True)
                for name, part in self._parts.items():
                    part.replace(folder / f"{name}.parquet")

    def _abandon(self) -> None:
        """Removes the temporary files."""
        for name, part in self._parts.items():
            if part.exists():
                with suppress(OSError):  # a file that could not be written before cannot be written now
                    self._writers[name].close()
                part.unlink(missing_ok=True)
