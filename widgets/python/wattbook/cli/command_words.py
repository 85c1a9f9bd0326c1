"""Texts of the commands: exit codes, and messages of the package with options in place of arguments."""

from __future__ import annotations

from ..errors import WattbookError

EXIT_CODES = (
    "0 success, 1 internal error, 2 bad input (file, edit, option) or an output that cannot be written, 3 no solution"
)


def in_options(error: WattbookError, option: str = "--format") -> str:
    """The message of an error, with options of the command in place of Python arguments."""
    return error.advised.for_command(option) if error.advised else error.message
