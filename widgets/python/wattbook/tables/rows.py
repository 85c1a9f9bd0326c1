"""Rows of a case: their numbers are columns of the engine, their texts lists."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..native import engine_errors
from .columns import Columns, parted

#: A case as the engine tells it: what is no number by row, and the columns of its rows.
Told = tuple[dict[str, Any], Columns]


class ElementRows:
    """The buses, branches or generators of a case, in its order."""

    def __init__(self, columns: Columns, ids: str, uids: Texts, names: Texts | SourceTexts = None) -> None:
        self._columns = columns
        #: Original ids.
        self.ids: np.ndarray = columns[ids].values.astype(np.int64)
        self.uids: Sequence[str | None] = uids or [None] * len(self.ids)
        self._names = names

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
    def names(self) -> Sequence[str | None]:
        """Names in the source."""
        found = self._names.branch_names(self) if isinstance(self._names, SourceTexts) else self._names
        return found or [None] * len(self.ids)

    @cached_property
    def source_indices(self) -> Mapping[int, int]:
        """Original ids by the index of the source, where its numbers are others; empty otherwise."""
        return {}

    @cached_property
    def places(self) -> Mapping[int, int]:
        """Rows by original id."""
        return {number: row for row, number in enumerate(self.ids.tolist())}


class BusRows(ElementRows):
    """Buses, with the indices that pandapower gives them."""

    def __init__(self, columns: Columns, uids: Texts, names: Texts, source: SourceTexts) -> None:
        super().__init__(columns, "bus_id", uids, names)
        self._source = source

    @cached_property
    def source_indices(self) -> Mapping[int, int]:
        return self._source.bus_indices()


@dataclass(frozen=True)
class SourceTexts:
    """What a module says of its source and the engine does not, read when it is asked for."""

    module_json: str

    def branch_names(self, rows: ElementRows) -> Texts:
        """The names of the branches by row; those of the arms of three-winding transformers are missing."""
        text = self.module_json
        begin = text.find('"branches"')
        end = text.find('"generators"', begin)
        if begin < 0 or (end > 0 and text.find('"name"', begin, end) < 0):
            return None
        branches = self._network().get("branches", [])
        names: list[str | None] = [one.get("name") for one in branches[: len(rows)]]
        ends = [(one.get("from"), one.get("to")) for one in branches[: len(rows)]]
        shown = zip(*(rows.integers(column).tolist() for column in ("from_bus", "to_bus")), strict=True)
        same = all(own == pair for own, pair in zip(ends, shown, strict=False))
        return [*names, *[None] * (len(rows) - len(names))] if same else None

    def bus_indices(self) -> dict[int, int]:
        """Numbers of buses by pandapower's index; empty for a case of another source."""
        if '"pandapower_index"' not in self.module_json:
            return {}
        found = ((bus["id"], bus.get("extras", {}).get("pandapower_index")) for bus in self._network().get("buses", []))
        return {index: number for number, index in found if index is not None}

    def _network(self) -> dict[str, Any]:
        network: dict[str, Any] = json.loads(self.module_json)["value"]["data"]
        return network


Texts = Sequence[str | None] | None


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
        texts, source = head["topology"], SourceTexts(head["module_json"])
        return cls(
            BusRows(columns, texts.get("bus_uids"), texts.get("bus_names"), source),
            ElementRows(columns, "branch_id", texts.get("branch_uids"), source),
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
        head, columns = parted(native.inspect_module(module_json))
    # The engine does not give back the text that it was given.
    return {**head, "module_json": head["module_json"] or module_json}, columns
