"""Limits after outages: closed forms on three buses."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import wattbook as wb

# Lines 1-2, 2-3 and 1-3 are equal. After the outage of line 2 line 3 carries all of unit 2 at bus 3, after that of line 1 all of unit 1.
CASE = """function mpc = triangle
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
 1 3 0 0 0 0 1 1 0 230 1 1.1 0.9;
 2 1 {demand} 0 0 0 1 1 0 230 1 1.1 0.9;
 3 2 0 0 0 0 1 1 0 230 1 1.1 0.9;
];
mpc.gen = [
 1 0 0 0 0 1 100 1 250 10;
 3 0 0 0 0 1 100 1 270 10;
];
mpc.branch = [
 1 2 0.01 0.1 0 250 250 250 0 0 1 -60 60;
 2 3 0.01 0.1 0 250 250 250 0 0 1 -60 60;
 1 3 0.01 0.1 0 250 250 50 0 0 1 -60 60;
];
mpc.gencost = [
 2 0 0 3 0.11 5 0;
 2 0 0 3 0.085 1.2 0;
];
"""


def triangle(folder: Path, demand: float) -> wb.Case:
    path = folder / "triangle.m"
    path.write_text(CASE.format(demand=demand))
    return wb.open_case(path)


RATE_C = {"security": {"emergency": "rate_c"}}


def test_prices_under_a_limit_after_an_outage(tmp_path: Path) -> None:
    study = triangle(tmp_path, 90).study(options=RATE_C)
    solution = study.solution
    assert solution.objective == pytest.approx(648.50, abs=1e-6)
    assert solution.buses["lmp"].tolist() == pytest.approx([13.80, 13.80, 9.70], abs=1e-7)
    assert solution.generators["p_mw"].tolist() == pytest.approx([40, 50], abs=1e-7)
    limits = solution.contingencies
    assert limits.index.tolist() == [3]
    assert limits["outage"].tolist() == [(2,)]
    assert limits[["limit_mw", "excess_mw", "shadow"]].iloc[0].tolist() == pytest.approx([50, 0, 4.10], abs=1e-7)
    assert abs(limits["flow_mw"].iloc[0]) == pytest.approx(50, abs=1e-7)
    report = solution.security
    assert report is not None
    assert (report["outages"], report["monitored"], report["splitting"]) == (3, 3, [])
    assert (report["emergency"], report["penalty_usd_per_mwh"]) == ("rate_c", 2000)
    assert report["penalties_usd_per_h"] == 0
    assert "1 limit after outages binds" in repr(solution)
    # Without security: 626.948718 $/h and one price.
    assert triangle(tmp_path, 90).study().solution.objective == pytest.approx(626.948717949, abs=1e-6)
    assert triangle(tmp_path, 90).study().solution.security is None
    assert report["objective_without"] == pytest.approx(626.948717949, abs=1e-6)
    # One price 9 of both units: 5 + 0.22 p1 = 1.2 + 0.17 p2 with p1 + p2 = 90.
    plain = 5 + 0.22 * (0.17 * 90 + 1.2 - 5) / 0.39
    assert solution.buses["lmp_without_security"].tolist() == pytest.approx([plain] * 3, abs=1e-7)
    added = [13.80 - plain, 13.80 - plain, 9.70 - plain]
    assert solution.buses["lmp_security"].tolist() == pytest.approx(added, abs=1e-7)
    assert solution.buses.attrs["units"]["lmp_security"] == "$/MWh"
    assert any("Security costs 21.55 $/h" in each.message for each in solution.diagnostics)
    placed = triangle(tmp_path, 90).with_layout((0, 0)).study(options=RATE_C)
    placed.map(quantity="lmp_security").save(tmp_path / "map.svg")
    assert "Price: security" in (tmp_path / "map.svg").read_text()
    # After an edit the prices without security are those of the edited case.
    study.commit(demand={2: 5})
    assert study.solution.security is not None
    edited = triangle(tmp_path, 95).study().solution
    assert study.solution.security["objective_without"] == pytest.approx(edited.objective, abs=1e-9)


def test_hard_limits(tmp_path: Path) -> None:
    hard = {**RATE_C, "soft": {"outages": "hard"}}
    study = triangle(tmp_path, 90).study(options=hard)
    assert study.solution.objective == pytest.approx(648.50, abs=1e-6)
    assert study.solution.security is not None
    assert "penalty_usd_per_mwh" not in study.solution.security
    # Both units may supply 50 MW, so that the limit of line 3 holds up to 100 MW.
    with pytest.raises(wb.SolveError) as caught:
        study.commit(demand={2: 11})
    message = str(caught.value)
    assert "no dispatch holds the limits of line 3 after the outage of line" in message
    assert "exceeded by at least 0.500 MW" in message
    assert caught.value.code == "SOLVE.INFEASIBLE"
    assert study.edits.demand == {}
    explanation = study.explain(demand={2: 11})
    assert explanation is not None
    assert "exceeded by at least 0.500 MW" in explanation.message
    with pytest.raises(wb.WattbookError, match="Hard limits after outages are not raised"):
        triangle(tmp_path, 90).study(options={"security": {"raise_limits": True}, "soft": {"outages": "hard"}})
    interface = {"limits": {"interfaces": [{**EXPORTS, "max_mw": 45}]}, "soft": {"interfaces": "hard"}}
    limited = triangle(tmp_path, 90).study(options=interface)
    assert limited.solution.generators["p_mw"].tolist() == pytest.approx([45, 45], abs=1e-7)
    # Unit 1 supplies at most 250 MW, and the interface 45 MW.
    with pytest.raises(wb.SolveError, match=r"no dispatch holds the limits of interface exports.*at least 5\.0 MW"):
        limited.commit(demand={2: 210})


def test_prices_without_security_of_an_unlimited_generator(tmp_path: Path) -> None:
    path = tmp_path / "unlimited.m"
    path.write_text(CASE.format(demand=90).replace("1 250 10;", "1 Inf 10;"))
    secured, plain = (wb.open_case(path).study(options=options) for options in (RATE_C, None))
    # Far beyond the demand of the case, which the first program does not reach.
    far = secured.commit(demand={1: 1e5}), plain.commit(demand={1: 1e5})
    assert far[0].buses["lmp_without_security"].tolist() == pytest.approx(far[1].buses["lmp"].tolist(), rel=1e-9)


def test_the_cost_of_security_beside_ratings_at_a_price(tmp_path: Path) -> None:
    study = triangle(tmp_path, 90).study(options={**RATE_C, "soft": {"base": 5}})
    solution = study.commit(ratings={2: -230})
    report = solution.security
    assert report is not None
    plain = triangle(tmp_path, 90).study(options={"soft": {"base": 5}}).commit(ratings={2: -230})
    assert plain.security is not None
    assert report["objective_without"] == pytest.approx(plain.objective, abs=1e-7)
    costs = [one.objective - one.security["penalties_usd_per_h"] for one in (solution, plain)]
    assert report["cost_usd_per_h"] == pytest.approx(costs[0] - costs[1], abs=1e-7)


def test_hard_limits_of_public_cases(data: Path) -> None:
    hard = {"security": {"emergency": 1.0}, "soft": {"outages": "hard"}}
    case = wb.open_case(data / "pglib" / "pglib_opf_case39_epri.m")
    # The least excess of an explicit program in HiGHS, of two lines.
    with pytest.raises(wb.SolveError, match=r"2 limits are exceeded by at least 464\.2 MW in total"):
        case.study(options=hard)
    explanation = case.explain(options=hard)
    assert explanation is not None
    assert explanation.relaxation_total_mw == pytest.approx(464.243704, abs=1e-5)


def test_one_excess_is_shared_by_all_outages_of_a_line(tmp_path: Path) -> None:
    study = triangle(tmp_path, 102).study(options={**RATE_C, "soft": {"outages": 1000}})
    solution = study.solution
    assert solution.objective == pytest.approx(1823.395, abs=1e-6)
    assert solution.buses["lmp"].tolist() == pytest.approx([16.22, 513.045, 9.87], abs=1e-7)
    limits = solution.contingencies
    assert limits["outage"].tolist() == [(1,), (2,)]
    assert limits["excess_mw"].tolist() == pytest.approx([1, 1], abs=1e-7)
    assert sorted(limits["shadow"]) == pytest.approx([496.825, 503.175], abs=1e-7)
    assert solution.security is not None
    assert solution.security["penalties_usd_per_h"] == pytest.approx(1000, abs=1e-6)
    assert "1.0 MW above limits" in repr(solution)


def test_derivatives_edits_and_parts_of_prices(tmp_path: Path) -> None:
    study = triangle(tmp_path, 90).study(options=RATE_C)
    by_demand = study.sensitivity(bus=2)
    assert by_demand.values.tolist() == pytest.approx([0.22, 0.22, 0], abs=1e-9)
    # From 71.36 MW, where the limit stops binding, to 100 MW, where the pair of line 3 and the outage of line 1 binds too.
    assert by_demand.valid_mw == pytest.approx((71.3636363636 - 90, 10), abs=1e-7)
    # RATE_C moves with the rating.
    assert study.sensitivity(branch=3).values.tolist() == pytest.approx([-0.22, -0.22, 0.17], abs=1e-9)
    preview = study.preview(demand={2: 5})
    committed = study.commit(demand={2: 5})
    assert preview.exact
    assert preview.prices is not None
    assert preview.prices.tolist() == pytest.approx([1.1, 1.1, 0], abs=1e-9)
    assert committed.buses["lmp"].tolist() == pytest.approx([14.90, 14.90, 9.70], abs=1e-7)
    parts = study.lmp_components(1)
    assert parts.congestion["outage"].tolist() == [(2,)]
    assert parts.energy + parts.congestion["value"].sum() == pytest.approx(14.90, abs=1e-9)
    assert "line 3 after the outage of line 2" in study.price_change("base", bus=1).table.index
    # The state does not depend on the way to it.
    again = triangle(tmp_path, 90).study(options=RATE_C).commit(demand={2: 5})
    assert again.sha256 == committed.sha256
    # With line 2 out of service its outage has no effect, and those of lines 1 and 3 split the network.
    without = study.commit(branches={2: {"status": False}})
    assert without.security is not None
    assert (without.security["outages"], without.security["splitting"]) == (0, [[1], [3]])


def test_ratings_before_outages_at_a_price(tmp_path: Path) -> None:
    case = triangle(tmp_path, 90)
    hard = case.study(options={"soft": {"base": 5000}})
    assert hard.solution.sha256 == case.study().solution.sha256
    soft = case.study(options={"soft": {"base": 5}})
    solution = soft.commit(ratings={2: -230})
    limits = solution.contingencies
    assert limits["outage"].tolist() == [()]
    assert limits["shadow"].tolist() == pytest.approx([5], abs=1e-9)
    assert solution.branches.loc[2, "shadow"] == pytest.approx(5, abs=1e-9)
    assert solution.branches.loc[2, "rating_mw"] == pytest.approx(20)
    # p1 + p2 = 90 with marginal costs 5 + 0.22 p1 and 1.2 + 0.17 p2; a third of p1 and two thirds of p2 flow over line 2 from
    # bus 3, so that the units differ by a third of the penalty.
    p1 = (0.17 * 90 + 1.2 - 5 + 5 / 3) / 0.39
    assert solution.generators["p_mw"].tolist() == pytest.approx([p1, 90 - p1], abs=1e-7)
    flow = p1 / 3 + 2 * (90 - p1) / 3
    assert abs(limits["flow_mw"].iloc[0]) == pytest.approx(flow, abs=1e-7)
    assert limits["excess_mw"].iloc[0] == pytest.approx(flow - 20, abs=1e-7)


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        ({"security": {"outages": [7]}}, "BRANCH.UNKNOWN", "7"),
        ({"security": {"monitored": ["line"]}}, "BRANCH.UNKNOWN", "line"),
        ({"security": {"outages": [[1, 2, 3, 1, 2, 3, 1, 2, 3]]}}, "INPUT.REQUEST", "at most 8"),
        ({"security": {}, "soft": {"outages": 0}}, "INPUT.REQUEST", "positive number"),
        ({"security": {"emergency": -1}}, "INPUT.REQUEST", "positive multiple"),
    ],
)
def test_requests_that_the_case_cannot_meet(tmp_path: Path, options: dict[str, object], code: str, words: str) -> None:
    with pytest.raises(wb.WattbookError, match=words) as caught:
        triangle(tmp_path, 90).study(options=options)
    assert caught.value.code == code


def test_other_formulations_refuse_security(tmp_path: Path) -> None:
    with pytest.raises(wb.WattbookError, match="security"):
        triangle(tmp_path, 90).study("acpf", options={"security": {}})


def test_the_exact_path_has_the_rows_of_all_pairs_that_break_on_it(tmp_path: Path) -> None:
    study = triangle(tmp_path, 90).study(options={**RATE_C, "soft": {"outages": 1000}})
    path = study.track(bus=2, from_mw=-30, to_mw=12)
    assert path.breakpoints["mw"].tolist() == pytest.approx([71.3636363636 - 90, 10], abs=1e-7)
    at_end = path.price_at(12)
    assert at_end.tolist() == pytest.approx([16.22, 513.045, 9.87], abs=1e-7)
    committed = study.commit(demand={2: 12})
    assert committed.buses["lmp"].tolist() == pytest.approx(at_end.tolist(), abs=1e-7)


EXPORTS = {"name": "exports", "branches": [{"branch": 2, "weight": -1}, {"branch": 3, "weight": -1}]}


def test_interfaces(tmp_path: Path) -> None:
    case = triangle(tmp_path, 90)
    study = case.study(options={"limits": {"interfaces": [{**EXPORTS, "max_mw": 50}]}})
    solution = study.solution
    # Marginal costs at outputs of 40 and 50 MW; buses 1 and 2 lie on the same side.
    assert solution.buses["lmp"].tolist() == pytest.approx([13.80, 13.80, 9.70], abs=1e-7)
    assert solution.interfaces.index.tolist() == ["exports"]
    row = solution.interfaces.loc["exports"]
    assert row[["flow_mw", "max_mw", "excess_mw", "shadow"]].tolist() == pytest.approx([50, 50, 0, 4.10], abs=1e-7)
    assert row.isna()["min_mw"]
    assert solution.contingencies.empty
    assert solution.security is not None
    assert "interfaces" not in solution.security
    assert solution.security["interface_penalty_usd_per_mwh"] == 5000
    assert "1 interface binds" in repr(solution)
    assert [d.message for d in solution.diagnostics if d.code == "INTERFACE.BINDING"] == [
        "Interface exports is at its limit of 50.0 MW; its shadow price is 4.10 $/MWh."
    ]
    by_demand = study.sensitivity(bus=2)
    assert by_demand.values.tolist() == pytest.approx([0.22, 0.22, 0], abs=1e-9)
    # Down to the demand at which the price at bus 1, 0.22 (d - 50) + 5, is that at bus 3.
    lower = by_demand.ends[0]
    assert lower is not None
    assert lower.mw == pytest.approx(50 + 4.7 / 0.22 - 90, abs=1e-7)
    assert lower.element["kind"] == "interface"
    assert "interface exports stops binding" in str(by_demand)
    parts = study.lmp_components(3)
    assert parts.congestion["interface"].tolist() == ["exports"]
    assert "interface exports" in str(parts)
    assert "interface exports" in study.price_change("base", bus=3).table.index
    study.save(tmp_path / "interfaces.study.json")
    assert wb.open_study(tmp_path / "interfaces.study.json").solution.sha256 == solution.sha256


def test_an_interface_of_one_line_is_its_rating(tmp_path: Path) -> None:
    case = triangle(tmp_path, 90)
    rated = case.study().commit(branches={3: {"rating": 10}})
    limit = {"name": "line 3", "branches": [{"branch": "3"}], "min_mw": -10, "max_mw": 10}
    limited = case.study(options={"limits": {"interfaces": [limit]}}).solution
    assert limited.buses["lmp"].tolist() == pytest.approx(rated.buses["lmp"].tolist(), abs=1e-9)
    assert abs(limited.interfaces["shadow"].iloc[0]) == pytest.approx(rated.branches.loc[3, "shadow"], abs=1e-9)
    # The same limit after the outage of line 2 is that of line 3 after it.
    limit = {"name": "line 3", "branches": [{"branch": 3}], "min_mw": -50, "outage": 2}
    after = case.study(options={"limits": {"interfaces": [limit]}}).solution
    assert after.buses["lmp"].tolist() == pytest.approx([13.80, 13.80, 9.70], abs=1e-7)


def test_limits_of_interfaces_as_targets(tmp_path: Path) -> None:
    """Unit 3 supplies what the interface permits and unit 1 the rest, up to the limit at which their marginal costs agree."""
    case = triangle(tmp_path, 90)
    study = case.study(options={"limits": {"interfaces": [{**EXPORTS, "max_mw": 50}]}})
    free = (0.22 * 90 + 5 - 1.2) / (0.22 + 0.17)
    column = study.sensitivity(interface="exports")
    assert column.values.tolist() == pytest.approx([-0.22, -0.22, 0.17], abs=1e-9)
    # Down to the minimum of unit 3.
    assert column.valid_mw == pytest.approx((10 - 50, free - 50), abs=1e-6)
    assert (column.parameter, column.element) == ("max_mw", {"kind": "interface", "uid": "exports"})
    assert str(column).startswith("the upper limit of interface exports changes the LMP at bus 1 most, by ")
    assert "then interface exports stops binding" in str(column)
    loose = case.study(options={"limits": {"interfaces": [{**EXPORTS, "max_mw": 70}]}}).sensitivity(interface="exports")
    assert loose.values.tolist() == [0, 0, 0]
    assert loose.valid_mw == pytest.approx((free - 70, math.inf), abs=1e-6)
    limits = {"limits": {"interfaces": [{**EXPORTS, "min_mw": 70}]}}
    lower = case.study(options=limits).sensitivity(interface="exports", value="min_mw")
    assert lower.values.tolist() == pytest.approx([-0.22, -0.22, 0.17], abs=1e-9)
    assert lower.valid_mw == pytest.approx((free - 70, 80 - 70), abs=1e-6)

    path = study.track(interface="exports", from_mw=20, to_mw=70)
    assert path.breakpoints["mw"].tolist() == pytest.approx([free], abs=1e-6)
    assert path.price_at(30).tolist() == pytest.approx([0.22 * 60 + 5, 0.22 * 60 + 5, 0.17 * 30 + 1.2], abs=1e-7)
    assert path.price_at(65).tolist() == pytest.approx([0.17 * free + 1.2] * 3, abs=1e-7)
    assert str(path) == "upper limit of interface exports from 20.0 to 70.0 MW, 1 breakpoint"
    assert "Interface exports stops binding" in path._repr_html_()
    # By default from the present limit.
    assert study.track(interface="exports", to_mw=55).from_mw == 50
    falling = study.track(interface="exports", from_mw=70, to_mw=20)
    assert falling.price_at(30).tolist() == pytest.approx([0.22 * 60 + 5, 0.22 * 60 + 5, 0.17 * 30 + 1.2], abs=1e-7)


def test_limits_of_interfaces_as_edits(tmp_path: Path) -> None:
    case = triangle(tmp_path, 90)

    def options(limit: float) -> dict[str, Any]:
        return {"limits": {"interfaces": [{**EXPORTS, "max_mw": limit}]}}

    study = case.study(options=options(50))
    preview = study.preview(interfaces={"exports": {"max_mw": 30}})
    assert preview.exact
    assert preview.prices is not None
    assert preview.prices.tolist() == pytest.approx([0.22 * 20, 0.22 * 20, -0.17 * 20], abs=1e-9)
    # Down to the minimum of unit 3, up to equal marginal costs; MW of the limit.
    assert preview.valid_mw == pytest.approx((10, (0.22 * 90 + 5 - 1.2) / (0.22 + 0.17)), abs=1e-6)
    assert "MW" in str(preview)
    solution = study.commit(interfaces={"exports": {"max_mw": 30}})
    other = case.study(options=options(30)).solution
    assert solution.buses["lmp"].tolist() == other.buses["lmp"].tolist()
    assert solution.buses["lmp"].tolist() == pytest.approx([18.2, 18.2, 6.3], abs=1e-7)
    assert solution.interfaces.loc["exports", "max_mw"] == 30
    assert dict(study.edits.interfaces) == {"exports": {"max_mw": 30}}
    assert study.states["label"].iloc[-1] == "Interface exports upper limit 30.0 MW"
    assert study.states["interfaces"].tolist() == [0, 1]
    assert "1 changed interface" in repr(study)
    # Derivatives and paths begin at the edited limit, and other edits join it.
    assert study.sensitivity(interface="exports").values.tolist() == pytest.approx([-0.22, -0.22, 0.17], abs=1e-9)
    assert study.track(interface="exports", to_mw=55).from_mw == 30
    demand = study.commit({2: 5}).buses["lmp"].tolist()
    assert demand == pytest.approx([0.22 * 65 + 5, 0.22 * 65 + 5, 6.3], abs=1e-7)
    study.commit({2: 0})
    study.save(tmp_path / "limited.study.json")
    read = wb.open_study(tmp_path / "limited.study.json")
    assert read.solution.sha256 == solution.sha256
    assert read.edits == study.edits
    assert wb.verify(tmp_path / "limited.study.json").reproduces
    table = pd.DataFrame({"max_mw": [40.0]}, index=["exports"])
    assert study.commit(interfaces=table).interfaces.loc["exports", "max_mw"] == 40
    # The limit of the options, and None, are no edits.
    study.commit(interfaces={"exports": {"max_mw": 50}})
    restored = study.commit(interfaces={"exports": {"max_mw": None}})
    assert not study.edits
    assert restored.sha256 == case.study(options=options(50)).solution.sha256


def test_edited_limits_of_interfaces_without_effect(tmp_path: Path) -> None:
    case = triangle(tmp_path, 90)
    flow = case.study("acpf").commit(interfaces={"exports": {"max_mw": 30}})
    assert [one.message for one in flow.diagnostics if one.code == "INTERFACE.UNREAD"] == [
        "The edited limit of interface exports has no effect in this formulation."
    ]
    assert flow.buses["va_deg"].tolist() == case.study("acpf").solution.buses["va_deg"].tolist()


@pytest.mark.parametrize(
    ("edit", "code", "message"),
    [
        ({"imports": {"max_mw": 3}}, "INTERFACE.UNKNOWN", "no interface imports"),
        (
            {"exports": {"max_mw": math.nan}},
            "INTERFACE.MALFORMED",
            "max_mw of interface exports is not a finite number",
        ),
        ({"exports": {"max_mw": -5}}, "INTERFACE.LIMITS", r"would be 0 MW, above its upper limit of .5\.0 MW"),
        (
            {"exports": {"status": False}},
            "INTERFACE.MALFORMED",
            "The values of interface exports are min_mw, max_mw, not 'status'",
        ),
        ({3: {"max_mw": 3}}, "INTERFACE.UNKNOWN", "The name of an interface is a text, not 3"),
    ],
)
def test_refused_edits_of_interfaces(tmp_path: Path, edit: dict[Any, Any], code: str, message: str) -> None:
    limits = {"limits": {"interfaces": [{**EXPORTS, "min_mw": 0, "max_mw": 50}]}}
    study = triangle(tmp_path, 90).study(options=limits)
    before = study.solution.sha256
    with pytest.raises(wb.EditError, match=message) as caught:
        study.commit(interfaces=edit)
    assert caught.value.code == code
    assert study.solution.sha256 == before
    assert study.revision == 0


def test_a_limit_that_is_new_has_no_preview(tmp_path: Path) -> None:
    study = triangle(tmp_path, 90).study(options={"limits": {"interfaces": [{**EXPORTS, "max_mw": 50}]}})
    with pytest.raises(wb.EditError, match="does not have yet has no preview") as caught:
        study.preview(interfaces={"exports": {"min_mw": 10}})
    assert caught.value.code == "INTERFACE.NO_PREVIEW"
    limited = study.commit(interfaces={"exports": {"min_mw": 65, "max_mw": 70}}).interfaces
    assert limited.loc["exports", "flow_mw"] == pytest.approx(65, abs=1e-9)


def test_paths_of_limits_of_interfaces_are_cold_solves(data: Path) -> None:
    case = wb.open_case(data / "pglib" / "pglib_opf_case118_ieee.m")
    flow = case.study().solution.branches["p_from_mw"]
    chosen = flow[flow > 20].index[:8].tolist()
    interface = {"name": "path", "branches": [{"branch": branch} for branch in chosen]}

    def options(limit: float) -> dict[str, Any]:
        limits = {"interfaces": [{**interface, "max_mw": limit}]}
        return {"limits": limits, "security": {"emergency": 1.2}}

    full = float(flow[chosen].sum())
    study = case.study(options=options(0.9 * full))
    path = study.track(interface="path", from_mw=0.6 * full, to_mw=1.1 * full)
    assert len(path.breakpoints) > 3
    for share in (0.65, 0.8, 0.9, 1.05):
        cold = case.study(options=options(share * full))
        assert path.objective_at(share * full) == pytest.approx(cold.solution.objective, rel=1e-10)
        assert path.price_at(share * full).tolist() == pytest.approx(cold.solution.buses["lmp"].tolist(), abs=1e-6)
        edited = case.study(options=options(0.9 * full)).commit(interfaces={"path": {"max_mw": share * full}})
        assert edited.buses["lmp"].tolist() == cold.solution.buses["lmp"].tolist()


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ({"interface": "imports"}, "no interface imports"),
        ({"interface": "exports", "value": "min_mw"}, "exports has no lower limit"),
        ({"interface": "exports", "value": "cost"}, "An interface has no cost: its values are max_mw and min_mw"),
        ({"bus": 1, "value": "max_mw"}, "max_mw is a value of an interface, and none is named"),
        ({"interface": "exports", "bus": 1}, "Name one bus, branch, generator, link or interface"),
        ({"interface": 3}, "The name of an interface is a text, not 3"),
    ],
)
def test_refused_targets_of_interfaces(tmp_path: Path, target: dict[str, Any], message: str) -> None:
    study = triangle(tmp_path, 90).study(options={"limits": {"interfaces": [{**EXPORTS, "max_mw": 50}]}})
    with pytest.raises(wb.WattbookError, match=message):
        study.sensitivity(**target)


@pytest.mark.parametrize(
    ("changed", "code", "message"),
    [
        ({"name": " "}, "INPUT.REQUEST", "needs a name"),
        ({"branches": []}, "INPUT.REQUEST", "exports needs branches"),
        ({"branches": [{"branch": 2, "weight": 0}]}, "INPUT.REQUEST", "other than zero"),
        ({"branches": [{"branch": 9}]}, "BRANCH.UNKNOWN", "9"),
        ({"max_mw": None}, "INPUT.REQUEST", "a lower or an upper limit"),
        ({"min_mw": 60}, "INPUT.REQUEST", "not above the upper"),
        ({"outage": [1, 3]}, "INPUT.REQUEST", "splits an island"),
    ],
)
def test_refused_interfaces(tmp_path: Path, changed: dict[str, object], code: str, message: str) -> None:
    case = triangle(tmp_path, 90)
    with pytest.raises(wb.WattbookError, match=message) as caught:
        case.study(options={"limits": {"interfaces": [{**EXPORTS, "max_mw": 50, **changed}]}})
    assert caught.value.code == code


def test_no_pair_is_violated(data: Path) -> None:
    """All flows after all outages, from the outage distribution factors, against the limits that the result reports."""
    case = wb.open_case(data / "activsg500" / "case_ACTIVSg500.m")
    solution = case.study(options={"security": {"emergency": 1.0}}).solution
    report = solution.security
    assert report is not None
    flow, factors = solution.branches["p_from_mw"], case.lodf().to_numpy()
    limit = solution.branches["rating_mw"].where(~solution.branches["rating_is_fallback"], np.inf)
    excess = solution.contingencies["excess_mw"].groupby(level=0).max().reindex(flow.index, fill_value=0.0)
    after = np.abs(flow.to_numpy()[:, None] + factors * flow.to_numpy()[None, :])
    # A line out of service carries nothing. Outages without factors split an island.
    np.fill_diagonal(after, np.where(np.isfinite(factors).any(axis=0), 0.0, np.nan))
    assert np.isfinite(after).any(axis=0).sum() == report["outages"]
    beyond = after - (limit + excess).to_numpy()[:, None]
    # The largest one is that of a limit that binds.
    assert np.nanmax(beyond) == pytest.approx(0, abs=1e-5)


def test_ratings_that_bind_after_outages_are_candidates(tmp_path: Path) -> None:
    study = triangle(tmp_path, 90).study(options=RATE_C)
    effects = study.rating_effects(bus=1)
    assert effects.index.tolist() == [3]
    # RATE_C moves with the rating: the output at bus 1 falls by 1 MW for each MW.
    assert effects.loc[3, ["shadow", "increase"]].tolist() == pytest.approx([4.10, -0.22], abs=1e-7)
    plan = study.plan(budget_mw=5, increment_mw=5)
    assert plan.objective - plan.baseline_objective == pytest.approx(-0.22 * 5, abs=1e-7)
    path = study.track(bus=2, from_mw=-30, to_mw=12)
    assert path.breakpoints["outage"].tolist() == [(2,), (1,)]


def test_paths_of_a_public_case_are_cold_solves(data: Path) -> None:
    case = wb.open_case(data / "pglib" / "pglib_opf_case39_epri.m")
    options = {"security": {"emergency": 1.0}}
    base = case.study(options=options)
    compared = 0
    for branch in case.branches.index[::3]:
        path = base.track(branch=branch, from_mw=-1e5, to_mw=100)
        inside = path.segments[path.segments["to_mw"] - path.segments["from_mw"] > 1]
        for segment in inside.iloc[[0, -1]].itertuples():
            mw = (segment.from_mw + segment.to_mw) / 2
            there = case.study(options=options).commit(ratings={branch: mw}).buses["lmp"]
            assert path.price_at(mw).tolist() == pytest.approx(there.tolist(), abs=1e-5)
            assert path.branches_at(mw).index.equals(case.branches.index)
            compared += 1
    assert compared > 20


THREE_UNITS = CASE.replace(
    " 3 0 0 0 0 1 100 1 270 10;\n", " 3 0 0 0 0 1 100 1 270 10;\n 2 0 0 0 0 1 100 1 100 0;\n"
).replace(" 2 0 0 3 0.085 1.2 0;\n", " 2 0 0 3 0.085 1.2 0;\n 2 0 0 3 0 50 0;\n")


def test_others_replace_a_generator_that_is_out(tmp_path: Path) -> None:
    path = tmp_path / "units.m"
    path.write_text(THREE_UNITS.format(demand=90))
    # Without unit 2 (at bus 3) unit 1 replaces two thirds of its output and unit 3 (at bus 2) one third: line 1 then carries
    # 2/3 p1 + 4/9 p2, which is 45 MW at 22.5 and 67.5 MW.
    security = {
        "outages": [{"generators": [2]}],
        "monitored": [1],
        "emergency": 45 / 250,
        "participation": {"1": 2, "3": 1},
    }
    study = wb.open_case(path).study(options={"security": security})
    solution = study.solution
    assert solution.generators["p_mw"].tolist() == pytest.approx([22.5, 67.5, 0], abs=1e-7)
    assert solution.buses["lmp"].tolist() == pytest.approx([9.95, 18.125, 14.0375], abs=1e-7)
    limits = solution.contingencies
    assert (limits["outage"].tolist(), limits["generators_out"].tolist()) == ([()], [(2,)])
    assert limits["shadow"].tolist() == pytest.approx([12.2625], abs=1e-7)
    assert any("line 1 after the outage of generator 2" in str(note) for note in solution.diagnostics)
    parts = study.lmp_components(1)
    assert parts.congestion["generators_out"].tolist() == [(2,)]
    assert parts.energy + parts.congestion["value"].sum() == pytest.approx(9.95, abs=1e-9)
    # p1 = 2/9 of the demand beyond 67.5 MW more each: d(2/3 p1 + 4/9 p2) = 0 with dp1 + dp2 = 1.
    by_demand = study.sensitivity(bus=2)
    moved = study.commit(demand={2: 1.0}).buses["lmp"] - solution.buses["lmp"]
    assert by_demand.values.tolist() == pytest.approx(moved.tolist(), abs=1e-7)
    # The factors do not follow the largest output, so that the path ends where a solve does.
    path_of_limit = study.track(generator=1, value="p_max", from_mw=250, to_mw=15)
    cold = study.commit(generators={1: {"p_max": 15}})
    assert path_of_limit.segments["objective_end"].iloc[-1] == pytest.approx(cold.objective, rel=1e-12)
    with pytest.raises(wb.WattbookError, match="There is no generator"):
        wb.open_case(path).study(options={"security": {"outages": [{"generators": [9]}]}})


def test_each_generator_out_on_a_public_case(data: Path) -> None:
    # An explicit program with angles for every outage, by HiGHS.
    case = wb.open_case(data / "pglib" / "pglib_opf_case118_ieee.m")
    options = {"security": {"outages": "units", "emergency": 1.2}, "soft": {"outages": 1000}}
    solution = case.study(options=options).solution
    assert solution.objective == pytest.approx(94028.464064, rel=1e-10)
    assert (solution.buses["lmp"].min(), solution.buses["lmp"].max()) == pytest.approx((12.612170, 36.928735), abs=2e-6)


def test_limits_that_no_dispatch_holds(tmp_path: Path) -> None:
    # Unit 1 has at most 250 MW, so that unit 2 supplies at least 40 of 290 MW, all of it over line 3 after the outage of line 2.
    path = tmp_path / "triangle.m"
    path.write_text(CASE.format(demand=290).replace(" 250 250 ", " 500 500 "))
    options = {"security": {"monitored": [3], "emergency": 30 / 500}, "soft": {"outages": 1000}}
    solution = wb.open_case(path).study(options=options).solution
    assert solution.security is not None
    (raised,) = solution.security["raised"]
    assert (raised["branch"], raised["outage"]) == (3, [2])
    assert [raised[key] for key in ("limit_mw", "least_mw", "raised_to_mw")] == pytest.approx([30, 40, 40.8], abs=1e-9)
    assert any("No dispatch holds the limit" in str(note) for note in solution.diagnostics)
    kept = {**options, "security": {**options["security"], "raise_limits": False}}
    report = wb.open_case(path).study(options=kept).solution.security
    assert report is not None
    assert "raised" not in report
    assert report["excess_mw"] == pytest.approx(115, abs=1e-7)


LISTS = {
    "x.con": "CONTINGENCY 'FIRST'\nOPEN LINE FROM BUS 1 TO BUS 2 CKT 1\nEND\n"
    "CONTINGENCY 'GONE'\nOPEN LINE FROM BUS 1 TO BUS 7\nEND\nSINGLE BRANCH IN SUBSYSTEM 'SOUTH'\nEND\n",
    "x.sub": "SUBSYSTEM 'SOUTH'\nBUSES 2 3\nEND\nEND\n",
    "x.mon": "MONITOR BRANCHES\n1 3\nEND\nMONITOR INTERFACE 'EAST' RATING 90 MW\n3 1 1\n2 3\nEND\nMONITOR VOLTAGE RANGE BUS 1 0.9 1.1\n",
}


@pytest.fixture
def lists(tmp_path: Path) -> list[Path]:
    for name, text in LISTS.items():
        (tmp_path / name).write_text(text)
    return [tmp_path / name for name in LISTS]


def test_lists_become_options_and_name_what_the_case_has_not(tmp_path: Path, lists: list[Path]) -> None:
    read = triangle(tmp_path, 200).security_lists(*lists)
    outages = [{"name": "FIRST", "branches": [1]}, 2]
    assert read.security == {"outages": outages, "monitored": [3]}
    branches = [{"branch": 3, "weight": -1.0}, {"branch": 2}]
    assert read.limits == {"interfaces": [{"name": "EAST", "branches": branches, "min_mw": -90.0, "max_mw": 90.0}]}
    assert read.not_found.to_dict("records") == [
        {"file": "x.con", "line": 5, "text": "OPEN LINE FROM BUS 1 TO BUS 7", "left_out": "GONE"}
    ]
    assert list(read.without_effect["line"]) == [8]
    assert len(read.unsupported) == len(read.out_of_service) == 0
    assert repr(read) == "<SecurityLists: 2 outages, 1 interface; 1 statement not found, 0 not supported>"


def test_outages_of_files_and_frames_are_those_of_a_list(tmp_path: Path, lists: list[Path]) -> None:
    case = triangle(tmp_path, 200)
    named = {"security": {"outages": [{"name": "FIRST", "branches": [1]}, 2]}}
    plain = case.study(options={"security": {"outages": [1, 2]}}).solution
    with pytest.warns(
        wb.WattbookWarning, match=r"not found in the case: x\.con, line 5: OPEN LINE FROM BUS 1 TO BUS 7\. "
    ):
        study = case.study(options={"security": {"outages": lists[:2]}})
    assert dict(study.options) == named, "the Study has what the files say, and not their paths"
    np.testing.assert_array_equal(study.solution.buses["lmp"], plain.buses["lmp"])
    frame = pd.DataFrame({"outage": ["a", "b"], "from_bus": [1, 2], "to_bus": [2, 3]})
    framed = case.study(options={"security": {"outages": frame}})
    np.testing.assert_array_equal(framed.solution.buses["lmp"], plain.buses["lmp"])
    rows = tmp_path / "outages.csv"
    frame.to_csv(rows, index=False)
    assert case.study(options={"security": {"outages": str(rows)}}).options == framed.options


def test_files_that_are_no_lists_are_refused(tmp_path: Path) -> None:
    case = triangle(tmp_path, 200)
    text = tmp_path / "x.con"
    text.write_text("a poem\n")
    with pytest.raises(wb.InputError, match=r"Line 1 of x\.con is not that of a list"):
        case.study(options={"security": {"outages": text}})
    with pytest.raises(wb.InputError) as missing:
        case.security_lists(tmp_path / "y.con")
    assert missing.value.code == "INPUT.NOT_FOUND"
    with pytest.raises(wb.ArgumentError):
        case.security_lists()


def test_parallel_lines_with_one_limit(tmp_path: Path) -> None:
    # Two equal lines from bus 1 to bus 2 share the flow, and after the outage of either the other carries all of it: at most 50 MW.
    path = tmp_path / "parallel.m"
    line = " 1 2 0.01 0.1 0 100 100 50 0 0 1 -60 60;\n"
    rows = CASE[CASE.index("mpc.branch") : CASE.index("mpc.gencost")]
    text = CASE.replace(rows, "mpc.branch = [\n" + line + line + "];\n").format(demand=90)
    text = text.replace(" 3 2 0 0 0 0 1 1 0 230 1 1.1 0.9;\n", "").replace(
        " 3 0 0 0 0 1 100 1 270 10;", " 2 0 0 0 0 1 100 1 270 10;"
    )
    path.write_text(text)
    solution = wb.open_case(path).study(options={"security": {"emergency": 0.5}}).solution
    # Without limits unit 1 supplies 29.49 MW.
    assert solution.contingencies.empty
    cheap = wb.open_case(path).study(options={"security": {"emergency": 0.2}}).solution
    limits = cheap.contingencies
    assert limits["limit_mw"].tolist() == pytest.approx([20], abs=1e-9)
    assert sorted([limits.index[0], *limits["outage"].iloc[0]]) == [1, 2]
    assert limits["twin"].tolist() == list(limits["outage"].iloc[0])
    assert cheap.buses["lmp"].tolist() == pytest.approx([0.22 * 20 + 5, 0.17 * 70 + 1.2], abs=1e-7)


def test_a_price_between_two_limits(data: Path) -> None:
    # Lines 126 and 127 are in series through bus 81, where nobody injects: either outage sets the price of more or of less demand.
    case = wb.open_case(data / "pglib" / "pglib_opf_case118_ieee.m")
    study = case.study(options={"security": {"emergency": 1.5}, "soft": {"outages": 1000}})
    assert study.solution.buses["lmp"][81] == pytest.approx(24.623912, abs=1e-6)
    assert "LMP not unique, from 24.62 to 25.90 $/MWh" in repr(study.sensitivity(bus=81))
    more = study.commit(demand={81: 0.001})
    assert more.buses["lmp"][81] == pytest.approx(25.904163, abs=1e-6)


def test_demand_is_lost_at_a_price(tmp_path: Path) -> None:
    # 520 MW of capacity for 600 MW of demand.
    path = tmp_path / "short.m"
    path.write_text(CASE.format(demand=600).replace(" 250 250 ", " 900 900 "))
    case = wb.open_case(path)
    with pytest.raises(wb.SolveError, match="exceeds the generators' capacity"):
        _ = case.study().solution
    study = case.study(options={"soft": {"lost_load": 9000}})
    solution = study.solution
    assert solution.security is not None
    assert [(lost["bus"], lost["mw"]) for lost in solution.security["lost_load"]] == [(2, pytest.approx(80, abs=1e-7))]
    assert solution.buses["lmp"].tolist() == pytest.approx([9000.0] * 3, abs=1e-6)
    assert any("80.0 MW of demand are not served, at bus 2" in str(note) for note in solution.diagnostics)
    served = study.track(bus=2, from_mw=0, to_mw=-200)
    assert "lost_load_ends" in served.breakpoints["event"].tolist()
    assert served.segments["objective_end"].iloc[-1] == pytest.approx(
        study.commit(demand={2: -200}).objective, rel=1e-12
    )
