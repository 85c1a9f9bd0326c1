"""Profiles: demand and ratings by step, from tables by bus, by area or of the whole system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from ..arguments import one_of, told
from ..errors import EditError
from .costs import unit_row
from .edits import Elements

if TYPE_CHECKING:
    from ..case.case import Case

#: A table by step (rows) and bus, branch or area (columns), or of the whole system.
Table: TypeAlias = "pd.DataFrame | pd.Series | Mapping[Any, Any]"
By: TypeAlias = Literal["bus", "area", "zone", "system"]
Unit: TypeAlias = Literal["MW", "pu"]


@dataclass(frozen=True)
class Profiles:
    """Demand of buses and ratings of lines by step, as changes from the base case in MW: arrays of steps by elements."""

    index: pd.Index
    buses: tuple[int, ...]
    branches: tuple[int, ...]
    changes: np.ndarray
    #: Availability of units by step, 0 to 1, and the rows of the units; None where all are available.
    units: tuple[tuple[int, ...], np.ndarray] | None = None

    def __len__(self) -> int:
        return len(self.index)


def profiles_of(
    case: Case, demand: Table | None, ratings: Table | None, by: By, unit: Unit, units: Table | None = None
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
        tables.append(_demand(case, _table("demand", demand), by, unit))
    if ratings is not None:
        tables.append(_ratings(case, _table("ratings", ratings), unit))
    available = None if units is None else _units(case, _table("units", units))
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
        try:
            table = pd.DataFrame(table)
        except (TypeError, ValueError):
            raise EditError("PROFILE.MALFORMED", f"{name} must be a DataFrame by step, not {told(given)}.") from None
    if table.empty:
        raise EditError("PROFILE.MALFORMED", f"The table of {name} is empty.")
    try:
        numbers = table.astype("float64")
    except (TypeError, ValueError):
        raise EditError("PROFILE.MALFORMED", f"The table of {name} holds values that are not numbers.") from None
    bad = ~np.isfinite(numbers.to_numpy())
    if bad.any():
        step, column = (int(k) for k in np.argwhere(bad)[0])
        raise EditError(
            "PROFILE.MALFORMED",
            f"The table of {name} has no finite number in column {told(table.columns[column])} at step {table.index[step]}.",
        )
    return numbers


def _demand(case: Case, table: pd.DataFrame, by: By, unit: Unit) -> pd.DataFrame:
    base = case._buses["demand_mw"].where(case._buses["editable"], 0.0)
    if by == "bus":
        values = _named(case._bus_keys, table)
        at_base = base.reindex(values.columns).to_numpy()
        changes = values.to_numpy() * at_base - at_base if unit == "pu" else values.to_numpy() - at_base
        return _framed(changes, table.index, values.columns, "bus")
    # Demand of an area or of the system keeps the shares that its buses have in the base case.
    loads = base[base > 0]
    if by == "system":
        if table.shape[1] != 1:
            raise EditError("PROFILE.MALFORMED", f"The demand of the system is one column, not {table.shape[1]}.")
        group = pd.Series(0, index=loads.index)
        columns: list[object] = [0]
    else:
        group = _groups(case, by).reindex(loads.index)
        columns = list(table.columns)
    factors = np.ones((len(table), len(loads)))
    taken = np.zeros(len(loads), dtype=bool)
    for k, name in enumerate(columns):
        members = (group == _area(name)).to_numpy(dtype=bool, na_value=False)
        if not members.any():
            raise EditError("PROFILE.MALFORMED", f"No bus with demand is in {by} {name}.")
        total = float(loads.to_numpy()[members].sum())
        factor = table.iloc[:, k].to_numpy() / (1.0 if unit == "pu" else total)
        factors[:, members] = factor[:, None]
        taken |= members
    mw = loads.to_numpy()[taken]
    return _framed(factors[:, taken] * mw - mw, table.index, loads.index[taken], "bus")


def _groups(case: Case, by: By) -> pd.Series:
    """Area or zone by bus; missing where the source has none."""
    rows = case._rows.buses
    return pd.Series(rows.numbers(by), index=pd.Index(rows.ids, name="bus")).astype("Int64")


def _area(name: object) -> object:
    return int(name) if isinstance(name, str) and name.strip().isdigit() else name


def _ratings(case: Case, table: pd.DataFrame, unit: Unit) -> pd.DataFrame:
    values = _named(case._branch_keys, table)
    at_base = case._branches["rating_mw"].reindex(values.columns).to_numpy()
    # Where there is no rating the engine refuses any change.
    at_base = np.where(np.isinf(at_base), 0.0, at_base)
    changes = values.to_numpy() * at_base - at_base if unit == "pu" else values.to_numpy() - at_base
    return _framed(changes, table.index, values.columns, "branch")


def _units(case: Case, table: pd.DataFrame) -> pd.DataFrame:
    """Availability by step and row of the module."""
    rows = pd.Index([unit_row(case, name) for name in table.columns])
    if rows.has_duplicates:
        raise EditError("PROFILE.MALFORMED", "The table of units names a generator twice.")
    if not table.to_numpy().min() >= 0 or not table.to_numpy().max() <= 1:
        raise EditError("PROFILE.MALFORMED", "The availability of units is a number from 0 to 1, a factor of Pmax.")
    return table.set_axis(rows, axis=1)


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
