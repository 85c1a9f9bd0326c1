"""The edits of a Study: demand, ratings, reactive demand and generators, absolute from the base case."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, SupportsFloat, TypeAlias

from ..arguments import finite, formatted, meant
from ..errors import EditError
from ..network.elements import Changes, ElementKey

if TYPE_CHECKING:
    from ..network.elements import Elements
    from ..network.network import Network

#: Values by generator: `p_min` and `p_max` in MW, `cost` in $/MWh, `status`; None returns to the value of the case.
GeneratorChanges: TypeAlias = Mapping[Any, Mapping[str, Any] | None]
#: The same with canonical keys, restricted to given values.
GeneratorEdits: TypeAlias = Mapping[ElementKey, Mapping[str, float | bool]]
_QUANTITIES = {"p_min": "MW", "p_max": "MW", "cost": "$/MWh"}
_NAMES = (*_QUANTITIES, "status")
#: Changes in MVAr by bus; None returns to a constant power factor.
ReactiveChanges: TypeAlias = Mapping[Any, SupportsFloat | None]
EditMode: TypeAlias = Literal["set", "increment"]


@dataclass(frozen=True, repr=False)
class Edits:
    """The edits of a state, absolute from the base case, as in `study.edits` and `wb.open_solution(file).edits`; the
    arguments of `study.commit` have the same names.

    `demand` is the change of demand in MW by bus, `ratings` the change of ratings in MW (for socwr MVA) by branch;
    elements without a change are absent. `reactive` is the change of reactive demand in MVAr by bus, for buses whose
    reactive demand is edited independently of the power factor, zero included. `generators` has the values that replace
    those of the case, by generator: `p_min` and `p_max` in MW, `cost` in $/MWh, `status`. Edits are immutable, and
    empty edits are false.
    """

    demand: Mapping[ElementKey, float] = field(default_factory=dict)
    ratings: Mapping[ElementKey, float] = field(default_factory=dict)
    reactive: Mapping[ElementKey, float] = field(default_factory=dict)
    generators: GeneratorEdits = field(default_factory=dict)

    def __post_init__(self) -> None:
        generators = {key: MappingProxyType(dict(values)) for key, values in self.generators.items()}
        for name, value in {**self._parts(), "generators": generators}.items():
            object.__setattr__(self, name, MappingProxyType(value))

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> Edits:
        """From `body`, which has the edits with the keys of the contract."""

        def by_id(table: str) -> dict[Any, Any]:
            return {int(key) if key.isdecimal() else key: value for key, value in body.get(table, {}).items()}

        return cls(by_id("deltas"), by_id("rates"), by_id("reactive"), by_id("generators"))

    def texts(self) -> tuple[str, str, str, str]:
        """Demand, ratings, reactive demand and generators as JSON texts."""
        return dumps(self.demand), dumps(self.ratings), dumps(self.reactive), json.dumps(self._generators())

    def _generators(self) -> dict[str, dict[str, float | bool]]:
        return {str(key): dict(values) for key, values in self.generators.items()}

    def body(self) -> dict[str, dict[str, Any]]:
        """The edits with the keys of the contract; `reactive` and `generators` are absent if they are empty."""
        body: dict[str, dict[str, Any]] = {"deltas": wire(self.demand), "rates": wire(self.ratings)}
        if self.reactive:
            body["reactive"] = wire(self.reactive)
        if self.generators:
            body["generators"] = self._generators()
        return body

    def _parts(self) -> dict[str, dict[Any, Any]]:
        """The fields as dictionaries."""
        generators = {key: dict(values) for key, values in self.generators.items()}
        return {
            "demand": dict(self.demand),
            "ratings": dict(self.ratings),
            "reactive": dict(self.reactive),
            "generators": generators,
        }

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(self._parts().values())

    def __repr__(self) -> str:
        return f"Edits({', '.join(f'{name}={value!r}' for name, value in self._parts().items() if value)})"

    def __bool__(self) -> bool:
        return bool(self.demand or self.ratings or self.reactive or self.generators)


def edited(
    current: Edits,
    network: Network,
    demand: Changes | None,
    ratings: Changes | None,
    reactive: Mapping[Any, Any] | None,
    generators: GeneratorChanges | None,
    mode: EditMode,
) -> Edits:
    """The edits after a caller's changes. Raises EditError for an unknown element and for a value that is not finite."""
    return Edits(
        merged(current.demand, network._bus_keys.read(demand), mode),
        merged(current.ratings, network._branch_keys.read(ratings), mode),
        _reactive(current, network, reactive, mode),
        edited_generators(current.generators, network._generator_keys, generators),
    )


def _reactive(
    current: Edits, network: Network, changes: Mapping[Any, Any] | None, mode: EditMode
) -> dict[ElementKey, float]:
    buses = network._bus_keys
    following: dict[Any, float] = {}
    if changes is not None and hasattr(changes, "items"):
        following = {key: 0.0 for key, value in changes.items() if value is None}
        changes = {key: value for key, value in changes.items() if value is not None}
    dropped = buses.read(following, "reactive demand", "MVAr")
    named = buses.read(changes, "reactive demand", "MVAr")
    own = {bus: mvar for bus, mvar in current.reactive.items() if bus not in dropped}
    return merged(own, named, mode, keep_zeros=True)


def edited_generators(current: GeneratorEdits, elements: Elements, changes: GeneratorChanges | None) -> GeneratorEdits:
    """The edits after `changes`; values that are not named are unchanged.

    Raises EditError `GENERATOR.MALFORMED`, `GENERATOR.UNKNOWN`.
    """
    if changes is None:
        return current
    if not hasattr(changes, "items"):
        raise _malformed(f"generators must be a mapping, for instance {_example(elements)}, not {formatted(changes)}.")
    out = {key: dict(values) for key, values in current.items()}
    seen = set()
    for key, values in changes.items():
        generator = elements.known(key, "GENERATOR.UNKNOWN")
        if generator in seen:
            raise _malformed(f"generator {generator} is named twice.")
        seen.add(generator)
        if values is not None and not hasattr(values, "items"):
            raise _malformed(
                f"The values of generator {generator} must be a mapping, for instance {_example(elements)}, not {formatted(values)}."
            )
        given = dict.fromkeys(_NAMES) if values is None else values
        own = {**out.get(generator, {}), **{name: _value(generator, name, value) for name, value in given.items()}}
        out[generator] = {name: value for name in _NAMES if (value := own.get(name)) is not None}
    return {key: out[key] for key in ordered(out) if out[key]}


def _value(generator: ElementKey, name: object, value: object) -> float | bool | None:
    if name not in _NAMES:
        hint = meant(name, _NAMES) if isinstance(name, str) else ""
        raise _malformed(f"A generator has {', '.join(_NAMES)}, not {formatted(name)}{f': {hint}' if hint else '.'}")
    if value is None:
        return None
    if name == "status":
        if isinstance(value, bool) or type(value).__name__ == "bool":
            return bool(value)
        raise _malformed(f"The status of generator {generator} must be True or False, not {formatted(value)}.")
    number = finite(value)
    if number is None:
        unit = _QUANTITIES[str(name)]
        raise _malformed(f"{name} of generator {generator} is not a finite number in {unit}: {formatted(value)}.")
    return number


def _example(elements: Elements) -> str:
    return f'{{{elements.example}: {{"p_max": 300.0}}}}'


def _malformed(message: str) -> EditError:
    return EditError("GENERATOR.MALFORMED", message)


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


def dumps(changes: Mapping[ElementKey, float]) -> str:
    """The same as JSON text."""
    return json.dumps(wire(changes))
