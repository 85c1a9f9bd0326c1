"""Classification of files by name and content, and the functions that open files other than cases."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any, NoReturn

from ..arguments import formatted, meant
from ..errors import FORMAT, FORMAT_OF_BYTES, Advice, InputError, WattbookError, with_geography
from ..native import engine, engine_errors
from ..text.words import visible
from ..threads import apart

MODULE_SUFFIX = ".module.json"
SOLUTION_SUFFIX = ".solution.json"
#: Extensions of balanced cases; JSON is classified by content.
EXTENSIONS = (".m", ".raw", ".rawx", ".aux", ".pwb", ".epc", ".cdf", ".uct", ".xiidm", ".iidm", ".zip", ".xml", ".json")
TOKENS = ("matpower", "psse", "psse-rawx", "powerworld", "pwb", "pslf", "ieee-cdf", "ucte", "xiidm", "cgmes")
#: Token of a text whose content decides its format.
TEXT = "text"
#: Tokens that `wb.export_formats()` lists for RAW files, which state their revision themselves.
REVISIONS = ("psse34", "psse35")
JSON_TOKENS = ("powermodels-json", "egret-json", "pandapower-json", "opfdata-json", "goc3-json")
DISTRIBUTION_TOKENS = ("dss", "bmopf-json", "pmd-json")

#: Files that other functions open: their description, and the advice.
_ELSEWHERE = {
    "balanced": "a balanced case",
    "distribution": "a distribution network",
    "geography": "a geographic layer",
    "display": "a one-line drawing",
    "study": "a saved Study",
    "feeder": "the power flow of a feeder",
    "solution": "a saved solution",
}
#: Kinds of saved Studies by the schema in their JSON.
_BY_SCHEMA = {"wattbook-study": "study", "wattbook-mc-study": "feeder"}
_BY_SUFFIX = {".dss": "distribution", ".pwd": "display", ".csv": "geography", ".geojson": "geography"}
_BY_TOKEN = {
    **dict.fromkeys(DISTRIBUTION_TOKENS, "distribution"),
    **dict.fromkeys((*TOKENS, *REVISIONS, *JSON_TOKENS), "balanced"),
    "pwd": "display",
    "geo-json": "geography",
}


def named(path: PurePath | None) -> str:
    """The name of a source in messages."""
    return visible(path.name) if path is not None else "This file"


def stem(path: PurePath | None) -> str:
    """The id of a network read from a file: the file name without its extension; `case` for bytes."""
    if path is None:
        return "case"
    return visible(path.name.removesuffix(MODULE_SUFFIX) if path.name.endswith(MODULE_SUFFIX) else path.stem)


def kind_by_name(path: PurePath | None) -> str | None:
    """`balanced`, `distribution`, `geography`, `display` or `json` by the extension; None if it is unknown."""
    if path is None:
        return None
    suffix = path.suffix.lower()
    if suffix == ".json":
        return "json"
    return _BY_SUFFIX.get(suffix) or ("balanced" if engine().format_of(path.name) else None)


def kind_by_token(token: str | None) -> str | None:
    """The same by a format token; `json` for `json` and `module`, which are classified by content."""
    if not isinstance(token, str):
        return None
    return "json" if token in ("json", "module") else _BY_TOKEN.get(token)


def reads(token: str, extension: str) -> bool:
    """Whether `open_case` reads an exported file: by its extension, JSON by its format."""
    return token in JSON_TOKENS if extension == ".json" else extension in EXTENSIONS


def looks_like_json(data: bytes) -> bool:
    """Whether the contents begin like a JSON object."""
    return data[:1024].removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{"


def refuse(kind: str, path: PurePath | None) -> NoReturn:
    """Raises `INPUT.FORMAT` with the function that opens files of this kind."""
    advice, after = _advice(kind, path)
    message = advice.within(f"{named(path)} is {_ELSEWHERE[kind]}: ", after)
    raise InputError("INPUT.FORMAT", message, details={"kind": kind})


def _advice(kind: str, path: PurePath | None) -> tuple[Advice, str]:
    """Advice on the function that opens such a file, and the end of the sentence."""
    argument = repr(path.name) if path is not None else "..."
    if kind == "distribution":
        opens = Advice(f"wb.open_feeder({argument}) opens it", "`wattbook solve` solves it")
        return opens, ", without prices."
    if kind == "geography":
        file = visible(path.name) if path is not None else "FILE"
        return with_geography(file, f"open its case first, then call case.with_geography({argument})"), "."
    if kind == "display":
        reads = f"wb.open_display({argument}) reads its positions"
        return Advice(
            reads, "`wb.open_display` in Python reads its positions"
        ), ", which are not longitudes and latitudes."
    if kind == "study":
        return Advice(f"wb.open_study({argument}) opens it", "`wattbook verify` solves its states"), "."
    if kind == "feeder":
        return Advice(f"wb.open_feeder({argument}) opens it", "`wattbook verify` solves it again"), "."
    if kind == "solution":
        return Advice(f"wb.open_solution({argument}) reads it", "`wb.open_solution` in Python reads it"), "."
    return Advice(f"wb.open_case({argument}) opens it", "`wattbook solve` reads it"), "."


def classify(data: bytes) -> tuple[str, str | None]:
    """Kind (`module`, `transmission`, `distribution`, `ambiguous`, `unknown`) and format of a JSON document."""
    with engine_errors() as native:
        found = json.loads(apart(native.classify_json, data))
    return found["kind"], found["format"]


def refuse_other(data: bytes, path: PurePath | None) -> None:
    """Raises `INPUT.FORMAT` naming the function that opens a file, if its contents or name identify one."""
    kind = _content_kind(data) if looks_like_json(data) else kind_by_name(path)
    if kind in _ELSEWHERE:
        refuse(kind, path)


def refuse_unsolved(data: bytes, path: PurePath | None) -> None:
    """Raises `INPUT.FORMAT` naming the function that opens a file other than a saved solution, if its contents identify
    one."""
    try:
        kind = _saved(json.loads(data)) or _content_kind(data) if looks_like_json(data) else kind_by_name(path)
    except (ValueError, RecursionError, WattbookError):
        return
    if kind in _ELSEWHERE and kind != "solution":
        refuse(kind, path)


def _content_kind(data: bytes) -> str | None:
    """`balanced`, `distribution` or `solution` by the contents of a JSON document; None for others."""
    kind, _ = classify(data)
    if kind != "module":
        return {"transmission": "balanced", "distribution": "distribution"}.get(kind)
    try:
        with engine_errors() as native:
            text, *_ = apart(native.ingest_json_drop, data)
    except WattbookError as error:
        holds = error.details.get("holds", "") if isinstance(error.details, dict) else ""
        return "solution" if holds.endswith("Solution") else None
    return "balanced" if json.loads(text)["payload"]["model"] == "balanced" else "distribution"


def refuse_json(data: bytes, path: PurePath | None, *, ambiguous: bool) -> NoReturn:
    """Raises InputError for a JSON document that matches no format or several."""
    if ambiguous:
        raise InputError(
            "INPUT.FORMAT",
            FORMAT.within(
                f"{named(path)} matches several formats: ",
                f", one of {', '.join(JSON_TOKENS)} for a balanced case, {', '.join(DISTRIBUTION_TOKENS[1:])} for a "
                "distribution network.",
            ),
        )
    try:
        document = json.loads(data)
    except RecursionError:
        raise InputError("INPUT.PARSE", f"{named(path)} is nested too deeply to be a case.") from None
    except UnicodeDecodeError:
        raise InputError("INPUT.PARSE", f"{named(path)} is not JSON: it is not UTF-8 text.") from None
    except ValueError as error:
        what = "it is empty" if not data.strip() else error
        raise InputError("INPUT.PARSE", f"{named(path)} is not JSON: {what}.") from None
    saved = _saved(document)
    if saved is not None:
        refuse(saved, path)
    if _geographic(document):
        refuse("geography", path)
    raise InputError(
        "INPUT.FORMAT",
        f"{named(path)} is JSON in an unrecognised case format. Wattbook reads saved modules, {', '.join(JSON_TOKENS)}, and with "
        f"wb.open_feeder {', '.join(DISTRIBUTION_TOKENS[1:])}.",
    )


def _saved(document: Any) -> str | None:
    """`study` or `feeder` if a document is a saved one by its schema, whatever the file name."""
    if not isinstance(document, dict):
        return None
    inner = document.get("document")
    for member in (document, inner if isinstance(inner, dict) else {}):
        schema = member.get("schema")
        if isinstance(schema, str) and schema in _BY_SCHEMA:
            return _BY_SCHEMA[schema]
    return None


def _geographic(document: Any) -> bool:
    if isinstance(document, dict):
        members = [document, *(value for value in document.values() if isinstance(value, dict))]
        if any(member.get("type") in ("FeatureCollection", "Feature") for member in members):
            return True
        rows = next((value for value in document.values() if isinstance(value, list)), [])
    else:
        rows = document if isinstance(document, list) else []
    first = rows[0] if rows and isinstance(rows[0], dict) else {}
    return bool({str(name).lower() for name in first} & {"lat", "latitude", "lat1"})


def unknown_format(path: PurePath | None, token: object) -> InputError:
    """`INPUT.FORMAT` for an unknown format token, an unknown extension, or bytes without a format."""
    tokens = ", ".join((*TOKENS, *JSON_TOKENS))
    if isinstance(token, str) and any(row["format"] == token for row in json.loads(engine().export_formats())):
        return InputError(
            "INPUT.FORMAT", f"Files in the format {formatted(token)} are written, not read. Known: {tokens}, module."
        )
    if token is not None:
        hint = meant(token, (*TOKENS, *JSON_TOKENS)) if isinstance(token, str) else ""
        message = f"Unknown case format {formatted(token)}{f': {hint}' if hint else '.'} Known: {tokens}, module."
    elif path is None:
        return InputError("INPUT.FORMAT", FORMAT_OF_BYTES.within("Bytes have no file name: ", "."))
    else:
        what = f"ends in {path.suffix}" if path.suffix else "has no extension"
        known = f"{named(path)} {what}. Wattbook reads {', '.join(EXTENSIONS)}; for other names "
        return InputError("INPUT.FORMAT", FORMAT.within(known, f", one of {tokens}."))
    return InputError("INPUT.FORMAT", message)
