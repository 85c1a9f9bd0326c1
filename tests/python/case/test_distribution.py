"""Distribution networks: their files and their content."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
import wattbook as wb
from networks import FEEDER, FEEDER_CODES, FEEDER_PLACES, three_bus
from wattbook.files.files import companions


@pytest.fixture
def feeder(tmp_path: Path) -> Path:
    """The feeder in a separate folder."""
    (tmp_path / "feeder.dss").write_bytes(FEEDER)
    (tmp_path / "codes.dss").write_bytes(FEEDER_CODES)
    (tmp_path / "places.csv").write_bytes(FEEDER_PLACES)
    return tmp_path / "feeder.dss"


def test_a_feeder(feeder: Path) -> None:
    network = wb.open_distribution(feeder)
    assert (network.id, network.name) == ("feeder", "island")
    assert network.sha256 == hashlib.sha256(network.module_json.encode()).hexdigest()
    assert network.load_kw == pytest.approx(350.0)
    assert network.gen_kw == 0.0
    assert network.base_frequency == 60.0
    buses = network.buses
    assert {"sub", "mid", "end"} <= set(buses.index)
    assert buses.loc[["sub", "mid", "end"], "load_kw"].tolist() == [0.0, 50.0, 300.0]
    assert buses.loc["mid", ["x", "y"]].tolist() == [-88.99, 40.0]
    assert buses["has_source"].any() and buses.attrs["units"] == {"load_kw": "kW"}
    edges = network.edges
    assert edges.loc["trunk", ["kind", "from_bus", "to_bus", "n_phases"]].tolist() == ["line", "sub", "mid", 3]
    assert edges.loc["trunk", "conductors"] == (("1", "1"), ("2", "2"), ("3", "3"))
    assert edges.loc["step", "kind"] == "transformer" and bool(edges.loc["step", "closed"])
    assert network.counts["loads"] == 2 and network.counts["transformers"] == 1
    assert "350.0 kW of load" in repr(network) and "60 Hz" in network._repr_html_()


def test_what_a_calculation_would_refuse_is_reported_by_name(feeder: Path) -> None:
    feeder.write_bytes(FEEDER.replace(b"Solve", b"New RegControl.reg transformer=step winding=2 vreg=120\nSolve"))
    network = wb.open_distribution(feeder)
    (warning,) = network.warnings
    assert (warning.code, warning.element_name) == ("PHYSICS.UNSUPPORTED", "regcontrol.reg")
    assert "voltage regulators are not supported" in repr(network) and "PHYSICS.UNSUPPORTED" in network._repr_html_()


def test_the_same_bytes_are_the_same_network(feeder: Path) -> None:
    along = {"codes.dss": FEEDER_CODES, "places.csv": FEEDER_PLACES}
    network = wb.open_distribution(FEEDER, format="dss", companions=along)
    assert (network.id, network.sha256) == ("case", wb.open_distribution(feeder).sha256)


def test_a_saved_module_opens_again(feeder: Path, tmp_path: Path) -> None:
    network = wb.open_distribution(feeder)
    written = network.save(tmp_path)
    assert written.name == "feeder.module.json"
    again = wb.open_distribution(written)
    assert (again.sha256, again.counts, again.load_kw) == (network.sha256, network.counts, network.load_kw)
    with pytest.raises(wb.InputError, match=r"is a distribution network: wb\.open_feeder"):
        wb.open_case(written)


def test_a_layout_and_a_layer(feeder: Path, tmp_path: Path) -> None:
    network = wb.open_distribution(feeder)
    drawn = network.with_layout((10.0, 50.0), scale_km=2)
    assert (drawn.coords_kind, drawn.coords_space) == ("synthetic", "geographic")
    assert drawn.sha256 == network.with_layout((10.0, 50.0), scale_km=2).sha256 != network.sha256
    again = network.with_geography(drawn.save_geojson(tmp_path))
    assert again.buses["x"].tolist() == drawn.buses["x"].tolist()
    placed = network.with_geography(b"bus,lat,lon\nMID,41.0,-80.0\nnowhere,1,2\n")
    assert placed.geo_report is not None
    assert (placed.geo_report.matched_buses, placed.geo_report.unmatched_records) == (1, 1)


def test_missing_files_are_named(feeder: Path) -> None:
    (feeder.parent / "codes.dss").unlink()
    with pytest.raises(wb.InputError) as caught:
        wb.open_distribution(feeder)
    assert caught.value.code == "INPUT.COMPANION"
    assert "Line 4 of feeder.dss includes codes.dss, but " in str(caught.value)
    assert caught.value.details["missing"] == ["codes.dss"]


def test_all_missing_scripts_are_named_as_for_bytes(tmp_path: Path) -> None:
    master = tmp_path / "m.dss"
    master.write_text(
        "Clear\nNew Circuit.x bus1=s basekv=1\nRedirect a.dss\nRedirect B\\c.dss\nRedirect d.dss\nRedirect A.dss\n"
    )
    (tmp_path / "d.dss").write_text("Redirect e.dss\n")
    with pytest.raises(wb.InputError, match=r"Also missing: B\\c\.dss, e\.dss\.") as caught:
        wb.open_feeder(master)
    given = {"d.dss": b"Redirect e.dss\n"}
    with pytest.raises(wb.InputError) as of_bytes:
        wb.open_feeder(master.read_bytes(), format="dss", companions=given)
    assert caught.value.details == of_bytes.value.details
    assert set(caught.value.details["missing"]) == {"a.dss", "B\\c.dss", "e.dss"}


def test_a_balanced_case_is_sent_to_open_case(tmp_path: Path) -> None:
    case = wb.open_case(three_bus(), format="matpower")
    for name, data in (
        ("grid.m", three_bus()),
        ("grid.json", case.export(format="module")),
        ("grid.raw", b"0, 100"),
    ):
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(wb.InputError, match=f"{name} is a balanced case: wb.open_case\\('{name}'\\) opens it"):
            wb.open_distribution(path)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("x.pwd", b"x", "wb.open_display"),
        ("x.csv", b"bus,lat,lon\n", "is a geographic layer"),
        ("x.json", b'{"answer": 42}', "unrecognised case format"),
        ("x.txt", b"New Circuit.c", "pass format=, one of dss"),
        ("x.dss", b"", "INPUT"),
        ("x.dss", b"\0" * 1000, "INPUT"),
        ("x.dss", b"this is no script", "INPUT"),
    ],
)
def test_files_that_are_no_distribution_network_are_refused(
    tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(wb.InputError) as caught:
        wb.open_distribution(path)
    assert says in str(caught.value)


def test_formats_by_name(feeder: Path) -> None:
    with pytest.raises(wb.InputError, match="Unknown distribution format"):
        wb.open_distribution(feeder, format="matpower")
    with pytest.raises(wb.InputError, match="pass format="):
        wb.open_distribution(FEEDER)


# The companion files of a master.


def along(folder: Path, text: str, **files: str) -> dict[str, bytes]:
    """The companions of a master with this text; in names of files `__` stands for a slash and `_` for a dot."""
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return dict(companions(folder / "main.dss", text.encode()))


def test_files_included_through_each_other(tmp_path: Path) -> None:
    text = """Clear ! Redirect comment.dss
// Redirect comment.dss
/* begins
Redirect comment.dss
*/
redirect "a.dss"
New Loadshape.day npts=3 mult=(file=day.csv)
New Loadshape.night npts=3 csvfile = night.csv
BusCoords sub\\places.csv
LatLongCoords file='degrees.csv'
Redirect @variable
"""
    found = along(
        tmp_path,
        text,
        a_dss="Redir file=[sub/b.dss]\nredirect (c.dss)",
        sub__b_dss="",
        c_dss="",
        day_csv="1",
        sub__places_csv="redirect nothing.dss",
        degrees_csv="",
    )
    assert list(found) == ["a.dss", "c.dss", "day.csv", "degrees.csv", "sub/b.dss", "sub/places.csv"]
    assert found["day.csv"] == b"1"


def test_compile_moves_the_folder_and_redirect_does_not(tmp_path: Path) -> None:
    files = {"sub__a_dss": "redirect b.dss", "sub__b_dss": "", "c_dss": "", "sub__c_dss": "of the sub folder"}
    assert along(tmp_path, "Redirect sub/a.dss\nRedirect c.dss", **files)["c.dss"] == b""
    found = along(tmp_path, "Compile sub/a.dss\nRedirect c.dss", **files)
    assert found["sub/c.dss"] == b"of the sub folder" and "c.dss" not in found


def test_letter_case_does_not_matter(tmp_path: Path) -> None:
    found = along(tmp_path, "REDIRECT Sub\\LineCodes.DSS\nredirect sub/linecodes.dss", sub__linecodes_dss="x")
    assert found == {"Sub/LineCodes.DSS": b"x"}


def test_a_file_above_is_read_when_it_is_included(tmp_path: Path) -> None:
    (tmp_path / "codes.dss").write_text("x")
    (tmp_path / "feeder").mkdir()
    assert along(tmp_path / "feeder", "Redirect ../codes.dss") == {"../codes.dss": b"x"}


def test_a_path_of_another_machine_means_the_file_of_that_name_here(tmp_path: Path) -> None:
    for name in ("C:\\grids\\codes.dss", "/home/somebody/codes.dss", "\\\\server\\codes.dss"):
        assert along(tmp_path, f'Redirect "{name}"', codes_dss="x") == {"codes.dss": b"x"}
    with pytest.raises(wb.InputError, match=r"includes /etc/hostname, but .*/hostname does not exist") as caught:
        along(tmp_path, "\nRedirect /etc/hostname")
    assert caught.value.code == "INPUT.COMPANION" and not str(caught.value).count("/etc/hostname.")


def test_files_that_include_each_other_end(tmp_path: Path) -> None:
    assert set(along(tmp_path, "redirect a.dss", a_dss="redirect b.dss", b_dss="redirect a.dss")) == {"a.dss", "b.dss"}
    for number in range(200):
        (tmp_path / f"x{number}.dss").write_text(f"redirect x{number + 1}.dss")
    assert 60 < len(companions(tmp_path / "main.dss", b"redirect x0.dss")) < 70
    with pytest.raises(wb.InputError, match="60 files deep"):
        (tmp_path / "main.dss").write_text("redirect x0.dss")
        wb.open_distribution(tmp_path / "main.dss")


def test_a_folder_or_a_missing_file_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "codes.dss").mkdir()
    with pytest.raises(wb.InputError, match=r"Line 2 of a.dss includes codes.dss, but "):
        along(tmp_path, "redirect a.dss", a_dss="\nredirect codes.dss")
    with pytest.raises(wb.InputError, match=r"Line 1 of main.dss includes codes2.dss"):
        along(tmp_path, "redirect codes2.dss")
    assert along(tmp_path, "BusCoords places.csv") == {}


def test_positions_that_are_missing_are_a_warning_that_a_later_file_completes(feeder: Path) -> None:
    whole = wb.open_feeder(feeder)
    places = feeder.parent / "places.csv"
    places.unlink()
    without = wb.open_feeder(feeder)
    missing = [warning for warning in without.warnings if warning.code == "INPUT.COMPANION"]
    assert len(missing) == 1 and "`places.csv`" in missing[0].message
    assert without.buses["x"].isna().all() and not [w for w in whole.warnings if w.code == "INPUT.COMPANION"]
    placed = without.with_geography(FEEDER_PLACES)
    assert placed.buses["x"].tolist() == whole.buses["x"].tolist()


def test_scripts_that_are_missing_are_named_together() -> None:
    text = b"New Circuit.c basekv=1 bus1=a\nRedirect a.dss\nRedirect sub/b.dss\n"
    with pytest.raises(wb.InputError, match=r"a\.dss and sub/b\.dss") as caught:
        wb.open_feeder(text, format="dss")
    assert caught.value.details["missing"] == ["a.dss", "sub/b.dss"]


def test_bytes_without_their_companions(feeder: Path) -> None:
    with pytest.raises(wb.InputError, match=r"codes\.dss") as caught:
        wb.open_distribution(feeder.read_bytes(), format="dss")
    assert caught.value.code == "INPUT.COMPANION" and "companions=" in str(caught.value)
