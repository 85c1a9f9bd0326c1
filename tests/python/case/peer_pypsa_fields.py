"""Every numeric field of every component of PyPSA, changed one at a time: the case, one of its warnings or the error
changes with it, or the field is in `WITHOUT_EFFECT`. Runs in an environment that has pypsa (`test_peers.py`)."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pypsa
import pytest
import wattbook as wb

INVESTMENT = "decides on an extension, which is left out and named, or costs the same whatever the dispatch"
COMMITMENT = "decides on a commitment between snapshots; units run, which is named"
AS_A_WHOLE = "left out with its component, which is named with its power or energy"
NOT_USED = "PyPSA does not use it"

#: Fields that change neither the network nor a warning, with the reason; `formats.md` has the same list.
WITHOUT_EFFECT = {
    "Generator": {
        **dict.fromkeys(["p_nom_mod", "p_nom_min", "p_nom_max"], INVESTMENT),
        **dict.fromkeys(["capital_cost", "overnight_cost", "discount_rate", "fom_cost"], INVESTMENT),
        **dict.fromkeys(["min_up_time"], COMMITMENT),
        "efficiency": "of fuel; limits of emissions are left out and named",
        "weight": "of clustering",
    },
    "Line": {
        **dict.fromkeys(["s_nom_mod", "s_nom_min", "s_nom_max", "terrain_factor"], INVESTMENT),
        **dict.fromkeys(["capital_cost", "overnight_cost", "discount_rate", "fom_cost"], INVESTMENT),
        **dict.fromkeys(["v_ang_min", "v_ang_max"], NOT_USED),
    },
    "Transformer": {
        **dict.fromkeys(["s_nom_mod", "s_nom_min", "s_nom_max"], INVESTMENT),
        **dict.fromkeys(["capital_cost", "overnight_cost", "discount_rate", "fom_cost"], INVESTMENT),
        **dict.fromkeys(["v_ang_min", "v_ang_max"], NOT_USED),
    },
    "ShuntImpedance": {"sign": "the power flow of PyPSA does not use it"},
    "LineType": {"i_nom": "lines have ratings of their own", "cross_section": "descriptive"},
    "TransformerType": {
        **dict.fromkeys(["f_nom", "v_nom_0", "v_nom_1"], "descriptive: impedances are per unit"),
        **dict.fromkeys(["tap_min", "tap_max"], "limits of a tap changer, which PyPSA does not move"),
    },
}
#: Components that are left out as a whole, and the fields in their warning.
WHOLE = {
    "Link": {"p_nom", "active", "build_year", "lifetime"},
    "Process": {"p_nom", "active", "build_year", "lifetime"},
    "StorageUnit": {"p_nom", "active", "build_year", "lifetime"},
    "Store": {"e_nom", "active", "build_year", "lifetime"},
    "GlobalConstraint": {"constant"},
}
#: Components without electrically meaningful numbers.
NOTHING = {
    "Carrier": "emissions, growth limits and drawing",
    "Shape": "drawing",
    "SubNetwork": "results",
}


def network(snapshots: Any = ("now",)) -> pypsa.Network:
    """One of every component, in states in which their fields matter."""
    n = pypsa.Network(name="all")
    n.set_snapshots(snapshots)
    n.add("Carrier", ["AC", "gas"], co2_emissions=0.2)
    for k, kv in enumerate((220, 220, 220, 110)):
        n.add(
            "Bus",
            f"b{k}",
            v_nom=kv,
            x=10 + k,
            y=50 + k,
            v_mag_pu_set=1.02 - 0.01 * k,
            v_mag_pu_min=0.92,
            v_mag_pu_max=1.08,
        )
    n.add("Bus", "well", carrier="gas")
    n.add(
        "LineType", "own", f_nom=50, r_per_length=0.06, x_per_length=0.3, c_per_length=12, i_nom=0.6, cross_section=300
    )
    n.add("Line", "a", bus0="b0", bus1="b1", r=2, x=20, b=1e-4, g=1e-5, s_nom=80, s_max_pu=0.9)
    n.add("Line", "b", bus0="b1", bus1="b2", type="own", length=40, num_parallel=2, s_nom=200)
    n.add("Line", "c", bus0="b2", bus1="b0", r=2, x=30, s_nom=200, s_nom_extendable=True, s_nom_min=100, s_nom_max=900)
    of_type = {"type": "own", "num_parallel": 1, "tap_position": 1, "s_nom": 160}
    n.add(
        "TransformerType",
        "own",
        **{"f_nom": 50, "s_nom": 160, "v_nom_0": 220, "v_nom_1": 110, "vsc": 12, "vscr": 0.3, "pfe": 60, "i0": 0.1},
        **{"phase_shift": 3, "tap_side": 0, "tap_neutral": 0, "tap_min": -9, "tap_max": 9, "tap_step": 1.5},
    )
    n.add(
        "Transformer",
        "t",
        bus0="b2",
        bus1="b3",
        r=0.01,
        x=0.1,
        g=1e-3,
        b=-0.02,
        s_nom=150,
        tap_ratio=1.05,
        phase_shift=2,
    )
    n.add("Transformer", "u", bus0="b1", bus1="b3", **of_type)
    n.add("Transformer", "v", bus0="b0", bus1="b3", x=0.2, s_nom=90, tap_ratio=0.98, tap_side=1, s_nom_extendable=True)
    n.add("Generator", "plain", bus="b0", p_nom=300, marginal_cost=10, marginal_cost_quadratic=0.02, p_min_pu=0.05)
    n.add("Generator", "set", bus="b1", p_nom=100, p_set=30, q_set=4, marginal_cost=5, control="PV")
    n.add(
        "Generator", "ramped", bus="b2", p_nom=100, p_init=60, ramp_limit_up=0.2, ramp_limit_down=0.1, marginal_cost=30
    )
    n.add("Generator", "energy", bus="b2", p_nom=100, e_sum_min=5, e_sum_max=70, marginal_cost=20)
    n.add(
        *("Generator", "committed"),
        **{"bus": "b2", "p_nom": 80, "p_min_pu": 0.4, "committable": True, "marginal_cost": 25, "start_up_cost": 100},
        **{"shut_down_cost": 50, "stand_by_cost": 7, "ramp_limit_start_up": 0.5, "ramp_limit_shut_down": 0.5},
        **{"up_time_before": 0, "down_time_before": 1, "min_down_time": 2},
    )
    stopped = {"committable": True, "up_time_before": 0, "down_time_before": 1, "marginal_cost": 28}
    n.add("Generator", "idle", bus="b1", p_nom=40, min_down_time=1, **stopped)
    n.add("Generator", "waits", bus="b1", p_nom=30, min_down_time=2, **stopped)
    n.add("Generator", "sink", bus="b3", p_nom=20, sign=-1, marginal_cost=-60)
    n.add("Generator", "built", bus="b3", p_nom=10, p_nom_extendable=True, p_nom_max=500, marginal_cost=35)
    n.add("Generator", "chosen", bus="b3", p_nom=10, p_nom_extendable=True, p_nom_set=55, marginal_cost=36)
    n.add("Load", "d", bus="b1", p_set=120, q_set=30)
    n.add("Load", "e", bus="b3", p_set=100, q_set=20)
    n.add("ShuntImpedance", "s", bus="b3", b=1e-3, g=1e-5)
    n.add("Link", "l", bus0="b0", bus1="b3", p_nom=50, efficiency=0.95)
    n.add("Process", "k", bus0="b0", bus1="b3", p_nom=20)
    n.add("StorageUnit", "w", bus="b0", p_nom=60, max_hours=5)
    n.add("Store", "tank", bus="b0", e_nom=40)
    n.add("GlobalConstraint", "co2", type="primary_energy", carrier_attribute="co2_emissions", sense="<=", constant=50)
    return n


def in_periods() -> pypsa.Network:
    n = network(pd.MultiIndex.from_product([[2030, 2040], [0, 1]], names=["period", "timestep"]))
    n.investment_periods = [2030, 2040]
    for component in n.components:
        if "lifetime" in component.static:
            component.static["build_year"], component.static["lifetime"] = 2010, 21.0
    return n


def outcome(n: pypsa.Network) -> str:
    """All visible results of reading."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            case = wb.open_case(n)
        except wb.InputError as refused:
            return f"{refused.code} {refused.message}"
    fuels = case.generators["energy_source"].tolist()
    return f"{case.module_json} {fuels} {[(one.code, one.message) for one in case.warnings]}"


def changed(value: Any) -> Any:
    """Another value of the same kind that is valid everywhere."""
    if isinstance(value, (bool, np.bool_)):
        return not value
    if isinstance(value, (int, np.integer)):
        return int(value) + 1 if value in (0, 1) else int(value) + 40
    if np.isnan(value):
        return 0.37
    if np.isinf(value):
        return np.sign(value) * 33.0
    return float(value) * 0.93 + 0.01


def fields(n: pypsa.Network) -> Iterator[tuple[str, str]]:
    for component in n.components:
        for name, attribute in component.defaults.iterrows():
            if attribute["status"].startswith("Input") and attribute["typ"] in (bool, int, float):
                yield component.name, name


def effective(base: pypsa.Network, known: frozenset[tuple[str, str]] = frozenset()) -> frozenset[tuple[str, str]]:
    """The fields whose change in one of the elements changes the outcome, in addition to the known ones."""
    found = set(known)
    before = outcome(base)
    for component, name in fields(base):
        if component in NOTHING or (component, name) in known:
            continue
        table = base.components[component].static
        own = table.index
        if component in ("LineType", "TransformerType"):
            own = pd.Index(["own"])
        for row in own:
            n = base.copy()
            static = n.components[component].static
            if name not in static:
                continue
            value = changed(static.at[row, name])
            if name == "tap_side":
                value = 1 - int(static.at[row, name])
            if static[name].dtype.kind in "ib" and not isinstance(value, (bool, int)):
                static[name] = static[name].astype(float)
            static.at[row, name] = value
            if outcome(n) != before:
                found.add((component, name))
                break
    return frozenset(found)


@pytest.fixture(scope="module")
def seen() -> frozenset[tuple[str, str]]:
    return effective(in_periods(), effective(network()))


def test_every_field_counts_is_named_or_is_listed(seen: frozenset[tuple[str, str]]) -> None:
    tried = {one for one in fields(network()) if one[0] not in NOTHING}
    silent = tried - seen
    listed = {(component, name) for component, names in WITHOUT_EFFECT.items() for name in names}
    whole = {(component, name) for component, name in tried if component in WHOLE and name not in WHOLE[component]}
    assert silent - listed - whole == set(), "fields that change nothing, without a word"
    assert listed - silent == set(), "fields that have an effect and are listed as if they had none"
    assert {component for component, _ in tried} == {component.name for component in network().components} - set(
        NOTHING
    )


def test_a_series_counts_at_the_first_snapshot_alone() -> None:
    """Each field that may vary: the case has its value at the first snapshot."""
    base = network([0, 1])
    before = outcome(base)
    for component in base.components:
        if component.name in WHOLE:
            continue
        listed = WITHOUT_EFFECT.get(component.name, {})
        for name, attribute in component.defaults.iterrows():
            if not (attribute["varying"] and attribute["static"] and attribute["status"].startswith("Input")):
                continue
            moved = []
            for row in component.static.index:
                own = base.components[component.name].static.at[row, name]
                for step in (0, 1):
                    n = base.copy()
                    series = pd.Series([own, own], index=n.snapshots, dtype=float)
                    series.iloc[step] = changed(float(own))
                    n.components[component.name].dynamic[name][row] = series
                    if outcome(n) != before:
                        moved.append(step)
            assert 1 not in moved, f"{component.name} {name} at another snapshot"
            assert moved or name in listed, f"{component.name} {name} at the first snapshot"


def test_the_lists_are_in_the_documentation() -> None:
    page = (Path(__file__).parents[3] / "docs" / "reference" / "formats.md").read_text()
    section = re.split(r"\n#+ ", page.partition("### PyPSA\n")[2])[0]
    for component, names in WITHOUT_EFFECT.items():
        for name in names:
            assert f"`{name}`" in section, f"{component} {name}"
