"""Certificates and how power flows were solved, in the sentences that the page shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .words import message, mw, residual_value


def certificate_lines(
    certificate: Mapping[str, Any],
    power_flow: Mapping[str, Any] | None = None,
    slack: Sequence[Mapping[str, Any]] | None = None,
) -> list[str]:
    """The checks of a result, a line each, from the engine's catalogue.

    `power_flow` is the report of an AC power flow, `slack` rows of `{bus, value}` in MW.
    """
    if "mismatch_mw" in certificate:
        added = [message("power_flow.slack", **_added(row)) for row in slack or ()]
        return [
            _balance(certificate, "mismatch_mw"),
            *_line(certificate, "certificate.flows", "residual", "flow_error_mva", "MVA"),
            *_line(certificate, "certificate.set_points", "residual", "set_point_error_pu", "pu"),
            *_line(certificate, "certificate.reactive_limits", "violation", "reactive_violation_mvar", "MVAr"),
            *_line(certificate, "certificate.set_point_sides", "residual", "wrong_side_pu", "pu"),
            *([" ".join(added)] if added else []),
            *([] if power_flow is None else _report(power_flow)),
            message("power_flow.ratings"),
        ]
    gap = {
        "gap": residual_value(abs(certificate["duality_gap_usd_per_h"]), "$/h"),
        "share": residual_value(abs(certificate["relative_gap"]), ""),
    }
    return [
        _balance(certificate, "primal_residual_mw"),
        _violation(certificate),
        *_line(certificate, "certificate.stationarity", "residual", "stationarity_usd_per_mwh", "$/MWh"),
        *_line(certificate, "certificate.complementarity", "residual", "complementarity_usd_per_h", "$/h"),
        message("certificate.gap", **gap),
        *_line(certificate, "certificate.products", "residual", "flow_error_mva", "MVA"),
        *_within(certificate, "cone", "cone_violation", ""),
        *_within(certificate, "voltage", "voltage_violation_pu", "pu"),
        *_within(certificate, "angle", "angle_violation_rad", "rad"),
    ]


def _line(certificate: Mapping[str, Any], key: str, name: str, field: str, unit: str) -> list[str]:
    value = certificate.get(field)
    return [] if value is None else [message(key, **{name: residual_value(abs(value), unit)})]


def _within(certificate: Mapping[str, Any], what: str, field: str, unit: str) -> list[str]:
    """A line on a limit of the relaxation: whether it is met, or by how much it is exceeded."""
    size = certificate.get(field)
    if size is None:
        return []
    if size <= 0:
        return [message(f"certificate.no_{what}")]
    return [message(f"certificate.{what}", violation=residual_value(size, unit))]


def _violation(certificate: Mapping[str, Any]) -> str:
    size, worst = certificate["worst_violation_mw"], certificate.get("worst_element")
    if size <= 0:
        return message("certificate.no_violation")
    violation = residual_value(size, "MW")
    if worst is None:
        return message("certificate.violation", violation=violation)
    return message("certificate.violation_worst", violation=violation, element={"element": dict(worst)})


def _balance(certificate: Mapping[str, Any], field: str) -> str:
    active = residual_value(abs(certificate[field]), "MW")
    bus = certificate.get("worst_bus")
    at = {} if bus is None else {"bus": _bus(bus)}
    end = "_worst" if at else ""
    if certificate.get("mismatch_mvar") is None:
        return message(f"certificate.balance{end}", residual=active, **at)
    reactive = residual_value(abs(certificate["mismatch_mvar"]), "MVAr")
    return message(f"certificate.balances{end}", active=active, reactive=reactive, **at)


def _report(report: Mapping[str, Any]) -> list[str]:
    """How an AC power flow was solved, and which of its limits were enforced."""
    start = {"message": {"key": f"power_flow.start_{report['start']}"}}
    enforced = report["reactive_limits"] == "kept"
    limited = {"count": {"count": len(report["limited_buses"])}} if enforced else {}
    return [
        message("power_flow.solved", count={"count": report["steps"]}, start=start),
        message(f"power_flow.dispatch_{report['dispatch']}"),
        message(f"power_flow.limits_{report['reactive_limits']}", **limited),
    ]


def _added(row: Mapping[str, Any]) -> dict[str, Any]:
    value = row["value"]
    return {"bus": _bus(row["bus"]), "added": {"number": {"value": value, "text": f"{mw(value, sign=True)} MW"}}}


def _bus(ident: int) -> dict[str, Any]:
    return {"element": {"kind": "bus", "id": ident}}
