"""Which ratings lower a price: derivatives in closed form and against exact solves, and the refusals."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import wattbook as wb
from networks import CLOSED_FORMS

Open = Callable[..., wb.Case]


@pytest.mark.parametrize("name", [name for name, form in CLOSED_FORMS.items() if form["binding"]])
def test_the_closed_form(open_three_bus: Open, name: str) -> None:
    form = CLOSED_FORMS[name]
    line, shadow, slopes = form["binding"]  # type: ignore[misc]
    study = open_three_bus(rating_12=form["rating_12"], rating_23=form["rating_23"]).study()
    for bus, slope in zip((1, 2, 3), slopes, strict=True):
        effects = study.rating_effects(bus)
        assert effects.index.tolist() == [line] and effects.index.name == "branch"
        row = effects.loc[line]
        assert [row["increase"], row["decrease"], row["shadow"]] == pytest.approx([slope, slope, shadow])
        assert row["kind"] == "regular"
    # All demand is at bus 2, whose price the mean is.
    assert study.rating_effects().loc[line, "increase"] == pytest.approx(slopes[1])
    assert study.rating_effects(weights={1: 0.5, 3: 0.5}).loc[line, "increase"] == pytest.approx(
        (slopes[0] + slopes[2]) / 2
    )
    assert effects.attrs["units"]["increase"] == "($/MWh)/MW"


def test_verified_exactly(open_three_bus: Open) -> None:
    study = open_three_bus(rating_23=40).study()
    before = study.solution
    # p2 = 3 R - 90, so that the line stops binding where its flow is that without a limit.
    low, high = study.rating_effects(2).loc[3, ["valid_from_mw", "valid_to_mw"]]
    flow = (29.487179487 + 2 * 60.512820513) / 3
    assert high == pytest.approx(flow - 40) and low < 0
    within = study.rating_effects(2, verify_mw=5).loc[3]
    assert [within["estimate"], within["exact"]] == pytest.approx([-1.83 * 5] * 2)
    beyond = study.rating_effects(2, verify_mw=20).loc[3]
    assert [beyond["estimate"], beyond["exact"]] == pytest.approx([-1.83 * 20, 11.487179487 - 30.1])
    # A rating of 5 MW cannot serve 90 MW at bus 2 with 250 MW on the other line: p1 - p2 would be 165 MW.
    lowered = study.rating_effects(2, verify_mw=-5).loc[3]
    assert lowered["exact"] == pytest.approx(1.83 * 5)
    assert study.solution is before and study.revision == 0


@pytest.mark.parametrize(("name", "bus"), [("carolina", 211), ("illinois", 756), ("case500_goc", 337)])
def test_derivatives_are_differences_of_exact_solves(name: str, bus: int) -> None:
    case = wb.open_case(name)
    study = case.study()
    study.commit({bus: 1.0})
    effects = study.rating_effects(bus)
    assert len(effects) == (study.solution.branches["shadow"] > 0).sum()
    assert effects["increase"].is_monotonic_increasing
    step = min(0.01, 0.5 * effects["valid_to_mw"].min())
    verified = study.rating_effects(bus, verify_mw=step)
    assert verified["estimate"].tolist() == pytest.approx(verified["exact"].tolist(), abs=1e-8)
    first = int(effects.index[0])
    other = case.study()
    price = other.commit({bus: 1.0}, {first: step}).buses["lmp"][bus]
    assert verified.loc[first, "exact"] == pytest.approx(price - study.solution.buses["lmp"][bus], abs=1e-12)


def test_the_mean_of_an_area() -> None:
    study = wb.open_case("carolina").study()
    effects = study.rating_effects(area=2, verify_mw=0.01)
    line = int(effects.index[0])
    before = study.solution.aggregate("area").loc[2, "lmp"]
    after = study.commit(ratings={line: 0.01}).aggregate("area").loc[2, "lmp"]
    assert effects.loc[line, "exact"] == pytest.approx(after - before, abs=1e-10)
    assert effects["estimate"].tolist() == pytest.approx(effects["exact"].tolist(), abs=1e-8)


def test_the_relaxation() -> None:
    study = wb.open_case("carolina").study("socwr")
    fractions: list[float] = []
    effects = study.rating_effects(211, verify_mw=0.1, progress=fractions.append)
    assert set(effects["kind"]) == {"estimate"} and effects.attrs["units"]["increase"] == "($/MWh)/MVA"
    line = int(effects.index[0])
    assert effects.loc[line, "estimate"] == pytest.approx(effects.loc[line, "exact"], rel=0.05)
    assert fractions.count(1) == 2 and len(fractions) == 2 * len(effects), "derivatives, then solves"


def test_both_sides_of_a_breakpoint() -> None:
    """Where a generator reaches its limit the derivatives for an increase and a decrease differ; here the price does not jump."""
    study, bus = wb.open_case("case500_goc").study(), 337
    ((line, row),) = study.rating_effects(bus).iterrows()
    assert row["event"] == "generator 93 reaches its maximum"
    study.commit(ratings={line: row["valid_to_mw"]})
    here = study.rating_effects(bus).loc[line]
    assert here["kind"] in ("one_sided", "degenerate") and here["increase"] != pytest.approx(here["decrease"])
    for step, side in ((1e-3, "increase"), (-1e-3, "decrease")):
        verified = study.rating_effects(bus, verify_mw=step).loc[line]
        assert verified["exact"] == pytest.approx(step * here[side], rel=1e-6)
        assert verified["estimate"] == pytest.approx(step * here[side])


def test_a_jump_is_found_by_an_exact_solve_only() -> None:
    """Past the interval a unit of constant cost leaves its limit: the price jumps, which no derivative shows."""
    study = wb.open_case("carolina").study()
    row = study.rating_effects(211, verify_mw=7.2).loc[165]
    assert row["valid_to_mw"] < 7.2
    assert row["exact"] < row["estimate"] - 5
    exact = study.commit(ratings={165: 7.2}).buses["lmp"][211] - study.case.study().solution.buses["lmp"][211]
    assert row["exact"] == pytest.approx(exact, abs=1e-12)


def test_no_line_binds(study: wb.Study) -> None:
    effects = study.rating_effects(2, verify_mw=5)
    assert effects.empty and {"increase", "exact"} <= set(effects.columns)


def test_refusals(open_three_bus: Open) -> None:
    study = open_three_bus(rating_23=40).study()
    cases = [
        (lambda: study.rating_effects(9), "BUS.UNKNOWN", "There is no bus 9 in this case"),
        (lambda: study.rating_effects(2, area=1), "PLAN.SPEC", "Give a bus, or an area or weights, not both."),
        (lambda: study.rating_effects(area=7), "PLAN.SPEC", "No bus of area 7 has a demand"),
        (lambda: study.rating_effects(weights={2: "much"}), "PLAN.SPEC", "The weight of bus 2 is not a finite number"),
        (lambda: study.rating_effects(2, verify_mw=np.nan), "ARGUMENT.NUMBER", "verify_mw must be a finite number"),
        (lambda: study.rating_effects(2, verify_mw=0), "ARGUMENT.NUMBER", "verify_mw must not be 0"),
        (lambda: study.rating_effects(2, verify_mw=1, progress=5), "ARGUMENT.CHOICE", "progress must be a function"),
    ]
    for call, code, says in cases:
        with pytest.raises(wb.WattbookError) as refused:
            call()
        assert refused.value.code == code and says in refused.value.message
    study.switch("acpf")
    with pytest.raises(wb.InputError) as refused:
        study.rating_effects(2)
    assert refused.value.code == "FORMULATION.UNAVAILABLE" and "acpf" in refused.value.message
