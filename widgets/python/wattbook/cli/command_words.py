"""Texts of the commands: certificates, exit codes, and messages of the package with options in place of arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..text import words

EXIT_CODES = "0 success, 1 internal error, 2 bad input (file, edit, option), 3 no solution"

# Phrases in messages of the package, and their counterparts for a command.
_PHRASES = (
    (re.compile(r"\bpass format=(?=, one of)"), "give {option}"),
    (re.compile(r"pass their format, for instance format=\"(\w+)\""), r"give {option}, for instance {option} \1"),
    (re.compile(r"wb\.open_distribution\('(.+?)'\) opens it"), "`wattbook convert` reads it"),
    (
        re.compile(r"open its case first, then call case\.with_geography\('(.+?)'\)"),
        r"`wattbook convert CASE OUT --geography \1` applies it",
    ),
    (
        re.compile(r"case\.with_geography\(file\) or case\.with_layout\(\(longitude, latitude\)\)"),
        "--geography FILE or --layout LON,LAT",
    ),
)


def in_options(message: str, option: str = "--format") -> str:
    """A message with options of a command in place of Python arguments."""
    for phrase, instead in _PHRASES:
        message = phrase.sub(instead.replace("{option}", option), message)
    return message


def certificate_lines(certificate: Mapping[str, Any]) -> list[str]:
    """Residuals of the optimality conditions: bus balance and limits in MW, stationarity in $/MWh, complementarity in $/h."""

    def shown(name: str) -> str:
        return words.residual(abs(certificate[name]))

    worst = certificate.get("worst_element")
    where = f" (worst at {words.element(worst)})" if worst else ""
    return [
        f"bus balance within {shown('primal_residual_mw')} MW, limits within {shown('worst_violation_mw')} MW{where}",
        f"stationarity within {shown('stationarity_usd_per_mwh')} $/MWh, complementarity within "
        f"{shown('complementarity_usd_per_h')} $/h, relative duality gap {shown('relative_gap')}",
    ]
