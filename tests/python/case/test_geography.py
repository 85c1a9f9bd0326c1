"""Positions of buses: layers, layouts, and both as a file."""

from __future__ import annotations

import _thread
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import wattbook as wb
from networks import ring_of, three_bus

CSV = b"bus,lat,lon\n1,40.0,-89.0\n2,40.5,-88.0\n3,41.0,-89.5\n"
PLACES = {1: [-89.0, 40.0], 2: [-88.0, 40.5], 3: [-89.5, 41.0]}


def places(case: wb.Case) -> dict[int, list[float]]:
    features = json.loads(case.to_geojson())["features"]
    return {
        row["properties"]["bus_id"]: row["geometry"]["coordinates"]
        for row in features
        if row["geometry"]["type"] == "Point"
    }


def geojson(*features: tuple[str, Any, dict[str, Any]]) -> bytes:
    rows = [
        {"type": "Feature", "geometry": {"type": kind, "coordinates": at}, "properties": properties}
        for kind, at, properties in features
    ]
    return json.dumps({"type": "FeatureCollection", "features": rows}).encode()


def test_a_layer_gives_a_new_case(case: wb.Case) -> None:
    placed = case.with_geography(CSV)
    assert (case.coords_kind, case.geo_report) == ("synthetic_pending", None)
    assert (placed.coords_kind, placed.id, placed.name, placed.counts) == ("file", case.id, case.name, case.counts)
    assert placed.sha256 != case.sha256 and placed.module_json != case.module_json
    assert places(placed) == PLACES
    report = placed.geo_report
    assert report is not None and placed.geo_drawing is None
    assert (report.space, report.basis, report.bus_records, report.matched_buses) == ("geographic", "names", 3, 3)
    assert (report.unmatched_records, report.unplaced_buses, report.notes) == (0, 0, ())
    assert placed.study().solution.objective == case.study().solution.objective
    assert "3 buses and 0 branches placed by longitude and latitude" in placed._repr_html_()


@pytest.mark.parametrize("suffix", [".csv", ".txt", ".json"])
def test_a_layer_from_a_file(tmp_path: Path, case: wb.Case, suffix: str) -> None:
    rows = [{"bus_id": bus, "longitude": x, "latitude": y} for bus, (x, y) in PLACES.items()]
    path = tmp_path / f"places{suffix}"
    path.write_bytes(json.dumps(rows).encode() if suffix == ".json" else CSV)
    assert places(case.with_geography(path)) == places(case.with_geography(str(path))) == PLACES


def test_a_layer_from_a_table(case: wb.Case) -> None:
    rows = pd.DataFrame([{"bus_id": bus, "longitude": x, "latitude": y} for bus, (x, y) in PLACES.items()])
    for table in (rows, rows.set_index("bus_id"), rows.set_axis([7, 8, 9])):
        assert places(case.with_geography(table)) == PLACES
    with pytest.raises(wb.InputError, match="no usable coordinates") as caught:
        case.with_geography(rows[["bus_id"]])
    assert caught.value.code == "INPUT.GEO_EMPTY"


def test_unmatched_records_are_reported(case: wb.Case) -> None:
    placed = case.with_geography(b"bus,lat,lon\n1,40.0,-89.0\n2,40.5,-88.0\n7,41.0,-89.5\n2,95,1\n")
    report = placed.geo_report
    assert report is not None
    assert (report.matched_buses, report.unmatched_records, report.unplaced_buses) == (2, 2, 1)
    assert placed.coords_kind == "file" and set(places(placed)) == {1, 2}
    assert [(note.record, note.code) for note in report.notes] == [(3, "GEO.UNMATCHED"), (4, "GEO.OUT_OF_RANGE")]
    assert "1 bus without a position, not on the map" in str(report)
    assert str(report.notes[0]) == "Record 3: The case has no bus `7`. [GEO.UNMATCHED]"
    shown = placed._repr_html_()
    assert "Record 3: " in shown and "1 bus without a position" in shown


def test_routes_are_stored_and_read_again(case: wb.Case) -> None:
    route = [[-89.0, 40.0], [-88.6, 40.4], [-88.0, 40.5]]
    layer = geojson(
        *(("Point", at, {"bus": bus}) for bus, at in PLACES.items()), ("LineString", route, {"from": 2, "to": 1})
    )
    placed = case.with_geography(layer)
    assert placed.geo_report is not None and placed.geo_report.matched_branches == 1
    again = case.with_geography(placed.to_geojson().encode())
    assert again.sha256 == placed.sha256 and again.to_geojson() == placed.to_geojson()
    (drawn,) = [
        row["geometry"]["coordinates"]
        for row in json.loads(placed.to_geojson())["features"]
        if row["geometry"]["type"] == "LineString"
    ]
    assert drawn == route


def test_coordinates_that_are_no_degrees_stay_off_the_map(case: wb.Case) -> None:
    placed = case.with_geography(CSV)
    drawn = placed.with_geography(b"bus,x,y\n1,1000,2000\n2,3000,2500\n")
    assert drawn.geo_drawing is not None and drawn.geo_report is not None
    assert drawn.geo_report.space == "unknown"
    assert drawn.geo_drawing.buses.to_dict("index") == {1: {"x": 1000, "y": 2000}, 2: {"x": 3000, "y": 2500}}
    assert drawn.geo_drawing.branches.empty and "no map positions" in repr(drawn.geo_drawing)
    assert places(drawn) == PLACES and drawn.sha256 == placed.sha256
    assert case.with_geography(b"bus,x,y\n1,1000,2000\n2,3000,2500\n3,0,0\n").coords_kind == "synthetic_pending"


@pytest.mark.parametrize(
    ("layer", "code", "says"),
    [
        (b"", "INPUT.EMPTY", "empty"),
        (b"bus,lat,lon\n", "INPUT.GEO_EMPTY", "no usable coordinates"),
        (b"bus,lat,lon\n10,40.0,-89.0\n", "INPUT.GEO_NO_MATCH", "None of the 1 record"),
        (b"bus,lat,lon\n1,nan,1e308\n", "INPUT.GEO_EMPTY", "no usable coordinates"),
        (b'{"type": "FeatureCollection", "features": []}', "INPUT.GEO_EMPTY", "no usable coordinates"),
        (b'{"type": "FeatureCollection"', "INPUT.GEO_FORMAT", "not readable JSON"),
        (b"[" * 100_000, "INPUT.GEO_FORMAT", "nested more than"),
        (b"\x00\xff" * 1000, "INPUT.ENCODING", "not plain text"),
        (three_bus(), "INPUT.GEO_FORMAT", "No column names"),
    ],
)
def test_a_layer_that_places_nothing_is_refused(case: wb.Case, layer: bytes, code: str, says: str) -> None:
    with pytest.raises(wb.InputError, match=says) as caught:
        case.with_geography(layer)
    assert caught.value.code == code
    assert case.coords_kind == "synthetic_pending"


def test_files_that_are_no_layer(tmp_path: Path, case: wb.Case) -> None:
    (tmp_path / "drawing.pwd").write_bytes(b"x")
    with pytest.raises(wb.InputError, match=r"wb\.open_display\('drawing.pwd'\) reads its positions"):
        case.with_geography(tmp_path / "drawing.pwd")
    (tmp_path / "grid.m").write_bytes(three_bus())
    with pytest.raises(wb.InputError, match=r"grid\.m is a balanced case"):
        case.with_geography(tmp_path / "grid.m")
    with pytest.raises(wb.InputError, match="File not found"):
        case.with_geography(tmp_path / "nowhere.csv")


def test_a_table_of_positions_in_the_clothes_of_a_case(tmp_path: Path, case: wb.Case) -> None:
    path = tmp_path / "places.aux"
    rows = "".join(f'{bus} "{lat}" "{lon}"\n' for bus, (lon, lat) in PLACES.items())
    path.write_text(f"DATA (Bus, [BusNum, Latitude:1, Longitude:1])\n{{\n{rows}}}\n")
    assert places(case.with_geography(path)) == PLACES
    with pytest.raises(wb.InputError, match=r"case\.with_geography\('places.aux'\)") as caught:
        wb.open_case(path)
    assert caught.value.code == "INPUT.NO_EQUIPMENT"


def test_a_layout_is_synthetic_and_always_the_same(case: wb.Case) -> None:
    drawn = case.with_layout((-89.2, 40.2))
    assert (drawn.coords_kind, drawn.id, case.coords_kind) == ("synthetic", case.id, "synthetic_pending")
    assert case.with_layout([-89.2, 40.2]).sha256 == drawn.sha256
    assert drawn.with_layout((-89.2, 40.2)).sha256 == drawn.sha256
    fresh = wb.open_case(case.export(format="module"))
    assert fresh.with_layout((-89.2, 40.2)).sha256 == drawn.sha256
    at = list(places(drawn).values())
    for axis, middle in ((0, -89.2), (1, 40.2)):
        values = [place[axis] for place in at]
        assert (min(values) + max(values)) / 2 == pytest.approx(middle, abs=1e-3)
    wide = case.with_layout((-89.2, 40.2), scale_km=500)
    lon = [[place[0] for place in places(one).values()] for one in (drawn, wide)]
    assert max(lon[1]) - min(lon[1]) > 2 * (max(lon[0]) - min(lon[0]))
    assert "a synthetic layout, not surveyed" in drawn._repr_html_()


def test_a_moved_layout_has_the_same_picture(case: wb.Case) -> None:
    """Both are Mercator pictures of equal size, so that longitudes differ by the move alone at equal latitudes."""
    first, second = case.with_layout((10, 50)), case.with_layout((20, 50))
    for bus, (lon, lat) in places(first).items():
        assert places(second)[bus] == pytest.approx([lon + 10, lat], abs=1e-9)


@pytest.mark.parametrize(
    ("centre", "scale", "says"),
    [
        ((40.2, -189.2), None, r"latitude -189\.2 is out of range: did you mean \(-189\.2, 40\.2\)"),
        ((200, 95), None, "not on the map"),
        ((0, 89), None, "not on the map"),
        ((0, float("nan")), None, "not a finite number"),
        ((0, "x"), None, "not a finite number"),
        ((0, True), None, "not a finite number"),
        ((1,), None, r"centre must be \(longitude, latitude\) in degrees"),
        ("10,20", None, r"centre must be \(longitude, latitude\)"),
        (5, None, r"centre must be \(longitude, latitude\)"),
        (None, None, r"centre must be \(longitude, latitude\)"),
        ((0, 50), 0, "scale"),
        ((0, 50), -5, "scale"),
        ((0, 50), float("inf"), "scale_km contains inf"),
        ((0, 50), 1e5, "would leave the map"),
    ],
)
def test_an_invalid_placement_is_refused(case: wb.Case, centre: Any, scale: float | None, says: str) -> None:
    with pytest.raises(wb.InputError, match=says) as caught:
        case.with_layout(centre, scale_km=scale)
    assert caught.value.code == "INPUT.PLACEMENT"


def test_a_layer_replaces_a_layout(case: wb.Case) -> None:
    placed = case.with_layout((0, 0)).with_geography(CSV)
    assert (places(placed), placed.coords_kind) == (PLACES, "file")
    assert placed.with_layout((0, 0)).coords_kind == "synthetic"


def test_positions_as_a_file(tmp_path: Path, case: wb.Case) -> None:
    drawn = case.with_layout((-89.2, 40.2))
    written = drawn.save_geojson(tmp_path)
    assert written == tmp_path / "case.geo.json"
    assert written.read_text() == drawn.to_geojson()
    again = case.with_geography(written)
    assert (again.coords_kind, places(again), again.sha256) == ("synthetic", places(drawn), drawn.sha256)
    with pytest.raises(
        wb.InputError, match=r"has no positions to write\. Add them with case\.with_geography"
    ) as caught:
        case.save_geojson(tmp_path / "none.geo.json")
    assert caught.value.code == "INPUT.GEO_EMPTY" and not (tmp_path / "none.geo.json").exists()


def test_the_map_of_a_placed_case_receives_its_module(case: wb.Case, page_of: Callable[[Any], Any]) -> None:
    """The page requests the hash in the traits and receives the module with the positions."""
    placed = case.with_geography(CSV)
    page = page_of(placed.study().map())
    sha256 = page.opening["case_sha256"]
    assert sha256 == placed.sha256
    answers = page.post({"id": "m", "kind": "need_module", "sha256": sha256})
    text = b"".join(bytes(buffers[0]) for _, buffers in answers)
    assert places(wb.open_case(text)) == PLACES
    ((refused, _),) = page.post({"id": "n", "kind": "need_module", "sha256": case.sha256})
    assert refused["error"]["code"] == "MODULE.UNKNOWN"


def test_a_bundled_case_has_positions() -> None:
    case = wb.open_case("case200_activ")
    assert case.coords_kind == "synthetic" and len(places(case)) == 200


def test_a_long_layout_lets_others_work_and_stops_at_ctrl_c() -> None:
    case = wb.open_case(ring_of(8000), format="matpower")
    beats: list[float] = []
    stop = threading.Event()

    def beat() -> None:
        while not stop.wait(0.01):
            beats.append(time.monotonic())
        _thread.interrupt_main()

    other = threading.Thread(target=beat)
    timer = threading.Timer(0.3, stop.set)
    other.start()
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            case.with_layout((0, 0))
            time.sleep(60)
    finally:
        stop.set()
        other.join()
    assert len(beats) > 5 and case._layout is None
    assert case.coords_kind == "synthetic_pending"
