"""The still picture of a saved notebook."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import wattbook as wb
from wattbook.map.colours import (
    AmountScale,
    DivergingScale,
    PriceScale,
    change_scale,
    magnitude_scale,
    price_scale,
    quantile_range,
    ticks,
)
from wattbook.map.ground import ground
from wattbook.map.picture import classes_of, line_counts, picture, within_substations
from wattbook.map.style import styled

FIXTURES = Path(__file__).parents[2] / "fixtures"
SVG = "{http://www.w3.org/2000/svg}"
PLACES = b"bus,lat,lon\n1,35,-98\n2,36,-97\n3,36,-99\n"


def dots(svg: str) -> dict[str, set[tuple[float, float]]]:
    """Positions of the discs by their colour, without their outlines."""
    found = {}
    for path in ET.fromstring(svg).iter(f"{SVG}path"):
        if "h0" in path.attrib["d"] and path.attrib["stroke"] != "#ffffff":
            places = re.findall(r"M([\d.]+) ([\d.]+)h0", path.attrib["d"])
            found[path.attrib["stroke"]] = {(float(x), float(y)) for x, y in places}
    return found


def test_a_picture_has_each_bus_at_its_position_in_the_colour_of_its_price(case: wb.Case) -> None:
    # Line 2-3 at 40 MW: prices 18.20, 30.10 and 6.30 $/MWh.
    solution = case.with_geography(PLACES).study().commit(ratings={"3": -210})
    svg = picture(solution)
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
    assert svg.count('fill="none" stroke-linecap="round" stroke="#000"') == 1, "the line that binds"
    assert "1 binding" in texts and "0 more at 80 % or above" in texts and "Price, $/MWh" in texts


def test_lines_are_classed_as_in_the_page() -> None:
    # tests/widgets/map/map.test.ts reads the same file.
    given = json.loads((FIXTURES / "loadingClasses.json").read_text())
    loading = np.array([np.nan if value is None else value for value in given["loading"]])
    priced = classes_of(loading, np.array(given["shadow"], dtype=float))
    assert np.flatnonzero(priced == "binding").tolist() == given["binding"]
    assert np.flatnonzero(priced == "warning").tolist() == given["warning"]
    flow = classes_of(loading, None)
    assert np.flatnonzero(flow == "binding").tolist() == given["above_rating"]
    assert np.flatnonzero(flow == "warning").tolist() == given["warning_without_prices"]
    # Lines within substations, which a map does not show, are counted and named.
    within = np.isin(np.arange(len(loading)), given["within"])
    assert list(line_counts(priced, within, True).values()) == given["legend"]
    assert list(line_counts(flow, within, False).values()) == given["legend_without_prices"]
    many = line_counts(np.repeat(priced, 1000), np.repeat(within, 1000), True)
    assert many["warning"] == "5,000 more at 80 % or above, 1,000 in substations"


def test_colours_are_those_of_the_page() -> None:
    # tests/widgets/map/colour/colours.test.ts reads the same file.
    given = json.loads((FIXTURES / "palettes.json").read_text())
    for name, colours in given["maps"].items():
        assert " ".join(PriceScale(0.0, 1.0, cmap=name).palette) == colours, name
    ramps = {
        "negative_price": PriceScale(-1.0, 1.0).palette[:24][::-1],
        "change": DivergingScale(-1.0, 1.0).palette,
        "amount": AmountScale(0.0, 1.0).palette,
        "branch": AmountScale(0.0, 1.0, lines=True).palette,
    }
    assert {name: " ".join(colours) for name, colours in ramps.items()} == given["ramps"]


def test_ranges_are_those_of_the_page() -> None:
    # tests/widgets/map/colour/colours.test.ts reads the same file.
    given = json.loads((FIXTURES / "ranges.json").read_text())
    values = np.array([np.nan if value is None else value for value in given["values"]])
    prices, changes = price_scale(values), change_scale(values)
    assert prices is not None and [prices.low, prices.high] == given["robust"]
    assert changes is not None and changes.high == given["centred"]
    assert quantile_range(values) == tuple(given["quantile"])


def test_the_legend_counts_the_lines_within_substations(case: wb.Case) -> None:
    # Buses 1 and 2 at one position, which the engine spreads by 800 m: a map of the whole network does not show line
    # 1-2.
    rows = case.with_geography(b"bus,lat,lon\n1,35,-98\n2,35,-98\n3,36,-99\n")._rows
    ends = list(
        zip(rows.branches.integers("from_bus").tolist(), rows.branches.integers("to_bus").tolist(), strict=True)
    )
    assert within_substations(rows).tolist() == [{a, b} == {1, 2} for a, b in ends]


def test_land_and_water_lie_below_the_network(pages: dict[str, Any]) -> None:
    # A box of degrees around the Great Lakes and the Atlantic, at 10 px a degree, projected by the formula of Web Mercator.
    def place(lon: float, lat: float) -> tuple[float, float]:
        return lon, float(np.degrees(np.arcsinh(np.tan(np.radians(lat)))))

    west, south = place(-95, 28)
    east, north = place(-65, 50)
    land, _seam, lakes, *_ = ground((west, south, east, north), 10.0, np.array([-10 * west, 10 * north]))

    def holds(part: str, lon: float, lat: float) -> bool:
        x, y = place(lon, lat)
        at = (10 * (x - west), 10 * (north - y))
        rings = [np.array(re.findall(r"([-\d.]+) ([-\d.]+)", ring), dtype=float) for ring in part.split("M")[1:]]
        crossings = 0
        for ring in rings:
            (x0, y0), (x1, y1) = ring.T, np.roll(ring, -1, axis=0).T
            over = (y0 > at[1]) != (y1 > at[1])
            crossings += int((x0 + (at[1] - y0) * (x1 - x0) / np.where(over, y1 - y0, 1) > at[0])[over].sum())
        return crossings % 2 == 1

    assert holds(land, -81.03, 34.0) and not holds(lakes, -81.03, 34.0), "Columbia"
    assert not holds(land, -75.0, 31.0), "the Atlantic"
    assert holds(lakes, -87.0, 44.0), "Lake Michigan"
    placed = wb.open_case("carolina").study()
    svg = placed.map(height=300)._repr_mimebundle_()["image/svg+xml"]
    inner = ET.fromstring(svg).findall(f"{SVG}svg")[0]
    assert inner.attrib["height"] == "300" and inner[0].attrib["fill"] == "#e3eaf0"
    assert "U.S. Census Bureau" in svg
    bare = placed.map(basemap=None)._repr_mimebundle_()["image/svg+xml"]
    assert "#e3eaf0" not in bare and "Census" not in bare


def test_each_bus_has_a_rim(case: wb.Case) -> None:
    svg = picture(case.with_geography(PLACES).study().solution)
    assert svg is not None
    rims = [path for path in ET.fromstring(svg).iter(f"{SVG}path") if path.attrib.get("stroke") == "#ffffff"]
    (rim,) = (path for path in rims if "h0" in path.attrib["d"])
    places = {(float(x), float(y)) for x, y in re.findall(r"M([\d.]+) ([\d.]+)h0", rim.attrib["d"])}
    assert places == set().union(*dots(svg).values())


def test_without_positions_there_is_no_picture(case: wb.Case) -> None:
    assert picture(case.study().solution) is None


def test_a_bus_without_a_position_is_reported(case: wb.Case) -> None:
    svg = picture(case.with_geography(PLACES.rsplit(b"\n", 2)[0]).study().solution)
    assert svg is not None and "1 bus without a position not drawn" in svg


def test_a_synthetic_layout_is_marked_and_names_are_escaped(case: wb.Case) -> None:
    placed = case.with_layout((-98, 36))
    placed.name = 'A <b>&"'
    svg = picture(placed.study().solution)
    assert svg is not None and "Synthetic layout" in svg
    ET.fromstring(svg)


def test_a_picture_of_a_power_flow_has_its_voltages_and_overloads(case: wb.Case) -> None:
    solution = case.with_geography(PLACES).study("acpf").commit(ratings={"3": -210}, demand={3: 40})
    svg = picture(solution)
    assert svg is not None
    voltages = solution.buses["vm_pu"].to_numpy()
    low, high = float(solution.buses["vm_min_pu"].iloc[0]), float(solution.buses["vm_max_pu"].iloc[0])
    scale = magnitude_scale(voltages)
    assert scale is not None
    assert set(dots(svg)) == {scale.palette[place] for place in scale.places(voltages)}
    assert (scale.low, scale.high) == (0.95, 1.05)
    texts = [text.text or "" for text in ET.fromstring(svg).iter(f"{SVG}text")]
    (title,) = (text for text in texts if text.startswith("Voltage magnitude, p.u."))
    assert f"limits {low:.3f} to {high:.3f}" in title
    overloaded = int((solution.branches["loading"] > 1).sum())
    assert f"{overloaded} above their rating" in texts
    ET.fromstring(svg)


@pytest.mark.parametrize(
    ("formulation", "quantity", "lines", "title"),
    [
        ("dcopf", "angle", "flow", "Voltage angle, degrees"),
        ("acpf", "reactive_generation", "losses", "Reactive generation, MVAr"),
        ("acpf", "voltage_excess", "reactive_flow", "Voltage outside its limits, p.u."),
        ("socwr", "lmp_q", "cone_gap", "Reactive price, $/MVArh"),
        ("socwr", "lmp_losses", "shadow", "Price: losses, $/MWh"),
        ("acpf", "lmp", "shadow", "Voltage magnitude, p.u."),
        ("dcopf", "lmp_change", "rating_change", "Change from the base case, $/MWh"),
    ],
)
def test_a_picture_has_the_content_of_the_map(
    case: wb.Case, formulation: str, quantity: str, lines: str, title: str
) -> None:
    study = case.with_geography(PLACES).study(formulation)
    study.commit({2: 20}, {3: -150})
    svg = study.map(quantity=quantity, lines=lines)._repr_mimebundle_()["image/svg+xml"]
    texts = [text.text or "" for text in ET.fromstring(svg).iter(f"{SVG}text")]
    assert any(text.startswith(title) for text in texts)
    assert any(text.startswith("Lines: ") for text in texts) == (
        "shadow" in study.solution.branches or lines != "shadow"
    )


def test_a_picture_of_sensitivities_has_their_unit(case: wb.Case) -> None:
    study = case.with_geography(PLACES).study()
    study.commit(ratings={3: -210})
    svg = study.map(quantity="sensitivity", bus=2)._repr_mimebundle_()["image/svg+xml"]
    values = study.sensitivity(bus=2).values
    assert ">dLMP/dd, bus 2, ($/MWh)/MW<" in svg
    scale = change_scale(values.to_numpy())
    assert scale is not None and set(dots(svg)) == {scale.palette[place] for place in scale.places(values.to_numpy())}


def test_a_picture_has_the_choices_of_the_page(case: wb.Case) -> None:
    shown = case.with_geography(PLACES).study("socwr").map()
    shown.set_state({"view": {**shown.view, "quantity": "slack_weight", "lines": "losses"}})
    svg = shown._repr_mimebundle_()["image/svg+xml"]
    texts = [text.text or "" for text in ET.fromstring(svg).iter(f"{SVG}text")]
    assert any(text.startswith("slack_weight, ") for text in texts)
    assert "Lines: losses, MW" in texts


def test_a_picture_of_changes_has_those_of_prices_and_ratings(case: wb.Case) -> None:
    study = case.with_geography(PLACES).study()
    before = study.solution.buses["lmp"].to_numpy()
    after = study.commit(ratings={3: -210}).buses["lmp"].to_numpy()
    svg = study.map(quantity="lmp_change", lines="rating_change")._repr_mimebundle_()["image/svg+xml"]
    scale = change_scale(after - before)
    assert scale is not None and set(dots(svg)) == {scale.palette[place] for place in scale.places(after - before)}
    texts = [text.text or "" for text in ET.fromstring(svg).iter(f"{SVG}text")]
    assert "Lines: change of the rating, MW" in texts
    ratings = change_scale(np.array([-210.0]))
    assert ratings is not None and svg.count(f'stroke="{ratings.palette[0]}" stroke-width="2.2"') == 1, "one line"
    assert study.solution.buses["lmp"].to_numpy() == pytest.approx(after), "the Study stays as it is"
    study.reset()
    assert "no change" in study.map(quantity="lmp_change")._repr_mimebundle_()["image/svg+xml"]


def test_a_map_carries_its_picture(case: wb.Case) -> None:
    study = case.with_geography(PLACES).study()
    bundle = study.map()._repr_mimebundle_()
    assert bundle["image/svg+xml"] == picture(study.solution)
    assert bundle["image/svg+xml"] in bundle["text/html"] and "<table>" in bundle["text/html"]
    assert "image/svg+xml" not in case.study().map()._repr_mimebundle_()


def test_large_networks_stay_small_pictures(data: Path) -> None:
    large = wb.open_case(data / "cats/CaliforniaTestSystem.m")
    solution = large.with_geography(data / "cats/CATS_buses.csv").study().solution
    svg = picture(solution)
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
    small = change_scale(np.array([-4.4e-4, 4.4e-4]))
    assert small is not None and ticks(small, 4) == pytest.approx([-4e-4, -2e-4, 0.0, 2e-4, 4e-4])
    none = change_scale(np.zeros(3))
    assert none is not None and [f"{tick:g}" for tick in ticks(none, 4)] == ["0"]


def test_colours_are_those_of_the_published_scales() -> None:
    # d3-scale-chromatic 3.1.1: interpolateYlGnBu(0.2), (0.88); interpolateViridis(0); interpolateRdPu(0.9), (0.4).
    palette = PriceScale(-1, 1, "ylgnbu").palette
    assert [palette[24], palette[47], palette[0], palette[23]] == ["#d5eeb3", "#1f368c", "#700174", "#f993b0"]
    assert PriceScale(0, 1, "viridis").palette[0] == "#440154"
    market = PriceScale(0, 1).palette
    assert (market[0], market[-1]) == ("#27408f", "#86102f"), "cool for cheap, warm for expensive"


def test_a_style_is_the_palette_and_the_range_of_a_picture(case: wb.Case) -> None:
    solution = case.study().solution
    prices = np.array([10.0, 20.0, 40.0, 80.0])
    scale = price_scale(prices)
    fixed = styled(scale, prices, {"vmin": 0, "vmax": 100, "cmap": "cividis"})
    assert isinstance(fixed, PriceScale) and (fixed.low, fixed.high, fixed.cmap) == (0, 100, "cividis")
    changes = styled(change_scale(prices - 30), prices - 30, {"vmin": -5})
    assert changes is not None and (changes.low, changes.high) == (-50, 50)
    log = styled(scale, prices, {"vmin": 10, "vmax": 80, "log": True})
    assert log is not None and log.places(np.array([10.0, 20.0, 40.0, 80.0])).tolist() == [0, 8, 15, 23]
    placed = case.with_geography(PLACES).study().solution
    svg = picture(placed, "area", style={})
    assert solution.sha256 and svg is not None and "Area" in svg


def test_a_picture_holds_no_character_that_xml_forbids(case: wb.Case) -> None:
    placed = case.with_geography(PLACES)
    placed.name = "B\x07us\x00 \ufffe\ud800 Z\u00fcrich \u0627\u0644"
    svg = picture(placed.study().solution)
    assert svg is not None
    texts = [text.text for text in ET.fromstring(svg).iter(f"{SVG}text")]
    assert "Bus  Z\u00fcrich \u0627\u0644" in texts
    svg.encode()


#: Two islands: 20 $/MWh at bus 1, 50 $/MWh and 90 MW of demand at bus 2, and a link of 60 MW between them.
APART = b"""function mpc = apart
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [1 3 30 0 0 0 1 1 0 230 1 1.1 0.9; 2 3 90 0 0 0 1 1 0 230 1 1.1 0.9];
mpc.gen = [1 90 0 99 -99 1 100 1 200 0; 2 40 0 99 -99 1 100 1 200 0];
mpc.branch = [];
mpc.gencost = [2 0 0 2 20 0; 2 0 0 2 50 0];
mpc.dcline = [1 2 1 50 0 0 0 1 1 0 60 -9 9 -9 9 4 0.1];
"""


def test_links_are_dashed_lines_and_counted(tmp_path: Path, case: wb.Case) -> None:
    path = tmp_path / "apart.m"
    path.write_bytes(APART)
    apart = wb.open_case(path).with_geography(b"bus,lat,lon\n1,35,-98\n2,36,-97\n")
    svg = picture(apart.study().solution)
    assert svg is not None
    paths = list(ET.fromstring(svg).iter(f"{SVG}path"))
    (link,) = [path for path in paths if path.get("class") == "link"]
    assert link.attrib["stroke-dasharray"] == "11 4 2.5 4"
    (first, last) = re.findall(r"[ML]([\d.]+) ([\d.]+)", link.attrib["d"])
    buses = sorted(place for places in dots(svg).values() for place in places)
    assert [float(x) for x in (*first, *last)] == pytest.approx([*buses[0], *buses[-1]], abs=0.5), "from bus to bus"
    assert "1 HVDC link at a limit" in svg
    assert "HVDC" not in (picture(case.with_geography(PLACES).study().solution) or ""), "a case without links"
