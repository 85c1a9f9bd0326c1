"""Parts of HTML views: tables, lists, warnings; every text is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from . import words
from .words import visible

#: Number of rows of a table; the DataFrames have all.
TOP_ROWS = 8
#: Number of warnings of the case shown with it and with its results.
SHOWN_WARNINGS = 3
_NOT_XML = re.compile("[^\\t\\n\\r\\u0020-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
_NUMBER = "text-align:right;font-variant-numeric:tabular-nums"


def escaped(text: str) -> str:
    """A text for HTML, SVG and attributes, without invisible characters and those that XML forbids even when escaped."""
    return escape(_NOT_XML.sub("", visible(text)), quote=True)


def isolated(text: str, *names: str) -> str:
    """A text for HTML in which `names` of files and users are isolated, so that right-to-left names do not reorder the
    surrounding text."""
    shown = sorted((name for name in set(map(visible, names)) if not name.isascii()), key=len, reverse=True)
    if not shown:
        return escaped(text)
    parts = re.split(f"({'|'.join(map(re.escape, shown))})", visible(text))
    return "".join(f"<bdi>{escaped(part)}</bdi>" if place % 2 else escaped(part) for place, part in enumerate(parts))


def table(head: Sequence[str], rows: Iterable[Sequence[str]], names: Iterable[str] = ()) -> str:
    """A table whose first column is text and whose others are numbers; `names` in it are isolated."""
    names = [*names]

    def cells(tag: str, row: Sequence[str]) -> str:
        return "".join(
            f'<{tag} style="{_NUMBER if place else "text-align:left"}">{isolated(cell, *names)}</{tag}>'
            for place, cell in enumerate(row)
        )

    header = f"<thead><tr>{cells('th', head)}</tr></thead>" if head else ""
    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table>{header}<tbody>{body}</tbody></table>"


def shown(body: str) -> str:
    """`body` in an element that MathJax skips, because a pair of dollar signs is not a formula here."""
    return f'<div class="tex2jax_ignore mathjax_ignore">{body}</div>'


def notes(lines: Sequence[str], names: Iterable[str] = ()) -> str:
    """An HTML list in which `names` are isolated; empty without lines."""
    names = [*names]
    return f"<ul>{''.join(f'<li>{isolated(line, *names)}</li>' for line in lines)}</ul>" if lines else ""


def warnings_lines(warnings: Sequence[object]) -> list[str]:
    """The first warnings of a case and the number of the others."""
    lines = [str(warning) for warning in warnings[:SHOWN_WARNINGS]]
    more = len(warnings) - len(lines)
    return [*lines, f"and {words.count(more, 'more warning')}"] if more else lines


def with_warnings(text: str, warnings: Sequence[object]) -> str:
    """A text followed by the warnings of a case."""
    if not warnings:
        return text
    head = f"{words.count(len(warnings), 'warning')}:"
    return "\n".join([text, head, *(f"- {line}" for line in warnings_lines(warnings))])


def error_html(error: Exception) -> str:
    """HTML shown in place of a result that cannot be computed."""
    return shown(paragraph(str(error)))


def paragraph(text: str) -> str:
    """A text as a paragraph."""
    return f"<p>{escaped(text)}</p>"


def capitalised(text: str) -> str:
    """A text that begins with a capital."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """A text as a paragraph that begins with a capital and ends with a full stop."""
    end = "" if text.endswith(".") else "."
    return f"<p>{escaped(capitalised(text))}{end}</p>"
