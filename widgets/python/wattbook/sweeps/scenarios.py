"""Scenarios checked against the case, the variants of its module that they need, and the messages between a sweep and
its workers: the case, the common part of its scenarios, blocks of scenarios, and their results. The classes are pickled
by name, so workers import this package."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..arguments import finite, foreign_frame, formatted, meant
from ..edits.costs import Polynomial, cost_of, unit_row
from ..edits.edits import Edits, edited
from ..errors import EditError, WattbookError
from ..network import Changes, ElementKey, Elements

if TYPE_CHECKING:
    import pandas as pd

    from ..edits.profiles import Profiles
    from ..network import Network

#: Fields of a generator in a module by the names in edits.
_FIELDS = {"p_min": "pmin", "p_max": "pmax", "status": "in_service"}
#: Scenarios in the forms that callers may use; see `wattbook.sweep`.
Scenarios: TypeAlias = "pd.DataFrame | Iterable[Mapping[str, Any]] | Mapping[Any, Mapping[str, Any]]"
KINDS = ("demand", "ratings", "outages", "units", "costs")
_EXAMPLE = '[{"demand": {30: 10}}, {"outages": [12]}]'


@dataclass(frozen=True)
class Variant:
    """Differences from a case besides demand and ratings, by row of its module; equal variants are equal and have equal
    hashes."""

    outages: tuple[int, ...] = ()
    #: Available fraction of the capacity, from 0 (out of service) to below 1.
    units: tuple[tuple[int, float], ...] = ()
    costs: tuple[tuple[int, Polynomial], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.outages or self.units or self.costs)


def changed(module: Mapping[str, Any], variant: Variant) -> str:
    """The text of a parsed module with a variant applied; `module` is unchanged."""
    network = dict(module["value"]["data"])
    if variant.outages:
        branches = list(network["branches"])
        for row in variant.outages:
            branches[row] = {**branches[row], "in_service": False}
        network["branches"] = branches
    generators = list(network["generators"])
    for row, share in variant.units:
        available = availability(generators[row], share)
        generators[row] = {**generators[row], **{_FIELDS[name]: value for name, value in available.items()}}
    for row, cost in variant.costs:
        generators[row] = {**generators[row], "cost": polynomial(cost)}
    network["generators"] = generators
    return json.dumps({**module, "value": {**module["value"], "data": network}}, separators=(",", ":"))


def availability(unit: Mapping[str, Any], share: float) -> dict[str, Any]:
    """The edit of a generator of a module to a fraction of its capacity: Pmax is scaled, Pmin reduced only as far as
    necessary."""
    if share <= 0:
        return {"status": False}
    most = unit["pmax"] * share if unit["pmax"] > 0 else unit["pmax"]
    return {"p_max": most, "p_min": min(unit["pmin"], most)}


def polynomial(cost: Polynomial) -> dict[str, Any]:
    """A cost in the form of modules."""
    return {"model": 2, "startup": 0, "shutdown": 0, "ncost": 3, "coeffs": list(cost)}


@dataclass(frozen=True)
class Scenario:
    """One state to solve: absolute edits from the base case in MW, buses first, and a variant of the case."""

    name: Any
    buses: tuple[int, ...]
    branches: tuple[int, ...]
    changes_mw: np.ndarray
    variant: Variant


class Reader:
    """Reads the scenarios of one Study; `edits` are the committed edits, which apply unless a scenario replaces them."""

    def __init__(self, network: Network, edits: Edits) -> None:
        self._network = network
        self._edits = edits
        #: Branch rows of the module; further rows are arms of three-winding transformers.
        self._lines = network.counts["branches"]

    def read(self, scenarios: Scenarios) -> Iterator[Scenario]:
        """Yields scenarios on demand. Raises EditError `SWEEP.MALFORMED` and those of edits."""
        import pandas as pd

        if isinstance(scenarios, pd.DataFrame):
            return self._of_frame(scenarios)
        if isinstance(scenarios, Mapping):
            if any(key in KINDS for key in scenarios):
                raise EditError("SWEEP.MALFORMED", f"scenarios must be a list of scenarios, for instance {_EXAMPLE}.")
            return (self._of_mapping(name, one) for name, one in scenarios.items())
        foreign = foreign_frame(scenarios)
        if foreign or isinstance(scenarios, (str, bytes)) or not hasattr(scenarios, "__iter__"):
            raise EditError(
                "SWEEP.MALFORMED",
                f"scenarios must be a list or a DataFrame, for instance {_EXAMPLE}, not {foreign or formatted(scenarios)}.",
            )
        return (self._of_mapping(k, one) for k, one in enumerate(scenarios))

    def of_profiles(self, profiles: Profiles) -> Iterator[Scenario]:
        """The steps of profiles, named by their number."""
        rows, shares = profiles.units or ((), np.empty((len(profiles), 0)))
        committed = [
            {key: mw for key, mw in own.items() if key not in named}
            for own, named in ((self._edits.demand, profiles.buses), (self._edits.ratings, profiles.branches))
        ]
        buses, branches = (*profiles.buses, *_ids(committed[0])), (*profiles.branches, *_ids(committed[1]))
        split = len(profiles.buses)
        for k, (changes, available) in enumerate(zip(profiles.changes, shares, strict=True)):
            changes_mw = np.array(
                [*changes[:split], *committed[0].values(), *changes[split:], *committed[1].values()], dtype="<f8"
            )
            units = tuple((row, float(share)) for row, share in zip(rows, available, strict=True) if share < 1)
            yield Scenario(k, buses, branches, changes_mw, Variant(units=tuple(sorted(units))))

    def _of_mapping(self, place: Any, given: Mapping[str, Any]) -> Scenario:
        if not isinstance(given, Mapping):
            raise EditError(
                "SWEEP.MALFORMED",
                f"Scenario {place} must be a mapping, for instance {_EXAMPLE}, not {formatted(given)}.",
            )
        for key in given:
            if key not in (*KINDS, "name"):
                hint = meant(str(key), KINDS) or f"known are {', '.join(KINDS)}."
                raise EditError("SWEEP.MALFORMED", f"Scenario {place} has an unknown key {formatted(key)}: {hint}")
        try:
            demand, ratings = given.get("demand"), given.get("ratings")
            state = edited(self._edits, self._network, demand, ratings)
            self._check_editable(self._network._bus_keys, demand)
            self._check_editable(self._network._branch_keys, ratings)
            variant = Variant(
                tuple(sorted({self._line(name) for name in _listed(given.get("outages"))})),
                self._shares(given.get("units")),
                self._costs(given.get("costs")),
            )
        except WattbookError as error:
            raise _at(error, place) from None
        # A line that is out of service has no rating, so its committed edit has no effect.
        out = {int(self._network._branch_ids[row]) for row in variant.outages}
        named = {self._network._branch_keys.canonical(key) for key in _keys(ratings)}
        rates = {line: mw for line, mw in state.ratings.items() if line not in out or line in named}
        changes = np.array([*state.demand.values(), *rates.values()], dtype="<f8")
        return Scenario(given.get("name", place), _ids(state.demand), _ids(rates), changes, variant)

    def _of_frame(self, frame: pd.DataFrame) -> Iterator[Scenario]:
        """Columns are pairs of a kind and an element; a missing value leaves an element unchanged."""
        if not len(frame) or not all(isinstance(column, tuple) and len(column) == 2 for column in frame.columns):
            raise EditError(
                "SWEEP.MALFORMED",
                'A DataFrame of scenarios has a row for each and columns such as ("demand", 30), pairs of kind and element.',
            )
        for kind, _ in frame.columns:
            if kind not in KINDS:
                hint = meant(str(kind), KINDS) or f"known are {', '.join(KINDS)}."
                raise EditError(
                    "SWEEP.MALFORMED", f"A column of the scenarios has an unknown kind {formatted(kind)}: {hint}"
                )
        kinds = {kind for kind, _ in frame.columns}
        if kinds <= {"demand", "ratings"} and not frame.isna().to_numpy().any():
            return self._of_numbers(frame)
        return (self._of_mapping(name, _record(row)) for name, row in zip(frame.index, _rows(frame), strict=True))

    def _of_numbers(self, frame: pd.DataFrame) -> Iterator[Scenario]:
        """The same for frames in which every row changes demand and ratings of the same elements."""
        parts, named = [], []
        for kind, keys, committed in (
            ("demand", self._network._bus_keys, self._edits.demand),
            ("ratings", self._network._branch_keys, self._edits.ratings),
        ):
            columns = [k for k, column in enumerate(frame.columns) if column[0] == kind]
            ids = [keys.target(frame.columns[k][1]) for k in columns]
            if len(set(ids)) != len(ids):
                raise EditError("SWEEP.MALFORMED", f"The scenarios name one {keys.kind} twice.")
            self._check_editable(keys, dict.fromkeys(ids))
            try:
                values = frame.iloc[:, columns].to_numpy(dtype="<f8")
            except (TypeError, ValueError):
                raise EditError(
                    "SWEEP.MALFORMED", f"The {kind} of the scenarios holds values that are not numbers."
                ) from None
            if not np.isfinite(values).all():
                raise EditError("SWEEP.MALFORMED", f"The {kind} of the scenarios holds values that are not finite.")
            others = {key: mw for key, mw in committed.items() if key not in ids}
            parts += [values, np.tile(np.array([*others.values()], dtype="<f8"), (len(frame), 1))]
            named.append((*_ids(dict.fromkeys(ids, 0.0)), *_ids(others)))
        changes = np.ascontiguousarray(np.hstack(parts))
        return (
            Scenario(name, named[0], named[1], row, Variant()) for name, row in zip(frame.index, changes, strict=True)
        )

    def _check_editable(self, keys: Elements, changes: Changes | None) -> None:
        rows = self._network._rows.buses if keys.kind == "bus" else self._network._rows.branches
        editable = rows.flags("bus_editable" if keys.kind == "bus" else "branch_editable")
        for key in _keys(changes):
            number = keys.canonical(key)
            if not editable[rows.places[number]]:  # type: ignore[index]
                noun = "Bus" if keys.kind == "bus" else "Line"
                raise EditError(
                    "EDIT.NOT_EDITABLE", f"{noun} {number} is part of a three-winding transformer and has no edits."
                )

    def _line(self, name: Any) -> int:
        number = self._network._branch_keys.target(name)
        row = self._network._rows.branches.places[number]  # type: ignore[index]
        if row >= self._lines:
            raise EditError(
                "EDIT.NOT_EDITABLE", f"Line {number} is an arm of a three-winding transformer: it has no outage."
            )
        return row

    def _unit(self, name: Any) -> int:
        return unit_row(self._network, name)

    def _shares(self, units: Mapping[Any, Any] | None) -> tuple[tuple[int, float], ...]:
        found: dict[int, float] = {}
        for name, value in _mapping("units", units).items():
            share = float(value) if isinstance(value, (bool, np.bool_)) else finite(value)
            if share is None or not 0 <= share <= 1:
                raise EditError(
                    "SWEEP.MALFORMED",
                    f"The availability of generator {name} must be a number from 0 to 1, not {formatted(value)}.",
                )
            found[self._unit(name)] = share
        return tuple(sorted((row, share) for row, share in found.items() if share < 1))

    def _costs(self, costs: Mapping[Any, Any] | None) -> tuple[tuple[int, Polynomial], ...]:
        return tuple(sorted((self._unit(name), cost_of(name, cost)) for name, cost in _mapping("costs", costs).items()))


def _keys(changes: Changes | None) -> list[Any]:
    """The elements that a mapping or a Series changes."""
    return [] if changes is None else [key for key, _ in changes.items()]


def _mapping(kind: str, given: Any) -> Mapping[Any, Any]:
    if given is None:
        return {}
    if not hasattr(given, "items"):
        raise EditError("SWEEP.MALFORMED", f"{kind} must be a mapping by element, not {formatted(given)}.")
    return given  # type: ignore[no-any-return]


def _listed(outages: Any) -> Iterable[Any]:
    """Branches: one, a list, or a mapping of branches to True or False, in tables also 1 or 0."""
    if outages is None:
        return ()
    if hasattr(outages, "items"):
        return [name for name, out in outages.items() if _is_out(name, out)]
    return [outages] if isinstance(outages, str) or not hasattr(outages, "__iter__") else outages


def _is_out(name: Any, out: Any) -> bool:
    number = float(out) if isinstance(out, (bool, np.bool_)) else finite(out)
    if number not in (0.0, 1.0):
        raise EditError("SWEEP.MALFORMED", f"The outage of line {name} must be True or False, not {formatted(out)}.")
    return number == 1.0


def _rows(frame: pd.DataFrame) -> Iterator[dict[tuple[str, Any], Any]]:
    columns = list(frame.columns)
    for values in frame.itertuples(index=False, name=None):
        yield dict(zip(columns, values, strict=True))


def _record(row: Mapping[tuple[str, Any], Any]) -> dict[str, Any]:
    record: dict[str, Any] = {}
    for (kind, element), value in row.items():
        if value is None or type(value).__name__ == "NAType" or (isinstance(value, float) and math.isnan(value)):
            continue
        record.setdefault(kind, {})[element] = value
    return record


def _ids(changes: Mapping[ElementKey, float]) -> tuple[int, ...]:
    return tuple(int(key) for key in changes)


def _at(error: WattbookError, place: Any) -> WattbookError:
    return type(error)(
        error.code,
        f"Scenario {place}: {error.message}",
        element=error.element,
        details=error.details,
        sentence=error.sentence,
    )


@dataclass(frozen=True)
class CaseText:
    """A case for transfer: packed, with the ids of its rows and the weights of its mean price. `key` names the rows: those of a case
    with added elements are others."""

    key: str
    sha256: str
    packed: bytes
    ids: Mapping[str, np.ndarray]
    weights: np.ndarray

    def of_case(self) -> CaseText:
        """Itself."""
        return self

    @property
    def largest(self) -> int:
        """The editable bus with the largest demand."""
        weights = np.where(np.isin(self.ids["bus"], self.ids["editable"]), self.weights, -1.0)
        return int(self.ids["bus"][int(np.argmax(weights))])


@dataclass(frozen=True)
class CaseFile:
    """A case in a local file, which each process reads once."""

    key: str
    path: str

    def of_case(self) -> CaseText:
        """The case in the file."""
        found: CaseText = pickle.loads(Path(self.path).read_bytes())
        return found


@dataclass(frozen=True)
class Setup:
    """The common part of the scenarios of a sweep."""

    sha256: str
    formulation: str
    options_json: str
    #: The committed edits of the Study other than demand and ratings, with the keys of the contract.
    edits_json: str
    #: Engine columns: those that results store, and those that their summary is computed from.
    stored: tuple[str, ...]
    used: tuple[str, ...]
    contract: str


@dataclass(frozen=True)
class Block:
    """Scenarios solved together."""

    number: int
    scenarios: tuple[Scenario, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        # The changes of all scenarios are sent as one array, without names.
        heads = [(one.buses, one.branches, one.variant) for one in self.scenarios]
        lengths = [len(one.changes_mw) for one in self.scenarios]
        changes = np.concatenate([one.changes_mw for one in self.scenarios]) if heads else np.empty(0)
        return _arrived, (self.number, heads, lengths, changes)


def _arrived(
    number: int,
    heads: Sequence[tuple[tuple[int, ...], tuple[int, ...], Variant]],
    lengths: Sequence[int],
    changes: np.ndarray,
) -> Block:
    """Rebuilds an unpickled block."""
    ends = np.cumsum(lengths).tolist()
    return Block(
        number,
        tuple(
            Scenario(None, buses, branches, changes[end - length : end], variant)
            for (buses, branches, variant), length, end in zip(heads, lengths, ends, strict=True)
        ),
    )


@dataclass(frozen=True)
class Solved:
    """Results of a block in the same order, from a worker that read the case `read` times for them."""

    number: int
    steps: list[dict[str, Any]]
    columns: dict[str, tuple[str, str, np.ndarray]]
    worker: str
    seconds: float
    read: int

    @property
    def nbytes(self) -> int:
        """Size of the columns in bytes."""
        return sum(values.nbytes for _, _, values in self.columns.values())
