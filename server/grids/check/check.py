"""Asks established tools about the committed grids and writes what they say to check/results.json.

    python check.py GRIDS_FOLDER [ID ...]

pandapower's Newton-Raphson solves the AC power flow from flat voltages, with and without reactive limits; the voltages of the
module itself must agree. clarabel solves the second-order cone relaxation of the AC optimal power flow (soc.py). Ends with
exit code 1 where a power flow does not converge or a relaxation is infeasible.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

import acflow
import modules
import soc

#: Largest difference between the module's own voltages and pandapower's: they are rounded to 5 decimals, MW to 2.
VOLTAGE_TOLERANCE = 1e-3


def criterion(name: str, limits: str, value: str, met: bool) -> dict:
    return {"name": name, "range": limits, "value": value, "met": bool(met)}


def check(case: modules.Case) -> list[dict]:
    results = []
    for title, limits in (("", False), (" with reactive limits", True)):
        flow = acflow.solve(case, limits)
        name = f"AC power flow{title} (pandapower {acflow.VERSION})"
        if flow is None:
            results.append(criterion(name, "converges", "does not converge", False))
            continue
        results.append(
            criterion(name, "converges", f"{flow.iterations} iterations, losses {flow.losses_mw:.1f} MW", True)
        )
        low, high = flow.vm.min(), flow.vm.max()
        value = f"{low:.4f} .. {high:.4f}"
        results.append(criterion(f"voltages{title}, per unit", "0.9 .. 1.1", value, 0.9 <= low <= high <= 1.1))
        apart = abs(flow.vm - case.vm)[: case.canonical].max()
        results.append(
            criterion(
                f"voltages{title}: from those in the module",
                f"at most {VOLTAGE_TOLERANCE}",
                f"{apart:.6f}",
                apart <= VOLTAGE_TOLERANCE,
            )
        )
        slack = f"{flow.slack_mw:.2f} MW of {case.slack_limits_mw[0]:g} .. {case.slack_limits_mw[1]:g}"
        within = case.slack_limits_mw[0] <= flow.slack_mw <= case.slack_limits_mw[1]
        results.append(criterion(f"reference unit{title}", "within its limits", slack, within))
    relaxed = soc.solve(case)
    name = f"second-order cone relaxation (clarabel {soc.VERSION})"
    results.append(criterion(name, "Solved", relaxed.status, relaxed.status == "Solved"))
    if relaxed.status == "Solved":
        value = f"{relaxed.objective:.2f} $/h, {relaxed.iterations} iterations"
        results.append(criterion("its optimum", "finite", value, True))
        value = f"{relaxed.imbalance_mva:.2e} MVA"
        results.append(
            criterion("its largest imbalance at a bus", "at most 0.01 MVA", value, relaxed.imbalance_mva <= 0.01)
        )
    return results


def main() -> int:
    folder = Path(sys.argv[1])
    wanted = set(sys.argv[2:])
    warnings.simplefilter("ignore", FutureWarning)
    manifest = json.loads((folder / "manifest.json").read_text())
    path = folder / "check" / "results.json"
    found = json.loads(path.read_text()) if path.exists() else {}
    missed = 0
    for grid in manifest["grids"]:
        if wanted and grid["id"] not in wanted:
            continue
        case = modules.read(folder / grid["module"], grid["sha256"])
        results = check(case)
        found[grid["id"]] = {"sha256": grid["sha256"], "results": results}
        for row in results:
            print(f"{grid['id']}: {row['name']}: {row['value']}{'' if row['met'] else ' MISSED'}", flush=True)
            missed += not row["met"]
    path.write_text(json.dumps(found, indent=2) + "\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
