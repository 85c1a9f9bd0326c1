"""HTML of series and sweeps: a sentence, the range of costs, and the lines that bind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..text import words
from .parts import isolated, notes, paragraph, shown, table, warnings_lines

if TYPE_CHECKING:
    from ..results.series import SolvedSeries

#: Rows of the table of binding lines, and failures that are told.
_TOP, _FAILED = 5, 3


def series_html(series: SolvedSeries) -> str:
    """The sentence; the cheapest and the dearest step; lines that bind, if flows and shadow prices are kept in memory."""
    objective = series.objective.dropna()
    rows, labels = [], []
    if len(objective):
        for title, step in (("Lowest cost", objective.idxmin()), ("Highest cost", objective.idxmax())):
            rows.append((f"{title}: {step}", f"{words.price(float(objective.loc[[step]].iloc[0]))} $/h"))
            labels.append(str(step))
    name, said = isolated(series.case.name, series.case.name), isolated(str(series), series.case.id)
    body = f"<p><b>{name}</b>: {said}</p>" + (table((), rows, labels) if rows else "")
    if {"shadow", "flow_mw"} <= series._quantities.keys():
        binding = series.binding.head(_TOP)
        lines = [
            (f"Line {row.Index}", f"{row.steps:,}", words.price(row.mean_shadow), words.price(row.rent))
            for row in binding.itertuples()
        ]
        head = ("Binding lines", "Steps", "Mean shadow price, $/MWh", "Congestion rent, $/h summed")
        body += table(head, lines) if lines else paragraph("No line binds in any step.")
    labels = [str(step) for step in series.failures.index[:_FAILED]]
    failed = [f"{step}: {row.message}" for step, row in series.failures.head(_FAILED).iterrows()]
    more = len(series.failures) - len(failed)
    failed += [f"and {words.count(more, 'other')}"] if more else []
    return shown(body + notes(failed + warnings_lines(series.case), labels))
