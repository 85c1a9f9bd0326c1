"""The edits of a Study: demand, ratings, reactive demand, generators, branches, HVDC links, storage units and limits of interfaces, absolute from
the base case.

A DataFrame with a row for each element stands for the mapping that the same edits are by element.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, SupportsFloat, TypeAlias

from ..arguments import finite, foreign_frame, formatted, meant
from ..errors import EditError
from ..network import Changes, ElementKey, ElementName
from . import added as adding
from .added import Added

if TYPE_CHECKING:
    import pandas as pd

    from ..network import Elements, Network


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


#: Values by generator, branch, HVDC link, storage unit or interface that replace those of the case; None returns to the value of the case. A DataFrame has
#: the values as columns and the elements as index; a missing value changes nothing.
ValueChanges: TypeAlias = "Mapping[Any, Mapping[str, Any] | None] | pd.DataFrame"
#: The same with canonical keys, restricted to given values.
ValueEdits: TypeAlias = Mapping[ElementKey, Mapping[str, float | bool]]


@dataclass(frozen=True)
class Kind:
    """Elements with replaceable values: quantities with their units besides the status, and the argument of `commit`."""

    element: str
    argument: str
    quantities: Mapping[str, str]
    example: str
    has_status: bool = True

    @property
    def noun(self) -> str:
        """The word for one of them in messages."""
        return "storage unit" if self.element == "storage" else self.element

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the values."""
        return (*self.quantities, "status") if self.has_status else tuple(self.quantities)

    @property
    def family(self) -> str:
        """The first part of the codes of errors."""
        return self.element.upper()

    def malformed(self, message: str) -> EditError:
        """The error of an invalid value."""
        return EditError(f"{self.family}.MALFORMED", message)


GENERATORS = Kind(
    "generator",
    "generators",
    {"p_min": "MW", "p_max": "MW", "cost": "$/MWh", "c2": "$/MW²h"},
    '{"p_max": 300.0}',
)
BRANCHES = Kind(
    "branch", "branches", {"rating": "MW", "x": "per unit", "tap": "", "shift": "degrees"}, '{"status": False}'
)
LINKS = Kind(
    "link",
    "links",
    {"p": "MW", "p_min": "MW", "p_max": "MW", "loss": "MW", "loss_factor": "", "cost": "$/MWh"},
    '{"p_max": 120.0}',
)
STORAGE = Kind(
    "storage",
    "storage",
    {
        **{"p": "MW", "q": "MVAr", "p_charge_max": "MW", "p_discharge_max": "MW"},
        **{"charge_efficiency": "", "discharge_efficiency": ""},
        **{"energy": "MWh", "energy_min": "MWh", "energy_max": "MWh", "energy_value": "$/MWh"},
    },
    '{"energy_value": 30.0}',
)
INTERFACES = Kind("interface", "interfaces", {"min_mw": "MW", "max_mw": "MW"}, '{"max_mw": 400.0}', has_status=False)
#: The kinds of elements with replaceable values.
KINDS = (GENERATORS, BRANCHES, LINKS, STORAGE, INTERFACES)
#: Changes in MVAr by bus; None returns to a constant power factor.
ReactiveChanges: TypeAlias = "Mapping[Any, SupportsFloat | None] | pd.Series"
EditMode: TypeAlias = Literal["set", "increment"]
#: The changes of one call: demand, ratings, reactive demand, generators, branches, links, storage units, interfaces.
GivenChanges: TypeAlias = (
    "tuple[Changes | None, Changes | None, ReactiveChanges | None, ValueChanges | None, ValueChanges | None, "
    "ValueChanges | None, ValueChanges | None, ValueChanges | None]"
)


@dataclass(frozen=True, repr=False)
class Edits:
    """The edits of a state, absolute from the base case, as in `study.edits` and `wb.open_solution(file).edits`; the
    arguments of `study.commit` have the same names.

    `demand` is the change of demand in MW by bus, `ratings` the change of ratings in MW (for socwr MVA) by branch;
    elements without a change are absent. `reactive` is the change of reactive demand in MVAr by bus, for buses whose
    reactive demand is edited independently of the power factor, zero included. `generators`, `branches`, `links` and `storage` have the
    values that replace those of the case, by element: `p_min` and `p_max` in MW, `cost` in $/MWh and `c2` in $/MW²h, `status`; `rating` in
    MW, `x` in per unit, `tap`, `shift` in degrees, `status`; the schedule `p`, `p_min`, `p_max` and `loss` in MW, `loss_factor`,
    `cost` in $/MWh, `status`; the held powers `p` in MW and `q` in MVAr, `p_charge_max` and `p_discharge_max` in MW, `charge_efficiency`,
    `discharge_efficiency`, `energy`, `energy_min` and `energy_max` in MWh, `energy_value` in $/MWh, `status`. `interfaces` has the limits `min_mw`
    and `max_mw` in MW that replace those of the option `limits`, by name. `added` has the elements that the case does not have, `wb.Branch`, `wb.Generator`, `wb.Link`, `wb.Storage`
    and `wb.Load`; ids of added branches, generators, links and storage units follow those of the case. Edits are immutable, and empty
    edits are false.
    """

    demand: Mapping[ElementKey, float] = field(default_factory=dict)
    ratings: Mapping[ElementKey, float] = field(default_factory=dict)
    reactive: Mapping[ElementKey, float] = field(default_factory=dict)
    generators: ValueEdits = field(default_factory=dict)
    branches: ValueEdits = field(default_factory=dict)
    links: ValueEdits = field(default_factory=dict)
    storage: ValueEdits = field(default_factory=dict)
    interfaces: ValueEdits = field(default_factory=dict)
    added: Sequence[Added] = ()

    def __post_init__(self) -> None:
        for name, part in self._parts().items():
            own = {key: MappingProxyType(value) if isinstance(value, dict) else value for key, value in part.items()}
            object.__setattr__(self, name, MappingProxyType(own))
        object.__setattr__(self, "added", tuple(self.added))

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> Edits:
        """From `body`, which has the edits with the keys of the contract."""

        def by_id(table: str) -> dict[Any, Any]:
            return {int(key) if key.isdecimal() else key: value for key, value in body.get(table, {}).items()}

        added = adding.from_body(body.get("added", {}))
        return cls(
            by_id("deltas"),
            by_id("rates"),
            by_id("reactive"),
            by_id("generators"),
            by_id("branches"),
            by_id("links"),
            by_id("storage"),
            dict(body.get("interfaces", {})),  # a name stays a text, even if it has digits only
            added,
        )

    @property
    def added_json(self) -> str:
        """`added` as the engine takes them; empty without any."""
        return adding.as_json(self.added)

    def json(self) -> str:
        """The edits as the engine takes them, the contract's `Edits` as JSON."""
        return json.dumps(self.body())

    def body(self) -> dict[str, dict[str, Any]]:
        """The edits with the keys of the contract; all but `deltas` and `rates` are absent if they are empty."""
        further: dict[str, dict[str, Any]] = {
            "reactive": wire(self.reactive),
            "generators": _by_text(self.generators),
            "branches": _by_text(self.branches),
            "links": _by_text(self.links),
            "storage": _by_text(self.storage),
            "interfaces": _by_text(self.interfaces),
            "added": adding.body(self.added),
        }
        return {
            "deltas": wire(self.demand),
            "rates": wire(self.ratings),
            **{name: part for name, part in further.items() if part},
        }

    def _parts(self) -> dict[str, dict[Any, Any]]:
        """The fields but `added` as dictionaries."""
        return {
            "demand": dict(self.demand),
            "ratings": dict(self.ratings),
            "reactive": dict(self.reactive),
            "generators": {key: dict(values) for key, values in self.generators.items()},
            "branches": {key: dict(values) for key, values in self.branches.items()},
            "links": {key: dict(values) for key, values in self.links.items()},
            "storage": {key: dict(values) for key, values in self.storage.items()},
            "interfaces": {key: dict(values) for key, values in self.interfaces.items()},
        }

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (*self._parts().values(), self.added)

    def __repr__(self) -> str:
        parts = {**self._parts(), "added": list(self.added)}
        return f"Edits({', '.join(f'{name}={value!r}' for name, value in parts.items() if value)})"

    def __bool__(self) -> bool:
        return any(self._parts().values()) or bool(self.added)


def edited(
    current: Edits,
    network: Network,
    demand: Changes | None = None,
    ratings: Changes | None = None,
    reactive: ReactiveChanges | None = None,
    generators: ValueChanges | None = None,
    branches: ValueChanges | None = None,
    links: ValueChanges | None = None,
    storage: ValueChanges | None = None,
    interfaces: ValueChanges | None = None,
    mode: EditMode = "set",
    add: Iterable[Added] = (),
    remove: Iterable[ElementName | Added] = (),
) -> Edits:
    """The edits after a caller's changes; elements are removed first and added then. `network` is the case as it was read. Raises
    EditError for an unknown element and for a value that is not finite."""
    current = _without(current, network, remove)
    new = adding.canonical(network, add)
    added = (*current.added, *new)
    # Branches, generators, links, storage units and loads each have an order of their own; a body has them one after another.
    added = adding.from_body(adding.body(added))
    network = network._with_added(adding.as_json(added))
    return Edits(
        merged(current.demand, network._bus_keys.read(demand), mode),
        merged(current.ratings, network._branch_keys.read(ratings), mode),
        _reactive(current, network, reactive, mode),
        edited_values(GENERATORS, current.generators, network._generator_keys, generators),
        edited_values(BRANCHES, current.branches, network._branch_keys, branches),
        edited_values(LINKS, current.links, network._link_keys, links),
        edited_values(STORAGE, current.storage, network._storage_keys, storage),
        edited_values(INTERFACES, current.interfaces, InterfaceNames(), interfaces),
        added,
    )


def _without(current: Edits, network: Network, keys: Iterable[ElementName | Added]) -> Edits:
    """The edits without some added elements; edits of the others follow their ids."""
    left, moved = adding.without(network._with_added(current.added_json), current.added, keys)
    if len(left) == len(current.added):
        return current

    def follow(edits: Mapping[ElementKey, Any], table: str) -> dict[ElementKey, Any]:
        ids = {key: moved[table].get(key, key) for key in edits}
        return {new: edits[key] for key, new in ids.items() if new is not None}

    return Edits(
        current.demand,
        follow(current.ratings, "branches"),
        current.reactive,
        follow(current.generators, "generators"),
        follow(current.branches, "branches"),
        follow(current.links, "links"),
        follow(current.storage, "storage"),
        current.interfaces,
        left,
    )


def _reactive(
    current: Edits, network: Network, changes: ReactiveChanges | None, mode: EditMode
) -> dict[ElementKey, float]:
    buses = network._bus_keys
    following: dict[Any, float] = {}
    # A Series cannot hold None apart from a missing value, which is refused.
    if changes is not None and hasattr(changes, "items") and not hasattr(changes, "dropna"):
        following = {key: 0.0 for key, value in changes.items() if value is None}
        changes = {key: value for key, value in changes.items() if value is not None}
    dropped = buses.read(following, "reactive demand", "MVAr")
    named = buses.read(changes, "reactive demand", "MVAr")
    own = {bus: mvar for bus, mvar in current.reactive.items() if bus not in dropped}
    return merged(own, named, mode, keep_zeros=True)


class InterfaceNames:
    """Names of the interfaces of the option `limits`, which the engine checks."""

    example = '"North"'

    @staticmethod
    def known(name: object, code: str) -> str:
        """The name. Raises EditError with `code` if it is not a text."""
        if not isinstance(name, str):
            raise EditError(code, f"The name of an interface is a text, not {formatted(name)}.")
        return name


def edited_values(
    kind: Kind, current: ValueEdits, elements: Elements | InterfaceNames, changes: ValueChanges | None
) -> ValueEdits:
    """The edits after `changes`; values that are not named are unchanged.

    `changes` may be a DataFrame, see `by_element`. Raises EditError `GENERATOR.MALFORMED`, `GENERATOR.UNKNOWN`, `BRANCH.MALFORMED`,
    `BRANCH.UNKNOWN`, `LINK.MALFORMED`, `LINK.UNKNOWN`, `STORAGE.MALFORMED`, `STORAGE.UNKNOWN`, `INTERFACE.MALFORMED`, `INTERFACE.UNKNOWN`.
    """
    if changes is None:
        return current
    example = f"{{{elements.example}: {kind.example}}}"
    changes = by_element(changes, kind.element, kind.names, f"{kind.family}.MALFORMED")
    if not hasattr(changes, "items"):
        raise kind.malformed(f"{kind.argument} must be a mapping, for instance {example}, not {formatted(changes)}.")
    out = {key: dict(values) for key, values in current.items()}
    seen = set()
    for key, values in changes.items():
        element = elements.known(key, f"{kind.family}.UNKNOWN")
        if element in seen:
            raise kind.malformed(f"{kind.noun} {element} is named twice.")
        seen.add(element)
        if values is not None and not hasattr(values, "items"):
            raise kind.malformed(
                f"The values of {kind.noun} {element} must be a mapping, for instance {example}, not {formatted(values)}."
            )
        given = dict.fromkeys(kind.names) if values is None else values
        if "c2" in kind.names and "cost" in given and "c2" not in given:
            given = {**given, "c2": None}  # a cost replaces the whole curve
        own = {**out.get(element, {}), **{name: _value(kind, element, name, value) for name, value in given.items()}}
        out[element] = {name: value for name in kind.names if (value := own.get(name)) is not None}
    return {key: out[key] for key in ordered(out) if out[key]}


def _value(kind: Kind, element: ElementKey, name: object, value: object) -> float | bool | None:
    if name not in kind.names:
        hint = meant(name, kind.names) if isinstance(name, str) else ""
        raise kind.malformed(
            f"The values of {kind.noun} {element} are {', '.join(kind.names)}, not {formatted(name)}{f': {hint}' if hint else '.'}"
        )
    if value is None:
        return None
    if name == "status":
        if isinstance(value, bool) or type(value).__name__ == "bool":
            return bool(value)
        raise kind.malformed(f"The status of {kind.noun} {element} must be True or False, not {formatted(value)}.")
    number = finite(value)
    if number is None:
        unit = kind.quantities[str(name)]
        raise kind.malformed(
            f"{name} of {kind.noun} {element} is not a finite number{f' in {unit}' if unit else ''}: {formatted(value)}."
        )
    return number


def merged(
    current: Mapping[ElementKey, float],
    named: Mapping[ElementKey, float],
    mode: EditMode,
    *,
    keep_zeros: bool = False,
) -> dict[ElementKey, float]:
    """The absolute changes after `named` is applied to `current`.

    `mode="set"` replaces the named keys only, `mode="increment"` adds to them. Keys whose change is exactly zero are
    dropped, so that equal states have equal edits; `keep_zeros` retains them where zero is meaningful.
    """
    if not isinstance(mode, str) or mode not in ("set", "increment"):
        raise EditError("EDIT.MODE", f'mode must be "set" or "increment", not {formatted(mode)}.')
    out = dict(current)
    for key, value in named.items():
        out[key] = value + (out.get(key, 0.0) if mode == "increment" else 0.0)
    return {key: out[key] for key in ordered(out) if keep_zeros or out[key] != 0.0}


def ordered(keys: Iterable[ElementKey]) -> list[ElementKey]:
    """Numbers in ascending order, then texts."""
    return sorted(keys, key=_order)


def _order(key: ElementKey) -> tuple[int, int, str]:
    return (0, key, "") if isinstance(key, int) else (1, 0, key)


def wire(changes: Mapping[ElementKey, float]) -> dict[str, float]:
    """The same with the text keys of the contract."""
    return {str(key): value for key, value in changes.items()}


def _by_text(edits: ValueEdits) -> dict[str, dict[str, float | bool]]:
    return {str(key): dict(values) for key, values in edits.items()}
