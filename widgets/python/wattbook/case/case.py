"""Cases: a network read from a file or from the bundled ones."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, overload

from ..edits.edits import Elements
from ..errors import InputError
from ..files import files, kinds
from ..geography.placement import Placeable
from ..native import check_formulation, engine, engine_errors, solve_options
from ..text.diagnostics import Diagnostic, read_diagnostics
from . import catalogue

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from ..results.explaining import Progress
    from ..results.explanation import Explanation
    from ..study.study import Study


def open_case(source: str | os.PathLike[str] | bytes, *, format: str | None = None) -> Case:
    """Reads a case: a path (`~` is the home folder), the id of a bundled case (`wb.cases()`), or the bytes of a file.

    Balanced networks in MATPOWER (`.m`), PSS/E (`.raw`), PowerWorld (`.aux`, `.pwb`), PSLF (`.epc`) and JSON (saved modules,
    PowerModels, Egret, pandapower, OPFData, GO Challenge 3). `format` is a format token such as `"matpower"`; without it the
    file's extension decides, and JSON is told apart by its content. Bytes need it unless they are JSON.

    Raises InputError when the source is unknown, unreadable, malformed or describes physics that the engine refuses, with
    the element named. Distribution networks, geographic layers and drawings are refused with the function that opens them.
    """
    if format is not None and kinds.kind_by_token(format) is None:
        raise kinds.unknown_format(None, format)
    if isinstance(source, str) and _is_bundled(source):
        text = catalogue.module_text(source)
        with engine_errors() as native:
            return Case(source, json.loads(native.inspect_module(text)), name=catalogue.entries()[source]["name"])
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
        raise kinds.unknown_format(path, format)
    try:
        with engine_errors() as native:
            return Case(kinds.stem(path), json.loads(native.ingest_case(data, token)))
    except InputError as error:
        if error.code == "INPUT.NO_EQUIPMENT" and token == "powerworld" and path is not None:
            hint = f"{error.message} If it lists positions of buses, case.with_geography({path.name!r}) places another case by it."
            raise InputError(error.code, hint, element=error.element, details=error.details) from None
        raise


def _is_bundled(source: str) -> bool:
    """Whether a text is meant as the id of a bundled case: it is one, or it looks like no path."""
    if catalogue.has(source):
        return True
    if not source.strip() or "\n" in source or "\0" in source:
        return False
    path = Path(source)
    return not (path.suffix or len(path.parts) > 1 or source.startswith("~") or path.exists())


def _from_json(data: bytes, path: Path | None, *, modules_only: bool) -> Case:
    kind, token = kinds.classify(data)
    if modules_only and kind != "module":
        raise InputError("MODULE.INVALID", f"{kinds.named(path)} is not a saved module.")
    with engine_errors() as native:
        if kind == "transmission" and token is not None:
            return Case(kinds.stem(path), json.loads(native.ingest_case(data, token)))
        if kind == "module":
            try:
                payload = json.loads(native.ingest_json_drop(data))["payload"]
            except native.EngineError as error:
                if error.args[0] != "MODULE.KIND" or "Solution" not in error.args[1]:
                    raise
                hint = f"{kinds.named(path)} holds a result: wb.open_solution reads it, and its .case is the solved network."
                raise InputError("MODULE.KIND", hint) from None
            if payload["model"] == "balanced":
                return Case(kinds.stem(path), payload)
    if kind in ("module", "distribution"):
        kinds.refuse("distribution", path)
    kinds.refuse_json(data, path, ambiguous=kind == "ambiguous")


class Case(Placeable):
    """A network, read and checked; it never changes. `study()` solves it.

    `id` is the bundled id or the file's stem, `sha256` the hash of the module text that identifies the case in kernel, page
    and server, `base_mva` the power base in MVA, `counts` the numbers of buses, branches and generators, `load_mw` the demand
    in MW. `coords_kind` says where map positions come from: `file`, `synthetic` (a layout), `manual`, or `synthetic_pending`
    while there are none. `warnings` is what the reader had to say.
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
        self.coords_kind: str = ingested["coords_kind"]
        self.warnings: tuple[Diagnostic, ...] = read_diagnostics(ingested["warnings"])
        self._module_json = ingested["module_json"]
        #: The contract's network view: positions and routes; None without positions.
        self._view: dict[str, Any] | None = ingested["view"]
        self._bus_rows: list[dict[str, Any]] = ingested["topology"]["buses"]
        self._branch_rows: list[dict[str, Any]] = ingested["topology"]["branches"]
        self._generator_rows: list[dict[str, Any]] = ingested["topology"]["generators"]
        self._bus_keys = Elements("bus", self._bus_rows)
        self._branch_keys = Elements("branch", self._branch_rows)
        # What was just read is open in the engine and need not be read again; others are when somebody asks.
        self._opened  # noqa: B018

    @cached_property
    def _opened(self) -> Any:
        """The engine's own: read once, for all Studies of this case."""
        with engine_errors() as native:
            return native.Case(self.sha256, self._module_json)

    @cached_property
    def _bus_ids(self) -> np.ndarray:
        """Original ids by row."""
        import numpy as np

        return np.array([row["id"] for row in self._bus_rows], dtype=np.int64)

    @cached_property
    def _parameters(self) -> dict[str, Any]:
        """What the engine says about positions, impedances and costs, in the order of the rows."""
        return json.loads(self._opened.parameters())

    @cached_property
    def buses(self) -> pd.DataFrame:
        """Index `bus`; columns `uid`, `name`, `base_kv` (kV), `demand_mw`, `gen_mw` (MW, as in the source), `longitude`, `latitude`
        (degrees; NaN where the case has no position, `coords_kind` says where they come from), `editable`.

        A three-winding transformer adds its star point here and its three arms to `branches`: they are not editable,
        `counts` leaves them out, and `.attrs["rows"]` says how many they are.
        """
        from ..tables.frames import case_buses

        return case_buses(self._bus_rows, self._parameters)

    @cached_property
    def branches(self) -> pd.DataFrame:
        """Index `branch`; columns `uid`, `from_bus`, `to_bus`, `r_pu`, `x_pu`, `b_pu` (series resistance and reactance, total charging
        susceptance, per unit on `base_mva`), `tap` (off-nominal ratio, 1 for lines), `shift_deg` (phase shift, degrees), `rating_mw`
        (MW), `rating_is_fallback` (the source has no rating and Wattbook took one from angle window and voltage bands),
        `in_service`, `editable`."""
        from ..tables.frames import case_branches

        return case_branches(self._branch_rows, self._parameters)

    @cached_property
    def generators(self) -> pd.DataFrame:
        """Index `generator`; columns `uid`, `bus`, `p_min_mw`, `p_max_mw` (MW), the cost as it is solved, and `in_service`.

        `cost_model` is `polynomial`, with `cost_c2` p² + `cost_c1` p + `cost_c0` in $/h for an output of p MW ($/MW²h, $/MWh, $/h), or
        `piecewise_linear`, with `cost_points`, the corners (MW, $/h), whose first and last slopes extend outwards. What does not
        apply is NaN, or empty. A generator whose source has no cost has zeros: `warnings` says so.
        """
        from ..tables.frames import case_generators

        return case_generators(self._generator_rows, self._parameters)

    def study(self, formulation: str = "dcopf", *, options: Mapping[str, Any] | None = None) -> Study:
        """Solves the base case and keeps the factorisation for edits and sensitivities.

        `options` are the solve options of the contract, for instance `{"dc_convention": "powermodels"}`.
        Raises SolveError when the base case has no solution, with what contradicts and how much is missing at least in its message
        (`explain` finds the least relaxation); InputError for an unknown formulation or option.
        """
        from ..study.study import Study

        return Study(self, formulation, options)

    def explain(
        self,
        formulation: str = "dcopf",
        *,
        options: Mapping[str, Any] | None = None,
        budget_s: float | None = None,
        progress: Progress = None,
    ) -> Explanation | None:
        """Why the case as it is has no solution; None where it has one. For a case with edits see `study.explain`.

        `formulation`, `options` and errors as for `study`, but no SolveError unless a check of the explanation fails; `budget_s` and
        `progress` as for `study.explain`.
        """
        from ..results.explaining import explained

        check_formulation(formulation)
        request = {"formulation": formulation, "options": dict(solve_options(options))}
        with engine_errors() as native:
            run = native.ExplainRun.of_module(self._module_json, json.dumps(request))
        return explained(run, budget_s, progress)

    @overload
    def export(self, path: None = None, format: str | None = None) -> bytes: ...

    @overload
    def export(self, path: str | os.PathLike[str], format: str | None = None) -> Path: ...

    def export(self, path: str | os.PathLike[str] | None = None, format: str | None = None) -> Path | bytes:
        """Writes the case in a format of another program and returns the path; without a path, the bytes.

        `format` is one of `wb.export_formats()`; without it the extension decides. In a folder the file is called after the
        case. What the format cannot carry is told by a `wb.ExportWarning`; `save` keeps everything.

        Raises InputError `EXPORT.FORMAT`, `EXPORT.REFUSED` (the format cannot state this network), `OUTPUT.UNWRITABLE`.
        """
        from ..files.export import export_module

        return export_module(self._module_json, self.id, path, format, stacklevel=2)

    def __getstate__(self) -> dict[str, Any]:
        """What travels to another process: everything but what the engine holds."""
        return {name: value for name, value in self.__dict__.items() if name != "_opened"}

    def _again(self, ingested: Mapping[str, Any]) -> Self:
        return type(self)(self.id, ingested, name=self.name)

    def __repr__(self) -> str:
        from ..html.network import counts_text, lowered_text
        from ..html.parts import with_warnings

        more = f"; its tables have {lowered_text(self)} as well" if lowered_text(self) else ""
        return with_warnings(f"<Case {self.id}: {counts_text(self)}{more}>", self)

    def _repr_html_(self) -> str:
        from ..html.network import case_html

        return case_html(self)
