"""Jupyter server extension: starts the companion server and proxies `<base_url>wattbook/api/...` to it."""

from __future__ import annotations

from typing import Any

from ..version import __version__
from .app import Wattbook

__all__ = ["Wattbook", "__version__"]


def _jupyter_server_extension_points() -> list[dict[str, Any]]:
    """Entry point by which Jupyter server finds the extension."""
    return [{"module": "wattbook.server_extension", "app": Wattbook}]
