"""Cases and their Studies. Each refers to the other (`case.study()`, `study.case`), so they share one module."""

from __future__ import annotations

import copy
import json
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Literal, Self, SupportsFloat, cast, overload

from ..arguments import formatted, number, one_of, truth, whole
from ..conversions import pypsa_writing
from ..edits.added import Added, Branch
from ..edits.costs import Costs, cost_edits, module_with_costs
from ..edits.edits import EditMode, Edits, GivenChanges, ReactiveChanges, ValueChanges, changes_value, edited, is_given
from ..edits.security_lists import List, SecurityLists, listed_options, security_lists
from ..edits.selecting import Filter, GeneratorValue, LinkValue, Quantity, Selection, ValueOwner, changed
from ..edits.targets import (
    PlanKind,
    Weights,
    column_target,
    growth,
    in_arguments,
    planned,
    scope_of,
    target,
    weights_of,
)
from ..errors import Advice, ArgumentError, EditError, InputError
from ..files.export import export_module
from ..files.kinds import SOLUTION_SUFFIX
from ..geography import POSITION_SOURCES, Placeable, record_notes, report_rows, write_module
from ..jobs import Progress, Step, closing, finished, reporter
from ..native import check_formulation, engine_errors
from ..network import Changes, ElementName, Network, branch_keys
from ..results.explanation import Explanation, explained
from ..results.loadability import Loadability
from ..results.prices import LmpComponents, PriceChange, PriceState
from ..results.sensitivity import Preview, Sensitivity
from ..results.solution import Solution
from ..results.stored_tables import chosen_tables
from ..session import circuit_plans, documents
from ..session.history import SavedState, activity_table, states_table
from ..session.price_states import lmp_components, price_state, rating_effects
from ..session.session import Session, Start, study_html, study_line
from ..session.track import Track, requested
from ..tables.rows import Columns, Inspected, inspected, parted
from ..text import words
from ..text.html import escaped, isolated, notes, shown, table, with_warnings
from ..threads import apart

if TYPE_CHECKING:
    import pandas as pd

    from ..edits.day import DayEnd
    from ..edits.profiles import By, Profiles, Table, Unit
    from ..map.case_map import CaseMap
    from ..network import Slack
    from ..results.day import SolvedDay
    from ..results.plan import Plan
    from ..results.series import SolvedSeries

#: Advice for a call without a profile.
_GIVE = Advice(
    "a table by step, demand=frame, or open the case with_profiles",
    "--demand, --ratings, --units or --synthetic",
).within("Give ", ".")


class Case(Placeable, Network):
    """A network, read and checked; immutable. `study()` solves it.

    `id` is the bundled id or the file's stem, `sha256` the hash of the module text, which identifies the case in
    kernel, page and server, `base_mva` the power base in MVA, `counts` the numbers of buses, branches and generators,
    `load_mw` the demand in MW. `coords_kind` is the source of map positions: `file`, `synthetic` (a layout), `manual`,
    or `synthetic_pending` (none yet). `warnings` are the reader's warnings.
    """

    #: Demand and ratings by step, which `study.series()` solves; None unless made by `with_profiles`.
    profiles: Profiles | None = None

    def with_profiles(
        self,
        demand: Table | None = None,
        ratings: Table | None = None,
        units: Table | None = None,
        *,
        by: By = "bus",
        unit: Unit = "MW",
    ) -> Self:
        """The case with `demand`, `ratings` and `units` by step, which `study.series()` solves; these, `by` and `unit`
        as for `study.series`. They belong to this object: saved cases and Studies do not include them.

        Raises EditError `PROFILE.MALFORMED`, `BUS.UNKNOWN`, `BRANCH.UNKNOWN`.
        """
        from ..edits.profiles import profiles_of

        found = copy.copy(self)
        found.profiles = profiles_of(self, demand, ratings, by, unit, units)
        return found

    def with_costs(
        self, costs: Costs | os.PathLike[str] | bytes, *, fuels: Mapping[Any, Any] | pd.Series | None = None
    ) -> Self:
        """A new case with assumed costs; this one does not change. Many formats have no costs, and then all generation
        costs and prices are zero.

        `costs` is a mapping of fuel (`"coal"`, as in `case.generators["energy_source"]`) or generator (number) to its
        cost, $/MWh or `(c2, c1, c0)` in $/MW²h, $/MWh and $/h; a DataFrame or a CSV file (its path or bytes) with a
        column, or an index, `generator` or `fuel`, and `cost_c1` (or `cost`), `cost_c2`, `cost_c0`; or `"typical"`, for
        units without a cost in the file, by fuel and size (`wb.typical_costs()`). A generator's own cost prevails over
        that of its fuel ("lignite"), and that over the fuel's class ("coal"); generators that are not named are
        unchanged. `fuels` gives the fuel of generators where the case does not.

        Generators of unknown fuel ("thermal", "other", or empty) get the typical cost of gas, and those of "thermal"
        and "other" the cost given for "gas"; a warning `COST.FUEL_UNKNOWN` lists them. The first warning of the case
        and of each of its results, here, on the command line and in the page, states that costs are assumed. Both
        warnings are saved with the case.

        Raises EditError `COST.MALFORMED`, `GENERATOR.UNKNOWN`, InputError `INPUT.*` for a file that cannot be read or is empty.
        """
        return self._again(inspected(module_with_costs(self, costs, fuels)))

    def synthetic_demand(self, hours: int = 168, *, start: str = "2026-07-06", seed: int = 0) -> pd.DataFrame:
        """A synthetic demand profile, MW by hour and bus, for `with_profiles` and `study.series`: `hours` from the date `start`.

        The system has a morning and an evening peak, less demand at weekends, and over longer times a winter and a summer peak. Buses
        follow local solar time, and each area has a random variation of about 2 % of its own (`seed`). The peak hour has the demand of the
        base case. These are synthetic data of a plausible shape, not measurements.
        """
        from ..edits.profiles import synthetic_demand

        return synthetic_demand(self, hours, start, seed)

    def study(
        self,
        formulation: str = "dcopf",
        *,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
    ) -> Study:
        """Solves the base case; edits and sensitivities use its factorisation.

        `options` are the solve options of the contract, for instance `{"dc_convention": "powermodels"}`. The outages of
        `security` may also be a list file, several, or a frame, which `security_lists` reads; the Study has what they say
        about the case.
        Raises SolveError if the base case has no solution; its message names the conflicting limits and the minimum violation
        (`explain` finds the minimum relaxation). Raises InputError for an unknown formulation or option. `progress` as for
        `study.commit`.
        """
        return Study(Session(self, formulation, options, progress=progress))

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
        check_formulation(formulation)
        request = {"formulation": formulation, "options": listed_options(self, options)}
        with engine_errors() as native:
            run = apart(native.Job.explanation_of_module, self._module_json, json.dumps(request))
        return explained(run, budget_s, progress, formulation)

    def security_lists(self, *lists: List) -> SecurityLists:
        """Reads lists of outages, monitored branches and interfaces for the options `security` and `limits`.

        `lists` are files of PSS/E (`.con`, `.mon`, `.sub`, together), PowerWorld (`.aux`) or CSV, or DataFrames with its
        columns: `outage` (rows with the same label are one outage), `branch` (id or uid) or `from_bus`, `to_bus` and
        `circuit`, and `generator`. `case.study(options={"security": lists.security, "limits": lists.limits})` takes the
        result, whose frames have the statements that the case does not have or that are not supported. An outage with
        such a statement is left out.

        Raises InputError `INPUT.*` for a file that is no list, or cut off; ArgumentError. Source: `docs/reference/formats.md`.
        """
        return security_lists(self, lists)

    def ptdf(
        self,
        slack: Slack = None,
        *,
        branches: Iterable[ElementName] | None = None,
        threshold: float | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> pd.DataFrame | pd.Series:
        """Power transfer distribution factors (shift factors): MW of flow on a branch, at its from end, per MW that is injected at a bus and
        withdrawn at the slack. Rows `branch`, columns `bus`.

        `slack` is a bus, weights by bus, or `"demand"` (in proportion to positive demand); in each island they are scaled to sum to one.
        Without it the reference bus of an island is the slack. `branches` limits the rows. With a `threshold` the result is
        sparse: a Series by `branch` and `bus` of the factors that are not zero and at least as large in magnitude. `options` as for
        `study`: `dc_convention` decides the susceptances. Factors are 0 between islands and for branches out of service, and NaN for a
        branch whose flow is not unique because it closes a loop without impedance.

        Raises EditError `BRANCH.UNKNOWN`, `BUS.UNKNOWN`, ArgumentError, InputError `INPUT.REQUEST` where the weights of an island sum to zero,
        `MATRIX.TOO_LARGE` above 90 million entries. Source: Wood, Wollenberg and Sheblé, *Power Generation, Operation and Control*,
        3rd ed., section 7.6.
        """
        from ..network import ptdf

        return ptdf(self, slack, branches, threshold, options)

    def lodf(
        self,
        *,
        branches: Iterable[ElementName] | None = None,
        threshold: float | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> pd.DataFrame | pd.Series:
        """Line outage distribution factors: MW of flow that the outage of a branch adds to another one, per MW that it carried. Rows
        `branch`, columns `outage`; -1 for the branch itself.

        A column is NaN where the outage splits an island or the branch is already out of service. The other arguments
        and the errors are as for `ptdf`.
        """
        from ..network import lodf

        return lodf(self, branches, threshold, options)

    @overload
    def export(self, path: None = None, format: str | None = None) -> bytes: ...

    @overload
    def export(self, path: str | os.PathLike[str], format: str | None = None) -> Path: ...

    def export(self, path: str | os.PathLike[str] | None = None, format: str | None = None) -> Path | bytes:
        """Writes the case in the format of another program and returns the path; without a path, the bytes.

        `format` is one of `wb.export_formats()`; without it the extension decides, and with it the extension must not
        be that of another format. In a folder the file is named after the case. A `wb.ExportWarning` lists data that
        the format cannot represent; `save` stores everything.

        Raises InputError `EXPORT.FORMAT`, `EXPORT.REFUSED` (the format cannot represent this network), `OUTPUT.UNWRITABLE`.
        """
        return export_module(self._module_json, self.id, path, format, stacklevel=2)

    def to_pandapower(self) -> Any:
        """The case as a pandapower network; a `wb.ExportWarning` lists data that it cannot represent. Needs pandapower.

        Raises InputError `OUTPUT.PANDAPOWER` without pandapower, `EXPORT.REFUSED`.
        """
        try:
            import pandapower
        except ImportError:
            raise InputError("OUTPUT.PANDAPOWER", "pandapower is not installed: pip install pandapower.") from None
        data = export_module(self._module_json, self.id, None, "pandapower-json", stacklevel=2)
        return pandapower.from_json_string(data.decode())

    def to_pypsa(self) -> Any:
        """The case as a `pypsa.Network` of one snapshot, with buses, loads, generators and branches named by their
        numbers; a `wb.ConversionWarning` lists the parts that are dropped. Powers are MW, costs $/MWh. Needs pypsa.

        Raises InputError `OUTPUT.PYPSA` without pypsa, `EXPORT.REFUSED`.
        """
        return pypsa_writing.network_of(self.module_json, self.id, self._buses, self._branches, self._generators)

    def _again(self, inspected: Inspected) -> Self:
        again = type(self)(self.id, inspected, name=self.name)
        again.profiles = self.profiles
        return again._with_fuels(self._rows.energy_sources)

    def __repr__(self) -> str:
        lowered = self._lowered_text()
        more = f"; its tables have {lowered} as well" if lowered else ""
        return with_warnings(f"<Case {self.id}: {self._counts_text()}{more}>", self.warnings)

    def _repr_html_(self) -> str:
        """Name, counts, load, identity and warnings."""
        lowered = self._lowered_text()
        rows = [
            ("Network", self._counts_text()),
            *([("Additional table rows", lowered)] if lowered else []),
            ("Load", f"{words.mw(self.load_mw)} MW"),
            ("Power base", f"{words.mw(self.base_mva)} MVA"),
            ("Positions", POSITION_SOURCES[self.coords_kind]),
            *report_rows(self),
            ("Identity", f"sha256 {self.sha256[:12]}"),
        ]
        remarks = notes([*map(str, self.warnings), *record_notes(self)])
        return shown(f"<p><b>{isolated(self.name, self.name)}</b></p>{table((), rows)}{remarks}")


class Study:
    """A case, a formulation and absolute edits from the base case; made by `case.study()`.

    One lock orders commits from cells, threads and the page; each advances `revision` by one, and a failed commit changes
    nothing. Page and kernel solve independently and compare result hashes; after a commit in the page, the kernel solves when
    `solution` is read. A copy (`copy.deepcopy`, a process pool) is an independent Study with the same case, edits and result.
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def case(self) -> Case:
        """The case of this Study."""
        return cast(Case, self._session.network)

    @property
    def options(self) -> Mapping[str, Any]:
        """The solve options, some of which may belong to formulations that `switch` leads to."""
        return self._session.options

    @property
    def formulation(self) -> str:
        """The formulation of the current state; `switch` and the list in the map's bar change it."""
        return self._session.formulation

    @property
    def revision(self) -> int:
        """Number of commits and resets so far."""
        return self._session.revision

    @property
    def edits(self) -> Edits:
        """The edits of the current state: `demand`, `ratings`, `reactive` and `generators`, absolute from the base case."""
        return self._session.edits

    @property
    def solution(self) -> Solution:
        """The optimum of the current state, solved natively.

        After a commit in the page the first read solves here and compares result hashes; a difference is a WattbookWarning.
        Raises SolveError if the kernel finds no solution for the edits of the page.
        """
        with self._session.lock:
            return self._session.solution()

    def commit(
        self,
        demand: Changes | None = None,
        ratings: Changes | None = None,
        *,
        reactive: ReactiveChanges | None = None,
        generators: ValueChanges | None = None,
        branches: ValueChanges | None = None,
        costs: Costs | os.PathLike[str] | bytes | None = None,
        fuels: Mapping[Any, Any] | pd.Series | None = None,
        links: ValueChanges | None = None,
        storage: ValueChanges | None = None,
        interfaces: ValueChanges | None = None,
        add: Iterable[Added] = (),
        remove: Iterable[ElementName | Added] = (),
        mode: EditMode = "set",
        progress: Progress = None,
    ) -> Solution:
        """Solves with the edits and makes them the current state; returns the new solution.

        `demand` and `ratings` map bus and branch (number, digits or uid) to changes from the base case in MW, as a
        mapping or a Series (`0.1 * case.buses.demand_mw`; `changes` makes one for an area, a zone, a voltage or a
        filter); `mode="set"` replaces the named keys only, `mode="increment"` adds to them. With acpf and socwr,
        reactive demand follows at the power factor of the base case unless `reactive` gives its change in MVAr by bus,
        0 for no change; None returns to the power factor. DC formulations store it without effect, and report that in
        `diagnostics`. `generators` gives values of generators, by number or uid, in place of those of the case: `p_min`
        and `p_max` in MW, `cost` in $/MWh with `c2` in $/MW²h (together they replace the cost curve), `status` True or False. `costs` gives them
        by generator or fuel, as `case.with_costs` takes them (`{"gas": 30}`, a table, `"typical"`) with `fuels`, and
        without constants; the diagnostic `COST.ASSUMED` counts the generators that have no cost in the source. `branches` gives those
        of lines and transformers: `status`, `rating` in MW (acpf, socwr: MVA; `ratings` counts from it), reactance `x`
        in per unit, `tap` ratio, phase `shift` in degrees. `links` gives those of HVDC links: `status`, limits `p_min` and
        `p_max` in MW, the schedule `p` in MW that power flows hold, `loss` in MW, `loss_factor` (fraction of the sent power),
        `cost` in $/MWh. `storage` gives those of storage units: `status`, the powers `p` in MW and `q` in MVAr that they are held at,
        `p_charge_max` and `p_discharge_max` in MW, `charge_efficiency`, `discharge_efficiency`, the stored `energy` with `energy_min` and
        `energy_max` in MWh, and `energy_value` in $/MWh, by which Studies with the option `storage="valued"` dispatch them. `interfaces` gives the limits
        `min_mw` and `max_mw` in MW of interfaces of the option `limits`, by name, in place of those of the option. Values that are
        not named are unchanged; None returns to the value of the case. A DataFrame has the values as columns and the elements as index, or
        in a column `generator`, `branch`, `link`, `storage` or `interface`; missing values change nothing there, while a Series must have none. New islands are named in
        `diagnostics`. `add` adds elements to the network: `wb.Branch`, `wb.Generator`, `wb.Link`, `wb.Storage`, `wb.Load`. Their ids follow
        those of the case, and the other arguments may already name them; `remove` takes added elements back, by name or
        as the elements themselves. Raises EditError for an invalid edit and SolveError if the edited problem has no solution; then
        nothing changes, and the message names the conflicting limits and the minimum violation. `explain()` finds the
        minimum relaxation.

        An iterative solve (socwr) can be interrupted, and then nothing changes. `progress(fraction)` is called after
        each step; by default a tqdm bar appears after a second if tqdm is installed, with `progress=False` nothing.
        """
        assumed = cost_edits(self.case, costs, fuels)
        changes = (demand, ratings, reactive, generators, branches, links, storage, interfaces)
        with self._session.lock:
            return self._session.commit(
                self._edited(changes, mode, add, remove, assumed),
                progress,
            )

    @overload
    def changes(
        self,
        quantity: Literal["demand", "ratings"],
        *,
        factor: SupportsFloat | None = None,
        add: SupportsFloat | None = None,
        to: SupportsFloat | None = None,
        area: int | Iterable[int] | None = None,
        zone: int | Iterable[int] | None = None,
        base_kv: float | Iterable[float] | None = None,
        where: Filter | None = None,
    ) -> pd.Series: ...

    @overload
    def changes(
        self,
        quantity: LinkValue,
        *,
        of: Literal["links"],
        factor: SupportsFloat | None = None,
        add: SupportsFloat | None = None,
        to: SupportsFloat | bool | None = None,
        area: int | Iterable[int] | None = None,
        zone: int | Iterable[int] | None = None,
        base_kv: float | Iterable[float] | None = None,
        where: Filter | None = None,
    ) -> pd.DataFrame: ...

    @overload
    def changes(
        self,
        quantity: GeneratorValue,
        *,
        of: Literal["generators"] = "generators",
        factor: SupportsFloat | None = None,
        add: SupportsFloat | None = None,
        to: SupportsFloat | bool | None = None,
        area: int | Iterable[int] | None = None,
        zone: int | Iterable[int] | None = None,
        base_kv: float | Iterable[float] | None = None,
        fuel: str | Iterable[str] | None = None,
        where: Filter | None = None,
    ) -> pd.DataFrame: ...

    def changes(
        self,
        quantity: Quantity,
        *,
        of: ValueOwner = "generators",
        factor: SupportsFloat | None = None,
        add: SupportsFloat | None = None,
        to: SupportsFloat | bool | None = None,
        area: int | Iterable[int] | None = None,
        zone: int | Iterable[int] | None = None,
        base_kv: float | Iterable[float] | None = None,
        fuel: str | Iterable[str] | None = None,
        where: Filter | None = None,
    ) -> pd.Series | pd.DataFrame:
        """One change for many elements, as `commit`, `preview` and `explain` take it; the Study does not change.

            study.commit(demand=study.changes("demand", factor=1.1, area=2))
            study.commit(generators=study.changes("p_max", factor=0.9, fuel="gas"))
            study.commit(links=study.changes("p_max", of="links", factor=0.5))

        `quantity` is `"demand"` or `"ratings"`, for which the result is a Series of changes from the base case in MW (of socwr ratings
        MVA) by bus or branch; or `"p_min"`, `"p_max"` (MW), `"cost"` ($/MWh) or `"status"`, for which it is a DataFrame of values by generator, or with
        `of="links"` by HVDC link, which have `"p"`, `"loss"` (MW) and `"loss_factor"` as well.
        Of the current values, edits included, `factor` is a multiple and `add` a sum; `to` is the value itself.

        All conditions must hold: `area`, `zone` and `base_kv` (kV) with one or several values, of a generator those of its bus, of a line or link
        those of both its ends; `fuel` as in `case.generators["energy_source"]`; and `where`, a boolean Series by element, such as
        `case.buses.demand_mw > 50`, or an array in the order of the table. Without conditions all elements are selected, but for star
        points and arms of three-winding transformers, with `factor` buses without demand, and lines without a rating or out of service.

        Raises EditError `EDIT.SELECTION` for a value that no element has, a filter of other elements, and if nothing is selected;
        `EDIT.AMOUNT` unless one of `factor`, `add` and `to` is given, and for a factor of a cost curve; ArgumentError for another quantity.
        """
        selection = Selection(area, zone, base_kv, fuel, where)
        amounts = {"factor": factor, "add": add, "to": to}
        return changed(self._session.edited_network, self._session.edits, quantity, of, selection, amounts)

    def switch(self, formulation: str, *, progress: Progress = None) -> Solution:
        """Solves the current edits in another formulation and continues there, as a new revision; maps of the Study follow. `progress` as
        for `commit`.

        Options are unchanged; a WattbookWarning names those without effect in the new formulation. A formulation that
        was used before need not be set up again. Raises InputError (`FORMULATION.UNAVAILABLE`) for an unknown
        formulation, and SolveError if it has no solution for the edits; then nothing changes. DC formulations store
        reactive demand without effect, and report that in `diagnostics`. For results of several formulations at the
        same time use several Studies: `case.study("acpf")`.
        """
        check_formulation(formulation)
        with self._session.lock:
            return self._session.switch(formulation, progress)

    def reset(self) -> Solution:
        """Discards all edits and returns the base solution, as a new revision; earlier states stay in `states`.

        Raises InputError `STUDY.NO_BASE` for a Study that was saved without its base case.
        """
        with self._session.lock:
            return self._session.reset()

    def shift_factors(
        self,
        slack: Slack = None,
        *,
        branches: Iterable[ElementName] | None = None,
        threshold: float | None = None,
    ) -> pd.DataFrame | pd.Series:
        """The rows of `case.ptdf` that determine prices at the current state: those of the binding lines, or of
        `branches`.

        In the DC convention of the Study. `slack`, `threshold` and errors as for `case.ptdf`. In `dcopf` the price of a bus is the price at
        the slack minus the sum over the binding lines of factor times signed shadow price.
        """
        if branches is None:
            lines = self.solution.branches
            if "shadow" not in lines:
                raise InputError("FORMULATION.UNAVAILABLE", f"{self.formulation} has no shadow prices; name branches.")
            branches = lines.index[lines["shadow"] > 0].tolist()
        convention = self.options.get("dc_convention")
        from ..network import ptdf

        options = {"dc_convention": convention} if convention else None
        edits = self.edits
        return ptdf(self.case, slack, branches, threshold, options, edits.body().get("branches"), edits.added_json)

    def preview(
        self,
        demand: Changes | None = None,
        ratings: Changes | None = None,
        *,
        reactive: ReactiveChanges | None = None,
        generators: ValueChanges | None = None,
        branches: ValueChanges | None = None,
        links: ValueChanges | None = None,
        storage: ValueChanges | None = None,
        interfaces: ValueChanges | None = None,
        mode: EditMode = "set",
    ) -> Preview:
        """The effect of the edits; the Study does not change. For dcopf and socwr the linear estimate of the LMP
        changes, $/MWh by bus, without a solve; for acpf the changes of voltages (per unit, degrees) and flows (MW,
        MVAr) by chord steps from the base case, which raise SolveError where they find no solution.

        The estimate assumes that the binding limits stay the same: beyond `valid_step` it misses further limits, and the edits may be
        infeasible. For dcopf it is `exact` up to there, for socwr it never is. `track` (dcopf) is exact along one demand, rating, or limit of a generator or link;
        `explain` says why edits are infeasible. Arguments and edit errors as for `commit`. Limits and costs of `generators` are previewed for
        dcopf and socwr; a cost in place of a cost curve is never `exact`. A change of `status`, of a piecewise linear cost, and every
        change of generators for acpf raises EditError `GENERATOR.NO_PREVIEW`, a change of `branches` `BRANCH.NO_PREVIEW`, except of a phase shift
        for dcopf, with `valid_mw` in degrees, the shift itself, of `links` `LINK.NO_PREVIEW`, except of limits for dcopf, of `storage` `STORAGE.NO_PREVIEW`, and of `interfaces` `INTERFACE.NO_PREVIEW` for a limit that there is not yet.
        """
        with self._session.lock:
            changes = (demand, ratings, reactive, generators, branches, links, storage, interfaces)
            edits = self._edited(changes, mode)
            self._session.solution()
            with engine_errors():
                answer = self._session.native().preview(edits.json())
            unit = words.rating_unit(self.formulation) if is_given(ratings) and not is_given(demand) else "MW"
            values = any(is_given(given) for given in (generators, links, interfaces))
            absolute = values and not is_given(demand) and not is_given(ratings)
            if absolute and changes_value(generators, "cost"):
                unit = "$/MWh"
            if is_given(branches) and not (absolute or is_given(demand) or is_given(ratings)):
                unit, absolute = "degrees", True
            ids = self.case._bus_ids, self._session.edited_network._branch_ids
            return Preview.from_answer(*parted(answer), *ids, unit, absolute=absolute)

    def sensitivity(
        self,
        *unnamed: ElementName,
        bus: ElementName | None = None,
        branch: ElementName | None = None,
        generator: ElementName | None = None,
        link: ElementName | None = None,
        interface: str | None = None,
        value: Literal["p_max", "p_min", "cost", "shift", "max_mw", "min_mw"] = "p_max",
    ) -> Sensitivity:
        """Derivatives of all LMPs with respect to the demand at `bus`, the rating of `branch` or for dcopf, with the `value` `shift`, its
        phase shift in ($/MWh)/degree, or the `value` of `generator` or for dcopf of the HVDC link `link`: a limit, or the marginal cost in
        ($/MWh)/($/MWh). ($/MWh)/MW, and for dcopf the interval in which they are exact: of the cost of a unit with
        a cost curve at the current state only. For socwr they are a linear estimate, by a rating in ($/MWh)/MVA, with the interval in which the
        same limits bind.

        For acpf the derivatives of all voltages (pu/MW) and flows with respect to the demand at `bus`, reactive demand following by
        the power factor, with the interval in which the estimated error is below 1e-3 pu, and the demand at which voltages collapse.

        `interface` is the name of one in the option `limits`: the derivatives are by its upper limit, or its lower one with the `value`
        `min_mw`, in ($/MWh)/MW. The interval ends also where the limit begins to bind.

        Pass exactly one of `bus`, `branch`, `generator`, `link` and `interface`. Raises EditError for an unknown element, for a generator or link that is
        out of service, and `LINK.NO_PREVIEW` for a limit of a link that changes the directions it has, SolveError if no derivative
        exists.
        """
        call = "study.sensitivity({})"
        what = column_target(
            self._session.edited_network,
            call,
            unnamed,
            bus=bus,
            branch=branch,
            generator=generator,
            link=link,
            interface=interface,
            value=value,
        )
        return self._session.sensitivity(what)

    def lmp_components(self, bus: ElementName) -> LmpComponents:
        """LMP components at a bus in the current state: energy, and congestion by line. No solve.

        Raises EditError for an unknown bus.
        """
        return lmp_components(self._session, bus, "study.lmp_components({})")

    def price_change(
        self,
        before: str | Edits = "base",
        after: str | Edits | None = None,
        *,
        bus: ElementName | None = None,
        progress: Progress = None,
    ) -> PriceChange:
        """Why the LMP at `bus` changed between the states `before` and `after`: by energy and by line, and which generators set it. $/MWh.

        A state is `"base"` (the case without edits), the id or name of a saved state (`study.states`), `wb.Edits`, or None for the
        current one. `"base"` and edits are solved in the formulation of the other
        state, saved states in their own. A state other than the current one is solved on a copy: the Study does not change.

        It can be interrupted. `progress(fraction)` is called after each step of a solve and after each derivative, from 0 to 1 for each of
        them; by default a tqdm bar appears after a second if tqdm is installed, with `progress=False` nothing.

        Raises EditError `BUS.UNKNOWN`, `TARGET.MALFORMED` without a bus, `STATE.UNKNOWN`, those of commits for edits; InputError
        `FORMULATION.UNAVAILABLE` for a formulation without prices, `STUDY.NO_BASE`; SolveError for edits without a solution.
        """
        call = "study.price_change(bus={})"
        formulations = [self._formulation_of(state) for state in (before, after)]
        given = [one for one in formulations if one is not None]
        formulation = given[-1] if given else self.formulation
        first, second = (self._price_state(state, bus, formulation, call, progress) for state in (before, after))
        return PriceChange(second.components.bus, first, second)

    def rating_effects(
        self,
        bus: ElementName | None = None,
        *,
        area: int | None = None,
        weights: Weights | None = None,
        verify_mw: SupportsFloat | None = None,
        progress: Progress = None,
    ) -> pd.DataFrame:
        """Which ratings lower the LMP at `bus`: its derivative by the rating of each line that binds, the largest fall first. Ratings that do
        not bind change no price.

        Index `branch`; columns `from_bus`, `to_bus`, `rating_mw` (MW, of socwr MVA), `shadow` (shadow price, $/MWh), `increase` and
        `decrease`, the derivatives for an increase and a decrease of the rating in ($/MWh)/MW, which differ at a breakpoint (NaN where there
        is no solution on that side), `kind` as of `sensitivity`, `valid_from_mw` and `valid_to_mw`, the interval in MW from the current state in
        which they are exact (dcopf) or the same limits bind (socwr), and `event`, what happens at its upper end. Without a `bus` the price is
        the mean LMP, of an `area` or with `weights` by bus as for `plan`. At the end of the interval
        the price may jump, where a unit of constant marginal cost reaches or leaves a limit; derivatives do not show that, exact solves do.

        With `verify_mw` each rating is raised by so many MW alone and solved exactly on a copy: `exact` is the change of the price ($/MWh;
        NaN without a solution) beside the linear `estimate`. The Study does not change. `progress(fraction)` is called after each derivative, then after each solve; by
        default a tqdm bar appears after a second if tqdm is installed, with `progress=False` nothing.

        Raises EditError `BUS.UNKNOWN`, `PLAN.SPEC` for weights, an area without demand, or a bus together with them, InputError
        `FORMULATION.UNAVAILABLE` for a formulation without prices, ArgumentError for `verify_mw`.
        """
        raised = None if verify_mw is None else number("verify_mw", verify_mw, "MW")
        if raised == 0.0:
            raise ArgumentError("ARGUMENT.NUMBER", "verify_mw must not be 0: no price changes.")
        if bus is not None:
            if area is not None or weights is not None:
                raise EditError("PLAN.SPEC", "Give a bus, or an area or weights, not both.")
            return rating_effects(self._session, {int(self.case._bus_keys.target(bus)): 1.0}, raised, progress)
        if area is None and weights is None:
            return rating_effects(self._session, None, raised, progress)
        demand = self.solution._buses["demand_mw"].fillna(0.0)
        own = {int(entry["bus"]): entry["weight"] for entry in weights_of(self.case, weights, area, demand)}
        return rating_effects(self._session, own, raised, progress)

    def _formulation_of(self, state: str | Edits | None) -> str | None:
        """The formulation of the current or of a saved state; None for the base case and for edits, which have none of their own."""
        if state is None:
            return self.formulation
        return None if isinstance(state, Edits) or self._is_base(state) else self._known(state).formulation

    def _is_base(self, state: object) -> bool:
        """Whether `"base"` stands for the base case: a saved state of that name prevails."""
        return state == "base" and not any(one.name == "base" for one in self._session.history)

    def _price_state(
        self, state: str | Edits | None, bus: ElementName | None, formulation: str, call: str, progress: Progress
    ) -> PriceState:
        session = self._session
        with session.lock:
            session.require_engine()
            if state is None:
                return price_state(session, bus, "the current state", call, progress)
            if isinstance(state, Edits) or self._is_base(state):
                if not isinstance(state, Edits) and not session.has_base():
                    raise InputError("STUDY.NO_BASE", "This Study was saved without its base case: name a state.")
                edits, label = (state, "the edits") if isinstance(state, Edits) else (Edits(), "the base case")
                start = replace(session.start(), formulation=formulation, edits=edits)
            else:
                saved = self._known(state)
                label = saved.name or f"state {saved.id}"
                if saved.id == session.history.current:
                    return price_state(session, bus, label, call, progress)
                start = session.start_of(saved)
        # An unknown bus and a formulation without prices need no solve.
        target(self.case, "bus", bus, call)
        other = start(progress)
        try:
            return price_state(other, bus, label, call, progress)
        finally:
            other.free()

    def track(
        self,
        *unnamed: ElementName,
        bus: ElementName | None = None,
        branch: ElementName | None = None,
        generator: ElementName | None = None,
        link: ElementName | None = None,
        interface: str | None = None,
        value: Literal["p_max", "p_min", "shift", "max_mw", "min_mw"] = "p_max",
        to_mw: SupportsFloat | None = None,
        from_mw: SupportsFloat | None = None,
        to_degrees: SupportsFloat | None = None,
        from_degrees: SupportsFloat | None = None,
        watch: ElementName | None = None,
        explain: bool = True,
        progress: Progress = None,
    ) -> Track:
        """The optimum as the demand at `bus`, the rating of `branch`, or a limit of `generator`, the HVDC link `link` or `interface` (`value`) goes from `from_mw` to `to_mw`, or
        the phase shift of `branch` (`value="shift"`) from `from_degrees` to `to_degrees`, with every breakpoint.

        Both ends are in MW, as in edits: changes from the base case, by default from 0, or for a generator, link or interface the limit
        itself, by default from its present value. A phase shift is in degrees, the shift itself, by default from its present value. The other edits are fixed, and the Study does not change. `watch` is
        the bus whose LMP is in the tables: by default the target or the bus of the generator, or for a branch, link or interface the bus
        whose LMP changes most. A track stops where the problem becomes infeasible; `stopped` names the conflicting
        limits and, unless `explain` is False, the minimum relaxation that would reach the requested end (two searches,
        each longer than a solve). A track has at most 500 breakpoints; if it stops there, `stopped.message` has the
        call that continues it. It can be interrupted. `progress(fraction, at_mw)` is called after each step; by default
        a tqdm bar is shown after a second, if tqdm is installed, and `progress=False` disables it. Raises EditError for
        an unknown element, a generator or link that is out of service or whose limits would cross at both ends, an invalid
        end, and `LINK.NO_PREVIEW` for a limit of a link that changes the directions it has, ArgumentError for another `value`, SolveError if the track cannot begin.
        """
        given = {"from_mw": from_mw, "to_mw": to_mw, "from_degrees": from_degrees, "to_degrees": to_degrees}
        what, ends, unit = requested(self._session, unnamed, (bus, branch, generator, link, interface), value, given)
        watched = "null" if watch is None else json.dumps(self.case._bus_keys.target(watch, argument="watch: "))
        explaining = truth("explain", explain)
        with self._session.lock:
            self._session.solution()
            revision = self._session.revision
            with engine_errors() as native:
                job = native.Job.track(self._session.native(), what, *ends, watched, explaining)
        report = reporter(progress, "at_mw", text=lambda step: f"followed to {words.mw(step['at_mw'])} {unit}")
        text, _ = finished(job, report, finish=lambda: self._finish_track(job))
        with self._session.lock:
            track = Track(self._session, json.loads(text))
            self._session.hold(track, revision)
            return track

    def explain(
        self,
        demand: Changes | None = None,
        ratings: Changes | None = None,
        *,
        reactive: ReactiveChanges | None = None,
        generators: ValueChanges | None = None,
        branches: ValueChanges | None = None,
        links: ValueChanges | None = None,
        storage: ValueChanges | None = None,
        interfaces: ValueChanges | None = None,
        add: Iterable[Added] = (),
        remove: Iterable[ElementName | Added] = (),
        mode: EditMode = "set",
        budget_s: float | None = None,
        progress: Progress = None,
    ) -> Explanation | None:
        """Why the edits have no solution: the conflicting limits and the minimum relaxation in MW.

        The edits and `mode` as for `commit`; without edits, those of the last failed commit. Returns None if the edits have
        a solution or no commit has failed. Ratings, angle-difference limits, demand and minimum outputs are relaxed together by
        the minimum sum of MW; if the demand of a single bus is edited, `demand_limit` is how far it can go. The Study does not
        change, and other threads can use it meanwhile.

        The search can be interrupted. After `budget_s` seconds it returns the best relaxation found, with `is_least` False and
        the gap in `verified["gap_mw"]`. `progress(fraction, at_least_mw)` is called after each step; by default a tqdm bar appears
        after a second if tqdm is installed, with `progress=False` nothing.
        Raises EditError for an invalid edit, SolveError if the explanation fails its own check.
        """
        changes = (demand, ratings, reactive, generators, branches, links, storage, interfaces)
        with self._session.lock:
            if all(given is None for given in changes) and not (add or remove):
                self._session.require_engine()
                if self._session.failed is None:
                    return None
                engine, edits = self._session.failed
            else:
                edits = self._edited(changes, mode, add, remove)
                engine = self._session.native()
            with engine_errors() as native:
                run = native.Job.explanation(engine, edits.json())
        return explained(run, budget_s, progress, self.formulation)

    def loadability(
        self,
        *,
        bus: ElementName | None = None,
        area: int | None = None,
        system: bool = False,
        progress: Progress = None,
    ) -> Loadability:
        """How much the demand of a `bus`, of an `area` or of the whole `system` can grow before voltage collapse: the
        margin in MW from the current state of an AC power flow, and the PV curve.

        Pass exactly one of the three. The buses of an area or of the system grow in proportion to their demand, all
        with the power factors of the base case; the option `slack` determines who supplies it. The curve is followed by
        Newton's method until no solution is found within 0.01 % further on. The Study does not change, and other
        threads can use it meanwhile. It can be interrupted. `progress(fraction, at_mw)` is called after each step; by
        default a tqdm bar appears after a second if tqdm is installed, with `progress=False` nothing. Raises EditError
        for an unknown bus, InputError if no demand grows or for another formulation than acpf.
        """
        what = growth(self.case, bus, area, system)
        with self._session.lock:
            self._session.solution()
            with engine_errors() as native:
                job = native.Job.loadability(self._session.native(), what)
        report = reporter(progress, "at_mw", text=lambda step: f"followed to {words.mw(step['at_mw'], sign=True)} MW")
        text, _ = finished(job, report)
        return Loadability.from_body(json.loads(text))

    def plan(
        self,
        spec: Mapping[str, Any] | None = None,
        *,
        kind: PlanKind = "line_capacity",
        weights: Weights | None = None,
        area: int | None = None,
        candidates: Iterable[ElementName | Branch] | None = None,
        increment_mw: float = 10.0,
        budget_mw: float = 100.0,
        max_increase_mw: float | None = None,
        max_lines: int | None = None,
        max_buses: int | None = None,
        solves: int = 32,
        progress: Progress = None,
    ) -> Plan[Study]:
        """Which ratings to raise, or where to place or move demand, to lower prices: a bounded number of trials in the
        order of their derivatives, each solved exactly.

        `kind` is `line_capacity`; `demand_placement`, which adds demand where it raises prices least; or
        `demand_redistribution`, which moves demand between buses at constant total. The plan lowers the sum of LMPs
        with `weights` by bus; by default the mean LMP of all buses, or of an `area`, weighted with demand. `candidates`
        are the lines that may be raised, by default those that bind, or the buses whose demand may change, by default
        those (of the area) with a demand.

        New circuits may be candidates of `line_capacity` beside lines, as `wb.Branch`. A circuit takes its rating from `budget_mw`, and
        what is left raises the named lines. As circuits are whole, every choice of them within the budget is solved exactly, each with
        a plan of ratings of its own of at most `solves` solves; `plan.choices` lists them, at most 64. An interrupt ends them all.

        Amounts are MW (of ratings in the SOC relaxation MVA) from the current state, in multiples of `increment_mw`; a
        trial adds one increment to a line or moves one to another bus. `budget_mw` limits the sum over all lines, or is
        the demand to place or the largest amount that may move; `max_increase_mw` limits one line or bus, for
        redistributed demand in both directions (by default the budget). At most `max_lines` or `max_buses` change.
        `solves` counts the baseline and every trial, whether accepted, rejected or failed. `spec`, the contract's
        `PlanSpecJson`, replaces all of these but new circuits. Reactive demand follows as in `commit`.

        The Study does not change. An interrupt ends the search after the running solve and returns the completed trials
        and the best one. `progress(fraction, trials)` is called after each step; by default a tqdm bar is shown after a
        second, if tqdm is installed, and `progress=False` disables it. Raises EditError for an unknown element,
        `PLAN.SPEC` for invalid limits, InputError for a formulation without prices.
        """
        from ..results.plan import circuit_plan, plan_of

        circuits, elements = circuit_plans.parted(candidates)
        kind_of_plan = kind if spec is None or not hasattr(spec, "items") else spec.get("kind", kind)
        if circuits and kind_of_plan != "line_capacity":
            raise EditError("PLAN.SPEC", f"A circuit is no candidate of {kind_of_plan}: name buses.")
        if circuits and spec is not None and not elements:
            elements = None  # those of the specification
        with self._session.lock:
            solution = self._session.solution()
            request = planned(
                self._session.edited_network,
                self.formulation,
                solution._buses,
                solution._rating_shadows,
                spec,
                kind,
                weights,
                area,
                elements,
                increment_mw,
                budget_mw,
                max_increase_mw,
                max_lines,
                max_buses,
                solves,
                circuits=bool(circuits),
            )
            start = self._session.start()
            begun = self._session.history.current
            if not circuits:
                try:
                    with engine_errors() as native:
                        job = native.Job.plan(self._session.native(), json.dumps(request))
                except EditError as error:
                    if spec is not None or error.code != "PLAN.SPEC":
                        raise
                    raise in_arguments(error, "budget_mw" if max_increase_mw is None else "max_increase_mw") from None
        if circuits:
            choices = circuit_plans.circuit_choices(start, circuits, request, progress)
            return circuit_plan(choices, request, self.formulation, lambda begins: partial(_begun, begins))
        report = reporter(progress, "trials", text=lambda step: words.count(len(step["trials"]), "trial"))
        text, _ = finished(job, report, keep_interrupted=True)
        outcome = json.loads(text)
        with self._session.lock:
            scope = None if spec is not None else scope_of(request, weights, area)
            self._session.history.planned(self.formulation, begun, request, outcome, scope)
        return plan_of(outcome, request, self.formulation, partial(_begun, start))

    def outage_flows(self, branch: ElementName) -> pd.DataFrame:
        """Flows after the outage of one branch in the current state, at fixed dispatch and demand.

        Index `branch`; columns `from_bus`, `to_bus`, `p_from_mw`, `base_p_from_mw` (MW into the branch at the from bus after the outage
        and before it), `rating_mw` (MW, for acpf MVA), `loading`, `base_loading` (fraction of the rating); for acpf also `q_from_mvar`,
        `p_to_mw`, `q_to_mvar` (MVAr, MW and MVAr into the branch after the outage). Branches without a result are NaN. Units in
        `.attrs["units"]`. For dcopf the factors are those of Wood, Wollenberg and Sheble, *Power Generation, Operation and Control*,
        3rd ed., section 7.6; for acpf the power flow is solved.

        Raises EditError for an unknown branch, `OUTAGE.ISLANDING` where the outage splits an island; SolveError
        `SOLVE.NOT_CONVERGED` where acpf finds no power flow; InputError `FORMULATION.UNAVAILABLE` where the formulation has no
        screening.
        """
        from ..tables.analyses import outage_flows

        base, columns = self._after_outage("outage_flows", branch)
        return outage_flows(columns, base._branches)

    def outage_voltages(self, branch: ElementName) -> pd.DataFrame:
        """Voltages after the outage of one branch in the current state of an AC power flow.

        Index `bus`; columns `vm_pu`, `base_vm_pu` (magnitude after the outage and before it), `vm_min_pu`, `vm_max_pu` (its limits, per
        unit), `va_deg`, `base_va_deg` (angle, degrees). Buses without a result are NaN. Units in `.attrs["units"]`.

        Raises as `outage_flows`, and InputError `FORMULATION.UNAVAILABLE` where the formulation has no voltages.
        """
        from ..tables.analyses import outage_voltages

        if self.formulation != "acpf":
            raise InputError(
                "FORMULATION.UNAVAILABLE",
                f"The formulation {self.formulation} has no voltages after outages; acpf has.",
            )
        base, columns = self._after_outage("outage_voltages", branch)
        return outage_voltages(columns, base._buses)

    def _after_outage(self, call: str, branch: ElementName) -> tuple[Solution, Columns]:
        what = target(self._session.edited_network, "branch", branch, f"study.{call}({{}})")
        with self._session.lock:
            base = self._session.solution()
            with engine_errors():
                _, columns = self._session.native().outage_columns(what)
        return base, Columns(columns)

    def contingencies(
        self,
        branches: Iterable[ElementName] | None = None,
        *,
        min_estimated_loading: SupportsFloat | None = None,
        progress: Progress = None,
    ) -> pd.DataFrame:
        """N-1 screening of the current state: every single branch outage, or those of `branches`, at fixed dispatch and demand.

        One row per outage, index `branch`; columns `from_bus`, `to_bus` (of that branch), `kind` (`loading`, `islanding`, and for
        acpf `not_converged` where no power flow was found, `estimated` where `min_estimated_loading` left it unsolved);
        `worst_branch`, `worst_mw`, `worst_loading` (the most loaded branch after the outage, MW and fraction of its rating),
        `worst_base_loading`, `loading_rise` (its loading before the outage, and the increase); `overloads` (branches above their
        rating), `new_overloads` (those neither overloaded nor binding before the outage); for the new overload with the largest
        increase `new_overload_branch`, `new_overload_from_bus`, `new_overload_to_bus`, `new_overload_mw`, `new_overload_loading`,
        `new_overload_base_loading` (MW, and fractions of its rating after and before); for outages that split the grid
        `buses_cut_off`, `demand_cut_off_mw`, `generation_cut_off_mw` of the smaller part. Inapplicable values are missing. Units
        in `.attrs["units"]`.

        For acpf every outage is an AC power flow with the options of the Study. Loadings are those of the larger apparent power of
        the two ends, with `worst_mva` and `new_overload_mva` (MVA), and `worst_mw` is at the from end. Further columns are
        `lowest_voltage_bus`, `lowest_voltage_pu`, `highest_voltage_bus`, `highest_voltage_pu` (per unit), `voltage_violations` (buses
        beyond a limit), `new_voltage_violations` (those within their limits before), `reactive_limits` (`kept` or `not_kept` with the
        option `q_limits`), and `estimated_branch`, `estimated_loading`: the worst loading by distribution factors, with the reactive
        flows before the outage. With `min_estimated_loading` (fraction of the rating) only outages whose estimate reaches it are
        solved; the estimate knows no voltages.

        It can be interrupted. `progress(fraction)` is called after each step; by default a tqdm bar is shown after a second, if tqdm is
        installed, and `progress=False` disables it.
        """
        options: dict[str, Any] = {}
        if branches is not None:
            options["branches"] = branch_keys(self._session.edited_network, branches)
        if min_estimated_loading is not None:
            options["min_estimated_loading"] = number("min_estimated_loading", min_estimated_loading, "ratings")
        with self._session.lock:
            base = self._session.solution()
            with engine_errors() as native:
                job = native.Job.screening(self._session.native(), json.dumps(options))
        rows: list[dict[str, Any]] = []
        show = reporter(progress, text=lambda step: words.count(len(rows), "outage"))

        def report(step: Step) -> None:
            rows.extend(step["rows"])
            show(step)

        with closing(show):
            finished(job, report)
        from ..tables.analyses import contingencies

        return contingencies(rows, base._branches, of_voltages=self.formulation == "acpf")

    def series(
        self,
        demand: Table | None = None,
        ratings: Table | None = None,
        units: Table | None = None,
        *,
        by: By = "bus",
        unit: Unit = "MW",
        tables: Sequence[str] | None = None,
        parquet: str | os.PathLike[str] | None = None,
        threads: int | None = None,
        on_error: str = "record",
        progress: Progress = None,
    ) -> SolvedSeries:
        """Solves every step of a demand or rating profile exactly; the Study does not change.

        `demand` is a DataFrame with a row for each step (any index, for instance of time) and a column for each bus
        (`by="bus"`) area (`by="area"`) or zone (`by="zone"`), or one column for the whole system (`by="system"`);
        `ratings` one by branch. Values are the demand and the rating in MW (MVA for socwr ratings), with `unit="pu"`
        multiples of the base case. The demand of an area, a zone or the system is shared as in the base case, negative
        demand included. `units` has the availability of generators, 0 (out of service) to 1, a factor of Pmax; steps of
        different availability are set up anew, which takes longer. If all are omitted, those of
        `case.with_profiles(...)`. All other edits are the committed ones.

        `tables` are the results to store:  "prices", "flows", "loading", "shadow", "dispatch", "links" (powers of HVDC links), "storage" (powers of storage units), for
        acpf "voltages" instead of prices (by default all; eight bytes a step and element each). With `parquet` they go to files in that
        folder as they are solved, so they may exceed the memory; they replace the tables of an earlier run there, and
        are followed by `steps.parquet` with the table `steps` (needs pyarrow). `threads` is the number of threads, by
        default that of the processors. Every step equals a commit of its edits bit for bit, whatever the number of
        threads and the order of steps.

        A step without a solution is recorded in `failures`; with `on_error="raise"` it is a SolveError. An interrupt stops between
        blocks of steps. `progress(fraction, solved)` is called after each block; by default a tqdm bar appears after a second if
        tqdm is installed, with `progress=False` nothing.

        Raises EditError `PROFILE.MALFORMED`, `BUS.UNKNOWN`, `BRANCH.UNKNOWN`, ArgumentError for other arguments, and InputError
        `OUTPUT.PYARROW`, `OUTPUT.UNWRITABLE` with `parquet`.
        """
        from ..sweeps.series import solved_series

        on_error = one_of("on_error", on_error, ("record", "raise"))
        count = whole("threads", threads, least=1) if threads is not None else os.cpu_count() or 1
        profiles = self._profiles(demand, ratings, by, unit, units)
        wanted = chosen_tables(self.formulation, tables, self.case._rows)
        return solved_series(self._session, profiles, wanted, parquet, count, on_error, progress)

    def day(
        self,
        demand: Table | None = None,
        ratings: Table | None = None,
        units: Table | None = None,
        *,
        by: By = "bus",
        unit: Unit = "MW",
        hours: float = 1.0,
        storage: ValueChanges | None = None,
        ramps: ValueChanges | None = None,
        inflow: Table | None = None,
        end: DayEnd | Mapping[ElementName, DayEnd] | None = None,
        progress: Progress = None,
    ) -> SolvedDay:
        """Many hours as one exact program (dcopf): storage units move energy between them, and `ramps` limit how fast outputs change.
        The Study does not change.

        `demand`, `ratings` and `units` are the tables of `series`, one row for each step of `hours` hours. Storage units in service take
        part with the limits, the efficiencies and the stored energy of the case, whatever the option `storage` says. `storage` replaces
        by unit `start_mwh`, the energy at the start, and sets `charge_cost` and `discharge_cost` ($/MWh, otherwise zero); `inflow` is a
        table of MW by step and unit, of which any part can be spilled. `end` is "start" (each unit ends with at least the energy that it
        starts with), "cyclic" (it ends with the same energy, which the optimum chooses) or "free" (with any; an energy value of the unit
        is what the rest is worth), for all units or by unit. By default units with an energy value are free, units whose energy the
        source does not have are cyclic, and the others end as they start. `ramps` has `up` and `down` by generator, MW per hour; no
        limit applies between an hour with the availability 0 and its neighbours.

        `progress(fraction)` is called after each round of the solver; it can be interrupted. Raises EditError `PROFILE.MALFORMED`,
        `GENERATOR.*`, `STORAGE.*`, ArgumentError for other arguments, InputError `FORMULATION.UNAVAILABLE` for another formulation
        and for options `security`, `soft` and `limits`, SolveError `SOLVE.INFEASIBLE` with the step that lacks power.
        """
        from ..edits.day import day_spec
        from ..results.day import day_of

        profiles = self._profiles(demand, ratings, by, unit, units)
        network = self._session.edited_network
        spec, values = day_spec(network, profiles, hours, storage, ramps, inflow, end)
        started = time.perf_counter()
        with self._session.lock:
            self._session.solution()
            with engine_errors() as native:
                job = native.Job.day(self._session.native(), json.dumps(spec), values.tobytes())
        report = reporter(progress, text=lambda step: "solving the day")
        answer, solved = finished(job, report, finish=job.finish_day)
        seconds = time.perf_counter() - started
        return day_of(network, self.formulation, profiles.index, parted(answer), solved, seconds)

    def _profiles(
        self, demand: Table | None, ratings: Table | None, by: By, unit: Unit, units: Table | None
    ) -> Profiles:
        """The profiles of tables, or those of the case."""
        from ..edits.profiles import profiles_of

        if demand is not None or ratings is not None or units is not None:
            return profiles_of(self._session.edited_network, demand, ratings, by, unit, units)
        if self.case.profiles is None:
            raise EditError("PROFILE.MALFORMED", _GIVE)
        return self.case.profiles

    def map(
        self,
        *,
        quantity: str | None = None,
        color: str | None = None,
        lines: str | None = None,
        bus: ElementName | None = None,
        branch: ElementName | None = None,
        generator: ElementName | None = None,
        height: int | None = None,
        preview_mode: str | None = None,
        vmin: float | None = None,
        vmax: float | None = None,
        range: str | None = None,
        cmap: str | None = None,
        log: bool | None = None,
        surface: str | None = None,
        width: str | None = None,
        levels: float | Iterable[float] | None = None,
        areas: int | Iterable[int] | None = None,
        zones: int | Iterable[int] | None = None,
        generators: str | None = None,
        bus_size: float | None = None,
        line_size: float | None = None,
        basemap: str | os.PathLike[str] | EllipsisType | None = ...,
        attribution: str | None = None,
        **unknown: Any,
    ) -> CaseMap[Study]:
        """A live map of this Study; all maps of one Study are synchronised.

        `height` in px (the network fills the width of the cell as far as the window allows), `quantity` of the buses
        ("lmp", "lmp_change", "lmp_move", the change in the last move, for which a saved picture shows the price,
        "sensitivity", "angle", "demand", "generation"; with limits after outages "lmp_security", what they add to the price, and
        "lmp_without_security"; for acpf "voltage", "voltage_excess", "reactive_demand",
        "reactive_generation"; for socwr also "lmp_q", "lmp_losses", "lmp_congestion", "lmp_voltage"), `lines`, the
        quantity of the lines ("loading", "flow", "shadow", "rating_change"; for acpf and socwr "reactive_flow",
        "losses"; for socwr "cone_gap"), `preview_mode` ("exact" or "first_order"), and `bus`, `branch` or `generator`
        to select ("sensitivity" needs one). "net_injection", "area" and "zone" are quantities too; `color` is another
        name of `quantity`.

        Style: `vmin`, `vmax` (the ends of the colours, in the unit of the quantity) or `range` ("auto", "quantile" for
        the 5th to 95th percentile, "fixed"), `cmap` ("market", blue for cheap to red for expensive, "viridis",
        "cividis", "plasma", "magma", "ylgnbu"), `log` (True for a log scale), `surface` ("dots", "contour"), `width` of
        the lines ("class" of loading, "rating", "kv"), `levels` (base kV to draw), `areas`, `zones`, `generators`
        ("none", "fuel", "cost"), `bus_size` and `line_size` (factors, 0.25 to 4). Saved pictures have the colours. An
        unknown keyword is a TypeError.

        Ground: `basemap`, the URL of a MapLibre style, a template of raster tiles
        ("https://tiles.example.org/{z}/{x}/{y}.png"), a PMTiles file or its URL, "natural_earth", "plain" (coasts and
        borders alone) or None; by default that of the page's settings. `attribution` is shown with it. No other server
        is contacted before a person allows it in the page.
        """
        given = {name: value for name, value in locals().items() if name not in ("self", "basemap", "unknown")}
        view = {name: value for name, value in given.items() if value is not None} | unknown
        if basemap is not ...:
            view["basemap"] = basemap
        from ..map.case_map import CaseMap

        with self._session.lock:
            self._session.require_engine()
            return CaseMap(self, self._session, self.case.profiles, **view)

    @property
    def states(self) -> pd.DataFrame:
        """The saved states, the base case first: index `state`; columns `parent`, `name`, `note`, `label` (the edit),
        `formulation`, `demand` and `ratings` (number of changed buses and branches), `revision`, `at` (UTC),
        `objective` ($/h), `result_sha256`, `current`."""
        with self._session.lock:
            return states_table(list(self._session.history), self._session.history.current)

    @property
    def history(self) -> pd.DataFrame:
        """The activity: index `experiment`; columns `kind` (observation, edit, solve, planning trial, decision),
        `label`, `result`, `failed`, `at` (UTC), `ms` (wall time), `state`."""
        with self._session.lock:
            return activity_table(self._session.history.experiments)

    @property
    def plans(self) -> dict[str, Plan[Study]]:
        """The plans of this Study by goal, including those of its file; `.to_study()` applies a proposal to a new
        Study."""
        from ..results.plan import plan_of

        with self._session.lock:
            return {
                id: plan_of(
                    goal["outcome"],
                    goal["spec"],
                    goal["formulation"],
                    partial(_begun, self._start_of(goal["start_state"])),
                )
                for id, goal in self._session.history.goals.items()
                if "outcome" in goal
            }

    def name_state(self, name: str | None = None, note: str | None = None, *, state: str | None = None) -> None:
        """Gives a `state`, by default the current one, a `name` of one line and a `note`; an empty text removes it.

        Raises ArgumentError for a name or note that is not text, EditError `STATE.UNKNOWN`.
        """
        for argument, value in (("name", name), ("note", note)):
            if value is not None and not isinstance(value, str):
                raise ArgumentError("ARGUMENT.CHOICE", f"{argument} must be text, not {formatted(value)}.")
        with self._session.lock:
            self._session.history.name(self._known(state or self._session.history.current).id, name, note)

    def restore(self, state: str, *, progress: Progress = None) -> Solution:
        """Returns to a saved state, by its id or name, as a new revision; it adds no state. Returns its solution.

        Its formulation returns with it. `progress` as for `commit`. Raises EditError `STATE.UNKNOWN`, and `STATE.FORMULATION` for a
        state of another case or of other options, which `branch` opens.
        """
        with self._session.lock:
            return self._session.restore(self._known(state), progress)

    def branch(self, state: str, *, progress: Progress = None) -> Self:
        """An independent Study that begins in a saved state of any formulation, given by its id or name; this one does
        not change.

        `state` as for `restore`, `progress` as for `commit`. Raises EditError `STATE.UNKNOWN`.
        """
        with self._session.lock:
            start = self._start_of(state)
        return type(self)(start(progress))

    def save(self, path: str | os.PathLike[str], *, title: str | None = None) -> Path:
        """Writes the Study with its states, results, plans and activity, and returns the path; `wb.open_study` and JupyterLab open it.

        `title` is the name of the Study, by default that of the case. The name in `path` ends in `.study.json.gz`, or
        in `.study.json` for a file without compression, some eight times as large; in a folder the file is called
        `<id>.study.json.gz`. The file is written completely or not at all: an error leaves an earlier file and the
        Study unchanged. The results of the base case, of the current, recommended, inspected and named states and of
        the 8 latest are stored; others are recomputed on demand. Raises InputError `OUTPUT.UNWRITABLE` (full disk, no
        permission), and `EXPORT.FORMAT` for another name.
        """
        return documents.save(self._session, path, title)

    def save_module(self, path: str | os.PathLike[str]) -> Path:
        """Writes a module of the case with the committed edits and returns the path.

        `wb.open_case` reads it as a new case whose base state is the current state. In a folder the file is called
        `<id>.module.json`. Raises InputError `OUTPUT.UNWRITABLE`, and `EXPORT.FORMAT` for a name that does not end in `.json`.
        """
        return write_module(path, self.case.id, self._edited_module())

    def save_solution(self, path: str | os.PathLike[str]) -> Path:
        """Writes the result and its network as a solution module and returns the path.

        `wb.open_solution` reads it without a solve, bit for bit. In a folder the file is called
        `<id>.solution.json`. Raises InputError `OUTPUT.UNWRITABLE`, and `EXPORT.FORMAT` for a name that does not end in `.json`.
        """
        with self._session.lock:
            self._session.solution()
            with engine_errors():
                text = apart(self._session.native().save_solution_module, self.case.module_json)
        return write_module(path, self.case.id, text, SOLUTION_SUFFIX)

    @overload
    def export(self, path: None = None, format: str | None = None) -> bytes: ...

    @overload
    def export(self, path: str | os.PathLike[str], format: str | None = None) -> Path: ...

    def export(self, path: str | os.PathLike[str] | None = None, format: str | None = None) -> Path | bytes:
        """Exports the case with the committed edits; otherwise as `case.export`."""
        return export_module(self._edited_module(), self.case.id, path, format, stacklevel=2)

    def free(self) -> None:
        """Frees the memory of the engine and closes the maps. Solving, reading the result and saving then raise
        WattbookError `STUDY.FREED`; the edits, `states`, `history` and `plans` remain, and `branch` begins another
        Study in one of the states."""
        self._session.free()

    def __enter__(self) -> Self:
        """`with case.study() as study:` frees the memory of the engine at the end."""
        return self

    def __exit__(self, *_: object) -> None:
        self.free()

    def _edited(
        self,
        changes: GivenChanges,
        mode: EditMode,
        add: Iterable[Added] = (),
        remove: Iterable[ElementName | Added] = (),
        costs: ValueChanges | None = None,
    ) -> Edits:
        """The current edits after a caller's changes; changes of generators prevail over `costs`."""
        self._session.require_engine()
        current = edited(self._session.edits, self.case, generators=costs)
        return edited(current, self.case, *changes, mode, add, remove)

    def _finish_track(self, job: Any) -> Any:
        """The result of a track's job; the engine holds its path."""
        with self._session.lock:
            return job.finish(self._session.native())

    def _edited_module(self) -> str:
        with self._session.lock:
            self._session.require_engine()
            edits = self._session.edits.json()
        with engine_errors() as native:
            return str(apart(native.materialize_module, self.case.module_json, edits))

    def _start_of(self, state: str) -> Start:
        """A saved state, by its id or name, as the start of another Study."""
        return self._session.start_of(self._known(state))

    def _known(self, state: str) -> SavedState:
        found = self._session.history.states.get(state) if isinstance(state, str) else None
        named = [one for one in self._session.history if one.name == state]
        if found is None and len(named) == 1:
            return named[0]
        if found is None:
            what = "names several states: give an id" if named else "is not a state of this Study"
            raise EditError("STATE.UNKNOWN", f"{formatted(state)} {what}; study.states lists them.")
        return found

    def __repr__(self) -> str:
        with self._session.lock:
            return with_warnings(f"<Study {self.case.id}: {study_line(self._session)}>", self.case.warnings)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """The Study itself, which JupyterLab shows with its states and opens without a kernel; other front ends show the HTML."""
        bundle = None if self._session.is_free else documents.shown_bundle(self._session)
        return {} if bundle is None else {"application/vnd.wattbook.study-bundle+json": bundle}

    def _repr_html_(self) -> str:
        return shown(escaped(repr(self))) if self._session.is_free else study_html(self._session)


def _begun(start: Start) -> Study:
    """An independent Study in a saved state."""
    return Study(start())
