"""Real files: opened, placed, solved and written (reference data; skipped where it is absent)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import wattbook as wb
from wattbook.cli import main

pytestmark = pytest.mark.filterwarnings("ignore::wattbook.ExportWarning")
#: DC OPF of the .m in $/h (reference/computed/dcopf_objectives.csv, MATPOWER).
REFERENCE = 27_479.64331
#: One grid of 200 buses; the PowerWorld files are of a later revision with one more branch.
GRID = {"case_ACTIVSg200.m": 245, "ACTIVSg200.RAW": 245, "ACTIVSg200.aux": 246, "ACTIVSg200.pwb": 246}


@pytest.mark.parametrize("name", GRID)
def test_one_grid_in_four_formats(data: Path, name: str) -> None:
    case = wb.open_case(data / "activsg200" / name)
    assert case.counts == {"buses": 200, "branches": GRID[name], "generators": 49}
    codes = {warning.code for warning in case.warnings}
    solution = case.study(options={"dc_convention": "matpower"}).solution
    if name.endswith((".m", ".aux")):
        assert "COST.NOT_IN_FORMAT" not in codes and solution.objective > 20_000
    else:
        assert "COST.NOT_IN_FORMAT" in codes and solution.objective == 0
    if name.endswith(".m"):
        assert solution.objective == pytest.approx(REFERENCE, rel=1e-6)


def test_positions_inside_a_case_file(data: Path) -> None:
    """The substations of the .aux have latitudes and longitudes, which the .m of the same grid adopts."""
    placed = wb.open_case(data / "activsg200" / "ACTIVSg200.aux")
    assert placed.coords_kind == "file"
    bare = wb.open_case(data / "activsg200" / "case_ACTIVSg200.m")
    taken = bare.with_geography(placed.to_geojson().encode())
    assert taken.geo_report is not None and taken.geo_report.matched_buses == 200 and taken.coords_kind == "file"


def test_california(data: Path) -> None:
    case = wb.open_case(data / "cats" / "CaliforniaTestSystem.m")
    placed = case.with_geography(data / "cats" / "CATS_buses.csv")
    report = placed.geo_report
    assert report is not None and (report.matched_buses, report.unmatched_records, report.unplaced_buses) == (
        8870,
        0,
        0,
    )
    lon, lat = zip(
        *(row["geometry"]["coordinates"] for row in json.loads(placed.to_geojson())["features"]), strict=True
    )
    assert -125 < min(lon) < max(lon) < -113 and 32 < min(lat) < max(lat) < 43
    # The archived branch file has old numbers: routes that do not end at the buses of their branch are ignored.
    routed = placed.with_geography(data / "cats" / "branch_data.csv")
    assert routed.geo_report is not None and routed.geo_report.matched_branches == 202
    assert {note.code for note in routed.geo_report.notes} == {"GEO.ENDS_DISAGREE"}
    for name, says in (("CATS_gens.csv", "a generator, not a bus"), ("added_nodes.geojson", "does not say which bus")):
        with pytest.raises(wb.InputError, match=says):
            case.with_geography(data / "cats" / name)


def test_layers_one_after_the_other(data: Path, tmp_path: Path) -> None:
    """RTS-GMLC: Points first, then LineStrings."""
    case = wb.open_case(data / "rts_gmlc" / "RTS_GMLC.m")
    placed = case.with_geography(data / "rts_gmlc" / "bus.geojson")
    assert placed.geo_report is not None and placed.geo_report.matched_buses == 73
    routed = placed.with_geography(data / "rts_gmlc" / "branch.geojson")
    assert routed.geo_report is not None and routed.geo_report.matched_branches > 100
    again = case.with_geography(routed.save_geojson(tmp_path))
    assert again.to_geojson() == routed.to_geojson()


def test_rts_gmlc_is_solved_with_its_link(data: Path) -> None:
    """HiGHS finds 225,806.0715 $/h and one price, 34.009286 $/MWh; the power of the link is not unique."""
    case = wb.open_case(data / "rts_gmlc" / "RTS_GMLC.m")
    link = case.links.loc[1]
    assert (link["from_bus"], link["to_bus"], link["p_min_mw"], link["p_max_mw"]) == (113, 316, -100.0, 100.0)
    solution = case.study().solution
    assert solution.objective == pytest.approx(225_806.0715, abs=1e-3)
    assert solution.buses["lmp"].dropna().to_numpy() == pytest.approx(34.009286, abs=1e-6)
    links = solution.links
    assert list(links.columns) == [
        *("from_bus", "to_bus", "p_from_mw", "p_to_mw", "price_difference", "shadow", "rent"),
        *("p_min_mw", "p_max_mw", "in_service"),
    ]
    assert links.attrs["units"]["rent"] == "$/h"
    assert links.loc[1, "p_from_mw"] == links.loc[1, "p_to_mw"]
    flow = case.study("acpf").solution
    assert flow.links.loc[1, ["p_from_mw", "p_to_mw"]].tolist() == [0.0, 0.0], "the schedule of the file"
    assert flow.buses.loc[[113, 316], "vm_pu"].tolist() == [1.0, 1.0], "the set-points of its converters"
    by_table = case.with_geography(data / "rts_gmlc" / "bus.csv")
    assert by_table.geo_report is not None and by_table.geo_report.matched_buses == 73


def test_a_three_winding_transformer_stays_one(data: Path) -> None:
    """Counts are those of the file; the star of the transformer is shown but not editable."""
    case = wb.open_case(data / "raw" / "powermodels" / "case4_3wtf_vnom0_cw2.raw")
    assert case.counts == {"buses": 3, "branches": 0, "generators": 1}
    assert case.buses["editable"].tolist() == [True] * 3 + [False]
    assert case.branches["editable"].tolist() == [False] * 3
    assert case.with_layout((10, 50)).counts == case.counts
    with pytest.raises(wb.EditError, match="three-winding transformer"):
        case.study().commit({int(case.buses.index[-1]): 5})


def test_a_nested_collection_and_a_table_agree(data: Path) -> None:
    case = wb.open_case(data / "activsg500" / "case_ACTIVSg500.m")
    places = []
    for name in ("ACTIVSg500_bus_coords.csv", "case_ACTIVSg500_exago.json"):
        placed = case.with_geography(data / "activsg500" / name)
        assert placed.geo_report is not None and placed.geo_report.matched_buses == 500
        rows = json.loads(placed.to_geojson())["features"]
        points = (row for row in rows if row["geometry"]["type"] == "Point")
        places.append({row["properties"]["bus_id"]: row["geometry"]["coordinates"] for row in points})
    for bus, at in places[0].items():
        assert places[1][bus] == pytest.approx(at, abs=0.02)


@pytest.mark.parametrize("name", ["egret_case14", "egret_case30", "egret_case9", "opfdataset_example_0"])
def test_json_families(data: Path, name: str) -> None:
    case = wb.open_case(data / "case_json" / f"{name}.json")
    assert case.id == name and case.study().solution.objective > 0


def test_a_round_through_every_format(data: Path, tmp_path: Path) -> None:
    """Formats with costs return the optimum; content that a format cannot hold is refused or reported, never wrong."""
    case = wb.open_case(data / "activsg200" / "case_ACTIVSg200.m")
    objective = case.study().solution.objective
    solved = set()
    for token, row in wb.export_formats().iterrows():
        written = case.export(tmp_path / f"{token}{row['extension']}", format=str(token))
        assert written.stat().st_size > 1000
        if token in ("matpower", "powerworld", "powermodels-json", "egret-json", "pandapower-json"):
            again = wb.open_case(written)
            assert again.counts["buses"] == 200
            assert again.study().solution.objective == pytest.approx(objective, rel=1e-6), token
            solved.add(token)
    assert len(solved) == 5


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("aux/rts_gmlc_gic_pnw_bus_coords.aux", "INPUT.NO_EQUIPMENT"),
        ("rts_gmlc/RTS-GMLC.PWB", "INPUT.IMPLAUSIBLE"),
        ("case_json/retired_bare_model_case30.json", "INPUT.FORMAT"),
        ("dist_json/bmopf/draft_bmopf_schema.json", "INPUT.FORMAT"),
        ("rts_gmlc/bus.csv", "INPUT.FORMAT"),
        ("activsg200/ACTIVSg200.pwd", "INPUT.FORMAT"),
    ],
)
def test_refusals(data: Path, name: str, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(wb.InputError) as caught:
        wb.open_case(data / name)
    assert caught.value.code == code
    assert main(["solve", str(data / name)]) == 2
    assert code in capsys.readouterr().err


def test_feeders_are_solved_on_the_command_line_and_are_no_cases(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("dist_json/bmopf/ieee34.json", "dss/13Bus/IEEE13Nodeckt.dss"):
        with pytest.raises(wb.InputError) as caught:
            wb.open_case(data / name)
        assert caught.value.code == "INPUT.FORMAT"
    assert main(["solve", str(data / "dist_json/bmopf/ieee34.json")]) == 0
    output = capsys.readouterr().out
    # Regulators given as ratios do not produce a bus of 1 V.
    assert "highest voltage   1.0500 pu (41,829.0 V) at sourcebus.1" in output
    assert main(["solve", str(data / "dss/13Bus/IEEE13Nodeckt.dss")]) == 2
    assert "[PHYSICS.UNSUPPORTED]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "loads", "load_kw"),
    [
        ("dss/13Bus/IEEE13Nodeckt.dss", 15, 3466.0),
        ("dss/34Bus/ieee34Mod1.dss", 68, 1769.0),
        ("dss/37Bus/ieee37.dss", 30, 2457.0),
        ("dss/123Bus/IEEE123Master.dss", 91, 3490.0),
    ],
)
def test_feeders_and_the_files_they_include(data: Path, name: str, loads: int, load_kw: float) -> None:
    """Totals of the IEEE feeders as published (spot and distributed loads, kW)."""
    network = wb.open_distribution(data / name)
    assert network.counts["loads"] == loads
    assert network.load_kw == pytest.approx(load_kw, rel=2e-3)


def test_distribution_json(data: Path) -> None:
    for name in ("bmopf/ieee34.json", "bmopf_2026-06/example_ieee13.json", "pmd/ieee13.json"):
        network = wb.open_distribution(data / "dist_json" / name)
        assert network.counts["buses"] > 10 and len(network.edges) > 10
