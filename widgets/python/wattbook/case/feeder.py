"""Distribution networks, which are multiconductor, with terminals and phases, and their AC power flow with prescribed
loads: edits of the loads, and the voltage profile."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Self

import numpy as np

from ..arguments import finite, formatted, meant, one_of
from ..errors import FORMAT, ArgumentError, Diagnostic, EditError, InputError, read_diagnostics
from ..files import files, kinds
from ..files.files import companions as included
from ..geography import POSITION_SOURCES, Placeable, record_notes, report_rows
from ..native import engine_errors
from ..tables.rows import Columns, Inspected, parted
from ..text import words
from ..text.html import escaped, isolated, notes, shown, table
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


_SCHEMA = b'"wattbook-mc-study"'
_GZIP = b"\x1f\x8b"
SUFFIX, PACKED_SUFFIX = ".study.json", ".study.json.gz"
NO_PRICES = "A power flow of a feeder has no prices and no planning objectives."
_WIDTH, _HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 12, 28, 40
#: Colours of the phases 1, 2, 3 and of others; distinct in both themes and for colour-blind readers.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#8a6fb0")
_DASHES = ("", "6 3", "2 2", "8 3 2 3")


def open_feeder(
    source: files.Source, *, format: str | None = None, companions: Mapping[str, bytes] | None = None
) -> Feeder:
    """Reads a multiconductor feeder, arguments as for `open_distribution`. `Feeder.solve` solves it.

    A Study file that `Feeder.save` wrote, plain or gzip, is opened with its result, without solving: its numbers are checked against
    its solution.

    Raises InputError as `open_distribution`; `STUDY_FILE.*`, `INPUT.MC_STUDY` and `MODULE.TAMPERED` for a saved result.
    """
    path, data = files.content(source)
    if format is None and is_saved(data):
        return _reopened(path, data)
    network = open_distribution(data if path is None else path, format=format, companions=companions)
    return Feeder(network.id, network._ingested, name=network.name)


def is_saved(data: bytes) -> bool:
    """Whether a file is the saved power flow of a feeder; damaged files may count as one."""
    return data.startswith(_GZIP) or (kinds.looks_like_json(data) and _SCHEMA in data)


def replayed(data: bytes) -> tuple[dict[str, Any], Columns]:
    """A saved power flow, checked without solving: the contract's `McReplay` and its columns."""
    with engine_errors() as native:
        return parted(native.replay_mc_study(native.read_mc_study_bundle(data)))


def _reopened(path: Path | None, data: bytes) -> Feeder:
    head, columns = replayed(data)
    with engine_errors() as native:
        ingested = json.loads(native.inspect_distribution(head["input"]["module_json"]))
    name = "case" if path is None else path.name.split(".")[0]
    feeder = Feeder(name, ingested, name=head["input"]["name"] or None)
    feeder._take((head["rows"], columns), head["result"], columns)
    return feeder


class Feeder(Distribution):
    """A multiconductor feeder and its power flow: voltages, currents, powers. There are no prices and no planning objectives.

    Tables solve the feeder on first use, if `solve` was not called. After a failed solve or edit the previous result
    remains.
    """

    def __init__(self, network_id: str, ingested: Mapping[str, Any], *, name: str | None = None) -> None:
        super().__init__(network_id, ingested, name=name)
        self._native: Any = None
        self._result: dict[str, Any] | None = None
        self._columns: Columns | None = None
        self._naming: tuple[dict[str, Any], Columns] | None = None
        self._options: dict[str, Any] = {}

    def solve(
        self,
        *,
        source_impedance: str = "refuse",
        controls: str = "refuse",
        tolerance_pu: float = 1e-8,
        max_iterations: int = 100,
    ) -> Feeder:
        """AC power flow of the present loads (with all edits so far); returns the feeder itself.

        `source_impedance="branch"` solves with the impedance of a source, which is exact; `controls="held"` with taps,
        capacitors and switches as written. By default both are refused. `tolerance_pu` is the largest change of a
        voltage in the last iteration, `max_iterations` the limit on iterations.

        Raises InputError `PHYSICS.UNSUPPORTED` with every unsupported element in `details["refused"]`, and the option
        that permits it if there is one; SolveError `SOLVE.NOT_CONVERGED` with the largest fraction of the load that
        converges.
        """
        options = {
            "source_impedance": one_of("source_impedance", source_impedance, ("refuse", "branch")),
            "controls": one_of("controls", controls, ("refuse", "held")),
            "tolerance_pu": _number("tolerance_pu", tolerance_pu),
            "max_iterations": int(_number("max_iterations", max_iterations)),
        }
        loads = self._result["loads"] if self._result else {}
        self._open(options, loads)
        return self

    def edit(self, loads: Mapping[str, Any] | None = None, *, mode: str = "set") -> Feeder:
        """Solves with other loads, which then apply; returns the feeder itself.

        `loads` maps names of loads to kW over all phases (at constant power factor), or to pairs of kW and kvar. Loads
        that are not named are unchanged; `mode="replace"` returns them to the case, so that `edit({}, mode="replace")`
        undoes all edits. The proportions of the phases are constant.

        Raises EditError for an unknown load or an invalid power, and the errors of `solve`.
        """
        one_of("mode", mode, ("set", "replace"))
        if loads is not None and not isinstance(loads, Mapping):
            raise ArgumentError("ARGUMENT.LOADS", f"loads must map names to kW, not {formatted(loads)}.")
        self._solved()
        known = {name.casefold(): name for name in self._naming[0]["loads"]} if self._naming else {}
        edits: dict[str, Any] = dict(self._result["loads"]) if self._result and mode == "set" else {}
        for name, value in (loads or {}).items():
            text = str(name).casefold()
            own = known.get(text) or known.get(f"load.{text}")
            if own is None:
                hint = meant(str(name), [one.removeprefix("load.") for one in known.values()])
                message = f"{self.name} has no load {formatted(name)}" + (f"; {hint}" if hint else ".")
                raise EditError("EDIT.UNKNOWN_LOAD", message)
            edits[own] = _power(name, value)
        if self._native is None:
            self._open(self._options, edits)
        else:
            with engine_errors():
                result, columns = parted(self._native.commit(json.dumps(edits)))
            self._take(self._naming, result, columns)
        return self

    @property
    def result(self) -> dict[str, Any]:
        """Summary of the result: `totals` (W, var), `lowest` and `highest` terminal, `most_unbalanced` bus,
        `iterations`, `certificate` with the residual of Kirchhoff's law in A, `options`, `held_controls`, `not_supplied` loads."""
        self._solved()
        assert self._result is not None
        return dict(self._result)

    @property
    def voltages(self) -> pd.DataFrame:
        """By bus and terminal: `voltage_v` to ground in V, `voltage_pu` (of the nominal voltage of the bus), `angle_deg` in degrees,
        `is_phase` (False for neutrals), `distance_m` from the source in m. NaN where no source reaches."""
        return self._voltages.copy()

    @cached_property
    def _voltages(self) -> pd.DataFrame:
        from ..tables.networks import voltages

        return voltages(*self._tables())

    @property
    def bus_voltages(self) -> pd.DataFrame:
        """By bus: `nominal_v` (phase to ground, V), `distance_m` of line from the nearest source (m), `vuf` (negative by positive sequence)."""
        return self._bus_voltages.copy()

    @cached_property
    def _bus_voltages(self) -> pd.DataFrame:
        from ..tables.networks import bus_voltages

        return bus_voltages(*self._tables())

    @property
    def currents(self) -> pd.DataFrame:
        """By element (`class.name`), end (1 or 2) and terminal: `bus`, `current_a` into the element in A, `angle_deg` in degrees."""
        return self._currents.copy()

    @cached_property
    def _currents(self) -> pd.DataFrame:
        from ..tables.networks import currents

        return currents(*self._tables())

    @property
    def sources(self) -> pd.DataFrame:
        """By source: `bus`, `p_w` and `q_var` where it is written (W, var), `emf_p_w` and `emf_q_var` before its impedance."""
        return self._sources.copy()

    @cached_property
    def _sources(self) -> pd.DataFrame:
        from ..tables.networks import sources

        return sources(*self._tables())

    @property
    def losses(self) -> pd.DataFrame:
        """By element: `p_w`, `q_var`, power that enters and does not leave (W, var); for capacitors and reactors, the power they draw."""
        return self._losses.copy()

    @cached_property
    def _losses(self) -> pd.DataFrame:
        from ..tables.networks import losses

        return losses(*self._tables())

    @property
    def loads(self) -> pd.DataFrame:
        """By load: `bus`, `p_kw` and `q_kvar` at nominal voltage with the edits, `drawn_kw` and `drawn_kvar` at the present one (kW, kvar)."""
        return self._loads.copy()

    @cached_property
    def _loads(self) -> pd.DataFrame:
        from ..tables.networks import loads

        return loads(*self._tables())

    def profile(self) -> Profile:
        """Voltage against distance from the source: a drawing in a notebook, `.segments` as a DataFrame."""
        from ..tables.networks import profile

        return Profile(profile(*self._tables()))

    def map(self) -> NoReturn:
        """Raises InputError `MAP.FEEDER`: a feeder has no map in a notebook; the message names the alternatives."""
        raise InputError(
            "MAP.FEEDER",
            "A feeder has no map in a notebook. feeder.profile() draws its voltages; JupyterLab and the page show as a map what "
            f'feeder.save("{files.component(self.id)}{SUFFIX}") writes.',
        )

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the result with its feeder as a Study file and returns its path; `open_feeder` opens it without solving, JupyterLab
        and the page as well, and `wattbook verify` solves it again.

        The name in `path` ends in `.study.json`, or in `.study.json.gz` for a packed file; in a folder the file is called
        `<id>.study.json.gz`. Raises InputError `OUTPUT.UNWRITABLE`, and `EXPORT.FORMAT` for another name.
        """
        target = files.target(path, self.id, PACKED_SUFFIX)
        if not target.name.endswith((SUFFIX, PACKED_SUFFIX)):
            raise InputError(
                "EXPORT.FORMAT", f"{target.name}: the name of a Study file ends in {SUFFIX} or {PACKED_SUFFIX}."
            )
        self._solved()
        if self._native is None:
            assert self._result is not None
            self._open(self._options, self._result["loads"])
        with engine_errors() as native:
            data = native.write_mc_study_bundle(self._native.saved(self.module_json), target.name.endswith(".gz"))
        return files.write(target, data, sync=True)

    def _solved(self) -> None:
        if self._result is None:
            self.solve()

    def _tables(self) -> tuple[tuple[dict[str, Any], Columns], Columns]:
        self._solved()
        assert self._naming is not None and self._columns is not None
        return self._naming, self._columns

    def _open(self, options: dict[str, Any], loads: Mapping[str, Any]) -> None:
        with engine_errors() as native:
            made = native.Feeder(self.module_json, json.dumps(options), json.dumps(loads))
            naming, answer = parted(made.rows()), parted(made.result())
        self._native, self._options = made, options
        self._take(naming, *answer)

    def _take(self, naming: Any, result: dict[str, Any], columns: Columns) -> None:
        self._naming, self._result, self._columns = naming, result, columns
        self._options = result["options"]
        for name in ("_voltages", "_bus_voltages", "_currents", "_sources", "_losses", "_loads"):
            self.__dict__.pop(name, None)

    def __repr__(self) -> str:
        from .feeder import distribution_line

        head = f"<Feeder {self.id}: {distribution_line(self)}>"
        if self._result is None:
            return f"{head}\nnot solved yet"
        lines = [f"{title:<18}{text}" for title, text in result_rows(self._result)]
        return "\n".join([head, *lines, *result_notes(self._result), NO_PRICES])

    def _repr_html_(self) -> str:

        return feeder_html(self.name, super()._repr_html_(), self._result)


class Profile:
    """The voltage profile of a feeder: `segments` has a row for each phase conductor, with both ends in km and per unit."""

    def __init__(self, segments: pd.DataFrame) -> None:
        self.segments = segments

    def __repr__(self) -> str:
        return f"<Profile of {len(self.segments)} conductors>"

    def _repr_svg_(self) -> str:

        return profile_svg(self.segments)


def _number(name: str, value: object) -> float:
    number = finite(value)
    if number is None:
        raise ArgumentError("ARGUMENT.NUMBER", f"{name} must be a finite number, not {formatted(value)}.")
    return number


def _power(name: str, value: Any) -> dict[str, float]:
    """A load's power: kW, or kW and kvar."""
    values = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    numbers = [finite(one) for one in values]
    if len(numbers) not in (1, 2) or None in numbers:
        raise EditError(
            "EDIT.LOAD_POWER",
            f"The power of load {formatted(name)} must be a number of kW, or kW and kvar, not {formatted(value)}.",
        )
    return dict(zip(("p_kw", "q_kvar"), numbers, strict=False))  # type: ignore[arg-type]


def _terminal(at: Mapping[str, Any] | None) -> str:
    return (
        "none"
        if at is None
        else f"{at['voltage_pu']:.4f} pu ({at['voltage_v']:,.1f} V) at {at['bus']}.{at['terminal']}"
    )


def result_rows(result: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The rows of a result, by title."""
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
    """HTML of a feeder with its result."""
    if result is None:
        return network
    head = f"<p><b>{isolated(name, name)}</b>, power flow</p>"
    return shown(f"{head}{table((), result_rows(result))}{notes([*result_notes(result), NO_PRICES])}")


def profile_svg(segments: pd.DataFrame) -> str:
    """The voltage profile as SVG, from segments with `phase`, `from_km`, `to_km`, `from_pu`, `to_pu`."""
    phases = sorted(segments["phase"].unique())
    far = float(segments[["from_km", "to_km"]].max().max()) or 1.0
    values = segments[["from_pu", "to_pu"]].to_numpy()
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    room = 0.05 * max(high - low, 0.01)
    low, high = low - room, high + room
    across, down = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def x(km: float) -> str:
        return f"{_LEFT + across * km / far:.1f}"

    def y(pu: float) -> str:
        return f"{_TOP + down * (high - pu) / (high - low):.1f}"

    grid, axis = [], 'fill="none" stroke="currentColor"'
    for pu in _ticks(low, high):
        grid.append(f'<path d="M{_LEFT} {y(pu)}h{across}" {axis} stroke-opacity="0.15"/>')
        grid.append(f'<text x="{_LEFT - 6}" y="{y(pu)}" text-anchor="end" dy="0.35em">{pu:.3f}</text>')
    for km in _ticks(0, far):
        grid.append(f'<text x="{x(km)}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">{km:g}</text>')
    lines, key = [], []
    for k, phase in enumerate(phases):
        own = segments[segments["phase"] == phase]
        d = "".join(
            f"M{x(a)} {y(c)}L{x(b)} {y(e)}"
            for a, b, c, e in own[["from_km", "to_km", "from_pu", "to_pu"]].itertuples(index=False)
            if c == c and e == e
        )
        stroke = f'stroke="{_COLOURS[min(k, 3)]}" stroke-dasharray="{_DASHES[min(k, 3)]}"'
        lines.append(f'<path d="{d}" fill="none" stroke-width="1.8" {stroke}/>')
        at = _LEFT + 100 * k
        key.append(f'<path d="M{at} 12h22" stroke-width="1.8" {stroke}/>')
        key.append(f'<text x="{at + 28}" y="12" dy="0.35em">phase {escaped(str(phase))}</text>')
    titles = (
        f'<text x="{_LEFT + across / 2:.0f}" y="{_HEIGHT - 6}" text-anchor="middle">distance from the source, km</text>'
        f'<text transform="translate(12 {_TOP + down / 2:.0f})rotate(-90)" text-anchor="middle">voltage, pu</text>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'style="max-width:100%;color:var(--jp-ui-font-color1,#333)" font-family="sans-serif" font-size="12" '
        f'role="img" aria-label="Voltage profile">'
        f'<g fill="currentColor">{"".join(grid)}{"".join(key)}{titles}</g>{"".join(lines)}</svg>'
    )


def _ticks(low: float, high: float) -> list[float]:
    """About five round numbers."""
    rough = (high - low) / 5
    power = 10 ** np.floor(np.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    return [float(n * step) for n in range(int(np.ceil(low / step)), int(np.floor(high / step)) + 1)]
