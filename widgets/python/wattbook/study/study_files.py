"""Files that a Study writes: its case with the edits, and its result."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from ..edits.state import EditState
from ..files.export import export_module
from ..files.kinds import SOLUTION_SUFFIX
from ..geography.placement import write_module
from ..native import engine_errors
from ..threads import apart

if TYPE_CHECKING:
    from ..case.case import Case
    from ..results.solution import Solution


class StudyFiles:
    """The part of `Study` that writes files. The lock is held while reading the state, not while writing the file."""

    case: Case
    _engine: Any
    _lock: AbstractContextManager[Any]
    _edits: EditState

    if TYPE_CHECKING:

        def _require_engine(self) -> None: ...
        def _solve_current(self) -> Solution: ...

    def save_module(self, path: str | os.PathLike[str]) -> Path:
        """Writes a module of the case with the committed edits and returns the path.

        `wb.open_case` reads it as a new case whose base state is the current state. In a folder the file is called
        `<id>.module.json`. Raises InputError `OUTPUT.UNWRITABLE`, and `EXPORT.FORMAT` for a name that does not end in `.json`.
        """
        return write_module(path, self.case.id, self._edited_module())

    def save_solution(self, path: str | os.PathLike[str]) -> Path:
        """Writes the result and its network as a solution module and returns the path.

        `wb.open_solution` reads it without a solve, bit for bit. In a folder the file is called
        `<id>.solution.json`. Raises InputError `OUTPUT.UNWRITABLE`, and `EXPORT.FORMAT` for a name that does not end in `.json`.
        """
        with self._lock:
            self._solve_current()
            with engine_errors():
                text = self._engine.save_solution_module(self.case.module_json)
        return write_module(path, self.case.id, text, SOLUTION_SUFFIX)

    @overload
    def export(self, path: None = None, format: str | None = None) -> bytes: ...

    @overload
    def export(self, path: str | os.PathLike[str], format: str | None = None) -> Path: ...

    def export(self, path: str | os.PathLike[str] | None = None, format: str | None = None) -> Path | bytes:
        """Exports the case with the committed edits; otherwise as `case.export`."""
        return export_module(self._edited_module(), self.case.id, path, format, stacklevel=2)

    def _edited_module(self) -> str:
        with self._lock:
            self._require_engine()
            edits = self._edits.texts()
        with engine_errors() as native:
            return str(apart(native.materialize_module, self.case.module_json, *edits))
