"""Explanations: why a problem has no solution, and the least change of limits that gives it one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .errors import SolveError, WattbookError

if TYPE_CHECKING:
    import pandas as pd

#: What can be explained: the problem itself has no solution, not the solver.
_EXPLAINED = ("SOLVE.INFEASIBLE", "SOLVE.UNBOUNDED")


@dataclass(frozen=True, repr=False)
class Explanation:
    """A contradiction by name, and the least relaxation that removes it; both were verified on the data.

    `kind` is `bounds` (two limits of one element), `balance` (generators and demand of an island), `lines`, or `unbounded` (the
    cost falls without end). `reason` ends a sentence, `remedy` is one, `message` is the whole text. `relaxation_total_mw` is the
    least sum of MW by which limits must be exceeded, lines after the balance; of all relaxations with that sum `relaxation` is one. `verified` says what
    was checked: `bound_mw` (no smaller relaxation exists), `margin_mw` (how much more than told was allowed before the case was
    solved) and its `objective` in $/h; for `unbounded` `slope_usd_per_mwh`.
    """

    kind: str
    message: str
    reason: str
    remedy: str
    relaxation_total_mw: float
    verified: Mapping[str, float]
    _body: Mapping[str, Any]

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> Explanation:
        """From `body`, the contract's `Explanation`."""
        keys = ("kind", "message", "reason", "remedy", "relaxation_total_mw", "verified")
        return cls(**{key: body[key] for key in keys}, _body=body)

    @property
    def elements(self) -> pd.DataFrame:
        """What contradicts, largest weight first: columns `kind`, `id`, `uid`, `name`, `limit` (`rating`, `angle`,
        `rating_and_angle`, `minimum`, `maximum`, `demand`), `limit_mw`, and `weight`, the MW that one more MW of the limit saves."""
        from .frames import contradicting_limits

        return contradicting_limits(self._body["elements"])

    @property
    def relaxation(self) -> pd.DataFrame:
        """By how much limits are exceeded, largest first: columns `kind`, `id`, `uid`, `name`, `limit`, `mw`, and `angle_deg` where
        the angle window of a branch without flow must be wider."""
        from .frames import relaxed_limits

        return relaxed_limits(self._body["relaxation"])

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        return f"<Explanation: {self.message}>"

    def _repr_html_(self) -> str:
        from .result_html import explanation_html

        return explanation_html(self)


def explained(error: WattbookError, explanation: Callable[[], Mapping[str, Any] | None]) -> WattbookError:
    """The error with the contradiction and the least relaxation in its message, and in `details["explanation"]`.

    Errors that say nothing about the problem itself stay as they are, and so do those that cannot be explained with proof.
    """
    if error.code not in _EXPLAINED:
        return error
    try:
        body = explanation()
    except SolveError:
        return error
    if body is None:
        return error
    details = {**(error.details or {}), "explanation": body}
    return type(error)(error.code, body["message"], element=error.element, details=details)
