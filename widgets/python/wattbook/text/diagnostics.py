"""Diagnostics: findings about an input or a result that are not errors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Diagnostic:
    """A finding: `code` is stable, `message` is one sentence, `element` is `{"kind", "id", "uid"?}` or None.

    Elements of distribution networks have names instead of numbers; for these `element_name` is `class.name`, otherwise None.
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
