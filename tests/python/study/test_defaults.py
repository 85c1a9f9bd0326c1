"""A solve without options follows the file; a result that depends on assumptions reports them."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import wattbook as wb
from wattbook.errors import Diagnostic

DATA = Path(os.environ.get("WATTBOOK_DATA", Path(__file__).parents[4] / "shared" / "data"))


def two_bus(
    *, demand: float, cheap: float, dear: float, rating: float = 0.0, x_pu: float = 0.5, vmax: float = 0.95
) -> bytes:
    """20 $/MWh at bus 1 and 50 $/MWh at bus 2, where the demand is; `cheap` is the output of unit 1 in the file, `dear`
    the maximum of unit 2."""
    return f"""function mpc = two
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [1 3 0 0 0 0 1 {vmax} 0 230 1 {vmax} 0.9; 2 2 {demand} 0 0 0 1 {vmax} 0 230 1 {vmax} 0.9];
mpc.gen = [1 {cheap} 0 900 -900 {vmax} 100 1 1500 0; 2 0 0 900 -900 {vmax} 100 1 {dear} 0];
mpc.branch = [1 2 0 {x_pu} 0 {rating} 0 0 0 0 1 -360 360];
mpc.gencost = [2 0 0 2 20 0; 2 0 0 2 50 0];
""".encode()


def negative(demand: float = 100.0, injection: float = -40.0) -> bytes:
    return f"""function mpc = three
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [1 3 0 0 0 0 7 1 0 230 1 1.1 0.9; 2 1 {demand} 0 0 0 7 1 0 230 1 1.1 0.9; 3 1 {injection} 0 0 0 7 1 0 230 1 1.1 0.9];
mpc.gen = [1 60 0 900 -900 1 100 1 900 -900];
mpc.branch = [1 2 0 0.1 0 900 0 0 0 0 1 -360 360; 2 3 0 0.1 0 900 0 0 0 0 1 -360 360];
mpc.gencost = [2 0 0 2 10 0];
""".encode()


@pytest.mark.parametrize("name", ["case4gs", "case57", "case6ww", "case9Q", "case145"])
def test_the_voltages_are_those_of_runpf(name: str) -> None:
    path = DATA / f"matpower/{name}.m"
    reference = DATA / f"reference/computed/acpf/{name}.acpf.bus.csv"
    if not (path.is_file() and reference.is_file()):
        pytest.skip("no data folder")
    want = pd.read_csv(reference, index_col=0)
    buses = wb.open_case(path).study("acpf").solution.buses
    assert (buses["vm_pu"] - want.iloc[:, 0]).abs().max() < 1e-6
    turn = buses["va_deg"] - want.iloc[:, 1]
    assert (turn - 360 * np.round(turn / 360)).abs().max() < 1e-4


def test_a_dispatch_without_a_solution_offers_the_optimum() -> None:
    # The line carries 1000 MW at most at 1 pu; the file has 1400 MW on it, the optimum 400.
    case = wb.open_case(
        two_bus(demand=1400, cheap=1400, dear=1000, x_pu=0.1, vmax=1).replace(b"0 0 2 50 0", b"0 0 2 5 0"),
        format="matpower",
    )
    with pytest.raises(wb.SolveError, match="dispatch of the DC OPF") as refused:
        case.study("acpf")
    assert refused.value.code == "SOLVE.NOT_CONVERGED"
    options = refused.value.details["options"]
    assert options == {"dispatch": "dcopf"}
    solution = case.study("acpf", options=options).solution
    assert "dispatch of the DC OPF" in repr(solution)
    turn = np.radians(solution.buses["va_deg"].diff().iloc[1])
    assert np.sin(-turn) == pytest.approx(0.4, abs=1e-8)


def test_a_case_without_an_optimum_has_its_power_flow() -> None:
    case = wb.open_case(
        two_bus(demand=90, cheap=10, dear=30, vmax=1.02).replace(b"1 1500 0", b"1 50 0"), format="matpower"
    )
    with pytest.raises(wb.SolveError):
        case.study()
    solution = case.study("acpf").solution
    assert solution.generators["p_mw"].tolist() == pytest.approx([90, 0], abs=1e-6)
    assert solution.power_flow is not None and solution.power_flow["dispatch"] == "file"


def test_assumed_ratings_are_marked_and_can_be_left_out() -> None:
    case = wb.open_case(two_bus(demand=300, cheap=0, dear=900), format="matpower")
    assert case.branches["rating_assumed"].tolist() == [True]
    with_them = case.study().solution
    assert with_them.branches["p_from_mw"][1] == pytest.approx(180.5, abs=1e-6)
    assert with_them.branches["rating_assumed"].tolist() == [True]
    assert [note.code for note in with_them.diagnostics] == ["RATING.ASSUMED"]
    assert "(assumed)" in with_them._repr_html_()
    free = case.study(options={"assumed_ratings": False})
    assert free.solution.branches["p_from_mw"][1] == pytest.approx(100 * np.pi / 3 / 0.5, abs=1e-6)
    assert free.solution.branches["rating_assumed"].tolist() == [False]
    assert np.isinf(free.solution.branches["rating_mw"][1])
    assert free.solution.sha256 != with_them.sha256
    relaxed = case.study("socwr", options={"assumed_ratings": False}).solution
    assert relaxed.status == "optimal" and np.isinf(relaxed.branches["rating_mw"][1])


def test_a_refusal_by_an_assumed_rating_names_the_option_without_it() -> None:
    case = wb.open_case(two_bus(demand=200, cheap=0, dear=10), format="matpower")
    with pytest.raises(wb.SolveError, match="The rating of line 1 is assumed") as refused:
        case.study()
    assert refused.value.details["options"] == {"assumed_ratings": False}
    assert case.study(options=refused.value.details["options"]).solution.objective == pytest.approx(4000)
    explanation = case.explain()
    assert explanation is not None and "assumed_ratings" in str(explanation)
    assert explanation.elements.query("kind == 'branch'")["rating_assumed"].tolist() == [True]


def test_saved_results_without_assumed_ratings(tmp_path: Path) -> None:
    study = wb.open_case(two_bus(demand=300, cheap=0, dear=900), format="matpower").study(
        options={"assumed_ratings": False}
    )
    saved = wb.open_solution(study.save_solution(tmp_path / "free.solution.json"))
    assert saved.solution.sha256 == study.solution.sha256
    study.save(tmp_path / "free.study.json")
    assert wb.open_study(tmp_path / "free.study.json").solution.sha256 == study.solution.sha256
    assert wb.verify(tmp_path / "free.study.json").states["reproduces"].all()


def test_negative_demand_counts_where_totals_are_meant() -> None:
    case = wb.open_case(negative(), format="matpower")
    study = case.study()
    for by, column in (("system", 0), ("area", 7)):
        series = study.series(pd.DataFrame({column: [60.0, 90.0]}), by=by, unit="MW")
        assert series.objective.tolist() == pytest.approx([600, 900])
    assert study.series(pd.Series([1.5]), by="system", unit="pu").objective.tolist() == pytest.approx([900])
    assert study.commit({3: -825}).buses["demand_mw"][3] == pytest.approx(-865)
    assert study.commit({3: 60}).buses["demand_mw"][3] == pytest.approx(20)
    with pytest.raises(wb.EditError, match="negative") as refused:
        study.commit({2: -101})
    assert refused.value.code == "DELTA.NEGATIVE_DEMAND"
    found = case.study("acpf").loadability(system=True)
    assert found.demand_mw == pytest.approx(60)
    with pytest.raises(wb.EditError, match="cancel"):
        wb.open_case(negative(40, -40), format="matpower").study().series(pd.Series([60.0]), by="system", unit="MW")


def test_omissions_are_the_first_warning_and_persist() -> None:
    case = wb.open_case(negative(), format="matpower")
    warning = Diagnostic("INPUT.LEFT_OUT", "6 MW of demand in `motor` are left out.")
    case.warnings = (warning, *case.warnings)
    series = case.study().series(pd.Series([1.0]), by="system", unit="pu")
    assert str(series).endswith("; 6 MW of demand in `motor` are left out")
    assert repr(case.study().solution).splitlines()[2].endswith("are left out. [INPUT.LEFT_OUT]")
