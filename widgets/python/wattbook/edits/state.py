"""The edits of a Study: demand, ratings, reactive demand and generators, absolute from the base case."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from . import generators as units
from .edits import Changes, EditMode, ElementKey, dumps, merged, wire

if TYPE_CHECKING:
    from ..case.case import Case


@dataclass(frozen=True, repr=False)
class Edits:
    """The edits of a state, absolute from the base case; `study.edits` and `wb.open_solution(file).edits` give them, and the arguments of
    `study.commit` have the same names.

    `demand` is the change of demand in MW by bus, `ratings` the change of ratings in MW (for socwr MVA) by branch; elements without a change
    are absent. `reactive` is the change of reactive demand in MVAr by bus, of the buses whose reactive demand does not follow the power
    factor, zero included. `generators` has the values that replace those of the case, by generator: `p_min` and `p_max` in MW, `cost` in
    $/MWh, `status`. Edits are immutable, and empty edits are false.
    """

    demand: Mapping[ElementKey, float] = field(default_factory=dict)
    ratings: Mapping[ElementKey, float] = field(default_factory=dict)
    reactive: Mapping[ElementKey, float] = field(default_factory=dict)
    generators: units.GeneratorEdits = field(default_factory=dict)

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
    case: Case,
    demand: Changes | None,
    ratings: Changes | None,
    reactive: Mapping[Any, Any] | None,
    generators: units.GeneratorChanges | None,
    mode: EditMode,
) -> Edits:
    """The edits after a caller's changes. Raises EditError for an unknown element and for a value that is not finite."""
    return Edits(
        merged(current.demand, case._bus_keys.read(demand), mode),
        merged(current.ratings, case._branch_keys.read(ratings), mode),
        _reactive(current, case, reactive, mode),
        units.edited(current.generators, case._generator_keys, generators),
    )


def _reactive(current: Edits, case: Case, changes: Mapping[Any, Any] | None, mode: EditMode) -> dict[ElementKey, float]:
    buses = case._bus_keys
    following: dict[Any, float] = {}
    if changes is not None and hasattr(changes, "items"):
        following = {key: 0.0 for key, value in changes.items() if value is None}
        changes = {key: value for key, value in changes.items() if value is not None}
    dropped = buses.read(following, "reactive demand", "MVAr")
    named = buses.read(changes, "reactive demand", "MVAr")
    own = {bus: mvar for bus, mvar in current.reactive.items() if bus not in dropped}
    return merged(own, named, mode, keep_zeros=True)
