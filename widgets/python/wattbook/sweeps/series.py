"""Series: every step of a profile, solved exactly."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Generator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pandas as pd

from ..edits.profiles import Profiles
from ..errors import error_for
from ..files.files import TableFiles
from ..jobs import Progress, closing, reporter
from ..native import engine_errors
from ..results.series import Quantity, SolvedSeries
from ..results.stored_tables import FILES, TABLE_OF, TABLES
from ..tables.rows import parted
from ..text import words
from ..threads import stop_if_cancelled
from .sweep import solved_in_pieces

if TYPE_CHECKING:
    from ..network import Network
    from ..session.session import Session

#: Intended wall time of an engine call, s; Python can be interrupted between calls.
_BLOCK_S = 0.2


def solved_series(
    session: Session,
    profiles: Profiles,
    wanted: Sequence[str],
    parquet: str | os.PathLike[str] | None,
    threads: int,
    on_error: str,
    progress: Progress,
) -> SolvedSeries:
    """Every step of `profiles` solved exactly from the state of a session, which does not change; the arguments are
    those of `wb.Study.series`. The lock is held only while the series is prepared, not while it is solved."""
    report = reporter(progress, "solved", text=lambda step: words.count(step["solved"], "step"))
    started = time.perf_counter()
    stop = on_error == "raise"
    engine = _series_engine(session, profiles, wanted) if profiles.units is None else None
    with TableFiles(parquet, FILES) as files:
        with closing(report):
            blocks = (
                _with_units(session, profiles, wanted, threads, stop=stop)
                if engine is None
                else _solved(engine, profiles, threads, stop=stop)
            )
            with contextlib.closing(blocks):
                steps, values = _collected(blocks, session.edited_network, profiles.index, report, files)
        seconds = time.perf_counter() - started
        found = _result(
            session.edited_network, session.formulation, profiles.index, steps, values, seconds, files.folder
        )
        if files.folder is not None:
            files.write("steps", found.steps)
    return found


def _series_engine(session: Session, profiles: Profiles, wanted: Sequence[str]) -> Any:
    """The engine's series of the current state."""
    spec = {"buses": profiles.buses, "branches": profiles.branches, "columns": [TABLES[name] for name in wanted]}
    with session.lock:
        session.solution()
        with engine_errors() as native:
            return native.Series(session.native(), json.dumps(spec))


#: The steps of a block, as the engine answers, and their values by column.
_Block: TypeAlias = tuple[Sequence[Mapping[str, Any]], Mapping[str, Quantity]]


def _collected(
    blocks: Iterable[_Block], network: Network, index: pd.Index, report: Any, files: TableFiles
) -> tuple[list[Mapping[str, Any]], dict[str, Quantity]]:
    """All steps, and their values: those for files are written block by block and not held in memory."""
    steps: list[Mapping[str, Any]] = []
    parts: dict[str, list[Quantity]] = {}
    for found, quantities in blocks:
        labels = index[len(steps) : len(steps) + len(found)]
        for name, quantity in quantities.items():
            if files.folder is None:
                parts.setdefault(name, []).append(quantity)
                continue
            columns = network._texts[quantity.element]
            files.write(TABLE_OF[name], pd.DataFrame(quantity.values, index=labels, columns=columns))
        steps += found
        report({"fraction": len(steps) / len(index), "solved": len(steps), "done": len(steps) == len(index)})
    return steps, {
        name: Quantity(own[0].element, own[0].unit, np.vstack([part.values for part in own]))
        for name, own in parts.items()
    }


def _with_units(
    session: Session, profiles: Profiles, wanted: Sequence[str], threads: int, *, stop: bool
) -> Generator[_Block, None, None]:
    """Steps with availability of generators, solved as scenarios of a sweep."""
    with ThreadPoolExecutor(threads, "wattbook-series") as pool:
        pieces = solved_in_pieces(
            session,
            lambda reader: reader.of_profiles(profiles),
            profiles,
            pool,
            "raise" if stop else "record",
            wanted,
        )
        for piece in pieces:
            yield _steps_of(piece), piece._quantities


def _steps_of(piece: SolvedSeries) -> list[Mapping[str, Any]]:
    """The steps of a piece of a sweep in the form of a series."""
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


def _solved(engine: Any, profiles: Profiles, threads: int, *, stop: bool) -> Generator[_Block, None, None]:
    """Steps in blocks that take about `_BLOCK_S`."""
    begin, size = 0, 2 * threads
    while begin < len(profiles):
        stop_if_cancelled()
        block = profiles.changes[begin : begin + size]
        started = time.perf_counter()
        with engine_errors():
            head, columns = parted(engine.solve(block.tobytes(), threads))
        # Writing is not counted, because it would shrink blocks more and more, which have a fixed cost of writing.
        spent = max(time.perf_counter() - started, 1e-4)
        if stop:
            _raise_first(head["steps"], profiles.index[begin:])
        yield (
            head["steps"],
            {
                name: Quantity(column.element, column.unit, column.values.reshape(len(block), -1))
                for name, column in columns.items()
            },
        )
        begin += len(block)
        size = int(min(4 * size, max(2 * threads, size * _BLOCK_S / spent)))


def _raise_first(steps: Sequence[Mapping[str, Any]], labels: pd.Index) -> None:
    for step, label in zip(steps, labels, strict=False):
        if "error" in step:
            body = step["error"]
            message = f"Step {label}: {body['message']}"
            raise error_for(body["code"], message, *(body.get(name) for name in ("element", "details", "sentence")))


def _result(
    network: Network,
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
        case=network,
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
