"""The commands `wattbook series` and `wattbook sweep`: many steps or scenarios, read from text files with one row each,
with tables as Parquet files."""

from __future__ import annotations

import argparse
import codecs
import io
import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..arguments import shortened
from ..case.opening import open_case
from ..edits.profiles import LABELS, kind_of
from ..errors import EditError, InputError
from ..files.files import content
from ..native import engine_errors
from ..study.study import Case
from ..tables.rows import parted
from ..text import words
from ..text.words import visible
from .options import EXIT_CODES, add_costs, print_message, with_costs

if TYPE_CHECKING:
    import pandas as pd

    from ..results.series import SolvedSeries

_EPILOG = f"Exit codes: {EXIT_CODES} in at least one step or scenario."
_COMMENTS = ("//", "!", "#")


def add_parsers(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds both commands."""
    series = commands.add_parser("series", help="solve every step of a demand or rating profile", epilog=_EPILOG)
    _shared(series)
    series.add_argument(
        "--demand",
        metavar="CSV",
        help="demand: a row for each step, with its label in a first column called time, date, hour, step, snapshot or period; "
        "then a column for each bus (30, bus 30 or its uid), area (area 2) or zone (zone 5), or one for the system",
    )
    series.add_argument("--ratings", metavar="CSV", help="ratings: the same by line")
    series.add_argument("--units", metavar="CSV", help="availability of units, 0 to 1: the same by generator")
    series.add_argument("--synthetic", type=int, metavar="HOURS", help="a synthetic demand profile of that many hours")
    series.add_argument(
        "--by",
        default=None,
        help="what the columns of demand are: bus, area, zone, system (default: what their names say)",
    )
    series.add_argument("--unit", default="MW", help="MW (default) or pu, multiples of the base case")
    series.add_argument("--threads", type=int, default=None, help="number of threads (default: that of the processors)")
    sweep = commands.add_parser("sweep", help="solve many scenarios", epilog=_EPILOG)
    _shared(sweep)
    sweep.add_argument(
        "--scenarios",
        metavar="FILE",
        help='CSV with a row for each and columns such as demand:30, ratings:5, outages:12, units:1, costs:1, name, or outages with the lines that are out, divided by spaces; or JSON, [{"demand": {"30": 10}}]',
    )
    sweep.add_argument("--outages", action="store_true", help="one scenario for the outage of each line")
    sweep.add_argument(
        "--executor", default="threads", choices=("threads", "processes", "dask"), help="default threads"
    )
    sweep.add_argument(
        "--scheduler", default=None, metavar="ADDRESS", help="of Dask; without it a cluster of this machine"
    )


def _shared(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="case file, or the id of a bundled case")
    parser.add_argument("--formulation", default="dcopf", help="dcopf (default), acpf, socwr")
    parser.add_argument("--format", default=None, help="file format, if the extension does not determine it")
    add_costs(parser)
    parser.add_argument(
        "--table",
        action="append",
        default=[],
        metavar="NAME",
        help="a table for --out: prices, flows, loading, shadow, dispatch, voltages; repeatable",
    )
    parser.add_argument("--out", default=None, metavar="FOLDER", help="folder for Parquet files of the tables")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")


def run(arguments: argparse.Namespace) -> tuple[str, bool]:
    """The text to print, and whether every step or scenario has a solution."""
    if arguments.table and arguments.out is None:
        raise InputError(
            "OPTION.MALFORMED", "--table names a table for the folder of --out: give --out FOLDER as well."
        )
    case = with_costs(open_case(arguments.file, format=arguments.format), arguments.costs)
    if not arguments.json:
        for warning in case.warnings:
            print_message(f"warning: {warning}")
    found = _series(case, arguments) if arguments.command == "series" else _sweep(case, arguments)
    return (
        json.dumps(_body(found, arguments.out)) if arguments.json else _text(found, arguments.out)
    ), found.failures.empty


def _series(case: Case, arguments: argparse.Namespace) -> SolvedSeries:
    tables: dict[str, Any] = {}
    by: Any = arguments.by or "bus"
    if arguments.demand is not None:
        tables["demand"], by = demand_table(case, arguments.demand, arguments.by, arguments.unit)
    if arguments.ratings is not None:
        tables["ratings"] = element_table(arguments.ratings)
    if arguments.units is not None:
        tables["units"] = element_table(arguments.units)
    if arguments.synthetic is not None:
        if arguments.demand is not None:
            raise InputError("OPTION.MALFORMED", "Give --demand or --synthetic, not both.")
        tables["demand"] = case.synthetic_demand(arguments.synthetic)
    with _counted() as progress:
        return case.study(arguments.formulation).series(
            **tables,
            by=by,
            unit=arguments.unit,
            threads=arguments.threads,
            tables=arguments.table or None,
            parquet=arguments.out,
            progress=progress,
        )


def _sweep(case: Case, arguments: argparse.Namespace) -> SolvedSeries:
    from ..study.sweep import sweep

    if (arguments.scenarios is None) == (not arguments.outages):
        raise InputError("OPTION.MALFORMED", "Give --scenarios FILE or --outages.")
    scenarios: Any
    if arguments.outages:
        lines = case._branches[case._branches["in_service"] & case._branches["editable"]].index
        scenarios = [{"name": f"line {line} out", "outages": [line]} for line in lines]
    else:
        scenarios = _scenarios(arguments.scenarios)
    tables = arguments.table or (() if arguments.out is None else None)
    with _executor(arguments) as executor, _counted() as progress:
        study = case.study(arguments.formulation)
        return sweep(study, scenarios, executor, progress, tables=tables, parquet=arguments.out)


@contextmanager
def _executor(arguments: argparse.Namespace) -> Iterator[Any]:
    if arguments.executor != "dask":
        if arguments.scheduler:
            raise EditError(
                "OPTION.MALFORMED", "--scheduler is the address of a Dask scheduler: give --executor dask as well."
            )
        yield arguments.executor
        return
    try:
        from distributed import Client
    except ImportError:
        raise InputError("OPTION.MALFORMED", "--executor dask needs Dask: pip install 'dask[distributed]'.") from None
    # Local processes have no dashboard, which would need a port.
    own = {} if arguments.scheduler else {"processes": True, "threads_per_worker": 1, "dashboard_address": None}
    try:
        client = Client(arguments.scheduler, **own)
    except (OSError, ValueError) as error:
        raise InputError(
            "OPTION.MALFORMED",
            f"No Dask scheduler answers at {shortened(arguments.scheduler or 'this machine')}: {error}.",
        ) from None
    with client:
        yield client


@contextmanager
def _counted() -> Iterator[Any]:
    """A counter on stderr, updated once a second if that is a terminal."""
    last = [time.monotonic()]
    terminal = sys.stderr is not None and sys.stderr.isatty()

    def report(fraction: float | None, solved: int) -> None:
        if terminal and time.monotonic() - last[0] > 1:
            last[0] = time.monotonic()
            share = "" if fraction is None else f" ({words.percent(fraction)})"
            print(f"\rwattbook: {solved:,} solved{share}", end="", file=sys.stderr, flush=True)

    yield report
    if terminal:
        print("\r\x1b[K", end="", file=sys.stderr)


def _scenarios(path: str) -> Any:
    if Path(path).suffix.lower() == ".json":
        _, data = content(path)
        try:
            return json.loads(data)
        except ValueError as error:
            raise InputError("INPUT.FORMAT", f"{path} is not JSON: {error}.") from None
    frame = scenario_table(path)
    if "name" in frame.columns:
        frame = frame.set_index("name")
    frame = _with_outages(frame)
    pairs = [str(column).partition(":") for column in frame.columns]
    wrong = next(("".join(pair) for pair in pairs if not pair[1]), None)
    if wrong is not None:
        raise EditError(
            "SWEEP.MALFORMED",
            f"Column {wrong!r} of {path} is not of the form KIND:ELEMENT, for instance demand:30; outages alone lists lines.",
        )
    import pandas as pd

    frame.columns = pd.MultiIndex.from_tuples([(kind.strip(), element.strip()) for kind, _, element in pairs])
    return frame


def _with_outages(frame: pd.DataFrame) -> pd.DataFrame:
    """Splits a column `outages`, which lists the lines out of service in each scenario, divided by spaces, into one
    column per line."""
    if "outages" not in frame.columns:
        return frame
    listed = [_lines_out(cell) for cell in frame["outages"]]
    named = dict.fromkeys(line for lines in listed for line in lines)
    flags = {f"outages:{line}": [int(line in lines) for lines in listed] for line in named}
    return frame.drop(columns="outages").assign(**flags)


def _lines_out(cell: Any) -> list[str]:
    """Integers are floats in a column in which another scenario has no outage."""
    if isinstance(cell, float):
        return [] if cell != cell else [f"{cell:g}"]
    return str(cell).replace(";", " ").replace(",", " ").split()


def _text(found: SolvedSeries, out: str | None) -> str:
    lines = [str(found)]
    objective = found.objective.dropna()
    if len(objective):
        lines.append(
            f"objective      {words.price(objective.min())} to {words.price(objective.max())} $/h, mean {words.price(objective.mean())}"
        )
    lines += [f"no solution    {name}: {row.message} [{row.code}]" for name, row in found.failures.head(5).iterrows()]
    if len(found.failures) > 5:
        lines.append(f"               and {words.count(len(found.failures) - 5, 'other')}")
    if out is not None:
        lines.append(f"saved          {Path(out)}")
    return "\n".join(lines)


def _body(found: SolvedSeries, out: str | None) -> dict[str, Any]:
    objective = found.objective.dropna()
    failures = [
        {"name": str(name), "code": row.code, "message": row.message} for name, row in found.failures.iterrows()
    ]
    return {
        "case": {"id": found.case.id, "sha256": found.case.sha256},
        "formulation": found.formulation,
        "solved": len(found) - len(found.failures),
        "failures": failures,
        "objective": None
        if objective.empty
        else {"min": float(objective.min()), "mean": float(objective.mean()), "max": float(objective.max())},
        "seconds": found.seconds,
        "warnings": [{"code": warning.code, "message": warning.message} for warning in found.case.warnings],
        "saved": out,
    }


def demand_table(case: Case, path: str, by: str | None, unit: str) -> tuple[pd.DataFrame, str]:
    """Demand by step in `unit`, and the element kind of its columns, by default from their names.

    The engine reads MW, as in the page, and shares them among buses. Raises EditError `PROFILE.MALFORMED`,
    `BUS.UNKNOWN`; InputError as for reading files.
    """
    data, text, delimiter = _checked(path)
    if by is None and unit == "MW":
        return _of_engine(case, data), "bus"
    table = _table(path, text, delimiter)
    kinds = {kind_of(case, name) for name in table.columns}
    return table, by or (kinds.pop() if len(kinds) == 1 else "bus")


def element_table(path: str) -> pd.DataFrame:
    """Numbers by step and branch or generator. Errors as for `demand_table`."""
    _, text, delimiter = _checked(path)
    return _table(path, text, delimiter)


def scenario_table(path: str) -> pd.DataFrame:
    """One row per scenario with the columns of the file. Raises InputError `INPUT.FORMAT`, and as for reading files."""
    import pandas as pd

    text = _decoded(content(path)[1])
    delimiter = _delimiter(text.partition("\n")[0])
    try:
        table = pd.read_csv(io.StringIO(text), sep=delimiter, skipinitialspace=True)
    except ValueError as error:
        raise InputError("INPUT.FORMAT", f"{visible(path)} cannot be read as CSV: {error}.") from None
    return table.apply(_with_points) if delimiter == ";" else table


def _with_points(column: pd.Series) -> pd.Series:
    """Numbers of a file with semicolons as separators, which may use decimal commas; texts are unchanged."""
    import pandas as pd

    points = column.map(lambda cell: cell.replace(",", ".") if isinstance(cell, str) else cell)
    numbers = pd.to_numeric(points, errors="coerce")
    return numbers if numbers.isna().equals(column.isna()) else column


def _delimiter(header: str) -> str:
    return max(";\t,", key=header.count)


def _decoded(data: bytes) -> str:
    """The text of a file as the engine decodes it: UTF-8, or else Latin-1. Raises InputError `INPUT.ENCODING`."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in data:
        raise InputError("INPUT.ENCODING", words.message("file.encoding"))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _checked(path: str) -> tuple[bytes, str, str]:
    """The bytes of a file whose first column holds the labels, its text without comments, and its delimiter."""
    _, data = content(path)
    lines = [line for line in io.StringIO(_decoded(data)) if line.strip() and not line.lstrip().startswith(_COMMENTS)]
    header = lines[0] if lines else ""
    delimiter = _delimiter(header)
    first = header.partition(delimiter)[0].strip().strip("\"'").strip()
    if not header:
        raise EditError("PROFILE.MALFORMED", f"{visible(path)} is empty.")
    if not first and delimiter in header:  # `DataFrame.to_csv` writes an index without a name like this
        lines[0] = f"step{delimiter}{header.partition(delimiter)[2]}"
        data = "".join(lines).encode()
    elif not LABELS.fullmatch(first):
        raise EditError(
            "PROFILE.MALFORMED",
            "The first column must hold the labels of the steps and be called time, date, hour, step, snapshot or period, "
            f"or have no name; it is called {visible(first[:60])}.",
        )
    return data, "".join(lines), delimiter


def _of_engine(case: Case, data: bytes) -> pd.DataFrame:
    import pandas as pd

    with engine_errors():
        head, columns = parted(case._opened.read_profile(data))
    steps = _index(head["steps"])
    return pd.DataFrame(columns["demand_mw"].values.reshape(len(steps), -1), index=steps, columns=head["buses"])


def _table(path: str, text: str, delimiter: str) -> pd.DataFrame:
    """Cells by step. Column names may repeat."""
    import pandas as pd

    try:
        cells = pd.read_csv(io.StringIO(text), sep=delimiter, header=None, dtype=str, keep_default_na=False)
    except ValueError as error:
        raise InputError("INPUT.FORMAT", f"{visible(path)} cannot be read as CSV: {error}.") from None
    cells = cells.apply(lambda column: column.str.strip())
    names, rows = cells.iloc[0, 1:].tolist(), cells.iloc[1:]
    table = rows.iloc[:, 1:].set_axis(names, axis=1).set_axis(_index(rows[0].tolist()), axis=0)
    # As in the engine: with semicolons, commas are decimal commas.
    return table.apply(lambda column: column.str.replace(",", ".")) if delimiter == ";" else table


def _index(labels: list[str]) -> pd.Index:
    """Labels of steps, as integers if all are integers."""
    import pandas as pd

    return pd.Index([int(label) for label in labels] if all(map(str.isdecimal, labels)) else labels)
