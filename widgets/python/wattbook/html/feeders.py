"""Texts and HTML of multiconductor power flows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..text import words
from .parts import isolated, notes, shown, table

NO_PRICES = "A power flow of a feeder has no prices and no planning objectives."


def _terminal(at: Mapping[str, Any] | None) -> str:
    return (
        "none"
        if at is None
        else f"{at['voltage_pu']:.4f} pu ({at['voltage_v']:,.1f} V) at {at['bus']}.{at['terminal']}"
    )


def result_rows(result: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What is said of a result, by title."""
    totals, check, options = result["totals"], result["certificate"], result["options"]
    unbalance = result.get("most_unbalanced")
    held = result["held_controls"]
    rows = [
        ("Source", f"{words.kw(totals['source_w'] / 1e3)} kW, {words.kw(totals['source_var'] / 1e3)} kvar"),
        ("Load", f"{words.kw(totals['load_w'] / 1e3)} kW, {words.kw(totals['load_var'] / 1e3)} kvar"),
        ("Losses", f"{words.kw(totals['loss_w'] / 1e3)} kW"),
        ("Lowest voltage", _terminal(result.get("lowest"))),
        ("Highest voltage", _terminal(result.get("highest"))),
    ]
    if unbalance is not None:
        rows.append(("Largest unbalance", f"{100 * unbalance['vuf']:.2f} % at {unbalance['bus']}"))
    rows.append(
        ("Current balance", f"to {words.residual(check['kcl_residual_a'])} A at every terminal (Kirchhoff's law)")
    )
    rows.append(("Iterations", str(result["iterations"])))
    if options["source_impedance"] == "branch":
        rows.append(("Source impedance", "solved as a branch"))
    if held:
        rows.append(("Controls", f"held as written: {', '.join(held)}"))
    if result["loads"]:
        rows.append(("Edited", words.count(len(result["loads"]), "load")))
    return rows


def result_notes(result: Mapping[str, Any]) -> list[str]:
    dead = result["not_supplied"]
    return [f"No source reaches {', '.join(dead)}."] if dead else []


def feeder_html(name: str, network: str, result: Mapping[str, Any] | None) -> str:
    """A feeder with its result."""
    if result is None:
        return network
    head = f"<p><b>{isolated(name, name)}</b>, power flow</p>"
    return shown(f"{head}{table((), result_rows(result))}{notes([*result_notes(result), NO_PRICES])}")
