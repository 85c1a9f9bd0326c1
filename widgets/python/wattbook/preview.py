"""Previews: the first-order answer to an edit, without a solve."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import words

if TYPE_CHECKING:
    import pandas as pd


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
    def from_body(cls, body: Mapping[str, Any]) -> Preview:
        """From `body`, the contract's `Preview`."""
        import pandas as pd

        rows = body["prices"]
        prices = pd.Series(
            [row["value"] for row in rows],
            index=pd.Index([row["bus"] for row in rows], name="bus", dtype="int64"),
            name="lmp_change",
            dtype="float64",
        )
        prices.attrs["units"] = "$/MWh"
        return cls(
            prices=prices,
            objective_delta=body.get("objectiveDelta"),
            exact=body["exact"],
            valid_step=_interval(body.get("valid_step")),
            valid_mw=_interval(body.get("valid_mw")),
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
