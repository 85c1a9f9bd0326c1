"""The tables of series and sweeps: names, elements and units. Workers import this module, so it must not import pandas."""

from __future__ import annotations

from collections.abc import Sequence

from ..arguments import formatted, one_of
from ..errors import ArgumentError

#: Names of tables in files, and their engine columns.
TABLES = {
    "prices": "lmp",
    "voltages": "vm_pu",
    "flows": "flow_mw",
    "loading": "loading",
    "shadow": "shadow",
    "dispatch": "dispatch_mw",
    "links": "link_mw",
}
TABLE_OF = {column: table for table, column in TABLES.items()}
#: The names of all files of results.
FILES = (*TABLES, "steps", "scenarios")
#: The tables of each formulation; a case with HVDC links has the table of their powers too.
TABLES_OF = {
    "dcopf": ("prices", "flows", "loading", "shadow", "dispatch"),
    "socwr": ("prices", "flows", "loading", "shadow", "dispatch"),
    "acpf": ("voltages", "flows", "loading", "dispatch"),
}


def tables_of(formulation: str, *, has_links: bool) -> tuple[str, ...]:
    """The tables of a formulation on a case with or without HVDC links."""
    return TABLES_OF[formulation] + (("links",) if has_links else ())


def chosen_tables(
    formulation: str, tables: Sequence[str] | None, default: int | None = None, *, has_links: bool
) -> tuple[str, ...]:
    """The tables to store, by default the first `default` of the formulation. Raises ArgumentError `ARGUMENT.CHOICE`."""
    own = tables_of(formulation, has_links=has_links)
    if tables is None:
        return own[:default]
    if isinstance(tables, str) or not hasattr(tables, "__iter__"):
        raise ArgumentError("ARGUMENT.CHOICE", f"tables must be a list of names, not {formatted(tables)}.")
    return tuple(one_of("tables", name, own) for name in dict.fromkeys(tables))
