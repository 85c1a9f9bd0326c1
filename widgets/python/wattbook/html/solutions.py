"""Text and HTML of Solutions and Studies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..text import words
from .parts import escaped, notes, paragraph, shown, table, warnings_lines

if TYPE_CHECKING:
    from ..results.solution import Solution
    from ..study.study import Study

#: Rows shown in the small tables.
_TOP = 5
#: From this fraction of its rating a line is at its limit.
_AT_LIMIT = 0.9995


def solution_line(solution: Solution) -> str:
    """`optimal, 452,945.86 $/h, prices 28.41 to 53.97 $/MWh, 3 lines bind`."""
    lmp = solution.buses["lmp"]
    low, high = words.price(lmp.min()), words.price(lmp.max())
    prices = f"one price, {low}" if low == high else f"prices {low} to {high}"
    return f"{solution.status}, {words.price(solution.objective)} $/h, {prices} $/MWh, {binding_text(solution)}"


def binding_text(solution: Solution) -> str:
    """The number of binding lines (shadow price above 0); if there are none, the most loaded line with a rating in the source."""
    branches = solution.branches
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
    if loading[nearest] >= _AT_LIMIT:
        return f"no line binds, line {nearest} is at its limit with zero shadow price"
    return f"no line binds, the nearest is line {nearest} at {words.percent(loading[nearest])}"


def certificate_text(solution: Solution) -> str:
    """The certificate as a sentence."""
    certificate = solution.certificate
    balance, limits, gap = (
        words.residual(certificate[name]) for name in ("primal_residual_mw", "worst_violation_mw", "relative_gap")
    )
    return f"Checked: bus balance within {balance} MW, limits within {limits} MW, relative duality gap {gap}."


def solution_html(solution: Solution) -> str:
    """Summary, lowest and highest LMP, most loaded lines, certificate."""
    # Binding lines are all loaded to 100 %: highest shadow price first.
    loaded = solution.branches.dropna(subset=["loading"])
    branches = loaded.sort_values(["shadow", "loading"], ascending=False, kind="stable").head(_TOP)
    lines = [
        (
            f"Line {ident} ({row.from_bus} to {row.to_bus})",
            words.mw(row.p_from_mw),
            words.mw(row.rating) + (" (fallback)" if row.rating_is_fallback else ""),
            words.percent(row.loading),
            words.price(row.shadow),
        )
        for ident, row in zip(branches.index, branches.itertuples(index=False), strict=True)
    ]
    lmp = solution.buses["lmp"].dropna()
    prices = [
        (f"{title} LMP: bus {bus}", f"{words.price(lmp[bus])} $/MWh")
        for title, bus in (("Lowest", lmp.idxmin()), ("Highest", lmp.idxmax()))
    ]
    remarks = notes([str(note) for note in solution.diagnostics] + warnings_lines(solution.case))
    return shown(
        f"<p><b>{escaped(solution.case.name)}</b>: {escaped(solution_line(solution))}</p>"
        f"{table((), prices)}{table(('Most loaded', 'MW', 'Rating', 'Loading', 'Shadow price, $/MWh'), lines)}"
        f"{paragraph(certificate_text(solution))}{remarks}"
    )


def study_line(study: Study) -> str:
    """`dcopf, optimal, 808.50 $/h, prices 6.30 to 30.10 $/MWh, 1 line binds; revision 2, 1 demand change, 0 rating changes`.

    Never solves: says so where only the page has solved the state.
    """
    if study._engine is None:
        return "freed"
    solution = study._solution
    demand, ratings = len(study.demand), len(study.ratings)
    return (
        f"{study.formulation}, {solution_line(solution) if solution else 'not yet solved in the kernel'}; "
        f"revision {study.revision}, {words.count(demand, 'demand change')}, {words.count(ratings, 'rating change')}"
    )


def study_html(study: Study) -> str:
    """The Solution and the edits."""
    changes = [(f"Demand at bus {bus}", f"{words.mw(mw, sign=True)} MW") for bus, mw in study.demand.items()]
    changes += [(f"Rating of line {branch}", f"{words.mw(mw, sign=True)} MW") for branch, mw in study.ratings.items()]
    first = changes[: 2 * _TOP]
    if len(changes) > len(first):
        first.append((f"and {len(changes) - len(first)} more", ""))
    edits = table(("Change from the base case", ""), first) if changes else paragraph("No change from the base case.")
    return shown(solution_html(study.solution) + edits)
