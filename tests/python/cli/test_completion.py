"""The command `wattbook completion`, in the shells themselves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from wattbook.cli import main


@pytest.fixture
def script(request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The script for the shell named by the test."""
    assert main(["completion", request.param]) == 0
    path = tmp_path / "wattbook"
    path.write_text(capsys.readouterr().out)
    return path


def completed(script: Path, line: str, folder: Path) -> list[str]:
    """The completions of bash for the last word of a line."""
    words = line.split(" ")
    quoted = " ".join(f"'{word}'" for word in words)
    call = f"""
        source '{script}'
        COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; COMP_LINE='{line}'; COMP_POINT={len(line)}
        $(complete -p wattbook | sed 's/.*-F \\([^ ]*\\).*/\\1/') wattbook '{words[-1]}' '{words[-2]}'
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        ["bash", "--norc", "-c", call], cwd=folder, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stderr == ""
    return [word.strip() for word in done.stdout.splitlines() if word.strip()]


@pytest.mark.parametrize("script", ["bash"], indirect=True)
def test_bash_completes_commands_options_values_and_files(script: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cases"
    folder.mkdir()
    (folder / "three_bus.m").touch()
    assert completed(script, "wattbook so", folder) == ["solve"]
    assert {"series", "sweep", "solve", "stage", "serve"} <= set(completed(script, "wattbook s", folder))
    assert completed(script, "wattbook solve --gen", folder) == ["--generator"]
    assert completed(script, "wattbook solve three", folder) == ["three_bus.m"]
    assert completed(script, "wattbook sweep --executor th", folder) == ["threads"]
    assert completed(script, "wattbook completion ", folder) == ["bash", "fish", "zsh"]


@pytest.mark.parametrize("script", ["fish", "zsh"], indirect=True)
def test_other_shells_read_their_script(script: Path, request: pytest.FixtureRequest) -> None:
    shell = request.node.callspec.params["script"]
    assert "wattbook" in script.read_text() and "--generator" in script.read_text()
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    subprocess.run([shell, "-n", script], check=True, timeout=60)


@pytest.mark.parametrize("script", ["bash", "fish", "zsh"], indirect=True)
def test_the_script_names_no_other_folders_than_the_help(script: Path) -> None:
    comments = [line for line in script.read_text().splitlines()[:12] if line.startswith("#")]
    assert "# `wattbook completion --help` says where shells read this." in comments
    assert not any("Copy this" in line or "~/" in line for line in comments)


def test_an_unknown_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["completion", "csh"])
    assert left.value.code == 2
    assert "invalid choice: 'csh'" in capsys.readouterr().err
