"""DataFrames of solutions: index names, columns, units."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
import wattbook as wb
from networks import three_bus

COLUMNS = {
    "buses": (
        "bus",
        {
            "name": None,
            "base_kv": "kV",
            "area": None,
            "zone": None,
            "longitude": "deg",
            "latitude": "deg",
            "demand_mw": "MW",
            "lmp": "$/MWh",
            "va_deg": "deg",
            "editable": None,
        },
    ),
    "branches": (
        "branch",
        {
            "name": None,
            "from_bus": None,
            "to_bus": None,
            "rating_mw": "MW",
            "rating_is_fallback": None,
            "rating_assumed": None,
            "p_from_mw": "MW",
            "p_to_mw": "MW",
            "loading": "fraction of rating",
            "shadow": "$/MWh",
            "in_service": None,
            "editable": None,
        },
    ),
    "generators": (
        "generator",
        {
            "bus": None,
            "bus_name": None,
            "area": None,
            "zone": None,
            "energy_source": None,
            "p_mw": "MW",
            "limit_shadow": "$/MWh",
            "p_min_mw": "MW",
            "p_max_mw": "MW",
            "cost": "$/MWh",
            "in_service": None,
        },
    ),
}


@pytest.mark.parametrize("table", COLUMNS)
def test_columns_index_and_units(study: wb.Study, table: str) -> None:
    index, columns = COLUMNS[table]
    frame: pd.DataFrame = getattr(study.solution, table)
    assert frame.index.name == index
    assert frame.columns.tolist() == list(columns)
    assert frame.attrs["units"] == {name: unit for name, unit in columns.items() if unit}


CASE_COLUMNS = {
    "buses": {
        "uid": None,
        "name": None,
        "base_kv": "kV",
        "area": None,
        "zone": None,
        "longitude": "deg",
        "latitude": "deg",
        "demand_mw": "MW",
        "gen_mw": "MW",
        "editable": None,
    },
    "branches": {
        "uid": None,
        "name": None,
        "from_bus": None,
        "to_bus": None,
        "r_pu": "pu",
        "x_pu": "pu",
        "b_pu": "pu",
        "tap": None,
        "shift_deg": "deg",
        "rating_mw": "MW",
        "rating_is_fallback": None,
        "rating_assumed": None,
        "is_switch": None,
        "in_service": None,
        "editable": None,
    },
    "generators": {
        "uid": None,
        "bus": None,
        "bus_name": None,
        "area": None,
        "zone": None,
        "energy_source": None,
        "p_min_mw": "MW",
        "p_max_mw": "MW",
        "dispatchable_load": None,
        "cost_model": None,
        "cost_c2": "$/MW²h",
        "cost_c1": "$/MWh",
        "cost_c0": "$/h",
        "cost_points": None,
        "in_service": None,
    },
}


@pytest.mark.parametrize("table", CASE_COLUMNS)
def test_columns_and_units_of_a_case(case: wb.Case, table: str) -> None:
    frame: pd.DataFrame = getattr(case, table)
    assert frame.columns.tolist() == list(CASE_COLUMNS[table])
    assert frame.attrs["units"] == {name: unit for name, unit in CASE_COLUMNS[table].items() if unit}


def test_a_case_has_the_numbers_of_its_file() -> None:
    text = three_bus().decode()
    text = text.replace("1\t3\t0.01\t0.1\t0\t250\t0\t0\t0\t0", "1\t3\t0.013\t0.17\t0.021\t250\t0\t0\t0.978\t-7.3")
    text = text.replace("2\t0\t0\t3\t0.085\t1.2\t0;", "1\t0\t0\t3\t10\t41.1\t70\t341.7\t270\t2541.7;")
    text = text.replace("0.11\t5\t0;", "0.11\t5\t3.7\t0\t0\t0;")
    case = wb.open_case(text.encode(), format="matpower")
    branch = case.branches.loc[2]
    assert branch[["r_pu", "x_pu", "b_pu", "tap", "shift_deg"]].tolist() == [0.013, 0.17, 0.021, 0.978, -7.3]
    assert case.branches["tap"].tolist() == [1, 0.978, 1]
    first, second = case.generators.loc[1], case.generators.loc[2]
    assert first[["cost_model", "cost_c2", "cost_c1", "cost_c0", "cost_points"]].tolist() == [
        "polynomial",
        0.11,
        5.0,
        3.7,
        (),
    ]
    assert second["cost_model"] == "piecewise_linear" and second[["cost_c2", "cost_c1", "cost_c0"]].isna().all()
    assert second["cost_points"] == ((10.0, 41.1), (70.0, 341.7), (270.0, 2541.7))
    assert case.buses[["longitude", "latitude"]].isna().all(axis=None)


def test_the_cost_of_the_dispatch_follows_from_the_table(case: wb.Case) -> None:
    solution, units = case.study().solution, case.generators
    p = solution.generators["p_mw"]
    cost = units["cost_c2"] * p**2 + units["cost_c1"] * p + units["cost_c0"]
    assert cost.sum() == pytest.approx(solution.objective, rel=1e-9)


def test_places_are_those_of_the_case(case: wb.Case) -> None:
    layer = b"bus,lat,lon\n1,30.5,-97.25\n3,30.5,-97.25\n"
    placed = case.with_geography(layer)
    assert placed.buses["longitude"].tolist()[::2] == [-97.25, -97.25]
    assert placed.buses["latitude"].tolist()[::2] == [30.5, 30.5]
    assert placed.buses.loc[2, ["longitude", "latitude"]].isna().all()
    texas = wb.open_case("texas").buses
    own = texas[texas["editable"]]
    assert own["longitude"].between(-107, -93).all() and own["latitude"].between(25, 37).all()


def test_units_survive_a_query(study: wb.Study) -> None:
    loaded = study.solution.branches.query("loading > 0.1")
    assert len(loaded) and loaded.attrs["units"]["rating_mw"] == "MW"


def test_values_carry_the_edits_and_agree_with_each_other(study: wb.Study) -> None:
    solution = study.commit({2: 10}, {1: -100})
    assert solution.buses["demand_mw"].tolist() == [0.0, 100.0, 0.0]
    assert solution.branches["rating_mw"].tolist() == [150.0, 250.0, 250.0]
    assert solution.generators["p_mw"].sum() == pytest.approx(100.0, abs=1e-9)
    branches = solution.branches
    assert (branches["p_from_mw"] + branches["p_to_mw"]).abs().max() == 0
    assert (branches["p_from_mw"].abs() / branches["rating_mw"] - branches["loading"]).abs().max() < 1e-12
    arriving = -branches["p_to_mw"][1] - branches["p_from_mw"][3]
    assert arriving == pytest.approx(100.0, abs=1e-9)


def test_an_older_solution_does_not_change(study: wb.Study) -> None:
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


def test_energy_sources_and_shadow_prices_of_limits() -> None:
    case = wb.open_case("carolina")
    generators = case.generators
    assert set(generators["energy_source"]) == {"coal", "gas", "nuclear", "hydro", "solar"}
    solution = case.study().solution
    units = solution.generators
    lmp = solution.buses["lmp"].loc[units["bus"]].to_numpy()
    # Stationarity of an output: lmp = 2 c2 p + c1 + mu_max - mu_min.
    marginal = (2 * generators["cost_c2"] * units["p_mw"] + generators["cost_c1"]).to_numpy()
    quadratic = (generators["cost_model"] == "polynomial").to_numpy()
    at_max = (units["p_mw"] >= units["p_max_mw"] - 1e-6).to_numpy() & quadratic
    at_min = (units["p_mw"] <= units["p_min_mw"] + 1e-6).to_numpy() & quadratic & ~at_max
    shadow = units["limit_shadow"].to_numpy()
    assert at_max.sum() > 5 and at_min.sum() > 0
    np.testing.assert_allclose(shadow[at_max], (lmp - marginal)[at_max], atol=1e-6)
    np.testing.assert_allclose(shadow[at_min], (marginal - lmp)[at_min], atol=1e-6)
    assert (shadow[quadratic & ~at_max & ~at_min] == 0).all()
    np.testing.assert_allclose(lmp[quadratic & ~at_max & ~at_min], marginal[quadratic & ~at_max & ~at_min], atol=1e-6)


@pytest.mark.parametrize("by", ["area", "zone", "base_kv"])
def test_sums_by_group_are_those_of_the_case(by: str) -> None:
    solution = wb.open_case("carolina").study().solution
    sums = solution.aggregate(by)
    assert sums.index.name == by and sums["buses"].sum() == len(solution.buses)
    assert sums["demand_mw"].sum() == pytest.approx(solution.buses["demand_mw"].sum())
    assert sums["generation_mw"].sum() == pytest.approx(solution.generators["p_mw"].sum())
    # Without losses net exports add up to zero.
    assert sums["net_export_mw"].sum() == pytest.approx(0.0, abs=1e-6)
    assert (sums["generation_mw"] <= sums["capacity_mw"] + 1e-6).all()
    assert sums["lmp"].between(sums["lmp_min"], sums["lmp_max"]).all()
    buses, demand = solution.buses, solution.buses["demand_mw"]
    paid = (buses["lmp"] * demand).sum()
    loaded = sums["demand_mw"] > 0
    assert (sums["lmp"] * sums["demand_mw"])[loaded].sum() == pytest.approx(paid)
    assert sums.attrs["units"]["net_export_mw"] == "MW"


def test_sums_by_something_else_are_refused() -> None:
    with pytest.raises(wb.InputError, match="by must be one of 'area', 'zone', 'base_kv'"):
        wb.open_case("carolina").study().solution.aggregate("colour")


@pytest.mark.parametrize("table", ["buses", "branches", "generators"])
def test_tables_are_copies(case: wb.Case, study: wb.Study, table: str) -> None:
    for owner in (case, study.solution):
        frame, before = getattr(owner, table), getattr(owner, table).copy()
        for name in frame.select_dtypes("number"):
            frame[name] = 12_345.0
        frame.attrs["units"].clear()
        pd.testing.assert_frame_equal(getattr(owner, table), before)
        assert getattr(owner, table).attrs == before.attrs != frame.attrs


def test_changing_a_table_does_not_change_the_result(case: wb.Case, study: wb.Study) -> None:
    profile = pd.DataFrame({1: [1.1]})
    text, sums, solved = (
        repr(study.solution),
        study.solution.aggregate("base_kv"),
        study.series(profile, by="area", unit="pu"),
    )
    for owner, table, column in (
        (case, "buses", "demand_mw"),
        (study.solution, "buses", "lmp"),
        (study.solution, "branches", "loading"),
    ):
        frame = getattr(owner, table)
        frame[column] = 0.0
    assert repr(study.solution) == text
    pd.testing.assert_frame_equal(study.solution.aggregate("base_kv"), sums)
    assert study.series(profile, by="area", unit="pu").sha256.tolist() == solved.sha256.tolist()
