"""Distribution networks: multiconductor, with terminals and phases."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ..errors import FORMAT, Diagnostic, InputError, read_diagnostics
from ..files import files, kinds
from ..files.companions import companions as included
from ..geography.placement import POSITION_SOURCES, Placeable, record_notes, report_rows
from ..native import engine_errors
from ..tables.rows import Inspected
from ..text import words
from ..text.html import isolated, notes, shown, table
from ..threads import apart

if TYPE_CHECKING:
    import pandas as pd

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
_DRAWN_IN = {
    "projected": "projected coordinates, for the diagram",
    "drawing": "drawing units, for the diagram",
    "unknown": "unknown coordinate system, for the diagram",
}


def open_distribution(
    source: files.Source, *, format: str | None = None, companions: Mapping[str, bytes] | None = None
) -> Distribution:
    """Reads a distribution network: OpenDSS (`.dss`), BMOPF or PowerModelsDistribution JSON, or a saved module of one.

    `source` is a path (`~` is the home folder) or the bytes of a file. `format` is `"dss"`, `"bmopf-json"`,
    `"pmd-json"` or `"module"`; without it the extension decides, and JSON is classified by content. Files that a `.dss`
    includes (`Redirect`, `Compile`, `BusCoords`, profiles) are read from its folder by relative path. For bytes pass
    them in `companions`, contents by relative path; if `companions` are given for a path, no other files are read.

    A missing file of positions (`BusCoords`) is a warning `INPUT.COMPANION` in `warnings`; `with_geography` adds the
    positions later.

    Raises InputError if the source is unreadable or malformed, if scripts that it includes are missing (`INPUT.COMPANION`, up to
    a hundred of them in `details["missing"]`), or if it is of another kind; the message names the function that opens it.
    """
    path, data = files.content(source)
    kind = kinds.kind_by_token(format) if format else kinds.kind_by_name(path)
    if format is not None and kind not in ("distribution", "json"):
        tokens = ", ".join((*kinds.DISTRIBUTION_TOKENS, "module"))
        raise InputError("INPUT.FORMAT", f"Unknown distribution format {format!r}. Known: {tokens}.")
    if kind in ("balanced", "geography", "display"):
        kinds.refuse(kind, path)
    name = kinds.stem(path)
    if kind == "json" or (kind is None and kinds.looks_like_json(data)):
        return Distribution(name, _json_network(data, path))
    if kind is None:
        raise InputError(
            "INPUT.FORMAT",
            FORMAT.within(
                f"{kinds.named(path)} has no known extension: ", f", one of {', '.join(kinds.DISTRIBUTION_TOKENS)}."
            ),
        )
    token = format or "dss"
    if path is not None and companions is None and token == "dss":
        return Distribution(name, _network(data, token, included(path, data)))
    try:
        return Distribution(name, _network(data, token, [*(companions or {}).items()]))
    except InputError as error:
        if error.code == "INPUT.COMPANION" and companions is None:
            hint = f"{error.message} Pass it in companions=, a mapping of path to bytes."
            raise InputError(error.code, hint, element=error.element, details=error.details) from None
        raise


def _json_network(data: bytes, path: Path | None) -> dict[str, Any]:
    kind, token = kinds.classify(data)
    if kind == "distribution" and token is not None:
        return _network(data, token, [])
    if kind == "transmission":
        kinds.refuse("balanced", path)
    if kind == "module":
        with engine_errors() as native:
            text, *_ = apart(native.ingest_json_drop, data)
        payload: dict[str, Any] = json.loads(text)["payload"]
        if payload["model"] != "multiconductor":
            kinds.refuse("balanced", path)
        return payload
    kinds.refuse_json(data, path, ambiguous=kind == "ambiguous")


def _network(data: bytes, token: str, along: list[tuple[str, bytes]]) -> dict[str, Any]:
    with engine_errors() as native:
        found: dict[str, Any] = json.loads(native.ingest_distribution(data, token, along))
    return found


class Distribution(Placeable):
    """A distribution network, read and checked; immutable. It has no prices.

    `id` is the file's stem, `sha256` the hash of the module text, `counts` the numbers of elements by kind (`buses`,
    `lines`, `switches`, `transformers`, `loads`, `generators`, `sources`, ...), `load_kw` and `gen_kw` the active power
    of loads and generators in kW, `base_frequency` in Hz, or None if not in the source. `coords_space` is the kind of
    coordinates: `geographic` (degrees), `projected`, `drawing`, `unknown` or `none`; `coords_kind` is the source of map
    positions, as for `Case`. `warnings` are the reader's warnings.
    """

    def __init__(self, network_id: str, ingested: Mapping[str, Any], *, name: str | None = None) -> None:
        self.id = network_id
        self.name: str = name or ingested["name"] or network_id
        self.sha256: str = ingested["sha256"]
        self.counts: dict[str, int] = dict(ingested["counts"])
        self.load_kw: float = ingested["load_kw"]
        self.gen_kw: float = ingested["gen_kw"]
        self.base_frequency: float | None = ingested["base_frequency"]
        self.coords_space: str = ingested["coords_space"]
        self.coords_kind: str = ingested["coords_kind"]
        self.warnings: tuple[Diagnostic, ...] = read_diagnostics(ingested["warnings"])
        self._module_json = ingested["module_json"]
        self._graph: Mapping[str, Any] = ingested["graph"]
        self._ingested = ingested

    @property
    def buses(self) -> pd.DataFrame:
        """Index `bus` (its name); columns `terminals` and `grounded` (tuples of names), `x`, `y` (in the units of
        `coords_space`), `load_kw` (kW, all phases), `has_source`."""
        return self._buses.copy()

    @cached_property
    def _buses(self) -> pd.DataFrame:
        from ..tables.networks import distribution_buses

        return distribution_buses(self._graph["buses"])

    @property
    def edges(self) -> pd.DataFrame:
        """Index `edge` (its name, unique within a kind); columns `kind` (`line`, `switch` or `transformer`), `from_bus`,
        `to_bus`, `conductors` (pairs of terminals), `closed`, `n_phases`."""
        return self._edges.copy()

    @cached_property
    def _edges(self) -> pd.DataFrame:
        from ..tables.networks import distribution_edges

        return distribution_edges(self._graph["edges"])

    def _again(self, inspected: Inspected) -> Self:
        ingested, _ = inspected
        return type(self)(self.id, ingested, name=self.name)

    def __repr__(self) -> str:
        from ..text.html import with_warnings

        return with_warnings(f"<Distribution {self.id}: {distribution_line(self)}>", self.warnings)

    def _repr_html_(self) -> str:

        return distribution_html(self)


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
    positions = _DRAWN_IN.get(network.coords_space) or POSITION_SOURCES[network.coords_kind]
    rows = [
        ("Network", network_counts(network)),
        ("Load", f"{words.kw(network.load_kw)} kW"),
        ("Generation", f"{words.kw(network.gen_kw)} kW"),
        ("Frequency", frequency),
        ("Positions", positions),
        *report_rows(network),
        ("Identity", f"sha256 {network.sha256[:12]}"),
    ]
    remarks = notes([*map(str, network.warnings), *record_notes(network)])
    return shown(f"<p><b>{isolated(network.name, network.name)}</b></p>{table((), rows)}{remarks}")
