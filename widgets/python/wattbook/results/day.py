"""Market days: many hours solved as one program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pandas as pd

from ..errors import ArgumentError, Diagnostic, read_diagnostics
from ..text import words
from ..text.html import isolated, notes, shown, table, warnings_lines
from .series import Quantity, SolvedSteps
from .stored_tables import TABLE_OF

if TYPE_CHECKING:
    from ..network import Network
    from ..tables.rows import Columns


@dataclass(frozen=True, repr=False, kw_only=True)
class SolvedDay(SolvedSteps):
    """A day solved exactly: the hours of a DC OPF as one program, coupled by storage and limits of changes of output.

    Tables have one row per step and one column per element, with the unit in `attrs["units"]`. A price of an hour is what one more
    MWh at that bus and in that hour costs over the whole day. `cost` is that of the day, $; `end_value` what the energy stored at its
    end is worth, $, which the cost does not contain; `step_costs` are in $/h. `certificate` has the residuals of the whole program in
    the units of their names, `sha256` the hash of all results, `diagnostics` what was assumed or could not be used.
    """

    cost: float
    end_value: float
    step_costs: pd.Series
    certificate: Mapping[str, float]
    sha256: str
    diagnostics: tuple[Diagnostic, ...]
    _noun: ClassVar[str] = "day"

    @classmethod
    def of(
        cls,
        network: Network,
        formulation: str,
        index: pd.Index,
        head: Mapping[str, Any],
        columns: Columns,
        seconds: float,
    ) -> SolvedDay:
        """A day from the engine's answer (`DayHead`)."""
        costs = pd.Series(head["step_costs"], index=index, name="cost", dtype=float)
        costs.attrs["units"] = "$/h"
        return cls(
            case=network,
            formulation=formulation,
            index=index,
            seconds=seconds,
            _quantities={
                name: Quantity(column.element, column.unit, column.values.reshape(len(index), -1))
                for name, column in columns.items()
            },
            cost=head["objective_usd"],
            end_value=head["end_value_usd"],
            step_costs=costs,
            certificate=head["certificate"],
            sha256=head["result_sha256"],
            diagnostics=read_diagnostics(head["diagnostics"]),
        )

    @property
    def charge(self) -> pd.DataFrame:
        """Power with which storage units charge, MW at their buses, by step and unit."""
        return self._table("charge_mw")

    @property
    def discharge(self) -> pd.DataFrame:
        """Power with which storage units discharge, MW at their buses, by step and unit."""
        return self._table("discharge_mw")

    @property
    def energy(self) -> pd.DataFrame:
        """Energy that storage units hold at the end of each step, MWh."""
        return self._table("stored_mwh")

    @property
    def energy_value(self) -> pd.DataFrame:
        """What one more MWh in a storage unit at the end of each step would save, $/MWh."""
        return self._table("stored_value")

    @property
    def ramp_value(self) -> pd.DataFrame:
        """What one more MW of the limit of the change of output from the step before would save, $/MWh, by step and generator: positive
        for an upward limit, negative for a downward one. Only of a day with `ramps`."""
        return self._table("ramp_value")

    def _not_stored(self, *names: str) -> ArgumentError:
        tables = " and ".join(TABLE_OF[name] for name in names)
        return ArgumentError("ARGUMENT.CHOICE", f"This day has no {tables}; it has {', '.join(self._stored)}.")

    def _rows(self) -> pd.DataFrame:
        """The content of `steps.parquet`."""
        return self.step_costs.to_frame()

    def __str__(self) -> str:
        lmp = self._quantities["lmp"].values
        prices = f"LMP {words.price(float(np.nanmin(lmp)))} to {words.price(float(np.nanmax(lmp)))} $/MWh"
        seconds = f"{self.seconds:.3g} s"
        return f"{words.count(len(self), 'step')} of {self.case.id} as one day, {words.price(self.cost)} $, {prices}, {seconds}"

    def __repr__(self) -> str:
        return f"<SolvedDay: {self}>"

    def _repr_html_(self) -> str:
        name, message = isolated(self.case.name, self.case.name), isolated(str(self), self.case.id)
        rows = [("Cost", f"{words.price(self.cost)} $")]
        if self.end_value:
            rows.append(("Worth of the energy stored at the end", f"{words.price(self.end_value)} $"))
        body = f"<p><b>{name}</b>: {message}</p>" + table((), rows)
        return shown(body + notes([*map(str, self.diagnostics), *warnings_lines(self.case.warnings)]))
