"""Copies of Studies, also in other processes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..edits.state import EditState

if TYPE_CHECKING:
    from ..case.case import Case
    from .study import Study


def rebuilt(
    kind: type[Study],
    case: Case,
    formulation: str,
    options: Mapping[str, Any],
    edits: EditState,
    revision: int,
) -> Study:
    """A Study in the given state; its result is a pure function of these arguments."""
    study = kind(case, formulation, options, saved=True)
    if edits:
        study.commit(edits.demand, edits.ratings, reactive=edits.reactive, generators=edits.generators)
    study._revision = revision
    return study
