"""Tools of agents on Studies of this process, offered over MCP, with the same names, inputs and limits as in the page.

`Desk().take(study)` registers a Study with a desk, `call(desk, name, arguments)` answers a call, `serve(desk)` and
`wattbook mcp` offer the tools over MCP (docs/guides/agents.md).
"""

from .desk import Desk
from .server import call, mcp_server, serve

__all__ = ["Desk", "call", "mcp_server", "serve"]
