"""Edits of generators: limits, cost and status, against closed forms and the case with these values in its file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import wattbook as wb
from networks import THREE_BUS, three_bus

#: Unit 1 costs 0.11 p² + 5 p at bus 1, unit 2 costs 0.085 p² + 1.2 p at bus 3; 90 MW of demand, no line binds.
EDITS: dict[str, tuple[dict[int, dict[str, Any]], float, tuple[float, float]]] = {
    # Unit 2 stops at 50 MW, and unit 1 sets the price: 0.22 * 40 + 5.
    "p_max": ({2: {"p_max": 50}}, 13.8, (40.0, 50.0)),
    # Unit 1 must produce 60 MW, and unit 2 sets the price: 0.17 * 30 + 1.2.
    "p_min": ({1: {"p_min": 60}}, 6.3, (60.0, 30.0)),
    # Unit 1 offers any amount at 10 $/MWh: 0.17 p + 1.2 = 10.
    "cost": ({1: {"cost": 10}}, 10.0, (90 - 8.8 / 0.17, 8.8 / 0.17)),
    # Unit 1 alone: 0.22 * 90 + 5.
    "status": ({2: {"status": False}}, 24.8, (90.0, math.nan)),
}
#: The same values in the rows of the file.
WRITTEN = {
    "p_max": ("\t3\t45\t0\t100\t-100\t1\t100\t1\t270\t10", "\t3\t45\t0\t100\t-100\t1\t100\t1\t50\t10"),
    "p_min": ("\t1\t45\t0\t100\t-100\t1\t100\t1\t250\t10", "\t1\t45\t0\t100\t-100\t1\t100\t1\t250\t60"),
    "cost": ("\t2\t0\t0\t3\t0.11\t5\t0;", "\t2\t0\t0\t2\t10\t0\t0;"),
    "status": ("\t3\t45\t0\t100\t-100\t1\t100\t1\t270\t10", "\t3\t45\t0\t100\t-100\t1\t100\t0\t270\t10"),
}


def written(name: str) -> wb.Case:
    """The case with an edit in its file."""
    before, after = WRITTEN[name]
    text = THREE_BUS.format(rating_12=250, rating_23=250)
    assert before in text
    return wb.open_case(text.replace(before, after).encode(), format="matpower")


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_has_the_optimum_of_its_closed_form(study: wb.Study, name: str) -> None:
    generators, price, dispatch = EDITS[name]
    solution = study.commit(generators=generators)
    assert solution.buses["lmp"].tolist() == pytest.approx([price] * 3, abs=1e-6)
    assert solution.generators["p_mw"].tolist() == pytest.approx(list(dispatch), abs=1e-6, nan_ok=True)
    assert solution.certificate["relative_gap"] < 1e-9


@pytest.mark.parametrize("formulation", ["dcopf", "acpf", "socwr"])
@pytest.mark.parametrize("name", EDITS)
def test_an_edit_is_the_case_written_with_it(case: wb.Case, name: str, formulation: str) -> None:
    study = case.study(formulation)
    base = study.solution.sha256
    generators, _, _ = EDITS[name]
    edited = study.commit({2: 3.0}, generators=generators)
    # An edit leaves the schedule of the file in use; in the written case it would differ too much from the demand.
    options = {"dispatch": "file"} if (name, formulation) == ("status", "acpf") else None
    other = written(name).study(formulation, options=options)
    assert edited.sha256 == other.commit({2: 3.0}).sha256
    # The state is a function of the edits, whatever was committed before, and so is the following base case.
    study.commit({2: -4.0})
    assert study.commit({2: 3.0}).sha256 == edited.sha256
    assert study.reset().sha256 == base
    assert study.edits.generators == {}


def test_limits_have_their_shadow_price(study: wb.Study) -> None:
    # Price 13.8 at its limit, where the marginal cost of unit 2 is 0.17 * 50 + 1.2.
    solution = study.commit(generators={2: {"p_max": 50}})
    assert solution.generators["limit_shadow"].tolist() == pytest.approx([0.0, 4.1], abs=1e-6)
    assert solution.generators["p_max_mw"].tolist() == [250.0, 50.0]
    assert solution.aggregate("area")["capacity_mw"].tolist() == [300.0]


def test_values_stay_until_they_are_given_back(study: wb.Study) -> None:
    study.commit(generators={2: {"p_max": 50, "status": True}})
    study.commit(generators={"2": {"p_max": 60.0}, 1: {"cost": 8}})
    assert study.edits.generators == {1: {"cost": 8.0}, 2: {"p_max": 60.0, "status": True}}
    study.commit(generators={1: {"cost": None}, 2: {"status": None}})
    assert study.edits.generators == {2: {"p_max": 60.0}}
    study.commit(generators={2: None})
    assert study.edits.generators == {}
    labels = study.states["label"].tolist()
    assert labels[-2:] == ["2 changes", "Back to the base case"]


def test_derivatives_and_tracks_are_those_of_the_edited_case(study: wb.Study) -> None:
    study.commit(generators={2: {"p_max": 50}})
    # Only unit 1 responds: 2 * 0.11.
    assert study.sensitivity(bus=2).values.tolist() == pytest.approx([0.22] * 3, abs=1e-9)
    track = study.track(bus=2, to_mw=20)
    assert track.price_at(10)[2] == pytest.approx(0.22 * 50 + 5, abs=1e-6)
    assert track.generators_at(10)["p_mw"].tolist() == pytest.approx([50.0, 50.0], abs=1e-6)


def test_a_study_file_stores_them(study: wb.Study, tmp_path: Path) -> None:
    solution = study.commit({2: 1.0}, generators={2: {"p_max": 50, "status": True}, 1: {"cost": 10}})
    path = study.save(tmp_path / "units.study.json")
    opened = wb.open_study(path)
    assert opened.edits.generators == {1: {"cost": 10.0}, 2: {"p_max": 50.0, "status": True}}
    assert opened.solution.sha256 == solution.sha256
    assert wb.verify(path).differences == []
    saved = wb.open_solution(study.save_solution(tmp_path / "units.pio.json"))
    assert saved.solution.sha256 == solution.sha256
    exported = wb.open_case(study.export(format="matpower"), format="matpower").study().solution
    assert exported.objective == pytest.approx(solution.objective, rel=1e-9)


@pytest.mark.parametrize(
    ("generators", "code", "says"),
    [
        ({9: {"p_max": 5}}, "GENERATOR.UNKNOWN", "generator 9"),
        ({1: {"pmax": 5}}, "GENERATOR.MALFORMED", "did you mean 'p_max'"),
        ({1: {"p_max": "much"}}, "GENERATOR.MALFORMED", "p_max of generator 1"),
        ({1: {"status": 1}}, "GENERATOR.MALFORMED", "True or False"),
        ({1: 5}, "GENERATOR.MALFORMED", "mapping"),
        ([1], "GENERATOR.MALFORMED", "mapping"),
        ({1: {"cost": 5}, "1": {"p_max": 60}}, "GENERATOR.MALFORMED", "generator 1 is named twice"),
        ({1: {"p_max": 5}}, "GENERATOR.LIMITS", "Pmin of generator 1"),
        ({1: {"p_max": 1e12}}, "GENERATOR.MALFORMED", "Pmin or Pmax of generator 1"),
    ],
)
def test_invalid_edits_are_refused(study: wb.Study, generators: Mapping[Any, Any], code: str, says: str) -> None:
    before = study.solution.sha256
    with pytest.raises(wb.EditError) as refused:
        study.commit(generators=generators)
    assert refused.value.code == code
    assert says in str(refused.value)
    assert (study.solution.sha256, study.revision) == (before, 0)


def test_previews_of_limits_and_costs(study: wb.Study) -> None:
    study.commit(generators={2: {"p_max": 50}})
    # Unit 1 replaces the missing output of unit 2, at 0.22 $/MWh per MW, and follows the demand.
    previewed = study.preview({2: 5.0}, generators={2: {"p_max": 45}})
    assert previewed.exact
    assert previewed.prices.tolist() == pytest.approx([2.2] * 3, abs=1e-9)
    alone = study.preview(generators={2: {"p_max": 45}})
    assert alone.valid_mw == pytest.approx((10.0, 60.512820512820511), abs=1e-6)
    assert "from the base case" not in repr(alone)
    # A cost in place of a curve is an estimate: unit 2 stays at its limit, so that nothing moves.
    curved = study.preview(generators={2: {"cost": 8}})
    assert not curved.exact
    assert curved.prices.tolist() == pytest.approx([0.0] * 3, abs=1e-9)


@pytest.mark.parametrize(("formulation", "values"), [("dcopf", {"status": False}), ("acpf", {"p_max": 50})])
def test_previews_that_do_not_exist_are_refused(case: wb.Case, formulation: str, values: dict[str, Any]) -> None:
    study = case.study(formulation)
    with pytest.raises(wb.EditError) as refused:
        study.preview(generators={2: values})
    assert refused.value.code == "GENERATOR.NO_PREVIEW"


def test_sensitivities_by_limits_and_costs(study: wb.Study) -> None:
    study.commit(generators={2: {"p_max": 50}})
    column = study.sensitivity(generator=2)
    assert column.values.tolist() == pytest.approx([-0.22] * 3, abs=1e-9)
    assert (column.parameter, column.units) == ("p_max", "($/MWh)/MW")
    assert column.element == {"kind": "generator", "id": 2}
    low, high = column.ends
    assert low is not None and high is not None
    assert str(low) == "\u221240.0 MW, then Pmax meets Pmin"
    assert high.mw == pytest.approx(10.512820512820511, abs=1e-6)
    # A unit with constant cost sets the price.
    study.commit(generators={2: None, 1: {"cost": 10}})
    priced = study.sensitivity(generator=1, value="cost")
    assert priced.values.tolist() == pytest.approx([1.0] * 3, abs=1e-9)
    assert priced.units == "($/MWh)/($/MWh)"
    with pytest.raises(wb.EditError, match="one bus, branch, generator"):
        study.sensitivity(bus=1, generator=2)
    with pytest.raises(wb.EditError) as refused:
        study.sensitivity(generator=9)
    assert refused.value.code == "GENERATOR.UNKNOWN"


def test_sweeps_begin_with_them(study: wb.Study) -> None:
    study.commit(generators={2: {"p_max": 50}})
    swept = wb.sweep(study, [{"demand": {2: 10.0}}], progress=False).scenarios
    other = wb.open_case(three_bus(), format="matpower").study()
    known = other.commit({2: 10.0}, generators={2: {"p_max": 50}})
    assert swept["objective"].tolist() == pytest.approx([known.objective], rel=1e-9)


def test_the_table_of_generators_has_their_values(study: wb.Study) -> None:
    units = study.commit(generators={2: {"p_max": 50, "status": True}, 1: {"cost": 10}}).generators
    assert units["p_max_mw"].tolist() == [250.0, 50.0]
    # 10 as given, and 0.17 * 50 + 1.2.
    assert units["cost"].tolist() == pytest.approx([10.0, 9.7], abs=1e-6)
    assert units["in_service"].tolist() == [True, True]
    assert units.attrs["units"]["cost"] == "$/MWh"
    assert study.commit(generators={2: {"status": False}}).generators["in_service"].tolist() == [True, False]


def test_a_map_selects_them(study: wb.Study) -> None:
    shown = study.map(generator=2)
    assert shown.selection == {"kind": "generator", "id": 2}
    shown.selection = {"kind": "generator", "id": 1, "value": "cost"}
    assert shown.selected == [{"kind": "generator", "id": 1, "value": "cost"}]
    with pytest.raises(wb.EditError) as refused:
        shown.selection = {"kind": "generator", "id": 9}
    assert refused.value.code == "GENERATOR.UNKNOWN"


@pytest.mark.parametrize("formulation", ["dcopf", "acpf", "socwr"])
def test_demand_of_an_island_that_a_unit_brings_to_life(formulation: str) -> None:
    text = """function mpc = islands
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [1 3 0 0 0 0 1 1 0 230 1 1.1 0.9; 2 1 80 20 0 0 1 1 0 230 1 1.1 0.9; 3 3 0 0 0 5 1 1 0 230 1 1.1 0.9];
mpc.gen = [1 80 0 100 -100 1 100 1 200 0; 3 0 0 50 -50 1 100 0 60 0];
mpc.branch = [1 2 .01 .1 0 120 0 0 0 0 1 -360 360];
mpc.gencost = [2 0 0 2 10 0; 2 0 0 2 30 0];
"""
    study = wb.open_case(text.encode(), format="matpower").study(formulation)
    with pytest.raises(wb.EditError) as refused:
        study.commit({3: 5.0})
    assert refused.value.code == "DELTA.ISOLATED_BUS"
    solution = study.commit({3: 5.0}, generators={2: {"status": True}})
    assert solution.generators["p_mw"][2] == pytest.approx(5.0, abs=1e-5)
    if formulation != "acpf":
        assert solution.buses["lmp"][3] == pytest.approx(30.0, abs=1e-5)
    # What the unit no longer gives is missing, whether or not the demand was edited before.
    with pytest.raises(wb.WattbookError) as short:
        study.commit(generators={2: {"status": False}})
    assert short.value.code in ("DELTA.ISOLATED_BUS", "SOLVE.INFEASIBLE")
