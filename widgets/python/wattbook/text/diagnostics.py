"""Things worth telling that are not errors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Diagnostic:
    """`code` is stable, `message` one sentence, `element` the element it is about as `{"kind", "id", "uid"?}` or None.

    Elements of distribution networks have names instead of numbers: `element_name` is `class.name`, else None.
    """

    code: str
    message: str
    element: Mapping[str, Any] | None = None
    element_name: str | None = None

    def __str__(self) -> str:
        return f"{self.message} [{self.code}]"


def read_diagnostics(rows: Iterable[Mapping[str, Any]] | None) -> tuple[Diagnostic, ...]:
    """Diagnostics from their JSON form."""
    return tuple(
        Diagnostic(row["code"], row["message"], row.get("element"), row.get("element_name")) for row in rows or ()
    )
