"""Staging of the bundled grids into the user's data folder."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
import wattbook as wb
from grids import pack, stage_plainly, write_catalogue
from wattbook.case import catalogue
from wattbook.cli import main


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bundle of two cases in place of the grids, and a separate user data folder."""
    folder = pack(tmp_path / "package" / "grids", small=40, other=50)
    monkeypatch.setattr(catalogue, "_BUNDLES", (folder,))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("SERVICE_DATA", raising=False)
    return folder


def hashes(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_staged_folder_has_the_content_of_the_catalogue(packed: Path) -> None:
    folder = catalogue.stage(packed, catalogue.user_folder())
    assert folder.parent == catalogue.user_folder()
    rows = json.loads((folder / "catalogue.json").read_text())["cases"]
    assert {row["id"] for row in rows} == {"small", "other"}
    found = hashes(folder)
    assert all(found[row["module"]] == row["sha256"] for row in rows)
    assert sorted(found) == sorted(
        ["catalogue.json", *(r["module"] for r in rows), *(f"base/{r['sha256']}.json" for r in rows)]
    )
    assert [path.name for path in folder.parent.iterdir()] == [folder.name], "no temporary folder stays"
    assert stat.S_IMODE(folder.stat().st_mode) & 0o022 == 0, "nobody else writes there"


def test_another_catalogue_has_another_folder(packed: Path, tmp_path: Path) -> None:
    other = pack(tmp_path / "newer", small=41)
    assert catalogue.stage(packed, tmp_path / "u") != catalogue.stage(other, tmp_path / "u")
    assert len(list((tmp_path / "u").iterdir())) == 2


def test_valid_files_stay_and_invalid_ones_are_repaired(packed: Path) -> None:
    folder = catalogue.stage(packed, catalogue.user_folder())
    before = hashes(folder)
    other = folder / "other.module.json"
    marked = other.stat().st_mtime_ns
    (folder / "small.module.json").write_bytes(b"{}")
    next((folder / "base").iterdir()).unlink()
    (folder / "catalogue.json").write_text("[]")
    solved_here = folder / "base" / "of-another-engine.json"
    solved_here.write_text("mine")
    assert catalogue.stage(packed, catalogue.user_folder()) == folder
    assert hashes(folder) == {**before, "base/of-another-engine.json": hashlib.sha256(b"mine").hexdigest()}
    assert other.stat().st_mtime_ns == marked


def test_a_complete_folder_is_not_written_to(packed: Path) -> None:
    folder = catalogue.stage(packed, catalogue.user_folder())
    times = {path: path.stat().st_mtime_ns for path in [folder, *folder.rglob("*")]}
    catalogue.stage(packed, catalogue.user_folder())
    assert {path: path.stat().st_mtime_ns for path in times} == times


def test_old_temporary_folders_are_removed_and_recent_ones_stay(packed: Path) -> None:
    old, young = (catalogue.user_folder() / f".staging-{name}" for name in ("old", "young"))
    for folder in (old, young):
        folder.mkdir(parents=True)
    os.utime(old, (time.time() - 2 * 86_400,) * 2)
    catalogue.stage(packed, catalogue.user_folder())
    assert not old.exists() and young.is_dir()


def test_processes_that_stage_at_once_do_not_disturb_each_other(packed: Path, tmp_path: Path) -> None:
    """Eight processes start at the same moment; each has a complete folder at the end, with the same name."""
    gate, parent = tmp_path / "gate", tmp_path / "users"
    code = (
        "import sys, time, pathlib, json, hashlib\n"
        "from wattbook.case import catalogue\n"
        "gate, packed, parent = map(pathlib.Path, sys.argv[1:])\n"
        "print('here', flush=True)\n"
        "while not gate.exists(): time.sleep(0.001)\n"
        "folder = catalogue.stage(packed, parent)\n"
        "rows = json.loads((folder / 'catalogue.json').read_text())['cases']\n"
        "good = all(hashlib.sha256((folder / r['module']).read_bytes()).hexdigest() == r['sha256'] for r in rows)\n"
        "print(folder.name if good else 'broken')\n"
    )
    command = [sys.executable, "-c", code, str(gate), str(packed), str(parent)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(8)]
    for process in processes:
        assert process.stdout is not None and process.stdout.readline() == "here\n"
    gate.touch()
    output = [process.communicate(timeout=60)[0].strip() for process in processes]
    assert set(output) == {catalogue.staged_path(packed, parent).name}
    assert [path.name for path in parent.iterdir()] == output[:1]


def test_a_damaged_package_is_reported(packed: Path) -> None:
    (packed / "small.json.gz").write_bytes(gzip.compress(b"something else"))
    with pytest.raises(
        catalogue.DamagedBundle, match=r"small\.json\.gz does not match its catalogue: install Wattbook again"
    ):
        catalogue.stage(packed, catalogue.user_folder())
    assert list(catalogue.user_folder().iterdir()) == []
    (packed / "small.json.gz").write_bytes(b"no gzip")
    with pytest.raises(wb.InputError, match="install Wattbook again") as caught:
        wb.open_case("small")
    assert caught.value.code == "CASE.UNAVAILABLE"


def test_cases_and_open_case_need_no_server(packed: Path) -> None:
    listed = wb.cases()
    assert listed.index.tolist() == ["other", "small"]
    assert listed.loc["small", ["name", "n_bus", "n_branch", "n_gen"]].tolist() == ["Grid small", 3, 3, 2]
    assert not catalogue.user_folder().exists(), "a list writes nothing"
    case = wb.open_case("small")
    assert (case.id, case.name) == ("small", "Grid small")
    assert case.study().solution.objective == pytest.approx(808.50, rel=1e-6)
    assert case.sha256 == catalogue.entries()["small"]["sha256"]
    staged = catalogue.staged_path(packed, catalogue.user_folder())
    (staged / "small.module.json").write_text("altered")
    assert wb.open_case("small").sha256 == case.sha256, "repaired"
    assert hashes(staged)["small.module.json"] == case.sha256


@pytest.fixture
def no_home(packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home that is not writable even for root; returns the temporary folder."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("HOME", str(tmp_path / "file"))
    monkeypatch.delenv("XDG_DATA_HOME")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    return tmp_path / "temporary"


def test_a_home_that_cannot_be_written(packed: Path, no_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert wb.open_case("small").counts["buses"] == 3, "read from the package"
    assert list(no_home.iterdir()) == []
    folder = no_home / f"wattbook-{os.getuid()}"
    assert catalogue.data_environment({}) == {"SERVICE_DATA": str(catalogue.staged_path(packed, folder))}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert main(["stage"]) == 0
    assert Path(capsys.readouterr().out.strip()).parent == folder
    spare = no_home / "spare"
    assert catalogue.data_environment({}, spare) == {"SERVICE_DATA": str(catalogue.staged_path(packed, spare))}


def test_a_user_without_a_home(packed: Path, no_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", lambda uid: (_ for _ in ()).throw(KeyError(uid)))
    monkeypatch.chdir(no_home)
    assert wb.open_case("small").counts["buses"] == 3
    assert catalogue.stage_for_user(packed).parent == no_home / f"wattbook-{os.getuid()}"
    assert not (no_home / "~").exists()


def test_a_folder_that_others_have_prepared_is_not_used(packed: Path, no_home: Path) -> None:
    folder = no_home / f"wattbook-{os.getuid()}"
    (no_home / "theirs").mkdir()
    folder.symlink_to(no_home / "theirs")
    with pytest.raises(OSError, match="is not a folder of this user alone"):
        catalogue.data_environment({})
    folder.unlink()
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(OSError, match="is not a folder of this user alone"):
        catalogue.data_environment({})


@pytest.mark.parametrize("command", ["stage", "serve", "lab"])
def test_without_a_writable_folder_the_variables_are_named(
    command: str, no_home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", os.environ["HOME"])
    assert main([command]) == 2
    output = capsys.readouterr().err
    assert "set XDG_DATA_HOME or TMPDIR" in output and "[OUTPUT.UNWRITABLE]" in output


def test_the_benchmark_cases_stay_openable(packed: Path) -> None:
    assert wb.open_case("case500_goc").counts["buses"] == 500
    with pytest.raises(
        wb.InputError, match=r"Bundled: other, small\. Unlisted benchmark cases: case200_activ, case500_goc"
    ):
        wb.open_case("nowhere")


def test_the_environment_of_the_server(packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    staged = catalogue.data_environment({})
    assert staged == {"SERVICE_DATA": str(catalogue.staged_path(packed, catalogue.user_folder()))}
    assert catalogue.data_environment({"SERVICE_DATA": "/srv/grids"}) == {}, "the operator's choice"
    monkeypatch.setattr(catalogue, "_BUNDLES", (tmp_path / "nowhere",))
    assert catalogue.data_environment({"SERVICE_DATA": " "}) == {"SERVICE_ALLOW_FALLBACK": "1"}


def test_the_operators_folder_is_read_by_kernels_too(
    packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = stage_plainly(tmp_path / "srv", mine=45)
    monkeypatch.setenv("SERVICE_DATA", str(folder))
    assert wb.cases().index.tolist() == ["mine"]
    assert wb.open_case("mine").counts["buses"] == 3
    assert not catalogue.user_folder().exists()
    (folder / "mine.module.json").write_text("{}")
    with pytest.raises(wb.InputError, match="was altered"):
        wb.open_case("mine")
    row = {**catalogue.entries()["mine"], "unavailable_reason": "it has no solution."}
    write_catalogue(folder, [row])
    with pytest.raises(wb.InputError, match="it has no solution") as caught:
        wb.open_case("mine")
    assert caught.value.code == "CASE.UNAVAILABLE"
    (folder / "catalogue.json").write_text("[]")
    with pytest.raises(wb.InputError, match="is not a catalogue") as caught:
        wb.cases()
    assert caught.value.code == "CASE.CATALOGUE"


def test_the_command(packed: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["stage"]) == 0
    folder = Path(capsys.readouterr().out.strip())
    assert folder == catalogue.staged_path(packed, catalogue.user_folder()) and (folder / "catalogue.json").is_file()
    assert main(["stage", "--from", "case.m"]) == 2
    assert "wattbook stage DIR --from CASE" in capsys.readouterr().err
    monkeypatch.setattr(catalogue, "_BUNDLES", ())
    assert main(["stage"]) == 2
    assert "npm run build" in capsys.readouterr().err
