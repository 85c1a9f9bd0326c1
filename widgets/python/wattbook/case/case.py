"""Cases: networks that have been read, with their tables, and what is made of them."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, overload

from ..edits.edits import Elements
from ..errors import InputError
from ..geography.placement import Placeable
from ..native import check_formulation, engine_errors, solve_options
from ..tables.columns import Columns, parted
from ..tables.rows import CaseRows, Told, inspected
from ..text.diagnostics import Diagnostic, read_diagnostics
from ..threads import apart
from . import pypsa_export

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from ..edits.costs import Costs
    from ..edits.profiles import By, Profiles, Table, Unit
    from ..results.explaining import Progress
    from ..results.explanation import Explanation
    from ..study.study import Study


def _matters(warning: Diagnostic) -> int:
    """What is not in the network at all comes first, then what was assumed or is missing of costs, which matters most for prices."""
    order = (
        "INPUT.LEFT_OUT",
        "COST.ASSUMED",
        "COST.FUEL_UNKNOWN",
        "COST.NO_TABLE",
        "COST.NOT_IN_FORMAT",
        "COST.MISSING",
    )
    return order.index(warning.code) if warning.code in order else len(order)


class Case(Placeable):
    """A network, read and checked; immutable. `study()` solves it.

    `id` is the bundled id or the file's stem, `sha256` the hash of the module text, which identifies the case in kernel, page
    and server, `base_mva` the power base in MVA, `counts` the numbers of buses, branches and generators, `load_mw` the demand
    in MW. `coords_kind` is the source of map positions: `file`, `synthetic` (a layout), `manual`, or `synthetic_pending`
    (none yet). `warnings` are the findings of the reader.
    """

    def __init__(self, case_id: str, told: Told, *, name: str | None = None) -> None:
        ingested, _ = told
        self.id = case_id
        # The parser calls a source without a name `case`.
        own = ingested["name"] if ingested["name"] != "case" else ""
        self.name: str = name or own or case_id
        self.sha256: str = ingested["sha256"]
        self.base_mva: float = ingested["base_mva"]
        self.counts: dict[str, int] = {
            "buses": ingested["n_bus"],
            "branches": ingested["n_branch"],
            "generators": ingested["n_gen"],
        }
        self.load_mw: float = ingested["load_mw"]
        self.coords_kind: str = ingested["coords_kind"]
        warnings = read_diagnostics(ingested["warnings"])
        self.warnings: tuple[Diagnostic, ...] = tuple(sorted(warnings, key=_matters))
        #: Demand and ratings by step, which `study.series()` solves; None unless made by `with_profiles`.
        self.profiles: Profiles | None = None
        self._module_json = ingested["module_json"]
        #: What the contract's network view has beside rows; None without positions.
        self._view: dict[str, Any] | None = ingested["view"]
        self._rows = CaseRows.of(told)
        self._with_fuels(ingested.get("fuels") or ())
        self._bus_keys = Elements("bus", self._rows.buses)
        self._branch_keys = Elements("branch", self._rows.branches)
        self._generator_keys = Elements("generator", self._rows.generators)
        # The engine still has what was just read open; other cases are opened on demand.
        self._opened  # noqa: B018

    @cached_property
    def _opened(self) -> Any:
        """The engine's case, opened once for all Studies."""
        with engine_errors() as native:
            return apart(native.Case, self.sha256, self._module_json)

    @property
    def _bus_ids(self) -> np.ndarray:
        """Original ids by row."""
        return self._rows.buses.ids

    @property
    def _branch_ids(self) -> np.ndarray:
        """Original ids by row."""
        return self._rows.branches.ids

    @cached_property
    def _texts(self) -> dict[str, pd.Index]:
        """Original ids by element and row as the names of columns in files."""
        import pandas as pd

        rows = {"bus": self._rows.buses, "branch": self._rows.branches, "generator": self._rows.generators}
        return {element: pd.Index(own.ids.astype(str)) for element, own in rows.items()}

    @cached_property
    def _parameters(self) -> tuple[dict[str, Any], Columns]:
        """Positions, impedances and costs from the engine, in row order; beside them the corners of costs."""
        return parted(self._opened.parameters())

    @property
    def buses(self) -> pd.DataFrame:
        """Index `bus`; columns `uid`, `name`, `base_kv` (kV), `area` and `zone` (missing where the source has none), `longitude`, `latitude`
        (degrees; NaN without a position; `coords_kind` is their source), `demand_mw`, `gen_mw` (MW, as in the source), `editable`; for pandapower `source_index`, its index,
        which is not the number of the bus: `study.commit({"source_index 7": 5})` edits the bus by it.

        A three-winding transformer adds its star point here and its three arms to `branches`. These rows are not editable and not
        in `counts`; `.attrs["rows"]` gives their number.
        """
        return self._buses.copy()

    @cached_property
    def _buses(self) -> pd.DataFrame:
        from ..tables.networks import case_buses

        return case_buses(self._rows.buses, self._parameters)

    @property
    def branches(self) -> pd.DataFrame:
        """Index `branch`; columns `uid`, `name` (missing where the source has none), `from_bus`, `to_bus`, `r_pu`, `x_pu`, `b_pu` (series resistance and reactance, total charging
        susceptance, per unit on `base_mva`), `tap` (off-nominal ratio, 1 for lines), `shift_deg` (phase shift, degrees), `rating_mw`
        (MW), `rating_is_fallback` (no rating in the source), `rating_assumed` (the rating is then derived from the angle-difference limit
        and the voltage bands; without impedance there is none, and it is infinite), `in_service`, `editable`."""
        return self._branches.copy()

    @cached_property
    def _branches(self) -> pd.DataFrame:
        from ..tables.networks import case_branches

        return case_branches(self._rows.branches, self._parameters)

    @property
    def generators(self) -> pd.DataFrame:
        """Index `generator`; columns `uid`, `bus`, `energy_source` (missing where the source says nothing), `p_min_mw`, `p_max_mw` (MW),
        `dispatchable_load` (it only draws power, while the price is below its benefit), the cost as solved, and `in_service`.

        `cost_model` is `polynomial`, with `cost_c2` p² + `cost_c1` p + `cost_c0` in $/h for an output of p MW ($/MW²h, $/MWh, $/h), or
        `piecewise_linear`, with `cost_points`, the breakpoints (MW, $/h), extrapolated by the first and last slopes. Inapplicable
        columns are NaN or empty. A generator without a cost in the source has zero cost and a warning.
        """
        return self._generators.copy()

    @cached_property
    def _generators(self) -> pd.DataFrame:
        from ..tables.networks import case_generators

        return case_generators(self._rows.generators, self._rows.energy_sources, self._parameters)

    def with_profiles(
        self,
        demand: Table | None = None,
        ratings: Table | None = None,
        units: Table | None = None,
        *,
        by: By = "bus",
        unit: Unit = "MW",
    ) -> Self:
        """The case with `demand`, `ratings` and `units` by step, which `study.series()` solves; these, `by` and `unit` as for `study.series`.
        They belong to this object: saved cases and Studies do not hold them.

        Raises EditError `PROFILE.MALFORMED`, `BUS.UNKNOWN`, `BRANCH.UNKNOWN`.
        """
        from ..edits.profiles import profiles_of

        found = copy.copy(self)
        found.profiles = profiles_of(self, demand, ratings, by, unit, units)
        return found

    def with_costs(
        self, costs: Costs | os.PathLike[str] | bytes, *, fuels: Mapping[Any, Any] | pd.Series | None = None
    ) -> Self:
        """A new case with assumed costs; this one does not change. Many formats carry no costs, and then all generation costs and prices are zero.

        `costs` is a mapping of fuel (`"coal"`, as in `case.generators["energy_source"]`) or generator (number) to its cost, $/MWh or `(c2, c1, c0)`
        in $/MW²h, $/MWh and $/h; a DataFrame or a CSV file (its path or bytes) with a column, or an index, `generator` or `fuel`, and `cost_c1`
        (or `cost`), `cost_c2`, `cost_c0`;
        or `"typical"`, for units without a cost in the file, by fuel and size (`wb.typical_costs()`). A unit's own cost prevails over that
        of its fuel ("lignite"), and that over the fuel that it stands for ("coal"); units that are not named keep theirs. `fuels` says the
        fuel of generators where the case does not.

        Units of unknown fuel ("thermal", "other", or nothing) get the typical cost of gas, and "thermal" and "other" ones the cost given for
        "gas"; a warning `COST.FUEL_UNKNOWN` lists them. That costs are assumed is the first warning of the case and of each of its results,
        here, on the command line and in the page. Both warnings stay with the case when it is saved.

        Raises EditError `COST.MALFORMED`, `GENERATOR.UNKNOWN`, InputError `INPUT.*` for a file that cannot be read or is empty.
        """
        from ..edits.costs import module_with_costs
        from .cost_files import read_costs

        if isinstance(costs, (str, os.PathLike, bytes)) and costs != "typical":
            costs = read_costs(costs)
        return self._again(inspected(module_with_costs(self, costs, fuels)))

    def synthetic_demand(self, hours: int = 168, *, start: str = "2026-07-06", seed: int = 0) -> pd.DataFrame:
        """A synthetic demand profile, MW by hour and bus, for `with_profiles` and `study.series`: `hours` from the date `start`.

        The system has a morning and an evening peak, less demand at weekends, and over longer times a winter and a summer peak. Buses
        follow local solar time, and each area has a random variation of about 2 % of its own (`seed`). The peak hour has the demand of the
        base case. These are synthetic data of a plausible shape, not measurements.
        """
        from .synthetic import synthetic_demand

        return synthetic_demand(self, hours, start, seed)

    def study(
        self,
        formulation: str = "dcopf",
        *,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
    ) -> Study:
        """Solves the base case and keeps the factorisation for edits and sensitivities.

        `options` are the solve options of the contract, for instance `{"dc_convention": "powermodels"}`.
        Raises SolveError if the base case has no solution; its message names the conflicting limits and the minimum violation
        (`explain` finds the minimum relaxation). Raises InputError for an unknown formulation or option. `progress` as for
        `study.commit`.
        """
        from ..study.study import Study

        return Study(self, formulation, options, progress=progress)

    def explain(
        self,
        formulation: str = "dcopf",
        *,
        options: Mapping[str, Any] | None = None,
        budget_s: float | None = None,
        progress: Progress = None,
    ) -> Explanation | None:
        """Why the base case has no solution; None if it has one. For a case with edits see `study.explain`.

        `formulation` and `options` as for `study`, `budget_s` and `progress` as for `study.explain`. Raises InputError for an unknown
        formulation or option, SolveError if the explanation fails its own check.
        """
        from ..results.explaining import explained

        check_formulation(formulation)
        request = {"formulation": formulation, "options": dict(solve_options(options))}
        with engine_errors() as native:
            run = native.Job.explanation_of_module(self._module_json, json.dumps(request))
        return explained(run, budget_s, progress, formulation)

    @overload
    def export(self, path: None = None, format: str | None = None) -> bytes: ...

    @overload
    def export(self, path: str | os.PathLike[str], format: str | None = None) -> Path: ...

    def export(self, path: str | os.PathLike[str] | None = None, format: str | None = None) -> Path | bytes:
        """Writes the case in the format of another program and returns the path; without a path, the bytes.

        `format` is one of `wb.export_formats()`; without it the extension decides, and with it the extension must not be that
        of another format. In a folder the file is named after the case. A `wb.ExportWarning` lists data that the format cannot represent; `save` keeps everything.

        Raises InputError `EXPORT.FORMAT`, `EXPORT.REFUSED` (the format cannot represent this network), `OUTPUT.UNWRITABLE`.
        """
        from ..files.export import export_module

        return export_module(self._module_json, self.id, path, format, stacklevel=2)

    def to_pandapower(self) -> Any:
        """The case as a pandapower network; a `wb.ExportWarning` lists data that it cannot represent. Needs pandapower.

        Raises InputError `OUTPUT.PANDAPOWER` without pandapower, `EXPORT.REFUSED`.
        """
        try:
            import pandapower
        except ImportError:
            raise InputError("OUTPUT.PANDAPOWER", "pandapower is not installed: pip install pandapower.") from None
        from ..files.export import export_module

        data = export_module(self._module_json, self.id, None, "pandapower-json", stacklevel=2)
        return pandapower.from_json_string(data.decode())

    def to_pypsa(self) -> Any:
        """The case as a `pypsa.Network` of one snapshot, with buses, loads, generators and branches named by their numbers; a
        `wb.ConversionWarning` lists what is not carried. Powers are MW, costs $/MWh. Needs pypsa.

        Raises InputError `OUTPUT.PYPSA` without pypsa, `EXPORT.REFUSED`.
        """
        return pypsa_export.network_of(self)

    @property
    def n_bus(self) -> int:
        """Number of buses of the source."""
        return self.counts["buses"]

    @property
    def n_branch(self) -> int:
        """Number of lines and transformers of the source."""
        return self.counts["branches"]

    @property
    def n_gen(self) -> int:
        """Number of generators of the source."""
        return self.counts["generators"]

    def __getstate__(self) -> dict[str, Any]:
        """Pickled state: everything but the engine's case."""
        return {name: value for name, value in self.__dict__.items() if name != "_opened"}

    def _again(self, told: Told) -> Self:
        again = type(self)(self.id, told, name=self.name)
        again.profiles = self.profiles
        return again._with_fuels(self._rows.energy_sources)

    def _with_fuels(self, fuels: Sequence[str]) -> Self:
        """The same with the fuels of its units, where their number fits."""
        if len(fuels) == len(self._rows.generators):
            self._rows = self._rows._replace(energy_sources=list(fuels))
        return self

    def __repr__(self) -> str:
        from ..html.network import counts_text, lowered_text
        from ..html.parts import with_warnings

        more = f"; its tables have {lowered_text(self)} as well" if lowered_text(self) else ""
        return with_warnings(f"<Case {self.id}: {counts_text(self)}{more}>", self)

    def _repr_html_(self) -> str:
        from ..html.network import case_html

        return case_html(self)
