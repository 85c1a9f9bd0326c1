"""What each tool does with a Study of this process."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..case.case import Case
from ..errors import EditError, InputError
from ..results.preview import Preview
from ..results.solution import Solution
from ..text import words
from .answers import label, rounded
from .desk import Desk, least

if TYPE_CHECKING:
    import pandas as pd

    from ..study.study import Study

#: Data of an answer, and the fields that may be left out.
Done = tuple[dict[str, Any], Sequence[str]]
Tool = Callable[[Desk, Mapping[str, Any]], Done]

#: Quantities by kind of element: the column of the solution that has them.
_COLUMNS = {
    "bus": {"demand_mw": "demand_mw", "price": "lmp", "voltage_pu": "vm_pu"},
    "branch": {"loading": "loading", "flow_mw": "p_from_mw", "rating_mw": "rating_mw"},
}


def list_cases(desk: Desk, asked: Mapping[str, Any]) -> Done:
    """Live cases of pages, then bundled and opened ones."""
    offset = asked.get("offset", 0)
    rows = [row | {"open": True, "available": True} for row in desk.pages.cases()]
    for name, (title, buses) in desk.known().items():
        row = {"case_id": name, "label": label(title), "model": "balanced", "buses": buses}
        rows.append(row | {"open": desk.is_open(name), "displayed": name == desk.displayed, "available": True})
    return {"cases": rows[offset:], "offset": offset, "total": len(rows)}, ()


def select_case(desk: Desk, asked: Mapping[str, Any]) -> Done:
    """Displays a case."""
    study = desk.select(asked["case_id"])
    return {"case_id": asked["case_id"], "session_id": desk.session_id, "revision": study.revision}, ()


def inspect_case(desk: Desk, asked: Mapping[str, Any]) -> Done:
    """The displayed case in few numbers."""
    study = desk.study(asked.get("case_id"))
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
        "buses": study.case.n_bus,
        "branches": study.case.n_branch,
        "prices": _prices(solution),
        "proposal": None,
        "changes": [{"bus_id": key, "delta_mw": mw} for key, mw in study.demand.items()]
        + [{"branch_id": key, "delta_mw": mw} for key, mw in study.ratings.items()],
        "result_sha256": solution.sha256,
    }
    staged = desk.proposal(case_id)
    if staged is not None:
        proposal, status = staged
        data["proposal"] = {"proposal_id": proposal.id, "status": status, "base_revision": proposal.base_revision}
    return data, ("result_sha256", "units", "prices")


def query_network(desk: Desk, asked: Mapping[str, Any]) -> Done:
    """Buses or branches by id, or the first few by a quantity."""
    study, kind, sort_by = desk.study(asked["case_id"]), asked["element_kind"], asked.get("sort_by", "id")
    solution = study.solution
    frame = solution._buses if kind == "bus" else solution._branches
    if sort_by == "generation_mw" and kind == "bus":
        key = _generation(solution).reindex(frame.index).fillna(0.0)
    elif sort_by == "id":
        key = frame.index.to_series()
    elif _COLUMNS[kind].get(sort_by) in frame:
        key = frame[_COLUMNS[kind][sort_by]]
    else:
        raise InputError("QUANTITY.UNAVAILABLE", f"{sort_by} is not available for a {kind} in {study.formulation}.")
    ascending = asked.get("direction", "ascending" if sort_by == "id" else "descending") == "ascending"
    if "element_ids" in asked:
        wanted = list(dict.fromkeys(_element(study.case, kind, name) for name in asked["element_ids"]))
        key = key.reindex(wanted)
    else:
        key = key[np.isfinite(key)]
    order = key.sort_values(ascending=ascending, kind="stable").index
    rows = [
        _row(study, solution, kind, name)
        for name in order[: max(least(asked.get("limit")), len(asked.get("element_ids", ())))]
    ]
    data = {"case_id": asked["case_id"], "revision": study.revision, "rows": rows, "matched": len(key)}
    if kind == "branch":
        data["units"] = {"rating_mw": words.rating_unit(study.formulation)}
    return data, ("units",)


def analyze_sensitivity(desk: Desk, asked: Mapping[str, Any]) -> Done:
    """The derivative of the prices by a demand or a rating."""
    study, kind = desk.study(asked["case_id"]), asked["element_kind"]
    with study._lock:
        if asked.get("expected_revision", study.revision) != study.revision:
            raise EditError("REVISION.STALE", f"The state moved on to revision {study.revision}.")
        if "lmp" not in study.solution._buses:
            raise InputError("FORMULATION.UNAVAILABLE", f"{study.formulation} has no price sensitivities.")
        element = _element(study.case, kind, asked["element_id"])
        column = study.sensitivity(bus=element) if kind == "bus" else study.sensitivity(branch=element)
        revision = study.revision
    values = column.values.dropna()
    largest = values[values.abs().sort_values(ascending=False, kind="stable").index][: least(asked.get("limit"))]
    data = {
        "case_id": asked["case_id"],
        "revision": revision,
        "element": {"kind": kind, "id": element},
        "units": column.units,
        "kind": column.kind,
        "valid_mw": None if column.valid_mw is None else [rounded(mw) for mw in column.valid_mw],
        "rows": [{"bus_id": int(bus), "value": rounded(float(value))} for bus, value in largest.items()],
    }
    return data, ()


def focus_network(desk: Desk, asked: Mapping[str, Any]) -> Done:
    """There is no interface here; the element is only checked."""
    study = desk.study(asked["case_id"])
    element = _element(study.case, asked["element_kind"], asked["element_id"])
    shown = {"kind": asked["element_kind"], "id": element}
    return {"case_id": asked["case_id"], "revision": study.revision, "selected": shown, "interface": "none"}, ()


def preview_case_update(desk: Desk, asked: Mapping[str, Any]) -> Done:
    """What an update would do: cost and prices by the linear estimate, or voltages of a power flow."""

    def preview(study: Study) -> Done:
        edits = _edits(study.case, asked)
        if asked.get("formulation", study.formulation) != study.formulation:
            raise InputError("FORMULATION.UNAVAILABLE", "A preview changes no formulation.")
        if not edits["demand"] and not edits["ratings"]:
            raise InputError("INPUT.INVALID", "Name at least one demand or rating.")
        found = study.preview(**edits)
        data = {
            "case_id": asked["case_id"],
            "revision": study.revision,
            "formulation": study.formulation,
            **_foretold(found, study.solution),
        }
        return data, ()

    return desk.at(asked["case_id"], asked["expected_revision"], preview)


def update_case(desk: Desk, asked: Mapping[str, Any]) -> Done:
    """Solves a batch of edits and commits it as one state."""

    def update(study: Study) -> Done:
        edits = _edits(study.case, asked)
        formulation = asked.get("formulation", study.formulation)
        if not edits["demand"] and not edits["ratings"] and formulation == study.formulation:
            raise InputError("INPUT.INVALID", "Name at least one demand or rating, or another formulation.")
        if formulation != study.formulation and (edits["demand"] or edits["ratings"]):
            raise InputError(
                "FORMULATION.UNAVAILABLE", "Change the formulation by itself: here both are one state each."
            )
        before = study.solution
        after = study.switch(formulation) if formulation != study.formulation else study.commit(**edits, progress=False)
        return _committed(asked["case_id"], study, before, after)

    return desk.at(asked["case_id"], asked["expected_revision"], update)


def reset_case(desk: Desk, asked: Mapping[str, Any]) -> Done:
    """Back to the base case."""

    def reset(study: Study) -> Done:
        before = study.solution
        return _committed(asked["case_id"], study, before, study.reset())

    return desk.at(asked["case_id"], asked["expected_revision"], reset)


def propose_capacity_plan(desk: Desk, asked: Mapping[str, Any]) -> Done:
    """Searches for rating increases and stages the best as a proposal."""

    def propose(study: Study) -> Done:
        weights = [
            {"bus": _element(study.case, "bus", row["bus_id"]), "weight": row["weight"]} for row in asked["weights"]
        ]
        candidates = [_element(study.case, "branch", name) for name in asked["candidates"]]
        amounts = ("max_increase_per_branch_mw", "budget_mw", "increment_mw", "exact_solve_budget")
        spec = {
            "objective": {"kind": "weighted_lmp", "weights": weights},
            "candidates": candidates,
            "max_changed_lines": asked.get("max_changed_lines", len(candidates)),
            **{name: asked[name] for name in amounts},
        }
        plan = study.plan(spec, progress=False)
        staged = desk.stage(asked["case_id"], study.revision, plan.proposal) if plan.proposal else None
        data = {
            "staged": staged is not None,
            "proposal_id": None if staged is None else staged.id,
            "session_id": desk.session_id,
            "case_id": asked["case_id"],
            "base_revision": study.revision,
            "changes": [{"branch_id": branch, "delta_mw": mw} for branch, mw in plan.proposal.items()],
            "weighted_price_before": rounded(plan.baseline_objective),
            "weighted_price_after": rounded(plan.objective),
            "exact_solves": plan.exact_solves,
            "ended": plan.ended,
            "claim": "best verified within the budget",
            "next": "A person has to approve and apply it in the page; nothing applies it here.",
        }
        return data, ()

    return desk.at(asked["case_id"], asked["expected_revision"], propose)


def apply_capacity_plan(desk: Desk, asked: Mapping[str, Any]) -> Done:
    """Always refused: only a person who sees the proposal in the page approves and applies it."""
    raise InputError(
        "APPLY.REFUSED",
        "A tool server applies no proposal: a person approves and applies it in the page. Nothing changed.",
    )


def solve_multiconductor_pf(desk: Desk, asked: Mapping[str, Any]) -> Done:
    """The Studies of this server are balanced."""
    desk.at(asked["case_id"], asked["expected_revision"], lambda study: study)
    raise InputError("PHYSICS.UNSUPPORTED", "The displayed case is balanced: it has no multiconductor power flow.")


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


def _element(case: Case, kind: str, name: int | str) -> int:
    keys = case._bus_keys if kind == "bus" else case._branch_keys
    return int(keys.target(name))


def _edits(case: Case, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords of `commit` and `preview`. Raises EditError `DELTA.DUPLICATE` where an element is named twice."""
    found: dict[str, Any] = {"mode": asked.get("mode", "set")}
    for field, kind in (("demand", "bus"), ("ratings", "branch")):
        changes: dict[int, float] = {}
        for row in asked.get(field, ()):
            element = _element(case, kind, row[f"{kind}_id"])
            if element in changes:
                raise EditError("DELTA.DUPLICATE", f"The batch names {kind} {element} twice.")
            changes[element] = row["delta_mw"]
        found[field] = changes
    return found


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
        data["prices"] = _changed_rows(after._buses["lmp"] - before._buses["lmp"], before._buses["lmp"])
    return data, ("prices", "result_sha256")


def _foretold(found: Preview, solution: Solution) -> dict[str, Any]:
    """What a preview says. That of a power flow has no interval, and nothing of it is called exact."""
    if found.buses is not None:
        return {"voltages": _changed_rows(found.buses["vm_pu"], solution._buses["vm_pu"])}
    return {
        "objective_change_usd_per_h": rounded(found.objective_delta),
        "exact": found.exact,
        "valid_step": None if found.valid_step is None else [rounded(part) for part in found.valid_step],
        "prices": [] if found.prices is None else _changed_rows(found.prices, solution._buses["lmp"]),
    }


def _changed_rows(change: pd.Series, before: pd.Series) -> list[dict[str, Any]]:
    """The buses that change most."""
    moved = change.dropna()
    moved = moved[moved != 0]
    order = moved.abs().sort_values(ascending=False, kind="stable").index[: least(None)]
    return [
        {"bus_id": int(bus), "before": rounded(float(before[bus])), "change": rounded(float(moved[bus]))}
        for bus in order
    ]


def _prices(solution: Solution) -> Any:
    if "lmp" not in solution._buses:
        return "unavailable in this formulation"
    prices = solution._buses["lmp"].dropna()
    at = {"lowest": prices.idxmin(), "highest": prices.idxmax()}
    return {name: {"bus_id": int(bus), "price": rounded(float(prices[bus]))} for name, bus in at.items()}


def _generation(solution: Solution) -> pd.Series:
    return solution._generators.groupby("bus")["p_mw"].sum()


def _row(study: Study, solution: Solution, kind: str, name: Any) -> dict[str, Any]:
    frame = solution._buses if kind == "bus" else solution._branches
    row = frame.loc[name]
    found: dict[str, Any] = {"id": int(name)}
    if kind == "bus":
        title = row.get("name")
        if isinstance(title, str) and title:
            found["label"] = label(title)
        found["generation_mw"] = rounded(float(_generation(solution).get(name, 0.0)))
    else:
        found |= {"from": int(row["from_bus"]), "to": int(row["to_bus"])}
    for quantity, column in _COLUMNS[kind].items():
        if column in frame and math.isfinite(row[column]):
            found[quantity] = rounded(float(row[column]))
    if kind == "branch" and "shadow" in frame and row["shadow"] > 0:
        found["shadow_price"] = rounded(float(row["shadow"]))
    return found
