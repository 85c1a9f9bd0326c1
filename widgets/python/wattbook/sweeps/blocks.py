"""What travels between a sweep and its workers: the case, what its scenarios share, blocks of scenarios, and their results.

The classes travel by name, so that a worker imports this package.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..edits.variants import Variant
from .scenarios import Scenario


@dataclass(frozen=True)
class CaseText:
    """A case as it travels: packed, with the ids of its rows and the weights of its mean price."""

    sha256: str
    packed: bytes
    ids: Mapping[str, np.ndarray]
    weights: np.ndarray

    def of_case(self) -> CaseText:
        """Itself."""
        return self

    @property
    def largest(self) -> int:
        """The bus with the most demand of those that have edits."""
        weights = np.where(np.isin(self.ids["bus"], self.ids["editable"]), self.weights, -1.0)
        return int(self.ids["bus"][int(np.argmax(weights))])


@dataclass(frozen=True)
class CaseFile:
    """A case in a file of this machine, which each process reads once."""

    sha256: str
    path: str

    def of_case(self) -> CaseText:
        """The case in the file."""
        found: CaseText = pickle.loads(Path(self.path).read_bytes())
        return found


@dataclass(frozen=True)
class Setup:
    """What the scenarios of a sweep share."""

    sha256: str
    formulation: str
    options_json: str
    reactive_json: str
    generators_json: str
    #: Columns of the engine: those that results keep, and those that their summary is made of.
    kept: tuple[str, ...]
    used: tuple[str, ...]
    contract: str


@dataclass(frozen=True)
class Block:
    """Scenarios that are solved in one go."""

    number: int
    scenarios: tuple[Scenario, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        # Changes of all scenarios travel as one array, and no names.
        heads = [(one.buses, one.branches, one.variant) for one in self.scenarios]
        lengths = [len(one.changes_mw) for one in self.scenarios]
        changes = np.concatenate([one.changes_mw for one in self.scenarios]) if heads else np.empty(0)
        return _arrived, (self.number, heads, lengths, changes)


def _arrived(
    number: int,
    heads: Sequence[tuple[tuple[int, ...], tuple[int, ...], Variant]],
    lengths: Sequence[int],
    changes: np.ndarray,
) -> Block:
    """A block that has travelled."""
    ends = np.cumsum(lengths).tolist()
    return Block(
        number,
        tuple(
            Scenario(None, buses, branches, changes[end - length : end], variant)
            for (buses, branches, variant), length, end in zip(heads, lengths, ends, strict=True)
        ),
    )


@dataclass(frozen=True)
class Solved:
    """Their results in the same order, from a worker that read the case `read` times for them."""

    number: int
    steps: list[dict[str, Any]]
    columns: dict[str, tuple[str, str, np.ndarray]]
    worker: str
    seconds: float
    read: int

    @property
    def nbytes(self) -> int:
        """Bytes of the columns."""
        return sum(values.nbytes for _, _, values in self.columns.values())
