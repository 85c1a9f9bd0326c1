"""Previews: the linear estimate of an edit, without a solve."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..text import words

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from ..tables.columns import Columns


@dataclass(frozen=True, repr=False)
class Preview:
    """Linear estimate of an edit, as changes from the committed state.

    `prices` is a Series of LMP changes by bus in $/MWh. `objective_delta` is the cost change in $/h (None if the LMPs do not
    determine it). `exact` is True if the set of binding limits stays the same over the whole edit; `valid_step` is that interval as
    fractions of the edit, and `valid_mw` in MW from the base case if one element is edited (infinite if unbounded, None if
    unknown). Beyond it the estimate ignores further limits and may describe an infeasible edit: `study.track` is exact there.
    """

    prices: pd.Series
    objective_delta: float | None
    exact: bool
    valid_step: tuple[float, float] | None
    valid_mw: tuple[float, float] | None

    @classmethod
    def from_answer(cls, head: Mapping[str, Any], columns: Columns, bus_ids: np.ndarray) -> Preview:
        """From an answer of the engine: `head` is the contract's `PreviewHead`, `columns` has `lmp_change` by row of `bus_ids`."""
        from ..tables.solutions import by_bus

        return cls(
            prices=by_bus(bus_ids, columns["lmp_change"], "lmp_change"),
            objective_delta=head.get("objectiveDelta"),
            exact=head["exact"],
            valid_step=_interval(head.get("valid_step")),
            valid_mw=_interval(head.get("valid_mw")),
        )

    def __repr__(self) -> str:
        cost = "" if self.objective_delta is None else f", objective {words.price(self.objective_delta)} $/h"
        reach = "exact" if self.exact else "linear estimate, not exact"
        if self.valid_mw is not None:
            reach += f" ({words.span(*self.valid_mw, 'the base case')})"
        largest = self.prices.abs().max() if len(self.prices) else 0.0
        return f"<Preview: largest LMP change {words.price(largest)} $/MWh{cost}; {reach}>"


def _interval(ends: Sequence[float | None] | None) -> tuple[float, float] | None:
    if ends is None:
        return None
    low, high = ends
    return (-math.inf if low is None else low, math.inf if high is None else high)
