"""PyPSA networks, brought into the PowerModels dictionary that the engine reads, and made from one. pypsa is never imported here unless
the caller has it or asks for it.

Sources: PyPSA's documentation, "Power flow" (per-unit values, tap side, phase shift) and "System optimization" (marginal costs).
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ConversionWarning, ExportWarning, InputError
from ..files.export import export_module
from ..text import words

if TYPE_CHECKING:
    import pandas as pd

    from .case import Case

_BASE_MVA = 100.0
#: What a rating or an output without limit is in PyPSA, MVA and MW: impedances of transformers are per unit of a finite rating.
_UNLIMITED = 1e6
#: Tables whose rows have no place in a balanced network.
_LEFT_OUT = {
    "links": "link",
    "storage_units": "storage unit",
    "stores": "store",
    "global_constraints": "global constraint",
}
#: Columns that let the optimisation do more than dispatch.
_DECISIONS = {
    ("generators", "p_nom_extendable"): ("generator", "the extension of {}: the present capacity counts"),
    ("lines", "s_nom_extendable"): ("line", "the extension of {}: the present capacity counts"),
    ("transformers", "s_nom_extendable"): ("transformer", "the extension of {}: the present capacity counts"),
    ("generators", "committable"): ("generator", "the unit commitment of {}, which can always run"),
}


def text_of(network: Any) -> tuple[str, bytes]:
    """Name and PowerModels JSON of the first snapshot of a network; a `wb.ConversionWarning` lists what is not carried.

    Raises InputError `INPUT.FORMAT` without a bus of alternating current.
    """
    first = network.snapshots[0]
    lost = (
        [f"{len(network.snapshots) - 1:,} of {len(network.snapshots):,} snapshots"]
        if len(network.snapshots) > 1
        else []
    )
    network = _copied(network, first)
    network.calculate_dependent_values()
    buses = network.buses[network.buses["carrier"] == "AC"]
    if buses.empty:
        raise InputError("INPUT.FORMAT", "The PyPSA network has no bus with the carrier AC.")
    if len(buses) < len(network.buses):
        lost.append(
            f"{words.count(len(network.buses) - len(buses), 'bus')} of other carriers than AC, with all that is connected there"
        )
    number = {name: row + 1 for row, name in enumerate(buses.index)}
    lost += [words.count(len(table), one) for name, one in _LEFT_OUT.items() if len(table := getattr(network, name))]
    for (name, column), (one, sentence) in _DECISIONS.items():
        if count := int(getattr(network, name)[column].sum()):
            lost.append(sentence.format(words.count(count, one)))
    document = {
        "name": str(network.name or "network"),
        "baseMVA": _BASE_MVA,
        "per_unit": True,
        "bus": _buses(network, buses, number),
        "load": _loads(network, number, first),
        "shunt": _shunts(network, number),
        "gen": _generators(network, number, first),
        "branch": _branches(network, number, first),
    }
    _tell("Wattbook", "PyPSA network", lost)
    return str(network.name or "network"), json.dumps(document).encode()


def _copied(network: Any, snapshot: Any) -> Any:
    """A copy with one snapshot. A network that was optimised refuses to be copied with its solver, which is put back."""
    model, network._model = network._model, None
    try:
        return network.copy(snapshots=[snapshot])
    finally:
        network._model = model


def positions(network: Any) -> bytes | None:
    """CSV with the longitude and latitude of the buses that `text_of` numbers; None where the network has none."""
    import pandas as pd

    buses = network.buses[network.buses["carrier"] == "AC"]
    places = pd.DataFrame({"bus": np.arange(1, len(buses) + 1), "lon": buses["x"].values, "lat": buses["y"].values})
    return places.to_csv(index=False).encode() if places[["lon", "lat"]].any().any() else None


def _at(network: Any, component: str, attribute: str, snapshot: Any) -> pd.Series:
    """An attribute at a snapshot, whether it varies or not."""
    return network.get_switchable_as_dense(component, attribute, [snapshot]).loc[snapshot]


def _numbered(rows: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {str(k): {"index": k, **row} for k, row in enumerate(rows, 1)}


def _buses(network: Any, buses: pd.DataFrame, number: Mapping[str, int]) -> dict[str, dict[str, Any]]:
    # The reference of each island and the buses that generators hold, as PyPSA's own power flow chooses them.
    network.determine_network_topology()
    kinds = dict.fromkeys(buses.index, 1)
    for part in network.sub_networks.obj:
        if part.c.buses.static.index.intersection(buses.index).empty:
            continue
        part.find_bus_controls()
        kinds |= dict.fromkeys(part.pvs, 2)
        kinds |= {part.slack_bus: 3}
    low = buses["v_mag_pu_min"].where(buses["v_mag_pu_min"] > 0, 0.9)
    high = buses["v_mag_pu_max"].where(np.isfinite(buses["v_mag_pu_max"]), 1.1)
    return {
        str(number[name]): {
            **{"index": number[name], "bus_i": number[name], "name": str(name), "bus_type": kinds[name]},
            **{"base_kv": float(row.v_nom), "vm": float(row.v_mag_pu_set), "va": 0.0},
            **{"vmin": float(low[name]), "vmax": float(high[name]), "area": 1, "zone": 1},
        }
        for name, row in zip(buses.index, buses.itertuples(), strict=True)
    }


def _loads(network: Any, number: Mapping[str, int], snapshot: Any) -> dict[str, dict[str, Any]]:
    p, q = (_at(network, "Load", name, snapshot) for name in ("p_set", "q_set"))
    return _numbered(
        [
            {
                **{"load_bus": number[row.bus], "status": int(row.active)},
                **{"pd": -row.sign * float(p[name]) / _BASE_MVA, "qd": -row.sign * float(q[name]) / _BASE_MVA},
            }
            for name, row in zip(network.loads.index, network.loads.itertuples(), strict=True)
            if row.bus in number
        ]
    )


def _shunts(network: Any, number: Mapping[str, int]) -> dict[str, dict[str, Any]]:
    """Shunt impedances, and the conductance of branches (iron losses) at their ends, where a branch of the engine has none."""
    rows = [
        {
            "shunt_bus": number[row.bus],
            "status": int(row.active),
            "gs": row.g_pu / _BASE_MVA,
            "bs": row.b_pu / _BASE_MVA,
        }
        for row in network.shunt_impedances.itertuples()
        if row.bus in number
    ]
    for table in (network.lines, network.transformers):
        for row in table[table["g_pu"] != 0.0].itertuples():
            if row.bus0 not in number or row.bus1 not in number:
                continue
            tap, side = getattr(row, "tap_ratio", 1.0) or 1.0, getattr(row, "tap_side", 0)
            for end, bus in enumerate((row.bus0, row.bus1)):
                turns = tap**2 if end == side else 1.0
                conductance = row.g_pu / 2 / _BASE_MVA / turns
                rows.append({"shunt_bus": number[bus], "status": int(row.active), "gs": conductance, "bs": 0.0})
    return _numbered(rows)


def _generators(network: Any, number: Mapping[str, int], snapshot: Any) -> dict[str, dict[str, Any]]:
    names = ("p_set", "q_set", "p_min_pu", "p_max_pu", "marginal_cost", "marginal_cost_quadratic")
    at = {name: _at(network, "Generator", name, snapshot) for name in names}
    rows = []
    for name, row in zip(network.generators.index, network.generators.itertuples(), strict=True):
        if row.bus not in number:
            continue
        ends = sorted(row.sign * row.p_nom * at[end][name] / _BASE_MVA for end in ("p_min_pu", "p_max_pu"))
        cost = [
            at["marginal_cost_quadratic"][name] * _BASE_MVA**2,
            row.sign * at["marginal_cost"][name] * _BASE_MVA,
            0.0,
        ]
        scheduled = [float(at[one][name]) for one in ("p_set", "q_set")]
        p, q = (row.sign * (0.0 if np.isnan(one) else one) / _BASE_MVA for one in scheduled)
        rows.append(
            {
                **{"gen_bus": number[row.bus], "gen_status": int(row.active), "pg": p, "qg": q},
                **{"pmin": ends[0], "pmax": ends[1], "mbase": _BASE_MVA},
                # PyPSA has no reactive limits.
                **{"qmin": -_UNLIMITED / _BASE_MVA, "qmax": _UNLIMITED / _BASE_MVA},
                **{"vg": float(network.buses.at[row.bus, "v_mag_pu_set"])},
                **{"model": 2, "ncost": 3, "cost": [float(one) for one in cost]},
            }
        )
    return _numbered(rows)


def _branches(network: Any, number: Mapping[str, int], snapshot: Any) -> dict[str, dict[str, Any]]:
    """Lines and transformers; per unit of 1 MVA, as `calculate_dependent_values` leaves them, to that of the base."""
    rows = []
    for component, table in (("Line", network.lines), ("Transformer", network.transformers)):
        share = _at(network, component, "s_max_pu", snapshot)
        for name, row in zip(table.index, table.itertuples(), strict=True):
            if row.bus0 not in number or row.bus1 not in number:
                continue
            tap, shift = (
                (row.tap_ratio or 1.0, np.deg2rad(row.phase_shift)) if component == "Transformer" else (1.0, 0.0)
            )
            ends = (row.bus0, row.bus1)
            if component == "Transformer" and row.tap_side == 1:
                ends, shift = (row.bus1, row.bus0), -shift
            rating = float(row.s_nom * share[name]) / _BASE_MVA
            rows.append(
                {
                    **{"f_bus": number[ends[0]], "t_bus": number[ends[1]], "br_status": int(row.active)},
                    **{"br_r": float(row.r_pu) * _BASE_MVA, "br_x": float(row.x_pu) * _BASE_MVA},
                    **{"g_fr": 0.0, "g_to": 0.0},
                    **{side: float(row.b_pu) / 2 / _BASE_MVA for side in ("b_fr", "b_to")},
                    **{"tap": float(tap), "shift": float(shift), "transformer": component == "Transformer"},
                    **({"rate_a": rating} if 0 < rating < _UNLIMITED / _BASE_MVA else {}),
                    **{"angmin": -2 * np.pi, "angmax": 2 * np.pi},
                }
            )
    return _numbered(rows)


def network_of(case: Case) -> Any:
    """A case as a `pypsa.Network`; a `wb.ConversionWarning` lists what is not carried. Raises InputError `OUTPUT.PYPSA` without pypsa."""
    try:
        import pypsa
    except ImportError:
        raise InputError("OUTPUT.PYPSA", "pypsa is not installed: pip install wattbook[pypsa].") from None
    with warnings.catch_warnings():
        # It speaks of the format between, which has no positions: they come from the case.
        warnings.simplefilter("ignore", ExportWarning)
        document = json.loads(export_module(case.module_json, case.id, None, "powermodels-json", stacklevel=3))
    buses, fuels = case.buses, case.generators["energy_source"].tolist()
    network, base = pypsa.Network(name=document["name"]), float(document["baseMVA"])
    network.add("Carrier", ["AC", *dict.fromkeys(str(fuel) for fuel in fuels if isinstance(fuel, str))])
    rows = {row["bus_i"]: row for row in document["bus"].values()}
    generators = [row for _, row in _ordered(document, "gen")]
    held = {row["gen_bus"]: row["vg"] for row in generators if row["gen_status"]}
    for bus, row in rows.items():
        place = {
            axis: buses.at[bus, column]
            for axis, column in (("x", "longitude"), ("y", "latitude"))
            if bus in buses.index
        }
        network.add(
            *("Bus", str(bus)),
            **{"v_nom": row["base_kv"], "carrier": "AC", "v_mag_pu_set": held.get(bus, 1.0)},
            **{"v_mag_pu_min": row["vmin"], "v_mag_pu_max": row["vmax"]},
            **{axis: float(value) for axis, value in place.items() if np.isfinite(value)},
        )
    for name, row in _ordered(document, "load"):
        power = {"p_set": row["pd"] * base, "q_set": row["qd"] * base}
        network.add("Load", name, bus=str(row["load_bus"]), active=bool(row["status"]), **power)
    for name, row in _ordered(document, "shunt"):
        siemens = base / rows[row["shunt_bus"]]["base_kv"] ** 2
        admittance = {"g": row["gs"] * siemens, "b": row["bs"] * siemens}
        network.add("ShuntImpedance", name, bus=str(row["shunt_bus"]), active=bool(row["status"]), **admittance)
    lost = _add_generators(network, generators, rows, fuels, base)
    for name, row in _ordered(document, "branch"):
        _add_branch(network, name, row, rows, base)
    for table, one in (("dcline", "DC line"), ("storage", "storage unit")):
        if document.get(table):
            lost.append(words.count(len(document[table]), one))
    limited = [row for row in document["branch"].values() if min(-row["angmin"], row["angmax"]) < np.pi / 2]
    if limited:
        lost.append(f"the angle-difference limits of {words.count(len(limited), 'branch')}")
    _tell("PyPSA", "case", lost)
    return network


def _ordered(document: Mapping[str, Any], table: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Rows in the order of their number; a table that is empty may be a list."""
    rows = document.get(table) or {}
    return sorted(rows.items(), key=lambda one: int(one[0]))


def _add_generators(
    network: Any, generators: Sequence[Mapping[str, Any]], rows: Mapping[int, Any], fuels: Sequence[Any], base: float
) -> list[str]:
    """Adds the generators; returns what is lost of their costs and limits."""
    piecewise, constant, unlimited = 0, 0, 0
    for name, row in enumerate(generators, 1):
        low, high = (float(np.clip(row[end] * base, -_UNLIMITED, _UNLIMITED)) for end in ("pmin", "pmax"))
        unlimited += int(max(abs(low), abs(high)) == _UNLIMITED)
        c2, c1, c0 = _cost(row, base)
        piecewise += int(row.get("model") == 1)
        constant += int(c0 != 0.0)
        most = max(abs(low), abs(high))
        kind = rows[row["gen_bus"]]["bus_type"]
        fuel = fuels[name - 1] if name <= len(fuels) else None
        network.add(
            *("Generator", str(name)),
            **{"bus": str(row["gen_bus"]), "p_nom": most, "active": bool(row["gen_status"])},
            **({"p_min_pu": low / most, "p_max_pu": high / most} if most else {}),
            **{"marginal_cost": c1, "marginal_cost_quadratic": c2},
            **{"control": {3: "Slack", 2: "PV"}.get(kind, "PQ"), "carrier": fuel if isinstance(fuel, str) else ""},
        )
    reactive = sum(np.isfinite([row["qmin"], row["qmax"]]).any() for row in generators)
    told = {
        # PyPSA's optimisation takes a set-point as fixed.
        "the scheduled output of {}: a power flow needs p_set": sum(row["pg"] != 0.0 for row in generators),
        "the piecewise linear costs of {}: the mean slope counts": piecewise,
        "the constant costs of {}": constant,
        f"that the output of {{}} has no limit: it is {_UNLIMITED:.0e} MW": unlimited,
        "the reactive limits of {}": reactive,
    }
    return [sentence.format(words.count(count, "generator")) for sentence, count in told.items() if count]


def _cost(row: Mapping[str, Any], base: float) -> tuple[float, float, float]:
    """c2, c1, c0 in $/MW²h, $/MWh, $/h."""
    cost = [float(one) for one in row.get("cost") or ()]
    if row.get("model") == 1:
        p, dollars = cost[0::2], cost[1::2]
        return 0.0, (dollars[-1] - dollars[0]) / ((p[-1] - p[0]) * base) if len(p) > 1 else 0.0, 0.0
    c2, c1, c0 = [0.0] * (3 - len(cost)) + cost[-3:]
    return c2 / base**2, c1 / base, c0


def _add_branch(network: Any, name: str, row: Mapping[str, Any], rows: Mapping[int, Any], base: float) -> None:
    """A line in ohm and siemens, or, where voltages, tap or shift differ, a transformer per unit of its rating."""
    v_nom, v_other = (rows[row[end]]["base_kv"] for end in ("f_bus", "t_bus"))
    rating = min(row.get("rate_a") or np.inf, _UNLIMITED / base) * base
    shared = {"bus0": str(row["f_bus"]), "bus1": str(row["t_bus"]), "s_nom": rating, "active": bool(row["br_status"])}
    g, b = row["g_fr"] + row["g_to"], row["b_fr"] + row["b_to"]
    if v_nom == v_other and row["tap"] == 1.0 and row["shift"] == 0.0 and not row["transformer"]:
        ohm = v_nom**2 / base
        network.add("Line", name, r=row["br_r"] * ohm, x=row["br_x"] * ohm, g=g / ohm, b=b / ohm, **shared)
        return
    on_rating = rating / base
    per_unit = {"r": row["br_r"] * on_rating, "x": row["br_x"] * on_rating, "g": g / on_rating, "b": b / on_rating}
    turns = {"tap_ratio": row["tap"], "phase_shift": float(np.rad2deg(row["shift"])), "model": "pi"}
    network.add("Transformer", name, **per_unit, **turns, **shared)


def _tell(target: str, source: str, lost: Sequence[str]) -> None:
    if lost:
        text = f"{target} does not take over all of this {source}:" + "".join(f"\n- {one}" for one in lost)
        warnings.warn(text, ConversionWarning, stacklevel=5)
