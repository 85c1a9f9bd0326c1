"""Columns of the engine's answers, and the rows of a case that they belong to."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..native import engine_errors
from ..quantities_generated import COLUMNS
from ..threads import apart

#: Texts by row; None if every row lacks one.
Texts = Sequence[str | None] | None


class Column(NamedTuple):
    """`element` is the kind of its rows (`bus`, `branch`, `generator`); values are NaN for rows that are not energised."""

    element: str
    unit: str
    values: np.ndarray


class Columns(Mapping[str, Column]):
    """Columns of one answer by name, in the order of the engine."""

    def __init__(self, columns: Mapping[str, tuple[str, str, bytes]]) -> None:
        self._columns = {
            name: Column(element, unit, np.frombuffer(data, dtype="<f8"))
            for name, (element, unit, data) in columns.items()
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
        """The columns of one element kind."""
        return {name: column for name, column in self._columns.items() if column.element == element}


def parted(answer: tuple[str, Mapping[str, tuple[str, str, bytes]]]) -> tuple[dict[str, Any], Columns]:
    """The head of an answer of the engine, and its columns."""
    text, columns = answer
    return json.loads(text), Columns(columns)


#: A case as read by the engine: its head, and the columns of its rows.
Inspected = tuple[dict[str, Any], Columns]


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
        """Original ids by the index of the source, if that differs; empty otherwise."""
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
    #: The fuel of each generator; empty if the source has no fuels.
    energy_sources: Sequence[str]
    columns: Columns
    #: The uid of each HVDC link and of each storage unit; None if the source has none.
    link_uids: Texts = None
    #: Rows of the branches that are switches.
    switches: Sequence[int] = ()
    storage_uids: Texts = None

    @property
    def links(self) -> ElementRows:
        """The HVDC links; the engine has columns for them only if there are any."""
        return self._optional("link", self.link_uids)

    @property
    def storage(self) -> ElementRows:
        """The storage units; the engine has columns for them only if there are any."""
        return self._optional("storage", self.storage_uids)

    def _optional(self, kind: str, uids: Texts) -> ElementRows:
        if f"{kind}_id" in self.columns:
            return ElementRows(self.columns, f"{kind}_id", uids)
        empty = {name: (kind, unit, b"") for name, (element, unit) in COLUMNS.items() if element == kind}
        return ElementRows(Columns(empty), f"{kind}_id", None)

    @classmethod
    def of(cls, read: Inspected) -> CaseRows:
        head, columns = read
        texts = head["topology"]
        buses = (texts.get(name) for name in ("bus_uids", "bus_names", "bus_source_indices"))
        return cls(
            ElementRows(columns, "bus_id", *buses),
            ElementRows(columns, "branch_id", texts.get("branch_uids"), texts.get("branch_names")),
            ElementRows(columns, "generator_id", texts.get("generator_uids")),
            texts.get("energy_sources") or (),
            columns,
            texts.get("link_uids"),
            texts.get("switches") or (),
            texts.get("storage_uids"),
        )

    def positions(self) -> np.ndarray:
        """Longitude and latitude of each bus on the map, degrees; NaN for one without a position."""
        names = ("map_longitude", "map_latitude")
        if names[0] not in self.columns:
            return np.full((len(self.buses), 2), np.nan)
        return np.column_stack([self.buses.numbers(name) for name in names])

    def routes(self) -> list[np.ndarray | None]:
        """Longitudes and latitudes of the vertices of each branch; None for one without a route. Only for cases with
        positions."""
        corners = np.column_stack([self.columns[name].values for name in ("corner_longitude", "corner_latitude")])
        counts = self.columns["route_corners"].values
        ends = np.cumsum(np.nan_to_num(counts)).astype(int)
        return [
            None if np.isnan(count) else corners[end - int(count) : end]
            for count, end in zip(counts, ends, strict=True)
        ]


#: Blocks of rows of a `SolveResponse`: the columns of their fields, the first of which determines the energised
#: elements.
_BLOCKS = {
    "prices": {"value": "lmp"},
    "vm": {"value": "vm_pu"},
    "va": {"value": "va_rad"},
    "flows": {
        "pf": "flow_mw",
        "loading": "loading",
        "shadow": "shadow",
        "qf": "flow_mvar",
        "pt": "flow_to_mw",
        "qt": "flow_to_mvar",
    },
    "dispatch": {"pg": "dispatch_mw", "qg": "dispatch_mvar"},
    "injections": {"p": "injection_mw", "q": "injection_mvar"},
}


#: Fields before the rows in the text of a `SolveResponse`.
_BEFORE_ROWS = ("formulation", "status", "dc_convention", "objective")


def solve_response(answer: Inspected) -> dict[str, Any]:
    """The `SolveResponse` of a stateless solve, with one row per energised element."""
    head, columns = answer
    response = head["response"]
    blocks = {}
    for block, fields in _BLOCKS.items():
        present = {field: columns[column].values for field, column in fields.items() if column in columns}
        if next(iter(fields)) in present:
            blocks[block] = _block(block, head["rows"], columns, present)
    first = {name: response[name] for name in _BEFORE_ROWS if name in response}
    return {**first, **blocks, **response}


def _block(
    block: str, texts: dict[str, Any], columns: Columns, fields: Mapping[str, np.ndarray]
) -> list[dict[str, Any]]:
    def numbers(name: str) -> list[int]:
        ids: list[int] = columns[name].values.astype(np.int64).tolist()
        return ids

    uids: Texts = None
    if block == "dispatch":
        keys = {"gen": numbers("generator_id"), "bus": numbers("generator_bus")}
    else:
        element = "branch" if block == "flows" else "bus"
        keys, uids = {element: numbers(f"{element}_id")}, texts.get(f"{element}_uids")
    rows = []
    for row in np.flatnonzero(~np.isnan(next(iter(fields.values())))).tolist():
        uid = {} if uids is None or uids[row] is None else {"uid": uids[row]}
        ids = {key: all_ids[row] for key, all_ids in keys.items()}
        # JSON has no infinity.
        values = {field: float(x[row]) if np.isfinite(x[row]) else None for field, x in fields.items()}
        rows.append({**ids, **uid, **values})
    return rows


def inspected(module_json: str) -> Inspected:
    """The module of a balanced case as the engine reads it."""
    with engine_errors() as native:
        head, columns = parted(apart(native.inspect_module, module_json))
    # The engine does not return a text that is unchanged.
    return whole(head, module_json), columns


def ingested(data: bytes, format: str) -> Inspected:
    """The bytes of a case file as the engine reads them."""
    with engine_errors() as native:
        text, numbers, module_json = apart(native.ingest_case, data, format)
    head, columns = parted((text, numbers))
    return whole(head, module_json), columns


def whole(head: dict[str, Any], module_json: str) -> dict[str, Any]:
    """The head of an inspected case with its module text, which the engine returns separately."""
    return {**head, "module_json": head["module_json"] or module_json}
