"""Networks of other Python packages in memory, converted to a format that the engine reads. The packages are not
imported here; the caller has imported them."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..arguments import finite, formatted
from ..errors import InputError
from . import pypsa_reading as pypsa_networks

#: Tables of a MATPOWER case in a dictionary, and their smallest number of columns.
_TABLES = {"bus": 13, "gen": 10, "branch": 11, "gencost": 5}


def is_network(source: object) -> bool:
    """Whether a source is a network in memory rather than a file."""
    return isinstance(source, Mapping) or _package(source) in ("pandapower", "pypsa")


def text_of(source: Any) -> tuple[str, bytes, str]:
    """Id, contents and format of a network in memory: a pandapower or PyPSA network, or the dictionary of a MATPOWER or
    PowerModels case.

    Raises InputError `INPUT.FORMAT`.
    """
    if _package(source) == "pandapower":
        import pandapower

        return str(source.get("name") or "network"), pandapower.to_json(_as_solved(source)).encode(), "pandapower-json"
    if _package(source) == "pypsa":
        return *pypsa_networks.text_of(source), "powermodels-json"
    name = str(source.get("name") or "case")
    if isinstance(source.get("bus"), Mapping):
        return name, json.dumps(source, default=_plain).encode(), "powermodels-json"
    if "bus" in source and "branch" in source:
        return name, _matpower(source).encode(), "matpower"
    known = ", ".join(map(str, list(source)[:5]))
    raise InputError(
        "INPUT.FORMAT",
        f"A dictionary of a case has bus, branch, gen and baseMVA as in MATPOWER or PowerModels; this one has {known or 'nothing'}.",
    )


def _as_solved(net: Any) -> Any:
    """The network with the transformer model of its last power flow, from its result tables."""
    stated, last = net.get("user_pf_options") or {}, net.get("_options") or {}
    model = last.get("trafo_model") if last.get("mode") == "pf" else None
    if model is None:
        return net
    solved = copy.copy(net)
    solved["user_pf_options"] = {**stated, "trafo_model": model}
    return solved


def positions_of(source: Any) -> bytes | None:
    """CSV with the positions of a network's buses by number; None if its text has them or the network has no positions."""
    return pypsa_networks.positions(source) if _package(source) == "pypsa" else None


def fuels_of(source: Any) -> list[str]:
    """The fuel of each generator of a network by row; empty if its text has them or the network has no fuels."""
    return pypsa_networks.fuels(source) if _package(source) == "pypsa" else []


def _package(source: object) -> str:
    return type(source).__module__.partition(".")[0]


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    raise InputError("INPUT.FORMAT", f"The dictionary holds {formatted(value)}, which is neither a number nor a text.")


def _matpower(case: Mapping[str, Any]) -> str:
    """A MATPOWER file with full-precision numbers."""
    base = finite(np.asarray(case.get("baseMVA", 100.0)).reshape(-1)[0])
    if base is None:
        raise InputError("INPUT.FORMAT", f"baseMVA must be a number of MVA, not {formatted(case.get('baseMVA'))}.")
    lines = ["function mpc = case_of_dictionary", "mpc.version = '2';", f"mpc.baseMVA = {base!r};"]
    for name, least in _TABLES.items():
        if case.get(name) is None:
            continue
        rows = _rows(name, case[name], least)
        lines += [f"mpc.{name} = [", *("\t" + "\t".join(map(_digits, row)) + ";" for row in rows), "];"]
    return "\n".join(lines) + "\n"


def _rows(name: str, table: Any, least: int) -> np.ndarray:
    try:
        rows = np.asarray(table, dtype=float)
    except (TypeError, ValueError):
        raise InputError("INPUT.FORMAT", f"The table {name} holds values that are not numbers.") from None
    if rows.ndim != 2 or rows.shape[1] < least:
        shape = " by ".join(map(str, rows.shape))
        raise InputError("INPUT.FORMAT", f"The table {name} has at least {least} columns; this one is {shape}.")
    return rows


def _digits(value: float) -> str:
    if np.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    if np.isnan(value):
        return "NaN"
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))
