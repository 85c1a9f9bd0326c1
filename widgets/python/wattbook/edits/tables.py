"""Edits as tables: a DataFrame with a row for each element, as the mapping that the same edits are by element."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..arguments import foreign_frame, formatted, meant
from ..errors import EditError

if TYPE_CHECKING:
    import pandas as pd


def is_table(changes: object) -> bool:
    """Whether `changes` is a DataFrame of pandas: a Series and a mapping have no columns."""
    return hasattr(changes, "columns") and hasattr(changes, "itertuples")


def by_element(changes: Any, noun: str, names: Sequence[str], code: str) -> Any:
    """The mapping of element to values that a DataFrame stands for; anything else is returned unchanged.

    The elements are the index of the table, or its column `noun` (`generator`, `branch`); the other columns are values called as in
    `names`. A missing value (NaN, NA, None) changes nothing, nor does a row without values.

    Raises EditError with `code` for an unknown column, a table of another library, and an element that is named twice.
    """
    if not is_table(changes):
        foreign = foreign_frame(changes)
        if foreign:
            raise EditError(
                code, f"{noun.capitalize()} edits must be a mapping or a DataFrame of pandas, not {foreign}."
            )
        return changes
    table: pd.DataFrame = changes
    elements = list(table[noun] if noun in table.columns else table.index)
    columns = [column for column in table.columns if column != noun]
    for column in columns:
        if column not in names:
            hint = meant(column, names) if isinstance(column, str) else ""
            known = ", ".join(names)
            raise EditError(
                code,
                f"A table of {noun} edits has the columns {known}, not {formatted(column)}{f': {hint}' if hint else '.'}",
            )
    found: dict[Any, dict[str, Any]] = {}
    # Column by column, so that whole numbers and truth values keep their types.
    cells = [table[column].tolist() for column in columns]
    for row, element in enumerate(elements):
        if element in found:
            raise EditError(code, f"{noun} {formatted(element)} is named twice.")
        found[element] = {
            str(column): values[row]
            for column, values in zip(columns, cells, strict=True)
            if not is_missing(values[row])
        }
    return {element: values for element, values in found.items() if values}


def changes_value(changes: Any, name: str) -> bool:
    """Whether a mapping of element to values, or a DataFrame, changes the value `name` of an element."""
    if is_table(changes):
        return name in changes.columns and not all(map(is_missing, changes[name].tolist()))
    return changes is not None and any(name in (values or {}) for _, values in changes.items())


def is_given(changes: Any) -> bool:
    """Whether there are changes: a Series and a DataFrame have no truth value."""
    return changes is not None and len(changes) > 0


def is_missing(value: object) -> bool:
    """Whether pandas takes a cell for missing: None, NaN or NA."""
    return value is None or type(value).__name__ == "NAType" or (isinstance(value, float) and math.isnan(value))
