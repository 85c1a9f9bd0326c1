"""What a map shows and how it is drawn: keywords, selected elements, style, and the picture that is saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import wattbook as wb


def test_wrong_keywords_are_told(study: wb.Study, pages: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=r"has no keyword 'colour'; did you mean 'color'\? It takes: height"):
        study.map(colour="red")
    with pytest.raises(TypeError, match=r"did you mean 'height'\? It takes"):
        study.map(heigth=1)
    with pytest.raises(wb.InputError, match="needs one bus or one branch"):
        study.map(quantity="sensitivity")


@pytest.mark.parametrize(
    ("element", "code"),
    [
        ({"kind": "bus", "id": 99}, "BUS.UNKNOWN"),
        ({"kind": "branch", "id": "none"}, "BRANCH.UNKNOWN"),
        ({"kind": "generator", "id": 1}, "TARGET.MALFORMED"),
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
def test_wrong_styles_are_told(study: wb.Study, pages: dict[str, Any], keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(wb.InputError, match=message):
        study.map(**keywords)


def test_a_map_is_saved_as_a_vector_picture(pages: dict[str, Any], tmp_path: Path) -> None:
    study = wb.open_case("carolina").study()
    path = tmp_path / "prices.svg"
    study.map(cmap="viridis", vmin=0, vmax=40).save(path)
    text = path.read_text()
    assert text.startswith("<svg") and "Price, $/MWh" in text and "#440154" in text
    assert study.solution.sha256[:8] in text
    with pytest.raises(wb.InputError, match=r"saved as \.svg"):
        study.map().save(tmp_path / "prices.pdf")
