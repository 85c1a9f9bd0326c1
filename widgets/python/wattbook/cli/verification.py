"""The command `wattbook verify`: whether this engine reproduces a saved Study."""

from __future__ import annotations

import argparse
import json
from typing import Any

from ..study.verifying import Verification, verify

#: Exit code for a Study that is not reproduced.
DIFFERS = 4
_EPILOG = "Exit codes: 0 every stored number is reproduced, 4 a number differs, 2 the file is damaged or not a Study, or the output cannot be written, 1 internal error."


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "verify", help="solve every state of a saved Study again and compare all numbers", epilog=_EPILOG
    )
    parser.add_argument("file", metavar="FILE", help="Study file (.study.json, .study.json.gz)")
    parser.add_argument("--json", action="store_true", help="print the comparison as JSON")


def run(arguments: argparse.Namespace) -> tuple[str, int]:
    """The text to print, and the exit code. Raises InputError `STUDY_FILE.*`."""
    found = verify(arguments.file)
    text = json.dumps(_body(found)) if arguments.json else "\n".join([str(found), *found.differences])
    return text, 0 if found.reproduces else DIFFERS


def _body(found: Verification) -> dict[str, Any]:
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
