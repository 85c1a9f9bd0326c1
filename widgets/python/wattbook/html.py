"""What cases, studies and solutions look like in a notebook without a map: a few lines and small tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from . import words

if TYPE_CHECKING:
    from .case import Case
    from .sensitivity import Sensitivity
    from .solution import Solution
    from .study import Study

#: Rows shown in the small tables.
_TOP = 5
_NUMBER = "text-align:right;font-variant-numeric:tabular-nums"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose first column is text and whose others are numbers."""

    def cells(tag: str, row: Sequence[str]) -> str:
        return "".join(
            f'<{tag} style="{_NUMBER if place else "text-align:left"}">{escape(cell)}</{tag}>'
            for place, cell in enumerate(row)
        )

    header = f"<thead><tr>{cells('th', head)}</tr></thead>" if head else ""
    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table>{header}<tbody>{body}</tbody></table>"


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def counts_text(case: Case) -> str:
    """`500 buses, 733 branches, 224 generators`."""
    return ", ".join(
        words.count(case.counts[key], noun)
        for key, noun in (("buses", "bus"), ("branches", "branch"), ("generators", "generator"))
    )


def case_html(case: Case) -> str:
    """Name, counts, load, identity and warnings."""
    rows = [
        ("Network", counts_text(case)),
        ("Load", f"{words.mw(case.load_mw)} MW"),
        ("Power base", f"{words.mw(case.base_mva)} MVA"),
        ("Identity", f"sha256 {case.sha256[:12]}"),
    ]
    notes = "".join(f"<li>{escape(str(warning))}</li>" for warning in case.warnings)
    return f"<p><b>{escape(case.name)}</b></p>{_table((), rows)}{f'<ul>{notes}</ul>' if notes else ''}"


def solution_line(solution: Solution) -> str:
    """`optimal, 452,945.86 $/h, prices 28.41 to 53.97 $/MWh, 3 lines bind`."""
    lmp = solution.buses["lmp"]
    return (
        f"{solution.status}, {words.price(solution.objective)} $/h, prices {words.price(lmp.min())} to "
        f"{words.price(lmp.max())} $/MWh, {binding_text(solution)}"
    )


def binding_text(solution: Solution) -> str:
    """How many lines bind; when none does, the nearest one."""
    branches = solution.branches
    binding = int((branches["shadow"] > 0).sum())
    if binding:
        return f"{words.count(binding, 'line')} {'binds' if binding == 1 else 'bind'}"
    loading = branches["loading"].dropna()
    if loading.empty:
        return "no line binds"
    nearest = loading.idxmax()
    return f"no line binds, the nearest is line {nearest} at {words.percent(loading[nearest])}"


def certificate_text(solution: Solution) -> str:
    """The certificate in plain words."""
    certificate = solution.certificate
    balance, limits, gap = (
        words.residual(certificate[name]) for name in ("primal_residual_mw", "worst_violation_mw", "relative_gap")
    )
    return f"Checked: bus balance within {balance} MW, limits within {limits} MW, relative duality gap {gap}."


def solution_html(solution: Solution) -> str:
    """The line, the most loaded lines, the extremes of the price, the certificate."""
    branches = solution.branches.dropna(subset=["loading"]).nlargest(_TOP, "loading")
    lines = [
        (
            f"Line {ident} ({row.from_bus} to {row.to_bus})",
            words.mw(row.p_from_mw),
            words.mw(row.rating),
            words.percent(row.loading),
            words.price(row.shadow),
        )
        for ident, row in zip(branches.index, branches.itertuples(index=False), strict=True)
    ]
    lmp = solution.buses["lmp"].dropna()
    prices = [
        (f"{title} price: bus {bus}", f"{words.price(lmp[bus])} $/MWh")
        for title, bus in (("Lowest", lmp.idxmin()), ("Highest", lmp.idxmax()))
    ]
    notes = "".join(f"<li>{escape(str(note))}</li>" for note in solution.diagnostics)
    return (
        f"<p><b>{escape(solution.case.name)}</b>: {escape(solution_line(solution))}</p>"
        f"{_table((), prices)}{_table(('Most loaded', 'MW', 'Rating', 'Loading', '$/MWh'), lines)}"
        f"{_paragraph(certificate_text(solution))}{f'<ul>{notes}</ul>' if notes else ''}"
    )


def study_line(study: Study) -> str:
    """`dcopf, revision 2, 1 demand change, 0 rating changes`; never solves."""
    demand, ratings = len(study.demand), len(study.ratings)
    return (
        f"{study.formulation}, revision {study.revision}, {words.count(demand, 'demand change')}, "
        f"{words.count(ratings, 'rating change')}"
    )


def study_html(study: Study) -> str:
    """The accumulated changes and the solution."""
    changes = [(f"Demand at bus {bus}", f"{words.mw(mw, sign=True)} MW") for bus, mw in study.demand.items()]
    changes += [(f"Rating of line {branch}", f"{words.mw(mw, sign=True)} MW") for branch, mw in study.ratings.items()]
    shown = changes[: 2 * _TOP]
    if len(changes) > len(shown):
        shown.append((f"and {len(changes) - len(shown)} more", ""))
    edits = _table(("Change from the base case", ""), shown) if changes else _paragraph("No change from the base case.")
    return solution_html(study.solution) + edits


def sensitivity_html(column: Sensitivity) -> str:
    """The sentence and the prices that move most."""
    moving = column.values[column.values != 0]
    order = moving.abs().nlargest(_TOP).index
    rows = [(f"Bus {bus}", words.derivative(moving[bus])) for bus in order]
    table = _table(("Price that moves most", column.units), rows) if rows else ""
    return _paragraph(f"{str(column)[:1].upper()}{str(column)[1:]}.") + table
