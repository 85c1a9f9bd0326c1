"""The command `wattbook`: solves or converts a case, solves series and sweeps, verifies a saved Study, serves agents,
and starts the companion server or JupyterLab.

Exit codes: 0 success, 1 internal error, 2 bad input (file, edit, option) or an output that cannot be written, 3 no
solution; for `verify` also 4, a number differs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..arguments import shortened
from ..case.opening import open_case
from ..edits.edits import BRANCHES, GENERATORS, LINKS, STORAGE, Kind, edited_values, wire
from ..errors import EditError, InputError, SolveError, WattbookError
from ..files.kinds import JSON_TOKENS, TOKENS
from ..native import check_formulation, engine_errors, formulations
from ..network import Elements
from ..results.explanation import Line, explained
from ..study.study import Case
from ..study.verifying import Verification, verify
from ..tables.rows import parted, solve_response
from ..text import words
from ..text.words import certificate_lines
from ..threads import apart
from ..version import __version__
from . import completion, feeders, many, service_commands
from .conversion import add_parser, convert
from .options import EXIT_CODES, Parser, add_costs, in_options, print_lines, print_message, with_costs

if TYPE_CHECKING:
    from ..study.study import Study

#: The tables of a solution that `solve --csv` prints.
TABLES = ("buses", "branches", "generators", "links", "storage", "contingencies", "interfaces")
SOLVED, FAILED, BAD_INPUT, NO_SOLUTION = 0, 1, 2, 3
_EPILOG = f"Exit codes: {EXIT_CODES}."
#: Exit code for a Study that is not reproduced.
DIFFERS = 4
_VERIFY_EPILOG = "Exit codes: 0 every stored number is reproduced, 4 a number differs, 2 the file is damaged or not a Study, or the output cannot be written, 1 internal error."


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code."""
    try:
        return _run(argv)
    except InputError as error:  # the output is lost; other errors are reported below
        return _report(error, as_json=False)


def _run(argv: Sequence[str] | None) -> int:
    own, for_lab = service_commands.split(sys.argv[1:] if argv is None else argv)
    arguments = command_line().parse_args(_joined(own))
    if for_lab:
        arguments.options = for_lab
    if arguments.command == "completion":
        print_lines(completion.script(command_line(), arguments.shell))
        return SOLVED
    if arguments.command == "convert":
        return _convert(arguments)
    if arguments.command == "verify":
        return _verify(arguments)
    if arguments.command == "mcp":
        return _mcp(arguments)
    if arguments.command in ("series", "sweep"):
        return _many(arguments)
    if arguments.command in service_commands.COMMANDS:
        try:
            return service_commands.run(arguments)
        except WattbookError as error:
            return _report(error, as_json=False)
    if feeders.is_feeder(arguments):
        return _solve_feeder(arguments)
    try:
        case = with_costs(open_case(arguments.file, format=arguments.format), arguments.costs)
        if not arguments.json:
            for warning in case.warnings:
                print_message(f"warning: {warning}")
        request = _request(case, arguments)
    except WattbookError as error:
        return _report(error, arguments.json)
    try:
        if arguments.csv is not None:
            print_lines(_table(case, json.loads(request), arguments.csv))
            return SOLVED
        result = _solve(case, request)
    except SolveError as error:
        return _explain(case, arguments.formulation, request, error, arguments.json)
    except WattbookError as error:
        return _report(error, arguments.json)
    if arguments.save_solution is not None:
        try:
            result["saved"] = str(_save_solution(case, json.loads(request), arguments.save_solution))
        except WattbookError as error:
            return _report(error, arguments.json)
    print_lines(json.dumps(result, allow_nan=False) if arguments.json else _text(case, result))
    return SOLVED


def _solve_feeder(arguments: argparse.Namespace) -> int:
    try:
        if arguments.save_solution is not None:
            raise InputError("OPTION.MALFORMED", "--save-solution is not for feeders, whose results have no module.")
        if arguments.csv is not None:
            raise InputError("OPTION.MALFORMED", "--csv is not for feeders.")
        print_lines(feeders.solve(arguments))
    except WattbookError as error:
        return _report(error, arguments.json)
    return SOLVED


def _convert(arguments: argparse.Namespace) -> int:
    try:
        summary = convert(arguments)
        if summary is not None:
            print_lines(summary)
    except WattbookError as error:
        return _report(error, as_json=False)
    return SOLVED


def _verify(arguments: argparse.Namespace) -> int:
    try:
        text, code = _run_verify(arguments)
    except WattbookError as error:
        return _report(error, arguments.json)
    print_lines(text)
    return code


def _many(arguments: argparse.Namespace) -> int:
    try:
        text, complete = many.run(arguments)
    except WattbookError as error:
        return _report(error, arguments.json)
    except KeyboardInterrupt:
        print_message("interrupted; files keep what was written")
        return FAILED
    print_lines(text)
    return SOLVED if complete else NO_SOLUTION


def _mcp(arguments: argparse.Namespace) -> int:
    try:
        service_commands.run_mcp(arguments)
    except WattbookError as error:
        return _report(error, as_json=False)
    return SOLVED


def _joined(argv: Sequence[str]) -> list[str]:
    """Joins `--layout -89.2,40.2` into one word, because argparse takes a leading minus sign for an option."""
    parts = list(argv)
    for place, part in enumerate(parts[:-1]):
        if part == "--layout":
            parts[place : place + 2] = [f"--layout={parts[place + 1]}"]
            break
    return parts


def _formulation_help() -> str:
    try:
        return ", ".join(formulations()) + " (default dcopf)"
    except WattbookError:
        return "default dcopf"


def command_line() -> argparse.ArgumentParser:
    """Commands and options of `wattbook`."""
    parser: argparse.ArgumentParser = Parser(
        prog="wattbook",
        description="Locational marginal prices of power grids and their sensitivities.",
        epilog=_EPILOG,
    )
    parser.add_argument("--version", action="version", version=f"wattbook {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    solve = commands.add_parser("solve", help="solve a case and print the solution", epilog=_EPILOG)
    solve.add_argument("file", metavar="FILE", help="case file, or the id of a bundled case")
    solve.add_argument("--formulation", default="dcopf", help=_formulation_help())
    solve.add_argument(
        "--format",
        default=None,
        help=f"file format, if the extension does not determine it: {', '.join((*TOKENS, *JSON_TOKENS))}, module",
    )
    for name, what, quantity in (
        ("demand", "BUS=MW", "demand"),
        ("rating", "BRANCH=MW", "rating"),
        ("reactive", "BUS=MVAR", "reactive demand, which otherwise follows by the power factor (acpf, socwr),"),
    ):
        solve.add_argument(
            f"--{name}",
            action="append",
            default=[],
            metavar=what,
            help=f"change of the {quantity} from the base case; repeatable",
        )
    solve.add_argument(
        "--generator",
        action="append",
        default=[],
        metavar="ID:NAME=VALUE",
        help="value of a generator in place of the case's: p_min or p_max in MW, cost in $/MWh, status true or false; repeatable",
    )
    solve.add_argument(
        "--branch",
        action="append",
        default=[],
        metavar="ID:NAME=VALUE",
        help="value of a branch in place of the case's: rating in MW, x in per unit, tap, shift in degrees, status true or false; repeatable",
    )
    solve.add_argument(
        "--link",
        action="append",
        default=[],
        metavar="ID:NAME=VALUE",
        help="value of an HVDC link in place of the case's: p, p_min, p_max, loss in MW, loss_factor, cost in $/MWh, status true or false; repeatable",
    )
    solve.add_argument(
        "--storage",
        action="append",
        default=[],
        metavar="ID:NAME=VALUE",
        help="value of a storage unit in place of the case's: p, p_charge_max, p_discharge_max in MW, q in MVAr, charge_efficiency, discharge_efficiency, "
        "energy, energy_min, energy_max in MWh, energy_value in $/MWh, status true or false; repeatable",
    )
    solve.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="solver option, for instance dc_convention=matpower, storage=valued, for acpf dispatch=dcopf, slack=distributed, q_limits=true, "
        "set_point_pu=1.03; security, limits and soft as JSON, for instance 'security={\"outages\": [12, 40]}'; repeatable",
    )
    add_costs(solve)
    feeders.add_options(solve)
    solve.add_argument(
        "--save-solution",
        default=None,
        metavar="PATH",
        help="also write the solution module, a .json file or into a folder: network and result, which open without a solve",
    )
    solve.add_argument("--json", action="store_true", help="print the full response as JSON")
    solve.add_argument(
        "--csv",
        default=None,
        choices=TABLES,
        help="print a table of the solution as CSV, with the columns and units of the Python package",
    )
    many.add_parsers(commands)
    add_parser(commands)
    _add_verify_parser(commands)
    service_commands.add_mcp_parser(commands)
    service_commands.add_parsers(commands)
    completion.add_parser(commands)
    return parser


def _request(case: Case, arguments: argparse.Namespace) -> str:
    check_formulation(arguments.formulation)
    request = {
        "formulation": arguments.formulation,
        "options": _options(arguments.option),
        "edits": {
            "deltas": _changes(case._bus_keys, arguments.demand),
            "rates": _changes(case._branch_keys, arguments.rating),
            "reactive": _changes(case._bus_keys, arguments.reactive, "MVAr"),
            "generators": _values(GENERATORS, case._generator_keys, arguments.generator),
            "branches": _values(BRANCHES, case._branch_keys, arguments.branch),
            "links": _values(LINKS, case._link_keys, arguments.link),
            "storage": _values(STORAGE, case._storage_keys, arguments.storage),
        },
    }
    return json.dumps(request)


def _solve(case: Case, request: str) -> dict[str, Any]:
    """The response of a stateless solve, with the case and the extremes added."""
    with engine_errors() as native:
        response = solve_response(parted(native.solve_module(case.module_json, request)))
    about = {"id": case.id, "name": case.name, "sha256": case.sha256}
    warnings = [asdict(warning) for warning in case.warnings]
    return {"case": about, **response, "extremes": _extremes(response), "warnings": warnings}


def _save_solution(case: Case, request: dict[str, Any], path: str) -> Path:
    """Writes the solution module of a Study with the same edits."""
    return _study(case, request).save_solution(path)


def _table(case: Case, request: dict[str, Any], name: str) -> str:
    """A table of the solution, without the line end of its last row."""
    frame = getattr(_study(case, request).solution, name)
    return str(frame.to_csv(lineterminator="\n")).rstrip("\n")


def _study(case: Case, request: dict[str, Any]) -> Study:
    """A Study with the edits of the request."""
    study = case.study(request["formulation"], options=request["options"] or None)
    edits = dict(request["edits"])
    changes = {"demand": edits.pop("deltas"), "ratings": edits.pop("rates"), **edits}
    if any(changes.values()):
        study.commit(**changes)
    return study


def _options(pairs: Iterable[str]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for pair in pairs:
        name, mark, value = pair.partition("=")
        if not mark or not name:
            raise EditError(
                "OPTION.MALFORMED",
                f"{shortened(pair)} is not of the form NAME=VALUE, for instance dc_convention=matpower.",
            )
        options[name.strip()] = _option_value(value.strip())
    return options


def _option_value(text: str) -> Any:
    """A number, a boolean or a JSON object if the text is one, otherwise the text."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, (bool, int, float, dict)) and value == value else text


def _changes(elements: Elements, pairs: Iterable[str], unit: str = "MW") -> dict[str, float]:
    changes: dict[str, float] = {}
    for pair in pairs:
        key, mark, value = pair.rpartition("=")
        if not mark or not key:
            raise EditError(
                "EDIT.MALFORMED",
                f"{shortened(pair)} is not of the form {elements.kind.upper()}={unit.upper()}, for instance {elements.example}=10.",
            )
        try:
            number = float(value)
        except ValueError:
            raise EditError(
                "EDIT.MALFORMED", f"{shortened(value)} in {shortened(pair)} is not a valid value in {unit}."
            ) from None
        for name, mw in wire(elements.read({key: number})).items():
            changes[name] = changes.get(name, 0.0) + mw
    return changes


def _values(kind: Kind, elements: Elements, values: Iterable[str]) -> dict[str, dict[str, float | bool]]:
    """Values of generators, branches or links by id, from `ID:NAME=VALUE`."""
    changes: dict[str, dict[str, Any]] = {}
    for text in values:
        key, mark, value = text.partition("=")
        unit, colon, name = key.rpartition(":")
        if not (mark and colon and unit):
            raise EditError(
                "EDIT.MALFORMED",
                f"{shortened(text)} is not of the form ID:NAME=VALUE, for instance {elements.example}:{kind.names[0]}=100.",
            )
        changes.setdefault(unit, {})[name.strip()] = _option_value(value.strip())
    return {str(unit): dict(values) for unit, values in edited_values(kind, {}, elements, changes).items()}


def _extremes(response: dict[str, Any]) -> dict[str, Any]:
    """Lowest and highest LMP or voltage, most loaded branch, number of binding branches, if the formulation has them."""
    out: dict[str, Any] = {}
    prices, flows, voltages = response.get("prices"), response.get("flows"), response.get("vm")
    if voltages:
        out["voltage_min"] = min(voltages, key=lambda row: row["value"])
        out["voltage_max"] = max(voltages, key=lambda row: row["value"])
    if prices:
        out["price_min"] = min(prices, key=lambda row: row["value"])
        out["price_max"] = max(prices, key=lambda row: row["value"])
    if flows:
        out["loading_max"] = max(flows, key=lambda row: row["loading"])
        out["binding"] = sum(1 for row in flows if (row.get("shadow") or 0.0) > 0)
    return out


def _solved_as(result: dict[str, Any]) -> str:
    """The formulation and its options: `dcopf, susceptance convention powermodels`."""
    report, convention = result.get("power_flow"), result.get("dc_convention")
    chosen = "" if report is None else f", dispatch {report['dispatch']}, slack {report['slack']}"
    return str(result["formulation"]) + (f", susceptance convention {convention}" if convention else "") + chosen


def _text(case: Case, result: dict[str, Any]) -> str:
    extremes, certificate = result["extremes"], result["certificate"]
    lines = [
        f"{case.name} ({case.id}): {case._counts_text()}",
        f"status         {result['status']} ({_solved_as(result)})",
    ]
    prices = "price_min" in extremes
    if result.get("objective") is not None:
        lines.append(f"objective      {words.price(result['objective'])} $/h")
    for title, key in (("lowest price", "price_min"), ("highest price", "price_max")):
        if key in extremes:
            lines.append(f"{title:<15}{words.price(extremes[key]['value'])} $/MWh at bus {extremes[key]['bus']}")
    for title, key in (("lowest voltage", "voltage_min"), ("highest voltage", "voltage_max")):
        if key in extremes:
            lines.append(f"{title:<15} {extremes[key]['value']:.4f} pu at bus {extremes[key]['bus']}")
    if "loading_max" in extremes:
        flow = extremes["loading_max"]
        lines.append(
            f"most loaded    line {flow['branch']} at {words.percent(flow['loading'])} ({words.mw(flow['pf'])} MW"
            f"{', assumed rating' if case._branches['rating_assumed'][flow['branch']] else ''})"
            + (f", {words.count(extremes['binding'], 'line')} binding" if prices else "")
        )
    if result.get("power_flow") is not None:
        lines.append(f"losses         {words.mw(result['power_flow']['losses_mw'])} MW")
    checked = certificate_lines(certificate, result.get("power_flow"), result.get("slack"))
    lines += [f"{title:<15}{line}" for title, line in zip(("certificate", *[""] * len(checked)), checked, strict=False)]
    lines += [f"note           {note['message']}" for note in result.get("diagnostics", ())]
    if "saved" in result:
        lines.append(f"saved          {result['saved']}")
    return "\n".join(lines)


def _explain(case: Case, formulation: str, request: str, error: SolveError, as_json: bool) -> int:
    """Reports the error at once, then the minimum relaxation, which takes a search."""
    if not as_json:
        _report(error, as_json)
    if error.code not in ("SOLVE.INFEASIBLE", "SOLVE.UNBOUNDED"):
        return _report(error, as_json) if as_json else NO_SOLUTION
    try:
        with engine_errors() as native:
            run = apart(native.Job.explanation_of_module, case.module_json, request)
        explanation = explained(run, None, Line(), formulation)
    except WattbookError as failed:
        # The error applies, whatever the search returns.
        print_message(f"{in_options(failed)} [{failed.code}]")
        explanation = None
    except KeyboardInterrupt:
        print_message("interrupted; no minimum relaxation found")
        explanation = None
    if not as_json:
        if explanation is not None:
            print_message(f"{explanation.advice}")
        return NO_SOLUTION
    if explanation is not None:
        error.details = {**(error.details or {}), "explanation": explanation.body}
    return _report(error, as_json)


def _report(error: WattbookError, as_json: bool) -> int:
    message = in_options(error)
    if as_json:
        body = {"code": error.code, "error": message, "element": error.element, "details": error.details}
        print_lines(json.dumps({key: value for key, value in body.items() if value is not None}))
    print_message(f"{message} [{error.code}]")
    if isinstance(error, SolveError):
        return NO_SOLUTION
    return BAD_INPUT if isinstance(error, (InputError, EditError)) else FAILED


def _add_verify_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Adds `wattbook verify`."""
    parser = commands.add_parser(
        "verify", help="solve every state of a saved Study again and compare all numbers", epilog=_VERIFY_EPILOG
    )
    parser.add_argument("file", metavar="FILE", help="Study file (.study.json, .study.json.gz)")
    parser.add_argument("--json", action="store_true", help="print the comparison as JSON")


def _run_verify(arguments: argparse.Namespace) -> tuple[str, int]:
    """The text of `wattbook verify`, and the exit code. Raises InputError `STUDY_FILE.*`."""
    found = verify(arguments.file)
    text = json.dumps(_verification_body(found)) if arguments.json else "\n".join([str(found), *found.differences])
    return text, 0 if found.reproduces else DIFFERS


def _verification_body(found: Verification) -> dict[str, Any]:
    def rows(frame: Any) -> dict[str, Any]:
        return {
            id: {key: value for key, value in row.items() if value is not None and value == value}
            for id, row in frame.astype(object).where(frame.notna(), None).to_dict("index").items()
        }

    return {
        "title": found.title,
        "reproduces": found.reproduces,
        "producer": found.producer,
        "states": rows(found.states),
        "plans": rows(found.plans),
    }
