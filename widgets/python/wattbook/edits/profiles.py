"""Profiles: demand and ratings by step, from tables by bus, by area or of the whole system; synthetic demand by hour."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from ..arguments import foreign_frame, formatted, one_of, whole
from ..errors import EditError
from ..native import engine_errors
from ..network import Elements
from ..tables.rows import parted
from .costs import unit_row

if TYPE_CHECKING:
    from ..network import Network

#: A table by step (rows) and bus, branch or area (columns), or of the whole system.
Table: TypeAlias = "pd.DataFrame | pd.Series | Mapping[Any, Any]"
By: TypeAlias = Literal["bus", "area", "zone", "system"]
Unit: TypeAlias = Literal["MW", "pu"]

#: Names of the column with the steps, as in files and in the page.
LABELS = re.compile("time|timestamp|datetime|date|hour|step|snapshots?|period", re.IGNORECASE)
#: A column of one element or group, `area 2`.
_KEYED = re.compile(r"(bus|area|zone|branch|line|generator|unit)[ _:-]+(.+)", re.IGNORECASE)
_NOUNS = {"branch": ("branch", "line"), "generator": ("generator", "unit")}


@dataclass(frozen=True)
class Profiles:
    """Demand of buses and ratings of lines by step, as changes from the base case in MW: arrays of steps by elements."""

    index: pd.Index
    buses: tuple[int, ...]
    branches: tuple[int, ...]
    changes: np.ndarray
    #: Availability of generators by step, 0 to 1, and their rows; None if all are available.
    units: tuple[tuple[int, ...], np.ndarray] | None = None

    def __len__(self) -> int:
        return len(self.index)


def profiles_of(
    network: Network, demand: Table | None, ratings: Table | None, by: By, unit: Unit, units: Table | None = None
) -> Profiles:
    """Profiles of a case from tables; the arguments are those of `Study.series`.

    Raises EditError `PROFILE.MALFORMED`, `BUS.UNKNOWN`, `BRANCH.UNKNOWN`.
    """
    by = one_of("by", by, ("bus", "area", "zone", "system"))  # type: ignore[assignment]
    unit = one_of("unit", unit, ("MW", "pu"))  # type: ignore[assignment]
    if demand is None and ratings is None and units is None:
        raise EditError("PROFILE.MALFORMED", "A series needs a table of demand, of ratings or of units.")
    tables = []
    if demand is not None:
        tables.append(_demand(network, _table("demand", demand), by, unit))
    if ratings is not None:
        tables.append(_ratings(network, _table("ratings", ratings), unit))
    available = None if units is None else _units(network, _table("units", units))
    indexes = [table.index for table in (*tables, *(() if available is None else (available,)))]
    for other in indexes[1:]:
        if not other.equals(indexes[0]):
            raise EditError("PROFILE.MALFORMED", "The tables of demand, ratings and units have different steps.")
    named = {name: next((t for t in tables if t.columns.name == name), None) for name in ("bus", "branch")}
    return Profiles(
        index=indexes[0],
        buses=() if named["bus"] is None else tuple(map(int, named["bus"].columns)),
        branches=() if named["branch"] is None else tuple(map(int, named["branch"].columns)),
        changes=np.ascontiguousarray(
            np.hstack([np.empty((len(indexes[0]), 0)), *(table.to_numpy(dtype="<f8") for table in tables)])
        ),
        units=None if available is None else (tuple(map(int, available.columns)), available.to_numpy()),
    )


def _table(name: str, given: Table) -> pd.DataFrame:
    """Numbers by step and element."""
    table = given.to_frame() if isinstance(given, pd.Series) else given
    if not isinstance(table, pd.DataFrame):
        not_one = f"{name} must be a DataFrame with a row for each step and a column for each element"
        if not isinstance(table, Mapping):
            raise EditError("PROFILE.MALFORMED", f"{not_one}, not {foreign_frame(given) or formatted(given)}.")
        try:
            table = pd.DataFrame(table)
        except (TypeError, ValueError):
            raise EditError("PROFILE.MALFORMED", f"{not_one}, not {formatted(given)}.") from None
    if table.empty:
        raise EditError("PROFILE.MALFORMED", f"The table of {name} is empty.")
    first = table.columns[0]
    if isinstance(first, str) and LABELS.fullmatch(first.strip()):
        raise EditError(
            "PROFILE.MALFORMED",
            f"The column {formatted(first)} of the table of {name} holds the steps: make it the index, frame.set_index({first!r}).",
        )
    try:
        numbers = table.astype("float64")
    except (TypeError, ValueError):
        raise EditError("PROFILE.MALFORMED", _no_number(name, table)) from None
    bad = ~np.isfinite(numbers.to_numpy())
    if bad.any():
        step, column = (int(k) for k in np.argwhere(bad)[0])
        raise EditError(
            "PROFILE.MALFORMED",
            f"The table of {name} has no finite number in column {formatted(table.columns[column])} at step {table.index[step]}.",
        )
    return numbers


def _no_number(name: str, table: pd.DataFrame) -> str:
    """The first invalid value of a table, for a message."""
    for k, column in enumerate(table.columns):
        for step, value in table.iloc[:, k].items():
            try:
                float(value)
            except (TypeError, ValueError):
                return f"The table of {name} has no number in column {formatted(column)} at step {step}: {formatted(value)}."
    return f"The table of {name} holds values that are not numbers."


def _demand(network: Network, table: pd.DataFrame, by: By, unit: Unit) -> pd.DataFrame:
    base = network._buses["demand_mw"].where(network._buses["editable"], 0.0)
    if by == "bus":
        for column in table.columns:
            if (kind := kind_of(network, column)) != "bus":
                message = f'The column {formatted(column)} of the table of demand is no bus: pass by="{kind}".'
                raise EditError("PROFILE.MALFORMED", message)
        values = _named(network._bus_keys, plain(table, "bus", network._bus_keys))
        at_base = base.reindex(values.columns).to_numpy()
        changes = values.to_numpy() * at_base - at_base if unit == "pu" else values.to_numpy() - at_base
        return _framed(changes, table.index, values.columns, "bus")
    # The demand of an area or of the system is shared as in the base case, negative demand included.
    loads = base[base != 0]
    if by == "system":
        if table.shape[1] != 1:
            raise EditError("PROFILE.MALFORMED", f"The demand of the system is one column, not {table.shape[1]}.")
        group = pd.Series(0, index=loads.index)
        columns: list[object] = [0]
    else:
        group = _groups(network, by).reindex(loads.index)
        columns = list(plain(table, by).columns)
    factors = np.ones((len(table), len(loads)))
    taken = np.zeros(len(loads), dtype=bool)
    for k, name in enumerate(columns):
        members = (group == _area(name)).to_numpy(dtype=bool, na_value=False)
        if not members.any():
            raise EditError("PROFILE.MALFORMED", f"No bus with demand is in {by} {name}.")
        total = float(loads.to_numpy()[members].sum())
        if unit == "MW" and abs(total) <= 1e-9 * np.abs(loads.to_numpy()[members]).sum():
            where = "the system" if by == "system" else f"{by} {name}"
            message = f'Positive and negative demand of {where} cancel, so no factor makes another sum: pass unit="pu" or by="bus".'
            raise EditError("PROFILE.MALFORMED", message)
        factor = table.iloc[:, k].to_numpy() / (1.0 if unit == "pu" else total)
        factors[:, members] = factor[:, None]
        taken |= members
    mw = loads.to_numpy()[taken]
    return _framed(factors[:, taken] * mw - mw, table.index, loads.index[taken], "bus")


def _groups(network: Network, by: By) -> pd.Series:
    """Area or zone by bus; missing if the source has no areas or zones."""
    rows = network._rows.buses
    return pd.Series(rows.numbers(by), index=pd.Index(rows.ids, name="bus")).astype("Int64")


def _area(name: object) -> object:
    return int(name) if isinstance(name, str) and name.strip().isdigit() else name


def _ratings(network: Network, table: pd.DataFrame, unit: Unit) -> pd.DataFrame:
    values = _named(network._branch_keys, plain(table, "branch", network._branch_keys))
    at_base = network._branches["rating_mw"].reindex(values.columns).to_numpy()
    # Without a rating the engine refuses any change.
    at_base = np.where(np.isinf(at_base), 0.0, at_base)
    changes = values.to_numpy() * at_base - at_base if unit == "pu" else values.to_numpy() - at_base
    return _framed(changes, table.index, values.columns, "branch")


def _units(network: Network, table: pd.DataFrame) -> pd.DataFrame:
    """Availability by step and row of the module."""
    rows = pd.Index([unit_row(network, name) for name in plain(table, "generator", network._generator_keys).columns])
    if rows.has_duplicates:
        raise EditError("PROFILE.MALFORMED", "The table of units names a generator twice.")
    values = table.to_numpy()
    beyond = np.argwhere((values < 0) | (values > 1))
    if len(beyond):
        step, column = (int(k) for k in beyond[0])
        where = f"in column {formatted(table.columns[column])} at step {table.index[step]}"
        message = f"The availability of units is a number from 0 to 1, a factor of Pmax; {where} it is {values[step, column]:g}."
        raise EditError("PROFILE.MALFORMED", message)
    return table.set_axis(rows, axis=1)


def kind_of(network: Network, name: object) -> By:
    """The kind of a column of demand, by its name."""
    keyed = _KEYED.fullmatch(name) if isinstance(name, str) else None
    if keyed is None or _is_element(network._bus_keys, name):
        return "system" if isinstance(name, str) and name.casefold() == "system" else "bus"
    noun = keyed[1].lower()
    return noun if noun in ("area", "zone") else "bus"  # type: ignore[return-value]


def plain(table: pd.DataFrame, of: str, elements: Elements | None = None) -> pd.DataFrame:
    """The table with `2` for `area 2`; a uid may begin with the word itself."""

    def key(name: object) -> object:
        keyed = _KEYED.fullmatch(name) if isinstance(name, str) else None
        if keyed is None or keyed[1].lower() not in _NOUNS.get(of, (of,)):
            return name
        return name if elements is not None and _is_element(elements, name) else keyed[2]

    return table.set_axis([key(name) for name in table.columns], axis=1)


def _is_element(elements: Elements, name: object) -> bool:
    return elements.canonical(name) in elements._ids


def _named(elements: Elements, table: pd.DataFrame) -> pd.DataFrame:
    """The table with original ids as columns."""
    ids = [elements.target(name) for name in table.columns]
    seen = pd.Index(ids)
    if seen.has_duplicates:
        twice = seen[seen.duplicated()][0]
        raise EditError("PROFILE.MALFORMED", f"The table names {elements.kind} {twice} twice.")
    return table.set_axis(seen, axis=1)


def _framed(changes: np.ndarray, index: pd.Index, columns: pd.Index, name: str) -> pd.DataFrame:
    return pd.DataFrame(changes, index=index, columns=columns.rename(name))


def synthetic_demand(network: Network, hours: int, start: str, seed: int) -> pd.DataFrame:
    """Demand in MW by hour and bus; see `Case.synthetic_demand`."""
    count = whole("hours", hours, least=1)
    try:
        time = pd.date_range(start, periods=count, freq="h", name="time")
    except ValueError:
        raise EditError("PROFILE.MALFORMED", f"start must be a date such as 2026-07-06, not {start!r}.") from None
    # Local time of the case, whatever the time zone of the index.
    clock = time.tz_localize(None)
    start_s = (clock[0] - pd.Timestamp(0)).total_seconds()
    with engine_errors():
        head, columns = parted(network._opened.synthetic_demand(start_s, count, whole("seed", seed, least=0)))
    demand = columns["demand_mw"].values.reshape(count, -1).copy()
    frame = pd.DataFrame(
        demand, index=time, columns=pd.Index(head["buses"], name="bus", dtype=network._buses.index.dtype)
    )
    frame.attrs["units"] = "MW"
    return frame
