"""The PyPSA networks of the data folder by snapshot, beside `network.optimize()` of PyPSA with HiGHS: a table of what is equal, what differs by
what the case says is left out, and what is refused.

    PYTHONPATH=widgets/python PYTHON tests/bench/corpus/pypsaNetworks.py [--snapshots 6]

in an environment with pypsa (`tests/extras/peers.txt`). Ends with 1 where a result differs from that of the network which the case
says it is: without links, storage, extensions, commitment and global constraints.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import warnings
from pathlib import Path

import numpy as np
import pypsa
import wattbook as wb

logging.disable(logging.WARNING)
warnings.simplefilter("ignore")
#: Agreement of prices, $/MWh, and of objectives, relative. HiGHS solves to 1e-7.
PRICE, COST = 1e-3, 1e-6
OPTIONS = {"dc_convention": "matpower"}


def optimum(n: pypsa.Network) -> tuple[float, np.ndarray] | None:
    done = n.optimize(solver_name="highs", log_to_console=False, include_objective_constant=False)
    if done != ("ok", "optimal"):
        return None
    buses = n.buses.index[n.buses["carrier"] == "AC"]
    return float(n.objective), n.buses_t.marginal_price.iloc[0][buses].to_numpy()


def without(n: pypsa.Network) -> pypsa.Network:
    """The network without the parts that the conversion leaves out."""
    m = n.copy()
    for component in ("Link", "StorageUnit", "Store", "Process", "GlobalConstraint"):
        m.remove(component, m.components[component].static.index)
    others = m.buses.index[m.buses["carrier"] != "AC"]
    for component in ("Generator", "Load", "ShuntImpedance"):
        table = m.components[component].static
        m.remove(component, table.index[table["bus"].isin(others)])
    for component in ("Line", "Transformer"):
        table = m.components[component].static
        m.remove(component, table.index[table["bus0"].isin(others) | table["bus1"].isin(others)])
    m.remove("Bus", others)
    m.generators["p_nom_extendable"] = m.generators["committable"] = False
    m.lines["s_nom_extendable"] = m.transformers["s_nom_extendable"] = False
    return m


def row(n: pypsa.Network) -> tuple[str, str]:
    """Verdict and sentence of the only snapshot of a network."""
    try:
        case = wb.open_case(n)
    except wb.InputError as refused:
        return "refused", refused.message
    named = [one.message for one in case.warnings if one.code == "INPUT.LEFT_OUT"]
    theirs, whole = optimum(without(n)), optimum(n.copy())
    try:
        solution = case.study(options=OPTIONS).solution
    except wb.SolveError as error:
        if theirs is None:
            return "named difference" if whole else "equal", f"neither has a solution: {error.message}"
        return "DIFFERENT", f"{error.message}, where PyPSA finds {theirs[0]:,.2f} $/h"
    if theirs is None:
        return "DIFFERENT", f"{solution.objective:,.2f} $/h, where PyPSA finds no solution"
    prices = solution.buses["lmp"].to_numpy()
    apart = float(np.abs(prices - theirs[1]).max())
    cost = abs(solution.objective - theirs[0]) / max(1.0, abs(theirs[0]))
    if cost > COST or apart > PRICE:
        count = int((np.abs(prices - theirs[1]) > PRICE).sum())
        return (
            "DIFFERENT",
            f"{solution.objective:,.4f} and {theirs[0]:,.4f} $/h; {count} prices differ, by up to {apart:.3g} $/MWh",
        )
    result = f"{solution.objective:,.2f} $/h, prices to {apart:.0e} $/MWh"
    if whole is not None and abs(solution.objective - whole[0]) <= COST * max(1.0, abs(whole[0])):
        return "equal", result
    there = f"{whole[0]:,.2f} $/h" if whole else "no solution"
    return "named difference", f"{result}; with what is left out PyPSA finds {there}: {' '.join(named)}"


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--snapshots", type=int, default=6)
    folder = Path(os.environ.get("WATTBOOK_DATA") or Path(__file__).parents[4] / "shared" / "data") / "pypsa"
    if not folder.is_dir():
        print("The data folder is not there.")
        return 0
    failed = False
    print("| Network | Snapshot | Result | |\n|---|---|---|---|")
    for path in sorted(folder.iterdir()):
        network = pypsa.Network(path)
        places = np.unique(np.linspace(0, len(network.snapshots) - 1, options.parse_args().snapshots).astype(int))
        for snapshot in network.snapshots[places]:
            verdict, sentence = row(network.copy(snapshots=[snapshot]))
            failed |= verdict == "DIFFERENT"
            print(f"| {path.name} | {snapshot} | {verdict} | {sentence} |", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
