"""`wattbook solve` of a multiconductor feeder."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from ..arguments import shortened
from ..case import catalogue
from ..case.feeder import NO_PRICES, Feeder, distribution_line, open_feeder, result_notes, result_rows
from ..errors import EditError, InputError, WattbookError
from ..files import files, kinds

#: Options of `solve` that do not apply to feeders.
_OTHER = ("demand", "rating", "reactive", "generator", "option")
#: Options that apply only to feeders.
_OWN = ("load", "source_impedance", "controls")


def add_options(solve: argparse.ArgumentParser) -> None:
    feeders = solve.add_argument_group("multiconductor feeders (.dss, distribution JSON)")
    feeders.add_argument(
        "--source-impedance",
        choices=("refuse", "branch"),
        default="refuse",
        help="solve with the impedance of a source, which is exact, or refuse it (default)",
    )
    feeders.add_argument(
        "--controls",
        choices=("refuse", "held"),
        default="refuse",
        help="hold taps, capacitors and switches as written, or refuse controls that act (default)",
    )
    feeders.add_argument(
        "--load",
        action="append",
        default=[],
        metavar="NAME=KW",
        help="power of a load over all phases, or NAME=KW,KVAR; repeatable",
    )


def is_feeder(arguments: argparse.Namespace) -> bool:
    """Whether the file is a multiconductor feeder, or an option of feeders is given."""
    if _own_option(arguments) is not None:
        return True
    if arguments.format is not None and kinds.kind_by_token(arguments.format) == "distribution":
        return True
    path = Path(arguments.file)
    return arguments.format is None and (path.suffix.lower() == ".dss" or _is_json_of_one(path))


def _own_option(arguments: argparse.Namespace) -> str | None:
    """The given option of feeders, or None."""
    given = (name for name in _OWN if getattr(arguments, name) not in ([], "refuse"))
    return next((f"--{name.replace('_', '-')}" for name in given), None)


def _is_case(arguments: argparse.Namespace) -> bool:
    """Whether the file is a balanced case: a bundled one, or one by its format, extension or contents."""
    if catalogue.has(arguments.file):
        return True
    path = Path(arguments.file)
    kind = kinds.kind_by_token(arguments.format) if arguments.format else kinds.kind_by_name(path)
    if kind == "json" and files.is_file(path):
        return not _is_json_of_one(path)
    return kind == "balanced"


def _is_json_of_one(path: Path) -> bool:
    if path.suffix.lower() != ".json" or not files.is_file(path):
        return False
    data = files.read(path)
    if b'"wattbook-mc-study"' in data[:200]:
        return True
    return kinds.classify(data)[0] == "distribution"


def solve(arguments: argparse.Namespace) -> str:
    """Solves the file of the command and returns the text to print."""
    own = _own_option(arguments)
    if own is not None and _is_case(arguments):
        raise InputError("OPTION.MALFORMED", f"{own} is for feeders; --demand BUS=MW changes a case.")
    used = next((name for name in _OTHER if getattr(arguments, name)), None)
    if used is not None:
        raise InputError("OPTION.MALFORMED", f"--{used} is not for feeders; --load NAME=KW changes a load.")
    feeder = open_feeder(arguments.file, format=arguments.format)
    controls, impedance = arguments.controls, arguments.source_impedance
    try:
        feeder.solve(source_impedance=impedance, controls=controls)
    except WattbookError as error:
        raise _in_options(error) from None
    loads = _loads(arguments.load)
    if loads:
        feeder.edit(loads)
    return _json(feeder) if arguments.json else _text(feeder)


def _loads(pairs: list[str]) -> dict[str, tuple[float, ...]]:
    loads = {}
    for pair in pairs:
        name, mark, value = pair.rpartition("=")
        try:
            loads[name] = tuple(float(part) for part in value.split(","))
        except ValueError:
            mark = ""
        if not mark or not name:
            raise EditError(
                "EDIT.MALFORMED",
                f"{shortened(pair)} is not of the form NAME=KW or NAME=KW,KVAR, for instance 671=1200.",
            )
    return loads


def _in_options(error: WattbookError) -> WattbookError:
    """A refusal with all its elements, and the command's options that resolve it."""
    refused = (error.details or {}).get("refused") if isinstance(error.details, dict) else None
    if not refused:
        return error
    options = sorted({one["option"] for one in refused if one.get("option")})
    flags = [
        f"--{name.replace('_', '-')} {value.strip()}"
        for name, _, value in (o.replace('"', "").partition(":") for o in options)
    ]
    hint = f" Options: {' '.join(flags)}." if flags and all(one.get("option") for one in refused) else ""
    lines = "".join(f"\n  {one['message']}" for one in refused[1:])
    message = f"{refused[0]['message']}{lines}" if lines else error.message
    return type(error)(error.code, f"{message}{hint}", details=error.details)


def _text(feeder: Feeder) -> str:
    result = feeder.result
    lines = [f"{feeder.name} ({feeder.id}): {distribution_line(feeder)}"]
    lines += [f"{title.lower():<18}{text}" for title, text in result_rows(result)]
    lines += [f"warning           {text}" for text in _missing(feeder)]
    lines += [f"note              {note}" for note in (*result_notes(result), NO_PRICES)]
    return "\n".join(lines)


def _missing(feeder: Feeder) -> list[str]:
    """Missing files that the script refers to."""
    return [warning.message for warning in feeder.warnings if warning.code == "INPUT.COMPANION"]


def _json(feeder: Feeder) -> str:
    """The result with its tables by row; null for rows that no source reaches."""
    tables: dict[str, Any] = {}
    for name in ("voltages", "currents", "sources", "losses", "loads"):
        frame = getattr(feeder, name)
        tables[name] = [
            {key: None if value != value else value for key, value in row.items()}
            for row in frame.reset_index().to_dict("records")
        ]
    about = {"id": feeder.id, "name": feeder.name, "sha256": feeder.sha256, "warnings": _missing(feeder)}
    return json.dumps({"feeder": about, "result": feeder.result, **tables}, allow_nan=False)
