"""Sweeps: the exact results of many scenarios."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import pandas as pd

from ..edits.costs import not_contained
from ..text import words
from .series import SolvedSeries

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


def summary_of(formulation: str) -> list[str]:
    """The figures of a scenario in a formulation, of which `UNITS` has the units."""
    own = ("vm_min_pu", "vm_max_pu", "max_loading")
    return [name for name in UNITS if (name in own if formulation == "acpf" else not name.startswith("vm"))]


@dataclass(frozen=True, repr=False)
class SolvedSweep(SolvedSeries):
    """A sweep solved exactly: each scenario with the numbers, the certificate and the hash that a Study with its edits has,
    whatever the executor and the order.

    `scenarios` has a row for each: `objective` ($/h), lowest, mean (weighted with the demand of the base case where it is positive) and highest price `lmp_min`,
    `lmp_mean`, `lmp_max` ($/MWh), the number of `binding` lines, `congestion_rent` ($/h), `max_loading` (fraction of the rating), `sha256`, the
    hash of the result, and `error`, the code of a scenario without a solution; for acpf `vm_min_pu` and `vm_max_pu` (per unit) instead of
    prices. Tables such as `prices` have a row for each scenario, NaN where it has no solution, and `failures` says why. `workers` says
    which process solved how many scenarios, in how many seconds, and how often it read the case. With `folder` the tables are in
    Parquet files there.
    """

    _file: ClassVar[str] = "scenarios"
    _noun: ClassVar[str] = "sweep"
    scenarios: pd.DataFrame = field(default_factory=pd.DataFrame)
    workers: pd.DataFrame = field(default_factory=pd.DataFrame)

    def _summary(self) -> pd.DataFrame:
        return self.scenarios

    def _rows(self) -> pd.DataFrame:
        """The scenarios with all columns, and in `message` the reasons of those without a solution."""
        frame = self.scenarios.reindex(columns=[*summary_of(self.formulation), "sha256", "error"])
        messages: list[str | None] = [None] * len(frame)
        for place, message in zip(np.flatnonzero(frame["error"].notna()), self.failures["message"], strict=True):
            messages[place] = message
        return frame.assign(message=pd.array(messages, dtype="string"))

    def __str__(self) -> str:
        said = f"{words.count(len(self), 'scenario')} of {self.formulation} on {self.case.id}"
        said += f", {self.seconds / max(len(self), 1) * 1e3:.3g} ms each"
        if len(self.failures):
            said += f"; {words.count(len(self.failures), 'scenario')} without a solution"
        if "lmp_min" in self.scenarios and len(self.failures) < len(self):
            low, high = self.scenarios["lmp_min"].min(), self.scenarios["lmp_max"].max()
            said += f"; LMP {words.price(low)} to {words.price(high)} $/MWh"
        return said + not_contained(self.case)

    def __repr__(self) -> str:
        return f"<SolvedSweep: {self}>"
