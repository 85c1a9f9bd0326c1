"""The command `wattbook mcp`: the tools of agents over MCP on stdin and stdout."""

from __future__ import annotations

import argparse

from ..case.opening import open_case


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "mcp",
        help="serve the tools of agents over MCP on stdin and stdout",
        description="Serves the tools of agents over MCP on stdin and stdout, on Studies of its own. Proposals can be staged; "
        "people apply them in the page. Needs the package mcp: pip install 'mcp>=1.30,<2' jsonschema.",
    )
    parser.add_argument("files", metavar="FILE", nargs="*", help="case files to offer beside the bundled cases")


def run(arguments: argparse.Namespace) -> None:
    """Serves until stdin is closed. Raises InputError for a file that cannot be read and `MCP.MISSING`."""
    from ..agents.desk import Desk
    from ..agents.server import serve

    serve(Desk([open_case(file) for file in arguments.files]))
