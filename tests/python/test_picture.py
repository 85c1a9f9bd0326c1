"""The still picture of a saved notebook."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
import wattbook as wb
from wattbook.map.colours import PriceScale, price_scale, ticks
from wattbook.map.picture import price_picture

SVG = "{http://www.w3.org/2000/svg}"
PLACES = b"bus,lat,lon\n1,35,-98\n2,36,-97\n3,36,-99\n"


def dots(svg: str) -> dict[str, set[tuple[float, float]]]:
    """Places of the discs by their colour."""
    found = {}
    for path in ET.fromstring(svg).iter(f"{SVG}path"):
        if "h0" in path.attrib["d"]:
            places = re.findall(r"M([\d.]+) ([\d.]+)h0", path.attrib["d"])
            found[path.attrib["stroke"]] = {(float(x), float(y)) for x, y in places}
    return found


def test_a_picture_has_each_bus_at_its_place_in_the_colour_of_its_price(case: wb.Case) -> None:
    # Line 2-3 at 40 MW: prices 18.20, 30.10 and 6.30 $/MWh.
    solution = case.with_geography(PLACES).study().commit(ratings={"3": -210})
    svg = price_picture(solution)
    assert svg is not None
    scale = price_scale(solution.buses["lmp"].to_numpy())
    assert scale is not None
    places = dots(svg)
    colours = [scale.palette[place] for place in scale.places(solution.buses["lmp"].to_numpy())]
    assert sorted(places) == sorted(set(colours)) and len(places) == 3
    (one,), (two,), (three,) = (places[colour] for colour in colours)
    assert three[0] < one[0] < two[0], "east is right"
    assert one[1] > two[1] == three[1], "north is up"
    assert two[0] - one[0] == pytest.approx(one[0] - three[0], abs=0.6), "one scale"
    texts = [text.text or "" for text in ET.fromstring(svg).iter(f"{SVG}text")]
    assert any("808.50 $/h" in text for text in texts)
    assert any(solution.sha256[:12] in text for text in texts)
    assert svg.count('stroke="#c2352b"') == 1, "the line that binds"


def test_without_positions_there_is_no_picture(case: wb.Case) -> None:
    assert price_picture(case.study().solution) is None


def test_a_bus_without_a_position_is_told(case: wb.Case) -> None:
    svg = price_picture(case.with_geography(PLACES.rsplit(b"\n", 2)[0]).study().solution)
    assert svg is not None and "1 bus without a position not drawn" in svg


def test_a_synthetic_layout_says_so_and_names_are_escaped(case: wb.Case) -> None:
    placed = case.with_layout((-98, 36))
    placed.name = 'A <b>&"'
    svg = price_picture(placed.study().solution)
    assert svg is not None and "Synthetic layout" in svg
    ET.fromstring(svg)


def test_a_map_carries_its_picture(case: wb.Case) -> None:
    study = case.with_geography(PLACES).study()
    bundle = study.map()._repr_mimebundle_()
    assert bundle["image/svg+xml"] == price_picture(study.solution)
    assert bundle["image/svg+xml"] in bundle["text/html"] and "<table>" in bundle["text/html"]
    assert "image/svg+xml" not in case.study().map()._repr_mimebundle_()


def test_large_networks_stay_small_pictures(data: Path) -> None:
    large = wb.open_case(data / "cats/CaliforniaTestSystem.m")
    solution = large.with_geography(data / "cats/CATS_buses.csv").study().solution
    svg = price_picture(solution)
    assert svg is not None and 50_000 < len(svg) < 300_000


def test_scales_end_in_round_numbers_and_have_a_hue_below_zero() -> None:
    # 101 prices from 10.3 to 30.2, and one far above: the 98th percentile is the end.
    prices = np.append(np.linspace(10.3, 30.2, 101), 900.0)
    scale = price_scale(prices)
    assert scale is not None and (scale.low, scale.high) == (10.0, 31.0)
    assert ticks(scale, 4) == [10.0, 20.0, 30.0]
    assert scale.places(np.array([900.0, np.nan])).tolist() == [scale.steps - 1, -1]
    below = PriceScale(-10, 40)
    assert len(below.palette) == 2 * below.steps
    assert below.places(np.array([-10.0, -1e-9, 0.0, 40.0])).tolist() == [0, 23, 24, 47]
    assert price_scale(np.array([np.nan])) is None
    one = price_scale(np.array([5.0, 5.0]))
    assert one is not None and ticks(one, 4) == [5.0]


def test_colours_are_those_of_the_published_scales() -> None:
    # d3-scale-chromatic 3.1.1: interpolateYlGnBu(0.2), (0.88); interpolateRdPu(0.9), (0.4).
    palette = PriceScale(-1, 1).palette
    assert [palette[24], palette[47], palette[0], palette[23]] == ["#d5eeb3", "#1f368c", "#700174", "#f993b0"]


def test_a_picture_holds_no_character_that_xml_forbids(case: wb.Case) -> None:
    placed = case.with_geography(PLACES)
    placed.name = "B\x07us\x00 \ufffe\ud800 Z\u00fcrich \u0627\u0644"
    svg = price_picture(placed.study().solution)
    assert svg is not None
    texts = [text.text for text in ET.fromstring(svg).iter(f"{SVG}text")]
    assert "Bus  Z\u00fcrich \u0627\u0644" in texts
    svg.encode()
