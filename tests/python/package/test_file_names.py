"""Names from files become one safe path component wherever files are written into a folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import wattbook as wb
from networks import three_bus
from wattbook.cli.command import main
from wattbook.files.files import component, target
from wattbook.service import transport
from wattbook.study.study import Case
from wattbook.tables.rows import inspected

NAMES = json.loads((Path(__file__).parents[2] / "fixtures" / "file_names.json").read_text(encoding="utf-8"))["names"]


@pytest.mark.parametrize(("name", "safe"), NAMES)
def test_a_name_is_one_part_of_a_path(name: str, safe: str, tmp_path: Path) -> None:
    assert component(name) == safe
    where = target(tmp_path, name, ".study.json")
    assert where.parent == tmp_path and where.name == f"{safe}.study.json"
    where.write_bytes(b"every file system takes it")


WRITERS: dict[str, Callable[[wb.Study, Path], Any]] = {
    "study.save": lambda study, folder: study.save(folder),
    "study.save_solution": lambda study, folder: study.save_solution(folder),
    "study.save_module": lambda study, folder: study.save_module(folder),
    "study.export": lambda study, folder: study.export(folder, format="matpower"),
    "case.save": lambda study, folder: study.case.save(folder),
    "case.export": lambda study, folder: study.case.export(folder, format="matpower"),
    "case.save_geojson": lambda study, folder: study.case.save_geojson(folder),
    "map.to_html": lambda study, folder: study.map().to_html(folder),
}


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("name", ["../name", "../../name", "/tmp/name", "a/b", "..", "\u202ename"])
def test_a_study_file_does_not_decide_where_it_is_written(writer: str, name: str, tmp_path: Path) -> None:
    placed = wb.open_case(three_bus(), format="matpower").with_layout((10.0, 50.0))
    study = Case(name, inspected(placed.module_json)).study()
    folder = tmp_path / "outer" / "chosen"
    folder.mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    try:
        written = WRITERS[writer](study, folder)
    except wb.InputError as error:
        if error.code == "MAP.NO_PAGE":
            pytest.skip("the page is not built")
        raise
    assert Path(written).parent == folder and not Path(written).name.startswith(".")
    assert sorted(set(tmp_path.rglob("*")) - set(before)) == [Path(written)]


@pytest.mark.parametrize("writer", WRITERS)
def test_a_path_that_cannot_be_reached_has_a_code(writer: str, tmp_path: Path) -> None:
    """A name that is too long fails in `stat` as a folder of another user does, for root too."""
    study = wb.open_case(three_bus(), format="matpower").with_layout((10.0, 50.0)).study()
    where = tmp_path / ("a" * 300) / ("name.m" if writer.endswith("export") else "name.study.json")
    with pytest.raises(wb.InputError, match="cannot be written: File name too long") as refused:
        WRITERS[writer](study, where)
    assert refused.value.code == "OUTPUT.UNWRITABLE"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("convert {case} {there}.m", "OUTPUT.UNWRITABLE"),
        ("convert {case} {there} --format matpower", "OUTPUT.UNWRITABLE"),
        ("solve {case} --save-solution {there}.json", "OUTPUT.UNWRITABLE"),
        ("examples {there}", "OUTPUT.UNWRITABLE"),
        ("solve {there}.json", "INPUT.UNREADABLE"),
        ("solve {case} --costs {there}", "COST.MALFORMED"),
    ],
)
def test_commands_on_a_path_that_cannot_be_reached(
    command: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = tmp_path / "case.m"
    case.write_bytes(three_bus())
    assert main(command.format(case=case, there=tmp_path / ("a" * 300) / "name").split()) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(f"[{code}]")


def test_the_name_in_a_study_file(tmp_path: Path) -> None:
    folder = tmp_path / "chosen"
    folder.mkdir()
    path = wb.open_case(three_bus(), format="matpower").study().save(tmp_path / "a.study.json")
    bundle = json.loads(path.read_bytes())
    bundle["document"]["case"]["id"] = "../a"
    before = path.read_bytes()
    study = wb.open_study(json.dumps(bundle).encode())
    assert study.case.id == "../a"
    assert study.save(folder) == folder / "_a.study.json.gz"
    assert study.save_module(folder) == folder / "_a.module.json"
    assert path.read_bytes() == before


def test_an_id_is_one_part_of_an_address() -> None:
    for name, part in (("..", "%2E%2E"), ("../name", "..%2Fname"), ("texas", "texas"), ("a.b", "a.b")):
        assert transport._id(name) == part
        request = httpx.Request("GET", f"http://localhost/api/cases/{part}/case")
        assert request.url.raw_path == f"/api/cases/{part}/case".encode()


def test_the_command_line_converts_into_the_folder(tmp_path: Path) -> None:
    source = tmp_path / "-rf x.m"
    source.write_bytes(three_bus())
    out = tmp_path / "out"
    out.mkdir()
    assert main(["convert", str(source), str(out), "--format", "psse"]) == 0
    assert [path.name for path in out.iterdir()] == ["rf_x.raw"]
