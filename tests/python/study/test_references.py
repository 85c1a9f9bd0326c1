"""Native results against published and independently computed ones (reference data; skipped where it is absent)."""

from __future__ import annotations

import csv
from pathlib import Path

import pandas as pd
import wattbook as wb

CONVENTIONS = {"matpower": "matpower", "powermodels_dcp": "powermodels"}
LARGEST = 3000


def locate(data: Path, name: str) -> Path | None:
    places = ("pglib", "pglib/api", "pglib/sad", "matpower", "activsg200", "activsg500", "activsg2000")
    return next((data / place / f"{name}.m" for place in places if (data / place / f"{name}.m").is_file()), None)


def test_objectives_of_pglib(data: Path) -> None:
    """Optimal rows to 1e-6, infeasible rows infeasible, up to 3,000 buses, in both conventions."""
    wrong: list[str] = []
    solved = infeasible = 0
    with (data / "reference/computed/dcopf_objectives.csv").open() as table:
        rows = [
            row for row in csv.DictReader(table) if row["case"].startswith("pglib_") and int(row["n_bus"]) <= LARGEST
        ]
    for row in rows:
        path = locate(data, row["case"])
        assert path is not None, row["case"]
        try:
            study = wb.open_case(path).study(options={"dc_convention": CONVENTIONS[row["convention"]]})
        except wb.SolveError as error:
            infeasible += 1
            if error.code != "SOLVE.INFEASIBLE" or not row["status"].startswith("infeasible"):
                wrong.append(f"{row['case']} {row['convention']}: {error}")
            continue
        solved += 1
        objective, expected = study.solution.objective, float(row["objective"] or "nan")
        if not abs(objective - expected) <= 1e-6 * expected:
            wrong.append(
                f"{row['case']} {row['convention']}: {objective}, expected {row['objective'] or row['status']}"
            )
    assert not wrong, "\n".join(wrong)
    expected = sum(row["status"] == "optimal" for row in rows)
    assert (solved, infeasible) == (expected, len(rows) - expected)
    assert len(rows) > 80


def test_sensitivity_columns(data: Path) -> None:
    """dLMP/dd and dLMP/dfmax against central differences of another solver (convention matpower)."""
    wrong: list[str] = []
    compared = 0
    for path in sorted((data / "reference/computed/sensitivity").glob("*.csv")):
        name, target = path.stem.rsplit(".", 1)
        source = locate(data, name)
        assert source is not None, name
        element, ident = ("bus", target.split("bus")[1]) if "bus" in target else ("branch", target.split("branch")[1])
        study = wb.open_case(source).study(options={"dc_convention": "matpower"})
        column = study.sensitivity(**{element: int(ident)})
        known = pd.read_csv(path, index_col=0).iloc[:, -1]
        difference = (column.values.reindex(known.index) - known).abs().max()
        compared += 1
        if not difference <= 2e-4 * max(known.abs().max(), 1e-3):
            wrong.append(f"{path.name}: off by {difference:.2e} of {known.abs().max():.2e} ({column.kind})")
    assert not wrong, "\n".join(wrong)
    assert compared == 31
