"""The bundled cases, read from the folder that the companion server serves; no server is needed."""

from __future__ import annotations

import hashlib
import json
import os
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..arguments import meant
from ..built import places
from ..errors import InputError
from ..files.files import is_file, is_folder
from ..text.words import visible
from . import staging

if TYPE_CHECKING:
    import pandas as pd

#: Two public benchmark cases, always opened by id, listed only without other cases.
_FALLBACKS = places("fallback")
_COLUMNS = ("name", "n_bus", "n_branch", "n_gen", "description", "license")
_NOT_BUILT = "run `npm run build` in the checkout"
_ID = re.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


def _fallback() -> Path | None:
    return next((folder for folder in _FALLBACKS if (folder / staging.CATALOGUE).is_file()), None)


def _listed() -> Path | None:
    """The folder whose catalogue is listed: SERVICE_DATA, or else the bundled grids, or else the benchmark cases."""
    own = os.environ.get(staging.DATA_VARIABLE, "").strip()
    if not own:
        return staging.bundle() or _fallback()
    if not is_file(Path(own) / staging.CATALOGUE):
        found = f"has no {staging.CATALOGUE}" if is_folder(Path(own)) else "is not a folder"
        raise InputError(
            "CASE.CATALOGUE",
            f"{staging.DATA_VARIABLE} is {visible(own)}, which {found}: make a folder of cases with `wattbook stage`, or unset the "
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
    path = folder / staging.CATALOGUE
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
    data = _staged(folder, entry) if folder == staging.bundle() else _checked(folder / entry["module"], entry)
    return data.decode("utf-8")


def _staged(packed: Path, entry: dict[str, Any]) -> bytes:
    """The packed file from the user's data folder, filled on first use, or from the package if that folder is not
    writable."""
    try:
        try:
            path = staging.staged_path(packed, staging.user_folder()) / entry["module"]
            return _checked(path, entry)
        except (OSError, InputError):  # missing or altered
            pass
        try:
            staging.stage(packed, staging.user_folder())
            return _checked(path, entry)
        except (OSError, InputError):
            return staging.unpacked(packed, entry)
    except staging.DamagedBundle as error:
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
