"""The commands `wattbook cases`, `examples`, `stage`, `serve` and `lab`: bundled cases and notebooks, data for the
companion server, the server by itself, JupyterLab with it."""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from ..built import examples, server_environment
from ..case import catalogue
from ..case.catalogue import cases
from ..case.opening import open_case
from ..errors import InputError
from ..files.files import path_of, write, writing
from ..text import words
from .options import print_lines

#: The commands that `run` handles.
COMMANDS = ("cases", "examples", "stage", "serve", "lab")

_STAGE = """Stage cases for the companion server. Without DIR: unpack the bundled grids into the user's data folder, where
JupyterLab looks for them, or into the temporary folder if that is not writable, and print the path. With DIR: solve the bundled
grids or, with --from, your own cases and write them to DIR, for SERVICE_DATA. Exit codes: 0 every case has a solution,
1 internal error, 2 bad input and nothing written, 3 written, but a case has no solution."""
_SERVE = """Run the companion server until Ctrl-C. It serves the bundled grids, or those in SERVICE_DATA, and at
http://127.0.0.1:8000/ the stand-alone page with the map and the Study panel. Environment variables configure what the options do
not."""

#: The server's variables with their meanings and defaults, as in server/src/config.ts.
VARIABLES = (
    ("SERVICE_HOST", "address to listen on (127.0.0.1)"),
    ("SERVICE_PORT", "port to listen on (8000)"),
    ("SERVICE_SOCKET", "unix socket to listen on instead"),
    ("SERVICE_SOCKET_GROUP", "name or number of a group that may open the socket too, such as that of a proxy"),
    ("SERVICE_ALLOWED_HOSTS", "allowed host names, comma-separated, besides localhost and IP addresses"),
    ("SERVICE_DATA", "folder of staged cases"),
    ("SERVICE_ALLOW_FALLBACK", "1 serves two public benchmark cases if no data is staged"),
    ("SERVICE_CONTENT", "folder of the built page, served at /"),
    ("SERVICE_BASEMAP_ORIGINS", "origins that maps of the page may ask for basemaps, comma-separated"),
    ("SERVICE_SERVER_COMPUTE", "1 enables the sensitivity routes and the solve stream"),
    ("SERVICE_SOLVER_CONCURRENCY", "concurrent solves (2)"),
    ("SERVICE_SOLVER_TIMEOUT_SECS", "deadline of a solve, including its time in the queue (30)"),
    ("SERVICE_SOLVE_RATE_LIMIT_EVENTS", "solve requests per client and window, 0 for unlimited (5)"),
    ("SERVICE_SENSITIVITY_RATE_LIMIT_EVENTS", "sensitivity requests per client and window, 0 for unlimited (25)"),
    ("SERVICE_RATE_LIMIT_WINDOW_SECS", "length of the window (10)"),
    ("SERVICE_LOG_LEVEL", "fatal, error, warn, info, debug, trace, silent (info)"),
    ("SERVICE_EXIT_WITH_STDIN", "1 stops the server when its standard input ends"),
    (
        "SERVICE_SECRET_FROM_STDIN",
        "1 reads a secret from standard input, which every request on a port needs",
    ),
)
_SERVE_CODES = "Exit codes: 0 stopped, 1 internal error or invalid setting, 2 bad input."


def add_parsers(commands: Any) -> None:
    """Adds these commands."""
    listed = commands.add_parser("cases", help="list the bundled cases, or those of the folder SERVICE_DATA")
    listed.add_argument("--json", action="store_true", help="print the table as JSON")
    written = commands.add_parser("examples", help="write the example notebooks with their files into a folder")
    written.add_argument("dir", metavar="DIR", help="folder to write; files that are there are not replaced")
    stage = commands.add_parser("stage", help="stage cases for the companion server", description=_STAGE)
    stage.add_argument("dir", metavar="DIR", nargs="?", help="folder to write; replaces an earlier staging")
    stage.add_argument(
        "--from",
        dest="sources",
        action="append",
        default=[],
        metavar="CASE[,COORDS[,ROUTES]]",
        help="your own case file, with files of bus positions and routes; repeatable",
    )
    serve = commands.add_parser(
        "serve",
        help="run the companion server",
        description=textwrap.fill(_SERVE, 78),
        epilog=f"environment:\n{_variables()}\n\n{textwrap.fill(_SERVE_CODES, 78)}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    serve.add_argument("--host", default=None, help="address to listen on, in place of SERVICE_HOST (127.0.0.1)")
    serve.add_argument("--port", default=None, help="port to listen on, in place of SERVICE_PORT (8000)")
    lab = commands.add_parser("lab", help="start JupyterLab, with any option of `jupyter lab`", add_help=False)
    lab.set_defaults(options=[])


def _variables() -> str:
    """The variables in the layout of argparse options: a long name has its meaning on the next line."""
    meaning = textwrap.TextWrapper(78, initial_indent=" " * 24, subsequent_indent=" " * 24)
    lines = []
    for name, what in VARIABLES:
        wrapped = meaning.wrap(what)
        short = len(name) <= 20
        lines += [f"  {name}".ljust(24) + wrapped[0].lstrip(), *wrapped[1:]] if short else [f"  {name}", *wrapped]
    return "\n".join(lines)


def split(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """The arguments of `wattbook`, and those passed on to `jupyter lab`."""
    words = list(argv)
    return (words[:1], words[1:]) if words[:1] == ["lab"] else (words, [])


def run(arguments: argparse.Namespace) -> int:
    """Runs one of these commands and returns its exit code; `serve` and `lab` replace this process."""
    if arguments.command == "cases":
        return _cases(arguments.json)
    if arguments.command == "examples":
        return _examples(arguments.dir)
    if arguments.command == "stage":
        return _stage(arguments.dir, arguments.sources)
    if arguments.command == "serve":
        given = {"SERVICE_HOST": arguments.host, "SERVICE_PORT": arguments.port}
        own = {**os.environ, **{name: value for name, value in given.items() if value is not None}}
        return _become([*_server(), "serve"], {**own, **_data(own), **server_environment()})
    return _lab(arguments.options)


def _cases(as_json: bool) -> int:
    table = cases()
    if as_json:
        print_lines(json.dumps(table.reset_index().to_dict(orient="records")))
        return 0
    width = max(map(len, table.index))
    for row in table.itertuples():
        print_lines(
            f"{row.Index:<{width}}  {row.name}: {words.count(row.n_bus, 'bus')}, {words.count(row.n_branch, 'branch')}"
        )
    return 0


def _examples(folder: str) -> int:
    source = examples()
    if source is None:
        raise InputError("INPUT.NOT_FOUND", "This installation has no example notebooks.")
    target = path_of(folder)
    names = sorted(path.name for path in source.iterdir() if path.is_file() and not path.name.startswith("."))
    with writing(target):
        there = [name for name in names if (target / name).exists()]
        if there:
            raise InputError("OUTPUT.UNWRITABLE", f"{target / there[0]} is there already: name another folder.")
        target.mkdir(parents=True, exist_ok=True)
    for name in names:
        write(target / name, (source / name).read_bytes())
    print_lines("\n".join(str(target / name) for name in names))
    return 0


def _stage(folder: str | None, sources: Sequence[str]) -> int:
    if folder is not None:
        given = [word for source in sources for word in ("--from", source)]
        command = [*_server(), "stage-data", folder, *given]
        return subprocess.run(command, env={**os.environ, **server_environment()}, check=False).returncode
    if sources:
        raise InputError("INPUT.FOLDER", "--from needs a folder: wattbook stage DIR --from CASE.")
    packed = catalogue.bundle()
    if packed is None:
        raise InputError("CASE.NONE_BUNDLED", "This installation was built without the grids: run `npm run build`.")
    try:
        staged = catalogue.stage_for_user(packed)
    except (OSError, catalogue.DamagedBundle) as error:
        raise InputError("OUTPUT.UNWRITABLE", f"The grids cannot be staged: {error}") from None
    print_lines(str(staged))
    return 0


def _lab(options: Sequence[str]) -> int:
    if importlib.util.find_spec("jupyterlab") is None:
        raise InputError("LAB.MISSING", "JupyterLab is not installed in this environment: pip install jupyterlab.")
    _data(os.environ)  # staged first, so that an error appears here
    return _become([sys.executable, "-m", "jupyterlab", *options], os.environ)


def _data(own: Mapping[str, str]) -> dict[str, str]:
    try:
        return catalogue.data_environment(own)
    except (OSError, catalogue.DamagedBundle) as error:
        raise InputError("OUTPUT.UNWRITABLE", f"The grids cannot be staged: {error}") from None


def _server() -> list[str]:
    from ..built import NotInstalled, find_node, server_script

    try:
        return [str(find_node()), str(server_script())]
    except NotInstalled as error:
        raise InputError("SERVICE.MISSING", str(error)) from None


def _become(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Replaces this process by a program, so that signals reach it; on Windows runs it and waits."""
    sys.stdout.flush()
    if sys.platform == "win32":
        return subprocess.run(command, env=dict(environment), check=False).returncode
    os.execve(command[0], list(command), dict(environment))


def add_mcp_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `wattbook mcp`."""
    parser = commands.add_parser(
        "mcp",
        help="serve the tools of agents over MCP on stdin and stdout",
        description="Serves the tools of agents over MCP on stdin and stdout, on Studies of its own. Proposals can be staged; "
        "people apply them in the page. Needs the package mcp: pip install 'mcp>=1.30,<2' jsonschema.",
    )
    parser.add_argument("files", metavar="FILE", nargs="*", help="case files to offer beside the bundled cases")


def run_mcp(arguments: argparse.Namespace) -> None:
    """Serves agents until stdin is closed. Raises InputError for a file that cannot be read and `MCP.MISSING`."""
    from ..agents.desk import Desk
    from ..agents.server import serve

    serve(Desk([open_case(file) for file in arguments.files]))
