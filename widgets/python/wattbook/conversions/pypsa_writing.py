"""Cases as PyPSA networks. pypsa is imported when a network is requested."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ExportWarning, InputError
from ..files.export import export_module
from ..text import words
from .pypsa_reading import warn_of

if TYPE_CHECKING:
    import pandas as pd

#: Capacity of an unlimited generator in PyPSA, where one number serves both limits, MW.
_UNLIMITED = 1e6


def network_of(module_json: str, case_id: str, buses: pd.DataFrame, branches: pd.DataFrame, units: pd.DataFrame) -> Any:
    """A case, with its tables of buses, branches and generators, as a `pypsa.Network`; a `wb.ConversionWarning` lists what is not carried. Raises InputError `OUTPUT.PYPSA` without pypsa."""
    try:
        import pypsa
    except ImportError:
        raise InputError("OUTPUT.PYPSA", "pypsa is not installed: pip install pypsa.") from None
    with warnings.catch_warnings():
        # The warning is about the intermediate format, which has no positions; they come from the case.
        warnings.simplefilter("ignore", ExportWarning)
        document = json.loads(export_module(module_json, case_id, None, "powermodels-json", stacklevel=3))
    network, base = pypsa.Network(name=document["name"]), float(document["baseMVA"])
    named = units["energy_source"].dropna()
    network.add("Carrier", ["AC", *dict.fromkeys(str(fuel) for fuel in named if fuel)])
    rows = {row["bus_i"]: row for row in document["bus"].values()}
    for row in rows.values():
        # Per-unit values do not depend on it.
        row["base_kv"] = row["base_kv"] or 1.0
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
        # PyPSA 1.2's power flow includes inactive shunt impedances.
        in_service = float(bool(row["status"]))
        _add_shunt(network, name, rows[row["shunt_bus"]], base, row["gs"] * in_service, row["bs"] * in_service)
    lost = _add_generators(network, generators, rows, units)
    ratings = branches["rating_mw"].where(~branches["rating_is_fallback"], np.inf).tolist()
    for (name, row), rating in zip(_ordered(document, "branch"), ratings, strict=True):
        _add_branch(network, name, row, rows, base, float(rating))
    if document.get("dcline"):
        lost.append(words.count(len(document["dcline"]), "DC line"))
    for name, row in _ordered(document, "storage"):
        _add_storage(network, name, row, base)
    limited = [row for row in document["branch"].values() if min(-row["angmin"], row["angmax"]) < np.pi / 2]
    if limited:
        lost.append(f"the angle-difference limits of {words.count(len(limited), 'branch')}")
    turned = [row for row in rows.values() if row["bus_type"] == 3 and row["va"] != 0.0]
    if turned:
        lost.append(f"the angle of {words.count(len(turned), 'reference bus')}: angles of PyPSA count from zero")
    if lost:
        warn_of("PyPSA", "case", lost)
    return network


def _ordered(document: Mapping[str, Any], table: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Rows in order of their number; an empty table may be a list."""
    rows = document.get(table) or {}
    return sorted(rows.items(), key=lambda one: int(one[0]))


def _add_shunt(network: Any, name: str, bus: Mapping[str, Any], base: float, g: float, b: float) -> None:
    """Adds a shunt at a bus, with its conductance and susceptance per unit."""
    siemens = base / bus["base_kv"] ** 2
    network.add("ShuntImpedance", name, bus=str(bus["bus_i"]), g=g * siemens, b=b * siemens)


def _add_storage(network: Any, name: str, row: Mapping[str, Any], base: float) -> None:
    """Adds a storage unit, which PyPSA's optimisation dispatches from its stored energy; `ps` is taken from the bus, in MW."""
    charge, discharge = (
        _UNLIMITED if row[limit] is None else row[limit] * base for limit in ("charge_rating", "discharge_rating")
    )
    most = max(charge, discharge)
    network.add(
        *("StorageUnit", name),
        **{"bus": str(row["storage_bus"]), "active": bool(row["status"]), "p_nom": most},
        **{"p_min_pu": -charge / most if most else 0.0, "p_max_pu": discharge / most if most else 0.0},
        **{
            "p_set": 0.0 - row["ps"],
            "q_set": 0.0 - row["qs"],
            "max_hours": (row["energy_rating"] or 0.0) * base / most if most else 0.0,
        },
        **{"efficiency_store": row["charge_efficiency"], "efficiency_dispatch": row["discharge_efficiency"]},
        state_of_charge_initial=row["energy"] * base,
    )


def _add_generators(
    network: Any, generators: Sequence[Mapping[str, Any]], rows: Mapping[int, Any], units: pd.DataFrame
) -> list[str]:
    """Adds the generators; returns sentences on the costs and limits that are lost."""
    counts = {"piecewise": 0, "extra": 0, "constant": 0, "unlimited": 0}
    fixed_costs = 0.0
    for (number, unit), row in zip(units.iterrows(), generators, strict=True):
        kind, fuel = rows[row["gen_bus"]]["bus_type"], unit["energy_source"]
        shared = {
            "bus": str(row["gen_bus"]),
            "active": bool(row["gen_status"]),
            "carrier": fuel if isinstance(fuel, str) else "",
        }
        parts, constant = _parts(unit)
        counts["piecewise"] += len(parts) > 1
        counts["extra"] += len(parts) - 1
        counts["constant"] += constant != 0.0
        fixed_costs += constant if row["gen_status"] else 0.0
        for k, (low, high, c2, c1) in enumerate(parts):
            capacity, clipped = _capacity(low, high)
            counts["unlimited"] += clipped
            control = {3: "Slack", 2: "PV"}.get(kind, "PQ") if k == 0 else "PQ"
            network.add(
                *("Generator", str(number) if k == 0 else f"{number} segment {k + 1}"),
                **{**shared, **capacity, "marginal_cost": c1, "marginal_cost_quadratic": c2, "control": control},
            )
    reactive = sum(row["qmin"] is not None or row["qmax"] is not None for row in generators)
    sentences = {
        # PyPSA's optimisation treats a set-point as fixed.
        "the scheduled output of {}: a power flow needs p_set": sum(row["pg"] != 0.0 for row in generators),
        f"the piecewise linear costs of {{}} as such: {words.count(counts['extra'], 'generator')} more, one for each further "
        "segment": counts["piecewise"],
        f"the constant costs of {{}}, {fixed_costs:,.2f} $/h": counts["constant"],
        f"that the output of {{}} has no limit: it is {_UNLIMITED:.0e} MW": counts["unlimited"],
        "the reactive limits of {}": reactive,
    }
    return [sentence.format(words.count(count, "generator")) for sentence, count in sentences.items() if count]


def _parts(unit: pd.Series) -> tuple[list[tuple[float, float, float, float]], float]:
    """A generator as output ranges with one cost each, (MW, MW, $/MW²h, $/MWh), and its cost at zero output, $/h. With
    convex costs the ranges are used in order, so the sum of their outputs has the cost of the generator."""
    low, high = float(unit["p_min_mw"]), float(unit["p_max_mw"])
    if unit["cost_model"] == "polynomial":
        return [(low, high, float(unit["cost_c2"]), float(unit["cost_c1"]))], float(unit["cost_c0"])
    points = unit["cost_points"]
    slopes = [(c - d) / (p - q) for (q, d), (p, c) in pairwise(points)]
    cuts = [(p, slope) for (p, _), slope in zip(points[1:-1], slopes[1:], strict=True) if low < p < high]
    # The slope at the start of the range: that of the last segment that begins at or below it.
    first = max([0, *(k for k, (p, _) in enumerate(points[:-1]) if p <= low)])
    at, cost = points[first]
    ends = [*(p for p, _ in cuts), high]
    parts = [(low, ends[0], 0.0, slopes[first])]
    parts += [(0.0, end - start, 0.0, slope) for (start, slope), end in zip(cuts, ends[1:], strict=True)]
    return parts, cost - slopes[first] * at


def _capacity(low: float, high: float) -> tuple[dict[str, float], bool]:
    """`p_nom` with its shares, and whether a limit had to be invented."""
    if np.isfinite([low, high]).all() or low == high:
        most = max(abs(low), abs(high))
        shares = {"p_min_pu": low / most, "p_max_pu": high / most} if most else {"p_min_pu": 0.0, "p_max_pu": 0.0}
        return {"p_nom": most, **shares}, False
    if low in (0.0, -np.inf) and high in (0.0, np.inf):
        return {"p_nom": np.inf, "p_min_pu": float(np.sign(low)), "p_max_pu": float(np.sign(high))}, False
    ends = np.clip([low, high], -_UNLIMITED, _UNLIMITED)
    return {"p_nom": _UNLIMITED, "p_min_pu": ends[0] / _UNLIMITED, "p_max_pu": ends[1] / _UNLIMITED}, True


def _add_branch(
    network: Any, name: str, row: Mapping[str, Any], rows: Mapping[int, Any], base: float, rating: float
) -> None:
    """A line in ohm and siemens; a transformer per unit of its rating if voltages, tap or shift differ. Its ends have
    the shunt of the second end, and the excess of the first end becomes a shunt impedance at its bus."""
    v_nom, v_other = (rows[row[end]]["base_kv"] for end in ("f_bus", "t_bus"))
    shared = {"bus0": str(row["f_bus"]), "bus1": str(row["t_bus"]), "active": bool(row["br_status"])}
    g, b = 2 * row["g_to"], 2 * row["b_to"]
    more = [(row[f"{one}_fr"] - row[f"{one}_to"]) / (row["tap"] or 1.0) ** 2 for one in ("g", "b")]
    if any(more) and row["br_status"]:
        _add_shunt(network, f"branch {name}", rows[row["f_bus"]], base, *more)
    if v_nom == v_other and row["tap"] == 1.0 and row["shift"] == 0.0 and not row["transformer"]:
        ohm = v_nom**2 / base
        values = {"r": row["br_r"] * ohm, "x": row["br_x"] * ohm, "g": g / ohm, "b": b / ohm}
        network.add("Line", name, s_nom=rating, **values, **shared)
        return
    # Impedances of transformers are per unit of a capacity, which must be positive.
    s_nom, share = (rating, 1.0) if 0 < rating < np.inf else (base, 0.0 if rating == 0 else np.inf)
    per_unit = {"r": row["br_r"], "x": row["br_x"], "g": g, "b": b}
    values = {key: value * s_nom / base if key in "rx" else value * base / s_nom for key, value in per_unit.items()}
    turns = {"tap_ratio": row["tap"], "phase_shift": float(np.rad2deg(row["shift"])), "model": "pi"}
    network.add("Transformer", name, s_nom=s_nom, s_max_pu=share, **values, **turns, **shared)
