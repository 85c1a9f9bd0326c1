"""Executors of a sweep's blocks: this process, pools of threads and processes, joblib, or a Dask cluster.

Each has a limited number of blocks in flight and returns their results in the order of the scenarios. A block counts
once, however often it had to be started.
"""

from __future__ import annotations

import os
import pickle
import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent import futures
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, Protocol

from ..arguments import formatted
from ..errors import ArgumentError, WattbookError
from ..files.files import writing
from ..threads import Helpers, stop_if_cancelled
from .scenarios import Block, CaseFile, CaseText, Setup, Solved
from .worker import solve_block, solve_packed

#: Largest number of restarts of a pool of our own after one of its processes ended.
_RESTARTS = 3
#: Intended seconds per block: short where an interrupt waits for it, longer where several programs pass each block on.
_HERE_S, _CLUSTER_S = 0.3, 1.0
#: Seconds between checks for a cancellation.
_HEARD_S = 0.1
_KNOWN = 'None, "threads", "processes", a pool of concurrent.futures, a joblib.Parallel or a dask.distributed.Client'


class Pool(Protocol):
    """Solves blocks."""

    workers: int
    #: Intended seconds per block.
    block_s: float

    def solved(self, blocks: Iterator[Block]) -> Iterator[Solved]:
        """The results of blocks in order; blocks are taken on demand."""


def pool_of(executor: Any, setup: Setup, case: CaseText) -> Pool:
    """The pool of the argument `executor`. Raises ArgumentError `ARGUMENT.CHOICE`."""
    if executor is None or executor == "threads":
        return _Threads(setup, case)
    if executor == "processes":
        return _OwnProcesses(setup, case)
    if isinstance(executor, futures.Executor):
        return _Futures(executor, setup, case)
    kind = f"{type(executor).__module__}.{type(executor).__qualname__}"
    if kind.startswith("distributed.") and hasattr(executor, "submit"):
        return _Dask(executor, setup, case)
    if kind.startswith("joblib.") and callable(executor):
        return _Joblib(executor, setup, case)
    if callable(getattr(executor, "submit", None)):
        return _Futures(executor, setup, case)
    raise ArgumentError("ARGUMENT.CHOICE", f"executor must be {_KNOWN}, not {formatted(executor)}.")


class _Threads:
    """Our own threads, one per processor: the engine releases Python's lock while it solves."""

    block_s = _HERE_S

    def __init__(self, setup: Setup, case: CaseText) -> None:
        self.workers = os.cpu_count() or 1
        self._setup, self._case = setup, case

    def solved(self, blocks: Iterator[Block]) -> Iterator[Solved]:
        with futures.ThreadPoolExecutor(self.workers, "wattbook-sweep") as pool:
            yield from _Futures(pool, self._setup, self._case).solved(blocks)


class _Futures:
    """A pool of the caller."""

    block_s = _HERE_S

    def __init__(self, executor: Any, setup: Setup, case: CaseText) -> None:
        self.workers = getattr(executor, "_max_workers", None) or os.cpu_count() or 1
        self._executor, self._setup, self._case = executor, setup, case

    def solved(self, blocks: Iterator[Block]) -> Iterator[Solved]:
        helpers = Helpers()
        in_threads = isinstance(self._executor, futures.ThreadPoolExecutor)
        with _Spooled(self._case, isinstance(self._executor, futures.ProcessPoolExecutor)) as source:

            def submit(block: Block) -> Any:
                if in_threads:
                    return self._executor.submit(helpers.run, solve_block, self._setup, source, block)
                return self._executor.submit(solve_block, self._setup, source, block)

            try:
                yield from _in_order(submit, _first_done, blocks, self.workers)
            except BrokenProcessPool:
                raise WattbookError(
                    "SWEEP.POOL_BROKEN",
                    'A process of the pool ended, which stops the whole pool. executor="processes" starts processes again.',
                ) from None
            except RuntimeError as error:
                if "after shutdown" not in str(error):
                    raise
                raise ArgumentError("ARGUMENT.CHOICE", "The pool is shut down; make a new one.") from None
            finally:
                helpers.end()


class _OwnProcesses:
    """Our own processes, one per processor, restarted if one ends."""

    block_s = _HERE_S

    def __init__(self, setup: Setup, case: CaseText) -> None:
        self.workers = os.cpu_count() or 1
        self._setup, self._case = setup, case

    def solved(self, blocks: Iterator[Block]) -> Iterator[Solved]:
        from multiprocessing import get_context

        restarts = 0
        again: list[Block] = []
        started: dict[int, Block] = {}

        def taken() -> Iterator[Block]:
            """Lost blocks, then further ones."""
            yield from again
            for block in blocks:
                started[block.number] = block
                yield block

        with _Spooled(self._case, True) as source:
            following = 0
            while True:
                pool = futures.ProcessPoolExecutor(self.workers, mp_context=get_context("spawn"))

                def submit(block: Block, pool: Any = pool) -> Any:
                    return pool.submit(solve_block, self._setup, source, block)

                try:
                    for found in _in_order(submit, _first_done, taken(), self.workers, following):
                        started.pop(found.number, None)
                        following = found.number + 1
                        yield found
                    return
                except BrokenProcessPool:
                    restarts += 1
                    if restarts > _RESTARTS:
                        raise WattbookError(
                            "SWEEP.POOL_BROKEN",
                            f"Processes of the pool ended {restarts} times, the last one in the block of scenarios that begins with "
                            f'{_first(started)}. A script must call this under `if __name__ == "__main__":`.',
                        ) from None
                    again = [started[number] for number in sorted(started)]
                finally:
                    pool.shutdown(wait=True, cancel_futures=True)


def _first(started: dict[int, Block]) -> Any:
    block = started[min(started)] if started else None
    return block.scenarios[0].name if block else "the last block"


class _Joblib:
    """A `joblib.Parallel`, also with Dask as its backend. It streams with `return_as="generator_unordered"` or
    `"generator"`."""

    block_s = _HERE_S

    def __init__(self, parallel: Any, setup: Setup, case: CaseText) -> None:
        self._parallel, self._setup, self._case = parallel, setup, case
        self.workers = abs(getattr(parallel, "n_jobs", 1) or 1)

    def solved(self, blocks: Iterator[Block]) -> Iterator[Solved]:
        from joblib import delayed

        backend = type(getattr(self._parallel, "_backend", None)).__name__
        local = backend in ("LokyBackend", "MultiprocessingBackend")
        with _Spooled(self._case, local) as source:
            calls = (delayed(solve_block)(self._setup, source, block) for block in blocks)
            waiting: dict[int, Solved] = {}
            following = 0
            for found in self._parallel(calls):
                waiting.setdefault(found.number, found)
                while following in waiting:
                    yield waiting.pop(following)
                    following += 1


class _Dask:
    """A cluster. The case is a future of its own there, by its hash: workers get it once from the scheduler or from
    each other, and it is recomputed if those that had it are gone. Dask restarts the blocks of a lost worker."""

    block_s = _CLUSTER_S

    def __init__(self, client: Any, setup: Setup, case: CaseText) -> None:
        if getattr(client, "asynchronous", False):
            raise ArgumentError("ARGUMENT.CHOICE", "executor must be a Client that is not asynchronous.")
        if getattr(client, "status", None) == "closed":
            raise ArgumentError("ARGUMENT.CHOICE", "The Client is closed; make a new one.")
        self._client, self._setup, self._case = client, setup, case
        self.workers = max(1, sum(client.nthreads().values()))

    def solved(self, blocks: Iterator[Block]) -> Iterator[Solved]:
        from distributed import wait

        client, run = self._client, uuid.uuid4().hex[:12]
        source = client.submit(_case_there, self._case, key=f"wattbook-case-{self._case.key}")

        def submit(block: Block) -> Any:
            key = f"wattbook-sweep-{run}-{block.number}"
            packed = pickle.dumps(block, pickle.HIGHEST_PROTOCOL)
            return client.submit(solve_packed, self._setup, source, packed, key=key, pure=False)

        def first_done(waiting: Sequence[Any]) -> Iterable[Any]:
            done: Iterable[Any] = wait(list(waiting), return_when="FIRST_COMPLETED").done
            return done

        yield from _in_order(submit, first_done, blocks, self.workers)


def _case_there(case: CaseText) -> CaseText:
    return case


class _Spooled:
    """The source of a case: itself, or for local processes a file that each of them reads once."""

    def __init__(self, case: CaseText, as_file: bool) -> None:
        self._case = case
        self._as_file = as_file
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> CaseText | CaseFile:
        if not self._as_file:
            return self._case
        with writing(Path(tempfile.gettempdir())):
            self._folder = tempfile.TemporaryDirectory(prefix="wattbook-sweep-")
            path = Path(self._folder.name) / self._case.sha256
            path.write_bytes(pickle.dumps(self._case))
        return CaseFile(self._case.key, str(path))

    def __exit__(self, *_: object) -> None:
        if self._folder is not None:
            self._folder.cleanup()


def _first_done(waiting: Sequence[Any]) -> Iterable[Any]:
    while True:
        stop_if_cancelled()
        done = futures.wait(waiting, timeout=_HEARD_S, return_when=futures.FIRST_COMPLETED).done
        if done:
            return done


def _in_order(
    submit: Callable[[Block], Any],
    first_done: Callable[[Sequence[Any]], Iterable[Any]],
    blocks: Iterator[Block],
    workers: int,
    following: int = 0,
) -> Iterator[Solved]:
    """Results in the order of the blocks, from block `following` on, with enough blocks in flight to occupy the
    workers."""
    running: dict[Any, Block] = {}
    found: dict[int, Solved] = {}
    try:
        while True:
            while len(running) < 2 * workers and len(running) + len(found) < 8 * workers:
                block = next(blocks, None)
                if block is None:
                    break
                running[submit(block)] = block
            if not running:
                return
            for future in first_done([*running]):
                block = running.pop(future)
                found.setdefault(block.number, future.result())
            while following in found:
                yield found.pop(following)
                following += 1
    finally:
        for future in running:
            future.cancel()
