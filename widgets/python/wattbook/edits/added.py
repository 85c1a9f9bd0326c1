"""Elements that a Study adds to its case: branches, generators, HVDC links, storage units and loads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from ..arguments import finite, formatted
from ..errors import EditError
from ..network import ElementKey, ElementName
from ..text import words

if TYPE_CHECKING:
    from ..network import Elements, Network

EnergySource: TypeAlias = Literal["hydro", "nuclear", "wind", "thermal", "coal", "gas", "solar", "other"]


@dataclass(frozen=True, kw_only=True)
class Branch:
    """A line or transformer to add: `study.commit(add=[wb.Branch(from_bus=1, to_bus=4, x=0.02, rating=300)])`.

    Either `from_bus`, `to_bus` and an impedance are given, or `copy_of`, the branch that it is a parallel circuit of; then every other
    value replaces that of the original, and the copy is in service. `r`, `x` and `b` are series resistance, series reactance and total
    charging susceptance in per unit on `case.base_mva` (0 by default), `rating` is in MW (acpf, socwr: MVA; no limit by default), `tap`
    the off-nominal ratio (1), `shift` the phase shift in degrees (0), `angle_min` and `angle_max` the limits of the angle difference in
    degrees (none). `name` is a key like a uid.
    """

    table: ClassVar[str] = "branches"

    from_bus: ElementName | None = None
    to_bus: ElementName | None = None
    copy_of: ElementName | None = None
    r: float | None = None
    x: float | None = None
    b: float | None = None
    rating: float | None = None
    tap: float | None = None
    shift: float | None = None
    angle_min: float | None = None
    angle_max: float | None = None
    name: str | None = None


@dataclass(frozen=True, kw_only=True)
class Generator:
    """A generator to add: `study.commit(add=[wb.Generator(bus=4, p_max=200, cost=18.0)])`.

    `p_min` and `p_max` limit its output in MW, `cost` is its marginal cost in $/MWh, `q_min` and `q_max` limit its reactive power in
    MVAr (0 by default). In acpf it injects `p` and `q` (MW and MVAr, the values closest to zero by default) and controls no voltage.
    `name` is a key like a uid.
    """

    table: ClassVar[str] = "generators"

    bus: ElementName
    p_max: float
    cost: float
    p_min: float = 0.0
    p: float | None = None
    q_min: float = 0.0
    q_max: float = 0.0
    q: float | None = None
    energy_source: EnergySource = "other"
    name: str | None = None


@dataclass(frozen=True, kw_only=True)
class Link:
    """An HVDC link to add: `study.commit(add=[wb.Link(from_bus=1, to_bus=4, p_max=200, loss_factor=0.03)])`.

    It takes power at `from_bus` and delivers it, less its losses, at `to_bus`. `p_min` and `p_max` limit the power in MW: a limit of at
    least zero holds at the from end, a negative one at the to end (`p_min=-200` lets it run in both directions). `loss` is constant,
    in MW; `loss_factor` is the lost fraction of the sent power; `cost` is in $/MWh of power at the from end. Power flows hold the
    schedule `p` in MW (the value closest to zero by default); its converters exchange no reactive power. `name` is a key like a uid.
    """

    table: ClassVar[str] = "links"

    from_bus: ElementName
    to_bus: ElementName
    p_max: float
    p_min: float = 0.0
    p: float | None = None
    loss: float = 0.0
    loss_factor: float = 0.0
    cost: float = 0.0
    name: str | None = None


@dataclass(frozen=True, kw_only=True)
class Storage:
    """A storage unit to add: `study.commit(add=[wb.Storage(bus=4, p_charge_max=50, p_discharge_max=50, energy_value=30.0)])`.

    It is held at `p` MW and `q` MVAr (0 by default), positive while it discharges. With the option `storage="valued"` a unit with an
    `energy_value` in $/MWh of stored energy is dispatched by it: it charges up to `p_charge_max` MW where the price is below
    `charge_efficiency` times the value, and discharges up to `p_discharge_max` MW where it is above the value divided by
    `discharge_efficiency` (both 1 by default). `energy`, the stored energy in MWh at the start of the hour, and its limits `energy_min`
    and `energy_max` limit both; without `energy` they do not. `name` is a key like a uid.
    """

    table: ClassVar[str] = "storage"

    bus: ElementName
    p_charge_max: float = 0.0
    p_discharge_max: float = 0.0
    p: float = 0.0
    q: float = 0.0
    charge_efficiency: float = 1.0
    discharge_efficiency: float = 1.0
    energy: float | None = None
    energy_min: float | None = None
    energy_max: float | None = None
    energy_value: float | None = None
    name: str | None = None


@dataclass(frozen=True, kw_only=True)
class Load:
    """A load to add: `study.commit(add=[wb.Load(bus=4, p=100)])`. It adds `p` MW and `q` MVAr (0 by default), constant at any voltage,
    to the demand of its bus."""

    table: ClassVar[str] = "loads"

    bus: ElementName
    p: float
    q: float = 0.0
    name: str | None = None


Added: TypeAlias = Branch | Generator | Link | Storage | Load


def title(element: Added) -> str:
    """`Line 1 to 4`, `Copy of line 12`, `Generator "peaker" at bus 4`, `HVDC link 1 to 4`, `Storage unit at bus 4`, `Load of 100.0 MW at bus 4`."""
    named = "" if element.name is None else f' "{words.visible(element.name)}"'
    match element:
        case Branch(copy_of=None):
            return f"Line{named} {element.from_bus} to {element.to_bus}"
        case Branch():
            return f"Copy{named} of line {element.copy_of}"
        case Generator():
            return f"Generator{named} at bus {element.bus}"
        case Link():
            return f"HVDC link{named} {element.from_bus} to {element.to_bus}"
        case Storage():
            return f"Storage unit{named} at bus {element.bus}"
        case Load():
            return f"Load{named} of {words.mw(element.p)} MW at bus {element.bus}"


_TYPES: tuple[type[Added], ...] = (Branch, Generator, Link, Storage, Load)
#: Fields that name buses, and their names in the contract.
_BUSES = {"from_bus": "from", "to_bus": "to", "bus": "bus"}
_TEXTS = ("name", "energy_source")


def body(added: Sequence[Added]) -> dict[str, list[dict[str, Any]]]:
    """The contract's `AddedElements`; tables without elements are absent."""
    tables: dict[str, list[dict[str, Any]]] = {}
    for element in added:
        values = {_BUSES.get(name, name): value for name, value in asdict(element).items() if value is not None}
        tables.setdefault(element.table, []).append(values)
    return tables


def from_body(tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> tuple[Added, ...]:
    """The elements of the contract's `AddedElements`, branches first."""
    return tuple(
        own(**{name: row[wire] for name in _names(own) if (wire := _BUSES.get(name, name)) in row})
        for own in _TYPES
        for row in tables.get(own.table, ())
    )


def as_json(added: Sequence[Added]) -> str:
    """The same as JSON; empty without elements."""
    return json.dumps(body(added)) if added else ""


def canonical(network: Network, elements: Iterable[Added]) -> list[Added]:
    """The elements with original ids of buses and branches.

    Raises EditError `ADDED.MALFORMED` for anything else and for a value that is not finite, `BUS.UNKNOWN`, `BRANCH.UNKNOWN`.
    """
    if isinstance(elements, _TYPES) or not isinstance(elements, Iterable):
        raise _malformed(
            f"add must be a list of wb.Branch, wb.Generator, wb.Link, wb.Storage and wb.Load, not {formatted(elements)}."
        )
    return [_canonical(network, element) for element in elements]


def _canonical(network: Network, element: object) -> Added:
    if not isinstance(element, _TYPES):
        raise _malformed(
            f"Only wb.Branch, wb.Generator, wb.Link, wb.Storage and wb.Load can be added, not {formatted(element)}."
        )
    values: dict[str, Any] = {}
    for name, value in ((name, getattr(element, name)) for name in _names(type(element))):
        if value is None or name in _TEXTS:
            values[name] = value
        elif name in _BUSES:
            values[name] = network._bus_keys.target(value)
        elif name == "copy_of":
            values[name] = network._branch_keys.target(value)
        elif (number := finite(value)) is not None:
            values[name] = number
        else:
            raise _malformed(f"{name} of {formatted(element)} is not a finite number: {formatted(value)}.")
    for name in _TEXTS:
        if values.get(name) is not None and not isinstance(values[name], str):
            raise _malformed(f"{name} of {formatted(element)} must be text, not {formatted(values[name])}.")
    return type(element)(**values)


def _names(own: type[Added]) -> list[str]:
    return [field.name for field in fields(own)]


def _malformed(message: str) -> EditError:
    return EditError("ADDED.MALFORMED", message)


def without(
    network: Network, added: Sequence[Added], keys: Iterable[ElementName | Added]
) -> tuple[list[Added], dict[str, dict[ElementKey, ElementKey | None]]]:
    """The elements that are left, and for branches, generators, links and storage units the new id of each added element by its id, None for those removed.

    `keys` has names of added elements, or the elements themselves; `network` has the added
    elements. Raises EditError `ADDED.UNKNOWN`.
    """
    if isinstance(keys, str | int | Branch | Generator | Link | Storage | Load):
        keys = [keys]
    gone = {_position(network, added, key) for key in keys}
    left = [element for place, element in enumerate(added) if place not in gone]
    moved: dict[str, dict[ElementKey, ElementKey | None]] = {}
    keys_of = (
        (Branch, network._branch_keys),
        (Generator, network._generator_keys),
        (Link, network._link_keys),
        (Storage, network._storage_keys),
    )
    for own, elements in keys_of:
        places = [place for place, element in enumerate(added) if isinstance(element, own)]
        first = _count(elements) - len(places) + 1
        ids = iter(range(first, first + len(places)))
        moved[own.table] = {first + k: None if place in gone else next(ids) for k, place in enumerate(places)}
    return left, moved


def by_id(network: Network, added: Sequence[Added]) -> dict[str, dict[int, Added]]:
    """Added branches and generators by id, in tables of the names of the contract; `network` has the added elements."""
    tables: dict[str, dict[int, Added]] = {}
    for own, elements in (Branch, network._branch_keys), (Generator, network._generator_keys):
        rows: list[Added] = [element for element in added if isinstance(element, own)]
        tables[own.table] = dict(enumerate(rows, _count(elements) - len(rows) + 1))
    return tables


def _position(network: Network, added: Sequence[Added], key: ElementName | Added) -> int:
    if isinstance(key, _TYPES):
        (known,) = canonical(network, [key])
        found = [place for place, element in enumerate(added) if element == known]
    else:
        found = [place for place, element in enumerate(added) if element.name is not None and element.name == key]
    if len(found) == 1:
        return found[0]
    names = [element.name for element in added if element.name is not None]
    hint = f" The names are {', '.join(names)}." if names else ""
    raise EditError("ADDED.UNKNOWN", f"The Study has added no element {formatted(key)}.{hint}")


def _count(elements: Elements) -> int:
    return len(elements._rows)
