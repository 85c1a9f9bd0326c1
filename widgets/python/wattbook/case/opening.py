"""Opening cases from files, bundled cases and networks in memory; saved Studies and saved solutions with their case."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..conversions import in_memory as conversions
from ..edits.edits import Edits
from ..errors import InputError, WattbookWarning, from_engine, with_geography
from ..files import files, kinds
from ..jobs import Progress
from ..native import engine, engine_errors
from ..results.solution import Solution
from ..session.documents import history_of, options_of, read_bundle
from ..session.session import Start
from ..study.study import Case, Study
from ..tables.rows import Inspected, ingested, inspected, parted, whole
from ..text.words import visible
from ..threads import apart
from . import catalogue


def open_case(
    source: str
    | os.PathLike[str]
    | bytes
    | Mapping[str, Any]
    | list[str | os.PathLike[str]]
    | tuple[str | os.PathLike[str], ...],
    *,
    format: str | None = None,
) -> Case:
    """Reads a case: a path (`~` is the home folder), the id of a bundled case (`wb.cases()`), the bytes of a file, or a
    network in memory, a pandapower or PyPSA network (its first snapshot) or the dictionary of a MATPOWER (`{"baseMVA",
    "bus", "gen", "branch", "gencost"}`) or PowerModels case. A `wb.ConversionWarning` lists the parts of a PyPSA
    network that are dropped.

    Balanced networks in MATPOWER (`.m`), PSS/E (`.raw`, `.rawx`), PowerWorld (`.aux`, `.pwb`), PSLF (`.epc`), IEEE CDF (`.cdf`), UCTE-DEF (`.uct`),
    XIIDM (`.xiidm`, `.iidm`), CGMES (`.zip`, or a list of its `.xml` files)
    and JSON (saved modules, PowerModels, Egret, pandapower, OPFData, GO Challenge 3). `format` is a format token such as
    `"matpower"`; without it the extension decides, and JSON and IEEE CDF are recognized by content under any other name.
    Bytes of other formats need it.

    Raises InputError if the source is unknown, unreadable or malformed, or contains physics that the engine does not model; the
    message names the element. For distribution networks, geographic layers and drawings it names the function that opens them.
    """
    if format is not None and kinds.kind_by_token(format) is None:
        raise kinds.unknown_format(None, format)
    if conversions.is_network(source):
        name, data, written_as = conversions.text_of(source)
        case = Case(visible(name), ingested(data, written_as))
        case._with_fuels(conversions.fuels_of(source))
        places = conversions.positions_of(source)
        return case if places is None else case.with_geography(places)
    assert not isinstance(source, Mapping)
    if isinstance(source, (list, tuple)):
        first, data = files.joined(source)
        return Case(kinds.stem(first), ingested(data, format or "cgmes"))
    if isinstance(source, str) and _is_bundled(source):
        text = catalogue.module_text(source)
        return Case(source, _read_lately(text), name=catalogue.entries()[source]["name"])
    path, data = files.content(source)
    kind = kinds.kind_by_token(format) if format else kinds.kind_by_name(path)
    if kind in ("distribution", "geography", "display"):
        kinds.refuse(kind, path)
    if kind == "json" or (kind is None and format is None and kinds.looks_like_json(data)):
        return _from_json(data, path, modules_only=format == "module")
    token = format if kind else None
    if format is None and path is not None:
        token = engine().format_of(path.name)
    if token is None:
        return _from_text(data, path)
    try:
        return Case(kinds.stem(path), ingested(data, token))
    except InputError as error:
        if error.code == "INPUT.NO_EQUIPMENT" and token == "powerworld" and path is not None:
            apply = with_geography(visible(path.name), f"pass it to case.with_geography({path.name!r}) of the case")
            hint = apply.within(f"{error.message} If it is a table of bus positions, ", ".")
            raise InputError(error.code, hint, element=error.element, details=error.details) from None
        raise


@lru_cache(maxsize=4)
def _read_lately(text: str) -> Inspected:
    """The module of a bundled case as the engine reads it. The last cases are stored, as many as the engine holds open,
    because cells often open the same case again. Cases share it and must not change it."""
    return inspected(text)


def _is_bundled(source: str) -> bool:
    """Whether a text is the id of a bundled case, or does not look like a path."""
    if catalogue.has(source):
        return True
    if not source.strip() or "\n" in source or "\0" in source:
        return False
    path = Path(source)
    return not (path.suffix or len(path.parts) > 1 or source.startswith("~") or path.exists())


def _from_text(data: bytes, path: Path | None) -> Case:
    try:
        return Case(kinds.stem(path), ingested(data, kinds.TEXT))
    except InputError as error:
        if error.code in ("INPUT.FORMAT", "INPUT.ENCODING", "INPUT.EMPTY"):
            raise kinds.unknown_format(path, None) from None
        raise


def _from_json(data: bytes, path: Path | None, *, modules_only: bool) -> Case:
    kind, token = kinds.classify(data)
    if modules_only and kind != "module":
        raise InputError("MODULE.INVALID", f"{kinds.named(path)} is not a saved module.")
    if kind == "transmission" and token is not None:
        return Case(kinds.stem(path), ingested(data, token))
    with engine_errors() as native:
        if kind == "module":
            try:
                text, numbers, module_json = apart(native.ingest_json_drop, data)
            except native.EngineError as error:
                failed = from_engine(*error.args)
                if failed.code != "MODULE.KIND" or not (failed.details or {}).get("holds", "").endswith("Solution"):
                    raise
                hint = f"{kinds.named(path)} is a saved solution: wb.open_solution reads it, and its .case is the solved network."
                raise InputError("MODULE.KIND", hint) from None
            head, columns = parted((text, numbers))
            if head["payload"]["model"] == "balanced":
                return Case(kinds.stem(path), (whole(head["payload"], module_json), columns))
    if kind in ("module", "distribution"):
        kinds.refuse("distribution", path)
    kinds.refuse_json(data, path, ambiguous=kind == "ambiguous")


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
