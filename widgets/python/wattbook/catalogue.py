"""The cases that come with Wattbook: public benchmark grids, read from the folder that the companion server serves."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import InputError

if TYPE_CHECKING:
    import pandas as pd

_PACKAGE = Path(__file__).resolve().parent
#: In the wheel the server's files lie inside the package, in a checkout in the server's build folder.
_FOLDERS = (_PACKAGE / "server" / "fallback", _PACKAGE.parents[2] / "server" / "dist" / "fallback")


def catalogue_folder() -> Path | None:
    """The folder with `catalogue.json` and the modules; None when the cases have not been built."""
    return next((folder for folder in _FOLDERS if (folder / "catalogue.json").is_file()), None)


@cache
def _read(catalogue: Path, _modified_ns: int) -> dict[str, dict[str, Any]]:
    rows = json.loads(catalogue.read_text(encoding="utf-8"))["cases"]
    return {row["id"]: row for row in sorted(rows, key=lambda row: row["id"])}


def entries() -> dict[str, dict[str, Any]]:
    """Summaries of the bundled cases by id; empty when the cases have not been built."""
    folder = catalogue_folder()
    if folder is None:
        return {}
    catalogue = folder / "catalogue.json"
    return _read(catalogue, catalogue.stat().st_mtime_ns)


def cases() -> pd.DataFrame:
    """The bundled cases: index `id`; columns `name`, `buses`, `branches`, `generators`, `description`, `license`.

    Raises InputError (`CASE.NONE_BUNDLED`) in a checkout whose cases have not been built.
    """
    import pandas as pd

    known = entries()
    if not known:
        raise InputError(
            "CASE.NONE_BUNDLED", "No case is bundled with this installation: run `npm run build` in the checkout."
        )
    columns = {
        "name": "name",
        "n_bus": "buses",
        "n_branch": "branches",
        "n_gen": "generators",
        "description": "description",
        "license": "license",
    }
    rows = [{title: row.get(key) for key, title in columns.items()} for row in known.values()]
    return pd.DataFrame(rows, index=pd.Index(known, name="id"))


def module_text(case_id: str) -> str:
    """The module of a bundled case, checked against the hash in the catalogue.

    Raises InputError: `CASE.UNKNOWN`, `CASE.UNAVAILABLE` (file missing or altered).
    """
    known = entries()
    folder = catalogue_folder()
    if folder is None or case_id not in known:
        listed = ", ".join(known) if known else "none: run `npm run build` in the checkout"
        raise InputError(
            "CASE.UNKNOWN",
            f"{case_id!r} is neither a file nor a bundled case. Bundled: {listed}.",
        )
    path = folder / known[case_id]["module"]
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError("CASE.UNAVAILABLE", f"The bundled case {case_id} cannot be read: {error}.") from error
    if hashlib.sha256(data).hexdigest() != known[case_id]["sha256"]:
        raise InputError(
            "CASE.UNAVAILABLE", f"The bundled case {case_id} differs from its catalogue: {path} was altered."
        )
    return data.decode("utf-8")
