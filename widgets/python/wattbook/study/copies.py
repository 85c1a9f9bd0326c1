"""Copies of Studies, also in other processes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..edits.state import Edits
from ..jobs import Progress

if TYPE_CHECKING:
    from ..case.case import Case
    from .study import Study


@dataclass(frozen=True)
class StudyStart:
    """The state that a Study begins in; it can be pickled, and a call gives a Study of its own in that state."""

    kind: type[Study]
    case: Case
    formulation: str
    options: Mapping[str, Any]
    edits: Edits

    def __call__(self, progress: Progress = None) -> Study:
        study = self.kind(self.case, self.formulation, self.options, progress=progress, saved=True)
        edits = self.edits
        if edits:
            study.commit(
                edits.demand,
                edits.ratings,
                reactive=edits.reactive or None,
                generators=edits.generators or None,
                progress=progress,
            )
        return study


def rebuilt(start: StudyStart, revision: int) -> Study:
    """A Study in the given state; its result is a pure function of these arguments."""
    study = start()
    study._revision = revision
    return study
