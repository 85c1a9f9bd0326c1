"""One-line drawings."""

from __future__ import annotations

from pathlib import Path

import pytest
import wattbook as wb


@pytest.mark.parametrize("content", [b"", b"x", b"\0" * 100_000, b"hello, this is text\n" * 1000])
def test_files_that_are_no_drawing_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.pwd"
    path.write_bytes(content)
    for source in (path, content):
        with pytest.raises(wb.InputError) as caught:
            wb.open_display(source)
        assert caught.value.code in ("INPUT.EMPTY", "INPUT.DISPLAY")


@pytest.mark.parametrize(
    ("name", "says"), [("x.m", "wb.open_case"), ("x.dss", "wb.open_feeder"), ("x.csv", "case.with_geography")]
)
def test_other_files_are_sent_where_they_go(tmp_path: Path, name: str, says: str) -> None:
    (tmp_path / name).write_bytes(b"x")
    with pytest.raises(wb.InputError, match=says):
        wb.open_display(tmp_path / name)


def test_substations_of_a_drawing(data: Path) -> None:
    display = wb.open_display(data / "activsg200" / "ACTIVSg200.pwd")
    assert display.id == "ACTIVSg200"
    assert display.substations.index.name == "substation" and len(display.substations) == 111
    assert {"name", "x", "y"} == set(display.substations.columns)
    assert display.substations[["x", "y"]].notna().all(axis=None)
    assert repr(display).startswith("<Display ACTIVSg200: 111 substations, ")


def test_buses_and_lines_of_a_drawing(data: Path) -> None:
    display = wb.open_display(data / "new_england250" / "New_England_One-Line.pwd")
    case = wb.open_case(data / "new_england250" / "BaseCase.m")
    assert display.buses.index.name == "bus"
    assert set(display.buses.index) <= set(case.buses.index) and len(display.buses) > 200
    ends = display.branches[["from_bus", "to_bus"]]
    assert ends.isin(set(case.buses.index)).all(axis=None)
    assert all(len(points) >= 2 for points in display.branches["points"])
