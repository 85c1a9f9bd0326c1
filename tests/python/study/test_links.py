"""HVDC links in tables, series, sweeps and files: closed forms on two islands."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
import wattbook as wb
from wattbook.cli.command import main

#: Two islands: 20 $/MWh at bus 1, 50 $/MWh at bus 2 with 90 MW. The link has 60 MW and loses 4 MW and 10 %: 50 MW
#: arrive of 60. With 30 MW at bus 2 it sends 34 / 0.9 MW.
APART = """function mpc = apart
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [1 3 30 0 0 0 1 1 0 230 1 1.1 0.9; 2 3 90 0 0 0 1 1 0 230 1 1.1 0.9];
mpc.gen = [1 90 0 99 -99 1 100 1 200 0; 2 40 0 99 -99 1 100 1 200 0];
mpc.branch = [];
mpc.gencost = [2 0 0 2 20 0; 2 0 0 2 50 0];
mpc.dcline = [1 2 1 50 0 3 4 1 1 0 60 -9 9 -9 9 4 0.1];
"""
SENT = 34 / 0.9


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "apart.m"
    path.write_text(APART)
    return path


@pytest.mark.parametrize("formulation", ["dcopf", "socwr"])
def test_an_optimum_has_the_value_of_a_link(path: Path, formulation: wb.FormulationId) -> None:
    solution = wb.open_case(path).study(formulation).solution
    link = solution.links.loc[1]
    assert [link["p_from_mw"], link["p_to_mw"]] == pytest.approx([60, 50], abs=1e-4)
    assert link["price_difference"] == pytest.approx(30, abs=1e-4)
    assert link["shadow"] == pytest.approx(0.9 * 50 - 20, abs=1e-3)
    assert link["rent"] == pytest.approx(50 * 50 - 60 * 20, abs=1e-2)
    assert solution.objective == pytest.approx(90 * 20 + 40 * 50, abs=1e-3)


def test_an_ac_power_flow_holds_the_schedule(path: Path) -> None:
    solution = wb.open_case(path).study("acpf").solution
    link = solution.links.loc[1]
    assert [link["p_from_mw"], link["p_to_mw"]] == pytest.approx([50, 41], abs=1e-9)
    assert solution.generators["p_mw"].tolist() == pytest.approx([80, 49], abs=1e-9)
    assert {"q_from_mvar", "q_to_mvar"} <= set(solution.links.columns)
    assert solution.links.attrs["units"]["q_to_mvar"] == "MVAr"


def test_series_and_sweeps_have_the_powers_of_links(path: Path, tmp_path: Path) -> None:
    study = wb.open_case(path).study()
    series = study.series(pd.DataFrame({2: [90.0, 30.0]}))
    assert series.links[1].tolist() == pytest.approx([60, SENT], abs=1e-9)
    assert series.links.attrs["units"] == "MW"
    assert series.links.columns.name == "link"
    sweep = wb.sweep(study, [{"demand": {2: 0}}, {"demand": {2: -60}}], tables=["links"])
    assert sweep.links[1].tolist() == pytest.approx([60, SENT], abs=1e-9)
    with pytest.raises(wb.ArgumentError, match='pass tables=\\["links", "prices"\\]'):
        _ = sweep.prices


def test_a_case_without_links_has_no_table_of_them(case: wb.Case) -> None:
    series = case.study().series(pd.DataFrame({2: [90.0]}))
    with pytest.raises(wb.ArgumentError, match="has no links"):
        _ = series.links


def test_geojson_has_links_as_lines(path: Path) -> None:
    case = wb.open_case(path).with_geography(b"bus,lat,lon\n1,35,-98\n2,36,-97\n")
    features = json.loads(case.study().solution.to_geojson())["features"]
    (link,) = [feature for feature in features if "link" in feature["properties"]]
    assert link["id"] == "link 1"
    assert link["geometry"] == {"type": "LineString", "coordinates": [[-98, 35], [-97, 36]]}
    assert link["properties"]["p_from_mw"] == pytest.approx(60)


def test_the_command_line_prints_the_table(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(path), "--csv", "links"]) == 0
    head, row = capsys.readouterr().out.splitlines()
    assert head.startswith("link,from_bus,to_bus,p_from_mw,p_to_mw")
    assert row.startswith("1,1,2,60.0,50.0")
