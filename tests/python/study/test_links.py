"""HVDC links in tables, series, sweeps, edits and files: closed forms on two islands."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import wattbook as wb
from wattbook.cli.command import main

#: Two islands: 20 $/MWh at bus 1, 50 $/MWh at bus 2 with 90 MW. The link has 60 MW and loses 4 MW and 10 %: 50 MW
#: arrive of 60. With 30 MW at bus 2 it sends 34 / 0.9 MW.
APART = """function mpc = apart
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [1 3 30 0 0 0 1 1 0 230 1 1.1 0.9; 2 3 90 0 0 0 1 1 0 230 1 1.1 0.9];
mpc.gen = [1 90 0 99 -99 1 100 1 200 0; 2 40 0 99 -99 1 100 1 200 0];
mpc.branch = [];
mpc.gencost = [2 0 0 2 20 0; 2 0 0 2 50 0];
mpc.dcline = [1 2 1 50 0 3 4 1 1 0 60 -9 9 -9 9 4 0.1];
"""
SENT = 34 / 0.9


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "apart.m"
    path.write_text(APART)
    return path


@pytest.mark.parametrize("formulation", ["dcopf", "socwr"])
def test_an_optimum_has_the_value_of_a_link(path: Path, formulation: wb.FormulationId) -> None:
    solution = wb.open_case(path).study(formulation).solution
    link = solution.links.loc[1]
    assert [link["p_from_mw"], link["p_to_mw"]] == pytest.approx([60, 50], abs=1e-4)
    assert link["price_difference"] == pytest.approx(30, abs=1e-4)
    assert link["shadow"] == pytest.approx(0.9 * 50 - 20, abs=1e-3)
    assert link["rent"] == pytest.approx(50 * 50 - 60 * 20, abs=1e-2)
    assert solution.objective == pytest.approx(90 * 20 + 40 * 50, abs=1e-3)


def test_an_ac_power_flow_holds_the_schedule(path: Path) -> None:
    solution = wb.open_case(path).study("acpf").solution
    link = solution.links.loc[1]
    assert [link["p_from_mw"], link["p_to_mw"]] == pytest.approx([50, 41], abs=1e-9)
    assert solution.generators["p_mw"].tolist() == pytest.approx([80, 49], abs=1e-9)
    assert {"q_from_mvar", "q_to_mvar"} <= set(solution.links.columns)
    assert solution.links.attrs["units"]["q_to_mvar"] == "MVAr"


def test_series_and_sweeps_have_the_powers_of_links(path: Path, tmp_path: Path) -> None:
    study = wb.open_case(path).study()
    series = study.series(pd.DataFrame({2: [90.0, 30.0]}))
    assert series.links[1].tolist() == pytest.approx([60, SENT], abs=1e-9)
    assert series.links.attrs["units"] == "MW"
    assert series.links.columns.name == "link"
    sweep = wb.sweep(study, [{"demand": {2: 0}}, {"demand": {2: -60}}], tables=["links"])
    assert sweep.links[1].tolist() == pytest.approx([60, SENT], abs=1e-9)
    with pytest.raises(wb.ArgumentError, match='pass tables=\\["links", "prices"\\]'):
        _ = sweep.prices


def test_a_case_without_links_has_no_table_of_them(case: wb.Case) -> None:
    series = case.study().series(pd.DataFrame({2: [90.0]}))
    with pytest.raises(wb.ArgumentError, match="has no links"):
        _ = series.links


def test_geojson_has_links_as_lines(path: Path) -> None:
    case = wb.open_case(path).with_geography(b"bus,lat,lon\n1,35,-98\n2,36,-97\n")
    features = json.loads(case.study().solution.to_geojson())["features"]
    (link,) = [feature for feature in features if "link" in feature["properties"]]
    assert link["id"] == "link 1"
    assert link["geometry"] == {"type": "LineString", "coordinates": [[-98, 35], [-97, 36]]}
    assert link["properties"]["p_from_mw"] == pytest.approx(60)


def test_the_command_line_prints_the_table(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(path), "--csv", "links"]) == 0
    head, row = capsys.readouterr().out.splitlines()
    assert head.startswith("link,from_bus,to_bus,p_from_mw,p_to_mw")
    assert row.startswith("1,1,2,60.0,50.0")


def test_a_case_has_the_values_of_its_links(path: Path) -> None:
    links = wb.open_case(path).links
    values = links.loc[1, ["p_min_mw", "p_max_mw", "p_mw", "loss_mw", "loss_factor", "cost"]].tolist()
    assert values == [0, 60, 50, 4, 0.1, 0]
    assert links.attrs["units"]["loss_mw"] == "MW"


def test_edits_of_a_link_in_closed_form(path: Path) -> None:
    """A link that is not full delivers at 20 / (1 - l) $/MWh; without it bus 2 lives on its own unit at 50."""
    case = wb.open_case(path)
    study = case.study()
    base = study.solution.sha256
    solution = study.commit(links={1: {"p_max": 150, "loss": 0, "loss_factor": 0.2}})
    assert solution.buses["lmp"].tolist() == pytest.approx([20, 25], abs=1e-9)
    assert solution.links.loc[1, ["p_from_mw", "p_max_mw"]].tolist() == pytest.approx([112.5, 150], abs=1e-9)
    assert study.states["label"].iloc[-1] == "3 changes"
    assert "1 changed HVDC link" in repr(study)
    # A Series of the case's own values, in a table, and back to the case.
    study.commit(links=pd.DataFrame({"p_max": case.links["p_max_mw"] * 0.5, "loss": 4.0, "loss_factor": 0.1}))
    assert study.solution.links.at[1, "p_from_mw"] == pytest.approx(30, abs=1e-9)
    assert study.commit(links={1: None}).sha256 == base
    assert not study.edits
    out = study.commit(links={"1": {"status": False}})
    assert out.buses["lmp"].tolist() == pytest.approx([20, 50], abs=1e-9)
    assert math.isnan(out.links.at[1, "p_from_mw"])
    assert not out.links.at[1, "in_service"]
    assert study.states["label"].iloc[-1] == "HVDC link 1 out of service"
    assert study.states["links"].iloc[-1] == 1
    (island,) = [one for one in out.diagnostics if one.code == "ISLAND.NEW"]
    assert "200.0 MW" in island.message
    # Series and sweeps start from the committed edits.
    study.commit(links={1: {"status": None, "p_max": 40}})
    assert study.series(pd.DataFrame({2: [90.0, 30.0]})).links[1].tolist() == pytest.approx([40, SENT], abs=1e-9)
    sweep = wb.sweep(study, [{"demand": {2: 0}}, {"demand": {2: -60}}], tables=["links"])
    assert sweep.links[1].tolist() == pytest.approx([40, SENT], abs=1e-9)


def test_a_power_flow_holds_an_edited_schedule(path: Path) -> None:
    solution = wb.open_case(path).study("acpf").commit(links={1: {"p": 30}})
    assert solution.links.loc[1, ["p_from_mw", "p_to_mw"]].tolist() == pytest.approx([30, 23], abs=1e-9)


@pytest.mark.parametrize(
    ("links", "code", "words"),
    [
        ({7: {"status": False}}, "LINK.UNKNOWN", "There is no HVDC link 7"),
        ({1: {"p_max_mw": 5}}, "LINK.MALFORMED", "did you mean 'p_max'"),
        ({1: {"p_max": math.inf}}, "LINK.MALFORMED", "not a finite number in MW"),
        ({1: {"status": 1}}, "LINK.MALFORMED", "must be True or False"),
        ({1: {"loss_factor": 1}}, "LINK.MALFORMED", "HVDC link 1"),
        ({1: {"loss": -1}}, "LINK.MALFORMED", "HVDC link 1"),
        ({1: {"p_min": 70}}, "LINK.LIMITS", "HVDC link 1"),
    ],
)
def test_malformed_edits_are_refused(path: Path, links: Any, code: str, words: str) -> None:
    study = wb.open_case(path).study()
    base = study.solution.sha256
    with pytest.raises(wb.EditError, match=words) as error:
        study.commit(links=links)
    assert error.value.code == code
    with pytest.raises(wb.EditError) as error:
        study.preview(links={1: {"status": False}})
    assert error.value.code == "LINK.NO_PREVIEW"
    assert study.solution.sha256 == base


def test_an_added_link_in_closed_form(path: Path, tmp_path: Path) -> None:
    """A second link that loses 20 % takes over the part of the demand that the first one leaves: bus 2 at 20 / 0.8."""
    study = wb.open_case(path).study()
    base = study.solution.sha256
    cable = wb.Link(from_bus=1, to_bus=2, p_max=500, loss_factor=0.2, name="cable")
    solution = study.commit(add=[cable])
    assert solution.buses["lmp"].tolist() == pytest.approx([20, 25], abs=1e-9)
    assert solution.links["p_from_mw"].tolist() == pytest.approx([60, 40 / 0.8], abs=1e-9)
    assert study.states["label"].iloc[-1] == 'HVDC link "cable" 1 to 2 added'
    solution = study.commit(links={"cable": {"p_max": 10}})
    assert solution.links.loc[2, ["p_from_mw", "p_max_mw"]].tolist() == pytest.approx([10, 10], abs=1e-9)
    # Study file, solution module and the module of the edited case have it.
    file, module = study.save(tmp_path / "apart.study.json.gz"), study.save_module(tmp_path)
    saved = study.save_solution(tmp_path)
    assert wb.open_study(file).edits == study.edits
    assert wb.open_solution(saved).edits == study.edits
    assert wb.open_case(module).study().solution.buses["lmp"].tolist() == solution.buses["lmp"].tolist()
    exported = wb.open_case(study.export(format="matpower"), format="matpower").study().solution
    assert exported.links["p_from_mw"].tolist() == pytest.approx([60, 10], abs=1e-9)
    assert study.commit(remove=["cable"]).sha256 == base
    assert not study.edits
    for wrong, code in [
        (wb.Link(from_bus=1, to_bus=1, p_max=5), "ADDED.MALFORMED"),
        (wb.Link(from_bus=1, to_bus=9, p_max=5), "BUS.UNKNOWN"),
        (wb.Link(from_bus=1, to_bus=2, p_max=5, p_min=6), "ADDED.MALFORMED"),
        (wb.Link(from_bus=1, to_bus=2, p_max=5, loss_factor=-0.1), "ADDED.MALFORMED"),
    ]:
        with pytest.raises(wb.EditError) as error:
            study.commit(add=[wrong])
        assert error.value.code == code


def test_the_command_line_edits_a_link(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(path), "--link", "1:p_max=40", "--csv", "links"]) == 0
    row = capsys.readouterr().out.splitlines()[1]
    assert row.startswith("1,1,2,40.0,32.0")


def test_one_change_of_many_links(path: Path) -> None:
    study = wb.open_case(path).study()
    changes = study.changes("p_max", of="links", factor=0.5, base_kv=230)
    assert (changes.index.name, changes["p_max"].to_dict(), changes.attrs["units"]) == (
        "link",
        {1: 30.0},
        {"p_max": "MW"},
    )
    # 30 MW in, 4 MW and a tenth lost: 23 MW arrive.
    solution = study.commit(links=changes)
    assert solution.links.loc[1, "p_to_mw"] == pytest.approx(23.0)
    # Of the current values, edits included.
    assert study.changes("p_max", of="links", add=5)["p_max"].to_dict() == {1: 35.0}
    assert study.changes("loss_factor", of="links", to=0.05, where=study.case.links.loss_mw > 1).loc[1].item() == 0.05
    assert study.changes("status", of="links", to=False)["status"].to_dict() == {1: False}
    with pytest.raises(wb.EditError, match="An HVDC link has no fuel") as refused:
        study.changes("p_max", of="links", factor=2, fuel="gas")  # type: ignore[call-overload]
    assert refused.value.code == "EDIT.SELECTION"
    with pytest.raises(wb.ArgumentError):
        study.changes("x", of="links", factor=2)  # type: ignore[call-overload]
    with pytest.raises(wb.EditError, match="No HVDC link is selected by the filter"):
        study.changes("p_max", of="links", factor=2, where=study.case.links.loss_mw > 5)


def test_the_limit_of_a_link_has_a_derivative_a_preview_and_a_path(path: Path) -> None:
    """One more MW saves 0.9 * 50 - 20 = 25 $/h, until at 94 / 0.9 MW bus 2 needs no unit of its own and costs 20 / 0.9."""
    full = 94 / 0.9
    study = wb.open_case(path).study()
    column = study.sensitivity(link=1)
    assert (column.parameter, column.element, column.units) == ("p_max", {"kind": "hvdc", "id": 1}, "($/MWh)/MW")
    assert column.values.tolist() == pytest.approx([0, 0], abs=1e-9)
    assert column.valid_mw == pytest.approx((-60, full - 60), abs=1e-9)
    assert column.ends[1] is not None
    assert column.ends[1].price_jump == pytest.approx(20 / 0.9 - 50, abs=1e-9)
    assert "p_max of HVDC link 1" in str(column)
    preview = study.preview(links={1: {"p_max": 100}})
    assert preview.exact
    assert preview.objective_delta == pytest.approx(-40 * 25, abs=1e-6)
    assert preview.valid_mw == pytest.approx((0, full), abs=1e-9)

    track = study.track(link=1, to_mw=150, progress=False)
    assert (track.element["kind"], track.value, track.watched_bus) == ("hvdc", "p_max", 2)
    assert (track.from_mw, track.stopped) == (60, None)
    assert track.breakpoints["mw"].tolist() == pytest.approx([full], abs=1e-9)
    assert track.price_at(120).tolist() == pytest.approx([20, 20 / 0.9], abs=1e-9)
    links = track.links_at(120)
    assert links.loc[1, ["p_from_mw", "p_max_mw", "shadow"]].tolist() == pytest.approx([full, 120, 0], abs=1e-9)
    assert track.links_at(70).loc[1, "shadow"] == pytest.approx(25, abs=1e-9)
    assert "HVDC link 1 from 60.0 to 150.0 MW, 1 breakpoint" in str(track)
    at_70 = track.objective_at(70)
    assert at_70 == pytest.approx(study.commit(links={1: {"p_max": 70}}).objective, abs=1e-6)


def test_limits_of_a_link_that_have_no_derivative(path: Path) -> None:
    study = wb.open_case(path).study()
    for refused in (
        lambda: study.preview(links={1: {"p_min": -10}}),
        lambda: study.preview(links={1: {"loss": 1}}),
        lambda: study.preview(links={1: {"p_max": 80, "cost": 3}}),
    ):
        with pytest.raises(wb.EditError) as error:
            refused()
        assert error.value.code == "LINK.NO_PREVIEW"
    with pytest.raises(wb.EditError, match="There is no HVDC link 4") as error:
        study.sensitivity(link=4)
    assert error.value.code == "LINK.UNKNOWN"
    down = study.track(link=1, to_mw=-20, progress=False)
    assert down.stopped is not None
    assert (down.stopped.reason, down.stopped.mw) == ("edit_limit", pytest.approx(0, abs=1e-9))
    assert "meet" in down.stopped.message
    relaxed = wb.open_case(path).study("socwr")
    with pytest.raises(wb.WattbookError) as unsupported:
        relaxed.sensitivity(link=1)
    assert unsupported.value.code == "SENS.UNSUPPORTED"
