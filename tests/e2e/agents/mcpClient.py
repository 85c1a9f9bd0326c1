"""Calls tools on a Jupyter server with the SDK's own client: one JSON line [tool, arguments] in, one line with the answer out."""

import json
import sys
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))
from mcp_client import client


async def main(url: str, token: str) -> None:
    """Runs until stdin is closed."""
    async with client(url, token) as ask:
        print("ready", flush=True)
        while line := await anyio.to_thread.run_sync(sys.stdin.readline):
            tool, arguments = json.loads(line)
            print(json.dumps(await ask(tool, **arguments)), flush=True)


anyio.run(main, *sys.argv[1:])
