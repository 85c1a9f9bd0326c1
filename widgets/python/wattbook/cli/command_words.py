"""Texts of the commands: certificates, exit codes, and messages of the package with options in place of arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import WattbookError
from ..text import words

EXIT_CODES = "0 success, 1 internal error, 2 bad input (file, edit, option), 3 no solution"


def in_options(error: WattbookError, option: str = "--format") -> str:
    """The message of an error, with options of the command in place of Python arguments."""
    return error.advised.for_command(option) if error.advised else error.message


def certificate_lines(certificate: Mapping[str, Any]) -> list[str]:
    """Residuals of the optimality conditions: bus balance and limits in MW, stationarity in $/MWh, complementarity in $/h; of a power
    flow bus balance in MW and MVAr, flows in MVA, held voltages in per unit."""

    def shown(name: str) -> str:
        return words.residual(abs(certificate[name]))

    if "mismatch_mw" in certificate:
        return [
            f"bus balance within {shown('mismatch_mw')} MW and {shown('mismatch_mvar')} MVAr",
            f"flows within {shown('flow_error_mva')} MVA, voltages at set-points within {shown('set_point_error_pu')} pu",
        ]
    worst = certificate.get("worst_element")
    where = f" (worst at {words.element(worst)})" if worst else ""
    return [
        f"bus balance within {shown('primal_residual_mw')} MW, limits within {shown('worst_violation_mw')} MW{where}",
        f"stationarity within {shown('stationarity_usd_per_mwh')} $/MWh, complementarity within "
        f"{shown('complementarity_usd_per_h')} $/h, relative duality gap {shown('relative_gap')}",
    ]


def power_flow_lines(report: Mapping[str, Any]) -> list[str]:
    """Losses in MW, the start and the steps of Newton's method, and what became of the reactive limits."""
    limited = len(report["limited_buses"])
    limits = {"kept": f"kept, {words.count(limited, 'bus')} at a limit", "not_kept": "not kept"}
    lines = [
        f"losses         {words.mw(report['losses_mw'])} MW",
        f"solved from    {str(report['start']).replace('_', ' ')}, {words.count(report['steps'], 'step')} of Newton's method",
    ]
    if report["reactive_limits"] in limits:
        lines.append(f"reactive limits {limits[report['reactive_limits']]}")
    return lines
