"""Server-sent events, parsed as in the WHATWG HTML standard (section 9.2.6, Interpreting an event stream)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Event:
    """One event of the solve stream: `name` is status, solution, sensitivity or done, `data` its JSON object, `id` rises from 1."""

    name: str
    data: dict[str, Any]
    id: int | None


def read_events(lines: Iterable[bytes]) -> Iterator[Event]:
    """Events from the lines of the body; comments (heartbeats) and events without data are skipped.

    Raises ValueError when the data of an event is not JSON.
    """
    name = "message"
    data: list[str] = []
    ident: str | None = None
    for raw in lines:
        line = raw.decode("utf-8").rstrip("\r\n")
        if line == "":
            if data:
                yield Event(name, json.loads("\n".join(data)), int(ident) if ident and ident.isdigit() else None)
            name, data = "message", []
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)
        elif field == "id":
            ident = value
