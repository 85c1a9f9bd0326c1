"""Cases: a network read from a file or from the bundled ones."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import catalogue
from .diagnostics import Diagnostic, read_diagnostics
from .edits import Elements
from .errors import InputError
from .native import engine, engine_errors

if TYPE_CHECKING:
    import pandas as pd

    from .study import Study

MODULE_SUFFIX = ".module.json"
#: What a file may be: its extension says which of the tokens it is, except that all JSON families end alike.
EXTENSIONS = (".m", ".raw", ".aux", ".pwb", ".epc", MODULE_SUFFIX)
TOKENS = ("matpower", "psse", "powerworld", "pwb", "pslf")
JSON_TOKENS = ("powermodels-json", "egret-json", "pandapower-json", "opfdata-json", "goc3-json")


def open_case(source: str | os.PathLike[str] | bytes, *, format: str | None = None) -> Case:
    """Reads a case: a path (`~` is the home folder), the id of a bundled case (`wb.cases()`), or the bytes of a file.

    `format` is a format token such as `"matpower"`; without it the file's extension decides. Bytes and JSON files need it.
    Raises InputError when the source is unknown, unreadable, malformed or describes physics that the engine refuses, with
    the element named.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        if format is None:
            raise InputError("INPUT.FORMAT", 'Bytes carry no name: say what they are, for instance format="matpower".')
        return _ingest("case", bytes(source), format)
    if isinstance(source, str):
        _not_text(source)
        if source in catalogue.entries() or not _looks_like_path(source):
            text = catalogue.module_text(source)
            return _from_module(source, text, name=catalogue.entries()[source]["name"])
    path = _expanded(Path(source))
    data = _read(path)
    if format == "module" or (format is None and path.name.endswith(MODULE_SUFFIX)):
        return _from_module(path.name.removesuffix(MODULE_SUFFIX), _decoded(path, data))
    token = format or engine().format_of(path.name)
    if token is None:
        raise _unknown_format(path)
    return _ingest(path.stem, data, token)


def _not_text(source: str) -> None:
    if not source.strip():
        raise InputError("INPUT.NOT_FOUND", "The name of the case is empty: pass a path or the id of a bundled case.")
    if "\n" in source or "\0" in source:
        raise InputError(
            "INPUT.FORMAT", 'This is text, not a path: pass the bytes of a file with, for instance, format="matpower".'
        )


def _looks_like_path(source: str) -> bool:
    path = Path(source)
    return path.suffix != "" or len(path.parts) > 1 or source.startswith("~") or path.exists()


def _expanded(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:
        raise InputError("INPUT.NOT_FOUND", f"There is no home folder for {path.parts[0]}.") from None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError("INPUT.NOT_FOUND", f"There is no file {path}.") from None
    except IsADirectoryError:
        raise InputError("INPUT.UNREADABLE", f"{path} is a folder: pass the file of a case.") from None
    except OSError as error:
        raise InputError("INPUT.UNREADABLE", f"{path} cannot be read: {error.strerror or error}.") from None


def _unknown_format(path: Path) -> InputError:
    if path.suffix.lower() == ".json":
        return InputError(
            "INPUT.FORMAT",
            f"{path.name} does not say which JSON it is: pass format=, one of {', '.join(JSON_TOKENS)}; "
            f'or "module" for a saved module.',
        )
    what = f"ends in {path.suffix}" if path.suffix else "has no extension"
    return InputError(
        "INPUT.FORMAT",
        f"{path.name} {what}. Wattbook reads {', '.join(EXTENSIONS)}; for another name pass format=, one of "
        f"{', '.join((*TOKENS, *JSON_TOKENS))}.",
    )


def _decoded(path: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError("MODULE.MALFORMED", f"{path.name} is not a saved module: it is not UTF-8 text.") from error


def _ingest(case_id: str, data: bytes, token: str) -> Case:
    with engine_errors() as native:
        return Case(case_id, json.loads(native.ingest_case(data, token)))


def _from_module(case_id: str, module_json: str, name: str | None = None) -> Case:
    with engine_errors() as native:
        return Case(case_id, json.loads(native.inspect_module(module_json)), name=name)


class Case:
    """A network, read and checked; it never changes. `study()` solves it.

    `id` is the bundled id or the file's stem, `sha256` the hash of the module text that identifies the case in kernel, page
    and server, `base_mva` the power base in MVA, `counts` the numbers of buses, branches and generators.
    """

    def __init__(self, case_id: str, ingested: Mapping[str, Any], *, name: str | None = None) -> None:
        self.id = case_id
        # A source without a name of its own gets the parser's `case`.
        own = ingested["name"] if ingested["name"] != "case" else ""
        self.name: str = name or own or case_id
        self.sha256: str = ingested["sha256"]
        self.base_mva: float = ingested["base_mva"]
        self.counts: dict[str, int] = {
            "buses": ingested["n_bus"],
            "branches": ingested["n_branch"],
            "generators": ingested["n_gen"],
        }
        self.load_mw: float = ingested["load_mw"]
        self.warnings: tuple[Diagnostic, ...] = read_diagnostics(ingested["warnings"])
        self._module_json: str = ingested["module_json"]
        self._bus_rows: list[dict[str, Any]] = ingested["topology"]["buses"]
        self._branch_rows: list[dict[str, Any]] = ingested["topology"]["branches"]
        self._generator_rows: list[dict[str, Any]] = ingested["topology"]["generators"]
        self._bus_keys = Elements("bus", self._bus_rows)
        self._branch_keys = Elements("branch", self._branch_rows)

    @property
    def module_json(self) -> str:
        """The retained generation-2 module; `sha256` is its hash."""
        return self._module_json

    @cached_property
    def buses(self) -> pd.DataFrame:
        """Index `bus`; columns `uid`, `name`, `base_kv` (kV), `demand_mw`, `gen_mw` (MW, as in the source)."""
        from .frames import case_buses

        return case_buses(self._bus_rows)

    @cached_property
    def branches(self) -> pd.DataFrame:
        """Index `branch`; columns `uid`, `from_bus`, `to_bus`, `rating_mw` (MW), `rating_is_fallback` (the source has no rating
        and Wattbook took one from angle window and voltage bands), `in_service`."""
        from .frames import case_branches

        return case_branches(self._branch_rows)

    @cached_property
    def generators(self) -> pd.DataFrame:
        """Index `generator`; columns `uid`, `bus`, `p_min_mw`, `p_max_mw` (MW), `in_service`."""
        from .frames import case_generators

        return case_generators(self._generator_rows)

    def study(self, formulation: str = "dcopf", *, options: Mapping[str, Any] | None = None) -> Study:
        """Solves the base case and keeps the factorisation for edits and sensitivities.

        `options` are the solve options of the contract, for instance `{"dc_convention": "powermodels"}`.
        Raises SolveError when the base case has no solution, InputError for an unknown formulation or option.
        """
        from .study import Study

        return Study(self, formulation, options)

    def __repr__(self) -> str:
        from .html import counts_text, with_warnings

        return with_warnings(f"<Case {self.id}: {counts_text(self)}>", self)

    def _repr_html_(self) -> str:
        from .html import case_html

        return case_html(self)
