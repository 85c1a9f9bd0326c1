"""Solutions: the optimum of one state of a Study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from ..tables import solutions
from ..tables.columns import Columns
from ..text.diagnostics import Diagnostic, read_diagnostics

if TYPE_CHECKING:
    import pandas as pd

    from ..case.case import Case


class Iteration(NamedTuple):
    """One step of the solver: dual objective in $/h, largest violation left in MW."""

    iteration: int
    objective: float
    residual: float


class Solution:
    """The optimum of one state; immutable.

    `status` is `"optimal"` (dcopf), `objective` the cost in $/h, `certificate` the residuals of the optimality conditions in
    physical units, `diagnostics` the findings of the solver (those of the reader are in `case.warnings`), `iterations` the solver's
    progress (empty if none was needed), `solve_ms` the wall time of the native solve in ms, `sha256` the result hash, which is the
    same on every platform.
    `buses`, `branches`, `generators` are DataFrames by original id with `df.attrs["units"]`.
    """

    def __init__(
        self,
        case: Case,
        body: Mapping[str, Any],
        columns: Columns,
        *,
        iterations: Sequence[Mapping[str, Any]] = (),
        solve_ms: float | None = None,
    ) -> None:
        self._case = case
        self._columns = columns
        self.formulation: str = body["formulation"]
        self.dc_convention: str = body["dc_convention"]
        self.status: str = body["status"]
        self.objective: float = body["objective"]
        self.certificate: Mapping[str, Any] = MappingProxyType(dict(body["certificate"]))
        self.diagnostics: tuple[Diagnostic, ...] = read_diagnostics(body.get("diagnostics"))
        self.iterations: tuple[Iteration, ...] = tuple(
            Iteration(row["iteration"], row["objective"], row["residual"]) for row in iterations
        )
        self.solve_ms: float | None = solve_ms
        self.sha256: str = body["result_sha256"]

    @property
    def case(self) -> Case:
        """The case that was solved."""
        return self._case

    @cached_property
    def buses(self) -> pd.DataFrame:
        """Index `bus`; columns `name`, `base_kv` (kV), `demand_mw` (MW, with the edits), `lmp` ($/MWh), `va_deg` (degrees),
        `editable` (False at the star points of three-winding transformers, which are not in the source)."""
        return solutions.solution_buses(self._case._bus_rows, self._columns)

    @cached_property
    def branches(self) -> pd.DataFrame:
        """Index `branch`; columns `from_bus`, `to_bus`, `rating` (MW, with the edits), `rating_is_fallback` (no rating in
        the source), `p_from_mw`, `p_to_mw` (MW), `loading` (fraction of the rating), `shadow` (shadow price, $/MWh; a line
        binds if it is above 0), `editable` (False for the arms of three-winding transformers)."""
        return solutions.solution_branches(self._case._branch_rows, self._columns)

    @cached_property
    def generators(self) -> pd.DataFrame:
        """Index `generator`; columns `bus`, `p_mw`, `p_min_mw`, `p_max_mw` (MW)."""
        return solutions.solution_generators(self._case._generator_rows, self._columns)

    def __getstate__(self) -> dict[str, Any]:
        """What travels to another process: everything but the tables, which are made anew there."""
        state = {
            name: value for name, value in self.__dict__.items() if name not in ("buses", "branches", "generators")
        }
        return {**state, "certificate": dict(self.certificate)}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state, certificate=MappingProxyType(state["certificate"]))

    def __repr__(self) -> str:
        from ..html.parts import with_warnings
        from ..html.solutions import solution_line

        return with_warnings(f"<Solution {self._case.id}: {solution_line(self)}>", self._case)

    def _repr_html_(self) -> str:
        from ..html.solutions import solution_html

        return solution_html(self)
