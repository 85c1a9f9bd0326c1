"""The command `wattbook solve`."""

from __future__ import annotations

import io
import json
import re
import subprocess
from pathlib import Path

import pandas as pd
import pytest
import wattbook as wb
from conftest import ROOT
from networks import three_bus, three_bus_bare
from wattbook.cli import main, service_commands


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "three_bus.m"
    path.write_bytes(three_bus(rating_23=40))
    return str(path)


def test_text(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", file]) == 0
    out = capsys.readouterr().out
    assert "optimal" in out
    assert "808.50 $/h" in out
    assert "6.30 $/MWh at bus 3" in out and "30.10 $/MWh at bus 2" in out
    assert "line 3 at 100 %" in out and "1 line binding" in out
    assert re.search(
        r"^certificate    At every bus, power in equals power out to \S+ MW\.\n"
        r"               No limit is exceeded( by more than \S+ MW( \(worst: line \d\))?)?\.\n"
        r"               Marginal costs and prices agree to \S+ \$/MWh\.\n"
        r"               Complementary slackness residual: \S+ \$/h\.\n"
        r"               No dispatch is cheaper by more than \S+ \$/h \(\S+ of the objective\)\.$",
        out,
        re.MULTILINE,
    )
    assert "_" not in out.partition("status")[2], "no raw key of the response"


def test_json(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", file, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["status"], result["formulation"], result["case"]["id"]) == ("optimal", "dcopf", "three_bus")
    assert result["objective"] == pytest.approx(808.50, rel=1e-6)
    assert result["extremes"]["price_max"]["bus"] == 2
    assert result["extremes"]["binding"] == 1
    assert len(result["result_sha256"]) == 64


def test_edits(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Returns to the uncongested network: 30 MW at bus 2 in two steps, removed again, and 210 MW more on line 3."""
    edits = ["--demand", "2=10", "--demand=2=-10", "--rating", "3=210"]
    assert main(["solve", file, "--json", *edits]) == 0
    assert json.loads(capsys.readouterr().out)["objective"] == pytest.approx(626.948718, rel=1e-6)


@pytest.mark.parametrize(
    ("edits", "dispatch"),
    [
        # Costs of 0.11 p^2 + 5 p and 0.085 p^2 + 1.2 p for 90 MW without congestion.
        ([], [29.487179, 60.512821]),
        (["2:p_max=50"], [40, 50]),
        (["1:p_min=35.5", "1:p_max=80"], [35.5, 54.5]),
        (["2:status=false"], [90]),
    ],
)
def test_generator_edits(
    edits: list[str], dispatch: list[float], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "three_bus.m"
    path.write_bytes(three_bus())
    given = [word for edit in edits for word in ("--generator", edit)]
    assert main(["solve", str(path), "--json", "--save-solution", str(tmp_path), *given]) == 0
    result = json.loads(capsys.readouterr().out)
    assert [row["pg"] for row in result["dispatch"]] == pytest.approx(dispatch, abs=1e-5)
    assert wb.open_solution(result["saved"]).solution.objective == pytest.approx(result["objective"], rel=1e-9)


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        ("p_max=50", "EDIT.MALFORMED"),
        ("2:p_max", "EDIT.MALFORMED"),
        ("2:p_max=much", "GENERATOR.MALFORMED"),
        ("2:capacity=50", "GENERATOR.MALFORMED"),
        ("9:p_max=50", "GENERATOR.UNKNOWN"),
    ],
)
def test_generator_edits_that_are_refused(edit: str, code: str, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", file, "--generator", edit]) == 2
    assert f"[{code}]" in capsys.readouterr().err


@pytest.mark.parametrize("formulation", ["dcopf", "acpf", "socwr"])
def test_saves_the_solution(formulation: str, file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The written module reproduces the printed result, including edits."""
    edits = ["--formulation", formulation, "--demand", "2=5"]
    assert main(["solve", file, "--json", "--save-solution", str(tmp_path), *edits]) == 0
    result = json.loads(capsys.readouterr().out)
    saved = wb.open_solution(result["saved"])
    assert (saved.solution.formulation, dict(saved.edits.demand or {})) == (formulation, {2: 5.0})
    flows = [row["pf"] for row in result["flows"]]
    assert list(saved.solution.branches["p_from_mw"]) == pytest.approx(flows, abs=1e-9)
    if formulation != "dcopf":
        # A DC optimum reached in steps differs in its last bits from one solved at once.
        assert saved.solution.sha256 == result["result_sha256"]
    assert main(["solve", file, "--save-solution", str(tmp_path / "own.json"), *edits]) == 0
    assert f"saved          {tmp_path / 'own.json'}" in capsys.readouterr().out
    assert main(["solve", file, "--save-solution", str(tmp_path / "own.txt"), *edits]) == 2
    assert "EXPORT.FORMAT" in capsys.readouterr().err


def test_options_of_the_solver(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", file, "--json", "--option", "dc_convention=matpower"]) == 0
    assert json.loads(capsys.readouterr().out)["dc_convention"] == "matpower"


def test_security_and_interfaces(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    limits = {"interfaces": [{"name": "line 2", "branches": [{"branch": 2}], "min_mw": -40, "max_mw": 40}]}
    options = ["--option", "security={}", "--option", f"limits={json.dumps(limits)}"]
    assert main(["solve", file, "--csv", "interfaces", *options]) == 0
    header, row = capsys.readouterr().out.splitlines()
    assert header == "interface,flow_mw,min_mw,max_mw,excess_mw,shadow"
    name, flow, *_ = row.split(",")
    assert (name, abs(float(flow)) <= 40 + 1e-6) == ("line 2", True)
    assert main(["solve", file, "--csv", "contingencies", *options]) == 0
    assert capsys.readouterr().out.startswith("branch,name,outage,generators_out,flow_mw,limit_mw,excess_mw,shadow")
    assert main(["solve", file, "--json", *options]) == 0
    assert json.loads(capsys.readouterr().out)["security"]["outages"] == 3


@pytest.mark.parametrize(
    "arguments",
    [
        ["--option", "dc_convention"],
        ["--option", "dc_convention=ours"],
        ["--option", "speed=1"],
        ["--demand", "99=1"],
        ["--demand", "2"],
        ["--demand", "2=much"],
        ["--demand", "2=nan"],
        ["--rating", "9=1"],
        ["--formulation", "acopf"],
        ["--format", "no such format"],
    ],
)
def test_bad_input(file: str, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", file, *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("wattbook: ") and captured.out == ""


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["solve", "notes.txt"], "for other names give --format, one of matpower"),
        (["solve", "feeder.dss"], "The script defines no circuit"),
        (["solve", "places.csv"], "`wattbook convert CASE OUT --geography places.csv` applies it"),
        (["convert", "notes.txt", "out.m"], "for other names give --from, one of matpower"),
        (["convert", "three_bus.m", "out.xls"], "ends in .xls: give --format, one of matpower"),
        (["convert", "three_bus.m", "out.json"], "--format, one of powermodels-json"),
        (["convert", "three_bus.m", "out.geo.json"], "Add them with --geography FILE or --layout LON,LAT."),
    ],
)
def test_messages_name_options_and_not_arguments_of_python(
    file: str, arguments: list[str], says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(file).parent)
    for name in ("notes.txt", "feeder.dss", "places.csv"):
        Path(name).write_bytes(b"x")
    assert main(arguments) == 2
    output = capsys.readouterr().err
    assert says in output and "format=" not in output and "wb." not in output and "case." not in output


@pytest.mark.parametrize("command", [[], ["solve"], ["convert"]])
def test_help_lists_exit_codes_and_readable_formats(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command, "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert ended.value.code == 0
    assert (
        "Exit codes: 0 success, 1 internal error, 2 bad input (file, edit, option) or an output that cannot be written, 3 no solution."
        in text
    )
    if command == ["convert"]:
        assert "export only: jiidm, surge-json" in text


def test_missing_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "nowhere.m", "--json"]) == 2
    captured = capsys.readouterr()
    assert json.loads(captured.out)["code"] == "INPUT.NOT_FOUND"
    assert "nowhere.m" in captured.err


def test_no_solution(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", file, "--demand", "2=1000", "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["code"] == "SOLVE.INFEASIBLE"


def test_as_a_process(file: str, python: str) -> None:
    command = [python, "-m", "wattbook.cli"]
    done = subprocess.run([*command, "solve", file, "--demand", "2=1000"], capture_output=True, text=True)
    assert done.returncode == 3 and "SOLVE.INFEASIBLE" in done.stderr
    assert subprocess.run(command, capture_output=True).returncode == 2
    version = subprocess.run([*command, "--version"], capture_output=True, text=True)
    assert version.returncode == 0 and version.stdout.startswith("wattbook ")


def test_missing_data_of_the_source_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bare.m"
    path.write_bytes(three_bus_bare())
    assert main(["solve", str(path)]) == 0
    captured = capsys.readouterr()
    assert captured.err.count("wattbook: warning: ") == 3 and "COST.MISSING" in captured.err
    assert "assumed rating" in captured.out
    assert main(["solve", str(path), "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert [row["code"] for row in json.loads(captured.out)["warnings"]][-1] == "RATING.FALLBACK"


def test_only_available_formulations_are_offered(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["solve", "--help"])
    text = capsys.readouterr().out
    assert "dcopf, acpf, socwr (default dcopf)" in " ".join(text.split()) and "dcpf" not in text
    assert main(["solve", file, "--formulation", "acopf"]) == 2
    assert "Unknown formulation 'acopf'; available: dcopf, acpf, socwr." in capsys.readouterr().err


def test_a_reader_that_leaves_is_no_failure(file: str, python: str) -> None:
    process = subprocess.Popen(
        [python, "-m", "wattbook.cli", "solve", file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait() == 0


@pytest.mark.parametrize(
    "command",
    [
        ["solve", "FILE"],
        ["solve", "FILE", "--json"],
        ["solve", "FILE", "--demand", "2=1000", "--json"],
        ["sweep", "FILE", "--outages"],
        ["completion", "bash"],
        ["--version"],
    ],
)
@pytest.mark.parametrize("redirected", ["> /dev/full", ">&-"])
def test_an_output_that_cannot_be_written_is_one_line(
    file: str, python: str, command: list[str], redirected: str
) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    words = [python, "-m", "wattbook.cli", *(file if word == "FILE" else word for word in command)]
    done = subprocess.run(["sh", "-c", f'"$@" {redirected}', "sh", *words], stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert re.fullmatch(r"wattbook: The standard output cannot be written: .* \[OUTPUT\.UNWRITABLE\]\n", done.stderr)


def test_without_a_standard_error(file: str, python: str) -> None:
    words = [python, "-m", "wattbook.cli", "solve", file, "--demand", "2=1000", "--json"]
    done = subprocess.run(["sh", "-c", '"$@" 2>&-', "sh", *words], stdout=subprocess.PIPE, text=True)
    assert done.returncode == 3 and json.loads(done.stdout)["code"] == "SOLVE.INFEASIBLE"


def test_the_help_of_serve_lists_the_settings_of_the_server(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")  # it needs no Node.js
    with pytest.raises(SystemExit) as left:
        main(["serve", "--help"])
    output = capsys.readouterr().out
    assert left.value.code == 0 and output.startswith("usage: wattbook serve [-h]") and "wattbook-server" not in output
    source = (ROOT / "server/src/config.ts").read_text()
    listed = re.findall(r'\["(SERVICE_\w+)", (?:"(.*?)"|`(.*?)`)\]', source)
    levels = ", ".join(re.findall(r'"(\w+)"', source[source.index("LOG_LEVELS = [") :].partition("]")[0]))
    meanings = {name: plain or text.replace('${LOG_LEVELS.join(", ")}', levels) for name, plain, text in listed}
    assert len(meanings) > 10 and dict(service_commands.VARIABLES) == meanings
    words = " ".join(output.split())
    for name, meaning in meanings.items():
        assert f"{name} {meaning}" in words


def test_convert_writes_to_the_standard_output(
    file: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["convert", file, str(tmp_path / "there.raw")]) == 0
    capfdbinary.readouterr()
    assert main(["convert", file, "-", "--format", "psse"]) == 0
    printed = capfdbinary.readouterr().out
    assert printed == (tmp_path / "there.raw").read_bytes(), "the file and nothing else"
    assert main(["convert", file, "-"]) == 2
    output = capfdbinary.readouterr()
    assert b"--format" in output.err and output.out == b""
    assert main(["convert", str(ROOT / "examples" / "village.dss"), "-"]) == 0
    assert json.loads(capfdbinary.readouterr().out)


@pytest.mark.parametrize("name", ["buses", "branches", "generators"])
def test_solve_prints_a_table(file: str, capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert main(["solve", file, "--demand", "2=-10", "--csv", name]) == 0
    table = pd.read_csv(io.StringIO(capsys.readouterr().out), index_col=0)
    study = wb.open_case(file).study()
    study.commit(demand={2: -10})
    expected = getattr(study.solution, name)
    assert table.columns.tolist() == expected.columns.tolist() and table.index.tolist() == expected.index.tolist()
    for column in expected.select_dtypes("number"):
        assert table[column].tolist() == pytest.approx(expected[column].tolist(), rel=1e-12, nan_ok=True)


def test_a_table_of_a_state_without_a_solution(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", file, "--demand", "3=5000", "--csv", "buses"]) == 3
    assert capsys.readouterr().out == ""


def test_bundled_cases_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    table = wb.cases()
    assert main(["cases"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == table.index.tolist()
    assert all(f"{row.n_bus:,} buses" in line for line, row in zip(lines, table.itertuples(), strict=True))
    assert main(["cases", "--json"]) == 0
    assert [row["n_bus"] for row in json.loads(capsys.readouterr().out)] == table["n_bus"].tolist()


def test_examples_are_written_and_nothing_is_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "new" / "examples"
    assert main(["examples", str(folder)]) == 0
    shown = sorted(path.name for path in (ROOT / "examples").iterdir() if path.is_file())
    assert sorted(path.name for path in folder.iterdir()) == shown and "quickstart.ipynb" in shown
    assert [Path(line).name for line in capsys.readouterr().out.splitlines()] == shown
    (folder / "quickstart.ipynb").write_text("mine")
    assert main(["examples", str(folder)]) == 2
    assert "[OUTPUT.UNWRITABLE]" in capsys.readouterr().err
    assert (folder / "quickstart.ipynb").read_text() == "mine"


def test_serve_takes_address_and_port(monkeypatch: pytest.MonkeyPatch) -> None:
    became: list[dict[str, str]] = []
    monkeypatch.setattr(service_commands, "_become", lambda command, environment: became.append(dict(environment)) or 0)
    monkeypatch.setenv("SERVICE_PORT", "9000")
    monkeypatch.setenv("SERVICE_DATA", "somewhere")
    assert main(["serve", "--host", "0.0.0.0", "--port", "0"]) == 0
    assert main(["serve"]) == 0
    assert [(one.get("SERVICE_HOST"), one["SERVICE_PORT"]) for one in became] == [("0.0.0.0", "0"), (None, "9000")]
