"""Why a price changed: energy, lines and marginal generators of two states, against closed forms and exact solves of both."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
import wattbook as wb
from networks import line_to_a_load, three_bus

Open = Callable[..., wb.Case]


@pytest.fixture
def relieved(open_three_bus: Open) -> wb.Study:
    """Line 3 (2 to 3) is rated 40 MW in the base case, where it binds, and 240 MW now."""
    study = open_three_bus(rating_23=40).study()
    study.commit(ratings={3: 200})
    return study


#: Both units share a change of demand without congestion by the inverse of their slopes, 2 c2.
BY_SLOPE = [0.17 / 0.39, 0.22 / 0.39]


def test_the_closed_form(relieved: wb.Study) -> None:
    # All demand is at bus 2, the reference. At bus 3: 2/3 of a MW to bus 2 pass line 3, whose shadow price is 35.70 $/MWh.
    change = relieved.price_change("base", bus=3)
    after = 0.17 * 60.512820513 + 1.2
    assert (change.bus, change.price_before) == (3, pytest.approx(6.3))
    assert (change.price_after, change.change) == (pytest.approx(after), pytest.approx(after - 6.3))
    table = change.table
    assert table.index.tolist() == ["energy", "line 3"]
    assert table.loc["energy", ["before", "after", "change"]].tolist() == pytest.approx([30.1, after, after - 30.1])
    line = table.loc["line 3"]
    assert line[["before", "after", "change"]].tolist() == pytest.approx([-23.8, 0, 23.8])
    assert line[["branch", "from_bus", "to_bus"]].tolist() == [3, 2, 3] and line["binds"] == "before"
    assert line[["shadow_before", "shadow_after", "shift_factor_before"]].tolist() == pytest.approx([35.7, 0, 2 / 3])
    assert math.isnan(line["shift_factor_after"])
    assert table.attrs["units"]["change"] == "$/MWh"


def test_the_generators_that_set_it(relieved: wb.Study) -> None:
    # With line 3 at its limit, (p1 + 2 p2) / 3 is constant: of one MW more at bus 2, unit 1 gives two and unit 2 minus one.
    units = relieved.price_change(bus=2).units
    assert units.index.name == "generator" and units["bus"].to_dict() == {1: 1, 2: 3}
    assert units["participation_before"].sort_index().tolist() == pytest.approx([2, -1])
    assert units["participation_after"].sort_index().tolist() == pytest.approx(BY_SLOPE)
    assert units["cost_before"].sort_index().tolist() == pytest.approx([18.2, 6.3])
    assert units["before"].sum() == pytest.approx(30.1) and units["after"].sum() == pytest.approx(11.487179487)
    # At bus 3 the unit there sets the price alone: the other one would load the line.
    there = relieved.price_change(bus=3).units
    assert there["before"].to_dict() == pytest.approx({2: 6.3, 1: 0})
    assert math.isnan(there["participation_before"][1])


def test_how_it_reads(relieved: wb.Study) -> None:
    change = relieved.price_change(bus=3)
    sentence = (
        "bus 3: 6.30 to 11.49 $/MWh (+5.19) from the base case to the current state: line 3 +23.80, energy \u221218.61"
    )
    assert str(change) == sentence and repr(change) == f"<PriceChange {sentence}>"
    html = change._repr_html_()
    assert "B" + sentence[1:] + "." in html
    assert "Line 3 (2 to 3), no longer binds" in html and "LMP at bus 3" in html and "Generator 2 (bus 3)" in html
    assert "1.00 \u00d7 6.30" in html and "nan" not in html.lower()
    same = relieved.price_change(None, bus=3)
    assert same.change == 0 and str(same).endswith("from the current state to the current state")


@pytest.mark.parametrize(
    ("name", "formulation", "moved"),
    [
        ("case500_goc", "dcopf", 4),
        ("carolina", "dcopf", 211),
        ("illinois", "dcopf", 756),
        ("texas", "dcopf", 3671),
        ("carolina", "socwr", 211),
        ("case500_goc", "socwr", 173),
    ],
)
def test_the_parts_sum_to_the_published_prices(name: str, formulation: str, moved: int) -> None:
    case = wb.open_case(name)
    base, study = case.study(formulation), case.study(formulation)
    line = int(base.solution.branches["shadow"].idxmax())
    study.commit({moved: 12.0}, {line: 5.0})
    accuracy = 1e-9 if formulation == "dcopf" else 1e-3
    for bus in (moved, int(case.buses.index[0]), int(case.buses.index[-1])):
        change = study.price_change("base", bus=bus)
        published = [one.solution.buses["lmp"][bus] for one in (base, study)]
        assert [change.price_before, change.price_after] == published
        table, units = change.table, change.units
        assert table[["before", "after"]].sum().tolist() == pytest.approx(published, abs=1e-9)
        assert table["change"].sum() == pytest.approx(published[1] - published[0], abs=1e-9)
        assert units[["before", "after"]].sum().tolist() == pytest.approx(published, abs=accuracy)
        for side, solution in (("before", base.solution), ("after", study.solution)):
            shadow = table[f"shadow_{side}"].dropna()
            lines = table["branch"].dropna().astype(int)
            assert shadow.tolist() == solution.branches["shadow"].reindex(lines).tolist()
            cost = units[f"cost_{side}"].dropna()
            assert cost.tolist() == solution.generators["cost"].reindex(cost.index).tolist()
    assert study.revision == 1


def test_participation_equals_the_response_of_the_generators() -> None:
    """Against exact solves with one more MW at the bus, within the interval in which derivatives are exact."""
    case = wb.open_case("carolina")
    study = case.study()
    bus, step = 211, 1.0
    _, high = study.sensitivity(bus=bus).valid_mw
    assert high > step
    units = study.price_change(bus=bus).units
    moved = case.study().commit({bus: step}).generators["p_mw"] - study.solution.generators["p_mw"]
    assert units["participation_after"].tolist() == pytest.approx(moved[units.index].tolist(), abs=1e-6)
    assert moved.drop(units.index).abs().max() < 1e-6


def test_any_two_states(open_three_bus: Open) -> None:
    study = open_three_bus(rating_23=40).study()
    study.commit({2: 5})
    study.name_state("Peak")
    study.commit(ratings={3: 200})
    prices = {"s0": 30.1, "Peak": 30.1 + 5 * 1.05, "s2": 11.487179487 + 5 * 0.095897436}
    for before, expected in prices.items():
        for after, other in prices.items():
            change = study.price_change(before, after, bus=2)
            assert (change.price_before, change.price_after) == (pytest.approx(expected), pytest.approx(other))
    named = study.price_change("Peak", "s0", bus=2)
    assert (named.before.label, named.after.label) == ("Peak", "state s0")
    edits = study.price_change(wb.Edits(demand={2: 5.0}), bus=2)
    assert edits.price_before == pytest.approx(prices["Peak"]) and edits.before.label == "the edits"
    assert study.price_change(bus=2).price_before == pytest.approx(prices["s0"])
    # A state of that name comes before the base case.
    study.name_state("base")
    assert study.price_change("base", bus=2).change == 0
    assert study.revision == 2 and len(study.states) == 3


def test_states_of_two_formulations() -> None:
    line = line_to_a_load(r_pu=0.02, p_mw=50, q_mvar=0, rating_mva=500, p_max=300, q_max=500, cost=(0, 20), angle=60)
    study = wb.open_case(line, format="matpower").study()
    study.switch("socwr")
    change = study.price_change("s0", bus=2)
    assert (change.before.formulation, change.after.formulation) == ("dcopf", "socwr")
    assert change.price_before == pytest.approx(20)
    assert " from state s0 (dcopf) to the current state (socwr): " in str(change)
    table = change.table
    assert table.index.tolist() == ["energy", "losses", "voltage limits", "residual"]
    assert table["before"].tolist() == pytest.approx([20, 0, 0, 0])
    assert table["change"].sum() == pytest.approx(change.change, abs=1e-9)
    # The base case is solved in the formulation of the state that it is compared with.
    assert study.price_change("base", "s0", bus=2).before.formulation == "dcopf"
    assert study.price_change("base", bus=2).before.formulation == "socwr"
    study.switch("acpf")
    for states in (("base", None), ("s0", None), (None, "s1")):
        with pytest.raises(wb.InputError) as refused:
            study.price_change(*states, bus=2)
        assert refused.value.code == "FORMULATION.UNAVAILABLE" and "acpf" in str(refused.value)


def test_a_breakpoint_has_no_single_set_of_generators(open_three_bus: Open) -> None:
    """The rating is the flow without it: line 3 is at its limit with zero shadow price."""
    flow = abs(open_three_bus().study().solution.branches["p_from_mw"][3])
    study = open_three_bus(rating_23=flow).study()
    change = study.price_change(wb.Edits(demand={2: 1.0}), bus=2)
    assert not change.before.units.empty and change.after.units.empty
    assert change.units["after"].isna().all() and change.units["before"].sum() == pytest.approx(change.price_before)
    html = change._repr_html_()
    assert "The current state is a breakpoint" in html and "nan" not in html
    assert study.price_change(bus=2).units.empty


def test_refusals(study: wb.Study) -> None:
    cases = [
        (lambda: study.price_change(bus=9), "BUS.UNKNOWN", "There is no bus 9 in this case"),
        (lambda: study.price_change(), "TARGET.MALFORMED", "Name a bus: study.price_change(bus=1)."),
        (lambda: study.price_change("Peak", bus=2), "STATE.UNKNOWN", "'Peak' is not a state of this Study"),
        (lambda: study.price_change({2: 5}, bus=2), "STATE.UNKNOWN", "{2: 5} is not a state of this Study"),
        (lambda: study.price_change("base", "s9", bus=2), "STATE.UNKNOWN", "'s9' is not a state of this Study"),
        (lambda: study.price_change(wb.Edits({2: 9e3}), bus=2), "SOLVE.INFEASIBLE", ""),
        (lambda: study.price_change(wb.Edits({9: 1.0}), bus=2), "DELTA.UNKNOWN_BUS", ""),
    ]
    for call, code, says in cases:
        with pytest.raises(wb.WattbookError) as refused:
            call()
        assert refused.value.code == code and says in refused.value.message
    assert study.revision == 0
    study.free()
    with pytest.raises(wb.WattbookError) as refused:
        study.price_change(bus=2)
    assert refused.value.code == "STUDY.FREED"


def test_a_saved_study(tmp_path: Path, relieved: wb.Study) -> None:
    reopened = wb.open_study(relieved.save(tmp_path / "relieved.study.json"))
    assert str(reopened.price_change(bus=3)) == str(relieved.price_change(bus=3))


def test_an_edited_generator() -> None:
    # Unit 2 stops at 50 MW: unit 1 sets the price alone, 0.22 * 40 + 5.
    study = wb.open_case(three_bus(), format="matpower").study()
    study.commit(generators={2: {"p_max": 50}})
    units = study.price_change(bus=2).units
    assert units["after"].to_dict() == pytest.approx({1: 13.8, 2: 0})
    assert units["participation_before"].sort_index().tolist() == pytest.approx(BY_SLOPE)
