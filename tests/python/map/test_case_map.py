"""The widget's state protocol, without a browser."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import wattbook as wb
from wattbook.map import page_messages
from wattbook.map.case_map import STUDY_MIME

TRAITS = {
    "case_id",
    "case_name",
    "case_sha256",
    "formulation",
    "options",
    "deltas",
    "rates",
    "reactive",
    "branches",
    "added",
    "links",
    "storage",
    "interfaces",
    "generators",
    "revision",
    "selection",
    "selected",
    "view",
    "preview_mode",
    "layers",
    "profiles",
    "result_sha256",
    "engine",
}


def test_the_profile_of_a_case_is_sent_to_its_maps(page_of: Callable[[Any], Any]) -> None:
    case = wb.open_case("carolina")
    day = case.synthetic_demand(24)
    shown_map = case.with_profiles(day).study().map()
    assert len(page_of(shown_map).opening["profiles"]) == 1
    (shown,) = shown_map.profiles
    assert (
        shown["steps"][9] == "2026-07-06T09:00" and shown["buses"] == day.columns.tolist() and shown["branches"] == []
    )
    base = case.buses["demand_mw"].reindex(day.columns).to_numpy()
    changes = np.frombuffer(bytes(shown["changes_mw"]), dtype="<f8").reshape(24, -1)
    assert (changes == day.to_numpy() - base).all()
    assert page_of(case.study().map()).opening["profiles"] == []
    units = case.with_profiles(units=pd.DataFrame({1: [1.0, 0.5]}))
    assert page_of(units.study().map()).opening["profiles"] == []  # pages do not solve those


def commit(base: int, deltas: dict[str, float], sha: str, ident: str = "c") -> dict[str, Any]:
    edits = {"deltas": deltas, "rates": {}}
    return {"id": ident, "kind": "commit", "base_revision": base, "edits": edits, "result_sha256": sha}


def switch(base: int, deltas: dict[str, float], formulation: str, sha: str) -> dict[str, Any]:
    return {**commit(base, deltas, sha, "s"), "formulation": formulation}


def test_a_map_has_a_description_of_one_line(study: wb.Study) -> None:
    assert repr(study.map()) == f"<CaseMap of {study.case.id}: lmp>"


def test_the_state_that_opens_the_comm(study: wb.Study, page_of: Callable[[Any], Any]) -> None:
    study.commit({2: 5}, {1: -50})
    state = page_of(study.map(height=600, bus=2)).opening
    own = {name for name in state if not name.startswith("_")}
    assert own >= TRAITS
    assert own - TRAITS <= {"layout", "tabbable", "tooltip"}
    assert state["_model_name"] == "CaseMapModel" and state["_view_name"] == "CaseMapView"
    assert state["_model_module"] == state["_view_module"] == "@service/jupyterlab"
    assert state["_model_module_version"] == "*"
    assert (state["deltas"], state["rates"], state["revision"]) == ({"2": 5.0}, {"1": -50.0}, 1)
    assert state["case_sha256"] == study.case.sha256
    assert state["result_sha256"] == study.solution.sha256
    assert state["view"] == {"height": 600, "quantity": "lmp"}
    assert state["selection"] == {"kind": "bus", "id": 2}
    assert state["selected"] == [{"kind": "bus", "id": 2}]
    assert state["preview_mode"] == "exact"
    assert state["engine"]["version"] == wb.__version__ and len(state["engine"]["contract_sha256"]) == 64


def test_a_saved_map_describes_its_state(study: wb.Study) -> None:
    study.commit({2: 5}, {1: -50})
    view = study.map()
    saved = view._repr_mimebundle_()["application/vnd.wattbook.study+json"]
    assert saved == {
        "schema": "wattbook-study-state",
        "version": 1,
        "model_id": view.model_id,
        "case": {"id": study.case.id, "name": study.case.name, "sha256": study.case.sha256},
        "formulation": "dcopf",
        "options": {},
        "deltas": {"2": 5.0},
        "rates": {"1": -50.0},
        "revision": 1,
        "result_sha256": study.solution.sha256,
    }


def test_the_quantities_of_buses_and_lines(study: wb.Study, page_of: Callable[[Any], Any]) -> None:
    state = page_of(study.map(quantity="demand", lines="flow")).opening
    assert state["view"] == {"quantity": "demand", "lines": "flow"}


def test_unknown_keywords_fail_loudly(study: wb.Study, pages: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="did you mean 'height'"):
        study.map(hieght=300)
    for wrong in ({"height": "tall"}, {"height": 5}, {"quantity": "price"}, {"lines": "lmp"}, {"preview_mode": "fast"}):
        with pytest.raises(ValueError):
            study.map(**wrong)
    with pytest.raises(wb.EditError):
        study.map(bus=99)
    assert not pages


def test_the_module_is_sent_in_chunks(
    study: wb.Study, page_of: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert page_messages.CHUNK_BYTES <= 8 * 1024 * 1024
    monkeypatch.setattr(page_messages, "CHUNK_BYTES", 1000)
    answers = page_of(study.map()).post({"id": "m", "kind": "need_module", "sha256": study.case.sha256})
    assert [content["part"] for content, _ in answers] == list(range(len(answers)))
    assert {content["parts"] for content, _ in answers} == {len(answers)}
    assert len(answers) > 3
    assert all(len(buffers) == 1 and len(buffers[0]) <= 1000 for _, buffers in answers)
    text = b"".join(bytes(buffers[0]) for _, buffers in answers)
    assert hashlib.sha256(text).hexdigest() == study.case.sha256


def test_another_module_is_refused(study: wb.Study, page_of: Callable[[Any], Any]) -> None:
    ((answer, buffers),) = page_of(study.map()).post({"id": "m", "kind": "need_module", "sha256": "0" * 64})
    assert (answer["kind"], answer["error"]["code"], buffers) == ("error", "MODULE.UNKNOWN", [])


def test_a_page_of_another_contract_is_reported_in_the_notebook(study: wb.Study, page_of: Callable[[Any], Any]) -> None:
    question = {"id": "m", "kind": "need_module", "sha256": study.case.sha256, "version": "0.0.9"}
    page = page_of(study.map())
    with pytest.warns(wb.WattbookWarning, match=r"0\.0\.9.*reload the page"):
        answers = page.post({**question, "contract_sha256": "another"})
    assert answers[0][0]["contract_sha256"] != "another"


def test_a_commit_of_the_page_is_accepted_by_the_kernel(
    study: wb.Study, page_of: Callable[[Any], Any], recwarn: pytest.WarningsRecorder
) -> None:
    expected = study.case.study().commit({2: 12}).sha256
    page = page_of(study.map())
    ((answer, _),) = page.post(commit(0, {"2": 12}, expected))
    assert answer == {"id": "c", "kind": "ack", "revision": 1, "result_sha256": expected}
    assert (study.revision, dict(study.edits.demand)) == (1, {2: 12.0})
    assert study.solution.sha256 == expected
    assert study.solution.buses["demand_mw"][2] == 102.0
    assert not recwarn.list
    assert page.state()["revision"] == 1 and page.state()["deltas"] == {"2": 12.0}


def test_the_acknowledgement_precedes_the_traits(study: wb.Study, page_of: Callable[[Any], Any]) -> None:
    page = page_of(study.map())
    page.post(commit(0, {"2": 12}, "some hash"))
    kinds = [data["method"] if data["method"] == "update" else data["content"]["kind"] for data, _ in page.sent]
    assert kinds == ["ack", "update"]


def test_a_different_result_is_a_warning_with_the_remedy(study: wb.Study, page_of: Callable[[Any], Any]) -> None:
    page = page_of(study.map())
    page.post(commit(0, {"2": 12}, "f" * 64))
    with pytest.warns(wb.WattbookWarning, match=r"disagree.*Reload the page and restart the kernel"):
        native = study.solution
    assert native.buses["demand_mw"][2] == 102.0
    assert page.state()["result_sha256"] == native.sha256
    assert study.solution is native


def test_a_stale_commit_receives_the_current_state_and_changes_nothing(
    study: wb.Study, page_of: Callable[[Any], Any]
) -> None:
    page = page_of(study.map())
    current = study.commit({2: 5}, {1: -10})
    ((answer, _),) = page.post(commit(0, {"2": 12}, "f" * 64))
    assert answer == {
        "id": "c",
        "kind": "stale",
        "revision": 1,
        "formulation": "dcopf",
        "deltas": {"2": 5.0},
        "rates": {"1": -10.0},
        "result_sha256": current.sha256,
    }
    assert study.revision == 1 and study.solution is current
    ((answer, _),) = page.post(commit(1, {"2": 12, "1": 0}, "f" * 64, "again"))
    assert (answer["id"], answer["kind"]) == ("again", "ack")
    assert study.edits.demand == {2: 12.0} and study.edits.ratings == {}


def test_a_switch_in_the_page_is_taken_and_its_edits_stay(
    study: wb.Study, page_of: Callable[[Any], Any], recwarn: pytest.WarningsRecorder
) -> None:
    study.commit({2: 5})
    other = study.case.study("acpf")
    expected = other.commit({2: 5}).sha256
    first, second = study.map(), study.map()
    page = page_of(first)
    assert set(page.opening["engine"]["formulations"]) == {"dcopf", "acpf", "socwr"}
    ((answer, _),) = page.post(switch(1, {"2": 5}, "acpf", expected))
    assert answer == {"id": "s", "kind": "ack", "revision": 2, "result_sha256": expected}
    assert (study.formulation, study.revision, dict(study.edits.demand)) == ("acpf", 2, {2: 5.0})
    assert study.solution.sha256 == expected and not recwarn.list
    assert "lmp" not in study.solution.buses and study.loadability(bus=2).margin_mw > 0
    assert second.formulation == "acpf" and page.state()["formulation"] == "acpf"
    assert first._saved_state()["formulation"] == "acpf"
    ((stale, _),) = page.post(switch(1, {}, "dcopf", "f" * 64))
    assert (stale["kind"], stale["formulation"], stale["deltas"]) == ("stale", "acpf", {"2": 5.0})
    ((refused, _),) = page.post(switch(2, {}, "nonsense", "f" * 64))
    assert refused["error"]["code"] == "FORMULATION.UNAVAILABLE"
    assert (study.formulation, study.revision, dict(study.edits.demand)) == ("acpf", 2, {2: 5.0})


def test_a_switch_in_a_cell_moves_the_maps(study: wb.Study, page_of: Callable[[Any], Any]) -> None:
    page = page_of(study.map())
    study.commit({2: 5}, {1: -10})
    before = study.solution
    solution = study.switch("socwr")
    assert solution.formulation == study.formulation == page.state()["formulation"] == "socwr"
    assert (dict(study.edits.demand), dict(study.edits.ratings), study.revision) == ({2: 5.0}, {1: -10.0}, 2)
    assert page.state()["result_sha256"] == solution.sha256 == study.case.study("socwr").commit({2: 5}, {1: -10}).sha256
    assert study.switch("socwr") is solution and study.revision == 2
    assert study.switch("dcopf").sha256 == before.sha256


def test_a_switch_that_fails_leaves_the_state_before(study: wb.Study, page_of: Callable[[Any], Any]) -> None:
    page = page_of(study.map())
    study.switch("acpf")
    held = study.commit({2: 5}, reactive={2: 0.0})
    with pytest.raises(wb.InputError, match=r"FORMULATION\.UNAVAILABLE"):
        study.switch("nonsense")
    assert (study.formulation, study.revision, study.solution) == ("acpf", 2, held)
    assert page.state()["formulation"] == "acpf" and page.state()["revision"] == 2
    study.commit({2: 6})
    assert study.formulation == "acpf"


def test_edits_from_both_sides(study: wb.Study, page_of: Callable[[Any], Any]) -> None:
    page = page_of(study.map())
    page.post(commit(0, {"2": 12}, study.case.study().commit({2: 12}).sha256))
    study.commit({3: 4})
    assert study.edits.demand == {2: 12.0, 3: 4.0}
    state = page.state()
    assert (state["revision"], state["deltas"]) == (2, {"2": 12.0, "3": 4.0})
    assert state["result_sha256"] == study.solution.sha256
    page.post(commit(2, {}, study.case.study().solution.sha256))
    assert study.edits.demand == {} and study.revision == 3


def test_a_commit_in_a_cell_is_one_update(study: wb.Study, page_of: Callable[[Any], Any]) -> None:
    page = page_of(study.map())
    study.commit({2: 5}, {1: -10})
    updates = [data["state"] for data, _ in page.sent]
    assert len(updates) == 1
    assert set(updates[0]) == {"deltas", "rates", "revision", "result_sha256"}


def test_several_maps_stay_in_step(study: wb.Study, page_of: Callable[[Any], Any]) -> None:
    first, second = study.map(bus=2), study.map(quantity="sensitivity", bus=3)
    page_of(first).post(commit(0, {"2": 12}, "f" * 64))
    study.commit({3: 1})
    for view in (first, second):
        state = page_of(view).state()
        assert (state["revision"], state["deltas"]) == (2, {"2": 12.0, "3": 1.0})
    assert first.selection == {"kind": "bus", "id": 2} and second.selection == {"kind": "bus", "id": 3}
    second.close()
    study.commit({3: 2})
    assert page_of_closed(second) and page_of(first).state()["revision"] == 3


def page_of_closed(view: Any) -> bool:
    return view.comm is None


def test_the_page_may_change_its_view_only(study: wb.Study, page_of: Callable[[Any], Any]) -> None:
    view = study.map()
    page = page_of(view)
    page.update({"selection": {"kind": "branch", "id": 3}, "preview_mode": "first_order"})
    assert view.selection == {"kind": "branch", "id": 3} and view.preview_mode == "first_order"
    page.update({"deltas": {"2": 50}, "revision": 9})
    assert (view.deltas, view.revision, study.revision) == ({}, 0, 0)
    assert page.state()["revision"] == 0 and page.state()["deltas"] == {}


def test_several_selected_elements_are_shared(study: wb.Study, page_of: Callable[[Any], Any]) -> None:
    view = study.map(bus=2)
    page = page_of(view)
    bus, line, other = {"kind": "bus", "id": 2}, {"kind": "branch", "id": 3}, {"kind": "bus", "id": 1}
    page.update({"selection": line, "selected": [bus, line]})
    assert view.selected == [bus, line] and view.selection == line
    page.update({"selected": [line, bus]})
    assert view.selection == bus, "the last one is the primary"
    view.selected = [bus, other, line]
    assert view.selection == line and page.state()["selection"] == line
    view.selection = bus
    assert view.selected == [other, line, bus] and page.state()["selected"] == view.selected
    view.selection = {"kind": "bus", "id": 3}
    assert view.selected == [{"kind": "bus", "id": 3}], "another one is selected alone"
    view.selection = None
    assert view.selected == []
    view.selected = [line]
    view.selected = []
    assert view.selection is None


@pytest.mark.parametrize(
    "message",
    [
        {"id": "x", "kind": "solve"},
        {"id": "x"},
        {"id": "x", "kind": "commit", "base_revision": 0},
        commit(0, {"99": 1}, "f", "x"),
        commit(0, {"2": float("nan")}, "f", "x"),
        commit(0, {"2": "many"}, "f", "x"),
    ],
)
def test_a_wrong_message_is_answered_and_changes_nothing(
    study: wb.Study, page_of: Callable[[Any], Any], message: dict[str, Any]
) -> None:
    ((answer, _),) = page_of(study.map()).post(message)
    assert answer["kind"] == "error" and answer["error"]["code"] and answer["error"]["message"]
    assert study.revision == 0


def test_a_failure_inside_is_answered_and_logged(
    study: wb.Study, page_of: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("something broke")

    page = page_of(study.map())
    monkeypatch.setattr(study._session, "commit_from_page", fail)
    ((answer, _),) = page.post(commit(0, {"2": 1}, "f"))
    assert answer["error"]["code"] == "INTERNAL"
    assert "something broke" in caplog.text


def test_edits_that_only_the_page_could_solve_are_reported_when_read(
    study: wb.Study, page_of: Callable[[Any], Any]
) -> None:
    page_of(study.map()).post(commit(0, {"2": 1e6}, "f" * 64))
    for _ in range(2):
        with pytest.raises(wb.SolveError):
            _ = study.solution
    assert study.commit({2: 1}).status == "optimal"


def test_a_saved_notebook_shows_a_table(study: wb.Study, pages: dict[str, Any]) -> None:
    bundle = study.map()._repr_mimebundle_()
    # Converters prefer the widget's own type to all others, and have no widget.
    assert "application/vnd.jupyter.widget-view+json" not in bundle
    assert bundle["text/plain"] == "Case map of case: run this cell to see it."
    assert "Most loaded" in bundle["text/html"] and "11.49 $/MWh" in bundle["text/html"]


def test_free_closes_the_maps(study: wb.Study, pages: dict[str, Any]) -> None:
    view = study.map()
    study.free()
    assert view.comm is None and any(page.closed for page in pages.values())


def test_the_saved_output_of_a_notebook_is_that_of_the_map(case: wb.Case, page_of: Callable[[Any], Any]) -> None:
    study = case.with_layout((-105, 40)).study()
    view = study.map()
    page = page_of(view)
    first = view._repr_mimebundle_()
    ((reply, _),) = page.post({"id": "1", "kind": "need_output"})
    assert reply == {"id": "1", "kind": "output", "data": first}
    study.commit({2: 5})
    view.view = {**view.view, "style": {"cmap": "viridis"}}
    view.add_layer({"type": "Point", "coordinates": [-105, 40]}, "Station")
    ((reply, _),) = page.post({"id": "2", "kind": "need_output"})
    data = reply["data"]
    assert data[STUDY_MIME]["revision"] == 1 and data[STUDY_MIME]["deltas"] == {"2": 5.0}
    assert data[STUDY_MIME]["result_sha256"] == study.solution.sha256 != first[STUDY_MIME]["result_sha256"]
    assert study.solution.sha256[:12] in data["image/svg+xml"] and "Layers: Station" in data["image/svg+xml"]
    assert "Demand at bus 2" in data["text/html"] and "Demand at bus 2" not in first["text/html"]
    assert json.loads(json.dumps(data))
