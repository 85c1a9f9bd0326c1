"""What the commands print: terminals obey control characters, so names of files and texts in them arrive without any."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import suppress
from typing import IO, Any, NoReturn

from ..errors import InputError
from ..text.words import visible


def print_lines(text: str) -> None:
    """Prints; a closed pipe (`| head`) is not an error. Raises InputError `OUTPUT.UNWRITABLE` where nothing can be printed."""
    _print(f"{_harmless(text)}\n")


def print_bytes(data: bytes) -> None:
    """Prints a file as it is. Errors as for `print_lines`."""
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
    """Python flushes once more at exit."""
    if stream is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def tell(text: str) -> None:
    """Prints to stderr, in the name of the program, if it can."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"wattbook: {_harmless(text)}", file=sys.stderr)


class Parser(argparse.ArgumentParser):
    """Its errors name what was typed, which a shell may have made of names of files; help that cannot be printed is an error."""

    def _print_message(self, message: str, file: Any = None) -> None:
        if file is None or file is not sys.stderr:
            _print(message)
        else:
            super()._print_message(message, file)

    def error(self, message: str) -> NoReturn:
        super().error(_harmless(message))


def _harmless(text: str) -> str:
    return "\n".join(visible(line) for line in text.split("\n"))
