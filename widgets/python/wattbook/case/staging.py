"""The bundled grids, unpacked once into the user's data folder, where the companion server and `open_case` read them.

The package contains `catalogue.json`, one `<id>.json.gz` per case, and `base/*`, their base solutions in the server's
format. The build creates and solves them; here only hashes are checked.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import stat
import sys
import tempfile
import time
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..built import places
from ..files.files import beside

_BUNDLES = places("grids")
CATALOGUE = "catalogue.json"
#: Environment variable with a folder of staged cases.
DATA_VARIABLE = "SERVICE_DATA"
_TEMPORARY = ".staging-"
#: A temporary folder of this age belongs to a process that died.
_ABANDONED_SECONDS = 86_400.0


class NotWritable(OSError):
    """Neither the user's data folder nor the temporary folder is writable; the text names both and the variable to set."""


class DamagedBundle(Exception):
    """The packed grids do not match their catalogue; the text says which."""


def bundle() -> Path | None:
    """The folder with the packed grids; None in a checkout built without them."""
    return next((folder for folder in _BUNDLES if (folder / CATALOGUE).is_file()), None)


def user_folder() -> Path:
    """`<user data>/wattbook`, a cache that may be deleted at any time. Raises OSError for a user without a home."""
    from platformdirs import user_data_path

    try:
        folder = user_data_path("wattbook", appauthor=False)
    except RuntimeError as error:
        raise FileNotFoundError(str(error)) from error
    if not folder.is_absolute():  # earlier releases of platformdirs leave a `~` that cannot be expanded
        raise FileNotFoundError(f"{folder} is in no home folder: HOME is not set")
    return folder


def spare_folder() -> Path:
    """A private folder below the temporary folder, used if the data folder is not writable.

    Its name is predictable so that the next process finds the unpacked grids; a folder that another user owns or may
    write to is refused. Raises OSError.
    """
    if sys.platform == "win32":  # the temporary folder is private to a user there
        folder = Path(tempfile.gettempdir()) / "wattbook"
        folder.mkdir(exist_ok=True)
        return folder
    folder = Path(tempfile.gettempdir()) / f"wattbook-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o022:
        raise PermissionError(f"{folder} is not a folder of this user alone")
    return folder


def stage_for_user(packed: Path, spare: Path | None = None) -> Path:
    """Unpacks the grids of `packed` into the user's data folder or, if that is not writable (read-only or no home), below `spare`,
    by default the temporary folder. Raises NotWritable, DamagedBundle."""
    try:
        return stage(packed, user_folder())
    except OSError as refused:
        try:
            return stage(packed, spare or spare_folder())
        except OSError as also:
            raise NotWritable(
                f"neither the data folder of this user ({refused}) nor the temporary folder ({also}) can be written: set "
                "XDG_DATA_HOME or TMPDIR to a folder that can."
            ) from also


def staged_path(packed: Path, parent: Path) -> Path:
    """The folder below `parent` for the grids of `packed`; its name is a hash of the catalogue."""
    return parent / hashlib.sha256((packed / CATALOGUE).read_bytes()).hexdigest()[:16]


def stage(packed: Path, parent: Path) -> Path:
    """Unpacks the grids of `packed` below `parent` and returns their folder; existing files are checked by their hashes
    and repaired.

    The folder appears complete or not at all, and each file in it is replaced as a whole, so several processes may do
    this at the same time, also while servers read. Raises OSError if `parent` is not writable, DamagedBundle if the
    package's own files are damaged.
    """
    target = staged_path(packed, parent)
    if target.is_dir():
        _fill(target, packed)
        return target
    parent.mkdir(parents=True, exist_ok=True)
    _clear_abandoned(parent)
    temporary = Path(tempfile.mkdtemp(prefix=_TEMPORARY, dir=parent))
    try:
        _fill(temporary, packed)
        try:
            temporary.rename(target)
        except OSError:
            if not target.is_dir():
                raise
            _fill(target, packed)  # another process was first
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return target


def data_environment(own: Mapping[str, str], spare: Path | None = None) -> dict[str, str]:
    """Environment variables that select the served cases: none if SERVICE_DATA is set, or else the bundled grids,
    staged by `stage_for_user`, or else the benchmark cases. Raises NotWritable, DamagedBundle."""
    if own.get(DATA_VARIABLE, "").strip():
        return {}
    packed = bundle()
    if packed is None:
        return {"SERVICE_ALLOW_FALLBACK": "1"}
    return {DATA_VARIABLE: str(stage_for_user(packed, spare))}


def unpacked(packed: Path, entry: dict[str, Any]) -> bytes:
    """The module of one catalogue entry, from the package itself. Raises DamagedBundle."""
    path = packed / f"{entry['id']}.json.gz"
    try:
        data = gzip.decompress(path.read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        raise DamagedBundle(f"{path} cannot be read ({error}): install Wattbook again.") from error
    if hashlib.sha256(data).hexdigest() != entry["sha256"]:
        raise DamagedBundle(f"{path} does not match its catalogue: install Wattbook again.")
    return data


def _fill(folder: Path, packed: Path) -> None:
    """Writes missing or altered files to `folder`, the catalogue last: a folder with a catalogue is complete."""
    catalogue = (packed / CATALOGUE).read_bytes()
    for entry in json.loads(catalogue)["cases"]:
        path = folder / entry["module"]
        if _hash_of(path) != entry["sha256"]:
            _write(path, unpacked(packed, entry))
    # The server checks base solutions itself and recomputes those that do not match.
    for source in sorted((packed / "base").glob("*")):
        path = folder / "base" / source.name
        if not path.exists():
            _write(path, source.read_bytes())
    if _hash_of(folder / CATALOGUE) != hashlib.sha256(catalogue).hexdigest():
        _write(folder / CATALOGUE, catalogue)


def _hash_of(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    with beside(path) as part:
        part.write_bytes(data)


def _clear_abandoned(parent: Path) -> None:
    for folder in parent.glob(f"{_TEMPORARY}*"):
        try:
            abandoned = time.time() - folder.stat().st_mtime > _ABANDONED_SECONDS
        except FileNotFoundError:
            continue  # its owner has just finished
        if abandoned:
            shutil.rmtree(folder, ignore_errors=True)
