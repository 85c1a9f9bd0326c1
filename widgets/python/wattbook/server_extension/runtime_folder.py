"""A private folder for the socket, or the file that names the port, with a file lock that lasts as long as its owner."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

_PREFIX = "wattbook-run-"
_LOCK = "lock"
#: A folder without a lock file may be under construction for this long.
_GRACE_SECONDS = 60.0
#: Length of `sun_path` on macOS (104) and Linux (108), with its end mark.
_LONGEST_PATH = 103
_LONGEST_PARENT = _LONGEST_PATH - len(f"/{_PREFIX}12345678/server.sock")


class RuntimeFolder:
    """A folder with mode 0700 below XDG_RUNTIME_DIR (or else the temporary folder), with a path short enough for a
    socket if it is `for_socket`. `remove()` deletes it. Raises OSError.

    Folders whose owners died without removing them are cleared first. The lock shows whether an owner lives: it
    disappears with the process, however that ended, and is not affected by reused process ids.
    """

    def __init__(self, parent: Path | None = None, *, for_socket: bool = True) -> None:
        self.path = _made([parent] if parent else _parents(for_socket))
        self._lock = hold(self.path / _LOCK)

    def remove(self) -> None:
        """Removes the folder and its content."""
        os.close(self._lock)  # first: Windows removes no file that is open
        shutil.rmtree(self.path, ignore_errors=True)


def remove_stale(parent: Path) -> None:
    """Removes this user's folders below `parent` whose owner is gone."""
    for folder in parent.glob(f"{_PREFIX}*"):
        try:
            if folder.is_dir() and not folder.is_symlink() and _is_mine(folder) and _abandoned(folder):
                shutil.rmtree(folder, ignore_errors=True)
        except FileNotFoundError:
            continue  # another process cleared it in the meantime


def _is_mine(folder: Path) -> bool:
    # The temporary folder of Windows is private to a user.
    return sys.platform == "win32" or folder.stat().st_uid == os.getuid()


def _abandoned(folder: Path) -> bool:
    try:
        return is_free(folder / _LOCK)
    except FileNotFoundError:
        return time.time() - folder.stat().st_mtime > _GRACE_SECONDS


def _made(parents: Iterable[Path]) -> Path:
    """A new folder below the first of `parents` that is writable."""
    refused: OSError | None = None
    for parent in parents:
        try:
            remove_stale(parent)
            return Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        except OSError as error:
            refused = error
    raise refused or OSError(f"no folder has a path of at most {_LONGEST_PARENT} characters, so that a socket fits in")


def _parents(for_socket: bool) -> Iterator[Path]:
    """XDG_RUNTIME_DIR, the temporary folder and `/tmp`; for a socket only those with room for its path."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    named = [runtime] if Path(runtime).is_absolute() else []
    last = [] if sys.platform == "win32" else ["/tmp"]
    for parent in dict.fromkeys((*named, tempfile.gettempdir(), *last)):
        if not for_socket or len(os.fsencode(parent)) <= _LONGEST_PARENT:
            yield Path(parent)


if sys.platform == "win32":
    import msvcrt

    def hold(path: Path) -> int:
        """Creates the locked file; its descriptor holds the lock. An open file cannot be renamed or removed here: a
        process that looks between its creation and its lock finds it free and removes nothing."""
        held = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        msvcrt.locking(held, msvcrt.LK_NBLCK, 1)
        return held

    def is_free(path: Path) -> bool:
        """Whether no process holds the file. Raises FileNotFoundError."""
        with path.open("rb") as file:
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            except OSError:
                return False
            return True

else:
    import fcntl

    def hold(path: Path) -> int:
        """Creates the locked file; its descriptor holds the lock. The file has a temporary name until it is locked."""
        new = path.with_name(f"{path.name}.new")
        held = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        fcntl.flock(held, fcntl.LOCK_EX)
        new.rename(path)
        return held

    def is_free(path: Path) -> bool:
        """Whether no process holds the file. Raises FileNotFoundError."""
        with path.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True
