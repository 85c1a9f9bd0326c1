"""PyPSA networks, converted to the PowerModels dictionary that the engine reads. pypsa is never imported here; the
caller has imported it.

The first snapshot is solved, in the first investment period if there are periods, as `network.optimize(snapshots[:1])`
and `network.pf(snapshots[:1])` of PyPSA 1.2 do. Sources: PyPSA's `optimization/constraints.py`,
`optimization/optimize.py` and `network/power_flow.py`; its documentation, "Power flow" (per-unit values, tap side,
phase shift) and "System optimization".
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..errors import ConversionWarning, InputError
from ..text import words

if TYPE_CHECKING:
    import pandas as pd

BASE_MVA = 100.0
#: Voltage limits of the relaxation where PyPSA has no limits, which is its default: neither its optimisation nor its
#: power flow enforces them.
_VOLTAGES = (0.9, 1.1)
#: Identities that the engine may generate for rows without one, and numbers.
_NO_UID = re.compile(r"(bus-)?\d+(-\d+)*")
#: Number of names listed in a message.
_LISTED = 3
LEFT_OUT, HELD, IGNORED = "INPUT.LEFT_OUT", "INPUT.HELD", "INPUT.FIELD_IGNORED"
#: Relative tolerance for the limits of a fixed output.
_ROUNDING = 1e-9


def text_of(network: Any) -> tuple[str, bytes]:
    """Name and PowerModels JSON of the first snapshot of a network; a `wb.ConversionWarning` lists what is dropped, as
    do the warnings of the case.

    Raises InputError `INPUT.FORMAT` for a network without an AC bus, or with scenarios, `INPUT.UNKNOWN_BUS`,
    `INPUT.NOT_FINITE`, `INPUT.GENERATOR_LIMITS`.
    """
    reading = Reading(network)
    document = reading.document()
    if lost := [text for _, text in reading.notes if text not in reading.remarks]:
        warn_of("Wattbook", "PyPSA network", lost)
    return reading.name, json.dumps(document, allow_nan=False).encode()


def positions(network: Any) -> bytes | None:
    """CSV with the longitude and latitude of the buses that `text_of` numbers; None if the network has no positions."""
    import pandas as pd

    if not _has_degrees(network):
        return None
    buses = network.buses[network.buses["carrier"] == "AC"]
    places = pd.DataFrame(
        {"bus": list(numbers(buses.index).values()), "lon": buses["x"].values, "lat": buses["y"].values}
    )
    # (0, 0) is PyPSA's default and not a position.
    placed = places[(places["lon"] != 0) | (places["lat"] != 0)].dropna()
    return placed.to_csv(index=False).encode() if len(placed) else None


def fuels(network: Any) -> list[str]:
    """The carriers of the generators that `text_of` converts, in its order; empty without generators."""
    buses = network.buses.index[network.buses["carrier"] == "AC"]
    carriers = network.generators.loc[network.generators["bus"].isin(buses), "carrier"].astype(str).tolist()
    return [one if one != "nan" else "" for one in carriers] if any(carriers) else []


def numbers(names: Sequence[Any]) -> dict[Any, int]:
    """Bus numbers: names that are integers are their own numbers, the others continue after the largest of these."""
    own = {name: int(name) for name in names if re.fullmatch(r"[1-9]\d{0,7}", str(name))}
    others = (name for name in names if name not in own)
    counted = dict(zip(others, range(max(own.values(), default=0) + 1, 2**31), strict=False))
    return {name: own[name] if name in own else counted[name] for name in names}


def _has_degrees(network: Any) -> bool:
    return int(getattr(network, "srid", 4326) or 4326) == 4326


class Reading:
    """A network during its conversion; `notes` are pairs of code and sentence."""

    def __init__(self, network: Any) -> None:
        _refuse_kinds(network)
        self.network = network
        self.name = str(network.name or "network")
        self.snapshots = network.snapshots[:1]
        #: The investment period of the first snapshot.
        self.period = self.snapshots[0][0] if self.snapshots.nlevels > 1 else None
        self.notes: list[tuple[str, str]] = []
        #: Sentences that are not repeated in the `ConversionWarning`, because nothing is lost.
        self.remarks: set[str] = set()
        buses = network.buses
        self.buses = buses[buses["carrier"] == "AC"]
        if self.buses.empty:
            known = ", ".join(dict.fromkeys(repr(str(one)) for one in buses["carrier"])) or "none"
            raise InputError(
                "INPUT.FORMAT",
                f"The PyPSA network has no bus with the carrier AC; its carriers are {known}. "
                'Buses of an AC network need it: network.buses["carrier"] = "AC".',
            )
        self.number = numbers(self.buses.index)

    def document(self) -> dict[str, Any]:
        note = self._note
        if len(self.network.snapshots) > 1:
            note(
                IGNORED,
                f"{len(self.network.snapshots) - 1:,} of {len(self.network.snapshots):,} snapshots left out: {self._snapshot} is solved.",
            )
        self._note_carriers()
        self._note_components()
        lines, transformers = self._branches("Line"), self._branches("Transformer")
        branches = [*lines, *transformers]
        generators, loads, shunts = self._generators(), self._loads(), self._shunts()
        storage = [*self._storage("StorageUnit"), *self._storage("Store")]
        self._note_conductance(branches, shunts)
        self._note_rest()
        uids = [*_uids("Line", lines, transformers), *_uids("Transformer", transformers, lines)]
        return {
            "name": self.name,
            "baseMVA": BASE_MVA,
            # In megawatts and degrees, which preserves every digit.
            "per_unit": False,
            "bus": self._buses(),
            "load": _numbered(loads),
            "shunt": _numbered(shunts),
            "gen": _numbered(generators),
            "branch": _numbered(branches),
            **({"storage": _numbered(storage)} if storage else {}),
            "wattbook": {
                "branch_uids": uids,
                "generator_uids": _uids("Generator", generators),
                "storage_uids": _uids("Storage", storage),
                "warnings": [{"code": code, "text": text} for code, text in self.notes],
            },
        }

    @property
    def _snapshot(self) -> str:
        first = self.snapshots[0]
        return f"snapshot {' '.join(map(str, first)) if isinstance(first, tuple) else first}"

    def _note(self, code: str, text: str, *, remark: bool = False) -> None:
        self.notes.append((code, text))
        if remark:
            self.remarks.add(text)

    # Values of components

    def _at(self, component: str, attribute: str) -> pd.Series:
        """An attribute at the snapshot, whether it varies or not."""
        return self.network.get_switchable_as_dense(component, attribute, self.snapshots).iloc[0]

    def _active(self, component: str) -> pd.Series:
        """The elements that exist in the period and are active."""
        return self.network.components[component].get_active_assets(self.period)

    def _nominal(self, component: str, attribute: str) -> pd.Series:
        """Capacities: the present ones, or those fixed by an extension."""
        # A transformer with a type has the capacity of the type.
        found = self._dependent if component == "Transformer" else self.network
        table, noun = found.components[component].static, component.lower()
        nominal = table[attribute].astype(float).copy()
        extendable = table[f"{attribute}_extendable"].astype(bool) & self._active(component)
        low, high = table[f"{attribute}_min"], table[f"{attribute}_max"]
        bound = low.where(low == high)
        if f"{attribute}_set" in table:
            bound = table[f"{attribute}_set"].where(table[f"{attribute}_set"].notna(), bound)
        nominal = nominal.where(~(extendable & bound.notna()), bound)
        free = extendable & bound.isna()
        if free.any():
            unit = "MW" if attribute == "p_nom" else "MVA"
            what = f"{words.count(int(free.sum()), noun)} ({which(table.index[free])})"
            present = amount(nominal[free].sum(), unit)
            self._note(LEFT_OUT, f"The extension of {what} is left out: the present capacity, {present}, counts.")
        return nominal

    @cached_property
    def _dependent(self) -> Any:
        """A network with the same branches and shunts, and the per-unit values of types and transformers."""
        copied = type(self.network)(ignore_standard_types=True)
        for component in ("Bus", "LineType", "TransformerType", "Line", "Transformer", "ShuntImpedance"):
            copied.components[component].static = self.network.components[component].static.copy()
        try:
            copied.calculate_dependent_values()
        except ValueError as error:
            raise InputError("INPUT.FORMAT", f"PyPSA finds no impedances for this network: {error}") from None
        return copied

    # Tables

    def _buses(self) -> dict[str, dict[str, Any]]:
        held, kinds = self._at("Bus", "v_mag_pu_set"), self._kinds()
        low, high = self.buses["v_mag_pu_min"].astype(float), self.buses["v_mag_pu_max"].astype(float)
        assumed = ~(low > 0) | ~np.isfinite(high)
        if assumed.any():
            self._note(
                IGNORED,
                f"{words.count(int(assumed.sum()), 'bus')} without voltage limits: a relaxation of AC optimal power flow takes "
                f"{_VOLTAGES[0]} to {_VOLTAGES[1]} pu; PyPSA has none.",
                remark=True,
            )
        low, high = low.where(low > 0, _VOLTAGES[0]), high.where(np.isfinite(high), _VOLTAGES[1])
        return {
            str(self.number[name]): {
                **{"index": row, "bus_i": self.number[name], "name": str(name), "bus_type": kinds[name]},
                **{"base_kv": finite(v_nom, f"The nominal voltage of bus {name}"), "va": 0.0},
                **{"vm": finite(held[name], f"The voltage set-point of bus {name}")},
                **{"vmin": float(low[name]), "vmax": float(high[name]), "area": 1, "zone": 1},
            }
            for row, (name, v_nom) in enumerate(self.buses["v_nom"].items(), 1)
        }

    def _kinds(self) -> dict[Any, int]:
        """MATPOWER bus types: the reference of each island and the buses whose voltage generators hold, as in PyPSA's
        `find_slack_bus` and `find_bus_controls`."""
        island = {name: name for name in self.buses.index}

        def root(name: Any) -> Any:
            while island[name] != name:
                island[name] = island[island[name]]
                name = island[name]
            return name

        for component in ("Line", "Transformer"):
            table = self.network.components[component].static[self._active(component)]
            for one, other in zip(table["bus0"], table["bus1"], strict=True):
                if one in island and other in island:
                    island[root(other)] = root(one)
        kinds = dict.fromkeys(self.buses.index, 1)
        units: dict[Any, list[tuple[str, Any]]] = {}
        for control, bus in zip(self.network.generators["control"], self.network.generators["bus"], strict=True):
            if bus in island:
                units.setdefault(root(bus), []).append((control, bus))
        references = {root(name): None for name in self.buses.index}
        for at in references:
            held = units.get(at, [])
            # Further slack generators hold a voltage.
            slack = [bus for control, bus in held if control == "Slack"]
            kinds |= dict.fromkeys([bus for control, bus in held if control == "PV"] + slack[1:], 2)
            first = next((name for name in self.buses.index if root(name) == at), at)
            kinds[slack[0] if slack else held[0][1] if held else first] = 3
        return kinds

    def _loads(self) -> list[dict[str, Any]]:
        p, q, active = self._at("Load", "p_set"), self._at("Load", "q_set"), self._active("Load")
        rows, missing = [], []
        for name, row in zip(self.network.loads.index, self.network.loads.itertuples(), strict=True):
            if not self._is_here("load", name, row.bus):
                continue
            if np.isnan(p[name]) or np.isnan(q[name]):
                missing.append(name)
            # PyPSA's sums skip NaN.
            power = [-row.sign * finite(np.nan_to_num(one[name]), f"The demand of load {name}") for one in (p, q)]
            rows.append({"load_bus": self.number[row.bus], "status": int(active[name]), "pd": power[0], "qd": power[1]})
        if missing:
            self._note(
                IGNORED,
                f"{words.count(len(missing), 'load')} without a number at this snapshot ({which(missing)}) count as zero, as in PyPSA.",
            )
        return rows

    def _shunts(self) -> list[dict[str, Any]]:
        table, active = self._dependent.shunt_impedances, self._active("ShuntImpedance")
        rows, off = [], []
        for name, row in zip(table.index, table.itertuples(), strict=True):
            if not self._is_here("shunt impedance", name, row.bus):
                continue
            values = [finite(one, f"The admittance of shunt impedance {name}") for one in (row.g_pu, row.b_pu)]
            off += [] if active[name] else [name]
            rows.append(
                {"shunt_bus": self.number[row.bus], "status": int(active[name]), "gs": values[0], "bs": values[1]}
            )
        if off:
            self._note(
                IGNORED,
                f"{words.count(len(off), 'inactive shunt impedance')} ({which(off)}) out of service; network.pf() of PyPSA 1.2 counts them.",
            )
        return rows

    def _generators(self) -> list[dict[str, Any]]:
        units = Units(self)
        held, active = self._at("Bus", "v_mag_pu_set"), self._active("Generator")
        p, q = self._at("Generator", "p_set"), self._at("Generator", "q_set")
        rows = []
        for name, row in zip(self.network.generators.index, self.network.generators.itertuples(), strict=True):
            if not self._is_here("generator", name, row.bus):
                continue
            scheduled = [
                row.sign * finite(np.nan_to_num(one[name]), f"The set-point of generator {name}") for one in (p, q)
            ]
            c2, c1 = units.cost(name, row)
            low, high = units.limits(name, row)
            rows.append(
                {
                    **{"uid": str(name), "gen_bus": self.number[row.bus], "gen_status": int(active[name])},
                    **{"pg": scheduled[0], "qg": scheduled[1], "mbase": BASE_MVA},
                    # An absent limit means unlimited, because JSON has no infinity. PyPSA has no reactive limits.
                    **({"pmin": low} if np.isfinite(low) else {}),
                    **({"pmax": high} if np.isfinite(high) else {}),
                    **{"vg": finite(held[row.bus], f"The voltage set-point of bus {row.bus}")},
                    **{"model": 2, "ncost": 3, "cost": [c2, c1, 0.0]},
                }
            )
        units.note()
        return rows

    def _branches(self, component: str) -> list[dict[str, Any]]:
        """Lines or transformers, converted from per unit of 1 MVA, as by `calculate_dependent_values`, to the base."""
        table, noun = self._dependent.components[component].static, component.lower()
        share, active = self._at(component, "s_max_pu"), self._active(component)
        nominal = self._nominal(component, "s_nom")
        rows, shifted, weightless = [], [], []
        for name, row in zip(table.index, table.itertuples(), strict=True):
            here = [self._is_here(noun, name, bus) for bus in (row.bus0, row.bus1)]
            if not all(here):
                continue
            is_transformer = component == "Transformer"
            tap, shift = (float(row.tap_ratio) or 1.0, float(row.phase_shift)) if is_transformer else (1.0, 0.0)
            ends = (row.bus0, row.bus1)
            if is_transformer and row.tap_side == 1:
                ends, shift = (row.bus1, row.bus0), -shift
            rating = times(nominal[name], share[name])
            # A transformer of 0 MVA has an infinite per-unit impedance.
            is_open = is_transformer and row.s_nom == 0
            if is_open and active[name]:
                weightless.append(name)
            values = (
                [0.0, 1.0, 0.0, 0.0]
                if is_open
                else [float(getattr(row, one)) for one in ("r_pu", "x_pu", "g_pu", "b_pu")]
            )
            for value, what in zip(
                [*values, tap, shift],
                ("resistance", "reactance", "conductance", "susceptance", "tap ratio", "phase shift"),
                strict=True,
            ):
                finite(value, f"The {what} of {noun} {name}")
            if np.isnan(rating) or rating < 0:
                raise InputError(
                    "INPUT.NOT_FINITE", f"The rating of {noun} {name}, s_nom times s_max_pu, is {rating:g} MVA."
                )
            shifted += [name] if shift != 0 and active[name] else []
            r, x, g, b = values
            rows.append(
                {
                    **{"uid": str(name), "f_bus": self.number[ends[0]], "t_bus": self.number[ends[1]]},
                    **{"br_status": int(active[name] and not is_open), "br_r": r * BASE_MVA, "br_x": x * BASE_MVA},
                    **dict.fromkeys(("g_fr", "g_to"), g / 2 / BASE_MVA),
                    **dict.fromkeys(("b_fr", "b_to"), b / 2 / BASE_MVA),
                    **{"tap": tap, "shift": shift, "transformer": is_transformer},
                    **({"rate_a": rating} if 0 < rating < np.inf else {}),
                    **({"wattbook_rating_zero": True} if rating == 0 else {}),
                    **({"wattbook_unrated": True} if rating == np.inf else {}),
                    # network.optimize() limits no angle difference.
                    **{"angmin": -360.0, "angmax": 360.0, "wattbook_no_angle_limits": True},
                }
            )
        if shifted:
            what = f"{words.count(len(shifted), noun)} ({which(shifted)})"
            self._note(
                IGNORED,
                f"The phase shift of {what} counts, as in network.pf(); network.optimize() leaves it out.",
                remark=True,
            )
        if weightless:
            what = f"{words.count(len(weightless), 'transformer')} ({which(weightless)})"
            self._note(IGNORED, f"{what} of 0 MVA, whose impedance is infinite: out of service, as in network.pf().")
        return rows

    def _storage(self, component: Literal["StorageUnit", "Store"]) -> list[dict[str, Any]]:
        """Storage units and stores as storage of PowerModels: held at their set-point, as in network.pf()."""
        table = self.network.components[component].static
        if table.empty:
            return []
        is_unit = component == "StorageUnit"
        noun, size, unit = ("storage unit", "p_nom", "MW") if is_unit else ("store", "e_nom", "MWh")
        at = {name: self._at(component, name) for name in ("p_set", "q_set")}
        active, nominal = self._active(component), self._nominal(component, size)
        rows, held, costly = [], [], []
        for name, row in zip(table.index, table.itertuples(), strict=True):
            if not self._is_here(noun, name, row.bus):
                continue
            p, q = (
                row.sign * finite(np.nan_to_num(one[name]), f"The set-point of {noun} {name}") for one in at.values()
            )
            if is_unit:
                charge, discharge = (nominal[name] * abs(float(one)) for one in (row.p_min_pu, row.p_max_pu))
                efficiency = (float(row.efficiency_store), float(row.efficiency_dispatch))
                least, most, stored = 0.0, nominal[name] * row.max_hours, row.state_of_charge_initial
                extra = [row.marginal_cost, row.inflow]
            else:
                # In an hour no store moves more than its capacity.
                charge = discharge = nominal[name]
                efficiency = (1.0, 1.0)
                least, most, stored = nominal[name] * row.e_min_pu, nominal[name] * row.e_max_pu, row.e_initial
                extra = [row.marginal_cost]
            is_known = bool(np.isfinite([most, stored]).all())
            held += [name] if active[name] else []
            costly += [name] if active[name] and any(float(one) != 0.0 for one in extra) else []
            rows.append(
                {
                    **{"uid": str(name), "storage_bus": self.number[row.bus], "status": int(active[name])},
                    # PowerModels has the power that storage takes from its bus.
                    **{"ps": 0.0 - p, "qs": 0.0 - q},
                    **{"charge_rating": finite(charge, f"The power of {noun} {name}")},
                    **{"discharge_rating": finite(discharge, f"The power of {noun} {name}")},
                    **dict(zip(("charge_efficiency", "discharge_efficiency"), efficiency, strict=True)),
                    **({"energy": float(stored), "energy_rating": float(most)} if is_known else {}),
                    **({"wattbook_energy_min": float(least)} if is_known else {"wattbook_energy_unknown": True}),
                }
            )
        if held:
            are, them = ("is", "it") if len(held) == 1 else ("are", "them")
            what = f"{words.count(len(held), noun)} of {amount(nominal[held].sum(), unit)} ({which(held)})"
            self._note(HELD, f"{what} {are} held at p_set, as in network.pf(); network.optimize() dispatches {them}.")
        if costly:
            self._note(
                LEFT_OUT,
                f"The marginal costs{' and inflow' if is_unit else ''} of {words.count(len(costly), noun)} ({which(costly)}) are left out.",
            )
        return rows

    def _is_here(self, noun: str, name: object, bus: object) -> bool:
        """Whether an element is at a bus of the carrier AC; raises InputError for one that does not exist."""
        if bus in self.number:
            return True
        if bus not in self.network.buses.index:
            raise InputError(
                "INPUT.UNKNOWN_BUS", f"{noun.capitalize()} {name} refers to bus {bus!r}, which does not exist."
            )
        return False

    # Dropped parts

    def _note_carriers(self) -> None:
        others = self.network.buses.index.difference(self.buses.index, sort=False)
        if others.empty:
            return
        carriers = ", ".join(dict.fromkeys(map(str, self.network.buses.loc[others, "carrier"])))
        parts = []
        loads = self.network.loads["bus"].isin(others) & self._active("Load")
        if loads.any():
            demand = (-self.network.loads["sign"] * self._at("Load", "p_set"))[loads].sum()
            parts.append(f"{words.count(int(loads.sum()), 'load')} of {amount(demand, 'MW')}")
        units = self.network.generators["bus"].isin(others) & self._active("Generator")
        if units.any():
            capacity = self.network.generators.loc[units, "p_nom"].sum()
            parts.append(f"{words.count(int(units.sum()), 'generator')} of {amount(capacity, 'MW')}")
        between = 0
        for component in ("Line", "Transformer"):
            table = self.network.components[component].static
            ends = table["bus0"].isin(others) | table["bus1"].isin(others)
            between += int((ends & self._active(component)).sum())
        parts += [words.count(between, "branch")] if between else []
        at = f", with {' and '.join([', '.join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)}," if parts else ""
        are = "is" if len(others) == 1 else "are"
        self._note(
            LEFT_OUT, f"{words.count(len(others), 'bus')} of other carriers than AC ({carriers}){at} {are} left out."
        )

    def _note_components(self) -> None:
        for name, component, noun, attribute, unit in (
            ("links", "Link", "link", "p_nom", "MW"),
            ("processes", "Process", "process", "p_nom", "MW"),
        ):
            table = getattr(self.network, name, None)
            if table is None or table.empty or not (active := self._active(component)).any():
                continue
            count, size = int(active.sum()), amount(table.loc[active, attribute].sum(), unit)
            are = "is" if count == 1 else "are"
            self._note(LEFT_OUT, f"{words.count(count, noun)} of {size} ({which(table.index[active])}) {are} left out.")
        constraints = self.network.global_constraints
        if len(constraints):
            kinds = [
                f"{name}: {row.type} {row.sense} {row.constant:g}"
                for name, row in zip(constraints.index, constraints.itertuples(), strict=True)
            ]
            are = "is" if len(kinds) == 1 else "are"
            self._note(LEFT_OUT, f"{words.count(len(kinds), 'global constraint')} ({which(kinds)}) {are} left out.")

    def _note_conductance(self, branches: Sequence[Mapping[str, Any]], shunts: Sequence[Mapping[str, Any]]) -> None:
        at_branches = sum((row["g_fr"] + row["g_to"]) * BASE_MVA for row in branches if row["br_status"])
        total = at_branches + sum(row["gs"] for row in shunts if row["status"])
        if total != 0.0:
            self._note(
                IGNORED,
                f"Shunt conductances take {amount(total, 'MW')} at 1 pu, as in network.pf(); network.optimize() leaves them out.",
                remark=True,
            )

    def _note_rest(self) -> None:
        network = self.network
        if self.period is not None:
            gone = [
                f"{words.count(count, component.lower())}"
                for component in ("Generator", "Line", "Transformer")
                if (count := int((network.components[component].static["active"] & ~self._active(component)).sum()))
            ]
            there = f": {', '.join(gone)} not built yet, or beyond the lifetime, out of service" if gone else ""
            self._note(IGNORED, f"The investment period is {self.period}{there}.", remark=True)
        weight = float(network.snapshot_weightings["objective"].iloc[0])
        if weight != 1.0:
            self._note(
                IGNORED,
                f"Costs are those of one hour; the objective of network.optimize() weighs the snapshot with {weight:g}. Prices are the same.",
                remark=True,
            )
        if not _has_degrees(network) and network.buses[["x", "y"]].any().any():
            self._note(
                IGNORED,
                f"Positions of buses are left out: they are in EPSG:{network.srid}, not in degrees (EPSG:4326).",
            )
        if counted := [number for name, number in self.number.items() if str(name) != str(number)]:
            whose = "Buses" if len(counted) == len(self.number) else "Buses without a number as their name"
            self._note(
                IGNORED,
                f"{whose} have the numbers {counted[0]} to {counted[-1]} in the order of the network; their names are keys as well.",
                remark=True,
            )


def _refuse_kinds(network: Any) -> None:
    """Raises InputError `INPUT.FORMAT` for networks whose first snapshot is not a single network."""
    if getattr(network, "has_scenarios", False):
        names = list(map(str, network.scenarios))
        raise InputError(
            "INPUT.FORMAT",
            f"The PyPSA network is stochastic, with {words.count(len(names), 'scenario')} ({which(names)}). "
            f"Open one of them: wb.open_case(network.get_scenario({names[0]!r})).",
        )


def _numbered(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    return {
        str(k): {"index": k, **{key: value for key, value in row.items() if key != "uid"}}
        for k, row in enumerate(rows, 1)
    }


def _uids(component: str, rows: Sequence[Mapping[str, Any]], others: Sequence[Mapping[str, Any]] = ()) -> list[str]:
    """Names as identities, prefixed with the component if they are numbers or occur in another table."""
    taken = {row["uid"] for row in others}
    return [
        f"{component} {row['uid']}" if row["uid"] in taken or _NO_UID.fullmatch(row["uid"]) else row["uid"]
        for row in rows
    ]


def warn_of(target: str, source: str, lost: Sequence[str]) -> None:
    """Warns of the parts that a conversion between two kinds of network drops."""
    text = f"{target} does not take over all of this {source}:" + "".join(f"\n- {one}" for one in lost)
    warnings.warn(text, ConversionWarning, stacklevel=5)


class Units:
    """Limits and costs of generators as in the optimisation, and a record of what cannot be converted."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        network, at = reading.network, reading._at
        self._nominal = reading._nominal("Generator", "p_nom")
        self._active = reading._active("Generator")
        names = ("p_set", "p_min_pu", "p_max_pu", "marginal_cost", "marginal_cost_quadratic")
        self._at = {
            name: at("Generator", name) for name in (*names, "stand_by_cost", "ramp_limit_up", "ramp_limit_down")
        }
        self._is_alone = len(network.snapshots) == 1
        self._hours = float(network.snapshot_weightings["generators"].iloc[0])
        self._committed: list[tuple[Any, float]] = []
        self._ramps: list[Any] = []
        self._energy: list[Any] = []
        self._beyond: list[str] = []
        self._powerless: list[Any] = []

    def cost(self, name: Any, row: Any) -> tuple[float, float]:
        """c2 and c1 of the injection, $/MW²h and $/MWh: PyPSA injects the dispatch variable times `sign`."""
        quadratic, linear = (
            finite(self._at[one][name], f"The {one} of generator {name}")
            for one in ("marginal_cost_quadratic", "marginal_cost")
        )
        return (0.0, 0.0) if row.sign == 0 else (quadratic / row.sign**2, linear / row.sign)

    def limits(self, name: Any, row: Any) -> tuple[float, float]:
        """Smallest and largest injection, MW, infinite where unlimited.

        Raises InputError `INPUT.GENERATOR_LIMITS`, `INPUT.NOT_FINITE`.
        """
        is_active = self._active[name]
        low, high = self._dispatch(name, row) if is_active else self._capacity(name)
        if row.sign == 0:
            self._powerless += [name] if is_active else []
            return 0.0, 0.0
        ends = (row.sign * low, row.sign * high)
        least, most = ends if row.sign > 0 else ends[::-1]
        if not least <= most or least == np.inf or most == -np.inf:
            if not is_active:
                return 0.0, 0.0
            raise InputError(
                "INPUT.GENERATOR_LIMITS",
                f"Generator {name} at bus {row.bus} has no output between its limits: {least:g} and {most:g} MW.",
            )
        return least, most

    def _capacity(self, name: Any) -> tuple[float, float]:
        nominal = self._nominal[name]
        return times(nominal, self._at["p_min_pu"][name]), times(nominal, self._at["p_max_pu"][name])

    def _dispatch(self, name: Any, row: Any) -> tuple[float, float]:
        """Limits of the dispatch variable."""
        low, high = self._capacity(name)
        if np.isnan(low) or np.isnan(high):
            raise InputError(
                "INPUT.NOT_FINITE",
                f"The output limits of generator {name} are not numbers: p_nom is {self._nominal[name]:g}.",
            )
        low, high = self._ramped(name, row, low, high)
        low, high = self._with_energy(name, row, low, high)
        fixed = self._at["p_set"][name]
        if not np.isnan(fixed):
            room = _ROUNDING * max(1.0, abs(fixed))
            can_stop = bool(row.committable) and fixed == 0
            if not low - room <= fixed <= high + room and not can_stop:
                self._beyond.append(f"{name}: p_set {fixed:g} MW, limits {low:g} and {high:g} MW")
            return float(fixed), float(fixed)
        if row.committable and self._decides(name, row, low):
            self._committed.append((name, low))
        return low, high

    def _ramped(self, name: Any, row: Any, low: float, high: float) -> tuple[float, float]:
        """Limits after `define_ramp_limit_constraints` for the first snapshot: PyPSA knows the previous output if
        `p_init` is given or the unit was not up."""
        up, down = self._at["ramp_limit_up"][name], self._at["ramp_limit_down"][name]
        start, stop = row.ramp_limit_start_up, row.ramp_limit_shut_down
        limits_up, limits_down = not (np.isnan(up) and np.isnan(start)), not (np.isnan(down) and np.isnan(stop))
        if not (limits_up or limits_down):
            return low, high
        if not self._is_alone:
            self._ramps.append(name)
        was_up = row.up_time_before > 0
        before = (row.p_init if hasattr(row, "p_init") else np.nan) if was_up else 0.0
        if np.isnan(before):
            return low, high
        nominal = self._nominal[name]
        up, down, start = (1.0 if np.isnan(one) else one for one in (up, down, start))
        if limits_up:
            climb = up if was_up else start if row.committable else 0.0
            high = min(high, before + times(nominal, climb))
        if limits_down:
            low = max(low, before - times(nominal, down))
        return low, high

    def _with_energy(self, name: Any, row: Any, low: float, high: float) -> tuple[float, float]:
        """Limits after those of the energy, which apply within the single snapshot."""
        if row.e_sum_min == -np.inf and row.e_sum_max == np.inf:
            return low, high
        if not self._is_alone or self._hours <= 0:
            self._energy.append(name)
            return low, high
        return max(low, row.e_sum_min / self._hours), min(high, row.e_sum_max / self._hours)

    def _decides(self, name: Any, row: Any, low: float) -> bool:
        """Whether unit commitment could switch the unit off."""
        costs = (row.start_up_cost, row.shut_down_cost, self._at["stand_by_cost"][name])
        has_to_wait = row.min_down_time > row.down_time_before > 0
        ramps = not (np.isnan(row.ramp_limit_start_up) and np.isnan(row.ramp_limit_shut_down))
        return low != 0 or any(costs) or has_to_wait or ramps

    def note(self) -> None:
        """Adds the sentences."""
        note = self._reading._note
        if self._committed:
            names, least = [name for name, _ in self._committed], sum(low for _, low in self._committed)
            table = self._reading.network.generators.loc[names]
            standby = sum(self._at["stand_by_cost"][name] for name in names)
            costs = {
                "stand-by": standby,
                "start-up": table["start_up_cost"].sum(),
                "shut-down": table["shut_down_cost"].sum(),
            }
            spent = "".join(
                f"; {kind} costs of {dollars:,.2f} $ are left out" for kind, dollars in costs.items() if dollars
            )
            note(
                LEFT_OUT,
                f"The unit commitment of {_counted(names)} is left out: network.optimize() decides in a mixed-integer program whether they run; "
                f"here they run, at {amount(least, 'MW')} or more{spent}.",
            )
        if self._ramps:
            note(LEFT_OUT, f"The ramp limits of {_counted(self._ramps)} between snapshots are left out.")
        if self._energy:
            table = self._reading.network.generators.loc[self._energy]
            ends = {
                "at least": table["e_sum_min"][np.isfinite(table["e_sum_min"])],
                "at most": table["e_sum_max"][np.isfinite(table["e_sum_max"])],
            }
            amounts = " and ".join(
                f"{word} {amount(values.sum(), 'MWh')}" for word, values in ends.items() if len(values)
            )
            note(
                LEFT_OUT, f"The energy limits over all snapshots of {_counted(self._energy)}, {amounts}, are left out."
            )
        if self._beyond:
            note(
                LEFT_OUT,
                f"The output limits of {words.count(len(self._beyond), 'generator')} ({which(self._beyond, between='; ')}) are left out; "
                "network.optimize() has no solution with them.",
            )
        if self._powerless:
            note(LEFT_OUT, f"{_counted(self._powerless)} with the sign 0 without effect: left out.")


def times(nominal: float, share: float) -> float:
    """A capacity times its share; zero times infinity is zero, as in PyPSA."""
    return 0.0 if share == 0 else float(nominal * share)


def finite(value: Any, what: str) -> float:
    number = float(value)
    if np.isfinite(number):
        return number
    raise InputError("INPUT.NOT_FINITE", f"{what} is {number:g}.")


def _counted(names: Sequence[Any]) -> str:
    return f"{words.count(len(names), 'generator')} ({which(names)})"


def which(names: Iterable[Any], *, between: str = ", ") -> str:
    """The first of some names, and the number of the others."""
    names = [str(name) for name in names]
    more = f" and {len(names) - _LISTED:,} more" if len(names) > _LISTED else ""
    return between.join(names[:_LISTED]) + more


def amount(value: float, unit: str) -> str:
    return f"{words.mw(float(value))} {unit}" if np.isfinite(value) else f"unlimited {unit}"
