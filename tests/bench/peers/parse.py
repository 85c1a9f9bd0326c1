"""Times matpowercaseframes on MATPOWER files: `python parse.py REPEATS FILE...`; one JSON object a line."""

from __future__ import annotations

import json
import sys
import time

from matpowercaseframes import CaseFrames

ENOUGH_S = 0.5
"""Seconds after which nothing is repeated."""


def least(repeats: int, file: str) -> float:
    best, spent = float("inf"), 0.0
    for _ in range(repeats):
        if spent > ENOUGH_S:
            break
        start = time.perf_counter()
        CaseFrames(file)
        passed = time.perf_counter() - start
        best, spent = min(best, passed), spent + passed
    return best * 1e3


def main(repeats: int, files: list[str]) -> None:
    for file in files:
        try:
            print(json.dumps({"file": file, "peer_ms": least(repeats, file)}))
        except Exception as error:
            # A file that the peer cannot read has no ratio; it prints a line and continues.
            print(f"{file}: {type(error).__name__}: {error}", file=sys.stderr)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
