"""Networks: rows, keys and module of a case, and its matrices by element: power transfer and line outage distribution
factors. Nothing here solves or changes a network."""

from __future__ import annotations

import bisect
import json
import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self, SupportsFloat, SupportsIndex, TypeAlias

import numpy as np

from .arguments import finite, foreign_frame, formatted, meant, shortened
from .errors import ArgumentError, Diagnostic, EditError, read_diagnostics
from .native import engine_errors, solve_options
from .tables.rows import CaseRows, Columns, Inspected, inspected, parted
from .text import words
from .text.words import count, element_noun
from .threads import apart

if TYPE_CHECKING:
    import pandas as pd

    from .tables.rows import ElementRows

#: Canonical key of a bus or branch: its original number, or text without a match.
ElementKey: TypeAlias = int | str
#: A bus or branch as named by a caller: original number (also of numpy), digits, uid, a unique name, or for a bus of
#: pandapower `source_index 7`.
ElementName: TypeAlias = SupportsIndex | str
#: Changes in MW (MVA for socwr ratings), keyed by bus or branch.
Changes: TypeAlias = "Mapping[Any, SupportsFloat] | pd.Series"

_FAMILY = {"bus": "DELTA", "branch": "RATE", "generator": "GENERATOR", "link": "LINK", "storage": "STORAGE"}
_QUANTITY = {"bus": "demand", "branch": "rating"}
#: The argument of `study.commit` for changes by an element, whose kind is the name of the index of a Series.
_ARGUMENT = {"bus": "demand", "branch": "ratings", "generator": "generators", "link": "links"}
#: Number of elements listed in a hint.
_LISTED = 3
#: An original number; no case has longer ones, and Python refuses to convert thousands of digits.
_DIGITS = re.compile("0*[0-9]{1,18}")
#: A bus by the column `source_index` of `case.buses`.
_SOURCE_INDEX = re.compile(r"source_index\s+0*([0-9]{1,18})")


class Elements:
    """Original ids, uids and names of the buses, branches, generators, HVDC links or storage units of one case."""

    def __init__(self, kind: Literal["bus", "branch", "generator", "link", "storage"], rows: ElementRows) -> None:
        self.kind = kind
        self._noun = element_noun(kind)
        self._rows = rows

    @cached_property
    def example(self) -> int:
        """An id for examples in messages."""
        return next((number for number in self._editable if number), 0)

    @cached_property
    def _editable(self) -> Mapping[int, int]:
        """Rows of editable elements by id, which messages suggest; star points and arms are not editable."""
        if self.kind in ("generator", "link", "storage"):
            return self._ids
        flags = self._rows.flags(f"{self.kind}_editable").tolist()
        return {number: row for number, row in self._ids.items() if flags[row]}

    @property
    def _ids(self) -> Mapping[int, int]:
        return self._rows.places

    @cached_property
    def _id_by_uid(self) -> Mapping[str, int]:
        return {uid: number for uid, number in zip(self._rows.uids, self._ids, strict=True) if uid}

    @cached_property
    def _ids_by_name(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = {}
        for name, number in zip(self._rows.names, self._ids, strict=True):
            if name and name.strip():
                found.setdefault(name.strip(), []).append(number)
        return found

    def canonical(self, key: object, *, code: str | None = None, argument: str = "") -> ElementKey:
        """The original id for an id, its digits, a uid, `source_index 7` or a name; other text is returned unchanged.

        Raises EditError with `code` (default: that of edits) for a key of another type, `BUS.AMBIGUOUS`, `BRANCH.AMBIGUOUS` for the name of several;
        `argument` prefixes the message.
        """
        if isinstance(key, str):
            text = key.strip()
            return int(text) if _DIGITS.fullmatch(text) else self._of_text(text, argument)
        if isinstance(key, float) and key.is_integer():
            return int(key)
        try:
            if not isinstance(key, bool):
                return operator.index(key)  # type: ignore[arg-type]
        except TypeError:
            pass
        raise EditError(
            code or f"{_FAMILY[self.kind]}.MALFORMED",
            f"{argument}{'An' if self.kind == 'link' else 'A'} {self._noun} must be given by its number, uid or name, not {formatted(key)}.{self._between(key)}",
        )

    def _of_text(self, text: str, argument: str) -> ElementKey:
        if text in self._id_by_uid:
            return self._id_by_uid[text]
        indexed = _SOURCE_INDEX.fullmatch(text)
        if indexed and int(indexed[1]) in self._rows.source_indices:
            return self._rows.source_indices[int(indexed[1])]
        named = self._ids_by_name.get(text, [])
        if len(named) > 1:
            raise EditError(
                f"{self.kind.upper()}.AMBIGUOUS",
                f"{argument}{shortened(text)} is the name of {count(len(named), self._noun)}, {_listed(named)}. "
                f"Use the number of the {self._noun}.",
            )
        return named[0] if named else text

    def target(self, key: object, *, argument: str = "") -> ElementKey:
        """The original id of a target; raises EditError `TARGET.MALFORMED`, `BUS.UNKNOWN`, `BRANCH.UNKNOWN`."""
        name = self.canonical(key, code="TARGET.MALFORMED", argument=argument)
        if name not in self._ids:
            raise self._unknown(name, f"{self.kind.upper()}.UNKNOWN", argument)
        return name

    def read(self, changes: Changes | None, quantity: str | None = None, unit: str = "MW") -> dict[ElementKey, float]:
        """`changes` with canonical keys; two spellings of one element add up. `quantity` (by default demand or rating) is for messages.

        Raises EditError for an unknown element and for a value that is not finite.
        """
        if changes is None:
            return {}
        quantity = quantity or _QUANTITY[self.kind]
        # A DataFrame has items too: its columns.
        if not hasattr(changes, "items") or hasattr(changes, "columns"):
            column = " Pass one column of it." if hasattr(changes, "columns") else ""
            raise EditError(
                f"{_FAMILY[self.kind]}.MALFORMED",
                f"A {quantity} edit must be a mapping of {self._noun} to {unit}, for instance "
                f"{{{self.example}: 10.0}}, not {foreign_frame(changes) or formatted(changes)}.{column}",
            )
        by = getattr(getattr(changes, "index", None), "name", None)
        if by in _ARGUMENT and by != self.kind:
            raise EditError(
                f"{_FAMILY[self.kind]}.MALFORMED",
                f"A {quantity} edit is by {self._noun}, and this Series is by {element_noun(by)}: pass it as {_ARGUMENT[by]}=.",
            )
        # Mostly two Series with different elements were combined: to leave these out would hide it.
        hint = " Leave missing values out with .dropna()." if hasattr(changes, "dropna") else ""
        out: dict[ElementKey, float] = {}
        for key, value in changes.items():
            name = self.known(key, f"{_FAMILY[self.kind]}.UNKNOWN_{self.kind.upper()}")
            out[name] = out.get(name, 0.0) + self._number(name, value, quantity, hint)
        return out

    def known(self, key: object, code: str) -> ElementKey:
        """The original id of an element; raises EditError with `code` for one that is not in the case."""
        name = self.canonical(key)
        if name not in self._ids:
            raise self._unknown(name, code)
        return name

    def _number(self, name: ElementKey, value: object, quantity: str, hint: str) -> float:
        number = finite(value)
        if number is not None:
            return number
        raise EditError(
            f"{_FAMILY[self.kind]}.MALFORMED",
            f"The {quantity} change at {self._noun} {name} is not a finite number: {formatted(value)}.{hint}",
            element={"kind": self.kind, "id": name} if isinstance(name, int) else None,
        )

    def _unknown(self, key: ElementKey, code: str, argument: str = "") -> EditError:
        hint = self._nearest(key) if isinstance(key, int) else self._alike(key)
        return EditError(code, f"{argument}There is no {self._noun} {shortened(key)} in this case{hint}")

    def _nearest(self, key: int) -> str:
        ids = sorted(self._editable)
        place = bisect.bisect(ids, key)
        if not ids:
            return "."
        if place in (0, len(ids)):
            return f": its numbers go from {ids[0]} to {ids[-1]}."
        return f": the nearest are {ids[place - 1]} and {ids[place]}."

    def _alike(self, key: str) -> str:
        word = key.casefold()
        names, uids = self._rows.names, self._rows.uids
        own = [(number, names[row]) for number, row in self._editable.items()]
        named = [(number, name) for number, name in own if name and word and word in name.casefold()]
        # Names that equal the word come before names that contain it.
        named.sort(key=lambda one: len(one[1]))
        if named:
            found = ", ".join(f"{number} is {name!r}" for number, name in named[:_LISTED])
            return f": use the number; {found}{' and others' if len(named) > _LISTED else ''}."
        known = [text for row in self._editable.values() for text in (uids[row], names[row]) if text]
        hint = meant(key, known) if key else ""
        return f": {hint}" if hint else f": use the number, for instance {self.example}."

    def _between(self, key: object) -> str:
        """For a branch named by its pair of buses: the ids of the branches between them."""
        if self.kind != "branch" or not isinstance(key, tuple) or len(key) != 2:
            return ""
        ends = zip(*(self._rows.integers(end).tolist() for end in ("from_bus", "to_bus")), strict=True)
        joined = [number for number, pair in zip(self._ids, ends, strict=True) if pair in (key, key[::-1])]
        return f" Between buses {key[0]} and {key[1]}: {_listed(joined)}." if joined else ""


def _listed(ids: Sequence[int]) -> str:
    return ", ".join(map(str, ids[:_LISTED])) + (" and others" if len(ids) > _LISTED else "")


def _matters(warning: Diagnostic) -> int:
    """Sorts missing equipment first, then assumed and missing costs, which matter most for prices."""
    order = (
        "INPUT.LEFT_OUT",
        "COST.ASSUMED",
        "COST.FUEL_UNKNOWN",
        "COST.NO_TABLE",
        "COST.NOT_IN_FORMAT",
        "COST.MISSING",
    )
    return order.index(warning.code) if warning.code in order else len(order)


#: Tables that are made of the rows on demand.
_DERIVED = ("_buses", "_branches", "_generators", "_parameters", "_texts")


class Network:
    """The data of a case, by row and by key. `wb.Case` adds the operations.

    `id` is the bundled id or the file's stem, `sha256` the hash of the module text, which identifies the case in
    kernel, page and server, `base_mva` the power base in MVA, `counts` the numbers of buses, branches and generators,
    `load_mw` the demand in MW. `coords_kind` is the source of map positions: `file`, `synthetic` (a layout), `manual`,
    or `synthetic_pending` (none yet). `warnings` are the reader's warnings.
    """

    def __init__(self, case_id: str, read: Inspected, *, name: str | None = None) -> None:
        ingested, _ = read
        self.id = case_id
        # The parser names a source without a name `case`.
        own = ingested["name"] if ingested["name"] != "case" else ""
        self.name: str = name or own or case_id
        self.sha256: str = ingested["sha256"]
        self.base_mva: float = ingested["base_mva"]
        self.coords_kind: str = ingested["coords_kind"]
        warnings = read_diagnostics(ingested["warnings"])
        self.warnings: tuple[Diagnostic, ...] = tuple(sorted(warnings, key=_matters))
        self._module_json: str = ingested["module_json"]
        #: The contract's network view without rows; None without positions.
        self._view: dict[str, Any] | None = ingested["view"]
        #: Elements that are not in the module, and the network of the last state that had such.
        self._added_json = ""
        self._extended: Network | None = None
        self._read_rows(read)
        self._with_fuels(ingested.get("fuels") or ())
        # The engine still holds the case that was just read; others are opened on demand.
        self._opened  # noqa: B018

    @cached_property
    def _opened(self) -> Any:
        """The engine's case, opened once for all Studies."""
        with engine_errors() as native:
            case = apart(native.Case, self.sha256, self._module_json)
            return case.extended(self._added_json) if self._added_json else case

    def _with_added(self, added_json: str) -> Network:
        """The network of a state with added elements, the contract's `AddedElements` as JSON; module and identity are those of the
        case."""
        if not added_json:
            return self
        if self._extended is None or self._extended._added_json != added_json:
            with engine_errors():
                case = self._opened.extended(added_json)
            # Not of the type of a case, whose operations would start without the elements.
            extended = Network.__new__(Network)
            own = {name: value for name, value in self.__dict__.items() if name not in _DERIVED}
            extended.__dict__.update(own, _added_json=added_json, _opened=case, _extended=None)
            extended._read_rows(parted(case.described()), self._rows.energy_sources)
            self._extended = extended
        return self._extended

    def _read_rows(self, read: Inspected, fuels: Sequence[str] = ()) -> None:
        """`fuels` are those of the generators of the case, which a module may lack."""
        ingested, _ = read
        self.counts: dict[str, int] = {
            "buses": ingested["n_bus"],
            "branches": ingested["n_branch"],
            "generators": ingested["n_gen"],
        }
        self.load_mw: float = ingested["load_mw"]
        rows = CaseRows.of(read)
        own = [*fuels, *rows.energy_sources[len(fuels) :]]
        self._rows: CaseRows = rows._replace(energy_sources=own) if fuels else rows
        self._bus_keys = Elements("bus", self._rows.buses)
        self._branch_keys = Elements("branch", self._rows.branches)
        self._generator_keys = Elements("generator", self._rows.generators)
        self._link_keys = Elements("link", self._rows.links)
        self._storage_keys = Elements("storage", self._rows.storage)

    @property
    def module_json(self) -> str:
        """The retained generation-2 module; `sha256` is its hash."""
        return self._module_json

    @property
    def _bus_ids(self) -> np.ndarray:
        """Original ids by row."""
        return self._rows.buses.ids

    @property
    def _branch_ids(self) -> np.ndarray:
        """Original ids by row."""
        return self._rows.branches.ids

    @cached_property
    def _texts(self) -> dict[str, pd.Index]:
        """Original ids by element and row as the names of columns in files."""
        import pandas as pd

        rows = {
            "bus": self._rows.buses,
            "branch": self._rows.branches,
            "generator": self._rows.generators,
            "link": self._rows.links,
            "storage": self._rows.storage,
        }
        return {element: pd.Index(own.ids.astype(str)) for element, own in rows.items()}

    @cached_property
    def _parameters(self) -> tuple[dict[str, Any], Columns]:
        """Positions, impedances and costs from the engine, in row order, and the corners of costs."""
        return parted(self._opened.parameters())

    @property
    def buses(self) -> pd.DataFrame:
        """Index `bus`; columns `uid`, `name`, `base_kv` (kV), `area` and `zone` (missing where the source has none), `longitude`, `latitude`
        (degrees; NaN without a position; `coords_kind` is their source), `demand_mw`, `gen_mw` (MW, as in the source), `editable`; for pandapower `source_index`, its index,
        which is not the number of the bus: `study.commit({"source_index 7": 5})` edits the bus by it.

        A three-winding transformer adds its star point here and its three arms to `branches`. These rows are not editable and not
        in `counts`; `.attrs["rows"]` gives their number.
        """
        return self._buses.copy()

    @cached_property
    def _buses(self) -> pd.DataFrame:
        from .tables.networks import case_buses

        return case_buses(self._rows.buses, self._parameters)

    @property
    def links(self) -> pd.DataFrame:
        """HVDC links, index `link`; columns `from_bus`, `to_bus`, `p_min_mw`, `p_max_mw` (MW; a limit of at least zero holds for the power taken at the from
        end, a negative one for the power delivered at the to end), `p_mw` (the schedule at the from end, which power flows hold), `loss_mw` (constant),
        `loss_factor` (lost fraction of the sent power), `cost` ($/MWh of power at the from end; NaN where it is a curve), `in_service`."""
        from .tables.networks import case_links

        return case_links(self._rows.links)

    @property
    def storage(self) -> pd.DataFrame:
        """Storage units, index `storage`; columns `uid`, `bus`, `p_mw`, `q_mvar` (held powers, MW and MVAr, positive while the unit discharges), `p_charge_max_mw`,
        `p_discharge_max_mw` (MW), `charge_efficiency`, `discharge_efficiency`, `energy_mwh` (stored energy; NaN where it is unknown), `energy_min_mwh`,
        `energy_max_mwh` (MWh), `energy_value` (what stored energy is worth, $/MWh; NaN where nothing says it), `in_service`."""
        from .tables.networks import case_storage

        return case_storage(self._rows.storage)

    @property
    def branches(self) -> pd.DataFrame:
        """Index `branch`; columns `uid`, `name` (missing where the source has none), `from_bus`, `to_bus`, `r_pu`, `x_pu`, `b_pu` (series resistance and reactance, total charging
        susceptance, per unit on `base_mva`), `tap` (off-nominal ratio, 1 for lines), `shift_deg` (phase shift, degrees), `rating_mw`
        (MW), `rating_is_fallback` (no rating in the source), `rating_assumed` (the rating is then derived from the angle-difference limit
        and the voltage bands; infinite for a branch without impedance), `is_switch` (a switch or breaker, open where it is not in service),
        `in_service`, `editable`."""
        return self._branches.copy()

    @cached_property
    def _branches(self) -> pd.DataFrame:
        from .tables.networks import case_branches

        return case_branches(self._rows.branches, self._rows.switches, self._parameters)

    @property
    def generators(self) -> pd.DataFrame:
        """Index `generator`; columns `uid`, `bus` with its `bus_name`, `area` and `zone`, `energy_source` (missing where the source has
        none), `p_min_mw`, `p_max_mw` (MW), `dispatchable_load` (it only draws power, while the price is below its benefit), the cost as
        solved, and `in_service`.

        `cost_model` is `polynomial`, with `cost_c2` p² + `cost_c1` p + `cost_c0` in $/h for an output of p MW ($/MW²h, $/MWh, $/h), or
        `piecewise_linear`, with `cost_points`, the breakpoints (MW, $/h), extrapolated by the first and last slopes. Inapplicable
        columns are NaN or empty. A generator without a cost in the source has zero cost and a warning.
        """
        return self._generators.copy()

    @cached_property
    def _generators(self) -> pd.DataFrame:
        from .tables.networks import case_generators

        return case_generators(self._rows.generators, self._rows.energy_sources, self._parameters, self._buses)

    @property
    def n_bus(self) -> int:
        """Number of buses of the source."""
        return self.counts["buses"]

    @property
    def n_branch(self) -> int:
        """Number of lines and transformers of the source."""
        return self.counts["branches"]

    @property
    def n_gen(self) -> int:
        """Number of generators of the source."""
        return self.counts["generators"]

    def __getstate__(self) -> dict[str, Any]:
        """Pickled state: everything except the engine's case."""
        return {name: value for name, value in self.__dict__.items() if name != "_opened"} | {"_extended": None}

    def _with_fuels(self, fuels: Sequence[str]) -> Self:
        """The same network with the fuels of its generators, if their number matches."""
        if len(fuels) == len(self._rows.generators):
            self._rows = self._rows._replace(energy_sources=list(fuels))
        return self

    def _of_module(self, module_json: str) -> Self:
        """A network with the same id and name and another module."""
        return type(self)(self.id, inspected(module_json), name=self.name)

    def _counts_text(self) -> str:
        """`500 buses, 733 branches, 224 generators, 1 HVDC link`: links and storage units where there are any."""
        counts = [
            (self.counts["buses"], "bus"),
            (self.counts["branches"], "branch"),
            (self.counts["generators"], "generator"),
        ]
        further = ((len(self._rows.links), "HVDC link"), (len(self._rows.storage), "storage unit"))
        counts += [(count, noun) for count, noun in further if count > 0]
        return ", ".join(words.count(count, noun) for count, noun in counts)

    def _lowered_text(self) -> str:
        """`40 star points and 120 arms of three-winding transformers`: table rows that `counts` excludes; empty without
        any."""
        buses, branches, *_ = self._rows
        stars, arms = (
            int((~editable).sum()) for editable in (buses.flags("bus_editable"), branches.flags("branch_editable"))
        )
        if not stars and not arms:
            return ""
        return f"{words.count(stars, 'star point')} and {words.count(arms, 'arm')} of three-winding transformers"


#: A bus, `"demand"`, or weights by bus.
Slack: TypeAlias = "ElementName | Mapping[Any, Any] | pd.Series | None"


def ptdf(
    network: Network,
    slack: Slack,
    branches: Iterable[ElementName] | None,
    threshold: float | None,
    options: Mapping[str, Any] | None,
    branch_edits: Mapping[str, Any] | None = None,
    added_json: str = "",
) -> pd.DataFrame | pd.Series:
    """See `Case.ptdf`; the edits of branches and the added elements are those of a Study, as in the contract."""
    own = network._with_added(added_json)
    request = {"kind": "ptdf", "slack": _weights(own, slack), **_request(own, branches, threshold, options)}
    request["edits"] = dict(branch_edits or {})
    return _matrix(own, request, "ptdf", ("branch", "bus"), own._bus_ids)


def lodf(
    network: Network,
    branches: Iterable[ElementName] | None,
    threshold: float | None,
    options: Mapping[str, Any] | None,
) -> pd.DataFrame | pd.Series:
    """See `Case.lodf`."""
    request = {"kind": "lodf", **_request(network, branches, threshold, options)}
    return _matrix(network, request, "lodf", ("branch", "outage"), network._branch_ids)


def _request(
    network: Network,
    branches: Iterable[ElementName] | None,
    threshold: float | None,
    options: Mapping[str, Any] | None,
) -> dict[str, Any]:
    given = dict(solve_options(options))
    request: dict[str, Any] = {"dc_convention": given.pop("dc_convention", None)}
    if given:
        raise ArgumentError(
            "ARGUMENT.OPTIONS", f"A matrix depends on the option dc_convention only, not on {', '.join(given)}."
        )
    if branches is not None:
        request["branches"] = [str(key) for key in branch_keys(network, branches)]
    if threshold is not None:
        least = finite(threshold)
        if least is None or least < 0:
            raise ArgumentError(
                "ARGUMENT.NUMBER", f"threshold must be a number of at least 0, not {formatted(threshold)}."
            )
        request["threshold"] = least
    return request


def branch_keys(network: Network, branches: Iterable[ElementName]) -> list[ElementKey]:
    """The original ids of a list of branches; raises ArgumentError where it is not a list, EditError `BRANCH.UNKNOWN`."""
    if isinstance(branches, (str, bytes)) or not isinstance(branches, Iterable):
        raise ArgumentError("ARGUMENT.LIST", f"branches must be a list of branches, not {formatted(branches)}.")
    return [network._branch_keys.target(name, argument="branches: ") for name in branches]


def _weights(network: Network, slack: Slack) -> dict[str, float] | None:
    import pandas as pd

    if slack is None:
        return None
    if isinstance(slack, str) and slack == "demand":
        demand = network._rows.buses.numbers("demand_mw")
        return {str(bus): mw for bus, mw in zip(network._bus_ids.tolist(), demand.tolist(), strict=True) if mw > 0}
    if not isinstance(slack, (Mapping, pd.Series)):
        return {str(network._bus_keys.target(slack, argument="slack: ")): 1.0}
    weights: dict[str, float] = {}
    for name, given in slack.items():
        weight = finite(given)
        if weight is None:
            raise ArgumentError(
                "ARGUMENT.NUMBER", f"slack: the weight of {formatted(name)} must be a number, not {formatted(given)}."
            )
        bus = str(network._bus_keys.target(name, argument="slack: "))
        weights[bus] = weights.get(bus, 0.0) + weight
    return weights


def _matrix(
    network: Network,
    request: Mapping[str, Any],
    name: Literal["ptdf", "lodf"],
    axes: tuple[str, str],
    columns: np.ndarray,
) -> pd.DataFrame | pd.Series:
    import pandas as pd

    with engine_errors():
        head, parts = network._opened.distribution_factors(json.dumps(request))
    rows = network._branch_ids[json.loads(head)["rows"]]
    values = [np.frombuffer(part, dtype="<f8") for part in parts]
    if "threshold" not in request:
        data = values[0].reshape(len(rows), len(columns))
        index, names = pd.Index(rows, name=axes[0]), pd.Index(columns, name=axes[1])
        return pd.DataFrame(data, index=index, columns=names, copy=False)
    at = pd.MultiIndex.from_arrays([rows[values[0].astype(int)], columns[values[1].astype(int)]], names=axes)
    return pd.Series(values[2], index=at, name=name)
