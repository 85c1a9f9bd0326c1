"""The command `wattbook convert`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import wattbook as wb
from networks import FEEDER, FEEDER_CODES, FEEDER_PLACES, three_bus
from wattbook.cli import main


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "three_bus.m"
    path.write_bytes(three_bus(rating_23=40))
    return path


def test_to_another_format(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.aux"
    assert main(["convert", str(file), str(out)]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith(f"{out}: 3 buses, 3 branches, ")
    assert main(["solve", str(out)]) == 0
    assert "808.50 $/h" in capsys.readouterr().out


def test_the_input_is_not_replaced(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    places, costs, link = tmp_path / "places.geo.json", tmp_path / "costs.csv", tmp_path / "link.m"
    places.write_text(wb.open_case(file).with_layout((-89, 40)).to_geojson())
    costs.write_text("generator,cost\n1,20\n2,30\n")
    link.symlink_to(file)
    read = ["--geography", "places.geo.json", "--costs", "costs.csv"]
    before = {path: path.read_bytes() for path in (file, places, costs)}
    for arguments in (
        ["three_bus.m", str(file)],
        ["three_bus.m", "link.m"],
        ["link.m", "three_bus.m"],
        ["three_bus.m", ".", "--format", "matpower"],
        ["three_bus.m", "places.geo.json", *read],
        ["three_bus.m", "costs.csv", "--format", "matpower", *read],
    ):
        assert main(["convert", *arguments]) == 2, arguments
        assert "is read here and would be replaced" in capsys.readouterr().err
        assert {path: path.read_bytes() for path in before} == before
    assert main(["convert", "three_bus.m", "copy.m", *read]) == 0
    assert main(["convert", "three_bus.m", "copy.m"]) == 0, "other files are replaced"


def test_the_extension_of_another_format_is_refused(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, token in (("a.raw", "matpower"), ("a.m", "psse35"), ("a.json", "matpower"), ("a.M", "powermodels-json")):
        assert main(["convert", str(file), str(tmp_path / name), "--format", token]) == 2
        assert f"{name} has the extension of another format: {token} is ." in capsys.readouterr().err
        assert not (tmp_path / name).exists()
    for name, token in (("a.raw", "psse35"), ("a.txt", "matpower"), ("a.JSON", "egret-json")):
        assert main(["convert", str(file), str(tmp_path / name), "--format", token]) == 0


def test_lost_data_is_reported(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(file), str(tmp_path / "out.raw")]) == 0
    assert "wattbook: warning: " in capsys.readouterr().err


def test_json_needs_its_format_and_is_solved(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "out.json")
    assert main(["convert", str(file), out]) == 2
    assert "does not name a JSON format" in capsys.readouterr().err
    for token in ("powermodels-json", "module"):
        assert main(["convert", str(file), out, "--format", token]) == 0
        capsys.readouterr()
        assert main(["solve", out]) == 0
        assert "808.50 $/h" in capsys.readouterr().out


def test_places(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    layer = tmp_path / "places.csv"
    layer.write_text("bus,lat,lon\n1,40,-89\n2,40.5,-88\n9,1,2\n")
    out = tmp_path / "placed.module.json"
    assert main(["convert", str(file), str(out), "--geography", str(layer)]) == 0
    err = capsys.readouterr().err
    assert "2 buses and 0 branches placed" in err and "GEO.UNMATCHED" in err
    assert len(json.loads(wb.open_case(out).to_geojson())["features"]) == 2
    for layout in (["--layout", "-89.2,40.2"], ["--layout=-89.2,40.2"]):
        assert main(["convert", str(file), str(out), *layout]) == 0
        assert wb.open_case(out).sha256 == wb.open_case(file).with_layout((-89.2, 40.2)).sha256
    positions = tmp_path / "three.geo.json"
    assert main(["convert", str(out), str(positions)]) == 0
    assert positions.read_text() == wb.open_case(out).to_geojson()


def test_a_distribution_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "feeder.dss").write_bytes(FEEDER)
    (tmp_path / "codes.dss").write_bytes(FEEDER_CODES)
    (tmp_path / "places.csv").write_bytes(FEEDER_PLACES)
    out = tmp_path / "feeder.module.json"
    assert main(["convert", str(tmp_path / "feeder.dss"), str(out)]) == 0
    assert wb.open_distribution(out).load_kw == pytest.approx(350)
    capsys.readouterr()
    assert main(["convert", str(tmp_path / "feeder.dss"), str(tmp_path / "x.m")]) == 2
    assert "can be written as a module" in capsys.readouterr().err
    assert main(["solve", str(tmp_path / "feeder.dss")]) == 2
    assert "Options: --source-impedance branch. [PHYSICS.UNSUPPORTED]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere.m", "{}/out.raw"], "File not found: nowhere.m"),
        (["{}/three_bus.m", "{}/out.xyz"], "ends in .xyz: give --format, one of"),
        (["{}/three_bus.m", "{}/out.m", "--format", "excel"], "Unknown export format 'excel'"),
        (["{}/three_bus.m", "{}/out.m", "--from", "excel"], "Unknown case format 'excel'"),
        (["{}/three_bus.m", "{}/no/out.m"], "the folder does not exist"),
        (["{}/three_bus.m", "{}/out.m", "--layout", "here"], "is not of the form LON,LAT"),
        (["{}/three_bus.m", "{}/out.m", "--layout", "40.2,-189.2"], "did you mean"),
        (["{}/three_bus.m", "{}/out.m", "--geography", "nowhere.csv"], "File not found: nowhere.csv"),
        (["{}/three_bus.m", "{}/out.m", "--geography", "x.csv", "--layout", "1,2"], "not both"),
        (["{}/three_bus.m", "{}/out.geo.json"], "has no positions to write"),
    ],
)
def test_bad_input(
    file: Path, arguments: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["convert", *(argument.format(file.parent) for argument in arguments)]) == 2
    shown = capsys.readouterr()
    assert says in shown.err and shown.out == ""
    assert [path.name for path in tmp_path.iterdir()] == ["three_bus.m"]
