"""AC power flow: solutions, edits, previews, sensitivities, loadability, the command line."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path

import numpy as np
import pytest
import wattbook as wb
from networks import line_to_a_load, three_bus
from wattbook.cli.command import main
from wattbook.native import formulations


def two_bus(x_pu: float = 0.1, p_mw: float = 50.0) -> bytes:
    """V^2 = (1 + sqrt(1 - 4 x^2 p^2)) / 2 at the load, nose at p = 1 / 2x."""
    return line_to_a_load(x_pu=x_pu, p_mw=p_mw, p_max=900, q_max=900, cost=(0.1, 5), angle=360)


def upper_voltage(p_mw: float, x_pu: float = 0.1) -> float:
    return float(np.sqrt((1 + np.sqrt(1 - 4 * (x_pu * p_mw / 100) ** 2)) / 2))


@pytest.fixture
def study() -> wb.Study:
    return wb.open_case(two_bus(), format="matpower").study("acpf")


def test_the_closed_form(study: wb.Study) -> None:
    assert "acpf" in formulations()
    solution = study.solution
    v = upper_voltage(50)
    assert solution.status == "feasible" and solution.objective is None and solution.dc_convention is None
    assert solution.buses["vm_pu"][2] == pytest.approx(v, abs=1e-9)
    assert solution.buses["va_deg"][2] == pytest.approx(-np.degrees(np.arcsin(0.05 / v)), abs=1e-7)
    assert solution.buses.attrs["units"]["va_deg"] == "deg" and solution.buses.attrs["units"]["vm_pu"] == "pu"
    line = solution.branches.loc[1]
    assert line["p_from_mw"] == pytest.approx(50, abs=1e-6) and line["p_to_mw"] == pytest.approx(-50, abs=1e-6)
    # The line absorbs |I|^2 x, all from the reference: |I| = p / v.
    assert line["q_from_mvar"] == pytest.approx(100 * (0.5 / v) ** 2 * 0.1, abs=1e-6)
    assert line["q_to_mvar"] == pytest.approx(0, abs=1e-6)
    assert line["loading"] == pytest.approx(np.hypot(50, line["q_from_mvar"]) / 100, abs=1e-9)
    assert solution.branches.attrs["units"]["rating_mw"] == "MVA"
    unit = solution.generators.loc[1]
    assert unit["q_mvar"] == pytest.approx(line["q_from_mvar"]) and unit["q_max_mvar"] == 900
    assert "lmp" not in solution.buses and "shadow" not in solution.branches
    assert solution.certificate["mismatch_mw"] < 1e-4 and solution.certificate["mismatch_mvar"] < 1e-4
    assert solution.slack is not None and solution.slack[1] == pytest.approx(0, abs=1e-6)
    assert solution.power_flow is not None and solution.power_flow["losses_mw"] == pytest.approx(0, abs=1e-6)
    assert "voltages 0.999 to 1.000 pu" in repr(solution)
    assert "Lowest voltage: bus 2" in solution._repr_html_() and "MVAr" in solution._repr_html_()


def test_commits_and_previews(study: wb.Study) -> None:
    base = study.solution
    preview = study.preview({2: 100})
    assert preview.prices is None and preview.exact
    assert "voltage" in repr(preview)
    committed = study.commit({2: 100})
    assert committed.buses["vm_pu"][2] == pytest.approx(upper_voltage(150), abs=1e-9)
    assert preview.buses is not None and preview.branches is not None
    assert preview.buses["vm_pu"][2] == committed.buses["vm_pu"][2] - base.buses["vm_pu"][2]
    assert preview.branches["p_from_mw"][1] == pytest.approx(100, abs=1e-6)
    for flow in ("p_to_mw", "q_to_mvar"):
        change = committed.branches[flow][1] - base.branches[flow][1]
        assert preview.branches[flow][1] == pytest.approx(change, abs=1e-9)
    assert preview.buses.attrs["units"] == {"vm_pu": "pu", "va_deg": "deg"}
    assert copy.deepcopy(study).solution.sha256 == committed.sha256
    with pytest.raises(wb.SolveError) as beyond:
        study.commit({2: 600})
    assert beyond.value.code == "SOLVE.NOT_CONVERGED"
    # 500 of 650 MW are at the nose.
    assert beyond.value.details is not None
    assert beyond.value.details["loading"] == pytest.approx(500 / 650, abs=5e-3)
    assert beyond.value.details["collapse_buses"] == [2]
    with pytest.raises(wb.SolveError):
        study.preview({2: 600})
    assert study.solution.sha256 == committed.sha256
    assert study.reset().sha256 == base.sha256


def test_sensitivities(study: wb.Study) -> None:
    column = study.sensitivity(bus=2)
    h = 1e-3
    slope = (upper_voltage(50 + h) - upper_voltage(50 - h)) / (2 * h)
    assert column.values[2] == pytest.approx(slope, rel=1e-6)
    assert column.units == "pu/MW" and column.kind == "estimate" and column.error_below_pu == 1e-3
    low, high = column.valid_mw
    assert -50 < low < 0 < high and [end.event for end in column.ends if end] == ["error_estimate"] * 2
    # The error at the end of the interval: relative of the magnitude, radians of the angle.
    v = upper_voltage(50 + high)
    turn = np.arcsin(0.1 * (50 + high) / 100 / v) - np.arcsin(0.05 / upper_voltage(50))
    assert column.buses is not None and column.branches is not None
    errors = (
        abs(v - upper_voltage(50) - slope * high) / upper_voltage(50),
        abs(turn + np.radians(column.buses["va_deg"][2]) * high),
    )
    assert 2e-4 < max(errors) < 1.1e-3
    assert column.branches["p_from_mw"][1] == pytest.approx(1, abs=1e-9)
    assert f"error below 0.001 pu from \u2212{-low:.1f} to +{high:.1f} MW" in str(column)
    # An estimate is never described as exact.
    for text in (str(column), repr(column), column._repr_html_()):
        assert "exact" not in text.lower()
    assert "Most sensitive voltages" in column._repr_html_()
    with pytest.raises(wb.WattbookError) as refused:
        study.sensitivity(branch=1)
    assert refused.value.code == "SENS.UNSUPPORTED"


def test_calls_that_it_lacks_are_refused(study: wb.Study) -> None:
    calls = [
        lambda: study.lmp_components(2),
        lambda: study.track(bus=2, to_mw=1),
        lambda: study.explain({2: 1}),
    ]
    for call in calls:
        with pytest.raises(wb.WattbookError) as refused:
            call()
        assert refused.value.code == "FORMULATION.UNAVAILABLE"
        assert "acpf" in str(refused.value)
    with pytest.raises(wb.WattbookError) as refused:
        wb.open_case(three_bus(), format="matpower").study().loadability(bus=2)
    assert refused.value.code == "FORMULATION.UNAVAILABLE"


def test_loadability(study: wb.Study) -> None:
    steps: list[tuple[float, float]] = []
    found = study.loadability(bus=2, progress=lambda fraction, mw: steps.append((fraction, mw)))
    # The nose is at p = 1 / 2x = 500 MW.
    assert found.margin_mw == pytest.approx(450, rel=2e-4) and found.margin_mw <= 450 + 1e-6
    assert found.no_solution_mw is not None and 450 - 1e-6 <= found.no_solution_mw < 450.1
    assert found.demand_mw == 50 and found.buses == (2,)
    for mw in found.curve.index[:-3]:
        assert found.curve[2][mw] == pytest.approx(upper_voltage(50 + mw), abs=1e-7)
    assert [fraction for fraction, _ in steps] == sorted(fraction for fraction, _ in steps)
    assert steps[-1][0] == 1 and steps[-1][1] == found.margin_mw
    assert "can grow by 45" in str(found) and "Bus 2" in found._repr_html_()
    system = study.loadability(system=True, progress=False)
    assert system.margin_mw == pytest.approx(found.margin_mw, rel=1e-9)
    assert study.loadability(area=1, progress=False).margin_mw == pytest.approx(found.margin_mw, rel=1e-9)
    # From the current state, whatever was committed before.
    study.commit({2: 100})
    assert study.loadability(bus=2, progress=False).margin_mw == pytest.approx(350, rel=1e-3)
    with pytest.raises(wb.EditError):
        study.loadability()
    with pytest.raises(wb.EditError):
        study.loadability(bus=2, system=True)
    with pytest.raises(wb.EditError):
        study.loadability(bus=99)
    with pytest.raises(wb.InputError):
        study.loadability(area=7)


def test_loadability_can_be_interrupted(study: wb.Study) -> None:
    def stop(fraction: float, mw: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        study.loadability(bus=2, progress=stop)
    assert study.solution.buses["vm_pu"][2] == pytest.approx(upper_voltage(50), abs=1e-9)


def test_options() -> None:
    case = wb.open_case(two_bus(), format="matpower")
    raised = case.study("acpf", options={"set_point_pu": 1.05}).solution
    assert raised.buses["vm_pu"][1] == pytest.approx(1.05)
    distributed = case.study("acpf", options={"dispatch": "dcopf", "slack": "distributed"}).solution
    assert distributed.power_flow is not None and distributed.power_flow["dispatch"] == "dcopf"
    for options in ({"set_point_pu": -1}, {"set_point_pu": 103}, {"slack": "everywhere"}, {"q_limit": True}):
        with pytest.raises(wb.InputError):
            case.study("acpf", options=options)
    for options, says in (
        ({"set_point_pu": "1.03"}, '`set_point_pu`: string "1.03" where a number is expected'),
        ({"slack": "single", "q_limits": 1}, "`q_limits`: integer `1` where true or false is expected"),
    ):
        with pytest.raises(wb.InputError, match=f"The options cannot be read: {says}"):
            case.study("acpf", options=options)
    with pytest.raises(wb.InputError):
        case.study("dcopf", options={"q_limits": True})


def test_a_switch_preserves_the_options(tmp_path: Path) -> None:
    options = {"set_point_pu": 1.05, "dc_convention": "matpower"}
    study = wb.open_case(two_bus(), format="matpower").study("acpf", options=options)
    before = study.solution.sha256
    with pytest.warns(wb.WattbookWarning, match="dcopf does not read set_point_pu: kept"):
        study.switch("dcopf")
    assert study.options == options
    study.save(tmp_path / "switched.study.json")
    assert pickle.loads(pickle.dumps(study)).solution.sha256 == study.solution.sha256
    assert study.switch("acpf").sha256 == before
    saved = wb.open_study(tmp_path / "switched.study.json")
    assert saved.formulation == "dcopf" and saved.switch("acpf").sha256 == before
    assert wb.verify(tmp_path / "switched.study.json").states["reproduces"].all()


def test_bundled_grids() -> None:
    for name in (*wb.cases().index, "case200_activ", "case500_goc"):
        # As filed, the dispatch of case500_goc, in the middle of its limits, has no power flow.
        options = {"dispatch": "dcopf"} if name == "case500_goc" else None
        solution = wb.open_case(name).study("acpf", options=options).solution
        assert solution.certificate["mismatch_mw"] < 1e-4, name
        balance = solution.generators["p_mw"].sum() - solution.buses["demand_mw"].sum()
        assert solution.power_flow is not None
        gs = balance - solution.power_flow["losses_mw"]
        assert abs(gs) < 1e-3 * solution.buses["demand_mw"].sum(), name


def test_saved_cases(study: wb.Study, tmp_path: Path) -> None:
    committed = study.commit({2: 25})
    again = wb.open_case(study.save_module(tmp_path / "edited.json")).study("acpf").solution
    assert np.allclose(again.buses["vm_pu"], committed.buses["vm_pu"], atol=1e-9)


def test_units_with_different_set_points_at_one_bus_are_saved(tmp_path: Path) -> None:
    text = """function mpc = two
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [1 3 0 0 0 0 1 1 0 230 1 1.1 0.9; 2 1 80 20 0 0 1 1 0 230 1 1.1 0.9];
mpc.gen = [1 40 0 60 -60 1 100 1 100 0; 1 40 0 60 -60 1.02 100 1 100 0];
mpc.branch = [1 2 0.01 0.1 0 120 0 0 0 0 1 -360 360];
mpc.gencost = [2 0 0 2 10 0; 2 0 0 2 20 0];
"""
    study = wb.open_case(text.encode(), format="matpower").study("acpf")
    assert study.solution.buses["vm_pu"][1] == pytest.approx(1.02)  # that of the last row
    saved = wb.open_solution(study.save_solution(tmp_path / "s.solution.json"))
    assert saved.solution.sha256 == study.solution.sha256
    assert wb.verify(study.save(tmp_path / "s.study.json")).reproduces


def test_saved_solutions(study: wb.Study, tmp_path: Path) -> None:
    committed = study.commit({2: 25}, reactive={2: 5})
    saved = wb.open_solution(study.save_solution(tmp_path))
    assert saved.solution.sha256 == committed.sha256 and saved.case_sha256 == study.case.sha256
    assert saved.solution.buses["vm_pu"][2] == committed.buses["vm_pu"][2] and repr(saved)
    assert (dict(saved.edits.demand or {}), dict(saved.edits.reactive or {})) == ({2: 25.0}, {2: 5.0})
    assert saved.solution.power_flow == committed.power_flow
    text = study.save_solution(tmp_path).read_text()
    changed = text.replace(repr(float(committed.buses["vm_pu"][2])), "0.95")
    assert changed != text
    with pytest.raises(wb.InputError) as refused:
        wb.open_solution(changed.encode())
    assert refused.value.code == "MODULE.TAMPERED"


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "two.m"
    path.write_bytes(two_bus())
    assert main(["solve", str(path), "--formulation", "acpf", "--demand", "2=100"]) == 0
    text = capsys.readouterr().out
    assert "status         feasible (acpf, dispatch file, slack single)" in text
    assert f"lowest voltage  {upper_voltage(150):.4f} pu at bus 2" in text and "$" not in text
    assert "losses" in text and "MVAr" in text
    options = ["--option", "set_point_pu=1.05", "--option", "q_limits=true", "--json"]
    assert main(["solve", str(path), "--formulation", "acpf", *options]) == 0
    body = json.loads(capsys.readouterr().out)
    assert body["vm"][0]["value"] == pytest.approx(1.05) and body["power_flow"]["reactive_limits"] == "kept"
    assert main(["solve", str(path), "--formulation", "acpf", "--demand", "2=600"]) == 3


def test_dc_stores_reactive_demand_without_effect(study: wb.Study) -> None:
    study.commit(reactive={2: 20})
    solution = study.switch("dcopf")
    assert dict(study.edits.reactive) == {2: 20.0} and any("reactive" in note.message for note in solution.diagnostics)


def test_independent_reactive_demand(study: wb.Study) -> None:
    """The load has unity power factor: with 0 it stays so by itself, with 20 MVAr its voltage falls."""
    by_factor = study.commit({2: 10})
    v = by_factor.buses["vm_pu"][2]
    lower = study.commit(reactive={2: 20})
    assert dict(study.edits.reactive) == {2: 20.0} and dict(study.edits.demand) == {2: 10.0}
    assert lower.buses["demand_mvar"][2] == pytest.approx(20) and lower.buses["vm_pu"][2] < v - 0.01
    assert "1 reactive demand change" in repr(study) and "+20.0 MVAr" in study._repr_html_()
    assert study.commit(reactive={2: 5}, mode="increment").buses["demand_mvar"][2] == pytest.approx(25)
    ahead = study.preview(reactive={2: 20})
    assert ahead.exact and ahead.buses is not None and ahead.buses["vm_pu"][2] > 0
    again = copy.deepcopy(study)
    assert dict(again.edits.reactive) == {2: 25.0} and again.solution.sha256 == study.solution.sha256
    assert study.commit(reactive={2: None}).sha256 == by_factor.sha256 and not study.edits.reactive
    study.commit(reactive={2: 0})
    assert dict(study.edits.reactive) == {2: 0.0}, "a change of nothing is one: the demand stays"
    for given, code in (
        ({9: 1}, "DELTA.UNKNOWN_BUS"),
        ({2: float("nan")}, "DELTA.MALFORMED"),
        ([2], "DELTA.MALFORMED"),
    ):
        with pytest.raises(wb.EditError) as refused:
            study.commit(reactive=given)  # type: ignore[arg-type]
        assert refused.value.code == code and ("reactive demand" in refused.value.message) == (
            code != "DELTA.UNKNOWN_BUS"
        )


def test_reactive_demand_waits_while_a_study_is_dc(study: wb.Study) -> None:
    study.commit(demand={2: 5}, reactive={2: 20})
    before = study.solution.sha256
    dc = study.switch("dcopf")
    assert dict(study.edits.reactive) == {2: 20.0} and dict(study.edits.demand) == {2: 5.0}
    assert [one.code for one in dc.diagnostics] == ["DEMAND.REACTIVE_UNREAD"]
    assert "bus 2 has no effect here" in dc._repr_html_()
    assert study.switch("acpf").sha256 == before


def test_reactive_demand_reaches_the_page(study: wb.Study) -> None:
    view = study.map()
    study.commit({2: 10}, reactive={2: 5})
    assert (view.deltas, view.reactive) == ({"2": 10.0}, {"2": 5.0})
    answers: list[bool] = []
    edits = {"deltas": {"2": 3}, "rates": {}, "reactive": {"2": 0}}
    study._session.commit_from_page(study.revision, edits, "", answers.append)
    assert answers == [True] and dict(study.edits.reactive) == {2: 0.0} and view.reactive == {"2": 0.0}
    study.reset()
    assert view.reactive == {} and not study.edits.reactive


def test_a_saved_module_has_the_reactive_demand(study: wb.Study, tmp_path: Path) -> None:
    solution = study.commit({2: 10}, reactive={2: 5})
    again = wb.open_case(study.save_module(tmp_path)).study("acpf").solution
    assert again.buses["vm_pu"][2] == pytest.approx(solution.buses["vm_pu"][2], abs=1e-8)
    assert again.buses["demand_mvar"][2] == pytest.approx(5)


def test_outages_of_one_of_two_lines() -> None:
    """A second line without losses beside that of the two-bus case: after the outage of either the voltage is that of one line."""
    study = wb.open_case(two_bus(), format="matpower").study("acpf")
    study.commit(add=[wb.Branch(copy_of=1)])
    frame = study.contingencies()
    assert frame["kind"].tolist() == ["loading", "loading"]
    assert frame["lowest_voltage_pu"].tolist() == pytest.approx([upper_voltage(50)] * 2, abs=1e-9)
    assert frame["lowest_voltage_bus"].tolist() == [2, 2] and frame["highest_voltage_pu"].tolist() == [1.0, 1.0]
    apparent = np.hypot(50, 10 * (0.5 / upper_voltage(50)) ** 2)
    assert frame["worst_mva"].tolist() == pytest.approx([apparent] * 2)
    assert frame.attrs["units"]["worst_mva"] == "MVA" and frame.attrs["units"]["lowest_voltage_pu"] == "pu"
    assert frame["reactive_limits"].isna().all()
    voltages = study.outage_voltages(1)
    assert voltages["vm_pu"].tolist() == pytest.approx([1, upper_voltage(50)], abs=1e-9)
    assert voltages["base_vm_pu"].tolist() == study.solution.buses["vm_pu"].tolist()
    flows = study.outage_flows(1)
    assert flows["p_from_mw"].tolist() == pytest.approx([0, 50])
    assert flows["q_from_mvar"].iloc[1] == pytest.approx(10 * (0.5 / upper_voltage(50)) ** 2)
    assert flows["loading"].max() == pytest.approx(frame["worst_loading"].iloc[0], rel=1e-12)
    # All outages stay below a loading of 10 by the estimate, so none is solved; all are listed.
    left = study.contingencies(min_estimated_loading=10)
    assert left["kind"].tolist() == ["estimated", "estimated"] and left["worst_loading"].isna().all()
    assert left["estimated_loading"].tolist() == frame["estimated_loading"].tolist()
    assert study.contingencies([1]).index.tolist() == [1]
    with pytest.raises(wb.EditError, match=r"BRANCH\.UNKNOWN"):
        study.contingencies([99])
    with pytest.raises(wb.WattbookError, match=r"ARGUMENT\.LIST"):
        study.contingencies("1")
    with pytest.raises(wb.WattbookError, match=r"INPUT\.REQUEST"):
        study.contingencies(min_estimated_loading=-1)
    dc = wb.open_case(three_bus(), format="matpower").study()
    with pytest.raises(wb.WattbookError, match=r"FORMULATION\.UNAVAILABLE"):
        dc.outage_voltages(1)
    with pytest.raises(wb.WattbookError, match=r"INPUT\.REQUEST"):
        dc.contingencies(min_estimated_loading=0.9)
    assert dc.contingencies([2]).index.tolist() == [2]
