"""`wattbook.sweep`: many scenarios of a Study, each solved exactly."""

from __future__ import annotations

import json
import os
import time
import zlib
from collections.abc import Callable, Iterator, Sequence, Sized
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np
import pandas as pd

from ..arguments import one_of, told
from ..errors import ArgumentError, EditError, error_for
from ..files.parquet import TableFiles
from ..native import engine
from ..quantities_generated import COLUMNS
from ..results.kept import FILES, TABLES, chosen_tables
from ..results.sweep import SolvedSweep
from ..threads import stop_if_cancelled
from .blocks import Block, CaseText, Setup, Solved
from .pieces import SolvedBlock, joined, piece_of, without_tables
from .pools import Pool, pool_of
from .scenarios import Reader, Scenario, Scenarios

if TYPE_CHECKING:
    from ..case.case import Case
    from ..study.study import Study

#: Called after each block with the part that is done, None for scenarios of unknown number, and the number of solved ones.
SweepProgress: TypeAlias = Callable[[float | None, int], object] | bool | None
#: Scenarios of a block for each second that it is meant to take, at most, and bytes of its tables.
_MOST_EACH_S, _BYTES = 1500, 32 << 20
#: Scenarios whose results become one table: making tables takes longer than solving a few.
_TOGETHER = 2048


def sweep(
    study: Study,
    scenarios: Scenarios,
    executor: Any = None,
    progress: SweepProgress = None,
    on_error: str = "record",
    *,
    tables: Sequence[str] | None = None,
    parquet: str | os.PathLike[str] | None = None,
) -> SolvedSweep:
    """Solves every scenario exactly; the Study does not change.

    `scenarios` are mappings with any of these keys, in a list, an iterator, or a mapping by name:

    - `"demand"`, `"ratings"`: changes from the base case in MW by bus and by line (MVA for socwr ratings), as for `study.commit`
    - `"outages"`: lines out of service, one or a list, or a mapping of lines to True or False
    - `"units"`: availability of generators from 0 (out of service) to 1, a factor of Pmax; Pmin falls with it where it has to
    - `"costs"`: costs of generators, $/MWh or `(c2, c1, c0)` in $/MW²h, $/MWh and $/h
    - `"name"`: of the scenario, by default its number

    A DataFrame has a row for each scenario and pairs as columns, for instance `("demand", 30)`; missing values change nothing. What a
    scenario does not say is as committed in the Study.

    `executor` is None or `"threads"` for threads of the engine in this process, `"processes"`, a pool of `concurrent.futures`, a
    `joblib.Parallel`, or a `dask.distributed.Client`. A process or worker gets the case once, by its hash. Results are in the order of the
    scenarios and the same, bit for bit, whatever the executor. Blocks of a process that ends are solved again with `"processes"` and Dask.

    `tables` are results to keep besides `scenarios`: "prices" (default), "flows", "loading", "shadow", "dispatch", for acpf "voltages"
    (default) instead of prices; eight bytes a scenario and element each, `()` for none. With `parquet` they go to files in that folder as
    they are solved, so that there may be more than memory holds, in place of the tables of an earlier run there (needs pyarrow).

    A scenario without a solution is recorded in `failures`; with `on_error="raise"` it is a SolveError. `progress(fraction, solved)` is
    called after each block; by default a tqdm bar appears after a second if tqdm is installed, with `progress=False` nothing. An
    interrupt stops between blocks; files keep what was written.

    Raises ArgumentError for something else than a Study, EditError `SWEEP.MALFORMED`, those of commits and of targets for unknown elements, `GENERATOR.UNKNOWN`, `COST.MALFORMED`, and WattbookError
    `SWEEP.POOL_BROKEN`, `SWEEP.VERSION`.
    """
    _check_study("sweep", study)
    started = time.perf_counter()
    wanted = chosen_tables(study.formulation, tables, 1)
    counter = _Counter(progress, len(scenarios) if isinstance(scenarios, Sized) else None)
    pieces: list[SolvedSweep] = []
    blocks: list[SolvedBlock] = []
    case, formulation, found = _blocks_of(
        study, lambda reader: reader.read(scenarios), scenarios, executor, on_error, tables
    )

    def put() -> None:
        if not blocks:
            return
        piece = piece_of(case, formulation, blocks)
        _write(files, piece, wanted)
        pieces.append(piece if parquet is None else without_tables(piece))
        blocks.clear()

    with counter, TableFiles(parquet, FILES) as files:
        waiting = held = 0
        # An interrupt leaves in the files what was solved.
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
    return joined(case, formulation, pieces, seconds, files.folder)


def iter_sweep(
    study: Study,
    scenarios: Scenarios,
    executor: Any = None,
    on_error: str = "record",
    *,
    tables: Sequence[str] | None = None,
) -> Iterator[SolvedSweep]:
    """Solves scenarios as `wb.sweep` does and yields the results block by block, in the order of the scenarios, each a SolvedSweep of its block.

    Scenarios are taken from an iterator as they are needed, so that neither they nor their results have to be in memory at once. `study`,
    `scenarios`, `executor`, `on_error` and `tables` as for `wb.sweep`.
    """
    _check_study("iter_sweep", study)
    return solved_in_pieces(study, lambda reader: reader.read(scenarios), scenarios, executor, on_error, tables)


def _check_study(call: str, study: object) -> None:
    if not hasattr(study, "commit"):
        raise ArgumentError(
            "ARGUMENT.STUDY", f"study must be a Study, not {told(study)}: wb.{call}(case.study(), scenarios)."
        )


def solved_in_pieces(
    study: Study,
    read: Callable[[Reader], Iterator[Scenario]],
    given: Any,
    executor: Any,
    on_error: str,
    tables: Sequence[str] | None,
) -> Iterator[SolvedSweep]:
    """`iter_sweep` of scenarios that `read` gives; `given` may know their number."""
    case, formulation, blocks = _blocks_of(study, read, given, executor, on_error, tables)
    return (piece_of(case, formulation, [block]) for block in blocks)


def _blocks_of(
    study: Study,
    read: Callable[[Reader], Iterator[Scenario]],
    given: Any,
    executor: Any,
    on_error: str,
    tables: Sequence[str] | None,
) -> tuple[Case, str, Iterator[SolvedBlock]]:
    """The case and the formulation of a sweep, and its blocks in the order of the scenarios. Arguments are checked at once."""
    on_error = one_of("on_error", on_error, ("record", "raise"))
    wanted = chosen_tables(study.formulation, tables, 1)
    with study._lock:
        study._require_engine()
        study._solve_current()
        case, formulation, edits = study.case, study.formulation, study._edits
        left_out = study._left_out.get(formulation, ())
        options = {name: value for name, value in study.options.items() if name not in left_out}
    kept = tuple(TABLES[name] for name in wanted)
    summed = ("vm_pu", "loading") if formulation == "acpf" else ("lmp", "flow_mw", "loading", "shadow")
    setup = Setup(
        case.sha256,
        formulation,
        json.dumps(options),
        *edits.texts()[2:],
        kept,
        tuple(dict.fromkeys((*kept, *summed))),
        engine().CONTRACT_SOURCE_SHA256,
    )
    text = _text_of(case)
    pool = pool_of(executor, setup, text)
    row_bytes = 8 * sum(len(text.ids[COLUMNS[TABLES[name]].element]) for name in wanted)
    blocks = _Blocks(read(Reader(case, edits)), given, pool, row_bytes)

    def solved() -> Iterator[SolvedBlock]:
        for found in pool.solved(blocks):
            stop_if_cancelled()
            names = blocks.names.pop(found.number)
            blocks.took(found.seconds, len(names))
            if on_error == "raise":
                _raise_first(names, found)
            yield names, found

    return case, formulation, solved()


class _Blocks:
    """Blocks of scenarios as large as keeps their times short; how they are cut changes no result."""

    def __init__(self, scenarios: Iterator[Scenario], given: Any, pool: Pool, row_bytes: int) -> None:
        self._scenarios = scenarios
        self._number = 0
        self._size = 2 * pool.workers
        self._seconds = pool.block_s
        self._most = max(1, min(int(_MOST_EACH_S * pool.block_s), _BYTES // max(row_bytes, 1)))
        if isinstance(given, Sized):
            self._most = max(1, min(self._most, -(-len(given) // (4 * pool.workers))))
        #: Names of the scenarios of blocks on the way.
        self.names: dict[int, list[Any]] = {}

    def took(self, seconds: float, count: int) -> None:
        """Says how long a block took."""
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


def _text_of(case: Case) -> CaseText:
    rows = case._rows
    ids = {
        "bus": rows.buses.ids,
        "branch": rows.branches.ids,
        "generator": rows.generators.ids,
        "editable": rows.buses.ids[rows.buses.flags("bus_editable")],
    }
    weights = np.clip(np.nan_to_num(case._buses["demand_mw"].to_numpy(dtype=float)), 0.0, None)
    return CaseText(case.sha256, zlib.compress(case.module_json.encode(), 6), ids, weights)


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
                f"progress must be a function of (fraction, solved), True or False, not {told(progress)}.",
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
