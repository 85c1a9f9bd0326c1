"""The files that an OpenDSS master file includes, read here because the engine never accesses the disk."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..errors import InputError
from . import files

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
        data = files.read(path, files.MAX_BYTES - self.used)
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
    return here if files.is_file(here) else None
