"""A client of an agent, the SDK's own, on the Jupyter server."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

Ask = Callable[..., Awaitable[dict[str, Any]]]


@asynccontextmanager
async def client(url: str, token: str = "") -> AsyncIterator[Ask]:
    """`ask(tool, **arguments)` on the MCP server at `url`."""
    headers = {"Authorization": f"token {token}"} if token else {}
    async with (
        httpx.AsyncClient(headers=headers, trust_env=False, timeout=150) as http,
        streamable_http_client(url, http_client=http) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        await session.initialize()

        async def ask(tool: str, **arguments: Any) -> dict[str, Any]:
            return json.loads((await session.call_tool(tool, arguments)).content[0].text)

        yield ask
