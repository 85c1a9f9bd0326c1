"""Edits of branches: status, rating, reactance, tap ratio and phase shift, against closed forms and the case written with these values."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import wattbook as wb
from networks import THREE_BUS

TEXT = THREE_BUS.format(rating_12=250, rating_23=40)
#: Edits with the values in the rows of the file: line 1 is 1-2, line 2 is 1-3, line 3 is 2-3.
EDITS: dict[str, tuple[dict[int, dict[str, Any]], str, str]] = {
    "status": (
        {2: {"status": False}},
        "\t250\t0\t0\t0\t0\t1\t-360\t360;\n\t2",
        "\t250\t0\t0\t0\t0\t0\t-360\t360;\n\t2",
    ),
    "rating": ({3: {"rating": 50}}, "\t0\t40\t", "\t0\t50\t"),
    "x": ({1: {"x": 0.08}}, "\t1\t2\t0.01\t0.1\t", "\t1\t2\t0.01\t0.08\t"),
    "tap": ({2: {"tap": 0.95}}, "\t1\t3\t0.01\t0.1\t0\t250\t0\t0\t0\t0", "\t1\t3\t0.01\t0.1\t0\t250\t0\t0\t0.95\t0"),
    "shift": ({2: {"shift": 1}}, "\t1\t3\t0.01\t0.1\t0\t250\t0\t0\t0\t0", "\t1\t3\t0.01\t0.1\t0\t250\t0\t0\t0\t1"),
}


@pytest.fixture
def case() -> wb.Case:
    return wb.open_case(TEXT.encode(), format="matpower")


@pytest.mark.parametrize("formulation", ["dcopf", "acpf", "socwr"])
@pytest.mark.parametrize("name", EDITS)
def test_an_edit_is_the_case_written_with_it(case: wb.Case, name: str, formulation: str) -> None:
    edit, before, after = EDITS[name]
    assert TEXT.count(before) == 1
    study = case.study(formulation)
    base = study.solution.sha256
    edited = study.commit(branches=edit)
    own = wb.open_case(TEXT.replace(before, after).encode(), format="matpower").study(formulation).solution
    for table in ("buses", "branches", "generators"):
        columns = [name for name in getattr(own, table).columns if name != "uid"]
        assert getattr(edited, table)[columns].equals(getattr(own, table)[columns]), table
    (row,) = edit
    assert study.commit(branches={row: None}).sha256 == base
    assert not study.edits


def test_a_line_out_of_service_changes_the_prices(case: wb.Case) -> None:
    """Without line 1-3 generator 2 sends its 40 MW over line 2-3: 0.22 * 50 + 5 and 0.17 * 40 + 1.2."""
    study = case.study()
    solution = study.commit(branches={2: {"status": False}})
    assert solution.buses["lmp"].tolist() == pytest.approx([16.0, 16.0, 8.0], abs=1e-9)
    assert solution.branches["in_service"].tolist() == [True, False, True]
    assert math.isnan(solution.branches.at[2, "p_from_mw"])
    assert study.states["label"].iloc[-1] == "Line 2 out of service"
    assert "1 changed branch" in repr(study)
    # A rating counts from the one that the edit gives: (p + 90) / 3 = 49.
    solution = study.commit(branches={2: {"status": True}, 3: {"rating": 48}}, ratings={3: 1})
    assert solution.generators.at[2, "p_mw"] == pytest.approx(57.0, abs=1e-9)
    assert solution.branches.at[3, "rating_mw"] == 49


def test_islands_are_named(case: wb.Case) -> None:
    study = case.study()
    edits = {"branches": {2: {"status": False}, 3: {"status": False}}, "generators": {1: {"p_min": 0}, 2: {"p_min": 0}}}
    solution = study.commit(**edits)
    (island,) = [one for one in solution.diagnostics if one.code == "ISLAND.NEW"]
    assert "Bus 3" in island.message and "270.0 MW" in island.message
    with pytest.raises(wb.SolveError, match="bus 2"):
        study.commit(branches={1: {"status": False}, 2: {"status": None}, 3: {"status": False}})
    assert study.solution.sha256 == solution.sha256


@pytest.mark.parametrize(
    ("branches", "code", "words"),
    [
        ({9: {"status": False}}, "BRANCH.UNKNOWN", "9"),
        ({1: {"status": 0}}, "BRANCH.MALFORMED", "True or False"),
        ({1: {"rating": "a"}}, "BRANCH.MALFORMED", "finite number in MW"),
        ({1: {"tap": -1}}, "BRANCH.MALFORMED", "above zero"),
        ({1: {"reactance": 1}}, "BRANCH.MALFORMED", "rating, x, tap, shift, status"),
        ({1: {"x": 0.2}, "1": {"x": 0.3}}, "BRANCH.MALFORMED", "named twice"),
        ([1], "BRANCH.MALFORMED", "must be a mapping"),
    ],
)
def test_invalid_edits_are_refused(case: wb.Case, branches: Any, code: str, words: str) -> None:
    study = case.study()
    with pytest.raises(wb.EditError, match=words) as refused:
        study.commit(branches=branches)
    assert refused.value.code == code
    with pytest.raises(wb.EditError) as unseen:
        study.preview(branches={1: {"status": False}})
    assert unseen.value.code == "BRANCH.NO_PREVIEW"


def test_edits_are_stored_in_files(case: wb.Case, tmp_path: Path) -> None:
    study = case.study()
    study.commit({2: 3.0}, branches={2: {"status": False}})
    opened = wb.open_study(study.save(tmp_path / "s.study.json"))
    assert opened.edits == study.edits
    assert opened.solution.sha256 == study.solution.sha256
    solution = wb.open_solution(study.save_solution(tmp_path / "s.json"))
    assert solution.edits.branches == {2: {"status": False}}
    module = json.loads(Path(study.save_module(tmp_path / "m.json")).read_text())
    assert module["value"]["data"]["branches"][1]["in_service"] is False


def test_a_sweep_of_outages_is_that_of_edits(case: wb.Case) -> None:
    """Outages of a sweep are edits, beside those of the Study; socwr has the same bits either way."""
    for formulation in ("dcopf", "socwr"):
        study = case.study(formulation)
        study.commit(branches={3: {"rating": 60}})
        swept = wb.sweep(study, [{"outages": [2]}, {"demand": {2: 1.0}}]).scenarios
        own = study.commit(branches={2: {"status": False}})
        assert swept["objective"].iloc[0] == own.objective


def test_a_table_and_a_selection_are_edits_too(case: wb.Case) -> None:
    study = case.study()
    study.commit(branches=pd.DataFrame({"status": [False, None], "rating": [None, 48.0]}, index=[2, 3]))
    assert study.edits.branches == {2: {"status": False}, 3: {"rating": 48.0}}
    # The lines in service, from the rating that the edit gives.
    assert study.changes("ratings", add=1).to_dict() == {1: 1.0, 3: 1.0}
    assert study.changes("ratings", factor=2).to_dict() == {1: 250.0, 3: 48.0}


def test_shift_factors_are_those_of_the_edited_network(case: wb.Case) -> None:
    """Without line 1-3 all power from bus 3 to bus 1 goes over the other two lines."""
    study = case.study()
    study.commit(branches={2: {"status": False}})
    factors = study.shift_factors(1, branches=[1, 2, 3])
    assert factors[3].tolist() == pytest.approx([-1.0, 0.0, -1.0], abs=1e-12)


#: MW per degree of a shift of a line of the triangle: x / (r² + x²), 100 MVA.
PER_DEGREE = 100 * 0.1 / (0.01**2 + 0.1**2) * math.pi / 180


def test_a_phase_shift_has_derivative_preview_and_path(case: wb.Case) -> None:
    # Line 2-3 carries 40 MW; a shift of line 1-3 moves power to unit 2 until the line is free, at 60.5 MW of unit 2.
    study = case.study()
    column = study.sensitivity(branch=2, value="shift")
    assert (column.units, column.parameter, column.element["id"]) == ("($/MWh)/degree", "shift", 2)
    assert column.values.tolist() == pytest.approx([-0.22 * PER_DEGREE, -0.61 * PER_DEGREE, 0.17 * PER_DEGREE])
    free = (23.6 / 0.39 - 30) / PER_DEGREE
    assert column.valid_mw == pytest.approx((-20 / PER_DEGREE, free))
    assert "degrees, then" in str(column)
    preview = study.preview(branches={2: {"shift": 0.5}})
    assert preview.exact and preview.prices is not None
    track = study.track(branch=2, value="shift", from_degrees=-3, to_degrees=3)
    assert (track.unit, track.value, track.segments.attrs["units"]["slope"]) == ("degrees", "shift", "($/MWh)/degree")
    assert track.breakpoints["mw"].tolist() == pytest.approx([free])
    assert track.begins is not None and track.begins.mw == pytest.approx(-20 / PER_DEGREE)
    assert str(track).startswith("phase shift of line 2 from \u22121.1 to 3.0 degrees, 1 breakpoint")
    other = case.study()
    for degrees in (-1.0, 0.5, 2.5):
        solution = other.commit(branches={2: {"shift": degrees}})
        assert track.price_at(degrees).tolist() == pytest.approx(solution.buses["lmp"].tolist(), rel=1e-9)
        assert track.branches_at(degrees)["p_from_mw"].tolist() == pytest.approx(
            solution.branches["p_from_mw"].tolist()
        )
    base = case.study().solution.buses["lmp"] + preview.prices
    assert base.tolist() == pytest.approx(other.commit(branches={2: {"shift": 0.5}}).buses["lmp"].tolist())
    # By default it starts at the present shift.
    assert other.track(branch=2, value="shift", to_degrees=1).from_mw == 0.5
    for arguments in ({"bus": 2, "to_degrees": 1}, {"branch": 2, "value": "shift", "to_mw": 1}, {"branch": 2}):
        with pytest.raises(wb.EditError) as refused:
            study.track(**arguments)  # type: ignore[arg-type]
        assert refused.value.code == "TARGET.MALFORMED"
    with pytest.raises(wb.EditError) as unnamed:
        study.sensitivity(bus=2, value="shift")
    assert unnamed.value.code == "TARGET.MALFORMED"
