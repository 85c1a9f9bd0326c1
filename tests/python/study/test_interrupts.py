"""Calls of the engine check for interrupts of Python while they run: they end where it raises, and change nothing."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import wattbook as wb
from networks import lattice, three_bus
from wattbook import threads
from wattbook.files.kinds import classify
from wattbook.native import engine
from wattbook.session import documents
from wattbook.sweeps.sweep import _text_of
from wattbook.tables.rows import inspected

_STOP = threads.stop_if_cancelled


class Listener:
    """Counts the interrupt checks of calls, and raises at one of them."""

    def __init__(self) -> None:
        self.heard = 0
        self.at: int | None = None

    def __call__(self) -> None:
        self.heard += 1
        if self.heard == self.at:
            raise KeyboardInterrupt
        _STOP()


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Listener:
    found = Listener()
    monkeypatch.setattr(threads, "stop_if_cancelled", found)
    return found


@pytest.fixture(scope="module")
def case() -> wb.Case:
    return wb.open_case(lattice(250), format="matpower")


def interrupted(listener: Listener, at: int, call: Callable[[], Any]) -> None:
    listener.heard, listener.at = 0, at
    with pytest.raises(KeyboardInterrupt):
        call()
    assert listener.heard == at, "the call went on after it was interrupted"
    listener.at = None


def test_solves_end_within_the_call(listener: Listener, case: wb.Case) -> None:
    study = case.study()
    assert listener.heard > 1
    for at in (1, 2):
        interrupted(listener, at, case.study)
    base = study.solution.sha256
    assert case.study().solution.sha256 == base
    edits = dict.fromkeys(case.buses.index[:2000], 20.0)
    interrupted(listener, 1, lambda: study.commit(edits))
    assert study.revision == 0 and study.solution.sha256 == base
    committed = study.commit(edits)
    again = case.study()
    assert again.commit(edits).sha256 == committed.sha256 != base


def test_searches_end_within_a_step(listener: Listener, case: wb.Case) -> None:
    study = case.study()
    base = study.solution.sha256
    edits = dict.fromkeys(case.branches.index[case.branches["rating_mw"] == 300.0], -0.999 * 300.0)
    interrupted(listener, 1, lambda: study.explain(ratings=edits, progress=False))
    listener.heard, listener.at = 0, 1
    scenarios = [{"outages": line} for line in (5, 15, 25, 35)]
    with pytest.raises(KeyboardInterrupt):
        wb.sweep(study, scenarios, progress=False)
    # Each of the other threads checks at most once more, and ends there.
    assert listener.heard <= 1 + 2 * (os.cpu_count() or 1)
    assert study.solution.sha256 == base and study.revision == 0


def test_helpers_end_with_the_call_that_they_help() -> None:
    helpers, begun, ended = threads.Helpers(), threading.Event(), threading.Event()

    def help_on() -> None:
        try:
            while True:
                begun.set()
                threads.stop_if_cancelled()
        finally:
            ended.set()

    def quietly() -> None:
        with pytest.raises(threads._Stopped):
            helpers.run(help_on)

    thread = threading.Thread(target=quietly)
    thread.start()
    assert begun.wait(60) and not ended.is_set()
    helpers.end()
    thread.join(60)
    assert ended.is_set()
    threads.stop_if_cancelled()  # this thread continues


def test_an_interrupt_does_not_wait_for_a_file_that_is_read(listener: Listener) -> None:
    read = threading.Event()
    listener.at = 2
    with pytest.raises(KeyboardInterrupt):
        threads.apart(read.wait, 60)
    assert listener.heard == 2
    read.set()
    assert threads.apart(divmod, 7, 2) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        threads.apart(divmod, 7, 0)


def test_work_in_a_separate_thread_ends_at_its_next_step(listener: Listener) -> None:
    begun, ended = threading.Event(), threading.Event()

    def steps() -> None:
        try:
            while True:
                _STOP()
                begun.set()
        finally:
            ended.set()

    listener.at = 2
    with pytest.raises(KeyboardInterrupt):
        threads.apart(steps)
    assert begun.is_set() and ended.wait(60)
    _STOP()  # this thread continues


def test_every_step_of_opening_can_be_interrupted(listener: Listener) -> None:
    case = wb.open_case(lattice(60), format="matpower")
    module = case.module_json.encode()
    placed = case.with_layout((10.0, 50.0))
    steps: list[Callable[[], Any]] = [
        lambda: wb.open_case(lattice(60), format="matpower"),
        lambda: wb.open_case(module, format="module"),
        lambda: classify(module),
        lambda: inspected(case.module_json),
        lambda: case.with_layout((0.0, 50.0)),
        lambda: case.with_geography(placed.to_geojson().encode()),
        lambda: case.with_costs({"unknown": 30.0}),
    ]
    for step in steps:
        interrupted(listener, 1, step)
    assert wb.open_case(module, format="module").sha256 == case.sha256


def test_an_interrupted_save_leaves_no_file(
    listener: Listener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = wb.open_case(lattice(60), format="matpower")
    study = case.study()
    study.commit({2: 5.0})
    before = study.solution.sha256
    monkeypatch.setattr(documents, "_PIECE", len(case.module_json) // 3)
    monkeypatch.setattr(documents, "stop_if_cancelled", listener)
    path = tmp_path / "case.study.json"
    listener.heard, listener.at = 0, None
    study.save(path)
    # Two solution modules and the file are written apart; the module of the case has four pieces.
    assert listener.heard >= 3 + 4
    bundle = json.loads(path.read_bytes())
    assert bundle["artifacts"][case.sha256] == {"kind": "module", "text": case.module_json}
    path.unlink()
    for at in (1, 3, 5, 7):
        interrupted(listener, at, lambda: study.save(path))
    interrupted(listener, 1, lambda: study.save_solution(tmp_path))
    assert list(tmp_path.iterdir()) == [] and study.solution.sha256 == before
    assert wb.open_study(study.save(path)).solution.sha256 == before


def test_an_interrupt_does_not_wait_for_the_transfer_of_the_case_to_workers(listener: Listener, case: wb.Case) -> None:
    interrupted(listener, 1, lambda: _text_of(case))
    assert zlib.decompress(_text_of(case).packed).decode() == case.module_json


def test_the_module_of_a_case_is_not_part_of_the_parsed_json() -> None:
    """Python reads JSON in one step, and the module is most of the data of a large case."""
    case = wb.open_case(lattice(60), format="matpower")
    for answer in (
        engine().ingest_case(lattice(60), "matpower"),
        engine().apply_layout(case.module_json, [0.1] * (2 * len(case.buses)), 0.0, 0.0),
    ):
        text, _, module_json = answer
        head = json.loads(text)
        assert head["module_json"] == ""
        assert hashlib.sha256(module_json.encode()).hexdigest() == head["sha256"]
        assert 10 * len(text) < len(module_json)


def test_the_json_of_a_case_does_not_grow_with_its_lines() -> None:
    """Nine of ten lines have no rating; the warning names the first of them and counts the others."""
    heads = [json.loads(engine().ingest_case(lattice(side), "matpower")[0]) for side in (10, 60)]
    for head, unrated in zip(heads, (162, 6372), strict=True):
        (warning,) = head["warnings"]
        named = [2, 3, 4, 5]
        assert warning["message"].endswith(f": line 2, line 3, line 4, line 5 and {unrated - 4} more.")
        *lines, rest = warning["sentence"]["values"]["lines"]["list"]
        assert [line["element"] for line in lines] == [{"kind": "branch", "id": number} for number in named]
        assert rest["message"] == {"key": "list.more", "values": {"count": {"count": unrated - 4}}}


#: Interrupts the first `open_case` at the import of the module in the first argument.
_FIRST = """
import signal, sys
import wattbook as wb

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            sys.argv[1] = ""
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Finder())
interrupted = False
try:
    wb.open_case(sys.argv[2])
except KeyboardInterrupt:
    interrupted = True
print(interrupted, wb.open_case(sys.argv[2]).study().solution.objective)
"""


@pytest.mark.parametrize("module", ["numpy._core", "numpy.lib", "wattbook._engine"])
def test_an_interrupt_of_the_first_call_leaves_a_working_interpreter(module: str, tmp_path: Path) -> None:
    path = tmp_path / "three.m"
    path.write_bytes(three_bus())
    run = subprocess.run([sys.executable, "-c", _FIRST, module, str(path)], capture_output=True, text=True, check=False)
    expected = f"True {wb.open_case(path).study().solution.objective}"
    assert run.stdout.strip() == expected, run.stderr
