"""Series: the exact results of many steps."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pandas as pd

from ..edits.costs import not_contained
from ..edits.edits import ElementName
from ..errors import ArgumentError
from ..files.parquet import TableFiles, arrow
from ..quantities_generated import COLUMNS
from ..text import words
from .kept import FILES, TABLE_OF, TABLES, TABLES_OF

if TYPE_CHECKING:
    from ..case.case import Case


@dataclass(frozen=True)
class Quantity:
    """Values by step and row of the case."""

    element: str
    unit: str
    values: np.ndarray


@dataclass(frozen=True, repr=False)
class SolvedSeries:
    """A series solved exactly, each step with the numbers, the certificate and the hash that a commit of its edits has.

    Tables have a row for each step and a column for each bus, branch or generator, with the unit in `attrs["units"]`; steps that
    have no solution are NaN, and `failures` says why. A table that was not kept (`tables=`) is an ArgumentError. `objective` is in $/h; `certificates` has the residuals of each step
    in the units of its columns' names; `sha256` are the hashes of the results. With `folder` the tables are in Parquet files there.
    """

    case: Case
    formulation: str
    index: pd.Index
    objective: pd.Series
    certificates: pd.DataFrame
    sha256: pd.Series
    failures: pd.DataFrame
    seconds: float
    _quantities: Mapping[str, Quantity] = field(repr=False)
    #: The name of the file with a row for each step.
    _file: ClassVar[str] = "steps"
    _noun: ClassVar[str] = "series"
    #: Where the tables are, if they are in Parquet files instead of in memory.
    folder: Path | None = None

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
        """Writes the tables that were kept, one Parquet file each, and the table by step or scenario (`steps.parquet` of a series,
        `scenarios.parquet` of a sweep) into `folder`, which is made; those of an earlier run there are removed. Returns the files.

        Needs pyarrow (`pip install pyarrow`). Raises InputError `OUTPUT.PYARROW`, `OUTPUT.UNWRITABLE`.
        """
        tables = {name: self._whole(name) for name in self._kept}
        tables[self._file] = self._rows()
        with TableFiles(folder, FILES) as files:
            for name, table in tables.items():
                files.write(name, table)
        return [Path(folder).expanduser() / f"{name}.parquet" for name in tables]

    @property
    def steps(self) -> pd.DataFrame:
        """A row for each step: `objective` ($/h), `sha256` and the residuals of the certificate, in the units of their names; `error` and
        `message`, the code and the reason of a step without a solution, missing where there is one."""
        return pd.concat([self.objective, self.sha256, self.certificates, self._reasons()], axis=1)

    def _reasons(self) -> pd.DataFrame:
        """`error` and `message` by step. Labels may repeat, so failures are placed by their order: a failed step has no hash."""
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
        """What `steps.parquet` or `scenarios.parquet` holds."""
        return self._summary()

    def _whole(self, name: str) -> pd.DataFrame:
        """A table with all elements, as its file has it."""
        if self.folder is not None:
            return pd.read_parquet(self.folder / f"{name}.parquet")
        found = self._quantities[TABLES[name]]
        return pd.DataFrame(found.values, index=self.index, columns=self.case._texts[found.element])

    def _tables(self, *names: str) -> list[pd.DataFrame]:
        """Tables that are needed together: where some are not kept, the error names all of them."""
        kept = self._kept
        missing = [name for name in names if TABLE_OF[name] not in kept]
        if missing:
            raise self._not_kept(*missing)
        return [self._table(name) for name in names]

    def _table(self, name: str) -> pd.DataFrame:
        """A table in memory, or in its file."""
        if self.folder is not None:
            return self._read(self.folder, name)
        found = self._quantities.get(name)
        if found is None:
            raise self._not_kept(name)
        ids = {
            "bus": self.case._bus_ids,
            "branch": self.case._branch_ids,
            "generator": self.case._rows.generators.ids,
        }[found.element]
        takes_part = ~np.isnan(found.values).all(axis=0) if len(self.failures) < len(self.index) else slice(None)
        frame = pd.DataFrame(
            found.values[:, takes_part], index=self.index, columns=pd.Index(ids[takes_part], name=found.element)
        )
        frame.attrs["units"] = self._unit(name, found.unit)
        return frame

    @property
    def _kept(self) -> list[str]:
        """The names of the tables that there are, in memory or in files."""
        if self.folder is None:
            return [table for table, column in TABLES.items() if column in self._quantities]
        return [table for table in TABLES if (self.folder / f"{table}.parquet").exists()]

    def _unit(self, name: str, unit: str) -> str:
        """The unit of a column; ratings of socwr are apparent powers."""
        return "$/MVAh" if name == "shadow" and self.formulation == "socwr" else unit

    def _not_kept(self, *names: str) -> ArgumentError:
        """The error for tables, by their columns, that are not among those kept."""
        tables = [TABLE_OF[name] for name in names]
        own = TABLES_OF[self.formulation]
        absent = next((table for table in tables if table not in own), None)
        if absent is not None:
            said = f"A {self._noun} of {self.formulation} has no {absent}; it has {', '.join(own)}."
        else:
            held = f"only {', '.join(self._kept)}" if self._kept else "no tables"
            wanted = ", ".join(f'"{table}"' for table in (*self._kept, *tables))
            said = f"This {self._noun} keeps {held}: pass tables=[{wanted}]."
        return ArgumentError("ARGUMENT.CHOICE", said)

    def _read(self, folder: Path, name: str) -> pd.DataFrame:
        path = folder / f"{TABLE_OF[name]}.parquet"
        if not path.exists():
            raise self._not_kept(name)
        frame = pd.read_parquet(path)
        element, unit = COLUMNS[name]
        if len(self.failures) < len(self.index):
            frame = frame.dropna(axis=1, how="all")
        frame.columns = pd.Index([int(column) for column in frame.columns], name=element)
        frame.attrs["units"] = self._unit(name, unit)
        return frame

    def __len__(self) -> int:
        return len(self.index)

    def __str__(self) -> str:
        steps = words.count(len(self), "step")
        speed = f"{self.seconds / max(len(self), 1) * 1e3:.3g} ms each"
        said = f"{steps} of {self.formulation} on {self.case.id}, {speed}"
        if len(self.failures):
            said += f"; {words.count(len(self.failures), 'step')} without a solution"
        if "lmp" in self._quantities and len(self.failures) < len(self):
            lmp = self._quantities["lmp"].values
            said += f"; LMP {words.price(float(np.nanmin(lmp)))} to {words.price(float(np.nanmax(lmp)))} $/MWh"
        return said + not_contained(self.case)

    def __repr__(self) -> str:
        return f"<SolvedSeries: {self}>"

    def _repr_html_(self) -> str:
        from ..html.series import series_html

        return series_html(self)
