"""A private folder for the socket, held by a file lock for as long as its owner lives."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

_PREFIX = "wattbook-run-"
_LOCK = "lock"
#: A folder without a lock file may be one that is being made right now.
_GRACE_SECONDS = 60.0
#: Length of `sun_path` on macOS (104) and Linux (108), with its end mark.
_LONGEST_PATH = 103
_LONGEST_PARENT = _LONGEST_PATH - len(f"/{_PREFIX}12345678/server.sock")


class RuntimeFolder:
    """A folder with mode 0700 below XDG_RUNTIME_DIR (else the temporary folder). `remove()` ends it. Raises OSError.

    Folders whose owners died without removing them are cleared first. The lock decides who lives: it disappears with the
    process, however that ended, and is not fooled by process numbers that are used again.
    """

    def __init__(self, parent: Path | None = None) -> None:
        self.path = _made([parent] if parent else _parents())
        new = self.path / f"{_LOCK}.new"
        self._lock = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        new.rename(self.path / _LOCK)

    def remove(self) -> None:
        """Removes the folder and what is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


def remove_stale(parent: Path) -> None:
    """Removes this user's folders below `parent` whose owner is gone."""
    for folder in parent.glob(f"{_PREFIX}*"):
        try:
            if (
                folder.is_dir()
                and not folder.is_symlink()
                and folder.stat().st_uid == os.getuid()
                and _abandoned(folder)
            ):
                shutil.rmtree(folder, ignore_errors=True)
        except FileNotFoundError:
            continue  # somebody else cleared it meanwhile


def _abandoned(folder: Path) -> bool:
    try:
        with (folder / _LOCK).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return True
    except BlockingIOError:
        return False
    except FileNotFoundError:
        return time.time() - folder.stat().st_mtime > _GRACE_SECONDS


def _made(parents: Iterable[Path]) -> Path:
    """A new folder below the first of `parents` that can be written."""
    refused: OSError | None = None
    for parent in parents:
        try:
            remove_stale(parent)
            return Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        except OSError as error:
            refused = error
    raise refused or OSError(f"no folder has a path of at most {_LONGEST_PARENT} characters, so that a socket fits in")


def _parents() -> Iterator[Path]:
    """XDG_RUNTIME_DIR, the temporary folder and `/tmp`, where they leave room for a socket's path."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    named = [runtime] if Path(runtime).is_absolute() else []
    for parent in dict.fromkeys((*named, tempfile.gettempdir(), "/tmp")):
        if len(os.fsencode(parent)) <= _LONGEST_PARENT:
            yield Path(parent)
