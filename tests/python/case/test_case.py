"""Opening cases: files, bytes, modules, and errors."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import wattbook as wb
from networks import three_bus, three_bus_bare


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "three_bus.m"
    path.write_bytes(three_bus())
    case = wb.open_case(path)
    assert case.id == "three_bus"
    assert case.base_mva == 100.0
    assert case.counts == {"buses": 3, "branches": 3, "generators": 2}
    assert wb.open_case(str(path)).sha256 == case.sha256


def test_the_hash_is_that_of_the_module_and_only_the_content_decides_it(tmp_path: Path, case: wb.Case) -> None:
    assert case.sha256 == hashlib.sha256(case.module_json.encode()).hexdigest()
    renamed = tmp_path / "other name.m"
    renamed.write_bytes(three_bus())
    assert wb.open_case(renamed).sha256 == case.sha256
    assert wb.open_case(three_bus(rating_12=249), format="matpower").sha256 != case.sha256


def test_a_saved_module_is_the_same_case(tmp_path: Path, case: wb.Case) -> None:
    path = tmp_path / "saved.module.json"
    path.write_text(case.module_json, encoding="utf-8")
    again = wb.open_case(path)
    assert (again.id, again.sha256, again.counts) == ("saved", case.sha256, case.counts)


def test_frames_of_a_case(case: wb.Case) -> None:
    assert case.buses.index.name == "bus"
    assert case.buses.index.tolist() == [1, 2, 3]
    assert case.buses["demand_mw"].tolist() == [0.0, 90.0, 0.0]
    assert case.buses["base_kv"].tolist() == [230.0, 230.0, 115.0]
    assert case.branches.index.name == "branch"
    assert case.branches[["from_bus", "to_bus"]].to_numpy().tolist() == [[1, 2], [1, 3], [2, 3]]
    assert case.branches["rating_mw"].tolist() == [250.0, 250.0, 250.0]
    assert case.generators.index.name == "generator"
    assert case.generators[["bus", "p_min_mw", "p_max_mw"]].to_numpy().tolist() == [[1, 10, 250], [3, 10, 270]]
    assert case.branches.attrs["units"]["rating_mw"] == "MW"
    assert np.all(case.branches["in_service"])


def test_a_branch_without_rating_gets_the_fallback(case: wb.Case) -> None:
    """Closed form: r=0.01, x=0.1, bands 0.9..1.1 at 60 degrees give 12.039950 pu."""
    rating = wb.open_case(three_bus(rating_12=0), format="matpower").branches["rating_mw"]
    assert rating[1] == pytest.approx(1203.9950, abs=1e-4)


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("no_such_case", "CASE.UNKNOWN"),
        ("no_such_file.m", "INPUT.NOT_FOUND"),
        ("~/no_such_file.m", "INPUT.NOT_FOUND"),
        ("~no_such_user/x.m", "INPUT.NOT_FOUND"),
        ("", "INPUT.NOT_FOUND"),
        (".", "INPUT.UNREADABLE"),
        ("function mpc = x\nmpc.version = '2';", "INPUT.FORMAT"),
        (b"mpc.version = '2';", "INPUT.FORMAT"),
    ],
)
def test_unknown_sources(source: str | bytes, code: str) -> None:
    with pytest.raises(wb.InputError) as caught:
        wb.open_case(source)
    assert caught.value.code == code
    assert isinstance(caught.value, ValueError)
    assert caught.value.__cause__ is None and (caught.value.__context__ is None or caught.value.__suppress_context__)


def test_a_file_of_another_kind(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("hello")
    with pytest.raises(wb.InputError) as caught:
        wb.open_case(path)
    assert caught.value.code == "INPUT.FORMAT"
    assert "ends in .txt" in str(caught.value) and ".epc" in str(caught.value) and "goc3-json" in str(caught.value)


def test_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "three_bus.m").write_bytes(three_bus())
    assert wb.open_case("~/three_bus.m").id == "three_bus"


def test_a_truncated_file_is_refused() -> None:
    with pytest.raises(wb.InputError) as caught:
        wb.open_case(three_bus()[:300], format="matpower")
    assert caught.value.code.startswith("INPUT.")


def test_a_broken_module_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "broken.module.json"
    path.write_text('{"schema": "pio-ir", "version": 1}')
    with pytest.raises(wb.InputError):
        wb.open_case(path)


def test_the_representation_is_a_sentence(case: wb.Case) -> None:
    assert "3 buses, 3 branches, 2 generators" in repr(case)
    assert "90.0 MW" in case._repr_html_()


def test_missing_data_of_the_source_is_reported_with_every_result() -> None:
    case = wb.open_case(three_bus_bare(), format="matpower")
    study = case.study()
    for text in (repr(case), repr(study), repr(study.solution)):
        assert "3 warnings:" in text and "COST.MISSING" in text and "RATING.FALLBACK" in text
    assert "no line binds, no line has a rating in the source" in repr(study)
    assert "(assumed)" in study._repr_html_() and "COST.MISSING" in study._repr_html_()
    case.warnings = case.warnings * 2
    assert "6 warnings:" in repr(case) and repr(case).endswith("- and 3 more warnings")


def test_the_nearest_line_has_a_rating_of_the_file(open_three_bus: Callable[..., wb.Case]) -> None:
    """50.2 of its assumed 1,204.0 MW make line 3 the most loaded; line 2 carries 10.3 of its own 250 MW."""
    solution = open_three_bus(rating_12=5000, rating_23=0).study().solution
    assert solution.branches["loading"].idxmax() == 3
    assert "the nearest is line 2 at 4 %" in repr(solution)


def test_dollar_signs_are_not_formulas(case: wb.Case) -> None:
    study = case.study()
    for shown in (case, study, study.solution, study.sensitivity(bus=2)):
        html = shown._repr_html_()
        assert html.startswith('<div class="tex2jax_ignore mathjax_ignore">') and html.endswith("</div>")
