"""Solutions: the optimum or power flow of one state of a Study, also as GeoJSON."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ..arguments import one_of
from ..edits.edits import Edits
from ..errors import Diagnostic, InputError, read_diagnostics
from ..files import files
from ..quantities_generated import FULL_LOADING, VOLTAGE_TOLERANCE_PU
from ..tables.rows import Columns
from ..text import words
from ..text.html import escaped, isolated, notes, paragraph, shown, table, warnings_lines
from ..text.words import certificate_lines

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from ..network import Network

#: Number of rows in the small tables.
_TOP = 5


class Iteration(NamedTuple):
    """One iteration of the solver: dual objective in $/h, largest remaining violation in MW."""

    iteration: int
    objective: float
    residual: float


class Solution:
    """The optimum or power flow of one state; immutable.

    `status` is `"optimal"` (dcopf, socwr) or `"feasible"` (acpf), `objective` the cost in $/h (None for acpf),
    `certificate` the residuals of the optimality conditions or, for a power flow, the mismatches, in physical units,
    `diagnostics` the solver's warnings (the reader's are in `case.warnings`), `iterations` the solver's progress (empty
    if no iteration was needed), `solve_ms` the wall time of the native solve in ms, `sha256` the result hash, which is
    the same on every platform.

    For acpf `power_flow` says how it was solved: the `start` that led to it, `steps` of Newton's method, `dispatch` and `slack` rule,
    `losses_mw` (MW), whether reactive limits were enforced (`reactive_limits`, `limited_buses`, `reactive_violations` in MVAr); `slack`
    is a Series of MW added to the schedule, by the bus that balances an island. Both are None for optima, as is `dc_convention` for acpf.
    `buses`, `branches`, `generators`, `links`, `storage` are DataFrames by original id with `df.attrs["units"]`.
    """

    def __init__(
        self,
        network: Network,
        body: Mapping[str, Any],
        columns: Columns,
        *,
        iterations: Sequence[Mapping[str, Any]] = (),
        solve_ms: float | None = None,
        edits: Edits | None = None,
    ) -> None:
        """`edits` are those of the state, for the tables of elements."""
        self._network = network
        self._columns = columns
        self._edits = edits or Edits()
        self.formulation: str = body["formulation"]
        self.dc_convention: str | None = body.get("dc_convention")
        self.status: str = body["status"]
        self.objective: float | None = body.get("objective")
        report = body.get("power_flow")
        self.power_flow: Mapping[str, Any] | None = None if report is None else MappingProxyType(dict(report))
        self._slack: Sequence[Mapping[str, Any]] | None = body.get("slack")
        self._security: Mapping[str, Any] | None = body.get("security")
        self.certificate: Mapping[str, Any] = MappingProxyType(dict(body["certificate"]))
        self.diagnostics: tuple[Diagnostic, ...] = read_diagnostics(body.get("diagnostics"))
        self.iterations: tuple[Iteration, ...] = tuple(
            Iteration(row["iteration"], row["objective"], row["residual"]) for row in iterations
        )
        self.solve_ms: float | None = solve_ms
        self.sha256: str = body["result_sha256"]

    def to_geojson(self) -> str:
        """Buses, branches, HVDC links and storage units as GeoJSON text (RFC 7946, degrees): points and lines with the columns of `buses`, `branches` and
        `links` as properties, their numbers as `bus`, `branch` and `link`. Branches follow their routes where the case has them. Missing and infinite values are null.

        Raises InputError `INPUT.GEO_EMPTY` without positions.
        """
        return json.dumps(self._geojson(("bus", "branch", "link", "storage")), ensure_ascii=False, allow_nan=False)

    def save_geojson(self, path: str | os.PathLike[str]) -> Path:
        """Writes `to_geojson()` and returns the path; in a folder the file is called `<case id>.results.geojson`.

        Raises InputError `INPUT.GEO_EMPTY`, `OUTPUT.UNWRITABLE`.
        """
        return files.write(files.target(path, self._network.id, ".results.geojson"), self.to_geojson().encode())

    def to_geodataframe(self, element: Kind = "bus") -> Any:
        """The table of buses, branches, HVDC links or storage units as a `geopandas.GeoDataFrame` of points or lines, in degrees (EPSG:4326). Needs geopandas.

        Raises InputError `INPUT.GEO_EMPTY` without positions, `OUTPUT.GEOPANDAS` without geopandas, ArgumentError for another element.
        """
        one_of("element", element, ("bus", "branch", "link", "storage"))
        return geodataframe(self._geojson((element,)), element)

    def _geojson(self, kinds: Sequence[Kind]) -> dict[str, Any]:
        has_positions = self._network._view is not None
        routes = self._network._rows.routes() if has_positions else [None] * len(self._branches)
        return geojson(self._buses, self._branches, self._links, self._storage, routes, kinds)

    @property
    def case(self) -> Network:
        """The case that was solved, without the methods that solve it."""
        return self._network

    @property
    def slack(self) -> pd.Series | None:
        """MW added to the schedule by the bus that balances an island, itself or with all generators; None for optima."""
        from ..tables.solutions import by_id

        return None if self._slack is None else by_id(self._slack, "slack_mw", "MW")

    @property
    def buses(self) -> pd.DataFrame:
        """Index `bus`; columns `name`, `base_kv` (kV), `area`, `zone`, `longitude`, `latitude` as in `case.buses`, `demand_mw` (MW, with the edits), `lmp` ($/MWh, dcopf), `va_deg` (degrees);
        for acpf `demand_mvar` (MVAr), `vm_pu` (voltage magnitude) with its limits `vm_min_pu` and `vm_max_pu` (per unit), and the
        injections `p_mw` (MW) and `q_mvar` (MVAr), generation minus demand; `editable` (False at the star points of three-winding transformers, which are not in the source).
        For socwr `lmp`, `lmp_q` ($/MVArh, reactive power), and `lmp` split into `lmp_energy`, `lmp_losses`, `lmp_congestion` and
        `lmp_voltage` (voltage limits), with respect to the slack whose weights are `slack_weight`; `demand_mvar`, `vm_pu` and its
        limits. With limits after outages or of interfaces `lmp_without_security` ($/MWh, the price without them) and `lmp_security`, what they add."""
        return self._buses.copy()

    @cached_property
    def _buses(self) -> pd.DataFrame:
        from ..tables.solutions import solution_buses

        return solution_buses(self._network._rows.buses, self._network._parameters, self._columns)

    @property
    def branches(self) -> pd.DataFrame:
        """Index `branch`; columns `name`, `from_bus`, `to_bus`, `rating_mw` (MW, for acpf and socwr MVA; with the edits), `rating_is_fallback` (no rating in
        the source), `rating_assumed` (it is then assumed; infinite without impedance and where options leave assumed ratings out), `p_from_mw`, `p_to_mw` (MW into the branch), for acpf `q_from_mvar`, `q_to_mvar`
        (MVAr), `loading` (fraction of the rating, for acpf of the larger apparent power), `shadow` (shadow price, $/MWh, dcopf; a line
        binds if it is above 0), `in_service` (with the edits),
        `editable` (False for the arms of three-winding transformers). For socwr as for acpf, with `shadow` in $/MVAh, the voltage
        products `product_real` and `product_imag` (per unit squared), and `cone_gap`, zero where the relaxation is exact."""
        return self._branches.copy()

    @cached_property
    def _branches(self) -> pd.DataFrame:
        from ..tables.solutions import solution_branches

        return solution_branches(self._network._rows.branches, self._columns, self._edits.branches)

    @property
    def generators(self) -> pd.DataFrame:
        """Index `generator`; columns `bus` with its `bus_name`, `area` and `zone`, `energy_source` (missing where the source has none),
        `p_mw`, `p_min_mw`, `p_max_mw` (MW, with the edits), `cost` (marginal cost at the output, $/MWh), `in_service`, for acpf and socwr
        `q_mvar` with its limits `q_min_mvar` and `q_max_mvar` (MVAr), for dcopf and socwr `limit_shadow` ($/MWh): the
        shadow price of the binding limit, Pmin or Pmax, 0 if neither binds."""
        return self._generators.copy()

    @cached_property
    def _generators(self) -> pd.DataFrame:
        from ..tables.solutions import solution_generators

        rows = self._network._rows.generators
        return solution_generators(self._network.generators, rows, self._columns, self._edits.generators)

    @property
    def links(self) -> pd.DataFrame:
        """HVDC links, index `link`; columns `from_bus`, `to_bus`, `p_from_mw` (taken at the from end) and `p_to_mw` (delivered at the to end, MW; both negative
        in reverse, NaN out of service), for acpf and socwr `q_from_mvar` and `q_to_mvar` (injected by its converters, MVAr), with prices `price_difference` (LMP at the to end less that at the from end, $/MWh), `shadow` (shadow price of the limit
        that the link is at, $/MWh, 0 at none) and `rent` (what the delivered power is worth more than the power taken, $/h), `p_min_mw`, `p_max_mw` (a negative limit holds at the to end), `in_service`."""
        return self._links.copy()

    @cached_property
    def _links(self) -> pd.DataFrame:
        from ..tables.solutions import solution_links

        return solution_links(self._network._rows.links, self._columns, self._edits.links)

    @property
    def storage(self) -> pd.DataFrame:
        """Storage units, index `storage`; columns `bus`, `p_mw` (injected, MW: positive while the unit discharges, negative while it charges, NaN out of service), for acpf
        and socwr `q_mvar` (injected, MVAr), `charges_below` and `discharges_above` (prices at its bus below which it gains by charging and above which
        by discharging, $/MWh; NaN without an energy value), for dcopf and socwr `lmp` (price at its bus, $/MWh), `p_charge_max_mw`,
        `p_discharge_max_mw` (MW), `energy_mwh` (MWh), `energy_value` ($/MWh; all with the edits), `in_service`."""
        return self._storage.copy()

    @cached_property
    def _storage(self) -> pd.DataFrame:
        from ..tables.solutions import solution_storage

        prices = self._buses.get("lmp")
        return solution_storage(self._network._rows.storage, self._columns, prices, self._edits.storage)

    @property
    def security(self) -> Mapping[str, Any] | None:
        """What the options `security`, `limits` and `soft` of dcopf secured, None without them: the number of `outages` and of `monitored` branches, outages left out
        because they split an island (`splitting`), without an effect (`without_effect`; lists of branch ids) or of generators that none replaces (`generators_left_out`),
        limits that no dispatch holds and that are therefore `raised`, the rule of `emergency` ratings,
        `penalty_usd_per_mwh`, `base_penalty_usd_per_mwh` and `interface_penalty_usd_per_mwh` ($/MWh), the objective without limits after outages and of interfaces (`objective_without`, $/h), the cost of these limits without the payments for exceeded ones (`cost_usd_per_h`, $/h), the part of the objective that pays for exceeded limits (`penalties_usd_per_h`),
        the sum of the excesses (`excess_mw`, MW), and `worst_violation_mw` (MW) over all pairs of a branch and an outage, from the last of `rounds` screenings."""
        if self._security is None:
            return None
        return MappingProxyType(
            {name: value for name, value in self._security.items() if name not in ("binding", "interfaces")}
        )

    @property
    def contingencies(self) -> pd.DataFrame:
        """Limits after outages, and ratings that may be exceeded, with a shadow price or an excess: index `branch`; columns `name`, `outage` and
        `generators_out` (tuples of the ids of branches and generators out of service, both empty before outages), `flow_mw` at the from end, `limit_mw`,
        `excess_mw` (MW, shared by all outages of the branch) and `shadow` ($/MWh). `outage_name` follows where the outages have names, and `twin` where a parallel
        branch has the same limit after the outage of this one. Empty without the options `security` and `soft`."""
        from ..tables.solutions import binding_limits

        return binding_limits(self._network._rows.branches, (self._security or {}).get("binding", ()))

    @cached_property
    def _rating_shadows(self) -> pd.Series | None:
        """The shadow prices of the limits that follow the rating of each branch, $/MWh: of the rating itself, and after outages. None where the formulation has none."""
        if "shadow" not in self._branches:
            return None
        shadows = self._branches["shadow"]
        if not (self._security or {}).get("binding"):
            return shadows
        limits = self.contingencies
        # That of a rating before outages is in the column.
        after = limits["shadow"][limits["outage"].map(bool) | limits["generators_out"].map(bool)]
        return shadows.add(after.groupby(level=0).sum(), fill_value=0.0).reindex(shadows.index)

    @property
    def interfaces(self) -> pd.DataFrame:
        """The interfaces of the option `limits` by their names: columns `flow_mw` (the sum of the weighted flows, after the outage where an interface has one),
        `min_mw` and `max_mw` (NaN where unlimited), `excess_mw` (MW) and `shadow` ($/MWh, positive at the upper limit, negative at the lower one). Empty without the option."""
        from ..tables.solutions import interface_flows

        return interface_flows((self._security or {}).get("interfaces", ()))

    def aggregate(self, by: str = "area") -> pd.DataFrame:
        """Sums by `by`: "area", "zone" or "base_kv". Columns `buses` (their number), `demand_mw`, `generation_mw`,
        `capacity_mw` (Pmax of units in service), `net_export_mw` (generation minus demand, MW), and where there are
        prices `lmp` (weighted by demand, where negative demand has zero weight), `lmp_min`, `lmp_max` ($/MWh). Buses
        without an area or zone are excluded; raises ArgumentError for another `by`."""
        from ..tables.solutions import GROUPS, grouped

        return grouped(self._buses, self._generators, self._network._rows.buses, one_of("by", by, GROUPS))

    def __getstate__(self) -> dict[str, Any]:
        """State for pickling: everything but the tables, which are rebuilt on demand."""
        state = {
            name: value
            for name, value in self.__dict__.items()
            if name not in ("_buses", "_branches", "_generators", "_links", "_storage", "_rating_shadows")
        }
        report = None if self.power_flow is None else dict(self.power_flow)
        return {**state, "certificate": dict(self.certificate), "power_flow": report}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        report = state["power_flow"]
        frozen = None if report is None else MappingProxyType(report)
        self.__dict__.update(state, certificate=MappingProxyType(state["certificate"]), power_flow=frozen)

    def __repr__(self) -> str:
        from ..text.html import with_warnings

        return with_warnings(f"<Solution {self._network.id}: {solution_line(self)}>", self._network.warnings)

    def _repr_html_(self) -> str:

        return solution_html(self)


def solution_line(solution: Solution) -> str:
    """`optimal, 452,945.86 $/h, prices 28.41 to 53.97 $/MWh, 3 lines bind`, or of a power flow
    `feasible, voltages 0.982 to 1.050 pu, losses 12.4 MW, line 17 at 84 %`."""
    if solution.power_flow is not None:
        return _power_flow_line(solution, solution.power_flow)
    lmp = solution._buses["lmp"]
    low, high = words.price(lmp.min()), words.price(lmp.max())
    prices = f"one price, {low}" if low == high else f"prices {low} to {high}"
    return f"{solution.status}, {words.price(solution.objective or 0.0)} $/h, {prices} $/MWh, {binding_text(solution)}"


def _power_flow_line(solution: Solution, report: Mapping[str, Any]) -> str:
    magnitude = solution._buses["vm_pu"]
    low, high = solution._buses["vm_min_pu"], solution._buses["vm_max_pu"]
    outside = int((magnitude < low - VOLTAGE_TOLERANCE_PU).sum() + (magnitude > high + VOLTAGE_TOLERANCE_PU).sum())
    limits = f" ({words.count(outside, 'bus')} outside the limits)" if outside else ""
    loading = solution._branches["loading"].dropna()
    nearest = f", line {loading.idxmax()} at {words.percent(loading.max())}" if len(loading) else ""
    if nearest and solution._branches["rating_assumed"][loading.idxmax()]:
        nearest += " of an assumed rating"
    dispatch = ", dispatch of the DC OPF" if report["dispatch"] == "dcopf" else ""
    return (
        f"{solution.status}{dispatch}, voltages {magnitude.min():.3f} to {magnitude.max():.3f} pu{limits}, "
        f"losses {words.mw(report['losses_mw'])} MW{nearest}"
    )


def binding_text(solution: Solution) -> str:
    """The number of binding lines (shadow price above 0); if there are none, the most loaded line with a rating in the source."""
    branches = solution._branches
    binding = int((branches["shadow"] > 0).sum())
    secured = _secured_text(solution)
    if binding:
        return f"{words.count(binding, 'line')} {'binds' if binding == 1 else 'bind'}{secured}"
    if secured:
        return f"no line binds{secured}"
    loaded = branches.dropna(subset=["loading"])
    if loaded.empty:
        return "no line binds"
    loading = loaded["loading"][~loaded["rating_is_fallback"]]
    if loading.empty:
        return "no line binds, no line has a rating in the source"
    nearest = loading.idxmax()
    if loading[nearest] >= FULL_LOADING:
        return f"no line binds, line {nearest} is at its limit with zero shadow price"
    return f"no line binds, the nearest is line {nearest} at {words.percent(loading[nearest])}"


def _secured_text(solution: Solution) -> str:
    """`, 3 limits after outages bind, 12.5 MW above limits`; empty where security has no effect."""
    if solution._security is None:
        return ""
    limits = solution._security["binding"]
    priced = [limit for limit in limits if limit["shadow_usd_per_mwh"] > 0]
    after = sum(1 for limit in priced if limit["outage"] or limit.get("generators_out"))
    text = f", {words.count(after, 'limit')} after outages {'binds' if after == 1 else 'bind'}" if after else ""
    interfaces = sum(1 for row in solution._security.get("interfaces", ()) if row["shadow_usd_per_mwh"])
    text += f", {words.count(interfaces, 'interface')} {'binds' if interfaces == 1 else 'bind'}" if interfaces else ""
    excess = solution._security["excess_mw"]
    return text + (f", {words.mw(excess)} MW above limits" if excess > 1e-6 else "")


def _rating(mw: float, is_assumed: bool) -> str:
    if not math.isfinite(mw):
        return "none"
    return words.mw(mw) + (" (assumed)" if is_assumed else "")


def solution_html(solution: Solution) -> str:
    """Summary, lowest and highest LMP or voltage, most loaded lines, certificate."""
    # Binding lines are all loaded to 100 %: highest shadow price first.
    loaded = solution._branches.dropna(subset=["loading"])
    priced = "shadow" in loaded
    order = ["shadow", "loading"] if priced else ["loading"]
    branches = loaded.sort_values(order, ascending=False, kind="stable").head(_TOP)
    lines = [
        (
            f"Line {ident} ({row.from_bus} to {row.to_bus})",
            words.mw(row.p_from_mw),
            _rating(row.rating_mw, row.rating_assumed),
            words.percent(row.loading),
            *((words.price(row.shadow),) if priced else ()),
        )
        for ident, row in zip(branches.index, branches.itertuples(index=False), strict=True)
    ]
    written: Callable[[float], str]
    name, title_of, written = (
        ("lmp", "LMP", lambda value: f"{words.price(value)} $/MWh")
        if priced
        else ("vm_pu", "voltage", lambda value: f"{value:.4f} pu")
    )
    values = solution._buses[name].dropna()
    extremes = [
        (f"{title} {title_of}: bus {bus}", written(values[bus]))
        for title, bus in (("Lowest", values.idxmin()), ("Highest", values.idxmax()))
    ]
    unit = solution._branches.attrs["units"]["rating_mw"]
    head: tuple[str, ...] = ("Most loaded", "MW", "Rating" if priced else f"Rating, {unit}", "Loading")
    head += ("Shadow price, $/MWh",) if priced else ()
    checked = " ".join(certificate_lines(solution.certificate, solution.power_flow, solution._slack))
    remarks = notes([str(note) for note in solution.diagnostics] + warnings_lines(solution.case.warnings))
    return shown(
        f"<p><b>{isolated(solution.case.name, solution.case.name)}</b>: {escaped(solution_line(solution))}</p>"
        f"{table((), extremes)}{table(head, lines)}"
        f"{paragraph(checked)}{remarks}"
    )


Kind = Literal["bus", "branch", "link", "storage"]


def geojson(
    buses: pd.DataFrame,
    branches: pd.DataFrame,
    links: pd.DataFrame,
    storage: pd.DataFrame,
    routes: Sequence[np.ndarray | None],
    kinds: Sequence[Kind],
) -> dict[str, Any]:
    """A FeatureCollection (RFC 7946) of points and lines, from the tables of a solution and the vertices of each
    branch; `geometry` is null if a position is missing. Links are straight, and
    storage units are at their buses.

    Raises InputError `INPUT.GEO_EMPTY` if no bus has a position.
    """
    places = list(zip(buses["longitude"].tolist(), buses["latitude"].tolist(), strict=True))
    if not any(map(_is_known, places)):
        raise InputError("INPUT.GEO_EMPTY", "The case has no positions.")
    features: list[dict[str, Any]] = []
    if "bus" in kinds:
        points = ({"type": "Point", "coordinates": list(place)} if _is_known(place) else None for place in places)
        features += _features("bus", buses.drop(columns=["longitude", "latitude"]), points)
    at = dict(zip(buses.index.tolist(), places, strict=True))
    if "branch" in kinds:
        features += _features("branch", branches, _lines(branches, routes, at))
    if "link" in kinds:
        features += _features("link", links, _lines(links, [None] * len(links), at))
    if "storage" in kinds:
        ends = (at[bus] for bus in storage["bus"].tolist())
        points = ({"type": "Point", "coordinates": list(place)} if _is_known(place) else None for place in ends)
        features += _features("storage", storage, points)
    return {"type": "FeatureCollection", "features": features}


def _lines(
    branches: pd.DataFrame, routes: Sequence[np.ndarray | None], at: Mapping[int, Sequence[float]]
) -> Iterator[dict[str, Any] | None]:
    ends = zip(branches["from_bus"].tolist(), branches["to_bus"].tolist(), strict=True)
    for (start, end), route in zip(ends, routes, strict=True):
        corners = [at[start], at[end]] if route is None or not len(route) else route.tolist()
        known = all(map(_is_known, corners))
        yield {"type": "LineString", "coordinates": [list(corner) for corner in corners]} if known else None


def _features(kind: Kind, frame: pd.DataFrame, geometries: Iterator[dict[str, Any] | None]) -> list[dict[str, Any]]:
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    numbers = frame.index.tolist()
    return [
        {
            "type": "Feature",
            "id": f"{kind} {number}",
            "geometry": geometry,
            "properties": {kind: number, **{name: _plain(value) for name, value in row.items()}},
        }
        for number, row, geometry in zip(numbers, rows, geometries, strict=True)
    ]


def _plain(value: Any) -> Any:
    """A value for JSON, which has no infinity and no NaN."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _is_known(place: Sequence[float]) -> bool:
    return all(map(math.isfinite, place))


def geodataframe(collection: Mapping[str, Any], element: Kind) -> Any:
    """A `geopandas.GeoDataFrame` of a FeatureCollection of one element, by number.

    Raises InputError `OUTPUT.GEOPANDAS` without geopandas.
    """
    try:
        import geopandas
    except ImportError:
        raise InputError("OUTPUT.GEOPANDAS", "geopandas is not installed: pip install geopandas.") from None
    return geopandas.GeoDataFrame.from_features(collection["features"], crs=4326).set_index(element)
