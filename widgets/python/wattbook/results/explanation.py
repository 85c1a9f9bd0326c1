"""Explanations: why a problem is infeasible or unbounded, the minimum relaxation that makes it feasible, and the search for it."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..jobs import PATIENCE_S, Progress, Step, finished, reporter
from ..text import words
from ..text.html import TOP_ROWS, sentence, shown, table

if TYPE_CHECKING:
    import pandas as pd

_LIMITS = {
    "rating": "Rating of {}",
    "angle": "Angle-difference limit of {}",
    "rating_and_angle": "Rating and angle-difference limit of {}",
    "minimum": "Minimum output of {}",
    "maximum": "Maximum output of {}",
    "demand": "Demand reduction at {}",
    "injection": "Power to absorb at {}",
    "reactive_supply": "Reactive power to supply at {}",
    "reactive_absorption": "Reactive power to absorb at {}",
    "voltage_minimum": "Minimum voltage of {}",
    "voltage_maximum": "Maximum voltage of {}",
}
__all__ = ["Line", "Progress", "explained"]


@dataclass(frozen=True, repr=False)
class Explanation:
    """The conflicting limits and the minimum relaxation that resolves the conflict, both verified on the data.

    `kind` is `bounds` (two limits of one element), `balance` (generation and demand of an island), `lines`, or `unbounded`.
    `reason` completes a sentence, `remedy` is a sentence, `message` the whole text.

    `relaxation_total_mw` is the minimum sum, in MW of equal weight, of flows beyond ratings and angle-difference limits, of
    unserved demand, and of output below its minimum (elastic programming: Chinneck, Feasibility and Infeasibility in
    Optimization, 2008). `relaxation` is one optimum of that sum. `is_least` is False if the search ran out of its budget; then it
    is the best relaxation found. The figures in `remedy` and in the column `mw` are rounded up so that applying them suffices.

    `demand_limit` is set if the demand of a single bus was edited: how far it can change with all else fixed (`demand_mw`, exact,
    `edit_mw`, `is_most`). `verified` holds the checks: `bound_mw` (lower bound on every relaxation), `gap_mw` (distance of the
    exact relaxation from it) and `margin_mw` (largest rounding of one figure; the rounded figures were checked to admit a
    dispatch); for `unbounded`, `slope_usd_per_mwh`.
    """

    kind: str
    message: str
    reason: str
    remedy: str
    relaxation_total_mw: float
    is_least: bool
    demand_limit: Mapping[str, Any] | None
    verified: Mapping[str, float]
    _body: Mapping[str, Any]
    _rating_unit: str = "MW"

    @classmethod
    def from_body(cls, body: Mapping[str, Any], rating_unit: str) -> Explanation:
        """From `body`, the contract's `Explanation`, of a formulation with ratings in `rating_unit`."""
        keys = ("kind", "message", "reason", "remedy", "relaxation_total_mw", "is_least", "verified")
        return cls(
            **{key: body[key] for key in keys},
            demand_limit=body.get("demand_limit"),
            _body=body,
            _rating_unit=rating_unit,
        )

    @property
    def body(self) -> dict[str, Any]:
        """The contract's `Explanation`, for JSON."""
        return dict(self._body)

    @property
    def advice(self) -> str:
        """`remedy`, with the demand limit if a single demand was edited; `message` for `unbounded`."""
        if self.kind == "unbounded":
            return self.message
        return f"{self.remedy} {self.demand_limit['message']}" if self.demand_limit else self.remedy

    @property
    def elements(self) -> pd.DataFrame:
        """The conflicting limits, largest weight first: columns `kind`, `id`, `uid`, `name`, `from_bus` and `to_bus` (of a branch;
        other elements have their bus in `from_bus`), `limit` (`rating`, `angle`, `rating_and_angle`, `minimum`, `maximum`,
        `demand`, `injection`, `voltage_minimum`, `voltage_maximum`), `limit_mw` (MW), `weight` (MW of relaxation saved per MW of the limit), and `rating_assumed` (the source has no rating of the line)."""
        from ..tables.analyses import contradicting_limits

        return contradicting_limits(self._body["elements"])

    @property
    def relaxation(self) -> pd.DataFrame:
        """The minimum relaxation by limit, largest first: columns `kind`, `id`, `uid`, `name`, `from_bus`, `to_bus`, `limit` (as of
        `elements`; for socwr also `reactive_supply` and `reactive_absorption`, power that a bus lacks or has in excess), `mw` (rounded up as in `remedy`, checked to suffice), `exact_mw` (the minimum before rounding, to the accuracy of the solver, on the boundary of feasibility), `unit` (of both: MW;
        for socwr MVA of a rating and MVAr of reactive power), `angle_deg` (degrees by which an angle-difference limit must widen),
        `voltage_pu` (per unit by which a voltage limit must be relaxed), and `rating_assumed`."""
        from ..tables.analyses import relaxed_limits

        return relaxed_limits(self._body["relaxation"], self._rating_unit)

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        return f"<Explanation: {self.message}>"

    def _repr_html_(self) -> str:

        return explanation_html(self)


def explanation_html(explanation: Explanation) -> str:
    """The message and the minimum relaxation, largest first."""
    relaxed = explanation.relaxation
    # Limits of voltages and angles alone are not powers.
    is_power = (relaxed["voltage_pu"] == 0.0) & ((relaxed["angle_deg"] == 0.0) | (relaxed["mw"] > 0.0))
    units = set(relaxed["unit"])
    unit = units.pop() if is_power.all() and len(units) == 1 else None
    rows = [
        (
            _LIMITS.get(row.limit, "{}").format(words.element({"kind": row.kind, "id": row.id})),
            _given_way(row, "" if unit else f" {row.unit}"),
        )
        for row in relaxed.head(TOP_ROWS).itertuples()
    ]
    if len(relaxed) > TOP_ROWS:
        rest = relaxed["mw"].iloc[TOP_ROWS:].sum()
        more = words.mw_enough(rest) if unit else ""
        rows.append((f"and {words.count(len(relaxed) - TOP_ROWS, 'more limit')}", more))
    head = ("Minimum relaxation" if explanation.is_least else "Relaxation", unit or "by")
    return shown(sentence(explanation.message) + (table(head, rows) if rows else ""))


def _given_way(row: Any, unit: str) -> str:
    if row.voltage_pu > 0.0:
        return f"{row.voltage_pu:g} pu"
    if row.angle_deg > 0.0 and row.mw == 0.0:
        return f"{row.angle_deg:g}°"
    return words.mw_rounded(row.mw) + unit


def explained(run: Any, budget_s: float | None, progress: Progress | Line, formulation: str) -> Explanation | None:
    """The explanation from the engine's job on a Study of a formulation, or the best relaxation found within `budget_s`
    seconds."""
    report: Callable[[Step], object]
    if isinstance(progress, Line):
        report = progress
    else:
        report = reporter(
            progress, "at_least_mw", text=lambda step: f"at least {words.mw(step['at_least_mw'])} MW short"
        )
    text, _ = finished(run, report, budget_s=budget_s)
    body = json.loads(text)
    return None if body is None else Explanation.from_body(body, words.rating_unit(formulation))


class Line:
    """A progress line on a terminal, cleared at the end; nothing if the standard error is not a terminal."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._shown = False

    def __call__(self, step: Step) -> None:
        if sys.stderr is not None and sys.stderr.isatty() and time.monotonic() - self._begun > PATIENCE_S:
            self._shown = True
            done, at_least = words.percent(step["fraction"]), words.mw(step["at_least_mw"])
            text = f"searching for the minimum relaxation: {done}, at least {at_least} MW short"
            print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Clears the line."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
