"""Writes the reference of the command `wattbook` as one page in Markdown, from the parsers of the command itself."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from wattbook.cli.command import command_line


def cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def shown(action: argparse.Action) -> str:
    """An option with its value, or the name of a positional argument."""
    value = action.metavar or (None if action.nargs == 0 else action.dest.upper())
    if action.choices is not None and action.metavar is None:
        value = "{" + ",".join(map(str, action.choices)) + "}"
    names = ", ".join(action.option_strings)
    return f"`{' '.join(part for part in (names, str(value) if value else '') if part)}`"


def rows(parser: argparse.ArgumentParser) -> list[str]:
    actions = [action for action in parser._actions if not isinstance(action, argparse._SubParsersAction)]
    lines = [f"| {shown(action)} | {cell((action.help or '') % vars(action))} |" for action in actions]
    return ["| Argument | Meaning |", "|---|---|", *lines] if lines else []


def usage(parser: argparse.ArgumentParser) -> str:
    return f"```text\n{parser.format_usage().removeprefix('usage: ').rstrip()}\n```"


def closing(parser: argparse.ArgumentParser) -> str:
    """The text below the options: exit codes, or preformatted text."""
    text = (parser.epilog or "").strip()
    return f"```text\n{text}\n```" if "\n" in text else text


def page() -> str:
    parser = command_line()
    commands = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    short = {action.dest: action.help or "" for action in commands._choices_actions}
    parts = [
        "# Command-line reference",
        "What `wattbook --help` and `wattbook COMMAND --help` print. The command comes with the Python package.",
        "\n".join(
            [
                "| Command | Does |",
                "|---|---|",
                *(f"| [`{name}`](#{name}) | {cell(what)} |" for name, what in short.items()),
            ]
        ),
        closing(parser),
    ]
    for name, own in commands.choices.items():
        about = (own.description or short[name]).strip()
        parts += [
            f"## {name}",
            f"{about[0].upper()}{about[1:].rstrip('.')}.",
            usage(own),
            "\n".join(rows(own)),
            closing(own),
        ]
    return "\n\n".join(part for part in parts if part) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
