"""The LMP of a bus by its components, energy and congestion by line, and the difference between its LMPs in two states,
with the generators that set them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..text import words
from ..text.html import TOP_ROWS, isolated, shown, table

if TYPE_CHECKING:
    import pandas as pd

    from ..edits.added import Added

_NAMED = 3


@dataclass(frozen=True, repr=False)
class LmpComponents:
    """The LMP at a bus as energy plus congestion, in $/MWh: `price == energy + congestion["value"].sum() + residual`,
    where `residual` is rounding. For socwr `losses` (marginal losses) and `voltage` (voltage limits) are components
    too; the DC model has neither, and they are None.

    The components depend on the reference, the LMP does not. `reference` is `"demand"`, distributed over the buses of the island
    in proportion to their demand, so that `energy` is the demand-weighted mean LMP; or `"even"` in an island without demand.

    `congestion` has index `branch` and one row for each line with a shadow price, largest component first: `value` ($/MWh),
    `shadow` ($/MWh, as in the Solution) and `shift_factor` (MW on the line in its binding direction, per MW injected at the bus
    and withdrawn at the reference); `value == -shadow * shift_factor`. With limits after outages, `outage` (a tuple of branch ids) has
    the branches out of service, and a line may have several rows.
    """

    bus: int
    price: float
    energy: float
    reference: str
    congestion: pd.DataFrame
    residual: float
    losses: float | None = None
    voltage: float | None = None

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> LmpComponents:
        """From `body`, the contract's `LmpComponents`."""
        from ..tables.analyses import congestion_parts

        return cls(
            bus=body["bus"],
            price=body["price"],
            energy=body["energy"],
            reference=body["reference"],
            congestion=congestion_parts(body["congestion"]),
            residual=body["residual"],
            losses=body.get("losses"),
            voltage=body.get("voltage"),
        )

    @property
    def parts(self) -> list[tuple[str, float]]:
        """The components besides energy and congestion that the formulation has, with their names."""
        named = (("losses", self.losses), ("voltage limits", self.voltage))
        return [(name, value) for name, value in named if value is not None]

    @property
    def _limits(self) -> list[str]:
        """The limits of `congestion`: `line 12`, `line 12 after the outage of line 40`, `interface North`."""
        from ..tables.analyses import limit_names

        return limit_names(self.congestion)

    def __str__(self) -> str:
        text = f"bus {self.bus}: {words.price(self.price)} $/MWh = energy {words.price(self.energy)}"
        for name, value in self.parts:
            text += f"{_term(value)} ({name})"
        values = self.congestion["value"]
        for limit, value in zip(self._limits, values.head(_NAMED), strict=False):
            text += f"{_term(value)} ({limit})"
        rest = values.iloc[_NAMED:]
        return text + (f"{_term(rest.sum())} ({words.count(len(rest), 'other line')})" if len(rest) else "")

    def __repr__(self) -> str:
        return f"<LmpComponents {self}>"

    def _repr_html_(self) -> str:

        return lmp_components_html(self)


def _term(value: float) -> str:
    sign = "\u2212" if value < 0 else "+"
    return f" {sign} {words.price(abs(value))}"


def lmp_components_html(parts: LmpComponents) -> str:
    """Energy, the largest congestion components, the sum of the others, and the LMP."""
    values = parts.congestion["value"]
    rows = [("Energy", words.price(parts.energy))]
    rows += [(name.capitalize(), words.price(value)) for name, value in parts.parts]
    limits = zip(parts._limits, values.head(TOP_ROWS), strict=False)
    rows += [(f"{limit[0].upper()}{limit[1:]}", words.price(value)) for limit, value in limits]
    rest = values.iloc[TOP_ROWS:]
    if len(rest):
        rows.append((words.count(len(rest), "other line"), words.price(rest.sum())))
    rows.append((f"LMP at bus {parts.bus}", words.price(parts.price)))
    return shown(table(("Component", "$/MWh"), rows))


#: Generators of the HTML table; the DataFrame has all.
_TOP_UNITS = 6
#: A residual below this, $/MWh, would read as zero.
_SEEN = 0.005
_TIMES = "\u00d7"
_BINDS = {"before": "no longer binds", "after": "now binds"}


@dataclass(frozen=True, repr=False)
class PriceState:
    """The LMP of a bus in one state: `label` names the state, `components` are its LMP components in $/MWh.

    `units` has the generators that set the LMP, the largest part first, index `generator`: `bus`, `energy_source`, `p_mw` (MW), `cost`
    (marginal cost at that output, $/MWh), `participation` (MW of output per MW of additional demand at the bus), and `value` ($/MWh),
    `participation` times `cost`. These values sum to the LMP: it is the cost of one more MW at the bus, and its generators are those
    between their limits. The participation is the derivative of the LMP by the marginal cost of the generator, which equals it by
    the symmetry of the optimality conditions. At a breakpoint, where it differs for an increase and a decrease, the table is empty.
    """

    label: str
    formulation: str
    components: LmpComponents
    units: pd.DataFrame
    #: The buses of each branch, with the branch as index.
    _ends: pd.DataFrame
    #: The elements that the edits add, by table of the contract and id.
    _added: Mapping[str, Mapping[int, Added]]


@dataclass(frozen=True, repr=False)
class PriceChange:
    """Why the LMP at `bus` differs between two states, `before` and `after`, in $/MWh.

    `price_before` and `price_after` are the LMPs of the two solutions, `change` their difference. `table` splits them by energy and
    by line, `units` by the generators that set them.
    """

    bus: int
    before: PriceState
    after: PriceState

    @property
    def price_before(self) -> float:
        """The LMP in the first state, $/MWh."""
        return self.before.components.price

    @property
    def price_after(self) -> float:
        """The LMP in the second state, $/MWh."""
        return self.after.components.price

    @property
    def change(self) -> float:
        """`price_after - price_before`, $/MWh."""
        return self.price_after - self.price_before

    @property
    def table(self) -> pd.DataFrame:
        """The LMP by part, index `part`: `energy`, for socwr `losses`, `voltage limits` and `residual` (the accuracy of the solution),
        and `line 12` for each line that binds in one of the states, the largest change first.

        Columns `branch`, `from_bus`, `to_bus` (missing but for lines), `before`, `after`, `change` ($/MWh, which sum to the LMPs and
        their change), `shadow_before`, `shadow_after` (shadow price, $/MWh, 0 where the line does not bind), `shift_factor_before`,
        `shift_factor_after` (MW/MW, NaN where it does not bind), and `binds` (`before`, `after` or `both`). The split depends on
        the reference, `before.components.reference`, the LMP does not. Where the states add different branches with the same id, each has
        a row of its own, `line 734 (before)` and `line 734 (after)`.
        """
        return self._table.copy()

    @cached_property
    def _table(self) -> pd.DataFrame:
        from ..tables.analyses import price_parts

        return price_parts(
            (self.before.components, self.before._ends),
            (self.after.components, self.after._ends),
            self._apart("branches"),
        )

    @property
    def units(self) -> pd.DataFrame:
        """The generators that set the LMP in one of the states, index `generator`, the largest change first; empty columns of a state
        at a breakpoint are NaN.

        Columns `bus`, `energy_source`, `participation_before`, `participation_after` (MW/MW: MW of output per MW of additional demand
        at the bus), `cost_before`, `cost_after` (marginal cost, $/MWh), `before`, `after` (participation times cost, $/MWh, which sum to
        the LMPs) and `change`. See `PriceState`.
        """
        return self._units.copy()

    @cached_property
    def _units(self) -> pd.DataFrame:
        from ..tables.analyses import price_units

        return price_units(self.before.units, self.after.units, self._apart("generators"))

    def _apart(self, table: str) -> set[int]:
        """The ids that mean different added elements in the two states."""
        before, after = self.before._added[table], self.after._added[table]
        return {key for key in before.keys() & after.keys() if before[key] != after[key]}

    def __str__(self) -> str:
        text = f"bus {self.bus}: {words.price(self.price_before)} to {words.price(self.price_after)} $/MWh"
        parts = self._table
        moved = parts[parts["change"].map(words.price) != "0.00"]["change"]
        named = moved.reindex(moved.abs().sort_values(ascending=False, kind="stable").index)
        texts = [f"{part} {_signed(value)}" for part, value in named.head(_NAMED).items()]
        rest = named.iloc[_NAMED:]
        if len(rest):
            texts.append(f"{words.count(len(rest), 'other part')} {_signed(rest.sum())}")
        between = f"from {self._named(self.before)} to {self._named(self.after)}"
        return f"{text} ({_signed(self.change)}) {between}{': ' if texts else ''}{', '.join(texts)}"

    def _named(self, state: PriceState) -> str:
        """The label of a state, with its formulation where the states are of two."""
        return (
            state.label if self.before.formulation == self.after.formulation else f"{state.label} ({state.formulation})"
        )

    def __repr__(self) -> str:
        return f"<PriceChange {self}>"

    def _repr_html_(self) -> str:
        return price_change_html(self)


def _signed(value: float) -> str:
    """A change with its sign; empty where it is unknown."""
    if math.isnan(value):
        return ""
    text = words.price(value)
    return text if value <= 0 or text == "0.00" else f"+{text}"


def price_change_html(change: PriceChange) -> str:
    """The LMPs of both states by energy and line with their sum, and the generators that set them."""
    parts = change._table
    seen = parts[["before", "after"]].abs().max(axis=1) >= _SEEN
    own = parts["branch"].isna() & ((parts.index != "residual") | seen)
    rows = [_part_row(part.capitalize(), row) for part, row in parts[own].iterrows()]
    lines = parts[parts["branch"].notna()]
    for part, row in lines.head(TOP_ROWS).iterrows():
        binds = _BINDS.get(row["binds"])
        ends = f" ({row['from_bus']} to {row['to_bus']})"
        rows.append(_part_row(f"{part.capitalize()}{ends}{f', {binds}' if binds else ''}", row))
    rest = lines.iloc[TOP_ROWS:]
    if len(rest):
        rows.append(_part_row(words.count(len(rest), "other line"), rest[["before", "after", "change"]].sum()))
    whole = {"before": change.price_before, "after": change.price_after, "change": change.change}
    rows.append(_part_row(f"LMP at bus {change.bus}", whole))
    before, after = (state.label[0].upper() + state.label[1:] for state in (change.before, change.after))
    head = ("$/MWh", before, after, "Change")
    names = [before, after, change.before.label, change.after.label]
    text = str(change)
    sentence = f"<p>{isolated(f'{text[0].upper()}{text[1:]}.', *names)}</p>"
    return shown(sentence + table(head, rows, names) + _units_html(change, before, after, names))


def _part_row(name: str, row: pd.Series | dict[str, float]) -> tuple[str, ...]:
    return name, words.price(row["before"]), words.price(row["after"]), _signed(row["change"])


def _units_html(change: PriceChange, before: str, after: str, names: list[str]) -> str:
    """The generators with their participation and cost in each state."""

    def part(participation: float, cost: float) -> str:
        return "" if math.isnan(participation) else f"{words.derivative(participation)} {_TIMES} {words.price(cost)}"

    units = change._units
    rows = [
        (
            f"Generator {number} (bus {row.bus})",
            part(row.participation_before, row.cost_before),
            part(row.participation_after, row.cost_after),
            _signed(row.change),
        )
        for number, row in zip(units.index, units.head(_TOP_UNITS).itertuples(index=False), strict=False)
    ]
    rest = units["change"].iloc[_TOP_UNITS:]
    if len(rest):
        rows.append((words.count(len(rest), "other generator"), "", "", _signed(rest.sum(skipna=False))))
    at_breakpoint = [state.label for state in (change.before, change.after) if state.units.empty]
    note = "".join(
        f"<p>{isolated(f'{label[0].upper()}{label[1:]} is a breakpoint: the generators that set its LMP are not unique.', *names)}</p>"
        for label in dict.fromkeys(at_breakpoint)
    )
    head = (f"Set by: MW per MW at the bus {_TIMES} marginal cost, $/MWh", before, after, "Change")
    return (table(head, rows, names) if rows else "") + note
