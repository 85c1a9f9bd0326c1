"""The part of `Study` that solves many steps in one call."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ..advice import Advice
from ..arguments import one_of, whole
from ..edits.profiles import By, Profiles, Table, Unit, profiles_of
from ..errors import EditError, error_for
from ..files.parquet import TableFiles
from ..jobs import Progress, reporter
from ..native import engine_errors
from ..results.kept import FILES, TABLE_OF, TABLES, chosen_tables
from ..results.series import Quantity, SolvedSeries
from ..tables.columns import parted
from ..text import words
from ..threads import stop_if_cancelled

if TYPE_CHECKING:
    from ..case.case import Case

#: What to do where no profile is given.
_GIVE = Advice(
    "a table by step, study.series(demand=frame), or open the case with_profiles",
    "--demand, --ratings, --units or --synthetic",
).within("Give ", ".")
#: Wall time that a call of the engine is meant to take, s: Python can be interrupted between two of them.
_BLOCK_S = 0.2


class StudySeries:
    """Series of a Study. The lock is held while the series is put to the engine, not while it is solved."""

    case: Case
    _engine: Any
    _lock: AbstractContextManager[Any]

    if TYPE_CHECKING:

        @property
        def formulation(self) -> str: ...

    def _require_engine(self) -> None:
        raise NotImplementedError

    def _solve_current(self) -> Any:
        raise NotImplementedError

    def series(
        self,
        demand: Table | None = None,
        ratings: Table | None = None,
        units: Table | None = None,
        *,
        by: By = "bus",
        unit: Unit = "MW",
        tables: Sequence[str] | None = None,
        parquet: str | os.PathLike[str] | None = None,
        threads: int | None = None,
        on_error: str = "record",
        progress: Progress = None,
    ) -> SolvedSeries:
        """Solves every step of a demand or rating profile exactly; the Study does not change.

        `demand` is a DataFrame with a row for each step (any index, for instance of time) and a column for each bus (`by="bus"`)
        area (`by="area"`) or zone (`by="zone"`), or one column for the whole system (`by="system"`); `ratings` one by branch. Values are the
        demand and the rating in MW (MVA for socwr ratings), with `unit="pu"` multiples of the base case. The demand of an area, a zone or
        the system is shared as in the base case, negative demand included. `units` has the availability of generators, 0 (out of service) to 1, a factor of Pmax; steps
        of different availability are set up anew, which takes longer. Without all of them, those of `case.with_profiles(...)`. All other edits are those committed.

        `tables` are the results to keep: "prices", "flows", "loading", "shadow", "dispatch", for acpf "voltages" instead of
        prices (by default all; eight bytes a step and element each). With `parquet` they go to files in that folder as they are solved,
        so that there may be more than memory holds, in place of the tables of an earlier run there, and at the end `steps.parquet` with the table `steps` (needs pyarrow). `threads` is the number of threads, by default that of the
        processors. Every step has the bits of a commit of its edits, whatever the number of threads and the order of steps.

        A step without a solution is recorded in `failures`; with `on_error="raise"` it is a SolveError. An interrupt stops between
        blocks of steps. `progress(fraction, solved)` is called after each block; by default a tqdm bar appears after a second if
        tqdm is installed, with `progress=False` nothing.

        Raises EditError `PROFILE.MALFORMED`, `BUS.UNKNOWN`, `BRANCH.UNKNOWN`, ArgumentError for other arguments, and InputError
        `OUTPUT.PYARROW`, `OUTPUT.UNWRITABLE` with `parquet`.
        """
        on_error = one_of("on_error", on_error, ("record", "raise"))
        count = whole("threads", threads, least=1) if threads is not None else os.cpu_count() or 1
        profiles = self._profiles(demand, ratings, by, unit, units)
        wanted = chosen_tables(self.formulation, tables)
        report = reporter(progress, "solved", text=lambda step: words.count(step["solved"], "step"))
        started = time.perf_counter()
        stop = on_error == "raise"
        engine = self._series_engine(profiles, wanted) if profiles.units is None else None
        with TableFiles(parquet, FILES) as files:
            with closing_of(report):
                if engine is None:
                    steps, values = self._with_units(profiles, wanted, count, report, files, stop=stop)
                else:
                    steps, values = _solved(engine, self.case, profiles, count, report, files, stop=stop)
            seconds = time.perf_counter() - started
            found = _result(self.case, self.formulation, profiles.index, steps, values, seconds, files.folder)
            if files.folder is not None:
                files.write("steps", found.steps)
        return found

    def _series_engine(self, profiles: Profiles, wanted: Sequence[str]) -> Any:
        """The engine's series of the current state."""
        spec = {"buses": profiles.buses, "branches": profiles.branches, "columns": [TABLES[name] for name in wanted]}
        with self._lock:
            self._require_engine()
            self._solve_current()
            with engine_errors() as native:
                return native.Series(self._engine, json.dumps(spec))

    def _with_units(
        self,
        profiles: Profiles,
        wanted: Sequence[str],
        threads: int,
        report: Any,
        files: TableFiles,
        *,
        stop: bool,
    ) -> tuple[list[Mapping[str, Any]], dict[str, Quantity]]:
        """Steps with availability of units, as scenarios of a sweep."""
        from ..sweeps.sweep import solved_in_pieces

        steps: list[Mapping[str, Any]] = []
        blocks: dict[str, list[np.ndarray]] = {}
        heads: dict[str, tuple[str, str]] = {}
        with ThreadPoolExecutor(threads, "wattbook-series") as pool:
            pieces = solved_in_pieces(
                self,  # type: ignore[arg-type]
                lambda reader: reader.of_profiles(profiles),
                profiles,
                pool,
                "raise" if stop else "record",
                wanted,
            )
            for piece in pieces:
                following = profiles.index[len(steps) : len(steps) + len(piece)]
                for name, quantity in piece._quantities.items():
                    heads[name] = (quantity.element, quantity.unit)
                    _keep(self.case, files, following, name, quantity, blocks)
                steps += _steps_of(piece)
                done = len(steps) == len(profiles)
                report({"fraction": len(steps) / len(profiles), "solved": len(steps), "done": done})
        return steps, {name: Quantity(*heads[name], np.vstack(parts)) for name, parts in blocks.items()}

    def _profiles(
        self, demand: Table | None, ratings: Table | None, by: By, unit: Unit, units: Table | None
    ) -> Profiles:
        if demand is not None or ratings is not None or units is not None:
            return profiles_of(self.case, demand, ratings, by, unit, units)
        if self.case.profiles is None:
            raise EditError("PROFILE.MALFORMED", _GIVE)
        return self.case.profiles


@contextmanager
def closing_of(report: Any) -> Iterator[None]:
    """Closes the bar of a report at the end."""
    try:
        yield
    finally:
        close = getattr(report, "close", None)
        if close is not None:
            close()


def _keep(
    case: Case,
    files: TableFiles,
    index: pd.Index,
    name: str,
    quantity: Quantity,
    blocks: dict[str, list[np.ndarray]],
) -> None:
    """Values of some steps in memory, or in their file."""
    if files.folder is None:
        blocks.setdefault(name, []).append(quantity.values)
        return
    files.write(TABLE_OF[name], pd.DataFrame(quantity.values, index=index, columns=case._texts[quantity.element]))


def _steps_of(piece: SolvedSeries) -> list[Mapping[str, Any]]:
    """The steps of a piece of a sweep as the engine tells those of a series."""
    failures = iter(piece.failures.itertuples(index=False))
    steps: list[Mapping[str, Any]] = []
    for k, sha256 in enumerate(piece.sha256):
        if pd.isna(sha256):
            failed = next(failures)
            steps.append({"error": {"code": failed.code, "message": failed.message}})
            continue
        certificate = piece.certificates.iloc[k].dropna().to_dict()
        steps.append({"objective": piece.objective.iloc[k], "result_sha256": sha256, "certificate": certificate})
    return steps


def _solved(
    engine: Any,
    case: Case,
    profiles: Profiles,
    threads: int,
    report: Any,
    files: TableFiles,
    *,
    stop: bool,
) -> tuple[list[Mapping[str, Any]], dict[str, Quantity]]:
    """All steps in blocks, and their values."""
    steps: list[Mapping[str, Any]] = []
    blocks: dict[str, list[np.ndarray]] = {}
    heads: dict[str, tuple[str, str]] = {}
    size, total = 2 * threads, len(profiles)
    while len(steps) < total:
        stop_if_cancelled()
        block = profiles.changes[len(steps) : len(steps) + size]
        started = time.perf_counter()
        with engine_errors():
            head, columns = parted(engine.solve(block.tobytes(), threads))
        # Writing is not counted: it would make blocks, which cost some time each to write, smaller and smaller.
        spent = max(time.perf_counter() - started, 1e-4)
        if stop:
            _raise_first(head["steps"], profiles.index[len(steps) :])
        for name, column in columns.items():
            heads[name] = (column.element, column.unit)
            quantity = Quantity(column.element, column.unit, column.values.reshape(len(block), -1))
            _keep(case, files, profiles.index[len(steps) : len(steps) + len(block)], name, quantity, blocks)
        steps += head["steps"]
        report({"fraction": len(steps) / total, "solved": len(steps), "done": len(steps) == total})
        size = int(min(4 * size, max(2 * threads, size * _BLOCK_S / spent)))
    return steps, {name: Quantity(*heads[name], np.vstack(parts)) for name, parts in blocks.items()}


def _raise_first(steps: Sequence[Mapping[str, Any]], labels: pd.Index) -> None:
    for step, label in zip(steps, labels, strict=False):
        if "error" in step:
            body = step["error"]
            said = f"Step {label}: {body['message']}"
            raise error_for(body["code"], said, *(body.get(name) for name in ("element", "details", "sentence")))


def _result(
    case: Case,
    formulation: str,
    index: pd.Index,
    steps: Sequence[Mapping[str, Any]],
    values: Mapping[str, Quantity],
    seconds: float,
    folder: Path | None,
) -> SolvedSeries:
    objective = pd.Series([step.get("objective", np.nan) for step in steps], index=index, name="objective", dtype=float)
    objective.attrs["units"] = "$/h"
    residuals = [
        {name: value for name, value in step.get("certificate", {}).items() if isinstance(value, (int, float))}
        for step in steps
    ]
    failed = [
        (index[k], step["error"]["code"], step["error"]["message"]) for k, step in enumerate(steps) if "error" in step
    ]
    failures = pd.DataFrame(failed, columns=[index.name or "step", "code", "message"]).set_index(index.name or "step")
    return SolvedSeries(
        case=case,
        formulation=formulation,
        index=index,
        objective=objective,
        certificates=pd.DataFrame(residuals, index=index),
        sha256=pd.Series([step.get("result_sha256") for step in steps], index=index, name="sha256", dtype="string"),
        failures=failures,
        seconds=seconds,
        _quantities=values,
        folder=folder,
    )
