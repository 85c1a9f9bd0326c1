"""The tables of series and sweeps: names, elements and units. Workers import this module, so it must not import pandas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..arguments import formatted, one_of
from ..errors import ArgumentError

if TYPE_CHECKING:
    from ..tables.rows import CaseRows

#: Names of tables in files, and their engine columns.
TABLES = {
    "prices": "lmp",
    "voltages": "vm_pu",
    "flows": "flow_mw",
    "loading": "loading",
    "shadow": "shadow",
    "dispatch": "dispatch_mw",
    "links": "link_mw",
    "storage": "storage_mw",
    "charge": "charge_mw",
    "discharge": "discharge_mw",
    "energy": "stored_mwh",
    "energy_value": "stored_value",
    "ramp_value": "ramp_value",
}
TABLE_OF = {column: table for table, column in TABLES.items()}
#: The names of all files of results.
FILES = (*TABLES, "steps", "scenarios")
#: The tables of each formulation; a case with HVDC links or storage has the tables of their powers too.
TABLES_OF = {
    "dcopf": ("prices", "flows", "loading", "shadow", "dispatch"),
    "socwr": ("prices", "flows", "loading", "shadow", "dispatch"),
    "acpf": ("voltages", "flows", "loading", "dispatch"),
}


def further_tables(rows: CaseRows) -> tuple[str, ...]:
    """The tables of a case that not every case has."""
    return tuple(name for name, own in (("links", rows.links), ("storage", rows.storage)) if len(own.ids) > 0)


def tables_of(formulation: str, rows: CaseRows) -> tuple[str, ...]:
    """The tables of a formulation on a case."""
    return TABLES_OF[formulation] + further_tables(rows)


def chosen_tables(
    formulation: str, tables: Sequence[str] | None, rows: CaseRows, default: int | None = None
) -> tuple[str, ...]:
    """The tables to store, by default the first `default` of the formulation. Raises ArgumentError `ARGUMENT.CHOICE`."""
    own = tables_of(formulation, rows)
    if tables is None:
        return own[:default]
    if isinstance(tables, str) or not hasattr(tables, "__iter__"):
        raise ArgumentError("ARGUMENT.CHOICE", f"tables must be a list of names, not {formatted(tables)}.")
    return tuple(one_of("tables", name, own) for name in dict.fromkeys(tables))
