"""Sensitivities: derivatives of all LMPs by one demand, rating, limit or cost, and of all voltages by one demand; and
previews: the effect of an edit, without a commit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ..text import words
from ..text.html import sentence, shown, table

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from ..tables.rows import Columns

#: Rounding tolerance where an interval ends at zero demand, MW.
_ROUNDING_MW = 1e-6
#: Names of the contract's parameters in Python.
_PARAMETERS = {
    "d": "demand",
    "fmax": "rating",
    "pmax": "p_max",
    "pmin": "p_min",
    "cost": "cost",
    "shift": "shift",
    "imax": "max_mw",
    "imin": "min_mw",
}
#: Parameters with another name in sentences.
_PARAMETER_WORDS = {"shift": "phase shift", "max_mw": "upper limit", "min_mw": "lower limit"}
#: Number of rows in the table of the largest derivatives.
_MOST_SENSITIVE = 5


class End(NamedTuple):
    """One end of the interval: `mw` from the current state (in `unit`: MVA for a rating of socwr, $/MWh for a cost, degrees for a phase shift), `event` by name, `element` as
    `{"kind", "id", "uid"?}`.

    `price_jump` is the jump of the LMP at `watched_bus` across this end in $/MWh (None if the region beyond is unknown);
    `no_solution_beyond` is True if the problem is infeasible beyond it.
    """

    mw: float
    event: str
    element: Mapping[str, Any]
    price_jump: float | None = None
    watched_bus: int | None = None
    no_solution_beyond: bool = False
    unit: str = "MW"

    def __str__(self) -> str:
        text = f"{words.mw(self.mw, sign=True)} {self.unit}, then {words.event(self.event, self.element)}"
        if self.no_solution_beyond:
            return f"{text}, infeasible beyond"
        if self.price_jump is not None and words.price(self.price_jump) != "0.00":
            sign = "+" if self.price_jump > 0 else ""
            return (
                f"{text}, where the LMP at bus {self.watched_bus} jumps by {sign}{words.price(self.price_jump)} $/MWh"
            )
        return text


@dataclass(frozen=True, repr=False)
class Sensitivity:
    """The derivative of every LMP with respect to one demand, one rating or phase shift, or one limit or cost of a generator or HVDC link,
    or one limit of an interface.

    `values` is a Series by bus in `units`, `($/MWh)/MW`. `kind` is `regular`, `one_sided` (at a breakpoint),
    `degenerate` or `estimate`. For dcopf, within `valid_mw` (MW from the current state, infinite if unbounded) the
    derivative predicts all LMPs exactly; `ends` are the events at its two ends (None if unbounded). The interval may
    extend below zero demand, which an edit reaches only at a bus whose demand in the file is negative; the printed
    interval ends where edits do. `parameter` is `"demand"`, `"rating"`, `"shift"`, `"p_max"`, `"p_min"` or `"cost"`, of an interface `"max_mw"` or
    `"min_mw"`, `element` the bus, branch, generator, HVDC link (kind `hvdc`) or interface (with its name as `uid`), `residual` the relative residual of the linear system.

    For socwr `kind` is `estimate` or `one_sided`: the optimum is curved, and the derivative is a linear estimate away from the current
    state. Within `valid_mw` the same limits bind, to first order. The derivative by a rating is in `($/MWh)/MVA`, and its
    `valid_mw` and `ends` are in MVA.

    At a breakpoint `left` and `right` are the derivatives for a decrease and an increase, each None if the problem is infeasible
    on that side; elsewhere both are None.

    For acpf `values` are the derivatives of the voltage magnitudes in `pu/MW`, reactive demand following at the power
    factor of the base case, `buses` and `branches` the DataFrames of all derivatives per MW: `vm_pu` (per unit),
    `va_deg` (degrees), and `p_from_mw` (MW), `q_from_mvar` (MVAr); `losses` in MW/MW. `kind` is `estimate`: it is exact
    only at the current state, and within `valid_mw` the estimated error of every voltage is below `error_below_pu`
    (relative, radians), from the next terms of the power series (docs/method/ac-power-flow.md). `collapse` estimates
    voltage collapse by that series: `mw` from the current state, `change_mw`, the change of the estimate with the last
    term, and `buses`, the first to fall; None if there is no collapse ahead or the series does not converge. For dcopf
    they are None.

    `price_interval` is set for a demand whose LMP is not unique: every LMP between the
    two ends ($/MWh, infinite if infeasible on that side) is dual optimal. They are the left and right derivatives of the cost.
    """

    values: pd.Series
    kind: str
    valid_mw: tuple[float, float]
    ends: tuple[End | None, End | None]
    units: str
    parameter: str
    element: Mapping[str, Any]
    residual: float
    left: pd.Series | None = None
    right: pd.Series | None = None
    price_interval: tuple[float, float] | None = None
    buses: pd.DataFrame | None = None
    branches: pd.DataFrame | None = None
    losses: float | None = None
    error_below_pu: float | None = None
    collapse: Mapping[str, Any] | None = None
    #: Lower limit of the change from the current state, MW; None if unknown or unlimited.
    _lowest_mw: float | None = None

    @classmethod
    def from_column(cls, column: Mapping[str, Any], lowest_mw: float | None = None) -> Sensitivity:
        """From `column`, the contract's `SensitivityColumn`, as the server sends it.

        `lowest_mw` is the largest decrease of the demand from the current state, MW; the printed interval ends there.
        """
        sides = (column.get(side) for side in ("values", "left", "right"))
        name = _title(column)
        values, left, right = (None if rows is None else _series(rows, name, column["units"]) for rows in sides)
        return cls._of(column, values, left, right, lowest_mw)

    @classmethod
    def from_answer(
        cls,
        head: Mapping[str, Any],
        columns: Columns,
        bus_ids: np.ndarray,
        branch_ids: np.ndarray,
        lowest_mw: float | None = None,
    ) -> Sensitivity:
        """From an answer of the engine: `head` is the contract's `SensitivityHead`, `columns` has the slopes by row of `bus_ids`
        and `branch_ids`.

        `lowest_mw` as for `from_column`.
        """
        from ..tables.solutions import by_bus, changes

        if "vm_slope" in columns:
            values = by_bus(bus_ids, columns["vm_slope"], _title(head))
            buses, branches = changes("bus", bus_ids, columns), changes("branch", branch_ids, columns)
            return replace(cls._of(head, values, None, None, lowest_mw), buses=buses, branches=branches)
        sides = (columns.get(f"lmp_slope{side}") for side in ("", "_left", "_right"))
        name = _title(head)
        values, left, right = (None if side is None else by_bus(bus_ids, side, name) for side in sides)
        return cls._of(head, values, left, right, lowest_mw)

    @classmethod
    def _of(cls, column: Mapping[str, Any], values: Any, left: Any, right: Any, lowest_mw: float | None) -> Sensitivity:
        kinds = ("bus", "branch", "generator", "link", "interface")
        kind = next(kind for kind in kinds if column.get(kind) is not None)
        warrant = column["warrant"]
        low, high = warrant["valid_mw"]
        return cls(
            values=values,
            kind=warrant["kind"],
            valid_mw=(-math.inf if low is None else low, math.inf if high is None else high),
            ends=(_end(warrant["ends"][0], column["units"]), _end(warrant["ends"][1], column["units"])),
            units=column["units"],
            parameter=_PARAMETERS[column["parameter"]],
            element={"kind": "hvdc" if kind == "link" else kind, "uid" if kind == "interface" else "id": column[kind]},
            residual=warrant["residual"],
            left=left,
            right=right,
            price_interval=_interval(warrant.get("price_interval")),
            losses=column.get("losses"),
            error_below_pu=warrant.get("error_below_pu"),
            collapse=column.get("collapse"),
            _lowest_mw=lowest_mw,
        )

    def __str__(self) -> str:
        what = _PARAMETER_WORDS.get(self.parameter, self.parameter)
        name = f"{what} {'at' if self.parameter == 'demand' else 'of'} {words.element(self.element)}"
        largest = self.values.abs().max() if len(self.values) else 0.0
        low, high = self.valid_mw
        reached = self._lowest_mw is not None and low < self._lowest_mw - _ROUNDING_MW
        interval = words.span(
            self._lowest_mw if reached and self._lowest_mw is not None else low,
            high,
            "the current state",
            _unit_of_change(self.units),
        )
        if self.error_below_pu is not None:
            where = f"error below {self.error_below_pu:g} pu {interval}"
        elif self.kind == "regular":
            where = f"exact {interval}"
        else:
            # At a breakpoint of socwr it is an estimate too.
            where = f"{'linear estimate, ' if self.kind == 'estimate' else ''}the same limits bind {interval}"
        what = "LMP" if self.error_below_pu is None else "voltage"
        if largest == 0:
            size = f"no {what} depends on the {name}"
        else:
            bus = self.values.abs().idxmax()
            size = (
                f"the {name} changes the {what} at bus {bus} most, by {words.derivative(self.values[bus])} {self.units}"
            )
        ends = "; ".join(str(end) for end in self.ends[1 if reached else 0 :] if end is not None)
        kind = {"one_sided": "; at a breakpoint, one-sided", "degenerate": "; degenerate optimum, one-sided"}.get(
            self.kind, ""
        )
        if self.price_interval is not None:
            unbounded = all(map(math.isinf, self.price_interval))
            which = "unbounded" if unbounded else f"{words.price_range(*self.price_interval)} $/MWh"
            kind += f"; LMP not unique, {which}"
        if self.collapse is not None:
            kind += f"; voltages collapse at about {words.mw(self.collapse['mw'], sign=True)} MW"
        return f"{size}; {where}{f' ({ends})' if ends else ''}{kind}"

    def __repr__(self) -> str:
        return f"<Sensitivity: {self}>"

    def _repr_html_(self) -> str:

        return sensitivity_html(self)


def _title(column: Mapping[str, Any]) -> str:
    return f"d{column['operand']}_d{_PARAMETERS[column['parameter']]}"


def _end(end: Mapping[str, Any] | None, units: str) -> End | None:
    if end is None:
        return None
    beyond = bool(end.get("no_solution_beyond", False))
    jump, watched = end.get("price_jump"), end.get("watched_bus")
    return End(end["mw"], end["event"], end["element"], jump, watched, beyond, _unit_of_change(units))


def _unit_of_change(units: str) -> str:
    """The unit of the parameter of a derivative in `units`."""
    if units.endswith("/($/MWh)"):
        return "$/MWh"
    if units.endswith("/degree"):
        return "degrees"
    return "MVA" if units.endswith("/MVA") else "MW"


def _interval(ends: Sequence[float | None] | None) -> tuple[float, float] | None:
    if ends is None:
        return None
    low, high = ends
    return (-math.inf if low is None else low, math.inf if high is None else high)


def _series(rows: Sequence[Mapping[str, Any]], name: str, units: str) -> pd.Series:
    import pandas as pd

    index = pd.Index([row["bus"] for row in rows], name="bus", dtype="int64")
    values = pd.Series([row["value"] for row in rows], index=index, name=name, dtype="float64")
    values.attrs["units"] = units
    return values


def sensitivity_html(column: Sensitivity) -> str:
    """The sentence and the largest derivatives."""
    moving = column.values[column.values != 0]
    order = moving.abs().nlargest(_MOST_SENSITIVE).index
    rows = [(f"Bus {bus}", words.derivative(moving[bus])) for bus in order]
    largest = (
        table((f"Most sensitive {'voltages' if column.error_below_pu else 'LMPs'}", column.units), rows) if rows else ""
    )
    return shown(sentence(str(column)) + largest)


@dataclass(frozen=True, repr=False)
class Preview:
    """The effect of an edit, as changes from the committed state.

    For acpf the voltages come from chord steps from the base case: `buses` is a DataFrame by bus with the changes
    `vm_pu` (per unit) and `va_deg` (degrees), `branches` by branch with `p_from_mw` (MW), `q_from_mvar` (MVAr) and
    `loading`; `exact` states that a commit gives the same state; `prices`, `objective_delta` and the intervals are
    None. For dcopf and socwr it is a linear estimate, without a solve, and `buses` and `branches` are None; for socwr,
    whose optimum is curved, it is never `exact`.

    `prices` is a Series of LMP changes by bus in $/MWh. `objective_delta` is the cost change in $/h (None if the LMPs
    do not determine it). For dcopf `exact` is True if the set of binding limits stays the same over the whole edit;
    `valid_step` is that interval as fractions of the edit. If one element is edited, `valid_mw` is the interval in MW
    (MVA for a socwr rating) from the base case, or for one value of a generator in that value itself, MW or $/MWh;
    infinite if unbounded, None if unknown. Beyond it the estimate ignores further limits and may describe an infeasible
    edit: for dcopf `study.track` is exact there.
    """

    prices: pd.Series | None
    objective_delta: float | None
    exact: bool
    valid_step: tuple[float, float] | None
    valid_mw: tuple[float, float] | None
    buses: pd.DataFrame | None = None
    branches: pd.DataFrame | None = None
    _unit: str = "MW"
    #: Whether `valid_mw` holds values of a generator, not changes from the base case.
    _absolute: bool = False

    @classmethod
    def from_answer(
        cls,
        head: Mapping[str, Any],
        columns: Columns,
        bus_ids: np.ndarray,
        branch_ids: np.ndarray,
        unit: str,
        *,
        absolute: bool = False,
    ) -> Preview:
        """From an answer of the engine: `head` is the contract's `PreviewHead`, `columns` has `lmp_change`, or the
        changes of a power flow, by row of `bus_ids` and `branch_ids`; `unit` is the unit of the edited amounts,
        `absolute` is True for values of generators."""
        from ..tables.solutions import by_bus, changes

        priced = "lmp_change" in columns
        return cls(
            prices=by_bus(bus_ids, columns["lmp_change"], "lmp_change") if priced else None,
            buses=None if priced else changes("bus", bus_ids, columns),
            branches=None if priced else changes("branch", branch_ids, columns),
            objective_delta=head.get("objectiveDelta"),
            exact=head["exact"],
            valid_step=_interval(head.get("valid_step")),
            valid_mw=_interval(head.get("valid_mw")),
            _unit=unit,
            _absolute=absolute,
        )

    def __repr__(self) -> str:
        if self.prices is None:
            largest = 0.0 if self.buses is None else self.buses["vm_pu"].abs().max()
            return (
                f"<Preview: largest voltage change {words.derivative(largest)} pu; by chord steps from the base case>"
            )
        cost = "" if self.objective_delta is None else f", objective {words.price(self.objective_delta)} $/h"
        reach = "exact" if self.exact else "linear estimate, not exact"
        if self.valid_mw is not None:
            interval = (
                words.values(*self.valid_mw, self._unit)
                if self._absolute
                else words.span(*self.valid_mw, "the base case", self._unit)
            )
            reach += f" (the same limits bind {interval})"
        largest = self.prices.abs().max() if len(self.prices) else 0.0
        return f"<Preview: largest LMP change {words.price(largest)} $/MWh{cost}; {reach}>"
