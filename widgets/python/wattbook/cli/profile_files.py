"""Profiles and scenarios in files: a table of text with a row for each step or scenario."""

from __future__ import annotations

import codecs
import io
from typing import TYPE_CHECKING

from ..edits.profiles import LABELS, kind_of
from ..errors import EditError, InputError
from ..files.files import content
from ..native import engine_errors
from ..tables.rows import parted
from ..text import words
from ..text.words import visible

if TYPE_CHECKING:
    import pandas as pd

    from ..study.study import Case

_COMMENTS = ("//", "!", "#")


def demand_table(case: Case, path: str, by: str | None, unit: str) -> tuple[pd.DataFrame, str]:
    """Demand by step in `unit`, and what its columns are; without `by` their names say it.

    MW are read by the engine, as the page reads them, and then shared among buses. Raises EditError `PROFILE.MALFORMED`, `BUS.UNKNOWN`; InputError as
    reading files does.
    """
    data, text, delimiter = _checked(path)
    if by is None and unit == "MW":
        return _of_engine(case, data), "bus"
    table = _table(path, text, delimiter)
    kinds = {kind_of(case, name) for name in table.columns}
    return table, by or (kinds.pop() if len(kinds) == 1 else "bus")


def element_table(path: str) -> pd.DataFrame:
    """Numbers by step and branch or generator. Errors as for `demand_table`."""
    _, text, delimiter = _checked(path)
    return _table(path, text, delimiter)


def scenario_table(path: str) -> pd.DataFrame:
    """A row for each scenario, with the columns of the file. Raises InputError `INPUT.FORMAT`, and as reading files does."""
    import pandas as pd

    text = _text(content(path)[1])
    delimiter = _delimiter(text.partition("\n")[0])
    try:
        table = pd.read_csv(io.StringIO(text), sep=delimiter, skipinitialspace=True)
    except ValueError as error:
        raise InputError("INPUT.FORMAT", f"{visible(path)} cannot be read as CSV: {error}.") from None
    return table.apply(_with_points) if delimiter == ";" else table


def _with_points(column: pd.Series) -> pd.Series:
    """Numbers of a file that is divided by semicolons, which leave the comma for decimals; texts stay as they are."""
    import pandas as pd

    points = column.map(lambda cell: cell.replace(",", ".") if isinstance(cell, str) else cell)
    numbers = pd.to_numeric(points, errors="coerce")
    return numbers if numbers.isna().equals(column.isna()) else column


def _delimiter(header: str) -> str:
    return max(";\t,", key=header.count)


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
    delimiter = _delimiter(header)
    first = header.partition(delimiter)[0].strip().strip("\"'").strip()
    if not header:
        raise EditError("PROFILE.MALFORMED", f"{visible(path)} is empty.")
    if not first and delimiter in header:  # as `DataFrame.to_csv` writes an index without a name
        lines[0] = f"step{delimiter}{header.partition(delimiter)[2]}"
        data = "".join(lines).encode()
    elif not LABELS.fullmatch(first):
        raise EditError(
            "PROFILE.MALFORMED",
            "The first column must hold the labels of the steps and be called time, date, hour, step, snapshot or period, "
            f"or have no name; it is called {visible(first[:60])}.",
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
