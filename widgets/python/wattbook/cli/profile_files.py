"""Profiles in files: a table of text with a row for each step, whose labels are in the first column."""

from __future__ import annotations

import codecs
import io
import re
from typing import TYPE_CHECKING, Any

from ..errors import EditError, InputError
from ..files.files import content
from ..native import engine_errors
from ..tables.columns import parted
from ..text import words
from ..text.visible import visible

if TYPE_CHECKING:
    import pandas as pd

    from ..case.case import Case

#: What the first column is called, as in the page.
_LABELS = re.compile("time|timestamp|datetime|date|hour|step|snapshots?|period", re.IGNORECASE)
_COMMENTS = ("//", "!", "#")
#: A column of one element or group, `area 2`.
_KEYED = re.compile(r"(bus|area|zone|branch|line|generator|unit)[ _:-]+(.+)", re.IGNORECASE)


def demand_table(case: Case, path: str, by: str | None, unit: str) -> tuple[pd.DataFrame, str]:
    """Demand by step in `unit`, and what its columns are; without `by` their names say it.

    MW are read by the engine, as the page reads them, and then shared among buses. Raises EditError `PROFILE.MALFORMED`, `BUS.UNKNOWN`; InputError as
    reading files does.
    """
    data, text, delimiter = _checked(path)
    if by is None and unit == "MW":
        return _of_engine(case, data), "bus"
    table = _table(path, text, delimiter)
    kinds = {_kind(case, name) for name in table.columns}
    of = by or (kinds.pop() if len(kinds) == 1 else "bus")
    return _renamed(table, None if of == "system" else of, case._bus_keys if of == "bus" else None), of


def element_table(case: Case, path: str, of: str) -> pd.DataFrame:
    """Numbers by step and `branch` or `generator`. Errors as for `demand_table`."""
    _, text, delimiter = _checked(path)
    table = _table(path, text, delimiter)
    return _renamed(table, of, case._branch_keys if of == "branch" else case._generator_keys)


def _text(data: bytes) -> str:
    """The text of a file as the engine decodes it: UTF-8, or else Latin-1. Raises InputError `INPUT.ENCODING`."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in data:
        raise InputError("INPUT.ENCODING", words.told("file.encoding"))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _checked(path: str) -> tuple[bytes, str, str]:
    """The bytes of a file whose first column holds the labels, its text without comments, and what divides its cells."""
    _, data = content(path)
    lines = [line for line in io.StringIO(_text(data)) if line.strip() and not line.lstrip().startswith(_COMMENTS)]
    header = lines[0] if lines else ""
    delimiter = max(";\t,", key=header.count)
    first = header.partition(delimiter)[0].strip().strip("\"'").strip()
    if not header:
        raise EditError("PROFILE.MALFORMED", f"{visible(path)} is empty.")
    if not _LABELS.fullmatch(first):
        told = f"it is called {visible(first[:60])}" if first else "it has no name"
        raise EditError(
            "PROFILE.MALFORMED",
            f"The first column must hold the labels of the steps and be called time, date, hour, step, snapshot or period; {told}.",
        )
    return data, "".join(lines), delimiter


def _of_engine(case: Case, data: bytes) -> pd.DataFrame:
    import pandas as pd

    with engine_errors():
        head, columns = parted(case._opened.read_profile(data))
    steps = _index(head["steps"])
    return pd.DataFrame(columns["demand_mw"].values.reshape(len(steps), -1), index=steps, columns=head["buses"])


def _table(path: str, text: str, delimiter: str) -> pd.DataFrame:
    """Cells by step. Columns keep their names, also where a name occurs twice."""
    import pandas as pd

    try:
        cells = pd.read_csv(io.StringIO(text), sep=delimiter, header=None, dtype=str, keep_default_na=False)
    except ValueError as error:
        raise InputError("INPUT.FORMAT", f"{visible(path)} cannot be read as CSV: {error}.") from None
    cells = cells.apply(lambda column: column.str.strip())
    names, rows = cells.iloc[0, 1:].tolist(), cells.iloc[1:]
    table = rows.iloc[:, 1:].set_axis(names, axis=1).set_axis(_index(rows[0].tolist()), axis=0)
    # As in the engine: semicolons leave the comma for decimals.
    return table.apply(lambda column: column.str.replace(",", ".")) if delimiter == ";" else table


def _index(labels: list[str]) -> pd.Index:
    """Labels of steps: numbers where all are whole numbers."""
    import pandas as pd

    return pd.Index([int(label) for label in labels] if all(map(str.isdecimal, labels)) else labels)


def _kind(case: Case, name: str) -> str:
    """What a column of demand is: `bus`, `area`, `zone` or `system`."""
    keyed = _KEYED.fullmatch(name)
    if _is_element(case._bus_keys, name) or keyed is None:
        return "system" if name.casefold() == "system" else "bus"
    noun = keyed[1].lower()
    return noun if noun in ("area", "zone") else "bus"


def _is_element(elements: Any, name: str) -> bool:
    return elements.canonical(name) in elements._ids


def _renamed(table: pd.DataFrame, of: str | None, elements: Any) -> pd.DataFrame:
    """`area 2` as `2`; a uid may begin with the word itself."""
    nouns = {"branch": ("branch", "line"), "generator": ("generator", "unit")}.get(of or "", (of,))

    def plain(name: str) -> str:
        keyed = _KEYED.fullmatch(name)
        if keyed is None or keyed[1].lower() not in nouns or (elements and _is_element(elements, name)):
            return name
        return keyed[2]

    return table.set_axis([plain(name) for name in table.columns], axis=1)
