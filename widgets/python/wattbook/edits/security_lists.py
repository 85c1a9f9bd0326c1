"""Lists of outages, monitored branches and interfaces for the options `security` and `limits`."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from ..arguments import formatted
from ..errors import ArgumentError, WattbookWarning
from ..files.files import MAX_FILES, content
from ..native import engine_errors, solve_options
from ..text import words

if TYPE_CHECKING:
    import pandas as pd

    from ..network import Network

#: A file (`.con`, `.mon`, `.sub`, `.aux`, `.csv`), or a frame with the columns of the CSV.
List: TypeAlias = "str | os.PathLike[str] | pd.DataFrame"

_SUFFIXES = (".con", ".mon", ".sub", ".aux", ".csv")
#: Files without outages.
_OTHERS = (".mon", ".sub")
_COLUMNS = ["file", "line", "text", "left_out"]
#: Statements that a warning names.
_NAMED = 3


@dataclass(frozen=True)
class SecurityLists:
    """What lists say about a case; made by `case.security_lists()`.

    `security` and `limits` are the options of these names: the outages and the monitored branches, and the interfaces
    (None without any). The frames have a row for each statement with `file`, `line` (from 1), `text`, and `left_out`, the
    outage or interface that is left out because of it: `not_found` names what the case does not have, `out_of_service`
    elements out of service, `without_effect` what a DC model does not have, and `unsupported` is not supported.
    """

    security: dict[str, Any]
    limits: dict[str, Any] | None
    not_found: pd.DataFrame
    out_of_service: pd.DataFrame
    without_effect: pd.DataFrame
    unsupported: pd.DataFrame

    def __repr__(self) -> str:
        outages = self.security.get("outages", ())
        interfaces = (self.limits or {}).get("interfaces", ())
        return (
            f"<SecurityLists: {words.count(len(outages), 'outage')}, {words.count(len(interfaces), 'interface')}; "
            f"{words.count(len(self.not_found), 'statement')} not found, {len(self.unsupported)} not supported>"
        )


def security_lists(network: Network, lists: Sequence[List]) -> SecurityLists:
    """See `Case.security_lists`."""
    import pandas as pd

    if not lists or len(lists) > MAX_FILES:
        raise ArgumentError("ARGUMENT.LIST", f"security_lists takes 1 to {MAX_FILES} files or frames.")
    files = [_file(source) for source in lists]
    with engine_errors() as native:
        read: dict[str, Any] = json.loads(native.read_security_lists(network._module_json, files))
    security: dict[str, Any] = {}
    # A list without any outage that the case has is not the same as no list.
    if not all(name.lower().endswith(_OTHERS) for name, _ in files):
        security["outages"] = read["outages"]
    if "monitored" in read:
        security["monitored"] = read["monitored"]
    kinds = ("not_found", "out_of_service", "without_effect", "unsupported")
    return SecurityLists(
        security,
        {"interfaces": read["interfaces"]} if read["interfaces"] else None,
        *(pd.DataFrame(read[kind], columns=_COLUMNS) for kind in kinds),
    )


def _file(source: Any) -> tuple[str, bytes]:
    """Name and contents."""
    if _is_frame(source):
        frame = source.reset_index() if source.index.names != [None] else source
        whole = frame.select_dtypes("float").columns
        # A column of ids with missing values has floats.
        frame = frame.astype({column: "Int64" for column in whole if (frame[column].dropna() % 1 == 0).all()})
        return "frame.csv", frame.to_csv(index=False).encode()
    if not isinstance(source, (str, os.PathLike)):
        raise ArgumentError("ARGUMENT.FILE", f"A list must be a path or a frame, not {formatted(source)}.")
    path, data = content(source)
    return Path(path or "").name, data


def listed_options(network: Network, options: Mapping[str, Any] | None) -> dict[str, Any]:
    """The solve options as a JSON-serialisable dictionary. Where `security["outages"]` is a list file, a list of such
    files, or a frame, they have what it says about the network, and a WattbookWarning names what it could not.

    Raises ArgumentError `ARGUMENT.OPTIONS`, InputError `INPUT.*` for a file that is no list.
    """
    security = options.get("security") if isinstance(options, Mapping) else None
    outages = security.get("outages") if isinstance(security, Mapping) else None
    if options is None or security is None or not _are_lists(outages):
        return solve_options(options)
    found = security_lists(network, outages if isinstance(outages, (list, tuple)) else [outages])
    given = {**options, "security": {**found.security, **{k: v for k, v in security.items() if k != "outages"}}}
    if found.limits is not None:
        given.setdefault("limits", found.limits)
    _warn(found)
    return solve_options(given)


def _are_lists(outages: Any) -> bool:
    """Whether they are lists to read, rather than outages."""
    if isinstance(outages, (list, tuple)):
        return len(outages) > 0 and all(_are_lists(one) and not isinstance(one, (list, tuple)) for one in outages)
    if isinstance(outages, str):
        return outages.lower().endswith(_SUFFIXES)
    return isinstance(outages, os.PathLike) or _is_frame(outages)


def _is_frame(value: Any) -> bool:
    return hasattr(value, "to_csv") and hasattr(value, "columns")


def _warn(found: SecurityLists) -> None:
    for frame, what in ((found.not_found, "not found in the case"), (found.unsupported, "not supported")):
        if len(frame) > 0:
            rows: Iterable[Any] = frame.head(_NAMED).itertuples()
            named = "; ".join(f"{row.file}, line {row.line}: {row.text}" for row in rows)
            more = f"; and {len(frame) - _NAMED} more" if len(frame) > _NAMED else ""
            warnings.warn(
                f"Statements of the lists that are {what}: {named}{more}. case.security_lists has all of them.",
                WattbookWarning,
                stacklevel=6,
            )
