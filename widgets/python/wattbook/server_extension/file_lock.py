"""A lock on a file that ends with its process, however that ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def hold(path: Path) -> int:
        """Makes the file, locked; its descriptor holds the lock. A file that is open has its name for good here, and cannot be removed:
        whoever comes between its making and its lock finds it free and removes nothing."""
        held = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        msvcrt.locking(held, msvcrt.LK_NBLCK, 1)
        return held

    def is_free(path: Path) -> bool:
        """Whether nobody holds the file. Raises FileNotFoundError."""
        with path.open("rb") as file:
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            except OSError:
                return False
            return True

else:
    import fcntl

    def hold(path: Path) -> int:
        """Makes the file, locked; its descriptor holds the lock. The file has another name until it is locked."""
        new = path.with_name(f"{path.name}.new")
        held = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        fcntl.flock(held, fcntl.LOCK_EX)
        new.rename(path)
        return held

    def is_free(path: Path) -> bool:
        """Whether nobody holds the file. Raises FileNotFoundError."""
        with path.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True
