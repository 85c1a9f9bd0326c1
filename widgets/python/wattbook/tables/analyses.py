"""DataFrames of tracks, outages, explanations, LMP components, price changes, and the effects of ratings on prices."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import pandas as pd

from ..text import words
from .networks import Rows, column, framed, ids, numbers, texts
from .rows import Columns


def track_breakpoints(rows: Rows, unit: str) -> pd.DataFrame:
    """Breakpoints of a track, in its direction; positions in `unit`."""
    columns = {
        "mw": numbers(rows, "mw"),
        "event": texts(rows, "event"),
        "kind": texts([row["element"] for row in rows], "kind"),
        "id": ids([row["element"] for row in rows], "id"),
        "price_before": numbers(rows, "price_before"),
        "price_after": numbers(rows, "price_after"),
    }
    frame = pd.DataFrame(columns)
    _insert_outages(frame, 4, [row["element"] for row in rows])
    frame.attrs["units"] = {"mw": unit, "price_before": "$/MWh", "price_after": "$/MWh"}
    return frame


def track_segments(rows: Rows, unit: str) -> pd.DataFrame:
    """Segments of a track between breakpoints, in its direction; positions in `unit`."""
    units = {
        "from_mw": unit,
        "to_mw": unit,
        "objective": "$/h",
        "objective_end": "$/h",
        "price": "$/MWh",
        "slope": f"($/MWh)/{'degree' if unit == 'degrees' else unit}",
    }
    frame = pd.DataFrame({key: numbers(rows, key) for key in units})
    frame.attrs["units"] = units
    return frame


def contingencies(rows: Rows, branches: pd.DataFrame, *, of_voltages: bool = False) -> pd.DataFrame:
    """Outages by branch, compared with `branches`, the pre-contingency state; inapplicable values are missing. `of_voltages` adds
    the columns of AC power flows."""
    index = pd.Index(np.array([row["branch"] for row in rows], dtype=np.int64), name="branch")
    whole = {
        key: pd.array([row.get(key) for row in rows], dtype="Int64")
        for key in ("worst_branch", "overloads", "new_overloads")
    }
    new: list[Mapping[str, Any]] = [row.get("worst_new_overload", {}) for row in rows]
    number = {
        key: np.array([row.get(key, np.nan) for row in rows], dtype=np.float64)
        for key in ("worst_mw", "worst_loading", "demand_cut_off_mw", "generation_cut_off_mw")
    }
    worst = [row.get("worst_branch") for row in rows]
    loading = branches["loading"]
    before = np.array([np.nan if one is None else loading[one] for one in worst], dtype=np.float64)
    columns = {
        "from_bus": branches["from_bus"].loc[index].to_numpy(),
        "to_bus": branches["to_bus"].loc[index].to_numpy(),
        "kind": texts(rows, "kind"),
        "worst_branch": whole["worst_branch"],
        "worst_mw": number["worst_mw"],
        "worst_loading": number["worst_loading"],
        "worst_base_loading": before,
        "loading_rise": number["worst_loading"] - before,
        "overloads": whole["overloads"],
        "new_overloads": whole["new_overloads"],
        **{
            f"new_overload_{key}": pd.array([one.get(key) for one in new], dtype="Int64")
            for key in ("branch", "from_bus", "to_bus")
        },
        "new_overload_mw": column([one.get("mw") for one in new]),
        "new_overload_loading": column([one.get("loading_after") for one in new]),
        "new_overload_base_loading": column([one.get("loading_before") for one in new]),
        "buses_cut_off": [tuple(row.get("buses_cut_off", ())) for row in rows],
        "demand_cut_off_mw": number["demand_cut_off_mw"],
        "generation_cut_off_mw": number["generation_cut_off_mw"],
    }
    if of_voltages:
        columns |= _after_ac(rows, new)
    frame = pd.DataFrame(columns, index=index)
    frame.attrs["units"] = {
        "worst_mw": "MW",
        "worst_loading": "fraction of rating",
        "worst_base_loading": "fraction of rating",
        "loading_rise": "fraction of rating",
        "new_overload_mw": "MW",
        "new_overload_loading": "fraction of rating",
        "new_overload_base_loading": "fraction of rating",
        "demand_cut_off_mw": "MW",
        "generation_cut_off_mw": "MW",
        **(_AC_UNITS if of_voltages else {}),
    }
    return frame


_AC_UNITS = {
    "worst_mva": "MVA",
    "new_overload_mva": "MVA",
    "lowest_voltage_pu": "pu",
    "highest_voltage_pu": "pu",
    "estimated_loading": "fraction of rating",
}


def _after_ac(rows: Rows, new: list[Mapping[str, Any]]) -> dict[str, Any]:
    """The columns that only AC power flows have; `new` are the worst new overloads."""
    whole = (
        "lowest_voltage_bus",
        "highest_voltage_bus",
        "voltage_violations",
        "new_voltage_violations",
        "estimated_branch",
    )
    return {
        "worst_mva": column([row.get("worst_mva") for row in rows]),
        "new_overload_mva": column([one.get("mva") for one in new]),
        **{key: pd.array([row.get(key) for row in rows], dtype="Int64") for key in whole},
        **{
            key: column([row.get(key) for row in rows])
            for key in ("lowest_voltage_pu", "highest_voltage_pu", "estimated_loading")
        },
        "reactive_limits": pd.array([row.get("reactive_limits") for row in rows], dtype="string"),
    }


def outage_flows(after: Columns, branches: pd.DataFrame) -> pd.DataFrame:
    """Flows and loadings after an outage beside those of `branches`, the pre-contingency state."""
    columns = {
        "from_bus": branches["from_bus"].to_numpy(),
        "to_bus": branches["to_bus"].to_numpy(),
        "p_from_mw": after["flow_mw"].values,
        "base_p_from_mw": branches["p_from_mw"].to_numpy(),
        "rating_mw": branches["rating_mw"].to_numpy(),
        "loading": after["loading"].values,
        "base_loading": branches["loading"].to_numpy(),
    }
    units = {
        "p_from_mw": "MW",
        "base_p_from_mw": "MW",
        "rating_mw": "MW",
        "loading": "fraction of rating",
        "base_loading": "fraction of rating",
    }
    if "flow_mvar" in after:
        further = {"q_from_mvar": "flow_mvar", "p_to_mw": "flow_to_mw", "q_to_mvar": "flow_to_mvar"}
        columns |= {name: after[key].values for name, key in further.items()}
        units |= {"rating_mw": "MVA", "q_from_mvar": "MVAr", "p_to_mw": "MW", "q_to_mvar": "MVAr"}
    frame = pd.DataFrame(columns, index=branches.index)
    frame.attrs["units"] = units
    return frame


def outage_voltages(after: Columns, buses: pd.DataFrame) -> pd.DataFrame:
    """Voltages after an outage beside those of `buses`, the pre-contingency state, and their limits."""
    columns = {
        "vm_pu": after["vm_pu"].values,
        "base_vm_pu": buses["vm_pu"].to_numpy(),
        "vm_min_pu": buses["vm_min_pu"].to_numpy(),
        "vm_max_pu": buses["vm_max_pu"].to_numpy(),
        "va_deg": np.degrees(after["va_rad"].values),
        "base_va_deg": buses["va_deg"].to_numpy(),
    }
    frame = pd.DataFrame(columns, index=buses.index)
    frame.attrs["units"] = {name: "degrees" if name.endswith("deg") else "pu" for name in columns}
    return frame


def _named_limits(rows: Rows) -> dict[str, Any]:
    elements = [row["element"] for row in rows]
    # The two buses of a branch, the bus of a generator, or a bus itself.
    buses = [(row["id"],) if row["kind"] == "bus" else tuple(row.get("buses") or ()) for row in elements]
    return {
        "kind": texts(elements, "kind"),
        "id": ids(elements, "id"),
        "uid": texts(elements, "uid"),
        "name": texts(elements, "name"),
        "from_bus": pd.array([ends[0] if ends else None for ends in buses], dtype="Int64"),
        "to_bus": pd.array([ends[1] if len(ends) > 1 else None for ends in buses], dtype="Int64"),
        "limit": texts(rows, "limit"),
    }


def contradicting_limits(rows: Rows) -> pd.DataFrame:
    limits = np.array([row.get("limit_mw", np.nan) for row in rows], dtype=np.float64)
    assumed = np.array([row.get("rating_assumed", False) for row in rows], dtype=bool)
    given = {"limit_mw": limits, "weight": numbers(rows, "weight"), "rating_assumed": assumed}
    frame = pd.DataFrame({**_named_limits(rows), **given})
    frame.attrs["units"] = {"limit_mw": "MW", "weight": "MW of relaxation per MW"}
    return frame


def relaxed_limits(rows: Rows, rating_unit: str) -> pd.DataFrame:
    reactive = {"reactive_supply": "MVAr", "reactive_absorption": "MVAr"}
    units = {"rating": rating_unit, "rating_and_angle": rating_unit, **reactive}
    angles = np.array([row.get("angle_deg", 0.0) for row in rows], dtype=np.float64)
    amounts = {"mw": numbers(rows, "rounded_mw"), "exact_mw": numbers(rows, "mw")}
    voltages = np.array([row.get("voltage_pu", 0.0) for row in rows], dtype=np.float64)
    unit = pd.Series([units.get(row["limit"], "MW") for row in rows], dtype="str")
    assumed = np.array([row.get("rating_assumed", False) for row in rows], dtype=bool)
    given = {"unit": unit, "angle_deg": angles, "voltage_pu": voltages, "rating_assumed": assumed}
    frame = pd.DataFrame({**_named_limits(rows), **amounts, **given})
    power = "/".join(dict.fromkeys(unit)) or "MW"
    frame.attrs["units"] = {"mw": power, "exact_mw": power, "angle_deg": "deg", "voltage_pu": "pu"}
    return frame


def congestion_parts(rows: Rows) -> pd.DataFrame:
    units = {"value": "$/MWh", "shadow": "$/MWh", "shift_factor": "MW/MW"}
    columns = {key: numbers(rows, key) for key in units}
    frame = framed("branch", ids(rows, "branch"), columns, units)
    _insert_outages(frame, 0, rows)
    interfaces = [row.get("interface") for row in rows]
    if any(interfaces):
        frame.insert(0, "interface", pd.Series(interfaces, index=frame.index, dtype="string"))
    return frame


def _insert_outages(frame: pd.DataFrame, place: int, rows: Rows) -> None:
    """Inserts the columns `outage` and `generators_out`, tuples of ids, each where a row has any."""
    for key in ("generators_out", "outage"):
        out = [tuple(row.get(key, ())) for row in rows]
        if any(out):
            frame.insert(place, key, pd.Series(out, index=frame.index, dtype="object"))


def limit_names(frame: pd.DataFrame) -> list[str]:
    """The limits of congestion: `line 12`, `line 12 after the outage of line 40`, `interface North`."""
    return [
        interface or f"line {branch}{outage}"
        for branch, (outage, interface) in zip(frame.index, _limits(frame), strict=True)
    ]


def _limits(frame: pd.DataFrame) -> list[tuple[str, str]]:
    """By row of congestion, the outage as a text that follows the line's, and the name of an interface, which is empty for a line."""
    count = len(frame)
    branches, generators = (frame[key] if key in frame else [()] * count for key in ("outage", "generators_out"))
    outages = [words.after_outage(*out) for out in zip(branches, generators, strict=True)]
    names = frame["interface"].fillna("") if "interface" in frame else [""] * count
    return [(outage, f"interface {name}{outage}" if name else "") for outage, name in zip(outages, names, strict=True)]


_SIDES = ("before", "after")
_PRICES = dict.fromkeys((*_SIDES, "change"), "$/MWh")
_LINES = {"shadow": "$/MWh", "shift_factor": "MW/MW"}
_UNITS = {"p_mw": "MW", "cost": "$/MWh", "participation": "MW/MW", "value": "$/MWh"}


class Components(Protocol):
    """What a table reads of LMP components."""

    @property
    def energy(self) -> float: ...

    @property
    def parts(self) -> list[tuple[str, float]]: ...

    @property
    def congestion(self) -> pd.DataFrame: ...

    @property
    def residual(self) -> float: ...


def price_parts(
    first: tuple[Components, pd.DataFrame], second: tuple[Components, pd.DataFrame], apart: Collection[int]
) -> pd.DataFrame:
    """The LMPs of two states by energy, the other parts of their formulations, and line. Each state has its components and the buses of
    its branches; `apart` has the branches that are others in the second state."""
    (before, ends_before), (after, ends_after) = first, second
    named = [{"energy": one.energy, **dict(one.parts)} for one in (before, after)]
    parts = list(dict.fromkeys([*named[0], *named[1]]))
    if len(parts) > 1:
        # What a conic solution misses of the identity; in the DC model it is rounding.
        named = [{**values, "residual": one.residual} for values, one in zip(named, (before, after), strict=True)]
        parts.append("residual")
    own = pd.DataFrame({"part": parts, **_sides(*([one.get(part, 0.0) for part in parts] for one in named))})
    # A branch that is another one in the second state has its negative id as index meanwhile.
    own_rows = [_negated(frame, apart) for frame in (before.congestion, ends_before)]
    limits = [_by_limit(frame) for frame in (own_rows[0], after.congestion)]
    lines = limits[0].add_suffix("_before").join(limits[1].add_suffix("_after"), how="outer")
    ends = ends_after.combine_first(own_rows[1])
    value = _sides(*(lines[f"value_{side}"].fillna(0.0) for side in _SIDES))
    branches = lines.index.get_level_values("branch").to_numpy(dtype=np.int64)
    outages, interfaces = (lines.index.get_level_values(level) for level in ("outage", "interface"))
    has = [lines[f"value_{side}"].notna().to_numpy() for side in _SIDES]
    binds = np.where(has[0], np.where(has[1], "both", "before"), "after")
    of_lines = pd.DataFrame(
        {
            "part": [
                interface or f"line {abs(branch)}{_side(branch, apart)}{outage}"
                for branch, outage, interface in zip(branches.tolist(), outages, interfaces, strict=True)
            ],
            "branch": np.abs(branches),
            **{end: ends[end].reindex(branches).array for end in ("from_bus", "to_bus")},
            **value,
            **{f"shadow_{side}": lines[f"shadow_{side}"].fillna(0.0) for side in _SIDES},
            **{f"shift_factor_{side}": lines[f"shift_factor_{side}"] for side in _SIDES},
            "binds": binds,
        },
        index=lines.index,
    )
    order = of_lines["change"].abs().sort_values(ascending=False, kind="stable").index
    frame = pd.concat([own, of_lines.loc[order]]).set_index("part")
    columns = ["branch", "from_bus", "to_bus", *_PRICES]
    columns += [f"{name}_{side}" for name in ("shadow", "shift_factor") for side in _SIDES]
    frame = frame.reindex(columns=[*columns, "binds"])
    whole = dict.fromkeys(("branch", "from_bus", "to_bus"), "Int64")
    frame = frame.astype({**whole, **dict.fromkeys(columns[3:], "float64"), "binds": "string"})
    factors = {f"{name}_{side}": unit for name, unit in _LINES.items() for side in _SIDES}
    frame.attrs["units"] = {**_PRICES, **factors}
    return frame


def _by_limit(frame: pd.DataFrame) -> pd.DataFrame:
    """Congestion by branch, outage and interface."""
    limits = _limits(frame)
    texts = [pd.Index([limit[k] for limit in limits], dtype="str") for k in (0, 1)]
    keys = pd.MultiIndex.from_arrays([frame.index, *texts], names=["branch", "outage", "interface"])
    return frame.drop(columns=["outage", "generators_out", "interface"], errors="ignore").set_index(keys)


def _negated(frame: pd.DataFrame, rows: Collection[int]) -> pd.DataFrame:
    return frame.rename(index={row: -row for row in rows})


def _side(row: int, apart: Collection[int]) -> str:
    return " (before)" if row < 0 else " (after)" if row in apart else ""


def _sides(before: Any, after: Any) -> dict[str, np.ndarray]:
    first, second = np.asarray(before, dtype=np.float64), np.asarray(after, dtype=np.float64)
    return {"before": first, "after": second, "change": second - first}


def marginal_units(generators: pd.DataFrame, participation: Mapping[int, float]) -> pd.DataFrame:
    """The generators that set a price, from the `generators` of a solution and their participation, MW/MW by number."""
    frame = generators.loc[list(participation), ["bus", "energy_source", "p_mw", "cost"]].copy()
    frame["participation"] = np.fromiter(participation.values(), dtype=np.float64, count=len(participation))
    frame["value"] = frame["participation"] * frame["cost"]
    frame = frame.loc[frame["value"].abs().sort_values(ascending=False, kind="stable").index]
    frame.attrs.clear()
    frame.attrs["units"] = dict(_UNITS)
    return frame


def price_units(before: pd.DataFrame, after: pd.DataFrame, apart: Collection[int]) -> pd.DataFrame:
    """The generators that set the prices of two states, as `marginal_units` gives them; those in `apart` are others in the second state
    and have two rows."""
    joined = _negated(before, apart).add_suffix("_before").join(after.add_suffix("_after"), how="outer")
    columns: dict[str, Any] = {
        name: joined[f"{name}_after"].fillna(joined[f"{name}_before"]) for name in ("bus", "energy_source")
    }
    columns["bus"] = columns["bus"].astype(np.int64)
    columns |= {f"{name}_{side}": joined[f"{name}_{side}"] for name in ("participation", "cost") for side in _SIDES}
    # A generator at a limit takes no part in a state, unless that state is a breakpoint.
    value = [
        joined[f"value_{side}"].fillna(np.nan if frame.empty else 0.0)
        for side, frame in zip(_SIDES, (before, after), strict=True)
    ]
    frame = pd.DataFrame({**columns, **_sides(*value)}, index=joined.index)
    frame = frame.loc[frame["change"].abs().sort_values(ascending=False, kind="stable").index]
    frame.index = pd.Index(frame.index.to_numpy(dtype=np.int64), name="generator").map(abs)
    units = {f"{name}_{side}": _UNITS[name] for name in ("participation", "cost") for side in _SIDES}
    frame.attrs["units"] = {**units, **_PRICES}
    return frame


def rating_effects(
    rows: Sequence[Mapping[str, Any]],
    branches: pd.DataFrame,
    unit: str,
    raised_mw: float | None,
    exact: Sequence[float] | None,
) -> pd.DataFrame:
    """Effects of ratings on a price, in the order of `rows`; `branches` are those of the solution, `unit` that of its ratings."""
    ids = np.array([row["branch"] for row in rows], dtype=np.int64)
    own = branches.loc[ids]
    columns: dict[str, Any] = {
        **{name: own[name].to_numpy() for name in ("from_bus", "to_bus", "rating_mw", "shadow")},
        **{name: np.array([row[name] for row in rows], dtype=np.float64) for name in ("increase", "decrease")},
        "kind": pd.array([row["kind"] for row in rows], dtype="string"),
        "valid_from_mw": np.array([row["valid_from"] for row in rows], dtype=np.float64),
        "valid_to_mw": np.array([row["valid_to"] for row in rows], dtype=np.float64),
        "event": pd.array([row["event"] for row in rows], dtype="string"),
    }
    if raised_mw is not None and exact is not None:
        side = columns["increase"] if raised_mw > 0 else columns["decrease"]
        columns |= {"estimate": raised_mw * side, "exact": np.asarray(exact, dtype=np.float64)}
    frame = pd.DataFrame(columns, index=pd.Index(ids, name="branch"))
    slope = f"($/MWh)/{unit}"
    units = {
        "rating_mw": unit,
        "shadow": str(branches.attrs["units"]["shadow"]),
        "increase": slope,
        "decrease": slope,
        "valid_from_mw": unit,
        "valid_to_mw": unit,
        "estimate": "$/MWh",
        "exact": "$/MWh",
    }
    frame.attrs["units"] = {name: units[name] for name in frame.columns if name in units}
    return frame
