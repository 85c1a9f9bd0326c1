"""One order of commits from all threads."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import wattbook as wb


def test_increments_of_many_threads_all_count(study: wb.Study) -> None:
    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(study.commit, {2: 0.25}, mode="increment") for _ in range(80)]:
            done.result()
    assert study.revision == 80
    assert study.edits.demand == {2: 20.0}
    fresh = study.case.study()
    assert study.solution.sha256 == fresh.commit({2: 20}).sha256


def test_changes_of_page_and_cells_are_ordered_without_loss(study: wb.Study, page_of: Callable[[Any], Any]) -> None:
    page = page_of(study.map())
    hashes = {mw: study.case.study().commit({3: mw}).sha256 if mw else "" for mw in range(1, 26)}
    taken: list[int] = []

    def drag() -> None:
        """Acts as the page: commits one more MW at bus 3 on top of its state, again after a stale answer."""
        known = {"revision": 0, "deltas": {}, "rates": {}}
        for mw in range(1, 26):
            while True:
                edits = {"deltas": {**known["deltas"], "3": mw}, "rates": known["rates"]}
                message = {"id": f"{mw}", "kind": "commit", "base_revision": known["revision"], "edits": edits}
                (reply, _), *_rest = page.post({**message, "result_sha256": hashes[mw]})
                known = {**known, **{key: reply[key] for key in ("revision", "deltas", "rates") if key in reply}}
                if reply["kind"] == "ack":
                    known["deltas"] = edits["deltas"]
                    taken.append(mw)
                    break
                assert reply["kind"] == "stale"

    dragging = threading.Thread(target=drag)
    dragging.start()
    for _ in range(25):
        study.commit({2: 1}, mode="increment")
    dragging.join(60)
    assert not dragging.is_alive()
    assert taken == list(range(1, 26))
    assert study.revision == 50
    assert study.edits.demand == {2: 25.0, 3: 25.0}


def test_reading_while_others_commit(study: wb.Study) -> None:
    stop = threading.Event()

    def read() -> int:
        rounds = 0
        while not stop.is_set():
            solution = study.solution
            demand, supply = solution.buses["demand_mw"].sum(), solution.generators["p_mw"].sum()
            assert abs(demand - supply) < 1e-6
            rounds += 1
        return rounds

    with ThreadPoolExecutor(3) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        for step in range(40):
            study.commit({2: step})
        stop.set()
        assert all(reader.result() > 0 for reader in readers)
