"""DataFrames of solutions: index names, columns, units."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest
import wattbook as wb

COLUMNS = {
    "buses": (
        "bus",
        {"name": None, "base_kv": "kV", "demand_mw": "MW", "lmp": "$/MWh", "va_deg": "deg", "editable": None},
    ),
    "branches": (
        "branch",
        {
            "from_bus": None,
            "to_bus": None,
            "rating": "MW",
            "rating_is_fallback": None,
            "p_from_mw": "MW",
            "p_to_mw": "MW",
            "loading": "fraction of rating",
            "shadow": "$/MWh",
            "editable": None,
        },
    ),
    "generators": ("generator", {"bus": None, "p_mw": "MW", "p_min_mw": "MW", "p_max_mw": "MW"}),
}


@pytest.mark.parametrize("table", COLUMNS)
def test_columns_index_and_units(study: wb.Study, table: str) -> None:
    index, columns = COLUMNS[table]
    frame: pd.DataFrame = getattr(study.solution, table)
    assert frame.index.name == index
    assert frame.columns.tolist() == list(columns)
    assert frame.attrs["units"] == {name: unit for name, unit in columns.items() if unit}


def test_units_survive_a_query(study: wb.Study) -> None:
    loaded = study.solution.branches.query("loading > 0.1")
    assert len(loaded) and loaded.attrs["units"]["rating"] == "MW"


def test_values_carry_the_edits_and_agree_with_each_other(study: wb.Study) -> None:
    solution = study.commit({2: 10}, {1: -100})
    assert solution.buses["demand_mw"].tolist() == [0.0, 100.0, 0.0]
    assert solution.branches["rating"].tolist() == [150.0, 250.0, 250.0]
    assert solution.generators["p_mw"].sum() == pytest.approx(100.0, abs=1e-9)
    branches = solution.branches
    assert (branches["p_from_mw"] + branches["p_to_mw"]).abs().max() == 0
    assert (branches["p_from_mw"].abs() / branches["rating"] - branches["loading"]).abs().max() < 1e-12
    arriving = -branches["p_to_mw"][1] - branches["p_from_mw"][3]
    assert arriving == pytest.approx(100.0, abs=1e-9)


def test_an_older_solution_keeps_its_numbers(study: wb.Study) -> None:
    before = study.solution
    study.commit({2: 10})
    assert before.buses["demand_mw"][2] == 90.0
    assert before.objective == pytest.approx(626.948717949, rel=1e-9)


def test_a_sensitivity_is_a_series_with_units(study: wb.Study) -> None:
    column = study.sensitivity(bus=2)
    assert column.values.index.name == "bus"
    assert column.values.attrs["units"] == column.units == "($/MWh)/MW"
    assert (column.parameter, column.element) == ("demand", {"kind": "bus", "id": 2})


def test_an_invented_rating_is_marked(open_three_bus: Callable[..., wb.Case]) -> None:
    case = open_three_bus(rating_12=0)
    for frame in (case.branches, case.study().solution.branches):
        assert frame["rating_is_fallback"].dtype == bool
        assert frame["rating_is_fallback"].tolist() == [True, False, False]
