"""One-line drawings: PowerWorld display files, in their own units."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..files import files
from ..files.kinds import kind_by_name, refuse, stem
from ..native import engine_errors
from ..text import words

if TYPE_CHECKING:
    import pandas as pd


def open_display(source: files.Source) -> Display:
    """Reads a PowerWorld display file (`.pwd`); `source` is a path, or the bytes of the file.

    Raises InputError: `INPUT.DISPLAY` if it is not such a file or contains no supported equipment positions, `INPUT.FORMAT` for a
    file of another kind, and those of reading a file.
    """
    path, data = files.content(source)
    kind = kind_by_name(path)
    if kind in ("balanced", "distribution", "geography"):
        refuse(kind, path)
    with engine_errors() as native:
        return Display(stem(path), json.loads(native.parse_display(data)))


class Display:
    """Positions of substations, buses and lines in a drawing, in drawing units with y upwards; never longitude and latitude.

    `canvas` is (width, height), or None if the file does not give it; `unmatched` lists, as sentences, symbols that could not be
    read or belong to no element.
    """

    def __init__(self, display_id: str, body: Mapping[str, Any]) -> None:
        self.id = display_id
        canvas = body["canvas"]
        self.canvas: tuple[float, float] | None = (canvas["width"], canvas["height"]) if canvas else None
        self.unmatched: tuple[str, ...] = tuple(symbol["message"] for symbol in body["unmatched"])
        self._body = body

    @property
    def substations(self) -> pd.DataFrame:
        """Index `substation` (its number); columns `name`, `x`, `y`."""
        return self._substations.copy()

    @cached_property
    def _substations(self) -> pd.DataFrame:
        from ..tables.networks import points

        return points("substation", self._body["substations"], "number", names=True)

    @property
    def buses(self) -> pd.DataFrame:
        """Index `bus` (its number); columns `x`, `y`."""
        return self._buses.copy()

    @cached_property
    def _buses(self) -> pd.DataFrame:
        from ..tables.networks import points

        return points("bus", self._body["buses"], "number")

    @property
    def branches(self) -> pd.DataFrame:
        """Columns `from_bus`, `to_bus`, `circuit` (missing if the drawing has no circuit names), `points` (lists of
        `[x, y]`), in the order of the file."""
        return self._branches.copy()

    @cached_property
    def _branches(self) -> pd.DataFrame:
        from ..tables.networks import display_branches

        return display_branches(self._body["branches"])

    def __repr__(self) -> str:
        counts = (("substations", "substation"), ("buses", "bus"), ("branches", "line"))
        held = ", ".join(words.count(len(self._body[key]), noun) for key, noun in counts)
        left = f"; {words.count(len(self.unmatched), 'note')}" if self.unmatched else ""
        return f"<Display {self.id}: {held}, in drawing units{left}>"
