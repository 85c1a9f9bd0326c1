"""Export of cases to files of other programs, with a warning for data that a format cannot represent."""

from __future__ import annotations

import json
import os
import warnings
from typing import TYPE_CHECKING, Any, overload

from ..errors import FORMAT, ExportWarning, InputError, read_diagnostics
from ..native import engine_errors
from ..text.words import visible
from ..threads import apart
from . import files
from .kinds import EXTENSIONS, MODULE_SUFFIX, reads

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

#: Number of omissions that one warning lists; the others are counted.
_WARNINGS = 10


def _formats() -> list[dict[str, Any]]:
    with engine_errors() as native:
        found: list[dict[str, Any]] = json.loads(native.export_formats())
    return found


def export_tokens() -> list[str]:
    """The format tokens that `case.export` takes, `module` included."""
    return [*(row["format"] for row in _formats()), "module"]


def export_formats() -> pd.DataFrame:
    """The formats that `case.export` writes: index `format`; columns `label`, `extension` (with its dot), and `opens` (whether
    `wb.open_case` reads such a file).

    `case.save` writes a module, which stores everything and is not in this table.
    """
    import pandas as pd

    rows = _formats()
    columns = {
        "label": [row["label"] for row in rows],
        "extension": [f".{row['extension']}" for row in rows],
        "opens": [reads(row["format"], f".{row['extension']}") for row in rows],
    }
    return pd.DataFrame(columns, index=pd.Index([row["format"] for row in rows], name="format"))


@overload
def export_module(module_json: str, stem: str, path: None, format: str | None, *, stacklevel: int) -> bytes: ...
@overload
def export_module(
    module_json: str, stem: str, path: str | os.PathLike[str] | None, format: str | None, *, stacklevel: int
) -> Path | bytes: ...
def export_module(
    module_json: str, stem: str, path: str | os.PathLike[str] | None, format: str | None, *, stacklevel: int
) -> Path | bytes:
    """Writes a balanced module and returns the path, or the bytes if `path` is None.

    Without `format` the extension of `path` decides. Raises InputError `EXPORT.FORMAT`, `EXPORT.REFUSED` (the format cannot
    represent the network), `OUTPUT.UNWRITABLE`.
    """
    chosen = _chosen(path, format)
    where = None if path is None else files.target(path, stem, f".{chosen['extension']}")
    if chosen["format"] == "module":
        data, messages = module_json.encode(), []
    else:
        with engine_errors() as native:
            data, _, warnings_json = apart(native.export_module, module_json, chosen["format"])
        messages = [warning.message for warning in read_diagnostics(json.loads(warnings_json))]
    written = data if where is None else files.write(where, data)
    _warn(chosen.get("label", chosen["format"]), list(dict.fromkeys(messages)), stacklevel + 1)
    return written


def export_target(path: str | os.PathLike[str], stem: str, format: str | None) -> Path:
    """The path that `export_module` writes. Raises InputError `EXPORT.FORMAT`, `OUTPUT.UNWRITABLE`."""
    return files.target(path, stem, f".{_chosen(path, format)['extension']}")


def _chosen(path: str | os.PathLike[str] | None, format: str | None) -> dict[str, Any]:
    known = [*_formats(), {"format": "module", "extension": MODULE_SUFFIX[1:]}]
    listed = ", ".join(export_tokens())
    if format is not None:
        for row in known:
            if row["format"] == format:
                _check_extension(path, row, known)
                return row
        raise InputError("EXPORT.FORMAT", f"Unknown export format {format!r}. Known: {listed}.")
    if path is None:
        raise InputError("EXPORT.FORMAT", FORMAT.within("Without a path, ", f", one of {listed}."))
    where = files.path_of(path)
    if where.name.lower().endswith(MODULE_SUFFIX):
        return known[-1]
    suffix = where.suffix.lower()
    fitting = [row for row in known if suffix == f".{row['extension']}"]
    # The first revision of a program's format is the common one; several programs share the extension .json.
    if fitting and suffix != ".json":
        return fitting[0]
    if suffix == ".json":
        tokens = ", ".join([row["format"] for row in fitting] + ["module"])
        raise InputError(
            "EXPORT.FORMAT",
            FORMAT.within(f"{visible(where.name)} does not name a JSON format: ", f", one of {tokens}."),
        )
    what = "is a folder" if files.is_folder(where) else f"ends in {suffix}" if suffix else "has no extension"
    message = FORMAT.within(f"{visible(where.name or str(where))} {what}: ", f", one of {listed}.")
    raise InputError("EXPORT.FORMAT", message)


def _check_extension(path: str | os.PathLike[str] | None, chosen: dict[str, Any], known: list[dict[str, Any]]) -> None:
    """Raises InputError `EXPORT.FORMAT` if the file has the extension of another format."""
    where = None if path is None else files.path_of(path)
    if where is None or files.is_folder(where):
        return
    own, suffix = f".{chosen['extension']}", where.suffix.lower()
    others = {*(f".{row['extension']}" for row in known), *EXTENSIONS}
    if suffix in others and suffix != f".{own.rpartition('.')[2]}":
        raise InputError(
            "EXPORT.FORMAT", f"{visible(where.name)} has the extension of another format: {chosen['format']} is {own}."
        )


def _warn(label: str, messages: list[str], stacklevel: int) -> None:
    """One warning per export, because Python repeats the caller's line with each."""
    if messages:
        more = len(messages) - _WARNINGS
        shown = messages[:_WARNINGS] + ([f"and {more} more"] if more > 0 else [])
        text = f"{label} cannot represent all data of this case:" + "".join(f"\n- {message}" for message in shown)
        warnings.warn(text, ExportWarning, stacklevel=stacklevel + 1)
