"""HTML of cases and distribution networks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..advice import POSITIONS
from ..text import words
from .parts import SHOWN_WARNINGS, isolated, notes, shown, table

if TYPE_CHECKING:
    from ..case.case import Case
    from ..case.distribution import Distribution
    from ..geography.placement import Placeable

_POSITIONS = {
    "file": "longitudes and latitudes from a file",
    "synthetic": "a synthetic layout, not surveyed",
    "manual": "set by hand",
    "synthetic_pending": f"none; add them with {POSITIONS.python}",
}
#: Counts of a distribution network, in display order.
_ELEMENTS = {
    "buses": "bus",
    "lines": "line",
    "transformers": "transformer",
    "switches": "switch",
    "loads": "load",
    "generators": "generator",
    "inverters": "inverter",
    "capacitors": "capacitor",
    "reactors": "reactor",
    "shunts": "shunt",
    "sources": "source",
}
_SPACES = {
    "projected": "projected coordinates, for the diagram",
    "drawing": "drawing units, for the diagram",
    "unknown": "unknown coordinate system, for the diagram",
}


def counts_text(case: Case) -> str:
    """`500 buses, 733 branches, 224 generators`."""
    return ", ".join(
        words.count(case.counts[key], noun)
        for key, noun in (("buses", "bus"), ("branches", "branch"), ("generators", "generator"))
    )


def lowered_text(case: Case) -> str:
    """`40 star points and 120 arms of three-winding transformers`: table rows that `counts` leaves out; empty if there are none."""
    buses, branches, *_ = case._rows
    stars, arms = (
        int((~editable).sum()) for editable in (buses.flags("bus_editable"), branches.flags("branch_editable"))
    )
    if not stars and not arms:
        return ""
    return f"{words.count(stars, 'star point')} and {words.count(arms, 'arm')} of three-winding transformers"


def case_html(case: Case) -> str:
    """Name, counts, load, identity and warnings."""
    rows = [
        ("Network", counts_text(case)),
        *([("Additional table rows", lowered_text(case))] if lowered_text(case) else []),
        ("Load", f"{words.mw(case.load_mw)} MW"),
        ("Power base", f"{words.mw(case.base_mva)} MVA"),
        ("Positions", _POSITIONS[case.coords_kind]),
        *_report_rows(case),
        ("Identity", f"sha256 {case.sha256[:12]}"),
    ]
    remarks = notes([*map(str, case.warnings), *_record_notes(case)])
    return shown(f"<p><b>{isolated(case.name, case.name)}</b></p>{table((), rows)}{remarks}")


def _report_rows(case: Placeable) -> list[tuple[str, str]]:
    return [("Layer", str(case.geo_report))] if case.geo_report else []


def _record_notes(case: Placeable) -> list[str]:
    report = case.geo_report
    if report is None:
        return []
    more = len(report.notes) + report.notes_left_out - SHOWN_WARNINGS
    return [*map(str, report.notes[:SHOWN_WARNINGS]), *([f"and {words.count(more, 'more note')}"] if more > 0 else [])]


def distribution_line(network: Distribution) -> str:
    """`13 buses, 12 lines, 2 transformers; 3,466.0 kW of load`."""
    return f"{network_counts(network)}; {words.kw(network.load_kw)} kW of load"


def network_counts(network: Distribution) -> str:
    """`13 buses, 12 lines, 2 transformers`; kinds without elements are omitted."""
    counted = ((network.counts.get(key, 0), noun) for key, noun in _ELEMENTS.items())
    return ", ".join(words.count(number, noun) for number, noun in counted if number)


def distribution_html(network: Distribution) -> str:
    """Name, counts, power, frequency, positions, identity and warnings."""
    frequency = "not in the source" if network.base_frequency is None else f"{network.base_frequency:g} Hz"
    positions = _SPACES.get(network.coords_space) or _POSITIONS[network.coords_kind]
    rows = [
        ("Network", network_counts(network)),
        ("Load", f"{words.kw(network.load_kw)} kW"),
        ("Generation", f"{words.kw(network.gen_kw)} kW"),
        ("Frequency", frequency),
        ("Positions", positions),
        *_report_rows(network),
        ("Identity", f"sha256 {network.sha256[:12]}"),
    ]
    remarks = notes([*map(str, network.warnings), *_record_notes(network)])
    return shown(f"<p><b>{isolated(network.name, network.name)}</b></p>{table((), rows)}{remarks}")
