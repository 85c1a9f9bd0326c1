"""Variants of a case: lines out of service, availability and costs of units, written into its module."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: Coefficients of a cost in $/h for an output of p MW: c2 p^2 + c1 p + c0.
Polynomial = tuple[float, float, float]


@dataclass(frozen=True)
class Variant:
    """What differs from a case besides demand and ratings, by row of its module; equal variants are equal and have equal hashes."""

    outages: tuple[int, ...] = ()
    #: Share of the capacity that is available, from 0 (out of service) to below 1.
    units: tuple[tuple[int, float], ...] = ()
    costs: tuple[tuple[int, Polynomial], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.outages or self.units or self.costs)


def changed(module: Mapping[str, Any], variant: Variant) -> str:
    """The text of a parsed module with a variant in it; `module` stays as it is."""
    network = dict(module["value"]["data"])
    if variant.outages:
        branches = list(network["branches"])
        for row in variant.outages:
            branches[row] = {**branches[row], "in_service": False}
        network["branches"] = branches
    generators = list(network["generators"])
    for row, share in variant.units:
        available = availability(generators[row], share)
        generators[row] = {**generators[row], **{_FIELDS[name]: value for name, value in available.items()}}
    for row, cost in variant.costs:
        generators[row] = {**generators[row], "cost": polynomial(cost)}
    network["generators"] = generators
    return json.dumps({**module, "value": {**module["value"], "data": network}}, separators=(",", ":"))


#: Fields of a generator in a module by those of an edit.
_FIELDS = {"p_min": "pmin", "p_max": "pmax", "status": "in_service"}


def availability(unit: Mapping[str, Any], share: float) -> dict[str, Any]:
    """The edit of a generator of a module that leaves a share of it: Pmax falls to the share, Pmin no further than it has to."""
    if share <= 0:
        return {"status": False}
    most = unit["pmax"] * share if unit["pmax"] > 0 else unit["pmax"]
    return {"p_max": most, "p_min": min(unit["pmin"], most)}


def polynomial(cost: Polynomial) -> dict[str, Any]:
    """A cost as modules have it."""
    return {"model": 2, "startup": 0, "shutdown": 0, "ncost": 3, "coeffs": list(cost)}
