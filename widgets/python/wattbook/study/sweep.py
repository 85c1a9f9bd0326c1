"""`wb.sweep` and `wb.iter_sweep`: many scenarios of a Study."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from ..arguments import formatted
from ..errors import ArgumentError
from ..results.series import SolvedSweep
from ..sweeps.scenarios import Scenarios
from ..sweeps.sweep import SweepProgress, solved_in_pieces, solved_sweep
from .study import Study


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

    A DataFrame has a row for each scenario and pairs as columns, for instance `("demand", 30)`; missing values change
    nothing. Everything else is as committed in the Study.

    `executor` is None or `"threads"` for threads of the engine in this process, `"processes"`, a pool of `concurrent.futures`, a
    `joblib.Parallel`, or a `dask.distributed.Client`. A process or worker gets the case once, by its hash. Results are in the order of the
    scenarios and the same, bit for bit, whatever the executor. Blocks of a process that ends are solved again with `"processes"` and Dask.

    `tables` are results to store besides `scenarios`: "prices" (default), "flows", "loading", "shadow", "dispatch", for
    acpf "voltages" (default) instead of prices; eight bytes a scenario and element each, `()` for none. With `parquet`
    they go to files in that folder as they are solved, so they may exceed the memory; they replace the tables of an
    earlier run there (needs pyarrow).

    A scenario without a solution is recorded in `failures`; with `on_error="raise"` it is a SolveError.
    `progress(fraction, solved)` is called after each block; by default a tqdm bar appears after a second if tqdm is
    installed, with `progress=False` nothing. An interrupt stops between blocks; files contain the completed blocks.

    Raises ArgumentError unless `study` is a Study, EditError `SWEEP.MALFORMED`, those of commits and of targets for
    unknown elements, `GENERATOR.UNKNOWN`, `COST.MALFORMED`, and WattbookError `SWEEP.POOL_BROKEN`, `SWEEP.VERSION`.
    """
    _check_study("sweep", study)
    return solved_sweep(study._session, scenarios, executor, progress, on_error, tables, parquet)


def iter_sweep(
    study: Study,
    scenarios: Scenarios,
    executor: Any = None,
    on_error: str = "record",
    *,
    tables: Sequence[str] | None = None,
) -> Iterator[SolvedSweep]:
    """Solves scenarios as `wb.sweep` does and yields the results block by block, in the order of the scenarios, each a SolvedSweep of its block.

    Scenarios are taken from an iterator on demand, so neither they nor their results need to fit into memory. `study`,
    `scenarios`, `executor`, `on_error` and `tables` as for `wb.sweep`.
    """
    _check_study("iter_sweep", study)
    return solved_in_pieces(
        study._session, lambda reader: reader.read(scenarios), scenarios, executor, on_error, tables
    )


def _check_study(call: str, study: object) -> None:
    if not hasattr(study, "commit"):
        raise ArgumentError(
            "ARGUMENT.STUDY", f"study must be a Study, not {formatted(study)}: wb.{call}(case.study(), scenarios)."
        )
