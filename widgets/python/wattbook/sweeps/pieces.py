"""The results of blocks of a sweep as tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pandas as pd

from ..results.series import UNITS, Quantity, SolvedSweep, summary_of
from .blocks import Solved

if TYPE_CHECKING:
    from ..network.network import Network

#: Names of the scenarios of a block, and their results.
SolvedBlock: TypeAlias = tuple[list[Any], Solved]


def piece_of(network: Network, formulation: str, blocks: Sequence[SolvedBlock]) -> SolvedSweep:
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


def without_tables(piece: SolvedSweep) -> SolvedSweep:
    """The same without the tables that are in files."""
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


def joined(
    network: Network, formulation: str, pieces: Sequence[SolvedSweep], seconds: float, folder: Path | None
) -> SolvedSweep:
    """All pieces as one, in their order."""
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
