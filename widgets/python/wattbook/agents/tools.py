"""The implementation of each tool on a Study of this process."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..edits.added import Branch, body, from_body
from ..edits.edits import KINDS, Edits
from ..errors import EditError, InputError
from ..network import Network
from ..results.sensitivity import Preview
from ..results.solution import Solution
from ..text import words
from .contract import label, limit, rounded
from .desk import Desk, least

if TYPE_CHECKING:
    import pandas as pd

    from ..results.sensitivity import Sensitivity
    from ..study.study import Study

#: Data of an answer, and the fields that may be dropped.
Done = tuple[dict[str, Any], Sequence[str]]
Tool = Callable[[Desk, Mapping[str, Any]], Done]

#: Column of the solution for each quantity, by element kind.
_COLUMNS = {
    "bus": {"demand_mw": "demand_mw", "price": "lmp", "voltage_pu": "vm_pu"},
    "branch": {"loading": "loading", "flow_mw": "p_from_mw", "rating_mw": "rating_mw", "shadow_price": "shadow"},
    "generator": {"output_mw": "p_mw", "capacity_mw": "p_max_mw", "cost": "cost"},
    "link": {
        "flow_mw": "p_from_mw",
        "capacity_mw": "p_max_mw",
        "price_difference": "price_difference",
        "shadow_price": "shadow",
    },
    "storage": {"output_mw": "p_mw", "capacity_mw": "p_discharge_max_mw"},
    "outage": {"loading": "worst_loading"},
    "area": {"demand_mw": "demand_mw", "generation_mw": "generation_mw", "price": "price"},
}


def list_cases(desk: Desk, request: Mapping[str, Any]) -> Done:
    """Live cases of pages, then bundled and opened ones."""
    offset = request.get("offset", 0)
    rows = [row | {"open": True, "available": True} for row in desk.pages.cases()]
    for name, (title, buses) in desk.known().items():
        row = {"case_id": name, "label": label(title), "model": "balanced", "buses": buses}
        damage = desk.damage(name)
        row |= {"open": desk.is_open(name), "displayed": name == desk.displayed, "available": damage is None}
        rows.append(row if damage is None else row | {"reason": damage})
    problem = desk.damage()
    found = {"cases": rows[offset:], "offset": offset, "total": len(rows)}
    return found if problem is None else found | {"catalogue": problem}, ()


def select_case(desk: Desk, request: Mapping[str, Any]) -> Done:
    """Displays a case."""
    study = desk.select(request["case_id"])
    return {"case_id": request["case_id"], "session_id": desk.session_id, "revision": study.revision}, ()


def inspect_case(desk: Desk, request: Mapping[str, Any]) -> Done:
    """The displayed case in a few numbers."""
    study = desk.study(request.get("case_id"))
    case_id, solution = str(desk.displayed), study.solution
    power = words.rating_unit(study.formulation)
    data = {
        "session_id": desk.session_id,
        "case_id": case_id,
        "revision": study.revision,
        "label": label(study.case.name),
        "state": "live",
        "model": "balanced",
        "formulation": study.formulation,
        "units": {"demand": "MW", "rating": power, "flow": "MW", "price": "$/MWh", "objective": "$/h", "voltage": "pu"},
        "solve": {"status": solution.status, "objective_usd_per_h": rounded(solution.objective)},
        "buses": solution.case.n_bus,
        "branches": solution.case.n_branch,
        "prices": _prices(solution),
        "generators": solution.case.n_gen,
        "binding_branches": len(_binding(solution)),
        "proposal": None,
        "changes": _changes(study.edits),
        "result_sha256": solution.sha256,
    }
    staged = desk.proposal(case_id)
    if staged is not None:
        proposal, status = staged
        data["proposal"] = {"proposal_id": proposal.id, "status": status, "base_revision": proposal.base_revision}
    return data, ("result_sha256", "units", "prices")


def query_network(desk: Desk, request: Mapping[str, Any]) -> Done:
    """Elements, outages or areas by id, by name, or the first few by a quantity."""
    study, kind = desk.study(request["case_id"]), request["element_kind"]
    sort_by = request.get("sort_by", "loading" if kind == "outage" else "id")
    solution = study.solution
    frame = _frame(study, solution, kind)
    if sort_by == "generation_mw" and kind == "bus":
        key = _generation(solution).reindex(frame.index).fillna(0.0)
    elif sort_by == "id":
        key = frame.index.to_series()
    elif _COLUMNS[kind].get(sort_by) in frame:
        key = frame[_COLUMNS[kind][sort_by]]
    else:
        raise InputError("QUANTITY.UNAVAILABLE", f"{sort_by} is not available for a {kind} in {study.formulation}.")
    ascending = request.get("direction", "ascending" if sort_by == "id" else "descending") == "ascending"
    if "element_ids" in request:
        wanted = list(dict.fromkeys(_element(study.solution.case, kind, name) for name in request["element_ids"]))
        key = key.reindex(wanted)
    elif sort_by != "id":
        key = key[np.isfinite(key.astype(float))]
    if "search" in request:
        key = key[[request["search"].casefold() in _title(solution.case, kind, name).casefold() for name in key.index]]
    order = key.sort_values(ascending=ascending, kind="stable").index
    rows = [
        _row(study, solution, frame, kind, name, request.get("include") == "components")
        for name in order[: max(least(request.get("limit")), len(request.get("element_ids", ())))]
    ]
    data = {"case_id": request["case_id"], "revision": study.revision, "rows": rows, "matched": len(key)}
    if kind == "branch":
        data["units"] = {"rating_mw": words.rating_unit(study.formulation)}
    return data, ("units",)


def analyze_sensitivity(desk: Desk, request: Mapping[str, Any]) -> Done:
    """The derivative of the prices by a demand or a rating."""
    study, kind = desk.study(request["case_id"]), request["element_kind"]
    with study._session.lock:
        if request.get("expected_revision", study.revision) != study.revision:
            raise EditError("REVISION.STALE", f"The state moved on to revision {study.revision}.")
        if "lmp" not in study.solution._buses:
            raise InputError("FORMULATION.UNAVAILABLE", f"{study.formulation} has no price sensitivities.")
        if "element_id" in request:
            element = _element(study.solution.case, kind, request["element_id"])
            columns = [study.sensitivity(bus=element) if kind == "bus" else study.sensitivity(branch=element)]
        elif kind == "branch":
            columns = [study.sensitivity(branch=line) for line in _binding(study.solution)]
        else:
            raise InputError("INPUT.INVALID", "element_id: name a bus; only lines are ranked.")
        revision = study.revision
    if "element_id" not in request:
        return _ranked(request, study, columns, revision), ()
    (column,) = columns
    values = column.values.dropna()
    largest = values[values.abs().sort_values(ascending=False, kind="stable").index][: least(request.get("limit"))]
    data = {
        "case_id": request["case_id"],
        "revision": revision,
        "element": {"kind": kind, "id": element},
        "units": column.units,
        "kind": column.kind,
        "valid_mw": None if column.valid_mw is None else [rounded(mw) for mw in column.valid_mw],
        "mean_price": rounded(_weighted(values, study.solution)),
        "rows": [
            {"bus_id": int(bus), **_named(study.solution.case, bus), "value": rounded(float(value))}
            for bus, value in largest.items()
        ],
    }
    return data, ()


def focus_network(desk: Desk, request: Mapping[str, Any]) -> Done:
    """Only checks the element, because there is no interface here."""
    study = desk.study(request["case_id"])
    element = _element(study.solution.case, request["element_kind"], request["element_id"])
    shown = {"kind": request["element_kind"], "id": element}
    return {"case_id": request["case_id"], "revision": study.revision, "selected": shown, "interface": "none"}, ()


def preview_case_update(desk: Desk, request: Mapping[str, Any]) -> Done:
    """The effect of an update: cost and prices by the linear estimate, or voltages of a power flow."""

    def preview(study: Study) -> Done:
        edits = _edits(study, request)
        if request.get("formulation", study.formulation) != study.formulation:
            raise InputError(
                "FORMULATION.UNAVAILABLE",
                f"The case is solved as {study.formulation}; a preview changes no formulation.",
            )
        if not _is_named(edits):
            raise InputError("INPUT.INVALID", "Name at least one element.")
        if edits.pop("add") or edits.pop("remove"):
            raise EditError("BRANCH.NO_PREVIEW", "Added and removed elements change the network and have no preview.")
        found = study.preview(**edits)
        data = {
            "case_id": request["case_id"],
            "revision": study.revision,
            "formulation": study.formulation,
            **_predicted(found, study.solution),
        }
        return data, ()

    return desk.at(request["case_id"], request["expected_revision"], preview)


def update_case(desk: Desk, request: Mapping[str, Any]) -> Done:
    """Solves a batch of edits and commits it as one state."""

    def update(study: Study) -> Done:
        edits = _edits(study, request)
        formulation = request.get("formulation", study.formulation)
        if not _is_named(edits) and formulation == study.formulation:
            raise InputError("INPUT.INVALID", "Name at least one element, or another formulation.")
        if formulation != study.formulation and _is_named(edits):
            raise InputError(
                "FORMULATION.UNAVAILABLE", "Change the formulation by itself: here both are one state each."
            )
        before = study.solution
        after = study.switch(formulation) if formulation != study.formulation else study.commit(**edits, progress=False)
        return _committed(request["case_id"], study, before, after)

    return desk.at(request["case_id"], request["expected_revision"], update)


def reset_case(desk: Desk, request: Mapping[str, Any]) -> Done:
    """Returns to the base case."""

    def reset(study: Study) -> Done:
        before = study.solution
        return _committed(request["case_id"], study, before, study.reset())

    return desk.at(request["case_id"], request["expected_revision"], reset)


def propose_capacity_plan(desk: Desk, request: Mapping[str, Any]) -> Done:
    """Searches for rating increases and stages the best as a proposal."""

    def propose(study: Study) -> Done:
        if "lmp" not in study.solution._buses:
            raise InputError("FORMULATION.UNAVAILABLE", f"{study.formulation} has no prices to plan for.")
        if "weights" in request:
            weights = {_element(study.solution.case, "bus", row["bus_id"]): row["weight"] for row in request["weights"]}
        else:
            weights = _demand_weights(study.solution).to_dict()
        if "candidates" in request:
            candidates = [_element(study.solution.case, "branch", name) for name in request["candidates"]]
        else:
            candidates = _binding(study.solution)[: limit("candidates")]
        if not candidates:
            raise InputError("PLAN.SPEC", "No line binds: name candidates.")
        amounts = ("max_increase_per_branch_mw", "budget_mw", "increment_mw", "exact_solve_budget")
        spec = {
            "objective": {
                "kind": "weighted_lmp",
                "weights": [{"bus": bus, "weight": weight} for bus, weight in weights.items()],
            },
            "candidates": candidates,
            "max_changed_lines": request.get("max_changed_lines", len(candidates)),
            **{name: request[name] for name in amounts},
        }
        circuits = [_element(study.solution.case, "branch", name) for name in request.get("circuits", ())]
        plan = study.plan(spec, candidates=[Branch(copy_of=line) for line in circuits] or None, progress=False)
        is_empty = not plan.proposal and not plan.circuits
        staged = None if is_empty else desk.stage(request["case_id"], study.revision, plan.proposal, plan.circuits)
        data = {
            "staged": staged is not None,
            "proposal_id": None if staged is None else staged.id,
            "session_id": desk.session_id,
            "case_id": request["case_id"],
            "base_revision": study.revision,
            "changes": [
                {"branch_id": branch, **_named(study.solution.case, branch, "branch"), "delta_mw": mw}
                for branch, mw in plan.proposal.items()
            ],
            **(
                {
                    "circuits": [
                        {"copy_of": circuit.copy_of, **_named(study.solution.case, circuit.copy_of, "branch")}
                        for circuit in plan.circuits
                    ]
                }
                if circuits
                else {}
            ),
            "weighted_price_before": rounded(plan.baseline_objective),
            "weighted_price_after": rounded(plan.objective),
            "exact_solves": plan.exact_solves,
            "ended": plan.ended,
            "claim": "best verified within the budget",
            "next": "A person has to approve and apply it in the page; nothing applies it here.",
        }
        return data, ()

    return desk.at(request["case_id"], request["expected_revision"], propose)


def apply_capacity_plan(desk: Desk, request: Mapping[str, Any]) -> Done:
    """Always refused: only a person who sees the proposal in the page can approve and apply it."""
    raise InputError(
        "APPLY.REFUSED",
        "A tool server applies no proposal: a person approves and applies it in the page. Nothing changed.",
    )


def solve_multiconductor_pf(desk: Desk, request: Mapping[str, Any]) -> Done:
    """Always refused: the Studies of this server are balanced."""
    desk.at(request["case_id"], request["expected_revision"], lambda study: study)
    raise InputError("FORMULATION.UNAVAILABLE", "The displayed case is balanced: it has no multiconductor power flow.")


TOOLS: Mapping[str, Tool] = {
    tool.__name__: tool
    for tool in (
        *(
            list_cases,
            select_case,
            inspect_case,
            query_network,
            analyze_sensitivity,
            focus_network,
            preview_case_update,
        ),
        *(update_case, reset_case, propose_capacity_plan, apply_capacity_plan, solve_multiconductor_pf),
    )
}


def _element(case: Network, kind: str, name: int | str) -> int:
    if kind == "area":
        area = int(name) if str(name).lstrip("-").isdecimal() else None
        if area is None or area not in set(case._buses["area"]):
            raise InputError("INPUT.INVALID", f"The case has no area {name}.")
        return area
    keys = {
        "bus": case._bus_keys,
        "branch": case._branch_keys,
        "outage": case._branch_keys,
        "generator": case._generator_keys,
        "link": case._link_keys,
        "storage": case._storage_keys,
    }
    return int(keys[kind].target(name))


def _frame(study: Study, solution: Solution, kind: str) -> pd.DataFrame:
    """The quantities that a query sorts and shows, by id."""
    if kind == "outage":
        return study.contingencies(progress=False)
    if kind == "generator":
        return solution._generators
    if kind == "link":
        return solution._links
    if kind == "storage":
        return solution._storage
    if kind == "area":
        return _areas(study, solution)
    return solution._buses if kind == "bus" else solution._branches


def _areas(study: Study, solution: Solution) -> pd.DataFrame:
    """Buses, demand, generation and the demand-weighted mean price, by area."""
    import pandas as pd

    area, buses = study.case._buses["area"], solution._buses
    found = pd.DataFrame(
        {
            "buses": area.groupby(area).size(),
            "demand_mw": buses["demand_mw"].groupby(area).sum(),
            "generation_mw": _generation(solution).reindex(buses.index).fillna(0.0).groupby(area).sum(),
        }
    )
    if "lmp" in buses:
        weights = _demand_weights(solution)
        paid = (weights * buses["lmp"].reindex(weights.index)).groupby(area.reindex(weights.index)).sum()
        found["price"] = paid / weights.groupby(area.reindex(weights.index)).sum()
    return found


def _binding(solution: Solution) -> list[int]:
    """The lines that bind, before outages or after one, the highest shadow price first."""
    shadow = solution._rating_shadows
    if shadow is None:
        return []
    return [int(line) for line in shadow[shadow > 0].sort_values(ascending=False, kind="stable").index]


def _demand_weights(solution: Solution) -> pd.Series:
    """The share of each priced bus in the demand; equal shares where there is no demand."""
    buses = solution._buses[solution._buses["lmp"].notna()]
    demand = buses["demand_mw"].clip(lower=0)
    if demand.sum() <= 0:
        demand = demand * 0 + 1
    return (demand / demand.sum())[demand > 0]


def _weighted(values: pd.Series, solution: Solution) -> float:
    """The demand-weighted mean of values at buses."""
    weights = _demand_weights(solution)
    return float((weights * values.reindex(weights.index).fillna(0.0)).sum())


def _ranked(request: Mapping[str, Any], study: Study, columns: Sequence[Sensitivity], revision: int) -> dict[str, Any]:
    """Binding lines by the derivative of the mean price by their rating."""
    found = sorted(
        (
            (_weighted(column.values, study.solution), line, column)
            for line, column in zip(_binding(study.solution), columns, strict=True)
        ),
        key=lambda row: row[0],
    )
    return {
        "case_id": request["case_id"],
        "revision": revision,
        "units": columns[0].units if columns else "($/MWh)/MW",
        "rows": [
            {
                "branch_id": line,
                **_named(study.solution.case, line, "branch"),
                "mean_price": rounded(change),
                "valid_mw": None if column.valid_mw is None else [rounded(mw) for mw in column.valid_mw],
            }
            for change, line, column in found[: least(request.get("limit"))]
        ],
        "matched": len(found),
        "others": "the rating of a line that does not bind changes no price",
    }


def _title(case: Network, kind: str, name: Any) -> str:
    """The name of an element in the case; for a branch or link those of its ends, for a storage unit, and a generator without a
    name, that of its bus."""
    if kind == "area":
        return str(name)
    if kind == "bus":
        return _text_of(case._buses, name)
    if kind == "generator":
        return _text_of(case._generators, name) or _text_of(case._buses, case._generators.at[name, "bus"])
    if kind == "storage":
        return _text_of(case._buses, case.storage.at[name, "bus"])
    row = (case.links if kind == "link" else case._branches).loc[name]
    ends = [_text_of(case._buses, row[end]) for end in ("from_bus", "to_bus")]
    return (
        " to ".join(end or str(int(row[bus])) for end, bus in zip(ends, ("from_bus", "to_bus"), strict=True))
        if any(ends)
        else ""
    )


def _text_of(frame: pd.DataFrame, name: Any) -> str:
    text = frame["name"].get(name) if "name" in frame else None
    return text if isinstance(text, str) else ""


def _named(case: Network, name: Any, kind: str = "bus") -> dict[str, str]:
    """The label of an element beside its number, where the case has one."""
    title = _title(case, kind, name)
    return {"label": label(title)} if title else {}


def _edits(study: Study, request: Mapping[str, Any]) -> dict[str, Any]:
    """The keyword arguments of `commit`. Raises EditError `DELTA.DUPLICATE` if an element is named twice."""
    case = study.solution.case
    added = from_body(request.get("add", {}))
    remove = list(request.get("remove", ()))
    found: dict[str, Any] = {"mode": request.get("mode", "set"), "add": added, "remove": remove}
    for field, kind in (("demand", "bus"), ("ratings", "branch")):
        changes: dict[int, float] = {}
        for row in request.get(field, ()):
            element = _element(case, kind, row[f"{kind}_id"])
            if element in changes:
                raise EditError("DELTA.DUPLICATE", f"The batch names {kind} {element} twice.")
            changes[element] = row["delta_mw"]
        found[field] = changes
    for table in KINDS:
        values: dict[str, dict[str, Any]] = {}
        for row in request.get(table.argument, ()):
            given = dict(row)
            # The Study resolves the name: it may be that of an element that this batch adds.
            name = str(given.pop(f"{table.element}_id"))
            if name in values:
                raise EditError("DELTA.DUPLICATE", f"The batch names {table.element} {name} twice.")
            values[name] = given
        found[table.argument] = values
    return found


def _changes(edits: Edits) -> list[dict[str, Any]]:
    """The edits of a state, one row for each element."""
    tables = [(kind, getattr(edits, kind.argument)) for kind in KINDS]
    return [
        *({"bus_id": key, "delta_mw": mw} for key, mw in edits.demand.items()),
        *({"branch_id": key, "delta_mw": mw} for key, mw in edits.ratings.items()),
        *({f"{kind.element}_id": key, **values} for kind, table in tables for key, values in table.items()),
        *(
            {"added": table, **row, **({"name": label(row["name"])} if "name" in row else {})}
            for table, rows in body(edits.added).items()
            for row in rows
        ),
    ]


def _is_named(edits: Mapping[str, Any]) -> bool:
    """Whether a batch names an element."""
    return any(part for name, part in edits.items() if name != "mode")


def _committed(case_id: str, study: Study, before: Solution, after: Solution) -> Done:
    data: dict[str, Any] = {
        "committed": True,
        "case_id": case_id,
        "revision": study.revision,
        "formulation": study.formulation,
        "status": after.status,
        "objective_usd_per_h": rounded(after.objective),
        "result_sha256": after.sha256,
        "prices": [],
    }
    if before.objective is not None and after.objective is not None:
        data["objective_change_usd_per_h"] = rounded(after.objective - before.objective)
    if "lmp" in before._buses and "lmp" in after._buses:
        data["mean_price"] = rounded(_weighted(after._buses["lmp"], after))
        data["mean_price_before"] = rounded(_weighted(before._buses["lmp"], before))
        data["prices"] = _changed_rows(after.case, after._buses["lmp"] - before._buses["lmp"], before._buses["lmp"])
    return data, ("prices", "result_sha256")


def _predicted(found: Preview, solution: Solution) -> dict[str, Any]:
    """The prices of a preview. Previews of a power flow have no interval, and nothing of them is called exact."""
    if found.buses is not None:
        return {"voltages": _changed_rows(solution.case, found.buses["vm_pu"], solution._buses["vm_pu"])}
    return {
        "objective_change_usd_per_h": rounded(found.objective_delta),
        "exact": found.exact,
        "valid_step": None if found.valid_step is None else [rounded(part) for part in found.valid_step],
        "mean_price_change": None if found.prices is None else rounded(_weighted(found.prices, solution)),
        "prices": [] if found.prices is None else _changed_rows(solution.case, found.prices, solution._buses["lmp"]),
    }


def _changed_rows(case: Network, change: pd.Series, before: pd.Series) -> list[dict[str, Any]]:
    """The buses whose values change most."""
    moved = change.dropna()
    moved = moved[moved != 0]
    order = moved.abs().sort_values(ascending=False, kind="stable").index[: least(None)]
    return [
        {
            "bus_id": int(bus),
            **_named(case, bus),
            "before": rounded(float(before[bus])),
            "change": rounded(float(moved[bus])),
        }
        for bus in order
    ]


def _prices(solution: Solution) -> Any:
    if "lmp" not in solution._buses:
        return "unavailable in this formulation"
    prices = solution._buses["lmp"].dropna()
    at = {"lowest": prices.idxmin(), "highest": prices.idxmax()}
    ends = {
        name: {"bus_id": int(bus), **_named(solution.case, bus), "price": rounded(float(prices[bus]))}
        for name, bus in at.items()
    }
    return {"mean": rounded(_weighted(solution._buses["lmp"], solution)), **ends}


def _generation(solution: Solution) -> pd.Series:
    return solution._generators.groupby("bus")["p_mw"].sum()


def _row(
    study: Study, solution: Solution, frame: pd.DataFrame, kind: str, name: Any, components: bool
) -> dict[str, Any]:
    row = frame.loc[name]
    found: dict[str, Any] = {"id": int(name), **({} if kind == "area" else _named(solution.case, name, kind))}
    if kind == "bus":
        found["base_kv"] = rounded(float(row["base_kv"]))
        found["generation_mw"] = rounded(float(_generation(solution).get(name, 0.0)))
    elif kind in ("generator", "storage"):
        found["bus_id"] = int(row["bus"])
    elif kind == "area":
        found["buses"] = int(row["buses"])
    else:
        found |= {"from": int(row["from_bus"]), "to": int(row["to_bus"])}
    if kind == "outage":
        found |= _outage(solution.case, row)
    elif kind == "bus" and components and "lmp" in frame:
        found["components"] = _parts(study, name)
    for quantity, column in _COLUMNS[kind].items():
        if column in frame and math.isfinite(row[column]):
            found[quantity] = rounded(float(row[column]))
    if found.get("shadow_price") == 0:
        del found["shadow_price"]
    if kind == "generator" and isinstance(row["energy_source"], str):
        found["energy_source"] = label(row["energy_source"])
    if "in_service" in frame and not row["in_service"]:
        found["in_service"] = False
    return found


def _outage(case: Network, row: pd.Series) -> dict[str, Any]:
    """The effect of an outage: the most loaded branch after it, or the part that it cuts off."""
    if row["kind"] == "islanding":
        cut_off = {name: rounded(float(row[name])) for name in ("demand_cut_off_mw", "generation_cut_off_mw")}
        return {"splits": True, "buses_cut_off": len(row["buses_cut_off"]), **cut_off}
    if row["kind"] == "not_converged":
        return {"power_flow": False}
    worst = int(row["worst_branch"])
    return {
        "worst": {"branch_id": worst, **_named(case, worst, "branch")},
        "loading_before": rounded(float(row["worst_base_loading"])),
        "new_overloads": int(row["new_overloads"]),
    }


def _parts(study: Study, bus: Any) -> dict[str, Any]:
    """Energy, and the lines with the largest shares of the congestion."""
    parts = study.lmp_components(int(bus))
    shares = parts.congestion["value"]
    return {
        "energy": rounded(float(parts.energy)),
        "congestion": rounded(float(shares.sum())),
        "by_line": [{"branch_id": int(line), "share": rounded(float(share))} for line, share in shares.head(3).items()],
    }
