"""Saved Studies and saved solutions, opened with their case."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass

from ..edits.edits import Edits
from ..errors import InputError, WattbookWarning
from ..files import files, kinds
from ..jobs import Progress
from ..native import engine_errors
from ..results.solution import Solution
from ..session.documents import history_of, options_of, read_bundle
from ..session.session import Start
from ..study.study import Case, Study
from ..tables.rows import inspected, parted
from ..text.words import visible
from ..threads import apart

#: Columns that name the rows of the others, which the case does here.
_NAMING = (
    *("bus_id", "branch_id", "generator_id", "generator_bus"),
    *("link_id", "link_from_bus", "link_to_bus"),
    *("storage_id", "storage_bus"),
)


def open_study(source: str | os.PathLike[str] | bytes, *, progress: Progress = None) -> Study:
    """Opens a saved Study; `source` is the path or the bytes of a `.study.json` file, plain or gzip.

    The applied state is solved here and compared with the file: a WattbookWarning reports a different result;
    `wb.verify` compares every state. `study.states` has all states, `study.restore(state)` returns to one. `progress`
    as for `study.commit`. Raises InputError `STUDY_FILE.*` for a damaged file, `INPUT.FORMAT` for a file of another
    kind, and the errors of solving.
    """
    bundle = read_bundle(source)
    document = bundle["document"]
    applied = document["states"][document["applied_state"]]
    about = document["case"]
    case = Case(about["id"], inspected(bundle["artifacts"][applied["input"]]["text"]), name=about.get("name"))
    start = Start(case, applied["formulation"], options_of(document, applied), Edits.from_body(applied))
    session = start(progress)
    study = Study(session)
    session.take(history_of(bundle, session.history), document["revision"])
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
        message = f"The applied state of {about['id']} has {', '.join(differing)}: wb.verify says what differs."
        warnings.warn(message, WattbookWarning, stacklevel=2)
    return study


@dataclass(frozen=True, repr=False)
class SavedSolution:
    """A saved Solution and its network.

    `solution` has the numbers of the file, bit for bit if Wattbook wrote it; `case` is the solved network with the edits applied.
    `case_sha256` and `edits` identify the original case and its edits; both are None for files of other programs. `producer` is the
    program that wrote the file.
    """

    solution: Solution
    case: Case
    producer: str | None
    case_sha256: str | None
    edits: Edits | None

    def __repr__(self) -> str:
        return f"<SavedSolution of {self.case.id} by {self.producer or 'an unnamed program'}: {self.solution!r}>"


def open_solution(source: str | os.PathLike[str] | bytes) -> SavedSolution:
    """Reads a file that `study.save_solution` wrote, without a solve; `source` is its path or its bytes.

    Raises InputError: `MODULE.TAMPERED` if the file was changed, `MODULE.KIND` if it is not a solution of dcopf, acpf
    or socwr, `MODULE.INCOMPLETE` if the file of another program lacks LMPs or multipliers or is not of dcopf, and those
    of reading files. For files of other programs a diagnostic in `solution.diagnostics` lists the checks.
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
        edits=Edits.from_body(body) if "case_sha256" in body else None,
    )
