"""Rows of a case: their numbers are columns of the engine, their texts lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..native import engine_errors
from ..threads import apart
from .columns import Columns, parted

#: A case as the engine tells it: what is no number by row, and the columns of its rows.
Told = tuple[dict[str, Any], Columns]

#: Texts by row; None where no row has one.
Texts = Sequence[str | None] | None


class ElementRows:
    """The buses, branches or generators of a case, in its order."""

    def __init__(
        self,
        columns: Columns,
        ids: str,
        uids: Texts,
        names: Texts = None,
        source_indices: Sequence[int | None] | None = None,
    ) -> None:
        self._columns = columns
        #: Original ids.
        self.ids: np.ndarray = columns[ids].values.astype(np.int64)
        self.uids: Sequence[str | None] = uids or [None] * len(self.ids)
        #: Names in the source.
        self.names: Sequence[str | None] = names or [None] * len(self.ids)
        self._source_indices = source_indices or ()

    def __len__(self) -> int:
        return len(self.ids)

    def numbers(self, column: str) -> np.ndarray:
        return self._columns[column].values

    def integers(self, column: str) -> np.ndarray:
        """A column of original ids."""
        return self.numbers(column).astype(np.int64)

    def flags(self, column: str) -> np.ndarray:
        """A column of truth values."""
        return np.asarray(self.numbers(column) == 1.0)

    @cached_property
    def source_indices(self) -> Mapping[int, int]:
        """Original ids by the index of the source, where its numbers are others; empty otherwise."""
        return {
            index: number
            for index, number in zip(self._source_indices, self.ids.tolist(), strict=False)
            if index is not None
        }

    @cached_property
    def places(self) -> Mapping[int, int]:
        """Rows by original id."""
        return {number: row for row, number in enumerate(self.ids.tolist())}


class CaseRows(NamedTuple):
    """The rows of a case."""

    buses: ElementRows
    branches: ElementRows
    generators: ElementRows
    #: What drives each generator, as far as the source says; empty where it says nothing.
    energy_sources: Sequence[str]
    columns: Columns

    @classmethod
    def of(cls, told: Told) -> CaseRows:
        head, columns = told
        texts = head["topology"]
        buses = (texts.get(name) for name in ("bus_uids", "bus_names", "bus_source_indices"))
        return cls(
            ElementRows(columns, "bus_id", *buses),
            ElementRows(columns, "branch_id", texts.get("branch_uids"), texts.get("branch_names")),
            ElementRows(columns, "generator_id", texts.get("generator_uids")),
            texts.get("energy_sources") or (),
            columns,
        )

    def routes(self) -> list[np.ndarray | None]:
        """Longitudes and latitudes of the corners of each branch; None for one without a route. Of a case with positions."""
        corners = np.column_stack([self.columns[name].values for name in ("corner_longitude", "corner_latitude")])
        counts = self.columns["route_corners"].values
        ends = np.cumsum(np.nan_to_num(counts)).astype(int)
        return [
            None if np.isnan(count) else corners[end - int(count) : end]
            for count, end in zip(counts, ends, strict=True)
        ]


def inspected(module_json: str) -> Told:
    """What the engine says of the module of a balanced case."""
    with engine_errors() as native:
        head, columns = parted(apart(native.inspect_module, module_json))
    # The engine does not give back the text that it was given.
    return whole(head, module_json), columns


def ingested(data: bytes, format: str) -> Told:
    """What the engine says of the bytes of a case file."""
    with engine_errors() as native:
        text, numbers, module_json = apart(native.ingest_case, data, format)
    head, columns = parted((text, numbers))
    return whole(head, module_json), columns


def whole(head: dict[str, Any], module_json: str) -> dict[str, Any]:
    """What the engine says of a case, with the module text, which it gives apart where it is large."""
    return {**head, "module_json": head["module_json"] or module_json}
