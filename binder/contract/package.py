"""Prints the public names of the Python package as lines of the contract: functions, classes, command line, environment."""

from __future__ import annotations

import argparse
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import wattbook as wb
from wattbook.cli.command import command_line

sys.path.insert(0, str(Path(__file__).parents[1] / "docs"))
from pythonReference import members

_KEYWORD = inspect.Parameter.KEYWORD_ONLY


def callable_lines(name: str, thing: Any) -> Iterator[str]:
    signature = inspect.signature(thing)
    yield f"{name} : member => {signature.return_annotation}"
    for place, (parameter, value) in enumerate(signature.parameters.items()):
        if parameter in ("self", "cls"):
            continue
        optional = value.default is not value.empty or value.kind in (value.VAR_KEYWORD, value.VAR_POSITIONAL)
        where = "" if value.kind == _KEYWORD else f" {place}"
        default = f" = {value.default!r}" if isinstance(value.default, (str, int, float, bool, type(None))) else ""
        yield f"{name}({parameter}) : parameter{'?' if optional else ''}{where} {value.annotation}{default}"


def member_lines(name: str, thing: Any) -> Iterator[str]:
    if isinstance(thing, property):
        yield f"{name} : member {inspect.signature(thing.fget).return_annotation}"
    else:
        plain = thing.__func__ if isinstance(thing, (classmethod, staticmethod)) else thing
        if inspect.isfunction(plain):
            yield from callable_lines(name, plain)
        else:
            yield f"{name} : member"


def package_lines() -> Iterator[str]:
    for name in wb.__all__:
        thing = getattr(wb, name)
        if inspect.isclass(thing):
            yield f"wb.{name} : member class"
            for member, value in members(thing):
                yield from member_lines(f"wb.{name}.{member}", value)
        elif inspect.isfunction(thing):
            yield from callable_lines(f"wb.{name}", thing)
        else:
            yield f"wb.{name} : member"


def command_lines(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    yield f"{name} : member"
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command, one in action.choices.items():
                yield from command_lines(f"{name} {command}", one)
        else:
            optional = "?" if not action.required or action.nargs in ("?", "*") else ""
            choices = "" if action.choices is None else f" {sorted(map(str, action.choices))}"
            yield f"{name}({'/'.join(action.option_strings) or action.dest}) : parameter{optional}{choices}"


def variable_lines() -> Iterator[str]:
    sources = Path(wb.__file__).parent.rglob("*.py")
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    for name in sorted(set(re.findall(r'^\w+ = "((?:SERVICE|WATTBOOK)_[A-Z_]+)"', text, re.MULTILINE))):
        yield f"environment of Python {name} : member"


if __name__ == "__main__":
    for line in (*package_lines(), *command_lines("wattbook", command_line()), *variable_lines()):
        print(line)
