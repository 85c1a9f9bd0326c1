"""Keys: the buses, branches and generators of a case by number, uid or name."""

from __future__ import annotations

import bisect
import operator
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, SupportsFloat, SupportsIndex, TypeAlias

from ..arguments import finite, foreign_frame, formatted, meant, shortened
from ..errors import EditError
from ..text.words import count, element_noun

if TYPE_CHECKING:
    import pandas as pd

    from ..tables.rows import ElementRows

#: Canonical key of a bus or branch: its original number, or text without a match.
ElementKey: TypeAlias = int | str
#: A bus or branch as named by a caller: original number (also of numpy), digits, uid, a unique name, or for a bus of
#: pandapower `source_index 7`.
ElementName: TypeAlias = SupportsIndex | str
#: Changes in MW (MVA for socwr ratings), keyed by bus or branch.
Changes: TypeAlias = "Mapping[Any, SupportsFloat] | pd.Series"

_FAMILY = {"bus": "DELTA", "branch": "RATE", "generator": "GENERATOR", "link": "LINK", "storage": "STORAGE"}
_QUANTITY = {"bus": "demand", "branch": "rating"}
#: The argument of `study.commit` for changes by an element, whose kind is the name of the index of a Series.
_ARGUMENT = {"bus": "demand", "branch": "ratings", "generator": "generators", "link": "links"}
#: Number of elements listed in a hint.
_LISTED = 3
#: An original number; no case has longer ones, and Python refuses to convert thousands of digits.
_DIGITS = re.compile("0*[0-9]{1,18}")
#: A bus by the column `source_index` of `case.buses`.
_SOURCE_INDEX = re.compile(r"source_index\s+0*([0-9]{1,18})")


class Elements:
    """Original ids, uids and names of the buses, branches, generators, HVDC links or storage units of one case."""

    def __init__(self, kind: Literal["bus", "branch", "generator", "link", "storage"], rows: ElementRows) -> None:
        self.kind = kind
        self._noun = element_noun(kind)
        self._rows = rows

    @cached_property
    def example(self) -> int:
        """An id for examples in messages."""
        return next((number for number in self._editable if number), 0)

    @cached_property
    def _editable(self) -> Mapping[int, int]:
        """Rows of editable elements by id, which messages suggest; star points and arms are not editable."""
        if self.kind in ("generator", "link", "storage"):
            return self._ids
        flags = self._rows.flags(f"{self.kind}_editable").tolist()
        return {number: row for number, row in self._ids.items() if flags[row]}

    @property
    def _ids(self) -> Mapping[int, int]:
        return self._rows.places

    @cached_property
    def _id_by_uid(self) -> Mapping[str, int]:
        return {uid: number for uid, number in zip(self._rows.uids, self._ids, strict=True) if uid}

    @cached_property
    def _ids_by_name(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = {}
        for name, number in zip(self._rows.names, self._ids, strict=True):
            if name and name.strip():
                found.setdefault(name.strip(), []).append(number)
        return found

    def canonical(self, key: object, *, code: str | None = None, argument: str = "") -> ElementKey:
        """The original id for an id, its digits, a uid, `source_index 7` or a name; other text is returned unchanged.

        Raises EditError with `code` (default: that of edits) for a key of another type, `BUS.AMBIGUOUS`, `BRANCH.AMBIGUOUS` for the name of several;
        `argument` prefixes the message.
        """
        if isinstance(key, str):
            text = key.strip()
            return int(text) if _DIGITS.fullmatch(text) else self._of_text(text, argument)
        if isinstance(key, float) and key.is_integer():
            return int(key)
        try:
            if not isinstance(key, bool):
                return operator.index(key)  # type: ignore[arg-type]
        except TypeError:
            pass
        raise EditError(
            code or f"{_FAMILY[self.kind]}.MALFORMED",
            f"{argument}{'An' if self.kind == 'link' else 'A'} {self._noun} must be given by its number, uid or name, not {formatted(key)}.{self._between(key)}",
        )

    def _of_text(self, text: str, argument: str) -> ElementKey:
        if text in self._id_by_uid:
            return self._id_by_uid[text]
        indexed = _SOURCE_INDEX.fullmatch(text)
        if indexed and int(indexed[1]) in self._rows.source_indices:
            return self._rows.source_indices[int(indexed[1])]
        named = self._ids_by_name.get(text, [])
        if len(named) > 1:
            raise EditError(
                f"{self.kind.upper()}.AMBIGUOUS",
                f"{argument}{shortened(text)} is the name of {count(len(named), self._noun)}, {_listed(named)}. "
                f"Use the number of the {self._noun}.",
            )
        return named[0] if named else text

    def target(self, key: object, *, argument: str = "") -> ElementKey:
        """The original id of a target; raises EditError `TARGET.MALFORMED`, `BUS.UNKNOWN`, `BRANCH.UNKNOWN`."""
        name = self.canonical(key, code="TARGET.MALFORMED", argument=argument)
        if name not in self._ids:
            raise self._unknown(name, f"{self.kind.upper()}.UNKNOWN", argument)
        return name

    def read(self, changes: Changes | None, quantity: str | None = None, unit: str = "MW") -> dict[ElementKey, float]:
        """`changes` with canonical keys; two spellings of one element add up. `quantity` (by default demand or rating) is for messages.

        Raises EditError for an unknown element and for a value that is not finite.
        """
        if changes is None:
            return {}
        quantity = quantity or _QUANTITY[self.kind]
        # A DataFrame has items too: its columns.
        if not hasattr(changes, "items") or hasattr(changes, "columns"):
            column = " Pass one column of it." if hasattr(changes, "columns") else ""
            raise EditError(
                f"{_FAMILY[self.kind]}.MALFORMED",
                f"A {quantity} edit must be a mapping of {self._noun} to {unit}, for instance "
                f"{{{self.example}: 10.0}}, not {foreign_frame(changes) or formatted(changes)}.{column}",
            )
        by = getattr(getattr(changes, "index", None), "name", None)
        if by in _ARGUMENT and by != self.kind:
            raise EditError(
                f"{_FAMILY[self.kind]}.MALFORMED",
                f"A {quantity} edit is by {self._noun}, and this Series is by {element_noun(by)}: pass it as {_ARGUMENT[by]}=.",
            )
        # Mostly two Series with different elements were combined: to leave these out would hide it.
        hint = " Leave missing values out with .dropna()." if hasattr(changes, "dropna") else ""
        out: dict[ElementKey, float] = {}
        for key, value in changes.items():
            name = self.known(key, f"{_FAMILY[self.kind]}.UNKNOWN_{self.kind.upper()}")
            out[name] = out.get(name, 0.0) + self._number(name, value, quantity, hint)
        return out

    def known(self, key: object, code: str) -> ElementKey:
        """The original id of an element; raises EditError with `code` for one that is not in the case."""
        name = self.canonical(key)
        if name not in self._ids:
            raise self._unknown(name, code)
        return name

    def _number(self, name: ElementKey, value: object, quantity: str, hint: str) -> float:
        number = finite(value)
        if number is not None:
            return number
        raise EditError(
            f"{_FAMILY[self.kind]}.MALFORMED",
            f"The {quantity} change at {self._noun} {name} is not a finite number: {formatted(value)}.{hint}",
            element={"kind": self.kind, "id": name} if isinstance(name, int) else None,
        )

    def _unknown(self, key: ElementKey, code: str, argument: str = "") -> EditError:
        hint = self._nearest(key) if isinstance(key, int) else self._alike(key)
        return EditError(code, f"{argument}There is no {self._noun} {shortened(key)} in this case{hint}")

    def _nearest(self, key: int) -> str:
        ids = sorted(self._editable)
        place = bisect.bisect(ids, key)
        if not ids:
            return "."
        if place in (0, len(ids)):
            return f": its numbers go from {ids[0]} to {ids[-1]}."
        return f": the nearest are {ids[place - 1]} and {ids[place]}."

    def _alike(self, key: str) -> str:
        word = key.casefold()
        names, uids = self._rows.names, self._rows.uids
        own = [(number, names[row]) for number, row in self._editable.items()]
        named = [(number, name) for number, name in own if name and word and word in name.casefold()]
        # Names that equal the word come before names that contain it.
        named.sort(key=lambda one: len(one[1]))
        if named:
            found = ", ".join(f"{number} is {name!r}" for number, name in named[:_LISTED])
            return f": use the number; {found}{' and others' if len(named) > _LISTED else ''}."
        known = [text for row in self._editable.values() for text in (uids[row], names[row]) if text]
        hint = meant(key, known) if key else ""
        return f": {hint}" if hint else f": use the number, for instance {self.example}."

    def _between(self, key: object) -> str:
        """For a branch named by its pair of buses: the ids of the branches between them."""
        if self.kind != "branch" or not isinstance(key, tuple) or len(key) != 2:
            return ""
        ends = zip(*(self._rows.integers(end).tolist() for end in ("from_bus", "to_bus")), strict=True)
        joined = [number for number, pair in zip(self._ids, ends, strict=True) if pair in (key, key[::-1])]
        return f" Between buses {key[0]} and {key[1]}: {_listed(joined)}." if joined else ""


def _listed(ids: Sequence[int]) -> str:
    return ", ".join(map(str, ids[:_LISTED])) + (" and others" if len(ids) > _LISTED else "")
