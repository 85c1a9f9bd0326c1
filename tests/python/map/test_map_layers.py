"""`study.map().add_layer(...)`: the data sent to the page, and refused layers."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import wattbook as wb
from pypdf import PdfReader
from wattbook.map import overlays

LINE = {"type": "LineString", "coordinates": [[-105, 40], [-104, 40.5, 1600]]}
AREA = {"type": "Polygon", "coordinates": [[[-105, 39], [-104, 39], [-104, 40], [-105, 39]]]}
COLLECTION = {
    "type": "FeatureCollection",
    "features": [
        {"type": "Feature", "properties": {"a": 1}, "geometry": LINE},
        {"type": "Feature", "properties": None, "geometry": {"type": "GeometryCollection", "geometries": [AREA]}},
        {"type": "Feature", "properties": None, "geometry": None},
        {"type": "Feature", "geometry": {"type": "MultiPoint", "coordinates": [[-105, 40], [-104.5, 39.5]]}},
    ],
}


class Shape:
    __geo_interface__ = LINE


class Frame:
    """The used part of a GeoDataFrame: a projected one is converted to degrees."""

    geometry = "geometry"
    crs = "EPSG:32613"

    def to_crs(self, code: int) -> Frame:
        assert code == 4326
        degrees = Frame()
        degrees.to_json = lambda: json.dumps(COLLECTION)  # type: ignore[method-assign]
        return degrees

    def to_json(self) -> str:
        raise AssertionError("metres")


def test_the_layers_that_the_page_receives(study: wb.Study, page_of: Callable[[Any], Any]) -> None:
    view = study.map()
    assert view.add_layer(COLLECTION, "Rivers", color="#336699", width=2) is view
    (layer,) = page_of(view).state()["layers"]
    assert layer == {
        "name": "Rivers",
        "color": "#336699",
        "width": 2.0,
        "size": 6.0,
        "opacity": 0.9,
        "points": [[-105.0, 40.0], [-104.5, 39.5]],
        "lines": [[[-105.0, 40.0], [-104.0, 40.5]]],
        "polygons": [[[[-105.0, 39.0], [-104.0, 39.0], [-104.0, 40.0], [-105.0, 39.0]]]],
    }


def test_every_kind_of_data(study: wb.Study, tmp_path: Path) -> None:
    path = tmp_path / "layer.geojson"
    path.write_text(json.dumps(LINE))
    view = study.map()
    for data in (LINE, json.dumps(LINE), path, str(path), Shape(), Frame()):
        view.add_layer(data)
    assert [layer["name"] for layer in view.layers] == [f"Layer {k}" for k in range(1, 7)]
    assert len({layer["color"] for layer in view.layers}) == 6
    assert all(layer["lines"] == [[[-105.0, 40.0], [-104.0, 40.5]]] for layer in view.layers)
    assert len(view.layers[-1]["points"]) == 2


def test_a_name_again_replaces_and_layers_are_removed(study: wb.Study, page_of: Callable[[Any], Any]) -> None:
    view = study.map().add_layer(LINE, "a").add_layer(AREA, "b").add_layer(AREA, "a")
    assert [(layer["name"], len(layer["polygons"])) for layer in view.layers] == [("b", 1), ("a", 1)]
    with pytest.raises(wb.InputError, match="'b', 'a'") as refused:
        view.remove_layer("c")
    assert refused.value.code == "LAYER.UNKNOWN"
    assert [layer["name"] for layer in view.remove_layer("b").layers] == ["a"]
    page = page_of(view)
    page.post({"id": "r", "kind": "remove_layer", "name": "a"})
    page.post({"id": "r", "kind": "remove_layer", "name": "a"})
    assert view.layers == [] == page.state()["layers"]
    page.update({"layers": [{"name": "from the page"}]})
    assert view.layers == []


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"type": "FeatureCollection", "features": []}, "no points, lines or polygons"),
        ({"type": "Circle"}, "it has the type 'Circle'"),
        ({"a": 1}, "it has no type: {'a': 1}"),
        ({"type": "Point", "coordinates": [500_000, 4_400_000]}, "reproject to EPSG:4326"),
        ({"type": "Point", "coordinates": ["x", 1]}, "must be finite numbers"),
        ({"type": "LineString", "coordinates": None}, "must be a list, not None"),
        ("{", "is not JSON"),
        ("absent.geojson", "cannot be read"),
        (7, "not 7"),
    ],
)
def test_invalid_layers_are_refused(study: wb.Study, data: Any, message: str) -> None:
    view = study.map()
    with pytest.raises(wb.InputError, match=message) as refused:
        view.add_layer(data)
    assert refused.value.code == "LAYER.INVALID" and view.layers == []


@pytest.mark.parametrize(
    "look", [{"color": "url(x)"}, {"color": 3}, {"width": 0}, {"size": "big"}, {"opacity": 2}, {"name": " "}]
)
def test_an_invalid_style_of_a_layer_is_refused(study: wb.Study, look: dict[str, Any]) -> None:
    with pytest.raises(wb.ArgumentError):
        study.map().add_layer(LINE, **look)


def test_limits(study: wb.Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overlays, "MOST_POSITIONS", 5)
    view = study.map().add_layer(LINE, "a").add_layer(LINE, "b")
    with pytest.raises(wb.InputError, match="at most 5 positions, not 6") as refused:
        view.add_layer(LINE, "c")
    assert refused.value.code == "LAYER.TOO_LARGE"
    view.add_layer(LINE, "b")  # in place of the previous one
    monkeypatch.setattr(overlays, "MOST_LAYERS", 2)
    with pytest.raises(wb.InputError) as refused:
        view.add_layer({"type": "Point", "coordinates": [0, 0]}, "c")
    assert refused.value.code == "LAYER.TOO_MANY"


def test_a_written_page_reports_its_size_and_the_omitted_layers(
    study: wb.Study, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    view = study.map().add_layer(COLLECTION, "Rivers")
    with pytest.warns(wb.ExportWarning, match=r"^The page leaves out these layers: Rivers\.$"):
        page = view.to_html(tmp_path / "map.html")
    assert page.stat().st_size > 1e6
    assert b"-104.5" not in page.read_bytes(), "nothing of the layer is in it"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with caplog.at_level("INFO", logger="wattbook"):
            plain = study.map().to_html(tmp_path / "plain.html")
    (message,) = (record.getMessage() for record in caplog.records if record.name.startswith("wattbook"))
    assert message == f"{plain}: one page of {plain.stat().st_size / 1e6:.1f} MB with Study and engine"


class Failing:
    @property
    def __geo_interface__(self) -> None:
        raise ZeroDivisionError


@pytest.mark.parametrize(
    "data",
    [
        "",
        "\0",
        "~no-such-user/rivers.json",
        Path("/"),
        b"\xff\xfe",
        "{" * 100_000,
        '{"a":' * 100_000,
        Failing(),
        {"type": "Point"},
        {"type": "Point", "coordinates": [1]},
        {"type": "Point", "coordinates": {"lon": 1, "lat": 2}},
        {"type": "Point", "coordinates": ["1", "2"]},
        {"type": "Point", "coordinates": [10**400, 2]},
        {"type": "MultiPoint", "coordinates": 5},
        {"type": "LineString", "coordinates": [[1, 2], None]},
        {"type": "Polygon", "coordinates": [[1, 2]]},
        {"type": "FeatureCollection", "features": 5},
        {"type": "FeatureCollection", "features": {"a": 1}},
        {"type": "Feature", "geometry": 5},
    ],
)
def test_malformed_layers_have_a_code(study: wb.Study, data: Any) -> None:
    view = study.map()
    with pytest.raises(wb.InputError) as refused:
        view.add_layer(data)
    assert refused.value.code == "LAYER.INVALID" and view.layers == []
    assert "NoneType" not in refused.value.message and "subscriptable" not in refused.value.message


def test_names_of_layers_are_visible(study: wb.Study) -> None:
    view = study.map().add_layer(LINE, "Ri\u202evers")
    assert [layer["name"] for layer in view.layers] == ["Rivers"]
    with pytest.raises(wb.ArgumentError):
        view.add_layer(LINE, "\u202e")
    assert view.remove_layer("Ri\u202evers").layers == []


def test_pictures_have_the_layers(study: wb.Study, tmp_path: Path) -> None:
    placed = study.case.with_layout((-105, 40)).study()
    view = placed.map().add_layer(COLLECTION, "Rivers", color="#336699", opacity=0.5)
    drawn = view._repr_mimebundle_()["image/svg+xml"]
    # Areas, lines with the outlines of areas, points; areas have a fifth of the opacity.
    assert drawn.count('"#336699"') == 3 and drawn.count('opacity="0.5"') == 2 and 'opacity="0.1"' in drawn
    assert "Layers: Rivers" in drawn and drawn.index('"#336699"') < drawn.index(
        'stroke-linecap="round" stroke="#b3bac2"'
    )
    resources: Any = PdfReader(view.save(tmp_path / "map.pdf")).pages[0]["/Resources"]
    opacities = {state.get_object()["/CA"] for state in resources["/ExtGState"].values()}
    assert opacities >= {0.5, 0.1}
    view.add_layer(LINE, "Rivers", color="navy")
    assert 'stroke="navy"' in view.save(tmp_path / "map.svg").read_text()
    assert view.save(tmp_path / "map.pdf").stat().st_size > 0
