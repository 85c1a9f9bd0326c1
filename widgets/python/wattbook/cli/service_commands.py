"""The commands `wattbook stage`, `serve` and `lab`: data for the companion server, the server by itself, JupyterLab with it."""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from ..case import staging
from ..errors import InputError

_STAGE = """Stages cases for the companion server. Without a folder: the bundled grids, in the user's data folder, where
JupyterLab looks for them, or in the temporary folder where that cannot be written; its path is printed. With one: the bundled
grids or, with --from, cases of your own are solved and written there, for SERVICE_DATA. Exit codes: 0 every case has a solution,
2 bad input and nothing written, 3 written although a case has no solution, 1 a failure."""
_SERVE = """Runs the companion server until Ctrl-C, with the bundled grids unless SERVICE_DATA names others. It serves them and, at
http://127.0.0.1:8000/, the map and the Study panel as a page. Settings are variables of the environment, for instance
SERVICE_PORT=9000 wattbook serve."""

#: The server's variables with their meanings and defaults, as in server/src/config.ts.
VARIABLES = (
    ("SERVICE_HOST", "address to listen on (127.0.0.1)"),
    ("SERVICE_PORT", "port to listen on (8000)"),
    ("SERVICE_SOCKET", "unix socket to listen on instead"),
    ("SERVICE_ALLOWED_HOSTS", "names by which it is reached, comma-separated, besides localhost and IP addresses"),
    ("SERVICE_DATA", "folder of staged cases"),
    ("SERVICE_ALLOW_FALLBACK", "1 serves two public benchmark cases when no data is staged"),
    ("SERVICE_CONTENT", "folder of the built page, served at /"),
    ("SERVICE_SERVER_COMPUTE", "1 enables the sensitivity routes and the solve stream"),
    ("SERVICE_SOLVER_CONCURRENCY", "solves at a time (2)"),
    ("SERVICE_SOLVER_TIMEOUT_SECS", "deadline of a solve, waiting included (30)"),
    ("SERVICE_SOLVE_RATE_LIMIT_EVENTS", "solve requests per client and window, 0 for unlimited (5)"),
    ("SERVICE_SENSITIVITY_RATE_LIMIT_EVENTS", "sensitivity requests per client and window, 0 for unlimited (25)"),
    ("SERVICE_RATE_LIMIT_WINDOW_SECS", "length of the window (10)"),
    ("SERVICE_LOG_LEVEL", "fatal, error, warn, info, debug, trace, silent (info)"),
    ("SERVICE_EXIT_WITH_STDIN", "1 stops the server when its standard input ends"),
    ("SERVICE_SECRET_FROM_STDIN", "1 reads the Jupyter proxy's secret from the first line of standard input"),
)
_SERVE_CODES = "Exit codes: 0 stopped, 1 a failure, also of a setting, which the message names; 2 bad input."


def add_parsers(commands: Any) -> None:
    """Adds the three commands."""
    stage = commands.add_parser("stage", help="write cases for the companion server", description=_STAGE)
    stage.add_argument("dir", nargs="?", help="folder to write; an earlier staging there is replaced")
    stage.add_argument(
        "--from",
        dest="sources",
        action="append",
        default=[],
        metavar="CASE[,COORDS[,ROUTES]]",
        help="a case file of your own with files of its bus positions and routes; may be given several times",
    )
    commands.add_parser(
        "serve",
        help="run the companion server",
        description=textwrap.fill(_SERVE, 78),
        epilog=f"environment:\n{_variables()}\n\n{textwrap.fill(_SERVE_CODES, 78)}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    lab = commands.add_parser("lab", help="start JupyterLab, with any option of `jupyter lab`", add_help=False)
    lab.set_defaults(options=[])


def _variables() -> str:
    """The variables as argparse sets out options: those with long names have their meaning below."""
    meaning = textwrap.TextWrapper(78, initial_indent=" " * 24, subsequent_indent=" " * 24)
    lines = []
    for name, what in VARIABLES:
        told = meaning.wrap(what)
        short = len(name) <= 20
        lines += [f"  {name}".ljust(24) + told[0].lstrip(), *told[1:]] if short else [f"  {name}", *told]
    return "\n".join(lines)


def split(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """Our own words, and those that are for `jupyter lab`."""
    words = list(argv)
    return (words[:1], words[1:]) if words[:1] == ["lab"] else (words, [])


def run(arguments: argparse.Namespace) -> int:
    """Does what one of the three commands says and returns its exit code; `serve` and `lab` do not return."""
    if arguments.command == "stage":
        return _stage(arguments.dir, arguments.sources)
    if arguments.command == "serve":
        return _become([*_server(), "serve"], {**os.environ, **_data(os.environ)})
    return _lab(arguments.options)


def _stage(folder: str | None, sources: Sequence[str]) -> int:
    if folder is not None:
        given = [word for source in sources for word in ("--from", source)]
        return subprocess.run([*_server(), "stage-data", folder, *given], check=False).returncode
    if sources:
        raise InputError("INPUT.FOLDER", "Cases of your own need a folder: wattbook stage DIR --from CASE.")
    packed = staging.bundle()
    if packed is None:
        raise InputError("CASE.NONE_BUNDLED", "This installation was built without the grids: run `npm run build`.")
    try:
        print(staging.stage_for_user(packed))
    except (OSError, staging.DamagedBundle) as error:
        raise InputError("OUTPUT.UNWRITABLE", f"The grids cannot be staged: {error}") from None
    return 0


def _lab(options: Sequence[str]) -> int:
    if importlib.util.find_spec("jupyterlab") is None:
        raise InputError("LAB.MISSING", "JupyterLab is not installed in this environment: pip install jupyterlab.")
    _data(os.environ)  # staged before the start, so that what is wrong with it is told here
    return _become([sys.executable, "-m", "jupyterlab", *options], os.environ)


def _data(own: Mapping[str, str]) -> dict[str, str]:
    try:
        return staging.data_environment(own)
    except (OSError, staging.DamagedBundle) as error:
        raise InputError("OUTPUT.UNWRITABLE", f"The grids cannot be staged: {error}") from None


def _server() -> list[str]:
    from ..server_extension.node import NotInstalled, find_node, server_script

    try:
        return [str(find_node()), str(server_script())]
    except NotInstalled as error:
        raise InputError("SERVICE.MISSING", str(error)) from None


def _become(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Runs a program in place of this process, so that signals reach it; Windows has no such thing and waits for it."""
    sys.stdout.flush()
    if sys.platform == "win32":
        return subprocess.run(command, env=dict(environment), check=False).returncode
    os.execve(command[0], list(command), dict(environment))
