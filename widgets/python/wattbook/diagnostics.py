"""Things worth telling that are not errors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Diagnostic:
    """`code` is stable, `message` one sentence, `element` the element it is about as `{"kind", "id", "uid"?}` or None."""

    code: str
    message: str
    element: Mapping[str, Any] | None = None

    def __str__(self) -> str:
        return f"{self.message} [{self.code}]"


def read_diagnostics(rows: Iterable[Mapping[str, Any]] | None) -> tuple[Diagnostic, ...]:
    """Diagnostics from their JSON form."""
    return tuple(Diagnostic(row["code"], row["message"], row.get("element")) for row in rows or ())
