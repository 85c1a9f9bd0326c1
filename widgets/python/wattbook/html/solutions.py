"""Text and HTML of Solutions and Studies."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..quantities_generated import FULL_LOADING, VOLTAGE_TOLERANCE_PU
from ..text import words
from ..text.certificates import certificate_lines
from .parts import escaped, isolated, notes, paragraph, shown, table, warnings_lines

if TYPE_CHECKING:
    from ..results.solution import Solution
    from ..study.study import Study

#: Rows shown in the small tables.
_TOP = 5


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
    if binding:
        return f"{words.count(binding, 'line')} {'binds' if binding == 1 else 'bind'}"
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
    remarks = notes([str(note) for note in solution.diagnostics] + warnings_lines(solution.case))
    return shown(
        f"<p><b>{isolated(solution.case.name, solution.case.name)}</b>: {escaped(solution_line(solution))}</p>"
        f"{table((), extremes)}{table(head, lines)}"
        f"{paragraph(checked)}{remarks}"
    )


def study_line(study: Study) -> str:
    """`dcopf, optimal, 808.50 $/h, prices 6.30 to 30.10 $/MWh, 1 line binds; revision 2, 1 demand change, 0 rating changes`.

    Never solves: says so where only the page has solved the state.
    """
    if not study._engines:
        return "freed"
    solution = study._solution
    demand, ratings = len(study.demand), len(study.ratings)
    reactive = f", {words.count(len(study.reactive), 'reactive demand change')}" if study.reactive else ""
    units = f", {words.count(len(study.generators), 'changed generator')}" if study.generators else ""
    return (
        f"{study.formulation}, {solution_line(solution) if solution else 'not yet solved in the kernel'}; "
        f"revision {study.revision}, {words.count(demand, 'demand change')}, {words.count(ratings, 'rating change')}{reactive}{units}"
    )


def study_html(study: Study) -> str:
    """The Solution and the edits."""
    changes = [(f"Demand at bus {bus}", f"{words.mw(mw, sign=True)} MW") for bus, mw in study.demand.items()]
    unit = words.rating_unit(study.formulation)
    changes += [
        (f"Rating of line {branch}", f"{words.mw(mw, sign=True)} {unit}") for branch, mw in study.ratings.items()
    ]
    changes += [
        (f"Reactive demand at bus {bus}", f"{words.mw(mvar, sign=True)} MVAr") for bus, mvar in study.reactive.items()
    ]
    first = changes[: 2 * _TOP]
    if len(changes) > len(first):
        first.append((f"and {len(changes) - len(first)} more", ""))
    edits = table(("Change from the base case", ""), first) if changes else paragraph("No change from the base case.")
    return shown(solution_html(study.solution) + edits)
