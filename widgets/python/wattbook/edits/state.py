"""The edits of a Study: demand, ratings, reactive demand and generators, absolute from the base case."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import generators as units
from .edits import Changes, EditMode, ElementKey, dumps, merged, wire

if TYPE_CHECKING:
    from ..case.case import Case


@dataclass(frozen=True)
class EditState:
    """Changes in MW by bus and by branch, zeros left out; in MVAr by bus where reactive demand has a change of its own, zeros included; the
    values of generators that were given in place of those of the case."""

    demand: dict[ElementKey, float] = field(default_factory=dict)
    ratings: dict[ElementKey, float] = field(default_factory=dict)
    reactive: dict[ElementKey, float] = field(default_factory=dict)
    generators: units.GeneratorEdits = field(default_factory=dict)

    def edited(
        self,
        case: Case,
        demand: Changes | None,
        ratings: Changes | None,
        reactive: Mapping[Any, Any] | None,
        generators: units.GeneratorChanges | None,
        mode: EditMode,
    ) -> EditState:
        """The state after a caller's edits. Raises EditError for an unknown element and for a value that is not finite."""
        return EditState(
            merged(self.demand, case._bus_keys.read(demand), mode),
            merged(self.ratings, case._branch_keys.read(ratings), mode),
            self._reactive(case, reactive, mode),
            units.edited(self.generators, case._generator_keys, generators),
        )

    def _reactive(self, case: Case, changes: Mapping[Any, Any] | None, mode: EditMode) -> dict[ElementKey, float]:
        buses = case._bus_keys
        following = {}
        if changes is not None and hasattr(changes, "items"):
            following = {key: 0.0 for key, value in changes.items() if value is None}
            changes = {key: value for key, value in changes.items() if value is not None}
        dropped = buses.read(following, "reactive demand", "MVAr")
        named = buses.read(changes, "reactive demand", "MVAr")
        kept = {bus: mvar for bus, mvar in self.reactive.items() if bus not in dropped}
        return merged(kept, named, mode, keep_zeros=True)

    def texts(self) -> tuple[str, str, str, str]:
        """Demand, ratings, reactive demand and generators as JSON texts."""
        return dumps(self.demand), dumps(self.ratings), dumps(self.reactive), json.dumps(self._generators())

    def _generators(self) -> dict[str, dict[str, float | bool]]:
        return {str(key): values for key, values in self.generators.items()}

    def body(self) -> dict[str, dict[str, Any]]:
        """The same with the keys of the contract; `reactive` and `generators` are there only where they have any."""
        body: dict[str, dict[str, Any]] = {"deltas": wire(self.demand), "rates": wire(self.ratings)}
        if self.reactive:
            body["reactive"] = wire(self.reactive)
        if self.generators:
            body["generators"] = self._generators()
        return body

    def __bool__(self) -> bool:
        return bool(self.demand or self.ratings or self.reactive or self.generators)
