"""Saved solutions: solution modules, read without a solve."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ..errors import InputError
from ..files import files, kinds
from ..native import engine_errors
from ..results.solution import Solution
from ..tables.columns import parted
from ..tables.rows import inspected
from ..text.visible import visible
from ..threads import apart
from .case import Case

#: Columns that name the rows of the others, which the case does here.
_NAMING = ("bus_id", "branch_id", "generator_id", "generator_bus")


@dataclass(frozen=True, repr=False)
class SavedSolution:
    """A saved Solution and its network.

    `solution` has the numbers of the file, bit for bit if Wattbook wrote it; `case` is the solved network with the edits applied.
    `case_sha256`, `demand`, `ratings`, `reactive` and `generators` identify the original case and its edits (MW and MVAr from that case by id,
    values of generators);
    they are None for files of other programs. `producer` is the program that wrote the file.
    """

    solution: Solution
    case: Case
    producer: str | None
    case_sha256: str | None
    demand: Mapping[int, float] | None
    ratings: Mapping[int, float] | None
    reactive: Mapping[int, float] | None = None
    generators: Mapping[str, Mapping[str, float | bool]] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Pickled state."""
        plain = {
            name: dict(value)
            for name in ("demand", "ratings", "reactive")
            if (value := getattr(self, name)) is not None
        }
        return {**self.__dict__, **plain}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        frozen = {
            name: MappingProxyType(value)
            for name in ("demand", "ratings", "reactive")
            if (value := state[name]) is not None
        }
        self.__dict__.update({**state, **frozen})

    def __repr__(self) -> str:
        return f"<SavedSolution of {self.case.id} by {self.producer or 'an unnamed program'}: {self.solution!r}>"


def open_solution(source: str | os.PathLike[str] | bytes) -> SavedSolution:
    """Reads a file that `study.save_solution` wrote, without a solve; `source` is its path or its bytes.

    Raises InputError: `MODULE.TAMPERED` if the file was changed, `MODULE.KIND` if it is no solution of dcopf, acpf or socwr,
    `MODULE.INCOMPLETE` if the file of another program lacks LMPs or multipliers or is not of dcopf, and those of reading files. For files of other
    programs a diagnostic in `solution.diagnostics` says what was checked.
    """
    path, data = files.content(source)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(
            "MODULE.INVALID", f"{kinds.named(path)} is not UTF-8 text, so it is not a saved solution."
        ) from None
    try:
        with engine_errors() as native:
            body, columns = parted(apart(native.read_solution_module, text))
    except InputError as error:
        if error.code == "MODULE.INVALID":
            kinds.refuse_unsolved(data, path)
        raise
    stem = visible(path.name).removesuffix(kinds.SOLUTION_SUFFIX).removesuffix(".json") if path is not None else ""
    case = Case(stem or body["solution"]["case"], inspected(body["module_json"]))
    return SavedSolution(
        solution=Solution(case, body["solution"], columns.without(_NAMING)),
        case=case,
        producer=body.get("producer"),
        case_sha256=body.get("case_sha256"),
        demand=_edits(body.get("deltas")),
        ratings=_edits(body.get("rates")),
        reactive=_edits(body.get("reactive")),
        generators=body.get("generators", {}) if "case_sha256" in body else None,
    )


def _edits(changes: Mapping[str, float] | None) -> Mapping[int, float] | None:
    return None if changes is None else MappingProxyType({int(key): value for key, value in changes.items()})
