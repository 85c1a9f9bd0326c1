"""The specification of a market day: tables by step, and what couples the steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from ..arguments import finite, formatted, one_of
from ..errors import ArgumentError, EditError
from ..network import Elements
from .edits import Kind, ValueChanges, edited_values
from .profiles import Profiles, Table, _table, plain

if TYPE_CHECKING:
    from ..network import Network

#: How much energy a storage unit has at the end of a day.
DayEnd: TypeAlias = Literal["cyclic", "start", "free"]
_ENDS = ("cyclic", "start", "free")

_RAMPS = Kind("generator", "ramps", {"up": "MW/h", "down": "MW/h"}, '{"up": 30.0, "down": 30.0}', has_status=False)
_STORAGE = Kind(
    "storage",
    "storage",
    {"start_mwh": "MWh", "charge_cost": "$/MWh", "discharge_cost": "$/MWh"},
    '{"start_mwh": 50.0}',
    has_status=False,
)


def day_spec(
    network: Network,
    profiles: Profiles,
    hours: float,
    storage: ValueChanges | None,
    ramps: ValueChanges | None,
    inflow: Table | None,
    end: DayEnd | Mapping[Any, DayEnd] | None,
) -> tuple[dict[str, Any], np.ndarray]:
    """The contract's `DaySpec` and the values of its steps; the arguments are those of `Study.day`.

    Raises EditError `GENERATOR.*`, `STORAGE.*`, `PROFILE.MALFORMED`, ArgumentError `ARGUMENT.NUMBER`, `ARGUMENT.CHOICE`.
    """
    length = finite(hours)
    if length is None or length <= 0:
        raise ArgumentError("ARGUMENT.NUMBER", f"hours must be a positive number, not {formatted(hours)}.")
    units, shares = profiles.units or ((), np.empty((len(profiles), 0)))
    reservoirs, flows = _inflow(network, profiles, inflow)
    limits = edited_values(_RAMPS, {}, network._generator_keys, ramps)
    own: dict[Any, dict[str, Any]] = {
        key: dict(values) for key, values in edited_values(_STORAGE, {}, network._storage_keys, storage).items()
    }
    if isinstance(end, Mapping):
        for key, value in end.items():
            unit = network._storage_keys.known(key, "STORAGE.UNKNOWN")
            own.setdefault(unit, {})["end"] = one_of("end", value, _ENDS)
    spec = {
        "buses": profiles.buses,
        "branches": profiles.branches,
        "generators": [int(network._rows.generators.ids[row]) for row in units],
        "inflow": reservoirs,
        "steps": len(profiles),
        "hours": length,
        **({} if end is None or isinstance(end, Mapping) else {"end": one_of("end", end, _ENDS)}),
        "storage": [{"storage": key, **values} for key, values in own.items()],
        "ramps": [
            {"generator": key, **{f"{name}_mw_per_h": value for name, value in values.items()}}
            for key, values in limits.items()
        ],
    }
    return spec, np.ascontiguousarray(np.hstack([profiles.changes, shares, flows]), dtype="<f8")


def _inflow(network: Network, profiles: Profiles, inflow: Table | None) -> tuple[list[int], np.ndarray]:
    """Storage units with their inflow by step, MW."""
    if inflow is None:
        return [], np.empty((len(profiles), 0))
    keys: Elements = network._storage_keys
    table = plain(_table("inflow", inflow), "storage", keys)
    if not table.index.equals(profiles.index):
        raise EditError("PROFILE.MALFORMED", "The tables of inflow and of demand have different steps.")
    return [int(keys.known(name, "STORAGE.UNKNOWN")) for name in table.columns], table.to_numpy()
