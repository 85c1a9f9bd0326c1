"""Reads a packed generation-2 module into arrays, per unit on the module's base, three-winding transformers as stars."""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass
class Case:
    """Buses are numbered from 0 in the order of the module; star points follow."""

    base_mva: float
    canonical: int
    base_kv: np.ndarray
    #: Demand and shunt as complex MVA (shunt at 1 per unit, consumption positive).
    demand: np.ndarray
    shunt: np.ndarray
    vm: np.ndarray
    vmin: np.ndarray
    vmax: np.ndarray
    reference: int
    #: Branches: ends, series impedance, charging, ratio (0 for lines), shift in degrees, MVA.
    ends: np.ndarray
    z: np.ndarray
    charging: np.ndarray
    tap: np.ndarray
    shift: np.ndarray
    mva: np.ndarray
    #: Generators: bus, set points and limits in MW and MVAr, voltage, cost rows of the module.
    gen_bus: np.ndarray
    pg: np.ndarray
    qg: np.ndarray
    plim: np.ndarray
    qlim: np.ndarray
    vg: np.ndarray
    costs: list[dict]

    @property
    def slack_limits_mw(self) -> tuple[float, float]:
        [row] = np.flatnonzero(self.gen_bus == self.reference)
        return tuple(self.plim[row])


def star_legs(transformer: dict) -> list[complex]:
    """Legs from pairwise impedances 1-2, 2-3, 3-1: z1 = (z12 + z31 - z23) / 2 and so on."""
    z12, z23, z31 = (complex(pair["r"], pair["x"]) for pair in transformer["z"])
    return [(z12 + z31 - z23) / 2, (z12 + z23 - z31) / 2, (z23 + z31 - z12) / 2]


def read(path: Path, sha256: str) -> Case:
    text = gzip.decompress(path.read_bytes())
    if hashlib.sha256(text).hexdigest() != sha256:
        raise SystemExit(f"{path} is not the module that the manifest names.")
    data = json.loads(text)["value"]["data"]
    buses, branches, gens = data["buses"], data["branches"], data["generators"]
    stars = data["transformers_3w"]
    row = {bus["id"]: i for i, bus in enumerate(buses)}
    canonical = len(buses)
    size = canonical + len(stars)
    demand, shunt = np.zeros(size, complex), np.zeros(size, complex)
    for load in data["loads"]:
        demand[row[load["bus"]]] += complex(load["p"], load["q"])
    for one in data["shunts"]:
        shunt[row[one["bus"]]] += complex(one["g"], -one["b"])
    base_kv = np.array([b["base_kv"] for b in buses] + [buses[row[s["windings"][0]["bus"]]]["base_kv"] for s in stars])
    legs = [
        (row[winding["bus"]], canonical + k, leg, 0.0, winding["tap"], winding["shift"], winding["rate_a"])
        for k, star in enumerate(stars)
        for winding, leg in zip(star["windings"], star_legs(star), strict=True)
    ]
    rows = [
        (row[b["from"]], row[b["to"]], complex(b["r"], b["x"]), b["b"], b["tap"], b["shift"], b["rate_a"])
        for b in branches
    ] + legs
    of_buses = lambda key, star: np.array([b[key] for b in buses] + [star] * len(stars), float)  # noqa: E731
    of_gens = lambda *keys: np.array([[g[key] for key in keys] for g in gens], float)  # noqa: E731
    return Case(
        base_mva=data["base_mva"],
        canonical=canonical,
        base_kv=base_kv,
        demand=demand,
        shunt=shunt,
        vm=of_buses("vm", 1),
        vmin=of_buses("vmin", 0.9),
        vmax=of_buses("vmax", 1.1),
        reference=next(i for i, b in enumerate(buses) if b["kind"] == "REF"),
        ends=np.array([r[:2] for r in rows]),
        z=np.array([r[2] for r in rows]),
        charging=np.array([r[3] for r in rows]),
        tap=np.array([r[4] for r in rows]),
        shift=np.array([r[5] for r in rows]),
        mva=np.array([r[6] for r in rows]),
        gen_bus=np.array([row[g["bus"]] for g in gens]),
        pg=of_gens("pg")[:, 0],
        qg=of_gens("qg")[:, 0],
        plim=of_gens("pmin", "pmax"),
        qlim=of_gens("qmin", "qmax"),
        vg=of_gens("vg")[:, 0],
        costs=[g["cost"] for g in gens],
    )
