"""Study files from Python: restored content, the comparison of verify, failed saves, refused files."""

from __future__ import annotations

import errno
import gzip
import hashlib
import json
import os
import warnings
from pathlib import Path
from typing import Any

import pytest
import wattbook as wb
from networks import three_bus
from wattbook.cli.command import main


def new_study(formulation: str = "dcopf") -> wb.Study:
    return wb.open_case(three_bus(rating_23=40), format="matpower").study(formulation)


@pytest.fixture
def study() -> wb.Study:
    """Four states in a tree, a plan and a return."""
    study = new_study()
    study.commit({2: 5})
    study.name_state("More demand", "one\ntwo")
    study.commit(ratings={3: 5})
    study.plan(weights={2: 1.0}, candidates=[1, 2, 3], increment_mw=2, budget_mw=10)
    study.restore("More demand")
    study.commit({1: 2})
    return study


def test_states_have_parents_and_a_return_adds_none(study: wb.Study) -> None:
    states = study.states
    assert states.index.tolist() == ["s0", "s1", "s2", "s3"]
    assert states["parent"].fillna("").tolist() == ["", "s0", "s1", "s1"]
    assert states["label"].tolist() == ["Base case", "Bus 2 +5.0 MW", "Line 3 +5.0 MW", "Bus 1 +2.0 MW"]
    assert states["revision"].tolist() == [0, 1, 2, 4]
    assert states.index[states["current"]].tolist() == ["s3"]
    assert states["objective"]["s0"] == pytest.approx(808.5)
    assert states.attrs["units"] == {"objective": "$/h"}
    kinds = study.history["kind"]
    assert set(kinds) == {"solve", "edit", "planning trial"}
    assert (kinds == "planning trial").sum() == len(study.plans["g1"].trials)
    study.reset()
    assert len(study.states) == 5 and study.states["label"].iloc[-1] == "Back to the base case"


def test_a_restored_study_saves_the_same_bytes(study: wb.Study, tmp_path: Path) -> None:
    packed = study.save(tmp_path, title="Three buses")
    assert packed.name == "case.study.json.gz"
    path = study.save(tmp_path / "plain.study.json", title="Three buses")
    assert gzip.decompress(packed.read_bytes()) == path.read_bytes()
    again = wb.open_study(path)
    assert again.states.equals(study.states)
    assert again.history.equals(study.history)
    assert again.solution.sha256 == study.solution.sha256 and again.revision == study.revision
    assert (again.edits.demand, again.edits.ratings) == (study.edits.demand, study.edits.ratings)
    assert again.case.sha256 == study.case.sha256
    assert again.plans["g1"].proposal == study.plans["g1"].proposal
    assert again.save(tmp_path / "again.study.json").read_bytes() == path.read_bytes()
    assert again.save(tmp_path / "packed.study.json.gz").read_bytes() == packed.read_bytes()
    assert wb.open_study(packed.read_bytes()).states.equals(study.states)
    # It continues from the restored state.
    again.commit({2: 1})
    assert again.states.iloc[-1][["parent", "revision"]].tolist() == ["s3", 5]
    assert again.restore("s1").sha256 == study.states["result_sha256"]["s1"]
    assert again.branch("s2").solution.sha256 == study.states["result_sha256"]["s2"]


def test_states_are_solved_again_in_one_native_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One Study per state, and a comparison of each state with all others, made saving many named states quadratic."""
    from wattbook.session import documents
    from wattbook.session.session import native_study

    study = new_study("dcopf")
    for step in range(1, 30):
        study.commit({2: step / 10})
        study.name_state(f"Step {step}")
    opened: list[str] = []

    def counted(case: Any, formulation: str, options: Any) -> Any:
        opened.append(formulation)
        return native_study(case, formulation, options)

    monkeypatch.setattr(documents, "native_study", counted)
    bundle = json.loads(study.save(tmp_path / "many.study.json").read_bytes())
    assert opened == ["dcopf"]
    assert sum("solution" in state for state in bundle["document"]["states"].values()) == 30


@pytest.mark.parametrize("formulation", ["acpf", "socwr"])
def test_other_formulations_save_every_number(formulation: str, tmp_path: Path) -> None:
    study = new_study(formulation)
    study.commit({2: 5}, reactive={2: 1.0})
    path = study.save(tmp_path / "flow.study.json")
    found = wb.verify(path)
    assert found.reproduces and found.states["compared"].min() > 20, repr(found)
    assert wb.open_study(path).edits.reactive == {2: 1.0}


def test_verify_compares_every_number(study: wb.Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = study.save(tmp_path / "a.study.json")
    found = wb.verify(path)
    assert found.reproduces and not found.differences, repr(found)
    assert found.states["reproduces"].all() and found.plans["reproduces"].all()
    assert (found.states["compared"] > 15).all() and (found.plans["compared"] > 20).all()
    assert main(["verify", str(path)]) == 0
    assert "every result hash equal" in capsys.readouterr().out
    assert main(["verify", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["states"]["s1"]["reproduces"] is True


def resealed(path: Path, change: Any) -> bytes:
    """The file with its document changed; artifacts and their hashes are unchanged."""
    bundle = json.loads(path.read_bytes())
    change(bundle["document"])
    return json.dumps(bundle).encode()


def test_verify_reports_differences_with_reasons(
    study: wb.Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = study.save(tmp_path / "a.study.json")

    def unlike(document: Any) -> None:
        state = document["states"]["s2"]
        del state["solution"]
        state["result_sha256"] = "0" * 64
        document["goals"]["g1"]["outcome"]["trials"][1]["exact_phi_delta"] += 1e-9

    other = tmp_path / "b.study.json"
    other.write_bytes(resealed(path, unlike))
    found = wb.verify(other)
    assert not found.reproduces
    assert found.states["reproduces"].tolist() == [True, True, False, True]
    assert "result hash" in found.states["difference"]["s2"] and "same engine" in found.states["difference"]["s2"]
    assert "Trial 3 differs in exact_phi_delta" in found.plans["difference"]["g1"]
    assert main(["verify", str(other)]) == 4
    assert "s2: The result hash is" in capsys.readouterr().out

    def older(document: Any) -> None:
        unlike(document)
        document["producer"]["version"] = "0.0.9"

    assert "Wattbook 0.0.9" in wb.verify(resealed(path, older)).differences[0]


def test_a_solution_changed_with_its_hash_is_found(study: wb.Study, tmp_path: Path) -> None:
    """A price is changed and every SHA-256 of the file is corrected."""
    path = study.save(tmp_path / "a.study.json")
    bundle = json.loads(path.read_bytes())
    state = bundle["document"]["states"]["s1"]
    artifact = bundle["artifacts"].pop(state["solution"])
    module = json.loads(artifact["text"])
    module["value"]["data"]["objective"] += 1.0
    artifact["text"] = json.dumps(module)
    state["solution"] = hashlib.sha256(artifact["text"].encode()).hexdigest()
    bundle["artifacts"][state["solution"]] = artifact
    found = wb.verify(json.dumps(bundle).encode())
    assert not found.reproduces
    assert found.states["reproduces"].tolist() == [True, False, True, True]
    assert "MODULE.TAMPERED" in found.states["difference"]["s1"]


def test_a_study_with_different_results_is_reported_when_opened(study: wb.Study, tmp_path: Path) -> None:
    path = study.save(tmp_path / "a.study.json")

    def unlike(document: Any) -> None:
        del document["states"]["s3"]["solution"]
        document["states"]["s3"]["result_sha256"] = "0" * 64

    with pytest.warns(
        wb.WattbookWarning, match=r"the result \w+ here and 0+ in the file: wb\.verify says what differs"
    ):
        wb.open_study(resealed(path, unlike))
    with pytest.warns(wb.WattbookWarning, match=r"has the objective [\d.]+ here and 1\.5 in the file"):
        wb.open_study(resealed(path, lambda document: document["states"]["s3"].update(objective=1.5)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        wb.open_study(path)


def test_without_a_base_input_reset_is_unavailable(study: wb.Study, tmp_path: Path) -> None:
    path = study.save(tmp_path / "a.study.json")
    again = wb.open_study(resealed(path, lambda document: document.pop("base_input")))
    before = again.states
    with pytest.raises(wb.InputError, match="reset is unavailable") as error:
        again.reset()
    assert error.value.code == "STUDY.NO_BASE"
    assert again.states.equals(before)
    again.commit({2: 1})


@pytest.mark.parametrize("failure", [errno.ENOSPC, errno.EACCES])
def test_a_failed_save_loses_nothing(
    study: wb.Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: int
) -> None:
    path = study.save(tmp_path / "a.study.json")
    before, states = path.read_bytes(), study.states
    study.name_state("Later")

    def fails(*_: object) -> None:
        raise OSError(failure, os.strerror(failure))

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(wb.InputError, match=os.strerror(failure)) as error:
        study.save(path)
    assert error.value.code == "OUTPUT.UNWRITABLE"
    assert path.read_bytes() == before and [one.name for one in tmp_path.iterdir()] == [path.name]
    assert study.states.index.equals(states.index) and study.states["name"]["s3"] == "Later"
    monkeypatch.undo()
    study.save(path)
    assert wb.open_study(path).states["name"]["s3"] == "Later"


def test_files_that_are_refused(study: wb.Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = study.save(tmp_path / "a.study.json")
    for data, code in [
        (b"", "STUDY_FILE.EMPTY"),
        (path.read_bytes()[:-9], "STUDY_FILE.UNREADABLE"),
        (gzip.compress(path.read_bytes())[:-9], "STUDY_FILE.GZIP"),
        (path.read_bytes().replace(b"wattbook-study", b"another-schema"), "STUDY_FILE.SCHEMA"),
        (path.read_bytes().replace(b"Synthetic", b"Real", 1).replace(b"pio-ir", b"pio-or", 1), "STUDY_FILE.HASH"),
        (resealed(path, lambda document: document.update(applied_state="s9")), "STUDY_FILE.REFERENCE"),
    ]:
        for opens in (wb.open_study, wb.verify):
            with pytest.raises(wb.InputError) as error:
                opens(data)
            assert error.value.code == code
    with pytest.raises(wb.InputError) as error:
        study.save(tmp_path / "a.json")
    assert error.value.code == "EXPORT.FORMAT"
    (tmp_path / "bad.study.json").write_bytes(b"{}")
    assert main(["verify", str(tmp_path / "bad.study.json")]) == 2
    assert "STUDY_FILE.UNREADABLE" in capsys.readouterr().err
    with pytest.raises(wb.EditError) as unknown:
        study.restore("s9")
    assert unknown.value.code == "STATE.UNKNOWN"


def test_texts_of_a_file_are_texts(study: wb.Study, tmp_path: Path) -> None:
    study.name_state("<script>alert(1)</script>\u202e", "a\u2066b\n\x07c")
    path = study.save(tmp_path / "a.study.json")
    states = wb.open_study(path).states
    assert states["name"]["s3"] == "<script>alert(1)</script>"
    assert states["note"]["s3"] == "ab\nc"


def test_states_forgotten_leave_a_tree() -> None:
    study = new_study()
    study.commit({2: 1})
    study.name_state("Kept")
    for k in range(230):
        study.commit({2: 1 + k / 100})
    states = study.states
    assert len(states) == 203 and states["parent"].isin([*states.index, None]).all()
    assert states["parent"].iloc[2] == "s1" and states.index[-1] == "s231"
    assert len(study.history) == 461 or len(study.history) <= 500


def test_a_study_in_an_output_is_a_file_without_its_numbers(study: wb.Study, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = study._repr_mimebundle_()["application/vnd.wattbook.study-bundle+json"]
    again = wb.open_study(json.dumps(bundle).encode())
    assert again.states.equals(study.states) and again.solution.sha256 == study.solution.sha256
    assert {artifact["kind"] for artifact in bundle["artifacts"].values()} == {"module"}
    monkeypatch.setattr("wattbook.session.documents._MOST_SHOWN", 100)
    assert study._repr_mimebundle_() == {}, "a large case is not put into a notebook"


@pytest.mark.parametrize("packed", [False, True])
def test_a_study_is_known_by_its_content(
    study: wb.Study, tmp_path: Path, packed: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    content = study.save(tmp_path / "a.study.json").read_bytes()
    plain = tmp_path / "attachment.json"
    plain.write_bytes(gzip.compress(content) if packed else content)
    assert wb.open_study(plain).states.equals(study.states)
    assert wb.open_study(content).states.equals(study.states)
    assert wb.verify(plain).reproduces
    assert main(["verify", str(plain)]) == 0 and "4 states and 1 plan reproduced" in capsys.readouterr().out


def test_files_that_are_no_study_are_refused_with_the_right_function(
    study: wb.Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    solution, module, feeder = (
        study.save_solution(tmp_path / "s.solution.json"),
        study.save_module(tmp_path / "x.module.json"),
        tmp_path / "x.dss",
    )
    feeder.write_text("new circuit.a")
    for path, message in (
        (solution, "s.solution.json is a saved solution: wb.open_solution('s.solution.json') reads it."),
        (module, "x.module.json is a balanced case: wb.open_case('x.module.json') opens it."),
        (feeder, "x.dss is a distribution network: wb.open_feeder('x.dss') opens it, without prices."),
    ):
        for opens in (wb.open_study, wb.verify):
            with pytest.raises(wb.InputError) as caught:
                opens(path)
            assert (caught.value.code, caught.value.message) == ("INPUT.FORMAT", message)
    saved = study.save(tmp_path / "s.study.json")
    with pytest.raises(wb.InputError, match=r"s\.study\.json is a saved Study: wb\.open_study"):
        wb.open_solution(saved)
    assert main(["verify", str(solution)]) == 2
    assert "s.solution.json is a saved solution: `wb.open_solution` in Python reads it." in capsys.readouterr().err


def test_calls_without_a_study_are_refused_with_the_right_call(
    study: wb.Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = tmp_path / "attachment.json"
    plain.write_bytes(study.save(tmp_path / "a.study.json").read_bytes())
    for opens in (wb.open_case, wb.open_distribution):
        with pytest.raises(
            wb.InputError, match=r"saved Study: wb\.open_study\('attachment\.json'\) opens it"
        ) as caught:
            opens(plain)
        assert caught.value.code == "INPUT.FORMAT"
    assert main(["solve", str(plain)]) == 2
    assert "attachment.json is a saved Study: `wattbook verify` solves its states" in capsys.readouterr().err
    feeder = json.loads(plain.read_bytes())
    feeder["document"]["schema"] = "wattbook-mc-study"
    with pytest.raises(wb.InputError, match=r"power flow of a feeder: wb\.open_feeder"):
        wb.open_case(json.dumps(feeder).encode(), format="json")
