"""The command `wattbook completion`: a script that completes commands, options and file names in a shell."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

SHELLS = ("bash", "fish", "zsh")
_FILES = ("FILE", "PATH", "CSV")
_FOLDERS = ("FOLDER",)
_EPILOG = """To load it in each new shell:
  bash  wattbook completion bash > ~/.local/share/bash-completion/completions/wattbook
  fish  wattbook completion fish > ~/.config/fish/completions/wattbook.fish
  zsh   wattbook completion zsh > FOLDER/_wattbook, in a folder of $fpath

Exit codes: 0 success, 1 internal error, 2 bad input or an output that cannot be written."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    own = commands.add_parser(
        "completion",
        help="print a script that completes this command in a shell",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    own.add_argument("shell", choices=SHELLS, help="the shell that reads the script")


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The script for `parser` and its commands."""
    import shtab

    for action in _actions(parser):
        if action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar in _FOLDERS:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    return _with_own_header(str(shtab.complete(parser, shell)))


def _with_own_header(text: str) -> str:
    """Replaces the folders of shtab's header by those of `--help`, which the shells read."""
    before, usage, rest = text.partition("# Usage:\n")
    _, also, script = rest.partition("# See also:")
    if not usage or not also:
        return text
    return f"{before}# `wattbook completion --help` says where shells read this.\n{script.partition(chr(10))[2]}"


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for own in action.choices.values():
                yield from _actions(own)
