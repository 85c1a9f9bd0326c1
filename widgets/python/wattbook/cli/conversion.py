"""The command `wattbook convert`: reads a file, adds positions on request, and writes another format."""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

from ..case.feeder import Distribution, open_distribution
from ..case.opening import open_case
from ..errors import ExportWarning, InputError, WattbookError
from ..files import kinds
from ..files.export import export_formats, export_target
from ..files.files import component, is_file, is_folder, path_of
from ..study.study import Case
from ..text import words
from .options import EXIT_CODES, add_costs, cost_files, in_options, print_bytes, print_message, with_costs

_GEOGRAPHY = (".geojson", ".geo.json")

STANDARD_OUTPUT = "-"


def convert(arguments: argparse.Namespace) -> str | None:
    """Runs the command and returns its summary line, None if the file itself has gone to the standard output. Warnings
    go to the standard error.

    Raises InputError as `open_case`, `open_distribution`, `with_geography`, `with_layout` and `export` do, and
    `OUTPUT.IS_INPUT` if the output would replace an input file.
    """
    if arguments.geography and arguments.layout:
        raise InputError("INPUT.PLACEMENT", "Give --geography or --layout, not both.")
    network = _priced(_opened(arguments.file, arguments.from_), arguments.costs)
    for warning in network.warnings:
        _report(str(warning))
    if arguments.geography:
        network = network.with_geography(arguments.geography)
        _report(str(network.geo_report), "note")
        for note in network.geo_report.notes[:5] if network.geo_report else ():
            _report(str(note))
    if arguments.layout:
        network = network.with_layout(_centre(arguments.layout))
    if arguments.out == STANDARD_OUTPUT:
        print_bytes(_content(network, arguments.format))
        return None
    _check_inputs(arguments, _target(network, arguments.out, arguments.format))
    written = _written(network, arguments.out, arguments.format)
    return f"{written}: {_counts(network)}, {words.count(written.stat().st_size, 'byte')}"


def _opened(file: str, format: str | None) -> Case | Distribution:
    """The case or distribution network in a file."""
    if format in kinds.DISTRIBUTION_TOKENS:
        return open_distribution(file, format=format)
    try:
        return open_case(file, format=format)
    except InputError as error:
        if error.details == {"kind": "distribution"}:
            return open_distribution(file, format=format)
        if error.code != "INPUT.FORMAT":
            raise
        message = in_options(error, "--from")
        raise InputError(error.code, message, element=error.element, details=error.details) from None


def _priced(network: Case | Distribution, costs: list[str]) -> Case | Distribution:
    """The case with the costs of `--costs`."""
    if not costs:
        return network
    if isinstance(network, Distribution):
        raise InputError("OPTION.MALFORMED", "--costs is not for distribution networks, whose sources have no costs.")
    return with_costs(network, costs)


def _content(network: Case | Distribution, format: str | None) -> bytes:
    """The content of the output file."""
    if isinstance(network, Distribution):
        if format not in (None, "module"):
            raise InputError("EXPORT.FORMAT", "A distribution network can be written as a module: --format module.")
        return network._module_json.encode()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ExportWarning)
        data = network.export(None, format)
    for warning in caught:
        _report(str(warning.message))
    return data


def _written(network: Case | Distribution, out: str, format: str | None) -> Path:
    where = path_of(out)
    if format is None and where.name.lower().endswith(_GEOGRAPHY):
        return network.save_geojson(out)
    if format in (None, "module") and (where.suffix.lower() == ".json" and (format or _is_module(where, network))):
        return network.save(out)
    if isinstance(network, Distribution):
        raise InputError(
            "EXPORT.FORMAT",
            f"A distribution network can be written as a module, {component(network.id)}{kinds.MODULE_SUFFIX}, or as .geo.json.",
        )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ExportWarning)
        written = network.export(out, format)
    for warning in caught:
        _report(str(warning.message))
    return written


def _target(network: Case | Distribution, out: str, format: str | None) -> Path:
    """The output file; in a folder it is named after the case."""
    where = path_of(out)
    return export_target(out, network.id, format) if format is not None and is_folder(where) else where


def _check_inputs(arguments: argparse.Namespace, target: Path) -> None:
    read = [arguments.file, arguments.geography, *cost_files(arguments.costs)]
    for source in [path_of(one) for one in read if one]:
        if is_file(source) and is_file(target) and source.samefile(target):
            raise InputError("OUTPUT.IS_INPUT", f"{target} is read here and would be replaced: name another file.")


def _is_module(where: Path, network: Case | Distribution) -> bool:
    return where.name.lower().endswith(kinds.MODULE_SUFFIX) or isinstance(network, Distribution)


def _centre(text: str) -> tuple[float, float]:
    try:
        lon, lat = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError(
            "INPUT.PLACEMENT", f"{text!r} is not of the form LON,LAT in degrees, for instance --layout=-89.2,40.2."
        ) from None
    return lon, lat


def _counts(network: Case | Distribution) -> str:
    if isinstance(network, Distribution):
        return words.count(network.counts.get("buses", 0), "bus")
    return f"{words.count(network.counts['buses'], 'bus')}, {words.count(network.counts['branches'], 'branch')}"


def _report(text: str, what: str = "warning") -> None:
    print_message(f"{what}: {text}")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `convert` to the commands."""
    parser = commands.add_parser(
        "convert",
        help="write a case in another format or with positions",
        epilog=f"Exit codes: {EXIT_CODES}.",
    )
    parser.add_argument("file", metavar="FILE", help="case or distribution file, or the id of a bundled case")
    parser.add_argument(
        "out",
        metavar="OUT",
        help="file to write, none of those that are read, a folder or - for the standard output (both with --format); .geo.json writes the positions only",
    )
    parser.add_argument(
        "--format", default=None, help=f"format of OUT, if the extension does not determine it: {_tokens()}"
    )
    parser.add_argument(
        "--from", dest="from_", default=None, metavar="FORMAT", help="format of FILE, if it does not determine it"
    )
    parser.add_argument(
        "--geography", default=None, metavar="FILE", help="CSV, JSON or GeoJSON with positions and routes"
    )
    parser.add_argument(
        "--layout", default=None, metavar="LON,LAT", help="synthetic layout around this position, in degrees"
    )
    add_costs(parser)


def _tokens() -> str:
    try:
        formats = export_formats()
        again = ", ".join([*formats.index[formats["opens"]], "module"])
        return f"{again}; export only: {', '.join(formats.index[~formats['opens']])}"
    except WattbookError:  # --help works without the native engine
        return "see wb.export_formats()"
