"""What makes a price so: energy, and congestion by line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..text import words

if TYPE_CHECKING:
    import pandas as pd

_NAMED = 3


@dataclass(frozen=True, repr=False)
class PriceParts:
    """The price at a bus as `energy` plus congestion, in $/MWh: `price == energy + congestion["value"].sum() + residual`, where
    `residual` is rounding. The DC model has no losses.

    The split belongs to a reference, the price does not. `reference` is `"demand"`: spread over the buses of the bus's island by
    their present demand, so that `energy` is the mean price of demand there; or `"even"` in an island without demand.

    `congestion` has one row for every line with a shadow price, largest part first, index `branch`: `value` ($/MWh), `shadow`
    ($/MWh, as in the solution) and `shift_factor` (MW on the line in the direction in which it binds, for one MW injected at the
    bus and withdrawn at the reference); `value == -shadow * shift_factor`.
    """

    bus: int
    price: float
    energy: float
    reference: str
    congestion: pd.DataFrame
    residual: float

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> PriceParts:
        """From `body`, the contract's `PriceParts`."""
        from ..tables.frames import congestion_parts

        return cls(
            bus=body["bus"],
            price=body["price"],
            energy=body["energy"],
            reference=body["reference"],
            congestion=congestion_parts(body["congestion"]),
            residual=body["residual"],
        )

    def __str__(self) -> str:
        text = f"bus {self.bus}: {words.price(self.price)} $/MWh = energy {words.price(self.energy)}"
        values = self.congestion["value"]
        for branch, value in values.head(_NAMED).items():
            text += f"{_signed(value)} (line {branch})"
        rest = values.iloc[_NAMED:]
        return text + (f"{_signed(rest.sum())} ({words.count(len(rest), 'other line')})" if len(rest) else "")

    def __repr__(self) -> str:
        return f"<PriceParts {self}>"

    def _repr_html_(self) -> str:
        from ..html.results import price_parts_html

        return price_parts_html(self)


def _signed(value: float) -> str:
    sign = "\u2212" if value < 0 else "+"
    return f" {sign} {words.price(abs(value))}"
