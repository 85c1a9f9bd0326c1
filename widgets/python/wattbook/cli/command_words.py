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
    """What was checked of a result, a sentence each: the lines that the page shows, of the engine's catalogue."""

    def line(key: str, name: str, field: str, unit: str) -> list[str]:
        value = certificate.get(field)
        return [] if value is None else [words.told(key, **{name: words.residual_value(abs(value), unit)})]

    if "mismatch_mw" in certificate:
        return [
            _balance(certificate),
            *line("certificate.flows", "residual", "flow_error_mva", "MVA"),
            *line("certificate.set_points", "residual", "set_point_error_pu", "p.u."),
            *line("certificate.reactive_limits", "violation", "reactive_violation_mvar", "MVAr"),
        ]
    gap = {
        "gap": words.residual_value(abs(certificate["duality_gap_usd_per_h"]), "$/h"),
        "share": words.residual_value(abs(certificate["relative_gap"]), ""),
    }
    return [
        *line("certificate.balance", "residual", "primal_residual_mw", "MW"),
        _violation(certificate),
        *line("certificate.stationarity", "residual", "stationarity_usd_per_mwh", "$/MWh"),
        *line("certificate.complementarity", "residual", "complementarity_usd_per_h", "$/h"),
        words.told("certificate.gap", **gap),
    ]


def _violation(certificate: Mapping[str, Any]) -> str:
    size, worst = certificate["worst_violation_mw"], certificate.get("worst_element")
    if size <= 0:
        return words.told("certificate.no_violation")
    violation = words.residual_value(size, "MW")
    if worst is None:
        return words.told("certificate.violation", violation=violation)
    return words.told("certificate.violation_worst", violation=violation, element={"element": dict(worst)})


def _balance(certificate: Mapping[str, Any]) -> str:
    active = words.residual_value(abs(certificate["mismatch_mw"]), "MW")
    bus = certificate.get("worst_bus")
    at = {} if bus is None else {"bus": {"element": {"kind": "bus", "id": bus}}}
    end = "_worst" if at else ""
    if certificate.get("mismatch_mvar") is None:
        return words.told(f"certificate.balance{end}", residual=active, **at)
    reactive = words.residual_value(abs(certificate["mismatch_mvar"]), "MVAr")
    return words.told(f"certificate.balances{end}", active=active, reactive=reactive, **at)


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
