"""Networks: the data of a case, by row and by key, with its module. Nothing here solves or changes a network."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from ..errors import Diagnostic, read_diagnostics
from ..native import engine_errors
from ..tables.rows import CaseRows, Columns, Inspected, inspected, parted
from ..text import words
from ..threads import apart
from .elements import Elements

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd


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
        from ..tables.networks import case_buses

        return case_buses(self._rows.buses, self._parameters)

    @property
    def links(self) -> pd.DataFrame:
        """HVDC links, index `link`; columns `from_bus`, `to_bus`, `p_min_mw`, `p_max_mw` (MW; a limit of at least zero holds for the power taken at the from
        end, a negative one for the power delivered at the to end), `p_mw` (the schedule at the from end, which power flows hold), `loss_mw` (constant),
        `loss_factor` (lost fraction of the sent power), `cost` ($/MWh of power at the from end; NaN where it is a curve), `in_service`."""
        from ..tables.networks import case_links

        return case_links(self._rows.links)

    @property
    def storage(self) -> pd.DataFrame:
        """Storage units, index `storage`; columns `uid`, `bus`, `p_mw`, `q_mvar` (held powers, MW and MVAr, positive while the unit discharges), `p_charge_max_mw`,
        `p_discharge_max_mw` (MW), `charge_efficiency`, `discharge_efficiency`, `energy_mwh` (stored energy; NaN where it is unknown), `energy_min_mwh`,
        `energy_max_mwh` (MWh), `energy_value` (what stored energy is worth, $/MWh; NaN where nothing says it), `in_service`."""
        from ..tables.networks import case_storage

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
        from ..tables.networks import case_branches

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
        from ..tables.networks import case_generators

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
        """`500 buses, 733 branches, 224 generators`."""
        nouns = (("buses", "bus"), ("branches", "branch"), ("generators", "generator"))
        return ", ".join(words.count(self.counts[key], noun) for key, noun in nouns)

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
