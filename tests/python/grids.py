"""A bundle of packed cases, in the form in which the wheel ships the grids."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import wattbook as wb
from networks import three_bus


def row(name: str, module: bytes, **more: Any) -> dict[str, Any]:
    """A catalogue entry."""
    counts = {"n_bus": 3, "n_branch": 3, "n_gen": 2, "n_analysis_bus": 3, "n_analysis_branch": 3}
    return {
        **{"id": name, "name": f"Grid {name}", "description": "Hand-made.", "license": "CC0"},
        **{"module": f"{name}.module.json", "sha256": hashlib.sha256(module).hexdigest()},
        **counts,
        **more,
    }


def write_catalogue(folder: Path, rows: list[dict[str, Any]]) -> None:
    (folder / "catalogue.json").write_text(
        json.dumps({"schema": "wattbook-catalogue", "version": 1, "cases": rows}), encoding="utf-8"
    )


def module(rating: float) -> bytes:
    """A placed three-bus case; another rating results in another module."""
    case = wb.open_case(three_bus(rating_23=rating), format="matpower").with_layout((-80, 35))
    return case.module_json.encode()


def pack(folder: Path, **ratings: float) -> Path:
    """Packs one case for each name, with a base solution that only its name makes valid."""
    folder.mkdir(parents=True)
    rows = []
    (folder / "base").mkdir()
    for name, rating in ratings.items():
        data = module(rating)
        rows.append(row(name, data))
        (folder / f"{name}.json.gz").write_bytes(gzip.compress(data))
        (folder / "base" / f"{rows[-1]['sha256']}.json").write_text("{}")
    write_catalogue(folder, rows)
    return folder


def stage_plainly(folder: Path, **ratings: float) -> Path:
    """A staged folder without base solutions."""
    folder.mkdir(parents=True)
    rows = []
    for name, rating in ratings.items():
        data = module(rating)
        rows.append(row(name, data))
        (folder / rows[-1]["module"]).write_bytes(data)
    write_catalogue(folder, rows)
    return folder
