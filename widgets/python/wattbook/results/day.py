"""Market days: many hours solved as one program."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pandas as pd

from ..arguments import formatted
from ..errors import ArgumentError, Diagnostic, read_diagnostics
from ..native import engine_errors
from ..tables.rows import Columns, parted
from ..text import words
from ..text.html import isolated, notes, shown, table, warnings_lines
from .series import Quantity, SolvedSteps
from .stored_tables import TABLE_OF

if TYPE_CHECKING:
    from ..network import ElementName, Network


@dataclass(frozen=True, repr=False)
class DayEvent:
    """An end of the interval of a derivative: `mw` from the solved demand, where `element` (`{"kind", "id", "uid"?}`) reaches a limit in
    `step`, or leaves it (`leaves`)."""

    mw: float
    step: object
    element: Mapping[str, Any]
    leaves: bool

    def __str__(self) -> str:
        verb = "leaves its limit" if self.leaves else "reaches a limit"
        return f"{words.mw(self.mw, sign=True)} MW, then {words.element(self.element)} {verb} in step {self.step}"

    def __repr__(self) -> str:
        return f"<DayEvent: {self}>"


@dataclass(frozen=True, repr=False)
class DaySensitivity:
    """Derivatives of a day by the demand of `bus` in `step`: `prices` ($/MWh per MW) by step and bus, `dispatch` (MW per MW) by step and
    generator.

    They are exact while the demand changes within `valid_mw`, MW from the solved demand; `ends` are what happens there (None if
    unbounded). Where the value of idle storage is not unique the interval is the least one.
    """

    bus: int
    step: object
    prices: pd.DataFrame
    dispatch: pd.DataFrame
    valid_mw: tuple[float, float]
    ends: tuple[DayEvent | None, DayEvent | None]

    def __str__(self) -> str:
        low, high = (str(end) if end else "unbounded" for end in self.ends)
        largest = float(np.nanmax(np.abs(self.prices.to_numpy())))
        return (
            f"derivatives by the demand of bus {self.bus} in step {self.step}: up to {largest:.3g} $/MWh per MW; "
            f"exact between {low} and {high}"
        )

    def __repr__(self) -> str:
        return f"<DaySensitivity: {self}>"


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
    #: The engine's day, for its derivatives.
    _solved: Any = field(repr=False)
    _noun: ClassVar[str] = "day"

    def sensitivity(self, bus: ElementName, step: Any) -> DaySensitivity:
        """How the prices of all buses and steps depend on the demand of `bus` in `step` (its label).

        Raises EditError `BUS.UNKNOWN`, ArgumentError for an unknown step, and InputError `SENS.UNSUPPORTED` where the price is not unique, so
        that it has no derivative.
        """
        if self._solved is None:
            raise ArgumentError(
                "ARGUMENT.CHOICE", "A copy of a day from another process has its tables alone; solve the day here."
            )
        number = self.case._bus_keys.target(bus)
        places = np.flatnonzero(self.index == step)
        if len(places) != 1:
            which = "no step" if len(places) == 0 else "several steps"
            raise ArgumentError("ARGUMENT.CHOICE", f"The day has {which} {formatted(step)}.")
        with engine_errors():
            head, columns = parted(self._solved.column(json.dumps({"bus": number}), int(places[0])))
        found = replace(self, _quantities=_by_step(columns, len(self.index)))
        low, high = head["valid_mw"]
        valid = (-math.inf if low is None else low, math.inf if high is None else high)
        ends = [
            None if end is None else DayEvent(mw, self.index[end["step"] - 1], end["element"], end["kind"] == "leaves")
            for mw, end in zip(valid, head["ends"], strict=True)
        ]
        return DaySensitivity(
            int(number), step, found._table("lmp_slope"), found._table("dispatch_slope"), valid, (ends[0], ends[1])
        )

    def __getstate__(self) -> dict[str, Any]:
        # A copy in another process has the tables alone.
        return {**self.__dict__, "_solved": None}

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


def day_of(
    network: Network,
    formulation: str,
    index: pd.Index,
    answer: tuple[Mapping[str, Any], Columns],
    solved: Any,
    seconds: float,
) -> SolvedDay:
    """A day from the engine's answer (`DayHead`), and the engine's day."""
    head, columns = answer
    costs = pd.Series(head["step_costs"], index=index, name="cost", dtype=float)
    costs.attrs["units"] = "$/h"
    return SolvedDay(
        case=network,
        formulation=formulation,
        index=index,
        seconds=seconds,
        _quantities=_by_step(columns, len(index)),
        cost=head["objective_usd"],
        end_value=head["end_value_usd"],
        step_costs=costs,
        certificate=head["certificate"],
        sha256=head["result_sha256"],
        diagnostics=read_diagnostics(head["diagnostics"]),
        _solved=solved,
    )


def _by_step(columns: Columns, steps: int) -> dict[str, Quantity]:
    """Columns of all steps as tables."""
    return {
        name: Quantity(column.element, column.unit, column.values.reshape(steps, -1))
        for name, column in columns.items()
    }
