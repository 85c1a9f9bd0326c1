"""Common parts of the commands: exit codes, messages with options in place of arguments, the option `--costs`, and
printing. File names and texts are printed without control characters, which terminals obey."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Any, NoReturn

from ..errors import EditError, InputError, WattbookError
from ..study.study import Case
from ..text.words import visible

EXIT_CODES = (
    "0 success, 1 internal error, 2 bad input (file, edit, option) or an output that cannot be written, 3 no solution"
)
_COSTS = 'costs of units, assumed: "typical", a CSV file, or FUEL=COST and UNIT=COST in $/MWh, with commas between; repeatable'


def in_options(error: WattbookError, option: str = "--format") -> str:
    """The message of an error, with options of the command in place of Python arguments."""
    return error.advised.for_command(option) if error.advised else error.message


def add_costs(parser: argparse.ArgumentParser) -> None:
    """Adds `--costs`."""
    parser.add_argument("--costs", action="append", default=[], metavar="COSTS", help=_COSTS)


def _parts(given: list[str]) -> Iterator[str]:
    """The parts of `--costs`: commas separate named costs, but may be part of a file name."""
    for one in given:
        yield from one.split(",") if "=" in one else (one,)


def cost_files(given: list[str]) -> list[str]:
    """The parts of `--costs` that may be files."""
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


def print_lines(text: str) -> None:
    """Prints; a closed pipe (`| head`) is not an error. Raises InputError `OUTPUT.UNWRITABLE` if printing fails."""
    _print(f"{_harmless(text)}\n")


def print_bytes(data: bytes) -> None:
    """Prints the bytes of a file. Errors as for `print_lines`."""
    _print(data)


def _print(content: str | bytes) -> None:
    try:
        if sys.stdout is None:
            raise OSError("it is closed")
        if isinstance(content, bytes):
            sys.stdout.flush()
            sys.stdout.buffer.write(content)
        else:
            sys.stdout.write(content)
        sys.stdout.flush()
    except BrokenPipeError:
        _give_up(sys.stdout)
    except OSError as error:
        _give_up(sys.stdout)
        why = error.strerror or str(error)
        raise InputError("OUTPUT.UNWRITABLE", f"The standard output cannot be written: {why}.") from None


def _give_up(stream: IO[str] | None) -> None:
    """Redirects the stream, because Python flushes it again at exit."""
    if stream is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def print_message(text: str) -> None:
    """Prints to stderr, prefixed with the program's name, if possible."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"wattbook: {_harmless(text)}", file=sys.stderr)


class Parser(argparse.ArgumentParser):
    """A parser whose errors name the typed text, which a shell may have expanded to file names; help that cannot be
    printed is an error."""

    def _print_message(self, message: str, file: Any = None) -> None:
        if file is None or file is not sys.stderr:
            _print(message)
        else:
            super()._print_message(message, file)

    def error(self, message: str) -> NoReturn:
        super().error(_harmless(message))


def _harmless(text: str) -> str:
    return "\n".join(visible(line) for line in text.split("\n"))
