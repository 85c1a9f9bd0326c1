"""Conic relaxation of AC optimal power flow: solutions, edits, previews, sensitivities, explanations."""

from __future__ import annotations

import _thread

import numpy as np
import pytest
import wattbook as wb
from networks import line_to_a_load, ring_of
from wattbook.native import formulations


def two_bus(cost: float = 20.0, p_mw: float = 50.0, rating_mva: float = 500.0, q_mvar: float = 0.0) -> bytes:
    """The relaxation of a single line is exact."""
    limits: dict[str, float] = {"rating_mva": rating_mva, "p_max": 300, "q_max": 500, "angle": 60}
    return line_to_a_load(r_pu=0.02, p_mw=p_mw, q_mvar=q_mvar, cost=(0, cost), **limits)


def losses_pu(p: float) -> float:
    """r p^2 / w at the largest voltage of the generator: w = h + sqrt(h^2 - |z|^2 p^2), h = vmax^2 / 2 - r p."""
    half = 0.5 * 1.1**2 - 0.02 * p
    return 0.02 * p**2 / (half + np.sqrt(half**2 - (0.02**2 + 0.1**2) * p**2))


@pytest.fixture
def study() -> wb.Study:
    return wb.open_case(two_bus(), format="matpower").study("socwr")


def test_the_closed_form(study: wb.Study) -> None:
    assert "socwr" in formulations()
    solution = study.solution
    assert solution.status == "optimal" and solution.dc_convention is None
    assert solution.objective == pytest.approx(20 * (50 + 100 * losses_pu(0.5)), rel=1e-6)
    buses, units = solution.buses, solution.buses.attrs["units"]
    slope = 1 + (losses_pu(0.5 + 1e-5) - losses_pu(0.5 - 1e-5)) / 2e-5
    assert buses["lmp"][2] == pytest.approx(20 * slope, rel=1e-4) and buses["lmp"][1] == pytest.approx(20, rel=1e-4)
    assert units["lmp_q"] == "$/MVArh" and units["lmp_losses"] == "$/MWh"
    parts = buses[["lmp_energy", "lmp_losses", "lmp_congestion", "lmp_voltage"]].sum(axis=1)
    assert np.allclose(parts, buses["lmp"], rtol=1e-4)
    assert list(buses["slack_weight"]) == [0, 1]
    assert buses["vm_pu"][1] == pytest.approx(1.1, abs=1e-6)
    line = solution.branches.loc[1]
    assert line["cone_gap"] == pytest.approx(0, abs=1e-6) and solution.branches.attrs["units"]["rating_mw"] == "MVA"
    assert line["p_from_mw"] + line["p_to_mw"] == pytest.approx(100 * losses_pu(0.5), rel=1e-4)
    assert solution.certificate["relative_gap"] < 1e-6 and solution.certificate["cone_violation"] < 1e-6
    assert repr(solution) and solution._repr_html_()


def test_edits_previews_and_sensitivities(study: wb.Study) -> None:
    base = study.solution
    preview = study.preview({2: 5})
    assert preview.prices is not None and not preview.exact
    assert "linear estimate, not exact (the same limits bind from" in repr(preview)
    column = study.sensitivity(bus=2)
    committed = study.commit({2: 5})
    assert committed.objective == pytest.approx(20 * (55 + 100 * losses_pu(0.55)), rel=1e-6)
    moved = committed.buses["lmp"][2] - base.buses["lmp"][2]
    assert column.values[2] * 5 == pytest.approx(moved, rel=0.1)
    assert committed.objective is not None and base.objective is not None
    assert study.commit({2: 0}).sha256 == base.sha256


def test_an_estimate_is_never_called_exact(study: wb.Study) -> None:
    """The optimum is curved: the interval of a column ends where binding limits change, in MVA for a rating."""
    by_demand = study.sensitivity(bus=2)
    assert by_demand.kind == "estimate"
    study.commit(ratings={1: -440})
    by_rating = study.sensitivity(branch=1)
    assert by_rating.units == "($/MWh)/MVA" and {end.unit for end in by_rating.ends if end} == {"MVA"}
    for column, unit in ((by_demand, "MW"), (by_rating, "MVA")):
        for text in (str(column), repr(column), column._repr_html_()):
            assert "linear estimate, the same limits bind " in text and f" {unit}" in text
            assert "exact" not in text.lower()
    assert " MW" not in str(by_rating).partition(";")[2]


def test_infeasible_limits_are_named() -> None:
    study = wb.open_case(two_bus(rating_mva=80), format="matpower").study("socwr")
    with pytest.raises(wb.SolveError) as refused:
        study.commit({2: 50})
    assert refused.value.code == "SOLVE.INFEASIBLE"
    found = study.explain({2: 50})
    assert found is not None and "line 1" in found.message


def test_too_much_minimum_output_is_reported_as_such() -> None:
    study = wb.open_case("carolina").study("socwr")
    units = study.case.generators.query("p_max_mw > 0")["p_max_mw"]
    found = study.explain(generators={unit: {"p_min": p_max} for unit, p_max in units.items()})
    assert found is not None and "minimum output of the generators exceeds" in found.message
    assert (found.relaxation["limit"] == "injection").any()


def test_ratings_are_apparent_power_wherever_they_are_written(study: wb.Study) -> None:
    assert "upwards from the base case" in (shown := repr(study.preview(ratings={1: -5}))) and " MVA " in shown
    assert " MW " in repr(study.preview({2: 5}))
    study.commit(ratings={1: -5})
    assert "\u22125.0 MVA" in study._repr_html_() and study.states["label"].iloc[-1] == "Line 1 \u22125.0 MVA"
    # The table has the unit of each limit: the line carries 80 of 130 MVA at the load.
    relaxed = wb.open_case(two_bus(rating_mva=80, q_mvar=120), format="matpower").explain("socwr")
    assert relaxed is not None
    assert dict(zip(relaxed.relaxation["limit"], relaxed.relaxation["unit"], strict=True)) == {
        "reactive_supply": "MVAr",
        "rating": "MVA",
    }
    assert " MVAr</td>" in relaxed._repr_html_() and " MVA</td>" in relaxed._repr_html_()
    assert " MW</td>" not in relaxed._repr_html_() and ">MW</th>" not in relaxed._repr_html_()


def test_an_interrupt_between_iterations_leaves_the_state() -> None:
    case = wb.open_case(ring_of(40), format="matpower")
    steps: list[float] = []

    def interrupt(fraction: float) -> None:
        steps.append(fraction)
        if len(steps) == 2:
            _thread.interrupt_main()

    with pytest.raises(KeyboardInterrupt):
        case.study("socwr", progress=interrupt)
    assert len(steps) == 2 and 0 <= steps[0] <= steps[1] < 1
    study, other = case.study("socwr"), case.study("socwr", progress=False)
    base = study.solution
    assert base.sha256 == other.solution.sha256
    steps.clear()
    with pytest.raises(KeyboardInterrupt):
        study.commit({2: 20.0}, progress=interrupt)
    assert study.revision == 0 and not study.edits.demand and study.solution is base
    steps.clear()
    committed = study.commit({2: 20.0}, progress=steps.append)
    assert steps == sorted(steps) and steps[-1] == 1
    assert committed.sha256 == other.commit({2: 20.0}).sha256 != base.sha256
    assert [step.iteration for step in committed.iterations] == list(range(1, len(committed.iterations) + 1)) != []


def test_a_price_by_line() -> None:
    """The line binds at its limit: its part of the price behind it is its shadow price times its shift factor."""
    case = wb.open_case(two_bus(p_mw=50, rating_mva=51), format="matpower")
    study = case.study("socwr")
    parts = study.lmp_components(2)
    total = parts.energy + parts.losses + parts.voltage + parts.congestion["value"].sum()
    assert total + parts.residual == pytest.approx(parts.price) and abs(parts.residual) < 1e-3
    assert parts.losses == pytest.approx(study.solution.buses["lmp_losses"][2])
    assert "(losses)" in str(parts) and "Voltage limits" in parts._repr_html_()
