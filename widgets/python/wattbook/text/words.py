"""Formats of numbers and sentences; certificates, and how power flows were solved, in the sentences that the page shows.

Prices 2 decimals, MW 1 decimal (3 below 1), derivatives 3 significant digits, thousands separators, minus sign U+2212.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..native import engine_errors

_MINUS = "\u2212"
#: Numbers from here on are written with an exponent.
_LARGE = 1e12
#: White space that breaks lines or columns, replaced by a space.
_BREAKS = re.compile(r"[\t-\r\x85\u2028\u2029]")
#: Controls and invisible characters that change how the surrounding text is read: marks, embeddings, overrides and
#: isolates of the reading direction, zero-width spaces, byte order marks, tags, surrogates, and unassigned code points.
_INVISIBLE = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
#: Joiners are part of the spelling of several scripts, where a single one stands between two letters.
_STRAY_JOINERS = re.compile(
    r"[\u200c\u200d]+(?=[\u200c\u200d])|(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])"
)


def _signed(text: str) -> str:
    return text.replace("-", _MINUS)


def _large(value: float) -> str:
    return _signed(f"{value:.6g}")


def price(value: float) -> str:
    """Price in $/MWh or cost in $/h, 2 decimals."""
    if abs(value) >= _LARGE:
        return _large(value)
    text = f"{value:,.2f}"
    return _signed("0.00" if text == "-0.00" else text)


def mw(value: float, *, sign: bool = False) -> str:
    """Power in MW: 1 decimal, 3 decimals below 1 MW."""
    if abs(value) >= _LARGE:
        return ("+" if sign and value > 0 else "") + _large(value)
    decimals = 3 if 0 < abs(value) < 1 else 1
    text = f"{value:,.{decimals}f}"
    if float(text.replace(",", "")) == 0:
        return "0.0"
    return _signed(("+" if sign and value > 0 else "") + text)


def rating_unit(formulation: str) -> str:
    """The unit of ratings and of their edits: apparent power where a formulation has reactive power."""
    return "MW" if formulation in ("dcopf", "dcpf") else "MVA"


def kw(value: float) -> str:
    """Power in kW, 1 decimal."""
    return _signed(f"{value:,.1f}")


def mw_enough(value: float) -> str:
    """Power in MW, rounded up at the last digit shown so that the figure suffices, as in the engine's sentences on relaxations."""
    if abs(value) >= _LARGE:
        return mw(value)
    digits = 1000 if abs(value) < 1 else 10
    return mw(math.ceil(value * digits - 1e-6) / digits)


def mw_rounded(value: float) -> str:
    """Power in MW that the engine has already rounded up, with the digits of the engine's sentence."""
    if abs(value) >= _LARGE:
        return _large(value)
    is_coarse = value > 0.9995 and abs(value * 10 - round(value * 10)) < 1e-6
    return f"{value:,.{1 if is_coarse else 3}f}"


def mw_reached(value: float, start: float, *, sign: bool = True) -> str:
    """Change in MW at the end of a range that begins at `start`, rounded towards `start` so that the figure lies in the range."""
    if abs(value) >= _LARGE:
        return mw(value, sign=sign)
    digits = 1000 if abs(value) < 1 else 10
    into = math.floor(value * digits + 1e-6) if value > start else math.ceil(value * digits - 1e-6)
    return mw(into / digits, sign=sign)


def derivative(value: float) -> str:
    """Derivative, 3 significant digits."""
    return _signed(f"{value:#.3g}".rstrip(".")) if value else "0"


def residual(value: float) -> str:
    """Residual, of which only the order of magnitude matters: `2e\u221211`."""
    if not value:
        return "0"
    digit, exponent = f"{value:.0e}".split("e")
    return _signed(f"{digit}e{int(exponent)}")


def residual_value(value: float, unit: str) -> dict[str, Any]:
    """A residual with its unit as a value for the catalogue (`message`)."""
    return {"number": {"value": value, "text": f"{residual(value)} {unit}".rstrip()}}


def percent(fraction: float) -> str:
    """Loading, whole percent."""
    return f"{100 * fraction:.0f} %"


def count(value: int, noun: str) -> str:
    """`1 bus`, `2 buses`, `3 branches`."""
    plural = noun + ("es" if noun.endswith(("s", "ch")) else "s")
    return f"{value:,} {noun if value == 1 else plural}"


def element(what: Mapping[str, Any]) -> str:
    """`line 17`, `generator 3`, `bus 474`, `interface North`."""
    name = what.get("uid" if what.get("kind") == "interface" else "id")
    return f"{element_noun(str(what.get('kind')))} {name}"


def limit(value: str) -> str:
    """`Pmax` or `Pmin` of a generator, for `p_max` and `p_min`; `upper limit` or `lower limit` of an interface."""
    return {"p_max": "Pmax", "p_min": "Pmin", "max_mw": "upper limit", "min_mw": "lower limit"}[value]


def element_noun(kind: str) -> str:
    """The word for an element of a kind of the contract: `line` for `branch`, `HVDC link` for `link` and `hvdc`, `storage unit` for `storage`."""
    nouns = {"branch": "line", "link": "HVDC link", "hvdc": "HVDC link", "storage": "storage unit"}
    return nouns.get(kind, kind)


def price_range(low: float, high: float) -> str:
    """`from 10.00 to 20.00`, `from 10.00 upwards` or `up to 20.00`; not for a range without ends."""
    if math.isinf(high):
        return f"from {price(low)} upwards"
    return f"up to {price(high)}" if math.isinf(low) else f"from {price(low)} to {price(high)}"


def message(key: str, **values: Mapping[str, Any]) -> str:
    """A message of the engine's catalogue `engine/messages/en.json`."""
    with engine_errors() as native:
        return str(native.tell(json.dumps({"key": key, "values": values})))


def event(name: str, what: Mapping[str, Any]) -> str:
    """The event at the end of the interval of a derivative."""
    if name == "edit_limit":
        limits = {"bus": "event.demand_zero", "generator": "event.limits_meet"}
        return message(limits.get(str(what.get("kind")), "event.rating_zero"))
    return message(f"event.{name}", element={"element": dict(what)})


def after_outage(branches: Iterable[Any], generators: Iterable[Any] = ()) -> str:
    """` after the outage of line 40 and generator 3`; empty before outages."""
    named = " and ".join([f"line {id}" for id in branches] + [f"generator {id}" for id in generators])
    return f" after the outage of {named}" if named else ""


def values(low: float, high: float, unit: str) -> str:
    """`at 10.0 to 60.5 MW`."""
    if math.isinf(low) and math.isinf(high):
        return "at any value"
    if math.isinf(high):
        return f"at {mw(low)} {unit} and above"
    if math.isinf(low):
        return f"up to {mw(high)} {unit}"
    return f"at {mw(low)} to {mw(high)} {unit}"


def span(low: float, high: float, origin: str = "", unit: str = "MW") -> str:
    """`from -12.0 to +34.2 MW from the base case`."""
    where = f" from {origin}" if origin else ""
    if math.isinf(low) and math.isinf(high):
        return "for any change"
    if math.isinf(high):
        return f"from {mw(low, sign=True)} {unit} upwards{where}"
    if math.isinf(low):
        return f"up to {mw(high, sign=True)} {unit}{where}"
    return f"from {mw(low, sign=True)} to {mw(high, sign=True)} {unit}{where}"


def visible(text: str) -> str:
    """`text` without control and invisible characters, and without undecodable bytes of a file name."""
    return _STRAY_JOINERS.sub("", _STRAY_JOINERS.sub("", _INVISIBLE.sub("", _BREAKS.sub(" ", text))))


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
