"""The option `--costs` of commands that read a case."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ..errors import EditError
from ..study.study import Case

_COSTS = 'costs of units, assumed: "typical", a CSV file, or FUEL=COST and UNIT=COST in $/MWh, with commas between; repeatable'


def add_costs(parser: argparse.ArgumentParser) -> None:
    """Adds `--costs`."""
    parser.add_argument("--costs", action="append", default=[], metavar="COSTS", help=_COSTS)


def _parts(given: list[str]) -> Iterator[str]:
    """What `--costs` names, one by one: commas divide costs by name, and not the name of a file."""
    for one in given:
        yield from one.split(",") if "=" in one else (one,)


def cost_files(given: list[str]) -> list[str]:
    """What `--costs` names that may be a file."""
    return [one for one in _parts(given) if "=" not in one]


def with_costs(case: Case, given: list[str]) -> Case:
    """The case with the costs of `--costs`. Raises EditError `COST.MALFORMED`."""
    named: dict[str, float] = {}
    for one in _parts(given):
        name, mark, value = one.partition("=")
        if not mark:
            case = case.with_costs(one)
            continue
        try:
            named[name.strip()] = float(value)
        except ValueError:
            raise EditError("COST.MALFORMED", f"{one!r} is not of the form FUEL=COST, for instance gas=30.") from None
    return case.with_costs(named) if named else case
