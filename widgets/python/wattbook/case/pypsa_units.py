"""Generators of PyPSA as its optimisation has them at the first snapshot: limits, costs, and what of them is left out.

Sources: `define_operational_constraints_for_non_extendables`, `define_ramp_limit_constraints`, `define_total_supply_constraints` and
`define_fixed_operation_constraints` in PyPSA's `optimization/constraints.py`, `define_objective` in its `optimization/optimize.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError
from ..text import words

if TYPE_CHECKING:
    from .pypsa_networks import Reading

#: Names that a sentence lists.
_LISTED = 3
LEFT_OUT, IGNORED = "INPUT.LEFT_OUT", "INPUT.FIELD_IGNORED"
#: Rounding of limits that a fixed output may have, relative.
_ROUNDING = 1e-9


class Units:
    """Limits and costs of generators as the optimisation has them, and what of them it cannot have here."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        network, at = reading.network, reading._at
        self._nominal = reading._nominal("Generator", "p_nom")
        self._active = reading._active("Generator")
        names = ("p_set", "p_min_pu", "p_max_pu", "marginal_cost", "marginal_cost_quadratic")
        self._at = {
            name: at("Generator", name) for name in (*names, "stand_by_cost", "ramp_limit_up", "ramp_limit_down")
        }
        self._is_alone = len(network.snapshots) == 1
        self._hours = float(network.snapshot_weightings["generators"].iloc[0])
        self._committed: list[tuple[Any, float]] = []
        self._ramps: list[Any] = []
        self._energy: list[Any] = []
        self._beyond: list[str] = []
        self._powerless: list[Any] = []

    def cost(self, name: Any, row: Any) -> tuple[float, float]:
        """c2 and c1 of the injection, $/MW²h and $/MWh: the dispatch variable of PyPSA is injected times `sign`."""
        quadratic, linear = (
            finite(self._at[one][name], f"The {one} of generator {name}")
            for one in ("marginal_cost_quadratic", "marginal_cost")
        )
        return (0.0, 0.0) if row.sign == 0 else (quadratic / row.sign**2, linear / row.sign)

    def limits(self, name: Any, row: Any) -> tuple[float, float]:
        """Least and greatest injection, MW, infinite where there is none.

        Raises InputError `INPUT.GENERATOR_LIMITS`, `INPUT.NOT_FINITE`.
        """
        is_active = self._active[name]
        low, high = self._dispatch(name, row) if is_active else self._capacity(name)
        if row.sign == 0:
            self._powerless += [name] if is_active else []
            return 0.0, 0.0
        ends = (row.sign * low, row.sign * high)
        least, most = ends if row.sign > 0 else ends[::-1]
        if not least <= most or least == np.inf or most == -np.inf:
            if not is_active:
                return 0.0, 0.0
            raise InputError(
                "INPUT.GENERATOR_LIMITS",
                f"Generator {name} at bus {row.bus} has no output between its limits: {least:g} and {most:g} MW.",
            )
        return least, most

    def _capacity(self, name: Any) -> tuple[float, float]:
        nominal = self._nominal[name]
        return times(nominal, self._at["p_min_pu"][name]), times(nominal, self._at["p_max_pu"][name])

    def _dispatch(self, name: Any, row: Any) -> tuple[float, float]:
        """Limits of the dispatch variable."""
        low, high = self._capacity(name)
        if np.isnan(low) or np.isnan(high):
            raise InputError(
                "INPUT.NOT_FINITE",
                f"The output limits of generator {name} are not numbers: p_nom is {self._nominal[name]:g}.",
            )
        low, high = self._ramped(name, row, low, high)
        low, high = self._with_energy(name, row, low, high)
        fixed = self._at["p_set"][name]
        if not np.isnan(fixed):
            room = _ROUNDING * max(1.0, abs(fixed))
            can_stop = bool(row.committable) and fixed == 0
            if not low - room <= fixed <= high + room and not can_stop:
                self._beyond.append(f"{name}: p_set {fixed:g} MW, limits {low:g} and {high:g} MW")
            return float(fixed), float(fixed)
        if row.committable and self._decides(name, row, low):
            self._committed.append((name, low))
        return low, high

    def _ramped(self, name: Any, row: Any, low: float, high: float) -> tuple[float, float]:
        """Limits after `define_ramp_limit_constraints` for the first snapshot: PyPSA knows the output before it where `p_init` says so
        or the unit was not up."""
        up, down = self._at["ramp_limit_up"][name], self._at["ramp_limit_down"][name]
        start, stop = row.ramp_limit_start_up, row.ramp_limit_shut_down
        limits_up, limits_down = not (np.isnan(up) and np.isnan(start)), not (np.isnan(down) and np.isnan(stop))
        if not (limits_up or limits_down):
            return low, high
        if not self._is_alone:
            self._ramps.append(name)
        was_up = row.up_time_before > 0
        before = (row.p_init if hasattr(row, "p_init") else np.nan) if was_up else 0.0
        if np.isnan(before):
            return low, high
        nominal = self._nominal[name]
        up, down, start = (1.0 if np.isnan(one) else one for one in (up, down, start))
        if limits_up:
            climb = up if was_up else start if row.committable else 0.0
            high = min(high, before + times(nominal, climb))
        if limits_down:
            low = max(low, before - times(nominal, down))
        return low, high

    def _with_energy(self, name: Any, row: Any, low: float, high: float) -> tuple[float, float]:
        """Limits after those of the energy, which a network of one snapshot has to keep in it."""
        if row.e_sum_min == -np.inf and row.e_sum_max == np.inf:
            return low, high
        if not self._is_alone or self._hours <= 0:
            self._energy.append(name)
            return low, high
        return max(low, row.e_sum_min / self._hours), min(high, row.e_sum_max / self._hours)

    def _decides(self, name: Any, row: Any, low: float) -> bool:
        """Whether it matters that a unit may be switched off."""
        costs = (row.start_up_cost, row.shut_down_cost, self._at["stand_by_cost"][name])
        has_to_wait = row.min_down_time > row.down_time_before > 0
        ramps = not (np.isnan(row.ramp_limit_start_up) and np.isnan(row.ramp_limit_shut_down))
        return low != 0 or any(costs) or has_to_wait or ramps

    def tell(self) -> None:
        """Adds the sentences."""
        told = self._reading._tell
        if self._committed:
            names, least = [name for name, _ in self._committed], sum(low for _, low in self._committed)
            table = self._reading.network.generators.loc[names]
            standby = sum(self._at["stand_by_cost"][name] for name in names)
            costs = {
                "stand-by": standby,
                "start-up": table["start_up_cost"].sum(),
                "shut-down": table["shut_down_cost"].sum(),
            }
            spent = "".join(
                f"; {kind} costs of {dollars:,.2f} $ are left out" for kind, dollars in costs.items() if dollars
            )
            told(
                LEFT_OUT,
                f"The unit commitment of {_counted(names)} is left out: network.optimize() decides in a mixed-integer program whether they run; "
                f"here they run, at {amount(least, 'MW')} or more{spent}.",
            )
        if self._ramps:
            told(LEFT_OUT, f"The ramp limits of {_counted(self._ramps)} between snapshots are left out.")
        if self._energy:
            table = self._reading.network.generators.loc[self._energy]
            ends = {
                "at least": table["e_sum_min"][np.isfinite(table["e_sum_min"])],
                "at most": table["e_sum_max"][np.isfinite(table["e_sum_max"])],
            }
            amounts = " and ".join(
                f"{word} {amount(values.sum(), 'MWh')}" for word, values in ends.items() if len(values)
            )
            told(
                LEFT_OUT, f"The energy limits over all snapshots of {_counted(self._energy)}, {amounts}, are left out."
            )
        if self._beyond:
            told(
                LEFT_OUT,
                f"The output limits of {words.count(len(self._beyond), 'generator')} ({which(self._beyond, between='; ')}) are left out; "
                "network.optimize() has no solution with them.",
            )
        if self._powerless:
            told(LEFT_OUT, f"{_counted(self._powerless)} with the sign 0 without effect: left out.")


def times(nominal: float, share: float) -> float:
    """A capacity times its share; nothing of an infinite one is zero, as in PyPSA."""
    return 0.0 if share == 0 else float(nominal * share)


def finite(value: Any, what: str) -> float:
    number = float(value)
    if np.isfinite(number):
        return number
    raise InputError("INPUT.NOT_FINITE", f"{what} is {number:g}.")


def _counted(names: Sequence[Any]) -> str:
    return f"{words.count(len(names), 'generator')} ({which(names)})"


def which(names: Iterable[Any], *, between: str = ", ") -> str:
    """The first of some names, and how many more there are."""
    names = [str(name) for name in names]
    more = f" and {len(names) - _LISTED:,} more" if len(names) > _LISTED else ""
    return between.join(names[:_LISTED]) + more


def amount(value: float, unit: str) -> str:
    return f"{words.mw(float(value))} {unit}" if np.isfinite(value) else f"unlimited {unit}"
