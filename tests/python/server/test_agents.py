"""The MCP server through the SDK's own client over stdio, and its tools on Studies of this process."""

import json
import re
import sys
from pathlib import Path

import anyio
import pytest
import wattbook as wb
from lab import TOKEN, Lab
from mcp_client import client
from wattbook.agents import contract
from wattbook.agents.desk import Desk
from wattbook.agents.server import call
from wattbook.agents.tools import TOOLS
from wattbook.case import catalogue

#: The operator's folder of the Jupyter server: the two benchmark cases.
(BENCHMARKS,) = (folder for folder in catalogue._FALLBACKS if folder.is_dir())
FILE = Path(__file__).parents[2] / "fixtures" / "three_bus.m"
PAGE = Path(__file__).parents[3] / "extension" / "webmcp" / "src" / "tools.generated.ts"
#: Line 2 is held at 40 MW: prices are 18.20, 30.10, 6.30 $/MWh.
HELD = {"ratings": [{"branch_id": 2, "delta_mw": -210}]}
APART = """function mpc = apart
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [1 3 30 0 0 0 1 1 0 230 1 1.1 0.9; 2 3 90 0 0 0 1 1 0 230 1 1.1 0.9];
mpc.gen = [1 90 0 99 -99 1 100 1 500 0; 2 40 0 99 -99 1 100 1 200 0];
mpc.branch = [];
mpc.gencost = [2 0 0 2 20 0; 2 0 0 2 50 0];
mpc.dcline = [1 2 1 50 0 3 4 1 1 0 60 -9 9 -9 9 4 0.1];
"""
PLAN = {
    "weights": [{"bus_id": 2, "weight": 1}],
    "candidates": ["1", 2, "3"],
    "max_increase_per_branch_mw": 40,
    "budget_mw": 40,
    "increment_mw": 20,
    "exact_solve_budget": 6,
}


class Agent:
    def __init__(self):
        self.study = wb.open_case(FILE).study()
        self.desk = Desk()
        self.case_id = self.desk.take(self.study)

    def answer(self, tool, **arguments):
        answer = call(self.desk, tool, arguments)
        assert len(json.dumps(answer, ensure_ascii=False, separators=(",", ":"))) <= contract.limit("answer_characters")
        return answer

    def data(self, tool, **arguments):
        answer = self.answer(tool, **arguments)
        assert answer["ok"], answer
        return answer["data"]

    def code(self, tool, **arguments):
        answer = self.answer(tool, **arguments)
        return "ok" if answer["ok"] else answer["error"]["code"]

    def at(self, revision):
        return {"case_id": self.case_id, "expected_revision": revision}


@pytest.fixture
def agent():
    agent = Agent()
    agent.data("update_case", **agent.at(0), **HELD)
    return agent


def test_tools_are_those_of_the_page():
    text = PAGE.read_text(encoding="utf-8")
    page = json.loads(text[text.index("{") : text.rindex("}") + 1])
    assert contract.contract() == page
    assert list(TOOLS) == [tool["name"] for tool in page["tools"]]


def test_reads(agent):
    first = agent.data("list_cases")["cases"][0]
    assert (first["case_id"], first["displayed"], first["buses"]) == (agent.case_id, True, 3)
    shown = agent.data("inspect_case")
    assert (shown["revision"], shown["formulation"], shown["proposal"]) == (1, "dcopf", None)
    assert shown["solve"]["objective_usd_per_h"] == pytest.approx(808.5)
    assert shown["changes"] == [{"branch_id": 2, "delta_mw": -210}]
    rows = agent.data("query_network", case_id=agent.case_id, element_kind="bus", sort_by="price", limit=2)["rows"]
    assert [(row["id"], row["price"]) for row in rows] == [(2, pytest.approx(30.1)), (1, pytest.approx(18.2))]
    line = agent.data("query_network", case_id=agent.case_id, element_kind="branch", element_ids=["2", 2])["rows"]
    assert [row["rating_mw"] for row in line] == [40]
    assert agent.data("query_network", case_id=agent.case_id, element_kind="branch")["units"] == {"rating_mw": "MW"}
    column = agent.data("analyze_sensitivity", case_id=agent.case_id, element_kind="bus", element_id="2")
    assert column["rows"][0] == {"bus_id": 2, "value": pytest.approx(1.05)}
    preview = agent.data("preview_case_update", **agent.at(1), demand=[{"bus_id": 2, "delta_mw": 1}])
    assert preview["prices"][0] == {"bus_id": 2, "before": pytest.approx(30.1), "change": pytest.approx(1.05)}
    assert agent.study.revision == 1


def mean_price(study):
    """Weighted by demand, without the code of the tools."""
    buses = study.solution.buses
    return float((buses["lmp"] * buses["demand_mw"]).sum() / buses["demand_mw"].sum())


def test_which_line_upgrade_lowers_the_mean_price_most():
    """The ranking against exact solves of each line with one MW more."""
    agent = Agent()
    agent.desk = Desk()
    study = wb.open_case("carolina").study()
    agent.case_id = agent.desk.take(study)
    found = agent.data("analyze_sensitivity", case_id=agent.case_id, element_kind="branch", limit=10)
    binding = study.solution.branches.query("shadow > 0").index
    assert found["matched"] == len(binding)
    before, mw = mean_price(study), 0.01
    exact = {}
    for line in binding:
        study.commit(ratings={int(line): mw}, progress=False)
        exact[int(line)] = (mean_price(study) - before) / mw
        study.reset()
    ranked = [(row["branch_id"], row["mean_price"]) for row in found["rows"]]
    assert [line for line, _ in ranked] == sorted(exact, key=lambda line: exact[line])[: len(ranked)]
    for line, change in ranked:
        assert change == pytest.approx(exact[line], rel=1e-4, abs=1e-7)
    assert min(exact.values()) < 0, "an upgrade that helps"
    assert agent.data("inspect_case")["prices"]["mean"] == pytest.approx(before, rel=1e-6)
    best = ranked[0][0]
    answer = agent.data("analyze_sensitivity", case_id=agent.case_id, element_kind="branch", element_id=best)
    assert answer["mean_price"] == pytest.approx(exact[best], rel=1e-4)
    assert agent.code("analyze_sensitivity", case_id=agent.case_id, element_kind="bus") == "INPUT.INVALID"
    state = {"case_id": agent.case_id, "expected_revision": study.revision}
    edit = {"ratings": [{"branch_id": best, "delta_mw": mw}]}
    assert agent.data("preview_case_update", **state, **edit)["mean_price_change"] == pytest.approx(
        exact[best] * mw, rel=1e-3
    )
    done = agent.data("update_case", **state, **edit)
    assert done["mean_price"] - done["mean_price_before"] == pytest.approx(exact[best] * mw, rel=1e-2)
    agent.data("reset_case", case_id=agent.case_id, expected_revision=study.revision)
    plan = agent.data(
        "propose_capacity_plan",
        case_id=agent.case_id,
        expected_revision=study.revision,
        max_increase_per_branch_mw=20,
        budget_mw=40,
        increment_mw=20,
        exact_solve_budget=6,
    )
    assert plan["weighted_price_before"] == pytest.approx(before, rel=1e-6)
    assert plan["weighted_price_after"] < before


def test_names_units_outages_areas_and_parts_of_prices():
    agent = Agent()
    agent.desk = Desk()
    case = wb.open_case("carolina")
    study = case.study()
    agent.case_id = agent.desk.take(study)

    def query(kind, **more):
        return agent.data("query_network", case_id=agent.case_id, element_kind=kind, **more)

    solution = study.solution
    shadow = solution.branches["shadow"].nlargest(3)
    found = query("branch", sort_by="shadow_price", limit=3)["rows"]
    assert [row["id"] for row in found] == shadow.index.tolist()
    assert [row["shadow_price"] for row in found] == pytest.approx(shadow.tolist(), rel=1e-6)
    assert all(row["label"] for row in found), "names beside numbers"
    word = case.buses["name"].iloc[0].split()[0]
    named = case.buses[case.buses["name"].str.contains(word, case=False, regex=False)]
    assert query("bus", search=word.upper())["matched"] == len(named)
    units = query("generator", sort_by="output_mw", limit=2)["rows"]
    assert [row["output_mw"] for row in units] == pytest.approx(
        solution.generators["p_mw"].nlargest(2).tolist(), rel=1e-6
    )
    assert units[0]["bus_id"] == solution.generators["bus"][units[0]["id"]]
    screened = study.contingencies(progress=False)
    worst = query("outage", limit=2)["rows"]
    assert [row["loading"] for row in worst] == pytest.approx(screened["worst_loading"].nlargest(2).tolist(), rel=1e-6)
    split = screened.query("kind == 'islanding'").index[0]
    (row,) = query("outage", element_ids=[int(split)])["rows"]
    assert row["splits"] and row["buses_cut_off"] == len(screened["buses_cut_off"][split])
    areas = query("area")["rows"]
    demand = solution.buses["demand_mw"].groupby(case.buses["area"]).sum()
    assert {row["id"]: row["demand_mw"] for row in areas} == pytest.approx(demand.to_dict(), rel=1e-6)
    assert sum(row["generation_mw"] for row in areas) == pytest.approx(demand.sum(), rel=1e-6), "DC has no losses"
    weighted = sum(row["price"] * row["demand_mw"] for row in areas) / demand.sum()
    assert weighted == pytest.approx(mean_price(study), rel=1e-6)
    (bus,) = query("bus", sort_by="price", limit=1, include="components")["rows"]
    assert bus["components"]["energy"] + bus["components"]["congestion"] == pytest.approx(bus["price"], rel=1e-6)
    assert agent.code("query_network", case_id=agent.case_id, element_kind="area", element_ids=[99]) == "INPUT.INVALID"
    assert (
        agent.code("query_network", case_id=agent.case_id, element_kind="area", sort_by="cost")
        == "QUANTITY.UNAVAILABLE"
    )


def test_reasons_are_whole():
    agent = Agent()
    long = "x" * 100
    answer = agent.answer("query_network", case_id=agent.case_id, element_kind=long)
    assert answer["error"]["code"] == "INPUT.INVALID"
    assert (
        "is not one of ['bus', 'branch', 'generator', 'link', 'storage', 'outage', 'area']"
        in answer["error"]["message"]
    )


def test_damaged_cases_of_a_catalogue_are_named(tmp_path, monkeypatch):
    monkeypatch.setenv("SERVICE_DATA", str(tmp_path))
    listed = json.loads((BENCHMARKS / "catalogue.json").read_text())
    (tmp_path / "catalogue.json").write_text(json.dumps(listed))
    for entry in listed["cases"]:
        (tmp_path / entry["module"]).write_bytes((BENCHMARKS / entry["module"]).read_bytes())
    (damaged,) = (tmp_path / entry["module"] for entry in listed["cases"] if entry["id"] == "case200_activ")
    damaged.write_bytes(damaged.read_bytes()[:-10])
    agent = Agent()
    rows = {row["case_id"]: row for row in agent.data("list_cases")["cases"]}
    assert not rows["case200_activ"]["available"] and "was altered" in rows["case200_activ"]["reason"]
    assert rows["case500_goc"]["available"] and rows[agent.case_id]["available"]
    (tmp_path / "catalogue.json").write_text("{}")
    answer = Agent().data("list_cases")
    assert [row["case_id"] for row in answer["cases"]] == [agent.case_id]
    assert "is not a catalogue of cases" in answer["catalogue"]


def test_a_preview_of_an_ac_power_flow_has_voltages(agent):
    agent.data("update_case", **agent.at(1), formulation="acpf")
    edit = {"demand": [{"bus_id": 2, "delta_mw": 10}]}
    before = agent.study.solution.buses["vm_pu"][2]
    preview = agent.data("preview_case_update", **agent.at(2), **edit)
    assert set(preview) == {"case_id", "revision", "formulation", "voltages"}, "nothing is called exact"
    (most, *_) = preview["voltages"]
    assert (most["bus_id"], most["before"]) == (2, pytest.approx(before))
    agent.data("update_case", **agent.at(2), **edit)
    assert agent.study.solution.buses["vm_pu"][2] == pytest.approx(before + most["change"], abs=1e-6)


def test_updates_name_the_revision(agent):
    update = {"demand": [{"bus_id": 2, "delta_mw": 1}]}
    assert agent.code("update_case", **agent.at(0), **update) == "REVISION.STALE"
    assert agent.code("update_case", **agent.at(1), demand=[{"bus_id": 2, "delta_mw": 5000}]) == "SOLVE.INFEASIBLE"
    twice = [{"bus_id": 2, "delta_mw": 1}, {"bus_id": "2", "delta_mw": 1}]
    assert agent.code("update_case", **agent.at(1), demand=twice) == "DELTA.DUPLICATE"
    assert agent.code("update_case", **agent.at(1), demand=[{"bus_id": 77, "delta_mw": 1}]) == "BUS.UNKNOWN"
    assert agent.study.revision == 1
    done = agent.data("update_case", **agent.at(1), **update)
    assert (done["revision"], done["objective_change_usd_per_h"]) == (2, pytest.approx(30.625))
    assert agent.data("reset_case", **agent.at(2))["revision"] == 3
    assert dict(agent.study.edits.ratings) == {}


def test_updates_of_generators_branches_and_added_elements(agent):
    """Without line 1-3 generator 2 sends its 40 MW over line 2-3: 0.22 * 50 + 5 and 0.17 * 40 + 1.2."""
    out = {"branches": [{"branch_id": 3, "status": False}]}
    assert agent.code("preview_case_update", **agent.at(1), **out) == "BRANCH.NO_PREVIEW"
    agent.data("update_case", **agent.at(1), **out)
    assert agent.study.solution.buses["lmp"].tolist() == pytest.approx([16, 16, 8], abs=1e-9)
    assert {"branch_id": 3, "status": False} in agent.data("inspect_case")["changes"]
    # A unit of 5 $/MWh at bus 2, which the same batch limits by its name, takes over 20 MW.
    unit = {"bus": 2, "p_max": 50, "cost": 5, "name": "peaker"}
    batch = {"add": {"generators": [unit]}, "generators": [{"generator_id": "peaker", "p_max": 20}]}
    assert agent.code("preview_case_update", **agent.at(2), **batch) == "BRANCH.NO_PREVIEW"
    agent.data("update_case", **agent.at(2), **batch)
    assert agent.study.solution.generators.at[3, "p_mw"] == pytest.approx(20, abs=1e-9)
    assert agent.study.solution.buses.at[2, "lmp"] == pytest.approx(0.22 * 30 + 5, abs=1e-9)
    agent.data("update_case", **agent.at(3), remove=["peaker"], branches=[{"branch_id": 3, "status": True}])
    assert agent.study.solution.buses["lmp"].tolist() == pytest.approx([18.2, 30.1, 6.3], abs=1e-9)
    before = agent.study.solution.sha256
    for batch, code in [
        ({"remove": ["peaker"]}, "ADDED.UNKNOWN"),
        ({"generators": [{"generator_id": 9, "p_max": 1}]}, "GENERATOR.UNKNOWN"),
        ({"generators": [{"generator_id": 1, "p_max": 1}, {"generator_id": "1", "cost": 1}]}, "DELTA.DUPLICATE"),
        ({"branches": [{"branch_id": 1, "tap": -1}]}, "BRANCH.MALFORMED"),
        ({"links": [{"link_id": 1, "status": False}]}, "LINK.UNKNOWN"),
        ({"interfaces": [{"interface_id": "exports", "max_mw": 30}]}, "INTERFACE.UNKNOWN"),
        ({"generators": [{"generator_id": 1, "capacity": 1}]}, "INPUT.INVALID"),
        ({"add": {"loads": [{"bus": 2}]}}, "INPUT.INVALID"),
        ({"add": {"loads": [{"bus": 2, "p": 1}] * 25}}, "INPUT.INVALID"),
    ]:
        assert agent.code("update_case", **agent.at(4), **batch) == code, batch
    assert (agent.study.revision, agent.study.solution.sha256) == (4, before)


def test_elements_that_a_state_adds_are_queried_and_changed(agent):
    added = {
        "storage": [{"name": "battery", "bus": 2, "p_charge_max": 30, "p_discharge_max": 40}],
        "generators": [{"name": "peaker", "bus": 2, "p_max": 50, "cost": 5}],
        "branches": [{"name": "second", "from": 1, "to": 2, "x": 0.1, "rating": 80}],
    }
    agent.data("update_case", **agent.at(1), add=added, storage=[{"storage_id": "battery", "p": 12}])

    def rows(kind, **query):
        return agent.data("query_network", case_id=agent.case_id, element_kind=kind, **query)["rows"]

    assert rows("storage", sort_by="output_mw") == [{"id": 1, "bus_id": 2, "output_mw": 12.0, "capacity_mw": 40.0}]
    (unit,) = rows("generator", element_ids=["peaker"], limit=1)
    assert (unit["bus_id"], unit["capacity_mw"], unit["cost"]) == (2, 50.0, 5.0)
    lines = len(agent.study.solution.branches)
    (line,) = rows("branch", element_ids=[lines], limit=1)
    assert (line["from"], line["to"], line["rating_mw"]) == (1, 2, 80.0)
    found = agent.data("focus_network", case_id=agent.case_id, element_kind="storage", element_id=1)
    assert found["selected"] == {"kind": "storage", "id": 1}
    assert agent.code("focus_network", case_id=agent.case_id, element_kind="storage", element_id=2) == "STORAGE.UNKNOWN"
    agent.data("update_case", **agent.at(2), branches=[{"branch_id": lines, "status": False}])
    (line,) = rows("branch", element_ids=[lines], limit=1)
    assert line["in_service"] is False
    assert agent.data("inspect_case")["branches"] == lines


def test_updates_of_interfaces():
    """Unit 3 sends what the interface permits; the prices of buses 1 and 3 are the marginal costs of their units."""
    agent = Agent()
    lines = [{"branch": 2, "weight": -1}, {"branch": 3, "weight": -1}]
    limits = {"interfaces": [{"name": "12", "branches": lines, "max_mw": 50}]}
    agent.study = wb.open_case(FILE).study(options={"limits": limits})
    agent.case_id = agent.desk.take(agent.study)
    update = {"interfaces": [{"interface_id": "12", "max_mw": 30}]}
    preview = agent.data("preview_case_update", **agent.at(0), **update)
    agent.data("update_case", **agent.at(0), **update)
    assert agent.study.solution.buses["lmp"].tolist() == pytest.approx([18.2, 18.2, 6.3], abs=1e-9)
    assert preview["exact"] is True
    assert dict(agent.study.edits.interfaces) == {"12": {"max_mw": 30}}


def test_updates_of_links():
    """Two islands at 20 and 50 $/MWh: a link that loses 20 % and is not full brings bus 2 to 25 $/MWh."""
    agent = Agent()
    agent.study = wb.open_case(APART.encode(), format="matpower").study()
    agent.case_id = agent.desk.take(agent.study)
    wide = {"links": [{"link_id": 1, "p_max": 150, "loss": 0, "loss_factor": 0.2}]}
    assert agent.code("preview_case_update", **agent.at(0), **wide) == "LINK.NO_PREVIEW"
    agent.data("update_case", **agent.at(0), **wide)
    assert agent.study.solution.buses["lmp"].tolist() == pytest.approx([20, 25], abs=1e-9)
    # All 90 MW of bus 2 arrive of 90 / 0.8 MW.
    links = agent.data("query_network", case_id=agent.case_id, element_kind="link", sort_by="price_difference")
    assert links["rows"] == [{"id": 1, "from": 1, "to": 2, "flow_mw": 112.5, "capacity_mw": 150, "price_difference": 5}]
    focus = {"case_id": agent.case_id, "element_kind": "link"}
    assert agent.data("focus_network", **focus, element_id="1")["selected"] == {"kind": "link", "id": 1}
    assert agent.code("focus_network", **focus, element_id=2) == "LINK.UNKNOWN"
    cable = {"from": 1, "to": 2, "p_max": 500, "loss_factor": 0.5}
    agent.data("update_case", **agent.at(1), links=[{"link_id": 1, "status": False}], add={"links": [cable]})
    assert agent.study.solution.buses["lmp"].tolist() == pytest.approx([20, 40], abs=1e-9)


def test_a_proposal_is_staged_and_never_applied(agent):
    found = agent.data("propose_capacity_plan", **agent.at(1), **PLAN)
    assert found["changes"] == [{"branch_id": 2, "delta_mw": 20}]
    assert agent.data("inspect_case")["proposal"]["status"] == "staged"
    apply = {"session_id": found["session_id"], "proposal_id": found["proposal_id"], **agent.at(1)}
    before = agent.study.solution.sha256
    assert agent.code("apply_capacity_plan", **apply) == "APPLY.REFUSED"
    assert (agent.study.revision, agent.study.solution.sha256) == (1, before)
    assert agent.data("inspect_case")["proposal"]["status"] == "staged"
    agent.study.commit(demand={2: 1})
    assert agent.data("inspect_case")["proposal"]["status"] == "expired", "a commit of a cell ends it too"


def test_a_circuit_is_proposed(agent):
    wanted = {**PLAN, "candidates": [1], "budget_mw": 260, "circuits": [2]}
    found = agent.data("propose_capacity_plan", **agent.at(1), **wanted)
    assert (found["staged"], found["changes"], found["circuits"]) == (True, [], [{"copy_of": 2}])
    assert found["weighted_price_after"] < found["weighted_price_before"]
    assert agent.code("propose_capacity_plan", **agent.at(1), **{**wanted, "circuits": [9]}) == "BRANCH.UNKNOWN"


def test_a_proposal_expires_with_another_case_in_front(agent):
    other = agent.desk.add(wb.open_case(FILE))
    agent.data("propose_capacity_plan", **agent.at(1), **PLAN)
    agent.data("select_case", case_id=agent.case_id)
    assert agent.data("inspect_case")["proposal"]["status"] == "staged", "the case in front is selected again"
    agent.data("select_case", case_id=other)
    agent.data("select_case", case_id=agent.case_id)
    assert agent.data("inspect_case")["proposal"]["status"] == "expired"
    agent.data("propose_capacity_plan", **agent.at(1), **PLAN)
    assert agent.data("inspect_case")["proposal"]["status"] == "staged"
    agent.desk.show(None)  # a live case of a page comes to the front
    agent.data("select_case", case_id=agent.case_id)
    assert agent.data("inspect_case")["proposal"]["status"] == "expired"


@pytest.mark.parametrize(
    ("tool", "wrong"),
    [
        ("update_case", {"demand": [{"bus_id": 2, "delta_mw": 1}], "approve": True}),
        ("update_case", {"demand": [{"bus_id": 2, "delta_mw": float("nan")}]}),
        ("update_case", {"demand": [{"bus_id": 2, "delta_mw": float("inf")}]}),
        ("update_case", {"demand": [{"bus_id": 2, "delta_mw": "1"}]}),
        ("update_case", {"demand": None}),
        ("update_case", {"demand": [{"bus_id": bus, "delta_mw": 1} for bus in range(25)]}),
        ("update_case", {"formulation": "acopf"}),
        ("reset_case", {"expected_revision": 0.5}),
        ("propose_capacity_plan", {**PLAN, "increment_mw": 0}),
        ("propose_capacity_plan", {**PLAN, "exact_solve_budget": 33}),
        ("propose_capacity_plan", {**PLAN, "candidates": [str(k) for k in range(13)]}),
    ],
)
def test_inputs_that_are_not_valid(agent, tool, wrong):
    assert agent.code(tool, **{**agent.at(1), **wrong}) == "INPUT.INVALID"
    assert agent.study.revision == 1


def test_other_refusals(agent):
    assert agent.code("select_case", case_id="nowhere") == "CASE.UNKNOWN"
    assert agent.code("reset_case", case_id="nowhere", expected_revision=1) == "CASE.UNKNOWN"
    listed = agent.desk.add(wb.open_case(FILE))
    assert agent.code("reset_case", case_id=listed, expected_revision=0) == "CASE.INACTIVE", "listed, but not opened"
    assert agent.code("solve_multiconductor_pf", **agent.at(1)) == "FORMULATION.UNAVAILABLE"
    assert (
        agent.code("query_network", case_id=agent.case_id, element_kind="bus", sort_by="voltage_v")
        == "QUANTITY.UNAVAILABLE"
    )
    duplicates = {**PLAN, "candidates": ["2", 2]}
    assert agent.code("propose_capacity_plan", **agent.at(1), **duplicates) == "PLAN.SPEC"
    assert call(Desk(), "inspect_case", {})["error"]["code"] == "CASE.NONE"


def test_the_guide_names_the_codes():
    """The codes of the tools themselves, here and in the page, and those of the engine for an edit."""
    root = Path(__file__).parents[3]
    sources = [*(root / "extension/webmcp/src").rglob("*.ts"), *(root / "widgets/python/wattbook/agents").glob("*.py")]
    own = {code for source in sources for code in re.findall(r'"([A-Z]+\.[A-Z]+)"', source.read_text(encoding="utf-8"))}
    edits = {
        "DELTA.NEGATIVE_DEMAND",
        "DELTA.ISOLATED_BUS",
        "RATE.NOT_POSITIVE",
        "RATE.OUT_OF_SERVICE",
        "EDIT.NOT_EDITABLE",
    }
    guide = (root / "docs/guides/agents.md").read_text(encoding="utf-8")
    assert len(own) > 15
    assert {code for code in (own | edits) - {"MCP.MISSING"} if f"`{code}`" not in guide} == set()


def test_over_stdio_with_the_sdk():
    """`wattbook mcp FILE`, started like by a client of an agent."""
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    parameters = StdioServerParameters(command=sys.executable, args=["-m", "wattbook.cli", "mcp", str(FILE)])

    async def talk():
        async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
            await session.initialize()
            listed = (await session.list_tools()).tools
            assert [tool.name for tool in listed] == list(TOOLS)
            published = {tool["name"]: tool["inputSchema"] for tool in contract.tools()}
            assert {tool.name: tool.inputSchema for tool in listed} == published
            assert all(tool.annotations.model_dump()["untrustedContentHint"] for tool in listed)

            async def ask(name, **arguments):
                result = await session.call_tool(name, arguments)
                answer = json.loads(result.content[0].text)
                assert result.isError is not answer["ok"], "errors are errors"
                return answer

            (first, *_) = (await ask("list_cases"))["data"]["cases"]
            selected = (await ask("select_case", case_id=first["case_id"]))["data"]
            here = {"case_id": selected["case_id"], "expected_revision": selected["revision"]}
            assert (await ask("update_case", **here, **HELD))["data"]["revision"] == 1
            here["expected_revision"] = 1
            found = (await ask("propose_capacity_plan", **here, **PLAN))["data"]
            assert found["staged"]
            apply = {"session_id": found["session_id"], "proposal_id": found["proposal_id"], **here}
            assert (await ask("apply_capacity_plan", **apply))["error"]["code"] == "APPLY.REFUSED"
            assert (await ask("update_case", **here, unknown=1))["error"]["code"] == "INPUT.INVALID"

    async def bounded():
        with anyio.fail_after(120):
            await talk()

    anyio.run(bounded)


def test_on_the_jupyter_server_with_the_sdk(short_folder):
    """`<base_url>wattbook/mcp`, for clients with the token of Jupyter."""
    lab = Lab(short_folder / "lab", env={"SERVICE_DATA": str(BENCHMARKS)})
    try:
        for token in (None, "wrong"):
            response, _ = lab.get("wattbook/mcp", token=token, method="POST")
            assert response.status == 403

        async def talk():
            async with client(f"{lab.url}/mcp", TOKEN) as ask:
                selected = (await ask("select_case", case_id="case200_activ"))["data"]
                here = {"case_id": "case200_activ", "expected_revision": 0}
                assert selected["revision"] == 0
                assert (await ask("update_case", **here, demand=[{"bus_id": 2, "delta_mw": 1}]))["ok"]
                assert (await ask("reset_case", **here))["error"]["code"] == "REVISION.STALE"
                apply = {**here, "session_id": selected["session_id"], "proposal_id": "none"}
                assert (await ask("apply_capacity_plan", **apply))["error"]["code"] == "APPLY.REFUSED"

        async def bounded():
            with anyio.fail_after(120):
                await talk()

        anyio.run(bounded)
    finally:
        lab.stop()
