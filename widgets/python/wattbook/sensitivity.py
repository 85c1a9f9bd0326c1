"""Sensitivity columns: how every price moves with the demand at one bus or the rating of one branch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from . import words

if TYPE_CHECKING:
    import pandas as pd


class End(NamedTuple):
    """What ends the interval: `mw` from the current state, the event's name, the element as `{"kind", "id", "uid"?}`."""

    mw: float
    event: str
    element: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{words.mw(self.mw, sign=True)} MW, then {words.event(self.event, self.element)}"


@dataclass(frozen=True, repr=False)
class Sensitivity:
    """The derivative of every price by one demand or one rating.

    `values` is a Series by bus in `units` (`($/MWh)/MW`), `kind` says whether the state is `regular`, at a breakpoint
    (`one_sided`) or `degenerate`; inside `valid_mw` (MW from the current state, infinite where unbounded) the column
    predicts prices exactly, and `ends` say what happens there (None where unbounded). `parameter` is `"demand"` or
    `"rating"`, `element` the bus or branch, `residual` the relative residual of the linear system.
    """

    values: pd.Series
    kind: str
    valid_mw: tuple[float, float]
    ends: tuple[End | None, End | None]
    units: str
    parameter: str
    element: Mapping[str, Any]
    residual: float

    @classmethod
    def from_column(cls, column: Mapping[str, Any]) -> Sensitivity:
        """From the contract's `SensitivityColumn`, which the engine and the server share."""
        import pandas as pd

        kind, ident = ("bus", column["bus"]) if column.get("bus") is not None else ("branch", column["branch"])
        parameter = {"d": "demand", "fmax": "rating"}[column["parameter"]]
        warrant = column["warrant"]
        rows = column["values"]
        values = pd.Series(
            [row["value"] for row in rows],
            index=pd.Index([row["bus"] for row in rows], name="bus", dtype="int64"),
            name=f"dlmp_d{parameter}",
            dtype="float64",
        )
        values.attrs["units"] = column["units"]
        low, high = warrant["valid_mw"]
        return cls(
            values=values,
            kind=warrant["kind"],
            valid_mw=(-math.inf if low is None else low, math.inf if high is None else high),
            ends=(_end(warrant["ends"][0]), _end(warrant["ends"][1])),
            units=column["units"],
            parameter=parameter,
            element={"kind": kind, "id": ident},
            residual=warrant["residual"],
        )

    def __str__(self) -> str:
        name = f"{self.parameter} {'at' if self.parameter == 'demand' else 'of'} {words.element(self.element)}"
        largest = self.values.abs().max() if len(self.values) else 0.0
        where = words.interval(*self.valid_mw, "the current state")
        if largest == 0:
            size = f"no price moves with the {name}"
        else:
            bus = self.values.abs().idxmax()
            size = f"the {name} moves the price at bus {bus} most, by {words.derivative(self.values[bus])} {self.units}"
        ends = "; ".join(str(end) for end in self.ends if end is not None)
        kind = {"one_sided": "; at a breakpoint, one-sided", "degenerate": "; prices are not unique here"}.get(
            self.kind, ""
        )
        return f"{size}; {where}{f' ({ends})' if ends else ''}{kind}"

    def __repr__(self) -> str:
        return f"<Sensitivity: {self}>"

    def _repr_html_(self) -> str:
        from .html import sensitivity_html

        return sensitivity_html(self)


def _end(end: Mapping[str, Any] | None) -> End | None:
    return None if end is None else End(end["mw"], end["event"], end["element"])
