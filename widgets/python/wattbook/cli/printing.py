"""What the commands print: terminals obey control characters, so names of files and texts in them arrive without any."""

from __future__ import annotations

import argparse
import os
import sys
from typing import NoReturn

from ..text.visible import visible


def print_lines(text: str) -> None:
    """Prints; a closed pipe (`| head`) is not an error."""
    try:
        print(_harmless(text), flush=True)
    except BrokenPipeError:
        # Python flushes once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def tell(text: str) -> None:
    """Prints to stderr, in the name of the program."""
    print(f"wattbook: {_harmless(text)}", file=sys.stderr)


class Parser(argparse.ArgumentParser):
    """Its errors name what was typed, which a shell may have made of names of files."""

    def error(self, message: str) -> NoReturn:
        super().error(_harmless(message))


def _harmless(text: str) -> str:
    return "\n".join(visible(line) for line in text.split("\n"))
