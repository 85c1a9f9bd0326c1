"""Edits of a Study: absolute demand and rating changes from the base case, keyed by original id."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Mapping
from typing import Any, Literal, SupportsFloat, TypeAlias

from .errors import EditError

#: How a caller names a bus or a branch: original number, digits, or row uid.
ElementKey: TypeAlias = int | str
#: Changes in MW (MVA for socwr ratings), keyed by bus or branch.
Changes: TypeAlias = Mapping[Any, SupportsFloat]
EditMode: TypeAlias = Literal["set", "increment"]

_FAMILY = {"bus": "DELTA", "branch": "RATE"}
_QUANTITY = {"bus": "demand", "branch": "rating"}


class Elements:
    """Original ids and uids of the buses or of the branches of one case."""

    def __init__(self, kind: Literal["bus", "branch"], rows: Iterable[Mapping[str, Any]]) -> None:
        self.kind = kind
        #: An id for examples in messages.
        self.example = 0
        self._ids: set[ElementKey] = set()
        self._id_by_uid: dict[str, int] = {}
        for row in rows:
            self._ids.add(int(row["id"]))
            self.example = self.example or int(row["id"])
            if row.get("uid"):
                self._id_by_uid[row["uid"]] = int(row["id"])

    def canonical(self, key: object) -> ElementKey:
        """The original id for an id, its digits or a uid.

        A uid that the case does not have is returned as it is: the engine refuses it, with its own code and sentence.
        """
        if isinstance(key, str):
            text = key.strip()
            return int(text) if text.isascii() and text.isdigit() else self._id_by_uid.get(text, text)
        if isinstance(key, float) and key.is_integer():
            return int(key)
        try:
            if not isinstance(key, bool):
                return operator.index(key)  # type: ignore[arg-type]
        except TypeError:
            pass
        raise EditError(
            f"{_FAMILY[self.kind]}.MALFORMED", f"A {self.kind} is named by its number or its uid, not by {key!r}."
        )

    def read(self, changes: Changes | None) -> dict[ElementKey, float]:
        """`changes` with canonical keys; two spellings of one element add up. Raises EditError for a value that is not finite."""
        if changes is None:
            return {}
        if not hasattr(changes, "items"):
            raise EditError(
                f"{_FAMILY[self.kind]}.MALFORMED",
                f"A {_QUANTITY[self.kind]} edit is a mapping of {self.kind} to MW, for instance {{{self.example}: 10.0}}.",
            )
        out: dict[ElementKey, float] = {}
        for key, value in changes.items():
            name = self.canonical(key)
            out[name] = out.get(name, 0.0) + self._number(name, value)
        return out

    def known(self, changes: dict[ElementKey, float]) -> dict[ElementKey, float]:
        """`changes` as they are; raises EditError when one names an element that the case does not have."""
        unknown = next((key for key in changes if key not in self._ids), None)
        if unknown is not None:
            raise EditError(f"{self.kind.upper()}.UNKNOWN", f"The case has no {self.kind} {unknown}.")
        return changes

    def _number(self, name: ElementKey, value: object) -> float:
        try:
            number = float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            number = math.nan
        if math.isfinite(number) and not isinstance(value, (bool, str)):
            return number
        raise EditError(
            f"{_FAMILY[self.kind]}.MALFORMED",
            f"The {_QUANTITY[self.kind]} change at {self.kind} {name} is not a finite number: {value!r}.",
            element={"kind": self.kind, "id": name} if isinstance(name, int) else None,
        )


def merged(
    current: Mapping[ElementKey, float], named: Mapping[ElementKey, float], mode: EditMode
) -> dict[ElementKey, float]:
    """The absolute changes after `named` is applied to `current`.

    `mode="set"` replaces the named keys only, `mode="increment"` adds to them. Keys whose change is exactly zero are left
    out, so that equal states have equal edits.
    """
    if mode not in ("set", "increment"):
        raise EditError("EDIT.MODE", f'mode is "set" or "increment", not {mode!r}.')
    out = dict(current)
    for key, value in named.items():
        out[key] = value + (out.get(key, 0.0) if mode == "increment" else 0.0)
    return {key: out[key] for key in sorted(out, key=_order) if out[key] != 0.0}


def _order(key: ElementKey) -> tuple[int, int, str]:
    return (0, key, "") if isinstance(key, int) else (1, 0, key)


def wire(changes: Mapping[ElementKey, float]) -> dict[str, float]:
    """The same with the text keys of the contract."""
    return {str(key): value for key, value in changes.items()}
