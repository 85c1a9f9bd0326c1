"""Saved Studies, opened with their case."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING

from ..edits.state import Edits
from ..errors import WattbookWarning
from ..jobs import Progress
from ..study.copies import StudyStart
from ..study.documents import history_of, inspected, options_of, read_bundle
from .case import Case

if TYPE_CHECKING:
    from ..study.study import Study


def open_study(source: str | os.PathLike[str] | bytes, *, progress: Progress = None) -> Study:
    """Opens a saved Study; `source` is the path or the bytes of a `.study.json` file, plain or gzip.

    The applied state is solved here and compared with the file: where the result differs, a WattbookWarning says so; `wb.verify`
    compares every state. `study.states` has all states, `study.restore(state)` returns to one. `progress` as for `study.commit`. Raises InputError `STUDY_FILE.*`
    for a file that is damaged, `INPUT.FORMAT` for one that another function opens, and the errors of solving.
    """
    from ..study.study import Study

    bundle = read_bundle(source)
    document = bundle["document"]
    applied = document["states"][document["applied_state"]]
    about = document["case"]
    case = Case(about["id"], inspected(bundle, applied["input"]), name=about.get("name"))
    study = StudyStart(Study, case, applied["formulation"], options_of(document, applied), Edits.from_body(applied))(
        progress
    )
    study._take(history_of(bundle, study._history), document["revision"])
    solution = study.solution
    differing = [
        f"the {name} {here} here and {applied[field]} in the file"
        for name, field, here in (
            ("result", "result_sha256", solution.sha256),
            ("objective", "objective", solution.objective),
        )
        if applied.get(field) not in (None, here)
    ]
    if differing:
        said = f"The applied state of {about['id']} has {', '.join(differing)}: wb.verify says what differs."
        warnings.warn(said, WattbookWarning, stacklevel=2)
    return study
