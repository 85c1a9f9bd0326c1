"""One change for many elements: which buses, branches, generators or HVDC links are selected, and what the change makes of their values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..arguments import finite, formatted, meant, one_of, truth
from ..errors import EditError
from ..text.words import count, element_noun

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from ..network import Network
    from .edits import Edits, ValueEdits

#: What can be changed for many elements, by the argument of `study.commit` that takes it.
GeneratorValue: TypeAlias = Literal["p_min", "p_max", "cost", "status"]
LinkValue: TypeAlias = Literal["p_min", "p_max", "p", "loss", "loss_factor", "cost", "status"]
Quantity: TypeAlias = Literal["demand", "ratings"] | LinkValue
#: Whose values change, by the argument of `study.commit`, where a quantity is that of several kinds of elements.
ValueOwner: TypeAlias = Literal["generators", "links"]
#: The column of the case that has a value of an edit.
_COLUMNS: Mapping[str, Mapping[str, str]] = {
    "generators": {"p_min": "p_min_mw", "p_max": "p_max_mw", "cost": "cost_c1", "status": "in_service"},
    "links": {
        "p_min": "p_min_mw",
        "p_max": "p_max_mw",
        "p": "p_mw",
        "loss": "loss_mw",
        "loss_factor": "loss_factor",
        "cost": "cost",
        "status": "in_service",
    },
}
#: A boolean Series by element, or a boolean array in the order of the table of the case.
Filter: TypeAlias = "pd.Series | np.ndarray | Iterable[bool]"
_UNITS = {
    **dict.fromkeys(("demand", "ratings", "p_min", "p_max", "p", "loss"), "MW"),
    "loss_factor": "1",
    "cost": "$/MWh",
}
#: Values that a message lists.
_LISTED = 12


class Selection:
    """The elements that all of the given conditions select.

    `area`, `zone` and `base_kv` are numbers, one or several, `fuel` texts as in `case.generators["energy_source"]`, `where` a boolean
    filter. A generator is in the area, zone and voltage of its bus, a line or link where both ends are.
    """

    def __init__(
        self,
        area: int | Iterable[int] | None,
        zone: int | Iterable[int] | None,
        base_kv: float | Iterable[float] | None,
        fuel: str | Iterable[str] | None,
        where: Filter | None,
    ) -> None:
        given = {"area": area, "zone": zone, "base_kv": base_kv, "fuel": fuel}
        self._values = {name: _several(value) for name, value in given.items() if value is not None}
        self._where = where

    def of(self, network: Network, kind: str) -> np.ndarray:
        """Which rows of the table of a `kind` are selected. Rows that have no edits (star points and arms) are not.

        Raises EditError `EDIT.SELECTION` for a value that no element has, for a filter of other elements, and where nothing is selected.
        """
        import numpy as np

        table = {
            "bus": network._buses,
            "branch": network._branches,
            "generator": network._generators,
            "link": network.links,
        }[kind]
        chosen = table["editable"].to_numpy() if "editable" in table else np.ones(len(table), dtype=bool)
        for name, values in self._values.items():
            chosen = chosen & self._having(network, table, kind, name, values)
        if self._where is not None:
            chosen = chosen & _filtered(table, kind, self._where)
        if not chosen.any():
            conditions = " and ".join(
                [f"{name} {' or '.join(map(str, values))}" for name, values in self._values.items()]
                + (["the filter"] if self._where is not None else [])
            )
            raise _refused(
                f"No {element_noun(kind)} is selected by {conditions}."
                if conditions
                else f"This case has no {element_noun(kind)}."
            )
        return chosen

    def _having(self, network: Network, table: pd.DataFrame, kind: str, name: str, values: list[Any]) -> np.ndarray:
        import numpy as np

        if name == "fuel":
            if kind != "generator":
                raise _refused(
                    f"{'An' if kind == 'link' else 'A'} {element_noun(kind)} has no fuel: fuel selects generators."
                )
            known = table["energy_source"].str.casefold()
            wanted = [str(value).strip().casefold() for value in values]
            _check_known(network, name, wanted, known, values)
            return np.asarray(known.isin(wanted), dtype=bool)
        at_bus = network._buses[name]
        numbers = [finite(value) for value in values]
        _check_known(network, name, numbers, at_bus, values)
        buses = at_bus.isin(numbers)
        if kind == "bus":
            return np.asarray(buses, dtype=bool)
        ends = ("bus",) if kind == "generator" else ("from_bus", "to_bus")
        at_ends = np.array([buses.reindex(table[end]) for end in ends], dtype=bool)
        return np.asarray(at_ends.all(axis=0))


def _several(value: Any) -> list[Any]:
    """One value or several as a list."""
    return list(value) if hasattr(value, "__iter__") and not isinstance(value, str) else [value]


def _check_known(network: Network, name: str, wanted: list[Any], column: pd.Series, given: list[Any]) -> None:
    """Raises EditError `EDIT.SELECTION` for a value that no element has: mostly it is mistyped."""
    known = sorted(column.dropna().unique().tolist())
    for value, as_given in zip(wanted, given, strict=True):
        if value in known:
            continue
        what = {"area": "area", "zone": "zone", "base_kv": "bus of base kV", "fuel": "generator of fuel"}[name]
        hint = meant(value, known) if isinstance(value, str) else ""
        listed = ", ".join(f"{one:g}" if isinstance(one, float) else str(one) for one in known[:_LISTED])
        listed += " and others" if len(known) > _LISTED else ""
        there = hint or (f"there are {listed}." if known else f"the source has no {name}.")
        raise _refused(f"There is no {what} {formatted(as_given)} in this case: {there}")
    if not wanted:
        raise _refused(f"{name} is empty: name at least one, or leave it out.")


def _filtered(table: pd.DataFrame, kind: str, where: Any) -> np.ndarray:
    """The rows that a boolean filter selects; a missing value does not select."""
    import numpy as np
    import pandas as pd

    if isinstance(where, pd.Series):
        if where.index.name in ("bus", "branch", "generator", "link") and where.index.name != kind:
            raise _refused(f"where selects by {where.index.name}, not by {kind}: for instance {_example(kind)}.")
        unknown = where.index.difference(table.index)
        if len(unknown):
            raise _refused(f"There is no {element_noun(kind)} {formatted(unknown[0])} in this case, which where names.")
        if where.index.has_duplicates:
            twice = where.index[where.index.duplicated()][0]
            raise _refused(f"where names {element_noun(kind)} {formatted(twice)} twice.")
        where = where.reindex(table.index)
    values = pd.array(list(where) if hasattr(where, "__iter__") else [where], dtype="object")
    missing = pd.isna(values)
    if not all(lost or isinstance(value, (bool, np.bool_)) for value, lost in zip(values, missing, strict=True)):
        raise _refused(f"where must be a filter of True and False, for instance {_example(kind)}.")
    if len(values) != len(table):
        raise _refused(
            f"where has {count(len(values), 'value')} for {count(len(table), element_noun(kind))}: "
            "give a boolean Series by element, or an array in the order of the table."
        )
    return np.where(missing, False, values).astype(bool)


def _example(kind: str) -> str:
    return {
        "bus": "case.buses.demand_mw > 50",
        "branch": "case.branches.rating_mw < 200",
        "generator": "case.generators.p_max_mw > 300",
        "link": "case.links.p_max_mw > 100",
    }[kind]


def changed(
    network: Network,
    edits: Edits,
    quantity: str,
    owner: str,
    selection: Selection,
    amounts: Mapping[str, Any],
) -> pd.Series | pd.DataFrame:
    """The changes of `study.changes`, from the values of the current `edits`. `owner` is whose values change, which
    `demand` and `ratings` ignore; `amounts` has `factor`, `add` and `to`, one of which is given.

    Raises EditError `EDIT.SELECTION`, `EDIT.AMOUNT`, ArgumentError for another quantity.
    """
    import pandas as pd

    one_of("of", owner, tuple(_COLUMNS))
    one_of("quantity", quantity, ("demand", "ratings", *_COLUMNS[owner]))
    how, amount = _amount(quantity, amounts)
    kind = {"demand": "bus", "ratings": "branch"}.get(quantity, owner.removesuffix("s"))
    chosen = selection.of(network, kind)
    if kind == "generator" or kind == "link":
        values = (_generator_values if kind == "generator" else _link_values)(network, edits, quantity, chosen, how)
        frame = pd.DataFrame({quantity: _moved(values, how, amount)})
        frame.attrs["units"] = {quantity: _UNITS[quantity]} if quantity in _UNITS else {}
        return frame
    table, column, own = (
        (network._buses, "demand_mw", edits.demand)
        if kind == "bus"
        else (network._branches, "rating_mw", edits.ratings)
    )
    if kind == "branch":
        table = table.assign(
            rating_mw=_edited(table["rating_mw"], edits.branches, "rating"),
            in_service=_edited(table["in_service"], edits.branches, "status"),
        )
    base = table[column][chosen]
    committed = pd.Series(dict(own), dtype="float64").reindex(base.index).fillna(0.0)
    now = base + committed
    if kind == "branch":
        # Neither a line without a rating nor one out of service has one to change.
        limited = (base < float("inf")) & table["in_service"][chosen]
        base, now = base[limited], now[limited]
    elif how == "factor":
        base, now = base[now != 0.0], now[now != 0.0]
    if base.empty:
        lacking = "rating that can be changed" if kind == "branch" else "demand to scale"
        raise _refused(f"No selected {element_noun(kind)} has a {lacking}.")
    # A sum of changes is exact where the difference of two totals would be rounded.
    changes = committed.reindex(base.index) + amount if how == "add" else _moved(now, how, amount) - base
    changes = changes.rename(quantity)
    changes.attrs["units"] = _UNITS[quantity]
    return changes


def _edited(of_case: pd.Series, edits: ValueEdits, name: str) -> pd.Series:
    """A column of the case with the values of edits."""
    edited = of_case.copy()
    for element, values in edits.items():
        if name in values:
            edited[element] = values[name]
    return edited


def _moved(values: pd.Series, how: str, amount: Any) -> pd.Series:
    if how == "to":
        moved = values.copy()
        moved = moved.astype(object if isinstance(amount, bool) else "float64")
        moved[:] = amount
        return moved.astype(bool) if isinstance(amount, bool) else moved
    return values * amount if how == "factor" else values + amount


def _amount(quantity: str, amounts: Mapping[str, Any]) -> tuple[str, Any]:
    """The one way of change that is given, with its amount."""
    given = {how: amount for how, amount in amounts.items() if amount is not None}
    if len(given) != 1:
        raise EditError("EDIT.AMOUNT", "Give one of factor, add and to, for instance factor=1.1.")
    ((how, amount),) = given.items()
    if quantity == "status":
        if how != "to":
            raise EditError("EDIT.AMOUNT", "A status has no factor and no sum: give to=True or to=False.")
        return how, truth("to", amount)
    number = finite(amount)
    if number is None:
        unit = "" if how == "factor" else f" in {_UNITS[quantity]}"
        raise EditError("EDIT.AMOUNT", f"{how} must be a finite number{unit}, not {formatted(amount)}.")
    return how, number


def _generator_values(network: Network, edits: Edits, quantity: str, chosen: np.ndarray, how: str) -> pd.Series:
    """The current values of generators: those of the case, replaced by those of edits."""
    table = network._generators[chosen]
    values = _edited(network._generators[_COLUMNS["generators"][quantity]], edits.generators, quantity)[chosen]
    edited = [generator for generator, own in edits.generators.items() if quantity in own]
    if quantity == "cost" and how != "to":
        curved = ((table["cost_model"] != "polynomial") | (table["cost_c2"] != 0.0)) & ~table.index.isin(edited)
        if curved.any():
            first = table.index[curved][0]
            raise EditError(
                "EDIT.AMOUNT",
                f"Generator {first} has a cost curve, which one marginal cost would replace: give to=, in $/MWh.",
                element={"kind": "generator", "id": int(first)},
            )
    return values


def _link_values(network: Network, edits: Edits, quantity: str, chosen: np.ndarray, how: str) -> pd.Series:
    """The current values of HVDC links: those of the case, replaced by those of edits."""
    values = _edited(network.links[_COLUMNS["links"][quantity]], edits.links, quantity)[chosen]
    if how != "to" and values.isna().any():
        first = values.index[values.isna()][0]
        raise EditError(
            "EDIT.AMOUNT",
            f"HVDC link {first} has no {quantity} to change: give to=.",
            element={"kind": "link", "id": int(first)},
        )
    return values


def _refused(message: str) -> EditError:
    return EditError("EDIT.SELECTION", message)
