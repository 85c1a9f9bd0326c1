"""Studies: closed forms, edits, the state after a failed commit."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import wattbook as wb
from networks import CLOSED_FORMS, three_bus

TIGHT = {"rel": 1e-6, "abs": 1e-9}


@pytest.mark.parametrize("name", CLOSED_FORMS)
@pytest.mark.parametrize("by_edit", [False, True], ids=["in the file", "by an edit"])
def test_closed_forms(name: str, by_edit: bool, open_three_bus: Callable[..., wb.Case]) -> None:
    known: dict[str, Any] = CLOSED_FORMS[name]
    if by_edit:
        study = open_three_bus().study()
        study.commit(ratings={1: known["rating_12"] - 250, 3: known["rating_23"] - 250})
    else:
        study = open_three_bus(rating_12=known["rating_12"], rating_23=known["rating_23"]).study()
    solution = study.solution
    assert solution.status == "optimal"
    assert solution.objective == pytest.approx(known["objective"], **TIGHT)
    assert solution.generators["p_mw"].tolist() == pytest.approx(known["dispatch"], **TIGHT)
    assert solution.buses["lmp"].tolist() == pytest.approx(known["lmp"], **TIGHT)
    if known["dlmp_dd"]:
        column = study.sensitivity(bus=2)
        assert column.values.tolist() == pytest.approx(known["dlmp_dd"], **TIGHT)
        assert column.kind == "regular"
    if known["binding"]:
        branch, shadow, derivative = known["binding"]
        assert solution.branches["shadow"][branch] == pytest.approx(shadow, **TIGHT)
        assert solution.branches["loading"][branch] == pytest.approx(1.0, abs=1e-9)
        column = study.sensitivity(branch=branch)
        assert column.values.tolist() == pytest.approx(derivative, **TIGHT)


def test_the_certificate_is_small(study: wb.Study) -> None:
    certificate = study.solution.certificate
    assert abs(certificate["primal_residual_mw"]) < 1e-6
    assert certificate["relative_gap"] < 1e-6
    with pytest.raises(TypeError):
        certificate["relative_gap"] = 0  # type: ignore[index]


def test_a_column_is_exact_inside_its_interval(open_three_bus: Callable[..., wb.Case]) -> None:
    study = open_three_bus(rating_23=40).study()
    column = study.sensitivity(bus=2)
    low, high = column.valid_mw
    assert low < 0 < high
    before = study.solution.buses["lmp"]
    for step in (0.9 * min(high, 20.0), 0.9 * max(low, -20.0)):
        after = study.commit({2: step}).buses["lmp"]
        assert (after - before).tolist() == pytest.approx((step * column.values).tolist(), rel=1e-7, abs=1e-9)


def test_set_replaces_the_named_keys_only_and_increment_adds(study: wb.Study) -> None:
    study.commit({2: 5, 3: 1})
    study.commit({2: 7})
    assert study.edits.demand == {2: 7.0, 3: 1.0}
    study.commit({2: 3}, mode="increment")
    assert study.edits.demand == {2: 10.0, 3: 1.0}
    study.commit({3: 0})
    assert study.edits.demand == {2: 10.0}
    assert study.revision == 4
    with pytest.raises(wb.EditError, match="mode"):
        study.commit({2: 3}, mode="add")  # type: ignore[arg-type]


def test_two_spellings_of_one_bus_add_up(study: wb.Study) -> None:
    study.commit({2: 5, "2": 1})
    assert study.edits.demand == {2: 6.0}


def test_numbers_of_pandas_and_numpy_are_edits(study: wb.Study) -> None:
    study.commit(pd.Series({2: 4.0}))
    assert study.edits.demand == {2: 4.0}
    assert study.solution.buses["demand_mw"][2] == 94.0


def test_the_result_does_not_depend_on_the_way(case: wb.Case) -> None:
    straight, winding = case.study(), case.study()
    straight.commit({2: 10}, {3: -200})
    for step in ({2: 40}, {2: -20, 1: 3}, {2: 10, 1: 0}):
        winding.commit(step)
    winding.commit(ratings={3: -200})
    assert winding.solution.sha256 == straight.solution.sha256
    winding.reset()
    assert winding.solution.sha256 == case.study().solution.sha256
    assert winding.edits.demand == {} and winding.edits.ratings == {}
    assert winding.revision == 5


@pytest.mark.parametrize(
    ("demand", "ratings", "kind"),
    [
        ({2: 1e6}, None, wb.SolveError),
        ({99: 1}, None, wb.EditError),
        ({"nowhere": 1}, None, wb.EditError),
        ({2: math.nan}, None, wb.EditError),
        ({2: math.inf}, None, wb.EditError),
        ({2: "much"}, None, wb.EditError),
        ({2: -91}, None, wb.EditError),
        ({(1, 2): 1}, None, wb.EditError),
        ([2, 5], None, wb.EditError),
        (None, {4: 1}, wb.EditError),
        (None, {1: -251}, wb.EditError),
    ],
)
def test_a_failed_commit_changes_nothing(study: wb.Study, demand: Any, ratings: Any, kind: type[Exception]) -> None:
    study.commit({2: 5})
    before = study.solution
    with pytest.raises(kind) as caught:
        study.commit(demand, ratings)
    assert isinstance(caught.value, wb.WattbookError) and caught.value.code
    assert (study.revision, dict(study.edits.demand), dict(study.edits.ratings)) == (1, {2: 5.0}, {})
    assert study.solution is before
    assert study.commit({2: 5}).sha256 == before.sha256


@pytest.mark.parametrize("demand", [{99: 1}, {2: math.nan}, {2: -91}])
def test_preview_and_commit_refuse_the_same_edits(study: wb.Study, demand: dict[int, float]) -> None:
    with pytest.raises(wb.EditError):
        study.preview(demand)


def test_a_preview_inside_the_region_is_the_solution(study: wb.Study) -> None:
    before = study.solution
    preview = study.preview({2: 10})
    assert preview.exact
    assert study.revision == 0 and study.solution is before
    after = study.commit({2: 10})
    change = after.buses["lmp"] - before.buses["lmp"]
    assert preview.prices.tolist() == pytest.approx(change.tolist(), rel=1e-9)
    # 10 MW at 11.487179 $/MWh, which rises by 0.0958974 $/MWh per MW.
    assert preview.objective_delta == pytest.approx(114.87179487 + 4.79487179, rel=1e-8)
    assert preview.objective_delta == pytest.approx(after.objective - before.objective, rel=1e-9)


def test_a_preview_starts_from_the_committed_state(study: wb.Study) -> None:
    study.commit({2: 10})
    preview = study.preview({2: 5}, mode="increment")
    assert preview.prices[1] == pytest.approx(5 * 0.095897436, rel=1e-6)


def test_sensitivity_takes_exactly_one_element(study: wb.Study) -> None:
    for wrong in ({}, {"bus": 1, "branch": 1}):
        with pytest.raises(wb.EditError):
            study.sensitivity(**wrong)
    with pytest.raises(wb.EditError, match=r"sensitivity\(bus=2\), study.sensitivity\(branch=2\), study"):
        study.sensitivity(2)
    with pytest.raises(wb.EditError, match=r"study.sensitivity\(bus=1\)"):
        study.sensitivity()
    for wrong in ({"bus": 99}, {"branch": 99}):
        with pytest.raises(wb.EditError) as caught:
            study.sensitivity(**wrong)
        assert "99" in str(caught.value)


def test_a_column_of_a_line_that_does_not_bind_is_zero_within_its_interval(study: wb.Study) -> None:
    column = study.sensitivity(branch=1)
    assert (column.values == 0).all()
    assert "no LMP depends on" in str(column)
    assert column.valid_mw[0] < 0
    assert math.isinf(column.valid_mw[1])


def test_a_freed_study_is_refused(study: wb.Study) -> None:
    study.free()
    for use in (lambda: study.solution, lambda: study.commit({2: 1}), lambda: study.sensitivity(bus=1), study.map):
        with pytest.raises(wb.WattbookError) as caught:
            use()
        assert caught.value.code == "STUDY.FREED"


def test_an_unknown_formulation_or_option_is_refused(case: wb.Case) -> None:
    for name in ("acopf", "DCOPF"):
        with pytest.raises(wb.InputError) as caught:
            case.study(name)
        assert caught.value.message == f"Unknown formulation {name!r}; available: dcopf, acpf, socwr."
    with pytest.raises(wb.WattbookError):
        case.study(options={"dc_conventions": "matpower"})


def test_options_reach_the_solver(case: wb.Case) -> None:
    assert case.study(options={"dc_convention": "matpower"}).solution.dc_convention == "matpower"
    assert case.study().solution.dc_convention == "service"


def test_the_representation_is_a_sentence(open_three_bus: Callable[..., wb.Case]) -> None:
    study = open_three_bus(rating_23=40).study()
    study.commit({2: 1})
    html = study._repr_html_()
    assert "Demand at bus 2" in html and "+1.0 MW" in html
    assert "1 line binds" in repr(study.solution)
    text = repr(study)
    assert all(part in text for part in ("optimal", "$/h, prices", "1 line binds", "1 demand change, 0 rating changes"))
    assert "MW from the current state (" in repr(study.sensitivity(bus=2))
    assert "MW from the base case)" in repr(study.preview({2: 2}))
    assert "no line binds, the nearest is line" in repr(open_three_bus().study().solution)
    assert "Line 3 (2 to 3)" in study.solution._repr_html_()
    assert "exact from" in str(study.sensitivity(bus=2))


def test_a_full_line_without_a_shadow_price(open_three_bus: Callable[..., wb.Case]) -> None:
    """Without a limit 50 MW flow from 3 to 2; a slightly higher rating does not bind."""
    flow = open_three_bus().study().solution.branches["p_from_mw"][3]
    solution = open_three_bus(rating_23=abs(flow) * 1.0001).study().solution
    assert "no line binds, line 3 is at its limit with zero shadow price" in repr(solution)


def test_a_freed_study_is_shown_as_such(study: wb.Study) -> None:
    study.commit({2: 1.0})
    study.free()
    assert repr(study).startswith("<Study case: freed>")
    # A notebook uses the HTML where there is no bundle.
    assert study._repr_mimebundle_() == {} and "&lt;Study case: freed&gt;" in study._repr_html_()
    assert len(study.states) == 2 and dict(study.edits.demand) == {2: 1.0}
    assert study.branch("s1").solution.buses["demand_mw"][2] == 91.0


def test_names_of_a_file_are_not_markup() -> None:
    case = wb.open_case(three_bus(), format="matpower")
    case.name = "<script>alert(1)</script>"
    assert "<script>" not in case._repr_html_() and "<script>" not in case.study()._repr_html_()


def test_one_price_is_shown_once(study: wb.Study) -> None:
    assert "one price, 11.49 $/MWh" in study.solution._repr_html_()


@pytest.mark.parametrize(
    "again", [copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))], ids=["copy", "pickle"]
)
def test_a_copy_is_an_independent_study(again: Callable[[Any], Any], open_three_bus: Callable[..., wb.Case]) -> None:
    study = open_three_bus(rating_23=40).study(options={"dc_convention": "matpower"})
    study.commit({2: 5.0})
    study.commit(ratings={3: 2.0})
    other = again(study)
    assert (other.revision, dict(other.edits.demand), dict(other.edits.ratings)) == (2, {2: 5.0}, {3: 2.0})
    assert other.solution.sha256 == study.solution.sha256 and dict(other.options) == dict(study.options)
    other.commit({2: 6.0})
    assert dict(study.edits.demand) == {2: 5.0}
    study.free()
    with pytest.raises(wb.WattbookError, match="was freed"):
        again(study)


def test_results_can_be_pickled(open_three_bus: Callable[..., wb.Case], tmp_path: Path) -> None:
    study = open_three_bus(rating_23=40).study()
    study.commit({2: 5.0})
    track = study.track(bus=2, to_mw=10)
    results = [study.solution, wb.open_solution(study.save_solution(tmp_path)), study.sensitivity(bus=2)]
    results += [study.preview({2: 1}), study.lmp_components(2), study.explain({2: 900}), study.case, track]
    for result in results:
        there = pickle.loads(pickle.dumps(result))
        assert repr(there) == repr(result)
    solution, saved = pickle.loads(pickle.dumps(results[:2]))
    assert solution.buses.equals(study.solution.buses) and solution.certificate == study.solution.certificate
    assert saved.solution.branches.equals(study.solution.branches) and dict(saved.edits.demand) == {2: 5.0}
    with pytest.raises(TypeError):
        solution.certificate["relative_gap"] = 0
    far = pickle.loads(pickle.dumps(track))
    assert far.segments.equals(track.segments)
    with pytest.raises(wb.WattbookError, match=r"Call `study\.track"):
        far.price_at(1)
