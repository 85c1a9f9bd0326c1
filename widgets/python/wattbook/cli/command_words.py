"""What the commands say: certificates in plain words, exit codes, and messages of the package with options in place of arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..text import words

#: What every command ends with.
EXIT_CODES = "0 done, 1 a failure of Wattbook itself, 2 bad input (file, edit, option), 3 no solution"

# What the package says to those who call it, and what the same is called in a command.
_SAID = (
    (re.compile(r"\b(?:pass|say) format=(?=, one of)"), "give {option}"),
    (re.compile(r"\bformat=(?=, one of)"), "{option}"),
    (re.compile(r"say what they are, for instance format=\"(\w+)\""), r"give {option}, for instance {option} \1"),
    (re.compile(r"wb\.open_distribution\('(.+?)'\) opens it"), "`wattbook convert` reads it"),
    (
        re.compile(r"open its case first, then case\.with_geography\('(.+?)'\) places it"),
        r"`wattbook convert CASE OUT --geography \1` places a case by it",
    ),
    (
        re.compile(r" case\.with_geography\(file\) or case\.with_layout\(\(longitude, latitude\)\) gives it some\."),
        " {places}",
    ),
)
_PLACES = "--geography FILE or --layout LON,LAT gives it some."


def in_options(message: str, option: str = "--format") -> str:
    """A message with the option of a command where it names an argument of Python."""
    for said, instead in _SAID:
        message = said.sub(instead.replace("{option}", option).replace("{places}", _PLACES), message)
    return message


def certificate_lines(certificate: Mapping[str, Any]) -> list[str]:
    """What was checked of an optimum and how well it holds: bus balance and limits in MW, optimality in $/MWh and $/h."""

    def told(name: str) -> str:
        return words.residual(abs(certificate[name]))

    worst = certificate.get("worst_element")
    where = f" (worst at {words.element(worst)})" if worst else ""
    return [
        f"bus balance within {told('primal_residual_mw')} MW, limits within {told('worst_violation_mw')} MW{where}",
        f"stationarity within {told('stationarity_usd_per_mwh')} $/MWh, complementarity within "
        f"{told('complementarity_usd_per_h')} $/h, relative duality gap {told('relative_gap')}",
    ]
