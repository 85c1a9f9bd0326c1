"""Solutions: the optimum or power flow of one state of a Study."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ..arguments import one_of
from ..files import files
from ..tables import solutions
from ..tables.aggregates import GROUPS, grouped
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
    """The optimum or power flow of one state; immutable.

    `status` is `"optimal"` (dcopf, socwr) or `"feasible"` (acpf), `objective` the cost in $/h (None for acpf), `certificate` the
    residuals of the optimality conditions or, for a power flow, the mismatches, in physical units, `diagnostics` the findings of the solver (those of the reader are in `case.warnings`), `iterations` the solver's
    progress (empty if none was needed), `solve_ms` the wall time of the native solve in ms, `sha256` the result hash, which is the
    same on every platform.

    For acpf `power_flow` says how it was solved: the `start` that led to it, `steps` of Newton's method, `dispatch` and `slack` rule,
    `losses_mw` (MW), whether reactive limits were enforced (`reactive_limits`, `limited_buses`, `reactive_violations` in MVAr); `slack`
    is a Series of MW added to the schedule, by the bus that balances an island. Both are None for optima, as is `dc_convention` for acpf.
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
        generators: Mapping[Any, Mapping[str, float | bool]] | None = None,
    ) -> None:
        """`generators`: the values that are not those of the case, by original id."""
        self._case = case
        self._columns = columns
        self._unit_edits: Mapping[Any, Mapping[str, float | bool]] = generators or {}
        self.formulation: str = body["formulation"]
        self.dc_convention: str | None = body.get("dc_convention")
        self.status: str = body["status"]
        self.objective: float | None = body.get("objective")
        report = body.get("power_flow")
        self.power_flow: Mapping[str, Any] | None = None if report is None else MappingProxyType(dict(report))
        self._slack: Sequence[Mapping[str, Any]] | None = body.get("slack")
        self.certificate: Mapping[str, Any] = MappingProxyType(dict(body["certificate"]))
        self.diagnostics: tuple[Diagnostic, ...] = read_diagnostics(body.get("diagnostics"))
        self.iterations: tuple[Iteration, ...] = tuple(
            Iteration(row["iteration"], row["objective"], row["residual"]) for row in iterations
        )
        self.solve_ms: float | None = solve_ms
        self.sha256: str = body["result_sha256"]

    def to_geojson(self) -> str:
        """Buses and branches as GeoJSON text (RFC 7946, degrees): points and lines with the columns of `buses` and `branches` as properties,
        their numbers as `bus` and `branch`. Branches follow their routes where the case has them. Missing and infinite values are null.

        Raises InputError `INPUT.GEO_EMPTY` without positions.
        """
        from .geojson import text

        return text(self)

    def save_geojson(self, path: str | os.PathLike[str]) -> Path:
        """Writes `to_geojson()` and returns the path; in a folder the file is called `<case id>.results.geojson`.

        Raises InputError `INPUT.GEO_EMPTY`, `OUTPUT.UNWRITABLE`.
        """
        return files.write(files.target(path, self._case.id, ".results.geojson"), self.to_geojson().encode())

    def to_geodataframe(self, element: Literal["bus", "branch"] = "bus") -> Any:
        """The table of buses or branches as a `geopandas.GeoDataFrame` of points or lines, in degrees (EPSG:4326). Needs geopandas.

        Raises InputError `INPUT.GEO_EMPTY` without positions, `OUTPUT.GEOPANDAS` without geopandas, ArgumentError for another element.
        """
        from .geojson import geodataframe

        one_of("element", element, ("bus", "branch"))
        return geodataframe(self, element)

    @property
    def case(self) -> Case:
        """The case that was solved."""
        return self._case

    @property
    def slack(self) -> pd.Series | None:
        """MW added to the schedule by the bus that balances an island, itself or with all generators; None for optima."""
        return None if self._slack is None else solutions.by_id(self._slack, "slack_mw", "MW")

    @property
    def buses(self) -> pd.DataFrame:
        """Index `bus`; columns `name`, `base_kv` (kV), `area`, `zone`, `longitude`, `latitude` as in `case.buses`, `demand_mw` (MW, with the edits), `lmp` ($/MWh, dcopf), `va_deg` (degrees);
        for acpf `demand_mvar` (MVAr), `vm_pu` (voltage magnitude) with its limits `vm_min_pu` and `vm_max_pu` (per unit), and the
        injections `p_mw` (MW) and `q_mvar` (MVAr), generation minus demand; `editable` (False at the star points of three-winding transformers, which are not in the source).
        For socwr `lmp`, `lmp_q` ($/MVArh, reactive power), and `lmp` split into `lmp_energy`, `lmp_losses`, `lmp_congestion` and
        `lmp_voltage` (voltage limits), with respect to the slack whose weights are `slack_weight`; `demand_mvar`, `vm_pu` and its
        limits."""
        return self._buses.copy()

    @cached_property
    def _buses(self) -> pd.DataFrame:
        return solutions.solution_buses(self._case._rows.buses, self._case._parameters, self._columns)

    @property
    def branches(self) -> pd.DataFrame:
        """Index `branch`; columns `name`, `from_bus`, `to_bus`, `rating_mw` (MW, for acpf and socwr MVA; with the edits), `rating_is_fallback` (no rating in
        the source), `rating_assumed` (it is then assumed; infinite without impedance and where options leave assumed ratings out), `p_from_mw`, `p_to_mw` (MW into the branch), for acpf `q_from_mvar`, `q_to_mvar`
        (MVAr), `loading` (fraction of the rating, for acpf of the larger apparent power), `shadow` (shadow price, $/MWh, dcopf; a line
        binds if it is above 0),
        `editable` (False for the arms of three-winding transformers). For socwr as for acpf, with `shadow` in $/MVAh, the voltage
        products `product_real` and `product_imag` (per unit squared), and `cone_gap`, zero where the relaxation is exact."""
        return self._branches.copy()

    @cached_property
    def _branches(self) -> pd.DataFrame:
        return solutions.solution_branches(self._case._rows.branches, self._columns)

    @property
    def generators(self) -> pd.DataFrame:
        """Index `generator`; columns `bus`, `energy_source` (missing where the source says nothing), `p_mw`, `p_min_mw`, `p_max_mw` (MW, with the
        edits), `cost` (marginal cost at the output, $/MWh), `in_service`, for acpf and socwr `q_mvar` with its limits `q_min_mvar`
        and `q_max_mvar` (MVAr), for dcopf and socwr `limit_shadow` ($/MWh): the shadow price of the limit, Pmin or Pmax, that the output
        is at, 0 at none."""
        return self._generators.copy()

    @cached_property
    def _generators(self) -> pd.DataFrame:
        rows = self._case._rows.generators
        return solutions.solution_generators(self._case.generators, rows, self._columns, self._unit_edits)

    def aggregate(self, by: str = "area") -> pd.DataFrame:
        """Sums by `by`: "area", "zone" or "base_kv". Columns `buses` (how many), `demand_mw`, `generation_mw`, `capacity_mw` (Pmax of units
        in service), `net_export_mw` (generation minus demand, MW), and where there are prices `lmp` (weighted by demand, of which a negative one has no weight), `lmp_min`,
        `lmp_max` ($/MWh). Buses that have no area or zone are left out; raises ArgumentError for another `by`."""
        return grouped(self, one_of("by", by, GROUPS))

    def __getstate__(self) -> dict[str, Any]:
        """State for pickling: everything but the tables, which are rebuilt on demand."""
        state = {
            name: value for name, value in self.__dict__.items() if name not in ("_buses", "_branches", "_generators")
        }
        report = None if self.power_flow is None else dict(self.power_flow)
        return {**state, "certificate": dict(self.certificate), "power_flow": report}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        report = state["power_flow"]
        frozen = None if report is None else MappingProxyType(report)
        self.__dict__.update(state, certificate=MappingProxyType(state["certificate"]), power_flow=frozen)

    def __repr__(self) -> str:
        from ..html.parts import with_warnings
        from ..html.solutions import solution_line

        return with_warnings(f"<Solution {self._case.id}: {solution_line(self)}>", self._case)

    def _repr_html_(self) -> str:
        from ..html.solutions import solution_html

        return solution_html(self)
