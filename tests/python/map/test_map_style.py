"""Content and style of a map: keywords, selected elements, style, and the saved picture."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import wattbook as wb
from pypdf import PdfReader
from wattbook.map.picture import pdf

_SVG = "{http://www.w3.org/2000/svg}"


def test_wrong_keywords_are_reported(study: wb.Study, pages: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=r"has no keyword 'colour'; did you mean 'color'\? It takes: height"):
        study.map(colour="red")
    with pytest.raises(TypeError, match=r"did you mean 'height'\? It takes"):
        study.map(heigth=1)
    with pytest.raises(wb.InputError, match="needs one bus, branch or generator"):
        study.map(quantity="sensitivity")


@pytest.mark.parametrize(
    ("element", "code"),
    [
        ({"kind": "bus", "id": 99}, "BUS.UNKNOWN"),
        ({"kind": "branch", "id": "none"}, "BRANCH.UNKNOWN"),
        ({"kind": "generator", "id": 99}, "GENERATOR.UNKNOWN"),
        ({"kind": "substation", "id": 1}, "TARGET.MALFORMED"),
        ({"id": 1}, "TARGET.MALFORMED"),
    ],
)
def test_only_elements_of_the_case_can_be_selected(
    element: Any, code: str, study: wb.Study, pages: dict[str, Any]
) -> None:
    view = study.map(bus="2")
    for select in (lambda: setattr(view, "selection", element), lambda: setattr(view, "selected", [element])):
        with pytest.raises(wb.EditError) as refused:
            select()
        assert refused.value.code == code
    assert view.selection == {"kind": "bus", "id": 2}
    view.selection = {"kind": "branch", "id": np.int64(3)}
    assert view.selected == [{"kind": "branch", "id": 3}] and type(view.selection["id"]) is int


def test_the_style_of_a_map(study: wb.Study, pages: dict[str, Any]) -> None:
    kv = sorted(study.case.buses["base_kv"].unique())
    view = study.map(
        vmin=5, vmax=60, cmap="cividis", color="lmp", width="rating", levels=kv[:1], surface="contour", bus_size=2
    )
    assert view.view["quantity"] == "lmp"
    assert view.view["style"] == {
        "vmin": 5.0,
        "vmax": 60.0,
        "cmap": "cividis",
        "width": "rating",
        "levels": kv[:1],
        "surface": "contour",
        "busSize": 2.0,
        "range": "fixed",
    }
    assert "style" not in study.map().view


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"cmap": "virdis"}, "did you mean 'viridis'"),
        ({"vmin": 5, "vmax": 5}, "vmin must be below vmax"),
        ({"vmin": 5, "range": "auto"}, 'ends of range="fixed"'),
        ({"levels": [1]}, "the case has no 1 kV"),
        ({"levels": "high"}, "the case has no"),
        ({"log": 1}, "log must be True or False"),
        ({"bus_size": 9}, "bus_size must be from 0.25 to 4"),
        ({"color": "lmp", "quantity": "lmp"}, "give one of them"),
    ],
)
def test_wrong_styles_are_reported(
    study: wb.Study, pages: dict[str, Any], keywords: dict[str, Any], message: str
) -> None:
    with pytest.raises(wb.InputError, match=message):
        study.map(**keywords)


def test_a_map_is_saved_as_a_vector_picture(pages: dict[str, Any], tmp_path: Path) -> None:
    study = wb.open_case("carolina").study()
    path = tmp_path / "prices.svg"
    study.map(cmap="viridis", vmin=0, vmax=40).save(path)
    text = path.read_text()
    assert text.startswith("<svg") and "Price, $/MWh" in text and "#440154" in text
    assert study.solution.sha256[:8] in text
    with pytest.raises(wb.InputError, match=r"saved as \.svg or \.pdf"):
        study.map().save(tmp_path / "prices.png")
    with pytest.raises(wb.InputError, match="width_cm must be from 2 to 100"):
        study.map().save(path, width_cm=0)


def test_a_figure_has_its_size_and_is_cropped(pages: dict[str, Any], tmp_path: Path) -> None:
    shown = wb.open_case("carolina").study().map()
    whole, cropped = (
        ET.fromstring(shown.save(tmp_path / f"{k}.svg", width_cm=8, crop=crop, caption=not crop).read_text())
        for k, crop in enumerate((False, True))
    )
    assert whole.attrib["width"] == cropped.attrib["width"] == "8cm"
    left, top, wide, tall = map(float, whole.attrib["viewBox"].split())
    assert (left, top, wide) == (0, 0, 800)
    assert float(whole.attrib["height"].removesuffix("cm")) == pytest.approx(8 * tall / wide, abs=1e-3)
    assert "South Carolina" in "".join(whole.itertext()) or "carolina" in "".join(whole.itertext()).lower()
    assert cropped.attrib["height"] != whole.attrib["height"]


@pytest.mark.parametrize("width_cm", [8.8, 16, 30])
@pytest.mark.parametrize("lines", ["loading", "flow"])
def test_letters_have_eight_points_on_paper(pages: dict[str, Any], tmp_path: Path, width_cm: float, lines: str) -> None:
    study = wb.open_case("carolina").study()
    shown = study.map(lines=lines)
    root = ET.fromstring(shown.save(tmp_path / "prices.svg", width_cm=width_cm).read_text())
    points = width_cm / 2.54 * 72 / float(root.attrib["viewBox"].split()[2])
    seen = []

    def look(element: ET.Element, scale: float, left: float) -> None:
        for child in element:
            if child.tag == f"{_SVG}svg":
                box = child.attrib.get("viewBox")
                inner = scale if box is None else scale * float(child.attrib["width"]) / float(box.split()[2])
                look(child, inner, left + scale * float(child.attrib.get("x", 0)))
            elif child.tag == f"{_SVG}text":
                size = float(re.findall(r"font-size:(\d+)px", child.attrib["style"])[0])
                # Letters of Helvetica are half as wide as their size, digits 0.556 times.
                wide = 0.5 * size * len(child.text or "") * scale
                share = 1.0 if "text-anchor:end" in child.attrib["style"] else 0.0
                begin = left + scale * float(child.attrib["x"]) - share * wide
                seen.append((child.text, size * scale, begin, begin + wide))

    look(root, points, 0.0)
    assert any("Carolina" in text for text, *_ in seen) and any("Result" in text for text, *_ in seen)
    for text, size, begin, end in seen:
        assert 8 <= size <= 10.6, text
        assert begin >= 0 and end <= width_cm / 2.54 * 72, text
    page = PdfReader(shown.save(tmp_path / "prices.pdf", width_cm=width_cm)).pages[0]
    sizes: list[float] = []

    def measure(text: str, matrix: list[float], letters: list[float], _font: object, size: float) -> None:
        if text.strip():
            sizes.append(size * abs(matrix[3] * letters[3]))

    page.extract_text(visitor_text=measure)
    assert len(sizes) > 8 and min(sizes) >= 7.99


def test_a_pdf_has_the_drawing_of_the_svg(pages: dict[str, Any], tmp_path: Path) -> None:
    study = wb.open_case("carolina").study()
    page = PdfReader(study.map().save(tmp_path / "prices.pdf", width_cm=16)).pages[0]
    # 800 px are 16 cm, and an inch has 72 points.
    assert float(page.mediabox.width) == pytest.approx(16 / 2.54 * 72, abs=0.01)
    stream = page.get_contents()
    assert stream is not None
    operators = stream.get_data().decode("latin-1")
    svg = (study.map().save(tmp_path / "prices.svg")).read_text()
    dots = {
        (float(x), float(y))
        for path in re.findall(r'd="((?:M[\d.]+ [\d.]+h0)+)"', svg)
        for x, y in re.findall(r"M(\S+) (\S+?)h0", path)
    }
    points = re.findall(r"(\S+) (\S+) m\s+(\S+) (\S+) l", operators)
    drawn = {(float(x), float(y)) for x, y, u, v in points if (x, y) == (u, v)}
    assert len(dots) > 100 and drawn >= dots
    text = page.extract_text()
    assert "Price, $/MWh" in text and "Carolina 500, synthetic" in text


def test_a_pdf_has_its_fonts_embedded(pages: dict[str, Any], tmp_path: Path) -> None:
    page = PdfReader(wb.open_case("carolina").study().map().save(tmp_path / "prices.pdf")).pages[0]
    resources: Any = page["/Resources"]
    fonts = [font.get_object() for font in resources["/Font"].values()]
    assert len(fonts) == 2
    for font in fonts:
        descendant = font["/DescendantFonts"][0].get_object()
        assert re.fullmatch(r"/[A-Z]{6}\+Arimo-(Regular|Bold)", descendant["/BaseFont"]), "a subset"
        assert descendant["/FontDescriptor"]["/FontFile2"].get_data().startswith(b"\x00\x01\x00\x00")
        assert "/ToUnicode" in font


def test_a_pdf_refuses_letters_that_its_fonts_do_not_have() -> None:
    with pytest.raises(wb.InputError, match=r"save as \.svg"):
        pdf('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text x="1" y="2">\u96fb</text></svg>', 2)
