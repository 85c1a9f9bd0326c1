"""Distribution factors against the susceptance matrix, inverted by numpy, and against solves without a line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import wattbook as wb
from networks import three_bus
from wattbook.errors import ArgumentError, EditError, InputError


def dense_ptdf(case: wb.Case, slack: int) -> np.ndarray:
    """Branches by buses: diag(b) A (A' diag(b) A)^-1, the row of the slack left out (Wood, Wollenberg and Sheblé, 3rd ed., 7.6)."""
    buses, branches = case.buses, case.branches
    rows = buses.index.get_indexer
    b = 1 / (branches["x_pu"] * branches["tap"])
    b = np.where(branches["in_service"], b, 0.0)
    incidence = np.zeros((len(branches), len(buses)))
    lines = np.arange(len(branches))
    incidence[lines, rows(branches["from_bus"])] = 1
    incidence[lines, rows(branches["to_bus"])] = -1
    others = np.delete(np.arange(len(buses)), buses.index.get_loc(slack))
    flows = b[:, None] * incidence
    laplacian = incidence.T @ flows
    factors = np.zeros_like(incidence)
    factors[:, others] = flows[:, others] @ np.linalg.inv(laplacian[np.ix_(others, others)])
    return factors


MATPOWER = {"dc_convention": "matpower"}


def test_ptdf_is_that_of_the_susceptance_matrix() -> None:
    case = wb.open_case("carolina")
    slack = int(case.buses.index[7])
    factors = case.ptdf(slack, options=MATPOWER)
    assert isinstance(factors, pd.DataFrame)
    assert factors.index.equals(case.branches.index) and factors.columns.equals(case.buses.index)
    assert np.abs(factors.to_numpy() - dense_ptdf(case, slack)).max() < 1e-9
    factors.iloc[0, 0] = 0.5  # the frame is a copy
    assert factors.iloc[0, 0] == 0.5


def test_lodf_follows_from_ptdf_and_leaves_bridges_out() -> None:
    case = wb.open_case("carolina")
    branches, ptdf = case.branches, case.ptdf(options=MATPOWER).to_numpy()
    rows = case.buses.index.get_indexer
    transfer = ptdf[:, rows(branches["from_bus"])] - ptdf[:, rows(branches["to_bus"])]
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = transfer / (1 - np.diag(transfer))
    np.fill_diagonal(expected, -1)
    bridges = np.abs(1 - np.diag(transfer)) < 1e-9
    found = case.lodf(options=MATPOWER)
    assert found.columns.name == "outage"
    assert bridges.any() and np.isnan(found.to_numpy()[:, bridges]).all()
    assert np.abs(found.to_numpy()[:, ~bridges] - expected[:, ~bridges]).max() < 1e-8


def test_a_slack_is_shared_and_only_differences_of_factors_count() -> None:
    case = wb.open_case("carolina")
    weights = {int(case.buses.index[3]): 1.0, int(case.buses.index[20]): 3.0}
    factors = case.ptdf(weights)
    at = factors[list(weights)].to_numpy()
    assert np.abs(at @ [0.25, 0.75]).max() < 1e-12
    moved = (factors.to_numpy() - case.ptdf().to_numpy()).std(axis=1)
    assert moved.max() < 1e-12
    demand = case.buses["demand_mw"].clip(lower=0)
    shared = case.ptdf("demand").to_numpy() @ (demand / demand.sum()).to_numpy()
    assert np.abs(shared).max() < 1e-12


def test_prices_are_the_slack_s_minus_factors_times_shadow_prices() -> None:
    study = wb.open_case("carolina").study()
    solution = study.solution
    slack = int(solution.buses.index[0])
    factors = study.shift_factors(slack)
    lines = solution.branches.loc[factors.index]
    assert len(lines) == 7
    signed = lines["shadow"] * np.sign(lines["p_from_mw"])
    expected = solution.buses.loc[slack, "lmp"] - factors.to_numpy().T @ signed.to_numpy()
    assert np.abs(expected - solution.buses["lmp"].to_numpy()).max() < 1e-9


def test_a_threshold_makes_a_sparse_series() -> None:
    case = wb.open_case("carolina")
    dense, some = case.ptdf().stack(), case.ptdf(threshold=0.05)
    expected = dense[dense.abs() >= 0.05]
    assert some.index.names == ["branch", "bus"] and some.name == "ptdf"
    assert some.sort_index().equals(expected.rename("ptdf").sort_index())
    one = case.lodf(branches=[5], threshold=0.1)
    assert set(one.index.get_level_values("branch")) == {5}


def test_arguments_are_checked() -> None:
    case = wb.open_case("carolina")
    with pytest.raises(EditError, match=r"BRANCH\.UNKNOWN"):
        case.ptdf(branches=["nowhere"])
    with pytest.raises(EditError, match=r"BUS\.UNKNOWN"):
        case.ptdf("nowhere")
    with pytest.raises(ArgumentError, match=r"ARGUMENT\.LIST"):
        case.ptdf(branches="1")
    with pytest.raises(ArgumentError, match=r"ARGUMENT\.NUMBER"):
        case.lodf(threshold=-1)
    with pytest.raises(ArgumentError, match=r"ARGUMENT\.OPTIONS"):
        case.lodf(options={"slack": "distributed"})
    first = int(case.buses.index[0])
    with pytest.raises(InputError, match="weights of the slack sum to zero"):
        case.ptdf({first: 0.0})


def test_results_are_geojson_with_their_columns() -> None:
    solution = wb.open_case("carolina").study().solution
    features = json.loads(solution.to_geojson())["features"]
    buses, branches = solution.buses, solution.branches
    assert len(features) == len(buses) + len(branches)
    bus, line = features[0], features[len(buses)]
    number = buses.index[0]
    assert bus["properties"]["bus"] == number and bus["properties"]["lmp"] == buses.loc[number, "lmp"]
    assert bus["geometry"]["coordinates"] == [buses.loc[number, "longitude"], buses.loc[number, "latitude"]]
    assert line["geometry"]["type"] == "LineString"
    assert line["properties"]["p_from_mw"] == branches.iloc[0]["p_from_mw"]
    ends = [buses.loc[branches.iloc[0][end], ["longitude", "latitude"]].tolist() for end in ("from_bus", "to_bus")]
    assert [line["geometry"]["coordinates"][0], line["geometry"]["coordinates"][-1]] == ends


def test_results_without_positions_have_no_geojson(tmp_path: Path) -> None:
    path = tmp_path / "three.m"
    path.write_bytes(three_bus())
    with pytest.raises(InputError, match=r"INPUT\.GEO_EMPTY"):
        wb.open_case(path).study().solution.to_geojson()
