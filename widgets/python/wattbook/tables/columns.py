"""Columns: numbers of the engine's answers by row of the case."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np


class Column(NamedTuple):
    """`element` is what its rows are (`bus`, `branch`, `generator`); values are NaN for rows outside the problem."""

    element: str
    unit: str
    values: np.ndarray


class Columns(Mapping[str, Column]):
    """Columns of one answer by name, in the order of the engine."""

    def __init__(self, told: Mapping[str, tuple[str, str, bytes]]) -> None:
        self._columns = {
            name: Column(element, unit, np.frombuffer(data, dtype="<f8"))
            for name, (element, unit, data) in told.items()
        }

    def __getitem__(self, name: str) -> Column:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def without(self, names: Collection[str]) -> Columns:
        """The columns with other names."""
        rest = Columns({})
        rest._columns = {name: column for name, column in self._columns.items() if name not in names}
        return rest

    def of(self, element: str) -> dict[str, Column]:
        """Those whose rows are of one kind."""
        return {name: column for name, column in self._columns.items() if column.element == element}


def parted(answer: tuple[str, Mapping[str, tuple[str, str, bytes]]]) -> tuple[dict[str, Any], Columns]:
    """What the engine says in words, and its numbers."""
    text, columns = answer
    return json.loads(text), Columns(columns)
