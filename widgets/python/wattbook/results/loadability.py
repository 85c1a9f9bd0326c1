"""Loadability: how much a demand can grow before voltage collapse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..text import words
from ..text.html import sentence, shown, table

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Loadability:
    """The PV curve of a growing demand up to voltage collapse, by Newton's method from point to point.

    `margin_mw` is the largest growth from the current state, MW, with a verified solution; `no_solution_mw` is the
    smallest growth tried without one, MW (None if every growth tried has a solution). The nose of the curve lies
    between them. `demand_mw` is the growing demand at the current state, MW. `buses` are the numbers of the buses whose
    voltages fall fastest at the last point, the fastest first. `estimate` comes from the power series of the current
    state, by the ratio of its coefficients (Domb and Sykes 1957; docs/method/ac-power-flow.md): `mw`, `change_mw`
    (change of the estimate with the last term, MW) and `buses`, or None if the series has no collapse ahead.
    """

    margin_mw: float
    no_solution_mw: float | None
    demand_mw: float
    buses: tuple[int, ...]
    curve: pd.DataFrame
    estimate: Mapping[str, Any] | None

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> Loadability:
        """From `body`, the contract's `Loadability`; the curve has index `added_mw` (MW) and a column of voltages in per unit by bus."""
        import pandas as pd

        index = pd.Index(body["added_mw"], name="added_mw", dtype="float64")
        curve = pd.DataFrame({row["bus"]: row["vm_pu"] for row in body["buses"]}, index=index)
        curve.columns.name = "bus"
        curve.attrs["units"] = "pu"
        return cls(
            margin_mw=body["margin_mw"],
            no_solution_mw=body["no_solution_mw"],
            demand_mw=body["demand_mw"],
            buses=tuple(row["bus"] for row in body["buses"]),
            curve=curve,
            estimate=body.get("estimate"),
        )

    def __str__(self) -> str:
        start = f"the demand of {words.mw(self.demand_mw)} MW"
        if self.no_solution_mw is None:
            return f"{start} can grow by more than {words.mw(self.margin_mw)} MW"
        buses = ", ".join(map(str, self.buses))
        falling = f"; voltages fall first at {'bus' if len(self.buses) == 1 else 'buses'} {buses}" if buses else ""
        return f"{start} can grow by {words.mw(self.margin_mw)} MW until voltages collapse{falling}"

    def __repr__(self) -> str:
        return f"<Loadability: {self}>"

    def _repr_html_(self) -> str:

        return loadability_html(self)


def loadability_html(found: Loadability) -> str:
    """The sentence, and the voltages of the buses that fall first, at the current state and at the last point."""
    rows = [
        (f"Bus {bus}", f"{voltages.iloc[0]:.4f}", f"{voltages.iloc[-1]:.4f}") for bus, voltages in found.curve.items()
    ]
    head = ("Voltage, pu", "now", f"at {words.mw(found.margin_mw, sign=True)} MW")
    return shown(sentence(str(found)) + (table(head, rows) if rows else ""))
