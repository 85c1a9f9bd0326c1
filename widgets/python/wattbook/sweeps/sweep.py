"""Sweeps: many scenarios of a state, each solved exactly, block by block, and their results as tables."""

from __future__ import annotations

import hashlib
import json
import os
import time
import zlib
from collections.abc import Callable, Iterator, Sequence, Sized
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np
import pandas as pd

from ..arguments import formatted, one_of
from ..errors import ArgumentError, EditError, error_for
from ..files.files import TableFiles
from ..native import engine
from ..quantities_generated import COLUMNS
from ..results.series import UNITS, Quantity, SolvedSweep, summary_of
from ..results.stored_tables import FILES, TABLES, chosen_tables
from ..threads import apart, stop_if_cancelled
from .pools import Pool, pool_of
from .scenarios import Block, CaseText, Reader, Scenario, Scenarios, Setup, Solved

if TYPE_CHECKING:
    from ..network import Network
    from ..session.session import Session

#: Names of the scenarios of a block, and their results.
SolvedBlock: TypeAlias = tuple[list[Any], Solved]
#: Called after each block with the completed fraction, None for an unknown number of scenarios, and the number of
#: solved ones.
SweepProgress: TypeAlias = Callable[[float | None, int], object] | bool | None
#: Largest number of scenarios of a block per intended second, and largest size of its tables in bytes.
_MOST_EACH_S, _BYTES = 1500, 32 << 20
#: Scenarios whose results become one table, because creating tables takes longer than solving a few.
_TOGETHER = 2048


def solved_sweep(
    session: Session,
    scenarios: Scenarios,
    executor: Any,
    progress: SweepProgress,
    on_error: str,
    tables: Sequence[str] | None,
    parquet: str | os.PathLike[str] | None,
) -> SolvedSweep:
    """Every scenario solved exactly from the state of a session, which does not change; the arguments are those of `wb.sweep`."""
    started = time.perf_counter()
    wanted = chosen_tables(session.formulation, tables, session.network._rows, 1)
    counter = _Counter(progress, len(scenarios) if isinstance(scenarios, Sized) else None)
    pieces: list[SolvedSweep] = []
    blocks: list[SolvedBlock] = []
    network, formulation, found = _blocks_of(
        session, lambda reader: reader.read(scenarios), scenarios, executor, on_error, tables
    )

    def put() -> None:
        if not blocks:
            return
        piece = _piece_of(network, formulation, blocks)
        _write(files, piece, wanted)
        pieces.append(piece if parquet is None else _without_tables(piece))
        blocks.clear()

    with counter, TableFiles(parquet, FILES) as files:
        waiting = held = 0
        # After an interrupt the files contain what was solved.
        try:
            for block in found:
                blocks.append(block)
                waiting, held = waiting + len(block[0]), held + block[1].nbytes
                if waiting >= _TOGETHER or held >= _BYTES:
                    put()
                    waiting = held = 0
                counter.add(len(block[0]))
        finally:
            put()
    if not pieces:
        raise EditError("SWEEP.MALFORMED", "There is no scenario.")
    seconds = time.perf_counter() - started
    return _joined(network, formulation, pieces, seconds, files.folder)


def solved_in_pieces(
    session: Session,
    read: Callable[[Reader], Iterator[Scenario]],
    given: Any,
    executor: Any,
    on_error: str,
    tables: Sequence[str] | None,
) -> Iterator[SolvedSweep]:
    """The results of the scenarios from `read`, block by block; `given` may know their number."""
    network, formulation, blocks = _blocks_of(session, read, given, executor, on_error, tables)
    return (_piece_of(network, formulation, [block]) for block in blocks)


def _blocks_of(
    session: Session,
    read: Callable[[Reader], Iterator[Scenario]],
    given: Any,
    executor: Any,
    on_error: str,
    tables: Sequence[str] | None,
) -> tuple[Network, str, Iterator[SolvedBlock]]:
    """The case and the formulation of a sweep, and its blocks in the order of the scenarios. Arguments are checked at once."""
    on_error = one_of("on_error", on_error, ("record", "raise"))
    wanted = chosen_tables(session.formulation, tables, session.network._rows, 1)
    with session.lock:
        session.solution()
        network, formulation, edits = session.edited_network, session.formulation, session.edits
        left_out = session.left_out()
        options = {name: value for name, value in session.options.items() if name not in left_out}
    stored = tuple(TABLES[name] for name in wanted)
    summed = ("vm_pu", "loading") if formulation == "acpf" else ("lmp", "flow_mw", "loading", "shadow")
    setup = Setup(
        network.sha256,
        formulation,
        json.dumps(options),
        json.dumps({**edits.body(), "deltas": {}, "rates": {}}),
        stored,
        tuple(dict.fromkeys((*stored, *summed))),
        engine().CONTRACT_SOURCE_SHA256,
    )
    text = _text_of(network)
    pool = pool_of(executor, setup, text)
    row_bytes = 8 * sum(len(text.ids[COLUMNS[TABLES[name]].element]) for name in wanted)
    blocks = _Blocks(read(Reader(network, edits)), given, pool, row_bytes)

    def solved() -> Iterator[SolvedBlock]:
        for found in pool.solved(blocks):
            stop_if_cancelled()
            names = blocks.names.pop(found.number)
            blocks.took(found.seconds, len(names))
            if on_error == "raise":
                _raise_first(names, found)
            yield names, found

    return network, formulation, solved()


class _Blocks:
    """Blocks of scenarios whose size limits their solve time; the size does not change the results."""

    def __init__(self, scenarios: Iterator[Scenario], given: Any, pool: Pool, row_bytes: int) -> None:
        self._scenarios = scenarios
        self._number = 0
        self._size = 2 * pool.workers
        self._seconds = pool.block_s
        self._most = max(1, min(int(_MOST_EACH_S * pool.block_s), _BYTES // max(row_bytes, 1)))
        if isinstance(given, Sized):
            self._most = max(1, min(self._most, -(-len(given) // (4 * pool.workers))))
        #: Scenario names of the blocks in flight.
        self.names: dict[int, list[Any]] = {}

    def took(self, seconds: float, count: int) -> None:
        """Records how long a block took."""
        fitting = int(count * self._seconds / max(seconds, 1e-4))
        self._size = max(1, min(self._most, 4 * self._size, fitting))

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Block:
        size = min(self._size, self._most)
        chosen = [scenario for _, scenario in zip(range(size), self._scenarios, strict=False)]
        if not chosen:
            raise StopIteration
        block = Block(self._number, tuple(chosen))
        self.names[self._number] = [scenario.name for scenario in chosen]
        self._number += 1
        return block


def _text_of(network: Network) -> CaseText:
    rows = network._rows
    ids = {
        "bus": rows.buses.ids,
        "branch": rows.branches.ids,
        "generator": rows.generators.ids,
        "link": rows.links.ids,
        "storage": rows.storage.ids,
        "editable": rows.buses.ids[rows.buses.flags("bus_editable")],
    }
    weights = np.clip(np.nan_to_num(network._buses["demand_mw"].to_numpy(dtype=float)), 0.0, None)
    packed = apart(zlib.compress, network.module_json.encode(), 6)
    added = hashlib.sha256(network._added_json.encode()).hexdigest() if network._added_json else ""
    return CaseText(network.sha256 + added, network.sha256, packed, ids, weights)


def _raise_first(names: Sequence[Any], solved: Solved) -> None:
    for name, step in zip(names, solved.steps, strict=True):
        if "error" in step:
            body = step["error"]
            raise error_for(body["code"], f"Scenario {name}: {body['message']}", body.get("element"))


class _Counter:
    """Reports solved scenarios: to a function, by a tqdm bar, or not at all."""

    def __init__(self, progress: SweepProgress, total: int | None) -> None:
        if not callable(progress) and progress not in (None, True, False):
            raise ArgumentError(
                "ARGUMENT.CHOICE",
                f"progress must be a function of (fraction, solved), True or False, not {formatted(progress)}.",
            )
        self._progress, self._total, self._solved = progress, total, 0
        self._begun, self._bar = time.monotonic(), None

    def __enter__(self) -> Self:
        return self

    def add(self, count: int) -> None:
        self._solved += count
        if callable(self._progress):
            self._progress(None if self._total is None else self._solved / self._total, self._solved)
        elif self._progress is not False:
            self._show(count)

    def _show(self, count: int) -> None:
        from ..jobs import PATIENCE_S, tqdm_bar

        if self._bar is not None:
            self._bar.update(count)
        elif time.monotonic() - self._begun > PATIENCE_S and self._solved != self._total:
            self._bar = tqdm_bar(total=self._total, initial=self._solved, unit=" scenarios", leave=False)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


def _write(files: TableFiles, piece: SolvedSweep, tables: Sequence[str]) -> None:
    """Adds the rows of a piece to the files."""
    if files.folder is None:
        return
    for table in tables:
        quantity = piece._quantities[TABLES[table]]
        columns = piece.case._texts[quantity.element]
        files.write(table, pd.DataFrame(quantity.values, index=piece.index, columns=columns))
    files.write("scenarios", piece._rows())


def _piece_of(network: Network, formulation: str, blocks: Sequence[SolvedBlock]) -> SolvedSweep:
    """The results of some blocks as tables."""
    names = [name for own, _ in blocks for name in own]
    steps = [step for _, solved in blocks for step in solved.steps]
    index = _index(names)
    errors = [step.get("error") for step in steps]
    columns = summary_of(formulation)
    table = pd.DataFrame(
        {name: [float(step[name]) if step.get(name) is not None else np.nan for step in steps] for name in columns},
        index=index,
    )
    table["sha256"] = pd.array([step.get("result_sha256") for step in steps], dtype="string")
    table["error"] = pd.array([error["code"] if error else None for error in errors], dtype="string")
    failed = [(name, error["code"], error["message"]) for name, error in zip(names, errors, strict=True) if error]
    residuals = [
        {name: value for name, value in step.get("certificate", {}).items() if isinstance(value, (int, float))}
        for step in steps
    ]
    counts = [(solved.worker, len(own), solved.seconds, solved.read) for own, solved in blocks]
    workers = pd.DataFrame(counts, columns=["worker", "scenarios", "seconds", "case_reads"]).set_index("worker")
    return _made(
        network,
        formulation,
        table,
        pd.DataFrame(residuals, index=index),
        pd.DataFrame(failed, columns=["scenario", "code", "message"]).set_index("scenario"),
        workers,
        sum(solved.seconds for _, solved in blocks),
        {
            name: Quantity(element, unit, np.vstack([solved.columns[name][2] for _, solved in blocks]))
            for name, (element, unit, _) in blocks[0][1].columns.items()
        },
        None,
    )


def _made(
    network: Network,
    formulation: str,
    table: pd.DataFrame,
    certificates: pd.DataFrame,
    failures: pd.DataFrame,
    workers: pd.DataFrame,
    seconds: float,
    quantities: dict[str, Quantity],
    folder: Path | None,
) -> SolvedSweep:
    table.attrs["units"] = {name: unit for name, unit in UNITS.items() if name in table}
    objective = (
        table["objective"]
        if "objective" in table
        else pd.Series(np.nan, index=table.index, name="objective", dtype=float)
    )
    objective.attrs["units"] = "$/h"
    return SolvedSweep(
        case=network,
        formulation=formulation,
        index=table.index,
        objective=objective,
        certificates=certificates,
        sha256=table["sha256"],
        failures=failures,
        seconds=seconds,
        _quantities=quantities,
        scenarios=table,
        workers=workers,
        folder=folder,
    )


def _index(names: Sequence[Any]) -> pd.Index:
    return pd.Index(list(names), name="scenario")


def _without_tables(piece: SolvedSweep) -> SolvedSweep:
    """The piece without the tables that are in files."""
    return _made(
        piece.case,
        piece.formulation,
        piece.scenarios,
        piece.certificates,
        piece.failures,
        piece.workers,
        piece.seconds,
        {},
        None,
    )


def _joined(
    network: Network, formulation: str, pieces: Sequence[SolvedSweep], seconds: float, folder: Path | None
) -> SolvedSweep:
    """All pieces as one, in order."""
    table = pd.concat([piece.scenarios for piece in pieces])
    table = table[[*(name for name in UNITS if name in table), "sha256", "error"]]
    failures = pd.concat([piece.failures for piece in pieces if len(piece.failures)] or [pieces[0].failures])
    workers = pd.concat([piece.workers for piece in pieces]).groupby(level="worker").sum()
    names = pieces[0]._quantities
    quantities = {
        name: Quantity(head.element, head.unit, np.vstack([piece._quantities[name].values for piece in pieces]))
        for name, head in names.items()
    }
    certificates = pd.concat([piece.certificates for piece in pieces])
    return _made(network, formulation, table, certificates, failures, workers, seconds, quantities, folder)
