"""Added branches, generators and loads: closed forms of the triangle, keys, files, series, sweeps and matrices."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import wattbook as wb
from networks import THREE_BUS

TEXT = THREE_BUS.format(rating_12=250, rating_23=40)
#: A second circuit 2-3 of 25 MW carries half of the flow 0.8 p3 + 0.4 p1, which it holds at 50 MW.
CIRCUIT = wb.Branch(copy_of=3, rating=25, name="second circuit")
PEAKER = wb.Generator(bus=2, p_max=60, cost=0.0, energy_source="solar", name="peaker")


@pytest.fixture
def case() -> wb.Case:
    return wb.open_case(TEXT.encode(), format="matpower")


def test_a_parallel_circuit(case: wb.Case) -> None:
    study = case.study()
    base = study.solution
    solution = study.commit(add=[CIRCUIT])
    assert solution.generators["p_mw"].tolist() == pytest.approx([55.0, 35.0], abs=1e-9)
    first, third = 0.22 * 55 + 5, 0.17 * 35 + 1.2
    prices = [first, third + 0.8 * (first - third) / 0.4, third]
    assert solution.buses["lmp"].tolist() == pytest.approx(prices, abs=1e-9)
    lines = solution.branches
    assert lines.index.tolist() == [1, 2, 3, 4]
    assert lines.loc[4, ["from_bus", "to_bus", "name", "rating_mw", "p_from_mw"]].tolist() == pytest.approx(
        [2, 3, "second circuit", 25.0, -25.0]
    )
    assert len(case.branches) == 3
    assert case.branches.index.tolist() == [1, 2, 3]
    # It is a target and an element of other edits, by id and by name.
    assert study.sensitivity(branch="second circuit").values.tolist() == pytest.approx([-1.1, -3.05, 0.85], abs=1e-9)
    assert study.commit(ratings={"second circuit": 5}).generators["p_mw"].tolist() == pytest.approx([30, 60], abs=1e-9)
    assert study.edits.ratings == {4: 5.0}
    out = study.commit(branches={4: {"status": False}}, ratings={4: 0})
    assert out.buses["lmp"].tolist() == pytest.approx(base.buses["lmp"].tolist(), abs=1e-9)
    assert "1 added element" in repr(study)
    # Removed, its edits go with it, and the Study is the base case again.
    assert study.commit(remove=["second circuit"]).sha256 == base.sha256
    assert not study.edits
    labels = study.states["label"].tolist()
    assert labels[1] == 'Copy "second circuit" of line 3 added'
    assert study.states["added"].tolist() == [0, 1, 1, 1, 0]


def test_a_generator_and_a_load(case: wb.Case) -> None:
    study = case.study()
    solution = study.commit(add=[PEAKER])
    # Generator 1 stays at its minimum of 10 MW, and generator 2 sets the price with 20 MW.
    assert solution.buses["lmp"].tolist() == pytest.approx([4.6] * 3, abs=1e-9)
    assert solution.generators.loc[3, ["bus", "energy_source", "p_mw"]].tolist() == pytest.approx([2, "solar", 60.0])
    assert study.track(generator="peaker", from_mw=60, to_mw=50).segments["price"].iloc[0] == pytest.approx(4.6)
    study.commit(remove=[PEAKER], add=[wb.Load(bus=2, p=1)])
    assert study.solution.buses["lmp"].tolist() == pytest.approx([18.64, 31.15, 6.13], abs=1e-9)
    assert study.solution.buses.at[2, "demand_mw"] == 91


def test_edits_of_the_others_follow_when_one_is_removed(case: wb.Case) -> None:
    study = case.study()
    study.commit(
        add=[wb.Branch(copy_of=1, name="a"), CIRCUIT, PEAKER],
        ratings={"second circuit": 5},
        generators={3: {"cost": 1}},
    )
    alone = case.study()
    alone.commit(add=[CIRCUIT, PEAKER], ratings={4: 5}, generators={"peaker": {"cost": 1}})
    assert study.edits.ratings == {5: 5.0}
    study.commit(remove="a")
    assert study.edits == alone.edits
    assert study.solution.sha256 == alone.solution.sha256


@pytest.mark.parametrize("formulation", ["dcopf", "acpf", "socwr"])
def test_they_are_stored_in_files(case: wb.Case, tmp_path: Path, formulation: str) -> None:
    study = case.study(formulation)
    study.commit(
        {2: 3.0},
        add=[
            wb.Branch(from_bus=1, to_bus=2, r=0.01, x=0.2, b=0.02, rating=90, shift=0.5, angle_min=-30, angle_max=30),
            wb.Generator(bus=2, p_max=20, p=5, q_max=10, cost=12.5),
            wb.Load(bus=3, p=4, q=1.5),
        ],
    )
    opened = wb.open_study(study.save(tmp_path / "s.study.json"))
    assert opened.edits == study.edits
    assert opened.solution.sha256 == study.solution.sha256
    saved = wb.open_solution(study.save_solution(tmp_path / "s.json"))
    assert saved.edits == study.edits
    module = wb.open_case(study.save_module(tmp_path / "m.json"))
    assert (len(module.branches), len(module.generators)) == (4, 3)
    own = module.study(formulation).solution
    # The state is reached from that without the change of demand, the file begins there.
    accuracy = {"dcopf": 1e-9, "acpf": 1e-6, "socwr": 1e-4}[formulation]
    expected = study.solution.buses
    pd.testing.assert_frame_equal(own.buses[expected.columns], expected, rtol=accuracy, atol=accuracy)
    assert pickle.loads(pickle.dumps(study)).solution.sha256 == study.solution.sha256
    assert pickle.loads(pickle.dumps(study.solution)).branches.equals(study.solution.branches)


def test_series_sweeps_and_matrices_have_them(case: wb.Case) -> None:
    study = case.study()
    # The process that sweeps keeps the case, whose rows are others afterwards.
    wb.sweep(study, [{"outages": [3]}])
    study.commit(add=[CIRCUIT])
    series = study.series(pd.DataFrame({2: [90.0, 91.0]}))
    assert series.flows.loc[0].tolist() == study.solution.branches["p_from_mw"].tolist()
    swept = wb.sweep(study, [{"outages": ["second circuit"]}, {"ratings": {4: 5.0}}]).scenarios
    assert swept["objective"].iloc[0] == pytest.approx(case.study().solution.objective, abs=1e-9)
    assert swept["objective"].iloc[1] == pytest.approx(study.commit(ratings={4: 5.0}).objective, abs=1e-9)
    # Injection at bus 3 with bus 2 as slack: 0.8 over the two circuits.
    factors = study.shift_factors(2, branches=[3, 4])
    assert factors[3].tolist() == pytest.approx([-0.4, -0.4], abs=1e-12)


def test_why_the_price_changed(case: wb.Case) -> None:
    study = case.study()
    study.commit(add=[CIRCUIT])
    change = study.price_change("base", bus=2)
    assert change.table.loc["line 4", ["from_bus", "to_bus", "binds"]].tolist() == [2, 3, "after"]


def test_the_same_id_may_be_another_line_and_generator(case: wb.Case) -> None:
    first = wb.Edits(added=[wb.Branch(copy_of=3, rating=25), wb.Generator(bus=3, p_max=60, cost=4.65)])
    second = wb.Edits(
        added=[wb.Branch(from_bus=3, to_bus=2, x=0.1, rating=22), wb.Generator(bus=3, p_max=50, cost=4.4)]
    )
    change = case.study().price_change(first, second, bus=2)
    assert change.change == pytest.approx(change.table["change"].sum(), abs=1e-9)
    lines = change.table.loc[["line 4 (before)", "line 4 (after)"]]
    assert lines[["branch", "from_bus", "to_bus"]].to_numpy().tolist() == [[4, 2, 3], [4, 3, 2]]
    assert lines["binds"].tolist() == ["before", "after"]
    # One more MW at bus 2 takes two from bus 1 and one less from bus 3: over the circuits 2-3 flow 0.4 of the one and 0.8 of the other.
    units = change.units.loc[3]
    for side, cost in ("before", 4.65), ("after", 4.4):
        (row,) = units[[f"participation_{side}", f"cost_{side}"]].dropna().to_numpy().tolist()
        assert row == pytest.approx([-1.0, cost], abs=1e-9)


@pytest.mark.parametrize(
    ("elements", "code", "words"),
    [
        ([wb.Branch(from_bus=1, to_bus=9, x=0.1)], "BUS.UNKNOWN", "9"),
        ([wb.Branch(from_bus=1, to_bus=2)], "ADDED.MALFORMED", "no impedance"),
        ([wb.Branch(copy_of=8)], "BRANCH.UNKNOWN", "8"),
        ([wb.Branch(copy_of=1, rating="a")], "ADDED.MALFORMED", "not a finite number"),
        ([wb.Branch(copy_of=1, name="7")], "ADDED.NAME", "digits"),
        ([PEAKER, PEAKER], "ADDED.NAME", "peaker"),
        ([wb.Generator(bus=2, p_max=1, p_min=2, cost=1)], "ADDED.MALFORMED", "above the upper limit"),
        ([wb.Load(bus=2, p=-1)], "ADDED.MALFORMED", "zero or more"),
        (PEAKER, "ADDED.MALFORMED", "a list"),
        ([{"bus": 2}], "ADDED.MALFORMED", "wb.Branch"),
    ],
)
def test_invalid_added_elements_are_refused(case: wb.Case, elements: Any, code: str, words: str) -> None:
    study = case.study()
    with pytest.raises(wb.EditError, match=words) as refused:
        study.commit(add=elements)
    assert refused.value.code == code
    with pytest.raises(wb.EditError) as unknown:
        study.commit(remove=["nothing"])
    assert unknown.value.code == "ADDED.UNKNOWN"
    assert not study.edits


def test_pages_and_notebooks_get_them(case: wb.Case) -> None:
    study = case.study()
    shown = study.map()
    study.commit(add=[CIRCUIT])
    assert shown.added == {"branches": [{"name": "second circuit", "copy_of": 3, "rating": 25.0}]}
    assert json.loads(json.dumps(shown._saved_state()))["added"] == shown.added
    shown.close()
