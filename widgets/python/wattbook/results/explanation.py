"""Explanations: why a problem has no solution, and the least change of limits that gives it one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Explanation:
    """A contradiction by name, and the least relaxation that removes it; both were verified on the data.

    `kind` is `bounds` (two limits of one element), `balance` (generators and demand of an island), `lines`, or `unbounded` (the
    cost falls without end). `reason` ends a sentence, `remedy` is one, `message` is the whole text. `relaxation_total_mw` is the
    least sum of MW, all of equal weight, of flows beyond ratings and angle windows, of demand that is not served and of minimum
    outputs that are undercut (`is_least`; a search that was ended by its budget has another sum, the best so far); of all relaxations with that sum `relaxation` is one. Figures in `remedy` and in its column `mw` are
    rounded up, so that following them is enough: carry out these. `demand_limit` is there where the demand of one bus alone was edited: how far it can go with
    everything else as it is (`demand_mw`, exact, `edit_mw`, and `is_most`). `verified` says what was checked: `bound_mw` (no
    smaller relaxation exists), `gap_mw` (how far the exact relaxation is above that) and `margin_mw` (the most by which one figure
    was rounded up; with the figures so rounded the data were checked to have a dispatch); for `unbounded` `slope_usd_per_mwh`.
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

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> Explanation:
        """From `body`, the contract's `Explanation`."""
        keys = ("kind", "message", "reason", "remedy", "relaxation_total_mw", "is_least", "verified")
        return cls(**{key: body[key] for key in keys}, demand_limit=body.get("demand_limit"), _body=body)

    @property
    def body(self) -> dict[str, Any]:
        """The contract's `Explanation`, for JSON."""
        return dict(self._body)

    @property
    def advice(self) -> str:
        """What helps: `remedy`, and how far the demand of the one bus that was edited can go; the whole text for `unbounded`."""
        if self.kind == "unbounded":
            return self.message
        return f"{self.remedy} {self.demand_limit['message']}" if self.demand_limit else self.remedy

    @property
    def elements(self) -> pd.DataFrame:
        """What contradicts, largest weight first: columns `kind`, `id`, `uid`, `name`, `from_bus` and `to_bus` (those of a
        branch; for other elements `from_bus` is where they stand), `limit` (`rating`, `angle`,
        `rating_and_angle`, `minimum`, `maximum`, `demand`, `injection`), `limit_mw`, and `weight`, the MW that one more MW of the limit saves."""
        from ..tables.frames import contradicting_limits

        return contradicting_limits(self._body["elements"])

    @property
    def relaxation(self) -> pd.DataFrame:
        """By how much limits are exceeded, largest first: columns `kind`, `id`, `uid`, `name`, `from_bus`, `to_bus`, `limit`, `mw`
        (what to carry out: rounded up as in `remedy`, and checked to be enough), `exact_mw` (the least, which stands on the
        edge of what has a solution), and `angle_deg` where an angle window must be wider."""
        from ..tables.frames import relaxed_limits

        return relaxed_limits(self._body["relaxation"])

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        return f"<Explanation: {self.message}>"

    def _repr_html_(self) -> str:
        from ..html.results import explanation_html

        return explanation_html(self)
