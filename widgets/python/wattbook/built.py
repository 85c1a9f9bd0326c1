"""Where files of `npm run build` lie."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def places(*names: str) -> tuple[Path, Path]:
    """Both places of a built file or folder: inside the package in a wheel, in the server's build folder in a checkout."""
    return _PACKAGE.joinpath("server", *names), _PACKAGE.parents[2].joinpath("server", "dist", *names)
