"""The bundled cases, read from the folder that the companion server serves; no server is needed.

The package contains `catalogue.json`, one `<id>.json.gz` per case, and `base/*`, their base solutions in the server's
format. The build creates and solves them; here only hashes are checked. They are unpacked once into the user's data
folder, where the companion server and `open_case` read them.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shutil
import stat
import sys
import tempfile
import time
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..arguments import meant
from ..built import places
from ..errors import InputError
from ..files.files import beside, is_file, is_folder
from ..text.words import visible

if TYPE_CHECKING:
    import pandas as pd

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


#: Two public benchmark cases, always opened by id, listed only without other cases.
_FALLBACKS = places("fallback")
_COLUMNS = ("name", "n_bus", "n_branch", "n_gen", "description", "license")
_NOT_BUILT = "run `npm run build` in the checkout"
_ID = re.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


def _fallback() -> Path | None:
    return next((folder for folder in _FALLBACKS if (folder / CATALOGUE).is_file()), None)


def _listed() -> Path | None:
    """The folder whose catalogue is listed: SERVICE_DATA, or else the bundled grids, or else the benchmark cases."""
    own = os.environ.get(DATA_VARIABLE, "").strip()
    if not own:
        return bundle() or _fallback()
    if not is_file(Path(own) / CATALOGUE):
        found = f"has no {CATALOGUE}" if is_folder(Path(own)) else "is not a folder"
        raise InputError(
            "CASE.CATALOGUE",
            f"{DATA_VARIABLE} is {visible(own)}, which {found}: make a folder of cases with `wattbook stage`, or unset the "
            "variable for the bundled grids.",
        )
    return Path(own)


@cache
def _read(path: Path, _modified_ns: int) -> dict[str, dict[str, Any]]:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["cases"]
        return {row["id"]: row for row in sorted(rows, key=lambda row: row["id"])}
    except (ValueError, KeyError, TypeError):
        raise InputError("CASE.CATALOGUE", f"{path} is not a catalogue of cases.") from None


def _rows(folder: Path | None) -> dict[str, dict[str, Any]]:
    if folder is None:
        return {}
    path = folder / CATALOGUE
    return _read(path, path.stat().st_mtime_ns)


def entries() -> dict[str, dict[str, Any]]:
    """The cases that can be opened by id, those of `cases()` first; empty if none have been built."""
    listed = _rows(_listed())
    return {**listed, **{name: row for name, row in _rows(_fallback()).items() if name not in listed}}


def has(name: str) -> bool:
    """Whether `name` is the id of a case that can be opened; a path with a dot or a separator never is."""
    return _ID.fullmatch(name) is not None and name in entries()


def cases() -> pd.DataFrame:
    """The bundled cases, or those of the folder SERVICE_DATA: index `id`; columns `name`, `n_bus`, `n_branch`, `n_gen` (numbers of
    buses, branches and generators, as of a `Case`), `description`, `license`. The companion server serves the same cases, and
    `wb.Service().cases()` has these columns too. `open_case` takes an `id`, also of the benchmark cases `case200_activ` and
    `case500_goc`, which are listed only if there are no others.

    Raises InputError: `CASE.NONE_BUNDLED` in a checkout whose cases have not been built, `CASE.CATALOGUE` if SERVICE_DATA
    has no valid catalogue.
    """
    import pandas as pd

    known = _rows(_listed())
    if not known:
        raise InputError("CASE.NONE_BUNDLED", f"This installation has no bundled cases: {_NOT_BUILT}.")
    rows = [{column: row.get(column) for column in _COLUMNS} for row in known.values()]
    return pd.DataFrame(rows, index=pd.Index(known, name="id"))


def module_text(case_id: str) -> str:
    """The module of a bundled case, checked against the hash in the catalogue.

    Raises InputError: `CASE.UNKNOWN`, `CASE.UNAVAILABLE` (file missing or altered).
    """
    known = entries()
    if case_id not in known:
        own = _rows(_listed())
        others = [name for name in known if name not in own]
        listed = (", ".join(own) or "none") if known else f"none: {_NOT_BUILT}"
        also = f" Unlisted benchmark cases: {', '.join(others)}." if others else ""
        hint = meant(case_id, known)
        raise InputError(
            "CASE.UNKNOWN",
            f"{case_id!r} is neither a file in {Path.cwd()} nor a bundled case{f': {hint}' if hint else '.'} Bundled: {listed}.{also}",
        )
    entry = known[case_id]
    try:
        return _text_of(entry)
    except InputError:
        now = entries().get(case_id)
        if now is None or now == entry:
            raise
        return _text_of(now)  # the folder was restaged in the meantime


def _text_of(entry: dict[str, Any]) -> str:
    name, listed = entry["id"], _listed()
    if entry.get("unavailable_reason"):
        raise _unavailable(f"The case {name} is unavailable: {entry['unavailable_reason']}")
    folder = listed if name in _rows(listed) else _fallback()
    assert folder is not None
    data = _staged(folder, entry) if folder == bundle() else _checked(folder / entry["module"], entry)
    return data.decode("utf-8")


def _staged(packed: Path, entry: dict[str, Any]) -> bytes:
    """The packed file from the user's data folder, filled on first use, or from the package if that folder is not
    writable."""
    try:
        try:
            path = staged_path(packed, user_folder()) / entry["module"]
            return _checked(path, entry)
        except (OSError, InputError):  # missing or altered
            pass
        try:
            stage(packed, user_folder())
            return _checked(path, entry)
        except (OSError, InputError):
            return unpacked(packed, entry)
    except DamagedBundle as error:
        raise _unavailable(f"The bundled case {entry['id']} cannot be used: {error}") from error


def _checked(path: Path, entry: dict[str, Any]) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise _unavailable(f"The bundled case {entry['id']} cannot be read: {error}.") from error
    if hashlib.sha256(data).hexdigest() != entry["sha256"]:
        raise _unavailable(f"The bundled case {entry['id']} differs from its catalogue: {path} was altered.")
    return data


def _unavailable(message: str) -> InputError:
    return InputError("CASE.UNAVAILABLE", message)
