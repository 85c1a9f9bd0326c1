"""Layouts by igraph: `python layout.py FOLDER CASE:VERTICES...`.

Reads `CASE.edges.u32` and writes `CASE.<side>.f64` beside it; one JSON object a line.
"""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path

import igraph
import numpy as np

SIDES = {
    "igraph-fr-grid": lambda graph: graph.layout_fruchterman_reingold(grid=True),
    "igraph-drl": lambda graph: graph.layout_drl(),
}


def main(folder: Path, cases: list[str]) -> None:
    for case in cases:
        name, _, vertices = case.rpartition(":")
        edges = np.fromfile(folder / f"{name}.edges.u32", dtype="<u4").reshape(-1, 2)
        graph = igraph.Graph(n=int(vertices), edges=edges.tolist()).simplify()
        for side, layout in SIDES.items():
            random.seed(1)
            start = time.perf_counter()
            positions = layout(graph)
            ms = (time.perf_counter() - start) * 1e3
            np.asarray(positions.coords, dtype="<f8").tofile(folder / f"{name}.{side}.f64")
            print(json.dumps({"case": name, "side": side, "ms": ms}), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
