"""LMP components: energy, and congestion by line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..text import words
from ..text.html import TOP_ROWS, shown, table

if TYPE_CHECKING:
    import pandas as pd

_NAMED = 3


@dataclass(frozen=True, repr=False)
class LmpComponents:
    """The LMP at a bus as energy plus congestion, in $/MWh: `price == energy + congestion["value"].sum() + residual`,
    where `residual` is rounding. For socwr `losses` (marginal losses) and `voltage` (voltage limits) are components
    too; the DC model has neither, and they are None.

    The components depend on the reference, the LMP does not. `reference` is `"demand"`, distributed over the buses of the island
    in proportion to their demand, so that `energy` is the demand-weighted mean LMP; or `"even"` in an island without demand.

    `congestion` has index `branch` and one row for each line with a shadow price, largest component first: `value` ($/MWh),
    `shadow` ($/MWh, as in the Solution) and `shift_factor` (MW on the line in its binding direction, per MW injected at the bus
    and withdrawn at the reference); `value == -shadow * shift_factor`.
    """

    bus: int
    price: float
    energy: float
    reference: str
    congestion: pd.DataFrame
    residual: float
    losses: float | None = None
    voltage: float | None = None

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> LmpComponents:
        """From `body`, the contract's `LmpComponents`."""
        from ..tables.analyses import congestion_parts

        return cls(
            bus=body["bus"],
            price=body["price"],
            energy=body["energy"],
            reference=body["reference"],
            congestion=congestion_parts(body["congestion"]),
            residual=body["residual"],
            losses=body.get("losses"),
            voltage=body.get("voltage"),
        )

    @property
    def parts(self) -> list[tuple[str, float]]:
        """The components besides energy and congestion that the formulation has, with their names."""
        named = (("losses", self.losses), ("voltage limits", self.voltage))
        return [(name, value) for name, value in named if value is not None]

    def __str__(self) -> str:
        text = f"bus {self.bus}: {words.price(self.price)} $/MWh = energy {words.price(self.energy)}"
        for name, value in self.parts:
            text += f"{_signed(value)} ({name})"
        values = self.congestion["value"]
        for branch, value in values.head(_NAMED).items():
            text += f"{_signed(value)} (line {branch})"
        rest = values.iloc[_NAMED:]
        return text + (f"{_signed(rest.sum())} ({words.count(len(rest), 'other line')})" if len(rest) else "")

    def __repr__(self) -> str:
        return f"<LmpComponents {self}>"

    def _repr_html_(self) -> str:

        return lmp_components_html(self)


def _signed(value: float) -> str:
    sign = "\u2212" if value < 0 else "+"
    return f" {sign} {words.price(abs(value))}"


def lmp_components_html(parts: LmpComponents) -> str:
    """Energy, the largest congestion components, the sum of the others, and the LMP."""
    values = parts.congestion["value"]
    rows = [("Energy", words.price(parts.energy))]
    rows += [(name.capitalize(), words.price(value)) for name, value in parts.parts]
    rows += [(f"Line {branch}", words.price(value)) for branch, value in values.head(TOP_ROWS).items()]
    rest = values.iloc[TOP_ROWS:]
    if len(rest):
        rows.append((words.count(len(rest), "other line"), words.price(rest.sum())))
    rows.append((f"LMP at bus {parts.bus}", words.price(parts.price)))
    return shown(table(("Component", "$/MWh"), rows))
