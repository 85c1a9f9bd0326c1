"""The example notebooks run from top to bottom and are committed without outputs."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
import wattbook as wb
from conftest import ROOT
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from wattbook.map.case_map import STUDY_MIME

NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_committed_without_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert not cell.get("outputs") and cell.get("execution_count") is None
    assert "widgets" not in notebook.metadata


def executed(
    name: str, folder: Path | None = None
) -> tuple[nbformat.NotebookNode, dict[str, list[nbformat.NotebookNode]]]:
    """The notebook after a run in a folder, and its outputs by cell."""
    resources = {} if folder is None else {"metadata": {"path": str(folder)}}
    notebook = nbformat.read(ROOT / "examples" / name, as_version=4)
    NotebookClient(notebook, timeout=60, kernel_name="python3", resources=resources).execute()
    for cell in notebook.cells:
        text = "".join(row.get("text", "") for row in cell.get("outputs", []) if row.output_type == "stream")
        assert "Traceback (most recent call last)" not in text, f"{name}: {cell.id}"
    return notebook, {cell.id: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}


def printed(rows: list[nbformat.NotebookNode]) -> str:
    return "".join(row["text"] for row in rows if row.get("name") == "stdout")


def test_formats_and_geography() -> None:
    notebook, outputs = executed("formats_and_geography.ipynb")
    assert "case200_activ" in printed(outputs["files"]) or "grid.raw" in printed(outputs["files"])
    warned = "".join(row["text"] for row in outputs["files"] if row.get("name") == "stderr")
    assert "ExportWarning" in warned and str(ROOT) not in warned
    assert "4 buses and 0 branches placed" in printed(outputs["island"]) and "Record 5: " in printed(outputs["island"])
    states = notebook.metadata["widgets"]["application/vnd.jupyter.widget-state+json"]["state"]
    shown = {}
    for cell in ("map", "synthetic"):
        views = [row["data"].get(STUDY_MIME) for row in outputs[cell] if "data" in row]
        shown[cell] = states[views[0]["model_id"]]["state"]["case_sha256"]
    assert printed(outputs["synthetic"]).split() == ["synthetic", shown["synthetic"][:12]]
    assert printed(outputs["geojson"]).startswith("case200_activ.geo.json synthetic 200 buses")
    assert printed(outputs["edited"]).strip() == "{1: 0.0, 2: 60.0, 3: 50.0, 4: 20.0} True"


def outside_jupyter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Removes the Jupyter server, so that `wb.Service()` starts one."""
    monkeypatch.delenv("SERVICE_URL", raising=False)


def test_quickstart(monkeypatch: pytest.MonkeyPatch) -> None:
    outside_jupyter(monkeypatch)
    notebook, outputs = executed("quickstart.ipynb")
    shown = {name: rows[0]["data"] if rows and "data" in rows[0] else {} for name, rows in outputs.items()}

    study = wb.open_case("carolina").study()
    bus, line = 241, study.solution.branches["shadow"].idxmax()
    track = study.track(bus=bus, to_mw=100)
    points = track.breakpoints
    texts = "".join(cell["source"] for cell in notebook.cells if cell["cell_type"] == "markdown").replace("\n", " ")
    ends = " to ".join(f"{track.price_at(mw)[bus]:.0f}" for mw in (0, 100))
    jumps = points["price_after"] - points["price_before"] > 0.005
    assert f"climbs from {ends} $/MWh while its demand grows by 100 MW, past eight breakpoints" in texts
    assert len(points) == 8 and jumps.sum() == 5 and "At five of them the price jumps" in texts
    assert set(points["kind"]) == {"generator"} and (track.segments["slope"] > 0).all(), (
        "no line, and it rises between them"
    )
    assert "Carolina 500, synthetic" in shown["open"]["text/html"]
    widget = shown["map"][STUDY_MIME]["model_id"]
    state = notebook.metadata["widgets"]["application/vnd.jupyter.widget-state+json"]["state"][widget]["state"]
    assert (state["revision"], state["deltas"], state["selection"]) == (1, {str(bus): 80.0}, {"kind": "bus", "id": bus})
    assert f"the demand at bus {bus} changes the LMP" in shown["sensitivity"]["text/plain"]
    assert f"the rating of line {line} changes the LMP" in shown["rating"]["text/plain"]
    assert str(line) in shown["branches"]["text/plain"]
    stream = "".join(row["text"] for row in outputs["stream"])
    assert "same result as in the kernel: True" in stream
    assert stream.rstrip().endswith("done {'ok': True}")


def test_exact_prices() -> None:
    notebook, outputs = executed("exact_prices.ipynb")
    texts = {name: printed(rows) for name, rows in outputs.items()}
    tables = {name: rows[-1]["data"]["text/plain"] for name, rows in outputs.items() if rows and "data" in rows[-1]}

    study = wb.open_case("carolina").study()
    bus = study.solution.buses.query("demand_mw > 0 and base_kv > 100")["lmp"].idxmax()
    parts = study.lmp_components(bus)
    assert tables["parts"] == repr(parts) and str(parts.congestion.index[0]) in tables["congestion"]
    assert tables["warrant"] == repr(study.sensitivity(bus=bus))
    assert "the preview is exact (True): largest error " in texts["exact"]
    assert float(texts["exact"].split("largest error ")[1].split()[0]) < 1e-9
    track = study.track(bus=bus, to_mw=400)
    assert track.stopped is not None and tables["track"] == repr(track) and "slope" in tables["segments"]
    on_the_path, solved = (float(text.split()[0]) for text in texts["at"].split(" on the path, "))
    assert on_the_path == solved == pytest.approx(track.price_at(50)[bus], abs=1e-4)
    assert abs(float(texts["at"].split("costs are ")[1].split()[0])) < 1e-6
    assert texts["edge"].startswith("one_sided ")
    assert "SOLVE.INFEASIBLE" in texts["explain"] and "rating" in tables["explain"]
    assert texts["relaxed"].startswith("<Solution carolina: optimal")
    split = (study.contingencies()["kind"] == "islanding").sum()
    assert texts["outages"].strip() == f"{split} outages split the grid"
    assert texts["keep"].strip() == f"True {{{bus}: 30.0}}"
    assert STUDY_MIME in outputs["map"][0]["data"]

    page, _ = HTMLExporter().from_notebook_node(notebook)
    shown = page[page.index("dragging follows it") :]
    assert "<svg" in shown and "Most loaded" in shown, "a converted notebook shows picture and table"
    assert "widget-view+json" not in shown


def test_ac_and_relaxation() -> None:
    _, outputs = executed("ac_and_relaxation.ipynb")
    texts = {name: printed(rows) for name, rows in outputs.items()}
    tables = {name: rows[-1]["data"]["text/plain"] for name, rows in outputs.items() if rows and "data" in rows[-1]}

    case = wb.open_case("illinois")
    dc, soc = case.study().solution, case.study("socwr").solution
    ac = case.study("acpf", options={"dispatch": "dcopf"})
    assert [line.split(":")[1].split(",")[0].strip() for line in texts["open"].splitlines()] == [
        "dcopf",
        "socwr",
        "acpf",
    ]
    overloaded = int((ac.solution.branches["loading"] > 1).sum())
    assert overloaded > 0 and texts["flows"].startswith(
        f"{overloaded} lines above their rating in AC, 0 in DC; losses "
    )
    assert texts["prices"].startswith(f"{dc.objective:,.2f} $/h in DC, at least {soc.objective:,.2f} $/h in AC")
    bus = (soc.buses["lmp"] - dc.buses["lmp"]).abs().idxmax()
    parts = [float(line.split()[1]) for line in tables["parts"].splitlines() if line.startswith("lmp_")]
    assert len(parts) == 4 and sum(parts) == pytest.approx(soc.buses["lmp"][bus], abs=1e-5)
    assert float(texts["tight"].split("%")[0]) < 10
    load = ac.solution.buses.query("demand_mw > 20")["vm_pu"].idxmin()
    margin = ac.loadability(bus=load)
    assert tables["margin"] == repr(margin)
    within, collapse = (float(part.split(" MW")[0]) for part in texts["curve"].split("+")[1:])
    assert 0 < within < collapse == round(margin.margin_mw)
    voltage, limit = (float(word) for word in texts["sensitivity"].replace(",", "").split() if word[0].isdigit())
    assert voltage < limit and "error below 0.001 pu" in tables["sensitivity"]
    assert float(texts["mended"].split()[0]) > limit and texts["mended"].strip().endswith(
        "; 0 buses outside their limits"
    )
    assert "voltages collapse at " in texts["refusal"] and "[SOLVE.NOT_CONVERGED]" in texts["refusal"]


def test_capacity_planning() -> None:
    _, outputs = executed("capacity_planning.ipynb")
    texts = {name: printed(rows) for name, rows in outputs.items()}
    study = wb.open_case("illinois").study()
    plan = study.plan(budget_mw=200, increment_mw=20, solves=16, progress=False)
    assert plan.objective < plan.baseline_objective
    assert outputs["plan"][-1]["data"]["text/plain"] == repr(plan)
    assert texts["open"].strip() == f"{(study.solution.branches['shadow'] > 0).sum()} lines bind"
    path_error = float(texts["trials"].splitlines()[1].split()[-2])
    assert path_error < 1e-6, "the exact path says what the solve finds"
    saved = study.solution.objective - plan.to_study().solution.objective
    assert texts["apply"].startswith(f"cost falls by {saved:,.0f} $/h")
    assert STUDY_MIME in outputs["map"][0]["data"]
    before, after = (float(word) for word in texts["one"].split(": ")[1].split(" $/MWh")[0].split(" to "))
    assert after < before
    assert "best verified within the budget" in texts["soc"] and "both raise [" in texts["soc"]
    assert texts["place"].startswith("best verified within the budget: bus ")
    before, after = (float(word) for word in texts["move"].split(" $/MWh")[0].removeprefix("mean LMP ").split(" to "))
    assert after < before
    assert "total change of demand: 0.0 MW" in texts["move"]
    assert STUDY_MIME in outputs["move-map"][0]["data"]


def test_reproducible_study() -> None:
    _, outputs = executed("reproducible_study.ipynb")
    texts = {name: printed(rows) for name, rows in outputs.items()}
    tables = {name: rows[-1]["data"]["text/plain"] for name, rows in outputs.items() if rows and "data" in rows[-1]}
    assert "With the plan" in tables["work"] and "True" in tables["work"].splitlines()[-1]
    assert texts["tree"].startswith("{'s1': 's0', 's2': 's1', 's3': 's1'} {")
    assert "Return to With the plan" in tables["history"]
    assert texts["save"].splitlines() == [
        "packed to less than a quarter: True",
        "equal bytes: True, equal result: True",
    ]
    assert tables["save"].startswith("<CapacityPlan: best verified within the budget: line ")
    assert texts["verify"].startswith("Carolina, a plan: 4 states and 1 plan reproduced, ")
    refused, found = texts["damage"].splitlines()
    assert refused.endswith("[STUDY_FILE.REFERENCE]") and "states.s1.parent" in refused
    assert found.startswith("g1: The outcome of the plan differs.")
    assert STUDY_MIME in outputs["map"][0]["data"]


def test_a_week_of_prices() -> None:
    _, outputs = executed("a_week_of_prices.ipynb")
    texts = {name: printed(rows) for name, rows in outputs.items()}
    same, gap = texts["check"].splitlines()
    assert same == "same result: True" and gap.endswith("hours without a solution: 0")
    assert float(gap.split(": ")[1].split(";")[0]) < 1e-6
    case = wb.open_case("illinois")
    demand = case.synthetic_demand()
    study = case.study()
    series = study.series(demand, progress=False)
    assert texts["binding"].startswith(f"{series.congestion_rent.sum():,.0f} $ in the week")
    steps = [float(line.split(" $/MWh")[0].split()[-1]) for line in texts["duration"].splitlines()]
    assert steps == sorted(steps, reverse=True)
    assert STUDY_MIME in outputs["map"][0]["data"]
    # The cost of a week falls where a rating is raised.
    before, after = (
        float(word.replace(",", "")) for word in texts["ratings"].split("cost ")[1].split(" $")[0].split(" to ")
    )
    assert after <= before == pytest.approx(series.objective.sum(), abs=1)


def test_agents() -> None:
    _, outputs = executed("agents.ipynb")
    texts = {name: printed(rows) for name, rows in outputs.items()}
    study = wb.open_case("carolina").study()
    highest = study.solution.buses["lmp"].idxmax()
    assert f"'bus_id': {highest}" in texts["open"]
    heaviest = study.solution.branches["loading"].max()
    assert f"{heaviest:.0%} of " in texts["read"].splitlines()[0]
    before = study.solution.objective
    predicted = study.preview(demand={highest: 5}).objective_delta
    error = abs(predicted - (study.commit(demand={highest: 5}).objective - before))
    assert f"prediction {error:.3f} $/h; now at revision 1" in texts["update"]
    assert "again: REVISION.STALE" in texts["update"] and "typing error: INPUT.INVALID" in texts["update"]
    assert (
        texts["plan"].startswith("best verified within the budget [{")
        and "APPLY.REFUSED at revision 1" in texts["plan"]
    )
    assert texts["decide"].strip() == "the proposal has expired with revision 2"
    assert texts["mcp"].strip() == "12 tools; carolina at revision 0"


def test_feeders() -> None:
    _, outputs = executed("feeders.ipynb", ROOT / "examples")
    texts = {name: printed(rows) for name, rows in outputs.items()}
    assert texts["refused"].strip() == 'vsource.source | source_impedance: "branch"'
    feeder = wb.open_feeder(ROOT / "examples" / "village.dss").solve(source_impedance="branch")
    assert "no prices and no planning objectives" in outputs["solve"][0]["data"]["text/html"]
    voltages = feeder.voltages
    lowest = voltages[voltages["is_phase"]]["voltage_pu"].idxmin()
    assert lowest[0] in outputs["voltages"][-1]["data"]["text/plain"]
    assert "['load.depot']" in texts["neutral"]
    assert outputs["profile"][-1]["data"]["image/svg+xml"].count("phase ") == 3
    loss = feeder.result["totals"]["loss_w"]
    assert texts["edit"].startswith(f"losses {loss / 1e3:.2f} to")
    sweep = outputs["sweep"][-1]["data"]["text/plain"]
    assert len(sweep.splitlines()) == 8
    assert "vsource.source" in outputs["back"][-1]["data"]["text/plain"]


def test_bring_your_own_files() -> None:
    notebook, outputs = executed("bring_your_own_files.ipynb")
    assert "every generator is free" in outputs["open"][-1]["data"]["text/html"]
    assert outputs["zero"][-1]["data"]["text/plain"].split()[:4] == ["min", "0.0", "max", "0.0"]
    assert "The costs of 53 of 53 units are assumed" in outputs["typical"][-1]["data"]["text/html"]
    known = wb.open_case("carolina")
    costs = known.generators["cost_c1"].fillna(30).to_dict()
    priced = outputs["own"][-1]["data"]["text/plain"]
    # RAW has rounded parameters and no other differences.
    lowest, highest = known.with_costs(costs).study().solution.buses["lmp"].agg(["min", "max"])
    assert f"prices {lowest:.2f} to {highest:.2f} $/MWh" in priced
    assert "500 buses" in printed(outputs["place"]) and STUDY_MIME in outputs["place"][-1]["data"]
    assert printed(outputs["refused"]).startswith("INPUT.")
    assert printed(outputs["save"]).strip() == "mine.study.json True"
    assert notebook.metadata["kernelspec"]["name"] == "python3"


def test_solve_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    outside_jupyter(monkeypatch)
    _, outputs = executed("solve_stream.ipynb")
    texts = {name: printed(rows) for name, rows in outputs.items()}
    assert "carolina" in outputs["service"][-1]["data"]["text/plain"]
    names = [line.split()[1] for line in texts["stream"].splitlines()]
    assert [name for name in names if name != "status"] == ["solution", "sensitivity", "done"]
    study = wb.open_case("carolina").study()
    assert texts["same-bits"].split() == ["True", study.commit({241: 5}).sha256[:12]]
    assert texts["left"].startswith("status ")
    for mw, line in zip([0, 20, 40, 60, 80], texts["gather"].splitlines(), strict=True):
        highest = study.commit({241: mw}).buses["lmp"].max()
        assert line == f"{mw:3d} MW more at bus 241: at most {highest:.2f} $/MWh"
    assert "DELTA.NEGATIVE_DEMAND" in texts["refused"]


def test_sweeps_on_dask() -> None:
    _, outputs = executed("sweeps_on_dask.ipynb")
    texts = {name: printed(rows) for name, rows in outputs.items()}
    assert "lmp_mean" in outputs["scenarios"][-1]["data"]["text/plain"]
    low, high = (float(word) for word in texts["quantiles"].split(": ")[1].split(" $/MWh")[0].split(" to "))
    assert low < high
    assert texts["cluster"].splitlines() == ["same results: True", "scenarios: 300 case read once a worker: True"]
    assert texts["killed"].strip() == "300 scenarios, same results: True"
    study = wb.open_case("carolina").study()
    lines = study.solution.branches["loading"].nlargest(20).index
    alone = wb.sweep(study, [{"outages": line} for line in lines], tables=())
    failed = int(texts["outages"].split(" of 25")[0])
    assert len(alone.failures) <= failed <= len(alone.failures) + 5 and "$/h" in texts["outages"]
    assert len(texts["files"].splitlines()) == 3


def test_rts_gmlc(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The optimum of HiGHS for the published file is 225,806.071530 $/h at 34.009286 $/MWh."""
    monkeypatch.setenv("RTS_GMLC", str(data / "rts_gmlc"))
    _, outputs = executed("rts_gmlc.ipynb")
    assert "225,806.07" in printed(outputs["solve"]) and "prices 34.009286 to 34.009286" in printed(outputs["solve"])
    # At its limit the link's rent is its power times the price difference, which is also the value of the limit.
    (link,) = [
        line.split() for line in printed(outputs["tight"]).splitlines() if line.startswith("1  ") and "-100.0" in line
    ]
    assert float(link[4]) == pytest.approx(100 * float(link[3]), abs=1.0) and link[2] == f"-{link[3]}"
    wider, without = (float(line.split()[-2].replace(",", "")) for line in printed(outputs["link"]).splitlines())
    assert -20 * float(link[3]) - 0.1 <= wider < 0 < 100 * float(link[3]) < without


def test_secure_prices() -> None:
    """Limits far above the ratings change nothing; at 1.2 times the ratings the least excess is that of explicit programs, 674 MW."""
    _, outputs = executed("secure_prices.ipynb")
    lines = [line.split() for line in printed(outputs["ratings"]).splitlines()]
    rows = {
        float(line[0]): [float(value) for value in line[1:]] for line in lines if line and line[0][:2] in ("2.", "1.")
    }
    plain = wb.open_case("illinois").study().solution
    assert rows[2.0][0] == pytest.approx(plain.objective, abs=0.01)
    assert rows[2.0][1] == pytest.approx(plain.buses["lmp"].mean(), abs=0.01)
    assert rows[1.2][3] == pytest.approx(674, abs=0.5)
    assert [rows[factor][0] for factor in (2.0, 1.8, 1.5, 1.2)] == sorted(row[0] for row in rows.values())


def test_what_if() -> None:
    """Each row of the last table is a Study of its own with the edit."""
    _, outputs = executed("what_if.ipynb")
    table = printed(outputs["table"])
    case = wb.open_case("illinois")
    out = case.study().commit(branches={702: {"status": False}})
    base = case.study().solution
    assert out.objective < base.objective
    doubled = case.study().commit(add=[wb.Branch(copy_of=865)])
    unit = wb.Storage(bus=664, p_charge_max=100, p_discharge_max=100, charge_efficiency=0.95, energy_value=20)
    charging = case.study(options={"storage": "valued"}).commit(add=[unit])
    # It charges at its limit, because the price stays below the value of the energy that it stores.
    assert charging.storage.at[1, "p_mw"] == -100 and charging.storage.at[1, "lmp"] < 0.95 * 20
    rows = {"base case": base, "line 702 out": out, "line 865 doubled": doubled, "battery at bus 664": charging}
    for name, solution in rows.items():
        (row,) = [line for line in table.splitlines() if line.startswith(name)]
        assert f"{solution.objective:.2f}" in row and f"{solution.buses['lmp'].mean():.2f}" in row
