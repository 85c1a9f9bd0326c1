"""Previews: the effect of an edit, without a commit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..text import words

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from ..tables.rows import Columns


@dataclass(frozen=True, repr=False)
class Preview:
    """The effect of an edit, as changes from the committed state.

    For acpf the voltages come from chord steps from the base case: `buses` is a DataFrame by bus with the changes
    `vm_pu` (per unit) and `va_deg` (degrees), `branches` by branch with `p_from_mw` (MW), `q_from_mvar` (MVAr) and
    `loading`; `exact` states that a commit gives the same state; `prices`, `objective_delta` and the intervals are
    None. For dcopf and socwr it is a linear estimate, without a solve, and `buses` and `branches` are None; for socwr,
    whose optimum is curved, it is never `exact`.

    `prices` is a Series of LMP changes by bus in $/MWh. `objective_delta` is the cost change in $/h (None if the LMPs
    do not determine it). For dcopf `exact` is True if the set of binding limits stays the same over the whole edit;
    `valid_step` is that interval as fractions of the edit. If one element is edited, `valid_mw` is the interval in MW
    (MVA for a socwr rating) from the base case, or for one value of a generator in that value itself, MW or $/MWh;
    infinite if unbounded, None if unknown. Beyond it the estimate ignores further limits and may describe an infeasible
    edit: for dcopf `study.track` is exact there.
    """

    prices: pd.Series | None
    objective_delta: float | None
    exact: bool
    valid_step: tuple[float, float] | None
    valid_mw: tuple[float, float] | None
    buses: pd.DataFrame | None = None
    branches: pd.DataFrame | None = None
    _unit: str = "MW"
    #: Whether `valid_mw` holds values of a generator, not changes from the base case.
    _absolute: bool = False

    @classmethod
    def from_answer(
        cls,
        head: Mapping[str, Any],
        columns: Columns,
        bus_ids: np.ndarray,
        branch_ids: np.ndarray,
        unit: str,
        *,
        absolute: bool = False,
    ) -> Preview:
        """From an answer of the engine: `head` is the contract's `PreviewHead`, `columns` has `lmp_change`, or the
        changes of a power flow, by row of `bus_ids` and `branch_ids`; `unit` is the unit of the edited amounts,
        `absolute` is True for values of generators."""
        from ..tables.solutions import by_bus, changes

        priced = "lmp_change" in columns
        return cls(
            prices=by_bus(bus_ids, columns["lmp_change"], "lmp_change") if priced else None,
            buses=None if priced else changes("bus", bus_ids, columns),
            branches=None if priced else changes("branch", branch_ids, columns),
            objective_delta=head.get("objectiveDelta"),
            exact=head["exact"],
            valid_step=_interval(head.get("valid_step")),
            valid_mw=_interval(head.get("valid_mw")),
            _unit=unit,
            _absolute=absolute,
        )

    def __repr__(self) -> str:
        if self.prices is None:
            largest = 0.0 if self.buses is None else self.buses["vm_pu"].abs().max()
            return (
                f"<Preview: largest voltage change {words.derivative(largest)} pu; by chord steps from the base case>"
            )
        cost = "" if self.objective_delta is None else f", objective {words.price(self.objective_delta)} $/h"
        reach = "exact" if self.exact else "linear estimate, not exact"
        if self.valid_mw is not None:
            interval = (
                words.values(*self.valid_mw, self._unit)
                if self._absolute
                else words.span(*self.valid_mw, "the base case", self._unit)
            )
            reach += f" (the same limits bind {interval})"
        largest = self.prices.abs().max() if len(self.prices) else 0.0
        return f"<Preview: largest LMP change {words.price(largest)} $/MWh{cost}; {reach}>"


def _interval(ends: Sequence[float | None] | None) -> tuple[float, float] | None:
    if ends is None:
        return None
    low, high = ends
    return (-math.inf if low is None else low, math.inf if high is None else high)
