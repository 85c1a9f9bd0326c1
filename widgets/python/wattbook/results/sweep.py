"""Sweeps: the exact results of many scenarios."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from ..errors import InputError
from ..text import words
from .series import TABLES, SolvedSeries

if TYPE_CHECKING:
    import pyarrow

UNITS = {
    "objective": "$/h",
    "lmp_min": "$/MWh",
    "lmp_mean": "$/MWh",
    "lmp_max": "$/MWh",
    "vm_min_pu": "pu",
    "vm_max_pu": "pu",
    "binding": "lines",
    "congestion_rent": "$/h",
    "max_loading": "fraction of rating",
}


@dataclass(frozen=True, repr=False)
class SolvedSweep(SolvedSeries):
    """A sweep solved exactly: each scenario with the numbers, the certificate and the hash that a Study with its edits has,
    whatever the executor and the order.

    `scenarios` has a row for each: `objective` ($/h), lowest, mean (weighted with the demand of the base case) and highest price `lmp_min`,
    `lmp_mean`, `lmp_max` ($/MWh), the number of `binding` lines, `congestion_rent` ($/h), `max_loading` (fraction of the rating), `sha256`, the
    hash of the result, and `error`, the code of a scenario without a solution; for acpf `vm_min_pu` and `vm_max_pu` (per unit) instead of
    prices. Tables such as `prices` have a row for each scenario, NaN where it has no solution, and `failures` says why. `workers` says
    which process solved how many scenarios, in how many seconds, and how often it read the case. With `folder` the tables are in
    Parquet files there.
    """

    scenarios: pd.DataFrame = field(default_factory=pd.DataFrame)
    workers: pd.DataFrame = field(default_factory=pd.DataFrame)
    folder: Path | None = None

    def _table(self, name: str) -> pd.DataFrame:
        """A table in memory, or in its file."""
        path = self._path(name)
        if path is None:
            return super()._table(name)
        frame = pd.read_parquet(path)
        element = {"lmp": "bus", "vm_pu": "bus", "dispatch_mw": "generator"}.get(name, "branch")
        frame.columns = pd.Index([int(column) for column in frame.columns], name=element)
        return frame

    def _path(self, name: str) -> Path | None:
        if self.folder is None:
            return None
        path = self.folder / f"{next(table for table, column in TABLES.items() if column == name)}.parquet"
        if not path.exists():
            raise InputError("ARGUMENT.CHOICE", f"{self.folder} has no file {path.name}: name the table in tables=.")
        return path

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """`scenarios` as an Arrow stream, which polars and pyarrow read; needs pyarrow."""
        table = arrow(self.scenarios.reset_index())
        return table.__arrow_c_stream__(requested_schema)

    def __str__(self) -> str:
        said = f"{words.count(len(self), 'scenario')} of {self.formulation} on {self.case.id}"
        said += f", {self.seconds / max(len(self), 1) * 1e3:.3g} ms each"
        if len(self.failures):
            said += f"; {words.count(len(self.failures), 'scenario')} without a solution"
        if "lmp_min" in self.scenarios and len(self.failures) < len(self):
            low, high = self.scenarios["lmp_min"].min(), self.scenarios["lmp_max"].max()
            said += f"; LMP {words.price(low)} to {words.price(high)} $/MWh"
        return said

    def __repr__(self) -> str:
        return f"<SolvedSweep: {self}>"


def arrow(frame: pd.DataFrame) -> pyarrow.Table:
    """A DataFrame as an Arrow table. Raises InputError `OUTPUT.PYARROW` without pyarrow."""
    try:
        import pyarrow as pa
    except ImportError:
        raise InputError("OUTPUT.PYARROW", "This needs pyarrow: pip install wattbook[parquet].") from None
    plain = frame.copy(deep=False)
    plain.attrs = {}
    return pa.Table.from_pandas(plain, preserve_index=None)


def joined(pieces: Sequence[SolvedSweep]) -> dict[str, pd.DataFrame]:
    """The tables of consecutive pieces, which have a row for each scenario."""
    return {
        "scenarios": pd.concat([piece.scenarios for piece in pieces]),
        "certificates": pd.concat([piece.certificates for piece in pieces]),
        "failures": pd.concat([piece.failures for piece in pieces]),
    }
