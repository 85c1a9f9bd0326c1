"""Previews: the first-order answer to an edit, without a solve."""

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
    """First-order changes from the committed state.

    `prices` is a Series of price changes by bus in $/MWh, `objective_delta` in $/h follows those prices (None where they say
    nothing about it), `exact` says that the whole edit stays where both are exact, `valid_step` gives the fractions of this edit
    within which it is, `valid_mw` the same in MW from the base case when a single element is edited. Unbounded sides are
    infinite; None where the engine gives no interval. Where it is not exact the numbers go on as if no further limit existed:
    a preview does not know whether its edits have a solution. `study.track` does.
    """

    prices: pd.Series
    objective_delta: float | None
    exact: bool
    valid_step: tuple[float, float] | None
    valid_mw: tuple[float, float] | None

    @classmethod
    def from_answer(cls, head: Mapping[str, Any], columns: Columns, bus_ids: np.ndarray) -> Preview:
        """From an answer of the engine: `head` is the contract's `PreviewHead`, `columns` has `lmp_change`, `bus_ids` are the ids by row."""
        from ..tables.frames import by_bus

        return cls(
            prices=by_bus(bus_ids, columns["lmp_change"], "lmp_change"),
            objective_delta=head.get("objectiveDelta"),
            exact=head["exact"],
            valid_step=_interval(head.get("valid_step")),
            valid_mw=_interval(head.get("valid_mw")),
        )

    def __repr__(self) -> str:
        cost = "" if self.objective_delta is None else f", objective {words.price(self.objective_delta)} $/h"
        reach = "exact" if self.exact else "first order, beyond where it is exact"
        if self.valid_mw is not None:
            reach += f" ({words.interval(*self.valid_mw, 'the base case').removeprefix('exact ')})"
        largest = self.prices.abs().max() if len(self.prices) else 0.0
        return f"<Preview: largest price change {words.price(largest)} $/MWh{cost}; {reach}>"


def _interval(ends: Sequence[float | None] | None) -> tuple[float, float] | None:
    if ends is None:
        return None
    low, high = ends
    return (-math.inf if low is None else low, math.inf if high is None else high)
