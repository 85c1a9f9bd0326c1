"""Series and sweeps: the exact results of many steps or scenarios."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pandas as pd

from ..edits.costs import not_contained
from ..errors import ArgumentError
from ..files.files import TableFiles, arrow
from ..network import ElementName
from ..quantities_generated import COLUMNS
from ..text import words
from ..text.html import isolated, notes, paragraph, shown, table, warnings_lines
from .stored_tables import FILES, TABLE_OF, TABLES, tables_of

if TYPE_CHECKING:
    from ..network import Network

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
#: Numbers of rows in the tables of binding lines, and of failures.
_TOP_BINDING, _TOP_FAILED = 5, 3


@dataclass(frozen=True)
class Quantity:
    """Values by step and row of the case."""

    element: str
    unit: str
    values: np.ndarray


@dataclass(frozen=True, repr=False, kw_only=True)
class SolvedSteps:
    """The tables of many solved steps: one row per step and one column per element, with the unit in `attrs["units"]`."""

    case: Network
    formulation: str
    index: pd.Index
    seconds: float
    _quantities: Mapping[str, Quantity] = field(repr=False)
    #: The folder of the tables, if they are in Parquet files instead of in memory.
    folder: Path | None = None
    #: Steps without a solution.
    failures: pd.DataFrame = field(default_factory=pd.DataFrame)
    #: Name of the file with one row per step.
    _file: ClassVar[str] = "steps"
    _noun: ClassVar[str] = "series"

    @property
    def prices(self) -> pd.DataFrame:
        """LMPs, $/MWh, by step and bus."""
        return self._table("lmp")

    @property
    def voltages(self) -> pd.DataFrame:
        """Voltage magnitudes, pu, by step and bus (acpf)."""
        return self._table("vm_pu")

    @property
    def flows(self) -> pd.DataFrame:
        """Flows at the from end, MW, by step and branch."""
        return self._table("flow_mw")

    @property
    def loading(self) -> pd.DataFrame:
        """Loading as a fraction of the rating, by step and branch."""
        return self._table("loading")

    @property
    def shadow(self) -> pd.DataFrame:
        """Shadow prices of the ratings, $/MWh (socwr: $/MVAh), by step and branch; zero where a rating does not bind."""
        return self._table("shadow")

    @property
    def dispatch(self) -> pd.DataFrame:
        """Output, MW, by step and generator."""
        return self._table("dispatch_mw")

    @property
    def links(self) -> pd.DataFrame:
        """Power of the HVDC links, MW, by step and link: what a link takes at its from end, negative where it is reversed. Only of a
        case with links."""
        return self._table("link_mw")

    @property
    def storage(self) -> pd.DataFrame:
        """Power of the storage units, MW, by step and unit: what a unit injects, negative while it charges. Only of a case with storage."""
        return self._table("storage_mw")

    @property
    def binding(self) -> pd.DataFrame:
        """Lines that bind in some step, most congestion rent first: `steps` in which they bind, their `share` of the solved steps,
        `mean_shadow` while they bind ($/MWh, for socwr $/MVAh), `rent` summed over the steps ($ if a step is an hour)."""
        shadow, flow = self._tables("shadow", "flow_mw")
        binds = shadow > 0
        steps = binds.sum()
        table = pd.DataFrame(
            {
                "steps": steps,
                "share": steps / max(len(self.index) - len(self.failures), 1),
                "mean_shadow": shadow.where(binds).mean(),
                "rent": (shadow * flow.abs()).sum(),
            }
        )
        table = table[table["steps"] > 0].sort_values("rent", ascending=False, kind="stable")
        table.attrs["units"] = {
            "share": "fraction of steps",
            "mean_shadow": shadow.attrs["units"],
            "rent": "$/h, summed over steps",
        }
        return table

    @property
    def congestion_rent(self) -> pd.Series:
        """Congestion rent, $/h, by step: the shadow price of each rating times the flow."""
        shadow, flow = self._tables("shadow", "flow_mw")
        rent = (shadow * flow.abs()).sum(axis=1, min_count=1).rename("congestion_rent")
        rent.attrs["units"] = "$/h"
        return rent

    def duration_curve(self, bus: ElementName | None = None) -> pd.Series:
        """Prices in descending order against the share of solved steps with at least that price: of one bus, or without one the
        mean over the buses weighted by base demand, $/MWh; negative demand has no weight."""
        prices = self.prices
        if bus is None:
            weight = self.case._buses["demand_mw"].reindex(prices.columns).clip(lower=0.0)
            if weight.sum() == 0:
                raise ArgumentError("ARGUMENT.CHOICE", "No bus of this case has demand; name a bus.")
            values = (prices * weight).sum(axis=1, min_count=1) / weight.sum()
        else:
            values = prices[self.case._bus_keys.target(bus)]
        ordered = np.sort(values.dropna().to_numpy())[::-1]
        share = (1 + np.arange(len(ordered))) / max(len(ordered), 1)
        curve = pd.Series(ordered, index=pd.Index(share, name="share of steps"), name="lmp")
        curve.attrs["units"] = "$/MWh"
        return curve

    def to_parquet(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Writes the stored tables, one Parquet file each, and the table by step or scenario (`steps.parquet` of a series,
        `scenarios.parquet` of a sweep) into `folder`, which is made; those of an earlier run there are removed. Returns the files.

        Needs pyarrow (`pip install pyarrow`). Raises InputError `OUTPUT.PYARROW`, `OUTPUT.UNWRITABLE`.
        """
        tables = {name: self._whole(name) for name in self._stored}
        tables[self._file] = self._rows()
        with TableFiles(folder, FILES) as files:
            for name, table in tables.items():
                files.write(name, table)
        return [Path(folder).expanduser() / f"{name}.parquet" for name in tables]

    def _rows(self) -> pd.DataFrame:
        """The content of the file with one row per step."""
        raise NotImplementedError

    def _whole(self, name: str) -> pd.DataFrame:
        """A table with all elements, as in its file."""
        if self.folder is not None:
            return pd.read_parquet(self.folder / f"{name}.parquet")
        found = self._quantities[TABLES[name]]
        return pd.DataFrame(found.values, index=self.index, columns=self.case._texts[found.element])

    def _tables(self, *names: str) -> list[pd.DataFrame]:
        """Several tables; the error names all that are not stored."""
        stored = self._stored
        missing = [name for name in names if TABLE_OF[name] not in stored]
        if missing:
            raise self._not_stored(*missing)
        return [self._table(name) for name in names]

    def _table(self, name: str) -> pd.DataFrame:
        """A table from memory or from its file."""
        if self.folder is not None:
            return self._read(self.folder, name)
        found = self._quantities.get(name)
        if found is None:
            raise self._not_stored(name)
        ids = {
            "bus": self.case._bus_ids,
            "branch": self.case._branch_ids,
            "generator": self.case._rows.generators.ids,
            "link": self.case._rows.links.ids,
            "storage": self.case._rows.storage.ids,
        }[found.element]
        takes_part = ~np.isnan(found.values).all(axis=0) if len(self.failures) < len(self.index) else slice(None)
        frame = pd.DataFrame(
            found.values[:, takes_part], index=self.index, columns=pd.Index(ids[takes_part], name=found.element)
        )
        frame.attrs["units"] = self._unit(name, found.unit)
        return frame

    @property
    def _stored(self) -> list[str]:
        """The names of the stored tables, in memory or in files."""
        if self.folder is None:
            return [table for table, column in TABLES.items() if column in self._quantities]
        return [table for table in TABLES if (self.folder / f"{table}.parquet").exists()]

    def _unit(self, name: str, unit: str) -> str:
        """The unit of a column; ratings of socwr are apparent powers."""
        return "$/MVAh" if name == "shadow" and self.formulation == "socwr" else unit

    def _not_stored(self, *names: str) -> ArgumentError:
        """The error for tables that are not stored, by their columns."""
        tables = [TABLE_OF[name] for name in names]
        own = tables_of(self.formulation, self.case._rows)
        absent = next((table for table in tables if table not in own), None)
        if absent is not None:
            message = f"A {self._noun} of {self.formulation} has no {absent}; it has {', '.join(own)}."
        else:
            held = f"only {', '.join(self._stored)}" if self._stored else "no tables"
            wanted = ", ".join(f'"{table}"' for table in (*self._stored, *tables))
            message = f"This {self._noun} keeps {held}: pass tables=[{wanted}]."
        return ArgumentError("ARGUMENT.CHOICE", message)

    def _read(self, folder: Path, name: str) -> pd.DataFrame:
        path = folder / f"{TABLE_OF[name]}.parquet"
        if not path.exists():
            raise self._not_stored(name)
        frame = pd.read_parquet(path)
        element, unit = COLUMNS[name]
        if len(self.failures) < len(self.index):
            frame = frame.dropna(axis=1, how="all")
        frame.columns = pd.Index([int(column) for column in frame.columns], name=element)
        frame.attrs["units"] = self._unit(name, unit)
        return frame

    def __len__(self) -> int:
        return len(self.index)


@dataclass(frozen=True, repr=False, kw_only=True)
class SolvedSeries(SolvedSteps):
    """A series solved exactly, each step with the numbers, the certificate and the hash of a commit of its edits.

    Tables have one row per step and one column per bus, branch, generator, HVDC link or storage unit, with the unit in `attrs["units"]`; steps
    without a solution are NaN, and `failures` has the reasons. A table that was not requested (`tables=`) is an
    ArgumentError. `objective` is in $/h; `certificates` has the residuals of each step in the units of its columns'
    names; `sha256` are the hashes of the results. With `folder` the tables are in Parquet files there.
    """

    objective: pd.Series
    certificates: pd.DataFrame
    sha256: pd.Series

    @property
    def steps(self) -> pd.DataFrame:
        """One row per step: `objective` ($/h), `sha256` and the residuals of the certificate, in the units of their
        names; `error` and `message`, the code and the reason of a step without a solution, missing for solved steps."""
        return pd.concat([self.objective, self.sha256, self.certificates, self._reasons()], axis=1)

    def _reasons(self) -> pd.DataFrame:
        """`error` and `message` by step. Labels may repeat, so failures are matched by order: a failed step has no
        hash."""
        reasons = pd.DataFrame({"error": None, "message": None}, index=self.index, dtype="string")
        reasons.loc[self.sha256.isna().to_numpy()] = self.failures[["code", "message"]].to_numpy()
        return reasons

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The summary by step as an Arrow stream, which polars and pyarrow read without pandas; needs pyarrow. The index is the first
        column, `step` (`scenario` of a sweep) where it has no name."""
        summary = self._summary()
        label = summary.index.name or self._file.removesuffix("s")
        table = arrow(summary.rename_axis(label))
        return table.select([label, *summary.columns]).__arrow_c_stream__(requested_schema)

    def _summary(self) -> pd.DataFrame:
        return self.steps

    def _rows(self) -> pd.DataFrame:
        """The content of `steps.parquet` or `scenarios.parquet`."""
        return self._summary()

    def __str__(self) -> str:
        steps = words.count(len(self), "step")
        speed = f"{self.seconds / max(len(self), 1) * 1e3:.3g} ms each"
        message = f"{steps} of {self.formulation} on {self.case.id}, {speed}"
        if len(self.failures):
            message += f"; {words.count(len(self.failures), 'step')} without a solution"
        if "lmp" in self._quantities and len(self.failures) < len(self):
            lmp = self._quantities["lmp"].values
            message += f"; LMP {words.price(float(np.nanmin(lmp)))} to {words.price(float(np.nanmax(lmp)))} $/MWh"
        return message + not_contained(self.case)

    def __repr__(self) -> str:
        return f"<SolvedSeries: {self}>"

    def _repr_html_(self) -> str:
        return series_html(self)


def summary_of(formulation: str) -> list[str]:
    """The figures of a scenario in a formulation; `UNITS` has their units."""
    own = ("vm_min_pu", "vm_max_pu", "max_loading")
    return [name for name in UNITS if (name in own if formulation == "acpf" else not name.startswith("vm"))]


@dataclass(frozen=True, repr=False, kw_only=True)
class SolvedSweep(SolvedSeries):
    """A sweep solved exactly: each scenario has the numbers, the certificate and the hash of a Study with its edits,
    whatever the executor and the order.

    `scenarios` has one row per scenario: `objective` ($/h), lowest, mean (weighted with the demand of the base case
    where it is positive) and highest price `lmp_min`, `lmp_mean`, `lmp_max` ($/MWh), the number of `binding` lines,
    `congestion_rent` ($/h), `max_loading` (fraction of the rating), `sha256`, the hash of the result, and `error`, the
    code of a scenario without a solution; for acpf `vm_min_pu` and `vm_max_pu` (per unit) instead of prices. Tables
    such as `prices` have one row per scenario, NaN without a solution, and `failures` has the reasons. `workers` lists
    for each process the number of solved scenarios, the seconds, and how often it read the case. With `folder` the
    tables are in Parquet files there.
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
        message = f"{words.count(len(self), 'scenario')} of {self.formulation} on {self.case.id}"
        message += f", {self.seconds / max(len(self), 1) * 1e3:.3g} ms each"
        if len(self.failures):
            message += f"; {words.count(len(self.failures), 'scenario')} without a solution"
        if "lmp_min" in self.scenarios and len(self.failures) < len(self):
            low, high = self.scenarios["lmp_min"].min(), self.scenarios["lmp_max"].max()
            message += f"; LMP {words.price(low)} to {words.price(high)} $/MWh"
        return message + not_contained(self.case)

    def __repr__(self) -> str:
        return f"<SolvedSweep: {self}>"


def series_html(series: SolvedSeries) -> str:
    """The sentence; the cheapest and the most expensive step; binding lines, if flows and shadow prices are in memory."""
    objective = series.objective.dropna()
    rows, labels = [], []
    if len(objective):
        for title, step in (("Lowest cost", objective.idxmin()), ("Highest cost", objective.idxmax())):
            rows.append((f"{title}: {step}", f"{words.price(float(objective.loc[[step]].iloc[0]))} $/h"))
            labels.append(str(step))
    name, message = isolated(series.case.name, series.case.name), isolated(str(series), series.case.id)
    body = f"<p><b>{name}</b>: {message}</p>" + (table((), rows, labels) if rows else "")
    if {"shadow", "flow_mw"} <= series._quantities.keys():
        binding = series.binding.head(_TOP_BINDING)
        lines = [
            (f"Line {row.Index}", f"{row.steps:,}", words.price(row.mean_shadow), words.price(row.rent))
            for row in binding.itertuples()
        ]
        head = ("Binding lines", "Steps", "Mean shadow price, $/MWh", "Congestion rent, $/h summed")
        body += table(head, lines) if lines else paragraph("No line binds in any step.")
    labels = [str(step) for step in series.failures.index[:_TOP_FAILED]]
    failed = [f"{step}: {row.message}" for step, row in series.failures.head(_TOP_FAILED).iterrows()]
    more = len(series.failures) - len(failed)
    failed += [f"and {words.count(more, 'other')}"] if more else []
    return shown(body + notes(failed + warnings_lines(series.case.warnings), labels))
