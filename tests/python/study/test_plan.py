"""Plans: their proposals equal the results of commits; limits, cancelling and refusals."""

from __future__ import annotations

import _thread
import json
import pickle
import threading
from pathlib import Path

import numpy as np
import pytest
import wattbook as wb
from networks import three_bus


@pytest.fixture
def study() -> wb.Study:
    return wb.open_case(three_bus(rating_23=40), format="matpower").study()


def test_the_proposal_equals_commits(study: wb.Study) -> None:
    base = study.solution
    steps: list[tuple[float, int]] = []
    plan = study.plan(
        weights={2: 1.0},
        candidates=[1, 2, 3],
        increment_mw=2,
        budget_mw=10,
        progress=lambda f, t: steps.append((f, len(t))),
    )
    assert plan.proposal == {3: 10.0} and plan.spent_mw == 10.0
    assert (plan.exact_solves, plan.exhausted, plan.ended) == (6, False, "capacity_budget")
    assert steps[-1][0] == 1.0 and sum(count for _, count in steps) == 5
    assert plan.baseline_objective == base.buses["lmp"][2] and plan.baseline_cost == base.objective
    trials = plan.trials
    assert trials.index.tolist() == [2, 3, 4, 5, 6] and trials.index.name == "exact_solve"
    assert trials["accepted"].all() and trials["reason"].isna().all()
    assert trials["delta_mw"].tolist() == [2.0, 4.0, 6.0, 8.0, 10.0] and (trials["branch"] == 3).all()
    # Prices are affine in the rating while line 3 binds.
    assert np.allclose(trials["predicted"], trials["exact"], atol=1e-9) and np.allclose(
        trials["path"], trials["exact"], atol=1e-9
    )
    assert trials.attrs["units"]["exact"] == "$/MWh"
    assert plan.gradient.columns.tolist() == [1, 2, 3] and plan.gradient.attrs["units"] == "($/MWh)/MW"
    # 5 $/MWh per MW from the difference of two commits.
    slope = (study.commit(ratings={3: 1.0}).buses["lmp"][2] - base.buses["lmp"][2]) / 1.0
    study.reset()
    assert plan.gradient[3].iloc[0] == pytest.approx(slope, abs=1e-8)
    planned = plan.to_study()
    assert planned.edits.ratings == {3: 10.0} and not study.edits.ratings
    assert planned.solution.buses["lmp"][2] == plan.objective and planned.solution.objective == plan.cost
    assert "best verified within the budget: line 3 +10" in str(plan)
    assert "<table" in plan._repr_html_() and "Line 3 +2" in plan._repr_html_()


def test_by_itself_the_mean_price_falls_by_the_lines_that_bind(study: wb.Study) -> None:
    study.commit(ratings={3: 4.0})
    plan = study.plan(increment_mw=2, budget_mw=4)
    assert plan.spec["candidates"] == [3]
    # All demand is at bus 2.
    assert plan.spec["objective"] == {"kind": "weighted_lmp", "weights": [{"bus": 2, "weight": 1.0}]}
    assert plan.proposal == {3: 4.0} and plan.to_study().edits.ratings == {3: 8.0}
    same = study.plan(area=1, increment_mw=2, budget_mw=4)
    assert same.proposal == plan.proposal and same.objective == plan.objective
    assert study.plan(plan.spec).proposal == plan.proposal


def test_the_relaxation_is_planned_in_mva() -> None:
    study = wb.open_case(three_bus(rating_23=40), format="matpower").study("socwr")
    plan = study.plan(increment_mw=1, budget_mw=3)
    assert plan.proposal == {3: 3.0} and plan.objective < plan.baseline_objective
    assert plan.to_study().solution.buses["lmp"][2] == pytest.approx(plan.objective, abs=1e-9)
    assert plan.trials["path"].isna().all()
    units = (plan.trials.attrs["units"]["delta_mw"], plan.changes.attrs["units"], plan.gradient.attrs["units"])
    assert units == ("MVA", "MVA", "($/MWh)/MVA")
    (stored,) = study.plans.values()
    assert "line 3 +3.0 MVA" in str(plan) and "Line 3 +1.0 MVA" in plan._repr_html_() and str(stored) == str(plan)
    assert "line 3 +1.0 MVA" in study.history["label"].tolist()


@pytest.mark.parametrize("formulation", ["dcopf", "socwr"])
@pytest.mark.parametrize("kind", ["demand_placement", "demand_redistribution"])
def test_demand_is_placed_or_moved(kind: str, formulation: str) -> None:
    study = wb.open_case(three_bus(rating_23=40), format="matpower").study(formulation)
    steps: list[int] = []
    plan = study.plan(
        kind=kind,  # type: ignore[arg-type]
        weights={2: 1.0},
        candidates=[1, 2, 3],
        increment_mw=5,
        budget_mw=20,
        max_increase_mw=10,
        max_buses=3,
        progress=lambda _, trials: steps.append(len(trials)),
    )
    assert isinstance(plan, wb.DemandPlan) and plan.kind == kind and not study.edits.demand
    total = 20.0 if kind == "demand_placement" else 0.0
    assert sum(plan.proposal.values()) == total and plan.changes.sum(axis=1).iloc[-1] == total
    assert plan.changes.abs().max().max() <= 10.0
    assert sum(steps) == len(plan.trials) > 0 and plan.exact_solves == len(plan.trials) + 1
    planned = plan.to_study()
    assert planned.edits.demand == plan.proposal
    assert planned.solution.buses["lmp"][2] == pytest.approx(plan.objective, abs=1e-8)
    assert planned.solution.objective == pytest.approx(plan.cost, rel=1e-9)
    trials = plan.trials
    assert trials["path"].notna().all() == (formulation == "dcopf")
    assert trials.attrs["units"]["delta_mw"] == "MW" and trials.attrs["units"]["exact"] == "$/MWh"
    moves = trials[trials["from_bus"].notna()]
    assert (plan.changes.loc[moves.index].sum(axis=1) == total).all()
    assert (moves["from_bus"] != moves["to_bus"]).all() and (moves["delta_mw"] == 5.0).all()
    assert trials["to_bus"].notna().all()
    assert trials["from_bus"].isna().sum() == (2 if kind == "demand_placement" else 0)
    assert plan.gradient.columns.name == "bus" and len(plan.gradient) == len(trials)
    assert "best verified within the budget: bus " in str(plan) and "<table" in plan._repr_html_()
    (stored,) = study.plans.values()
    assert stored.proposal == plan.proposal and stored.to_study().edits.demand == plan.proposal
    assert study.history["kind"].tolist().count("planning trial") == len(trials)


def test_plans_can_be_pickled(study: wb.Study, tmp_path: Path) -> None:
    study.commit(demand={2: 1.0})
    plan = study.plan(increment_mw=2, budget_mw=4)
    (stored,) = study.plans.values()
    (opened,) = wb.open_study(study.save(tmp_path / "planned.study.json")).plans.values()
    for one in (plan, stored, opened):
        sent = pickle.loads(pickle.dumps(one))
        assert sent.proposal == plan.proposal and sent.trials.equals(plan.trials)
        again = sent.to_study()
        assert (dict(again.edits.demand), dict(again.edits.ratings)) == ({2: 1.0}, plan.proposal)
        assert again.solution.sha256 == plan.to_study().solution.sha256


def test_a_goal_names_the_prices_that_it_lowers(study: wb.Study, tmp_path: Path) -> None:
    study.commit(ratings={3: 4.0})
    limits = {"increment_mw": 2, "budget_mw": 4}
    study.plan(**limits)
    study.plan(area=1, **limits)
    study.plan(weights={2: 1.0, 3: 0.5}, **limits)
    path = study.save(tmp_path / "goals.study.json")
    goals = json.loads(path.read_text(encoding="utf-8"))["document"]["goals"]
    buses = [{"kind": "bus", "id": 2}, {"kind": "bus", "id": 3}]
    assert [goal["scope"] for goal in goals.values()] == [
        {"kind": "network"},
        {"kind": "area", "area": 1},
        {"kind": "elements", "elements": buses},
    ]
    again = wb.open_study(path).save(tmp_path / "again.study.json")
    assert json.loads(again.read_text(encoding="utf-8"))["document"]["goals"] == goals


def test_a_demand_plan_is_saved_and_verified(study: wb.Study, tmp_path: Path) -> None:
    plan = study.plan(kind="demand_redistribution", increment_mw=5, budget_mw=20, candidates=[1, 2, 3])
    assert plan.ended != "cancelled"
    opened = wb.open_study(study.save(tmp_path / "moved.study.json"))
    (stored,) = opened.plans.values()
    assert isinstance(stored, wb.DemandPlan) and stored.proposal == plan.proposal
    assert wb.verify(tmp_path / "moved.study.json").reproduces


def test_buses_with_demand_are_candidates_by_default(study: wb.Study) -> None:
    study.commit(demand={1: 10.0})
    plan = study.plan(kind="demand_redistribution", increment_mw=5, budget_mw=10)
    assert plan.spec["candidates"] == [1, 2] and plan.spec["max_changed_buses"] == 2
    assert plan.spec["max_change_per_bus_mw"] == 10.0


def test_where_no_line_binds_candidates_must_be_named() -> None:
    study = wb.open_case(three_bus(), format="matpower").study()
    with pytest.raises(wb.EditError, match="No line binds"):
        study.plan()
    plan = study.plan(candidates=[1, 2, 3])
    assert plan.ended == "no_improvement" and not plan.proposal and plan.trials.empty
    assert "no increase was tried" in str(plan)
    # The only solve is that of the committed state.
    tight = study.plan(candidates=[1, 2, 3], solves=1)
    assert tight.trials.empty and "no increase was tried" in str(tight)


def test_a_limit_of_lines_ends_a_plan() -> None:
    study = wb.open_case("carolina").study()
    lines = study.solution.branches["shadow"].nlargest(4).index.tolist()
    options = {"candidates": lines, "increment_mw": 5, "budget_mw": 100, "max_increase_mw": 5}
    plan = study.plan(max_lines=1, **options)
    assert len(plan.proposal) == 1 and plan.ended == "element_limit"
    assert str(plan).endswith("no further line may change")
    more = study.plan(max_lines=2, **options)
    assert len(more.proposal) == 2 and more.objective < plan.objective


def test_an_interrupt_returns_the_completed_trials(study: wb.Study) -> None:
    def stop(fraction: float, trials: object) -> None:
        if fraction > 0.08:
            _thread.interrupt_main()
            threading.Event().wait(0.01)

    plan = study.plan(weights={2: 1.0}, increment_mw=1, budget_mw=10, progress=stop)
    assert plan.ended == "cancelled" and 1 <= len(plan.trials) < 10
    assert plan.proposal == {3: float(len(plan.trials))} and "cancelled" in str(plan)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"weights": {2: 1.0}, "area": 1}, "PLAN.SPEC"),
        ({"weights": {2: "much"}}, "PLAN.SPEC"),
        ({"weights": {9: 1.0}}, "BUS.UNKNOWN"),
        ({"area": 7}, "PLAN.SPEC"),
        ({"candidates": [9]}, "BRANCH.UNKNOWN"),
        ({"candidates": 2}, "PLAN.SPEC"),
        ({"budget_mw": 15.0}, "PLAN.SPEC"),
        ({"increment_mw": float("nan")}, "ARGUMENT.NUMBER"),
        ({"solves": 0}, "PLAN.SPEC"),
        ({"spec": {"candidates": [2]}}, "INPUT.REQUEST"),
        ({"spec": 3}, "PLAN.SPEC"),
        ({"kind": "demand"}, "PLAN.SPEC"),
        ({"kind": "demand_placement", "max_lines": 2}, "PLAN.SPEC"),
        ({"kind": "demand_placement", "candidates": [9]}, "BUS.UNKNOWN"),
        ({"kind": "demand_placement", "area": 7}, "PLAN.SPEC"),
        ({"kind": "demand_redistribution"}, "PLAN.SPEC"),
    ],
)
def test_invalid_plans_are_refused(study: wb.Study, arguments: dict[str, object], code: str) -> None:
    with pytest.raises(wb.WattbookError) as refused:
        study.plan(**arguments)  # type: ignore[arg-type]
    assert refused.value.code == code


def test_power_flows_have_no_plans() -> None:
    study = wb.open_case(three_bus(rating_23=40), format="matpower").study("acpf")
    with pytest.raises(wb.WattbookError) as refused:
        study.plan(weights={2: 1.0}, candidates=[2])
    assert refused.value.code == "FORMULATION.UNAVAILABLE"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"budget_mw": 15.0}, "budget_mw is 15.0 MW, which is not a whole multiple of increment_mw (10.0 MW)."),
        ({"budget_mw": 0}, "budget_mw must be a positive number."),
        ({"budget_mw": -10}, "budget_mw must be a positive number."),
        ({"increment_mw": 7}, "budget_mw is 100.0 MW, which is not a whole multiple of increment_mw (7.0 MW)."),
        (
            {"max_increase_mw": 15},
            "max_increase_mw is 15.0 MW, which is not a whole multiple of increment_mw (10.0 MW).",
        ),
        (
            {"kind": "demand_placement", "candidates": [2], "max_increase_mw": -1},
            "max_increase_mw must be a positive number.",
        ),
        ({"candidates": []}, "candidates is empty: name lines, or leave it out."),
        ({"kind": "demand_placement", "candidates": []}, "candidates is empty: name buses, or leave it out."),
        (
            {"kind": "demand_redistribution", "candidates": [2]},
            "Redistribution moves demand between buses: at least two candidates are needed, and max_buses of at least 2.",
        ),
    ],
)
def test_refusals_name_the_arguments(study: wb.Study, arguments: dict[str, object], message: str) -> None:
    with pytest.raises(wb.WattbookError) as refused:
        study.plan(**arguments)  # type: ignore[arg-type]
    assert (refused.value.code, refused.value.message) == ("PLAN.SPEC", message)


def test_a_formulation_without_prices_is_refused_first() -> None:
    study = wb.open_case(three_bus(), format="matpower").study("acpf")
    for arguments in ({}, {"candidates": [1]}, {"kind": "demand_placement"}, {"candidates": []}):
        with pytest.raises(wb.InputError, match="acpf has no prices") as refused:
            study.plan(**arguments)  # type: ignore[arg-type]
        assert refused.value.code == "FORMULATION.UNAVAILABLE"


def test_new_circuits_are_candidates(study: wb.Study) -> None:
    small, large = wb.Branch(copy_of=3, rating=20, name="small"), wb.Branch(copy_of=3)
    plan = study.plan(weights={2: 1.0}, candidates=[small, large], budget_mw=60)
    assert plan.choices is not None
    assert plan.choices["circuits"].tolist() == [
        "",
        "circuit 'small'",
        "a circuit parallel to line 3",
        "circuit 'small', a circuit parallel to line 3",
    ]
    assert plan.choices["capacity_mw"].tolist() == [0.0, 20.0, 40.0, 60.0]
    # Every choice is the exact result of a commit.
    other = study.case.study()
    for circuits, objective in zip(
        ([], [small], [large], [small, large]), plan.choices["objective"].tolist(), strict=True
    ):
        other.reset()
        assert objective == pytest.approx(other.commit(add=circuits).buses["lmp"][2], rel=1e-12)
    best = plan.choices["objective"].idxmin()
    assert plan.objective == plan.choices["objective"][best] < plan.baseline_objective
    assert plan.baseline_objective == study.solution.buses["lmp"][2]
    assert plan.to_study().solution.buses["lmp"][2] == pytest.approx(plan.objective, rel=1e-12)
    assert not study.edits

    # What a circuit leaves of the budget raises ratings.
    both = study.plan(weights={2: 1.0}, candidates=[3, small], increment_mw=5, budget_mw=30)
    assert both.choices is not None and both.choices["circuits"].tolist() == ["", "circuit 'small'"]
    assert both.choices["spent_mw"].max() <= 30.0
    found = both.to_study()
    assert found.solution.buses["lmp"][2] == pytest.approx(both.objective, rel=1e-9)
    assert len(found.edits.added) == len(both.circuits)

    for arguments, words in (
        ({"candidates": [wb.Branch(from_bus=1, to_bus=2, x=0.1)]}, "give wb.Branch a rating"),
        ({"candidates": [small], "kind": "demand_placement"}, "no candidate of demand_placement"),
        ({"candidates": [wb.Branch(copy_of=3, rating=1.0)] * 7}, "128 choices"),
    ):
        with pytest.raises(wb.EditError, match=words) as refused:
            study.plan(weights={2: 1.0}, **arguments)  # type: ignore[arg-type]
        assert refused.value.code == "PLAN.SPEC"
