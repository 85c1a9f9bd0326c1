"""The bundled cases. They are built with the server, so their absence is a failure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import wattbook as wb
from wattbook.case import catalogue


@pytest.fixture
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A build without the grids."""
    monkeypatch.setattr(catalogue, "_BUNDLES", ())


def test_list(benchmarks: None) -> None:
    cases = wb.cases()
    assert cases.index.name == "id"
    assert cases.index.tolist() == ["case200_activ", "case500_goc"]
    assert cases.loc["case500_goc", ["n_bus", "n_branch", "n_gen"]].tolist() == [500, 733, 224]


GRIDS = ["california", "carolina", "illinois", "texas"]


def test_the_four_grids_are_listed() -> None:
    cases = wb.cases()
    assert cases.index.tolist() == GRIDS
    assert cases["name"].str.contains("synthetic").all() and cases["license"].str.contains("CC BY 4.0").all()


@pytest.mark.parametrize("name", GRIDS)
def test_a_grid_opens_places_and_solves_without_a_server(name: str) -> None:
    case = wb.open_case(name)
    row = wb.cases().loc[name]
    assert (case.id, case.name) == (name, row["name"])
    assert (case.n_bus, case.n_branch, case.n_gen) == (row["n_bus"], row["n_branch"], row["n_gen"])
    places = [f for f in json.loads(case.to_geojson())["features"] if f["geometry"]["type"] == "Point"]
    assert len(places) == case.n_bus, "every bus has its place"
    solution = case.study().solution
    assert solution.status == "optimal"
    lmp = solution.buses["lmp"]
    assert lmp.max() - lmp.min() > 5, "prices worth looking at"
    assert 5 <= (solution.branches["shadow"] > 1e-6).sum() <= 20


def test_an_open_case_is_not_read_again() -> None:
    first, again = wb.open_case("carolina"), wb.open_case("carolina")
    assert first is not again
    assert first._rows.columns is again._rows.columns


def test_case500_has_prices_from_28_to_54() -> None:
    case = wb.open_case("case500_goc")
    assert case.sha256 == catalogue.entries()["case500_goc"]["sha256"]
    lmp = case.study().solution.buses["lmp"]
    assert 28 <= lmp.min() < 29 and 53 < lmp.max() <= 54


def test_case200_has_one_price_and_a_note() -> None:
    solution = wb.open_case("case200_activ").study().solution
    assert solution.buses["lmp"].max() - solution.buses["lmp"].min() < 1e-9
    assert "no line binds, the nearest is line" in repr(solution)


def test_an_altered_module_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder,) = (path for path in catalogue._FALLBACKS if path.is_dir())
    row = catalogue.entries()["case200_activ"]
    (tmp_path / "catalogue.json").write_text(json.dumps({"cases": [row]}))
    (tmp_path / row["module"]).write_bytes((folder / row["module"]).read_bytes().replace(b"200", b"201", 1))
    monkeypatch.setattr(catalogue, "_FALLBACKS", (tmp_path,))
    with pytest.raises(wb.InputError) as caught:
        wb.open_case("case200_activ")
    assert caught.value.code == "CASE.UNAVAILABLE" and "altered" in str(caught.value)


def test_without_built_cases(tmp_path: Path, benchmarks: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "_FALLBACKS", (tmp_path,))
    with pytest.raises(wb.InputError, match="npm run build"):
        wb.cases()
    with pytest.raises(wb.InputError, match="npm run build"):
        wb.open_case("case500_goc")


@pytest.mark.parametrize(
    ("name", "says"), [("", "has no catalogue.json"), ("file.m", "is not a folder"), ("none", "is not a folder")]
)
def test_a_variable_without_a_folder_of_cases_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, says: str
) -> None:
    (tmp_path / "file.m").write_text("")
    monkeypatch.setenv("SERVICE_DATA", str(tmp_path / name))
    with pytest.raises(wb.InputError, match=says) as caught:
        wb.cases()
    assert caught.value.code == "CASE.CATALOGUE" and "wattbook stage" in str(caught.value)
