"""Server-sent events, parsed as in the WHATWG HTML standard (section 9.2.6, Interpreting an event stream)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Event:
    """One event of the solve stream: `name` is status, solution, sensitivity or done, `data` its JSON object, `id` rises from 1.

    The `id` of `done` is None.
    """

    name: str
    data: dict[str, Any]
    id: int | None


class EventReader:
    """Events from a body that arrives in pieces; comments (heartbeats) and events without data are skipped."""

    def __init__(self) -> None:
        self._rest = b""
        self._name = "message"
        self._data: list[str] = []
        self._ident: str | None = None

    def feed(self, piece: bytes) -> Iterator[Event]:
        """The events that end in this piece. Raises ValueError when the data of an event is not JSON."""
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for raw in lines:
            line = raw.decode("utf-8").rstrip("\r")
            if line:
                self._field(line)
                continue
            if self._data:
                ident = int(self._ident) if self._ident and self._ident.isdigit() else None
                yield Event(self._name, json.loads("\n".join(self._data)), ident)
            self._name, self._data = "message", []

    def _field(self, line: str) -> None:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self._name = value
        elif field == "data":
            self._data.append(value)
        elif field == "id":
            self._ident = value
