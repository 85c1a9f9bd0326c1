"""The commands `wattbook series` and `wattbook sweep`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import wattbook as wb
from networks import three_bus
from wattbook.cli import main


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "three_bus.m"
    path.write_bytes(three_bus(rating_23=40))
    return str(path)


def test_series_of_tables(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "demand.csv").write_text("time,2\n2026-07-06 00:00,90\n2026-07-06 01:00,60\n")
    (tmp_path / "units.csv").write_text("time,1\n2026-07-06 00:00,1\n2026-07-06 01:00,0\n")
    given = ["series", file, "--demand", str(tmp_path / "demand.csv")]
    assert main(given) == 0
    out = capsys.readouterr().out
    assert "2 steps of dcopf" in out and "808.50 $/h" in out
    out_folder = tmp_path / "out"
    assert main([*given, "--units", str(tmp_path / "units.csv"), "--out", str(out_folder), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    # Unit 2 alone with 60 MW, of which at most 40 MW over line 2-3: 0.085 p^2 + 1.2 p.
    assert result["objective"]["min"] == pytest.approx(0.085 * 60**2 + 1.2 * 60)
    prices = pd.read_parquet(out_folder / "prices.parquet")
    assert prices.index.tolist() == ["2026-07-06 00:00", "2026-07-06 01:00"]
    assert prices.iloc[0].tolist() == pytest.approx([18.20, 30.10, 6.30])


def test_series_of_synthetic_demand(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["series", "carolina", "--synthetic", "3", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    case = wb.open_case("carolina")
    expected = case.study().series(case.synthetic_demand(3)).objective
    assert (result["solved"], result["case"]["sha256"]) == (3, case.sha256)
    assert result["objective"]["max"] == expected.max() and result["objective"]["min"] == expected.min()


@pytest.fixture(scope="module")
def carolina() -> wb.Case:
    return wb.open_case("carolina")


def test_demand_in_the_layouts_of_the_guide(
    carolina: wb.Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "demand.csv"
    study = carolina.study()
    base = carolina.buses["demand_mw"].loc[[13, 37]]
    buses = pd.DataFrame({13: [3.0, 3.5], 37: [4.0, 4.5]})
    times = buses / base
    area = carolina.buses["demand_mw"].groupby(carolina.buses["area"]).sum()
    areas = pd.DataFrame({1: [area[1], 0.98 * area[1]], 2: [0.99 * area[2], area[2]]})

    def rows(frame: pd.DataFrame, mark: str = ",") -> str:
        lines = [mark.join(str(value) for value in row) for row in frame.itertuples()]
        return "\n".join(line.replace(".", ",") if mark == ";" else line for line in lines)

    def expected(frame: pd.DataFrame, **how: Any) -> list[float]:
        return study.series(frame, tables=["prices"], **how).objective.tolist()

    for text, options, objective in (
        (f"time,13,37\n{rows(buses)}\n", [], expected(buses)),
        (f"hour;bus 13;bus_37\n{rows(buses, ';')}\n", [], expected(buses)),
        (f"Period\tbus 13\t37\n{rows(buses, chr(9))}\n", ["--by", "bus"], expected(buses)),
        (f"# of July\nstep;bus 13;37\n{rows(times, ';')}\n", ["--unit", "pu"], expected(times, unit="pu")),
        (f"snapshot,area 1,area 2\n{rows(areas)}\n", [], expected(areas, by="area")),
        (f"snapshot,area 1,2\n{rows(areas)}\n", ["--by", "area"], expected(areas, by="area")),
        (buses.to_csv(), [], expected(buses)),
        (times.to_csv(), ["--unit", "pu"], expected(times, unit="pu")),
        ("date,system\n0,1\n1,0.9\n", ["--unit", "pu"], expected(pd.Series([1, 0.9]), by="system", unit="pu")),
    ):
        table.write_text(text)
        out = tmp_path / "out"
        assert main(["series", "carolina", "--demand", str(table), "--out", str(out), *options, "--json"]) == 0, text
        found = pd.read_parquet(out / "steps.parquet")
        assert found.index.tolist() == [0, 1] and found["objective"].tolist() == pytest.approx(objective, rel=1e-9)
    capsys.readouterr()


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("30,213\n50,3\n60,3\n", [], "The first column must hold the labels of the steps and be called time"),
        ("30,213\n50,3\n60,3\n", [], "it is called 30."),
        ("213\n3\n", ["--unit", "pu"], "it is called 213."),
        ("time,13,13\n0,3,4\n", [], "Column 3"),
        ("time,13,13\n0,3,4\n", ["--by", "bus"], "The table names bus 13 twice."),
        ("time,sea\n0,3\n", [], "sea"),
        ("\n", [], "demand.csv is empty."),
        ("time\n0\n", ["--unit", "pu"], "The table of demand is empty."),
        ("time,13\n0,much\n", ["--unit", "pu"], "no number in column '13' at step 0: 'much'"),
    ],
)
def test_invalid_demand_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, options: list[str], message: str
) -> None:
    table = tmp_path / "demand.csv"
    table.write_text(text)
    assert main(["series", "carolina", "--demand", str(table), *options]) == 2
    assert message in capsys.readouterr().err


def test_a_column_of_outages(tmp_path: Path, capsys: pytest.CaptureFixture[str], file: str) -> None:
    """Line numbers, several separated by spaces, none in an empty cell, in place of the lists of `wb.sweep`."""
    table, out = tmp_path / "scenarios.csv", tmp_path / "out"
    case = wb.open_case(file)
    one, two = (int(line) for line in case.branches.index[:2])
    for text, listed in (
        (f"name,outages\na,{one}\nb,\nc,{two}\n", [[one], [], [two]]),
        (f"name,outages,demand:3\na,{one},5\nb,,5\n", [[one], []]),
        (f"name,outages\na,{one} {two}\nb,{two}\n", [[one, two], [two]]),
    ):
        table.write_text(text)
        demand = {"demand": {3: 5}} if "demand" in text else {}
        scenarios = [{"outages": lines, **demand} for lines in listed]
        expected = wb.sweep(case.study(), scenarios)
        main(["sweep", file, "--scenarios", str(table), "--out", str(out)])
        found = pd.read_parquet(out / "scenarios.parquet")
        assert found["objective"].tolist() == pytest.approx(expected.objective.tolist(), rel=1e-9, nan_ok=True)
    assert expected.failures.index.tolist() != [] or len(expected) == 2
    table.write_text("name,outages\na,nothing\n")
    assert main(["sweep", file, "--scenarios", str(table)]) == 2
    assert "nothing" in capsys.readouterr().err


def test_encodings_are_those_of_the_engine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "demand.csv"
    for options in ([], ["--unit", "pu"]):
        table.write_bytes("date,13\nfrühmorgens,1\n".encode("latin-1"))
        assert main(["series", "carolina", "--demand", str(table), *options]) == 0
        table.write_bytes("date,13\nmorning,1\n".encode("utf-16"))
        assert main(["series", "carolina", "--demand", str(table), *options]) == 2
        assert "INPUT.ENCODING" in capsys.readouterr().err


def test_ratings_and_units_have_labels_in_the_first_column(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.csv"
    for option, text, code in (
        ("--ratings", "hour;line 3\n0;60,5\n", 0),
        ("--ratings", "3\n60\n", 2),
        ("--units", "hour,unit 1\n0,0.5\n", 0),
        ("--units", "1,2\n1,1\n", 2),
    ):
        table.write_text(text)
        assert main(["series", file, option, str(table)]) == code, text
    capsys.readouterr()


def test_sweep_of_scenarios(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "scenarios.csv"
    table.write_text("name,demand:2,ratings:3,units:2,outages:1\nbase,,,,\nwide,,210,,\nalone,,210,0,\nout,-50,,,1\n")
    assert main(["sweep", file, "--scenarios", str(table), "--out", str(tmp_path / "out"), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["solved"] == 4 and result["failures"] == []
    rows = pd.read_parquet(tmp_path / "out" / "scenarios.parquet")
    assert rows.index.tolist() == ["base", "wide", "alone", "out"]
    assert rows["objective"].tolist()[:3] == pytest.approx([808.50, 626.948717949, 0.11 * 90**2 + 5 * 90])
    table.write_text("name;demand:2;ratings:3;outages:1\nwide, 1;;210,0;\nwide. 2;0,0;210.0;\n")
    assert main(["sweep", file, "--scenarios", str(table), "--out", str(tmp_path / "out")]) == 0
    rows = pd.read_parquet(tmp_path / "out" / "scenarios.parquet")
    assert rows.index.tolist() == ["wide, 1", "wide. 2"]
    assert rows["objective"].tolist() == pytest.approx([626.948717949] * 2), "decimal commas and points"
    capsys.readouterr()
    records = tmp_path / "scenarios.json"
    records.write_text(json.dumps([{"demand": {"2": 9000}, "name": "too much"}, {}]))
    assert main(["sweep", file, "--scenarios", str(records)]) == 3
    out = capsys.readouterr().out
    assert "1 scenario without a solution" in out and "too much: " in out and "[SOLVE.INFEASIBLE]" in out


def test_sweep_of_outages(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", file, "--outages", "--json"]) == 3
    result = json.loads(capsys.readouterr().out)
    # Without line 1-2, line 2-3 has to carry all 90 MW over its 40.
    assert result["solved"] == 2 and [row["name"] for row in result["failures"]] == ["line 1 out"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["series"], "PROFILE.MALFORMED"),
        (["series", "--demand", "none.csv"], "INPUT.NOT_FOUND"),
        (["series", "--demand", "x.csv", "--synthetic", "2"], "INPUT.NOT_FOUND"),
        (["series", "--synthetic", "2", "--by", "region"], "ARGUMENT.CHOICE"),
        (["sweep"], "OPTION.MALFORMED"),
        (["sweep", "--outages", "--scheduler", "tcp://127.0.0.1:1"], "OPTION.MALFORMED"),
        (["sweep", "--outages", "--executor", "dask", "--scheduler", "nowhere"], "OPTION.MALFORMED"),
        (["sweep", "--outages", "--scenarios", "x.csv"], "OPTION.MALFORMED"),
        (["sweep", "--scenarios", "none.csv"], "INPUT.NOT_FOUND"),
        (["sweep", "--outages", "--table", "voltages", "--out", "out"], "ARGUMENT.CHOICE"),
        (["sweep", "--outages", "--table", "prices"], "OPTION.MALFORMED"),
        (["series", "--synthetic", "3", "--table", "prices"], "OPTION.MALFORMED"),
    ],
)
def test_refusals(file: str, arguments: list[str], code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([arguments[0], file, *arguments[1:]]) == 2
    assert code in capsys.readouterr().err


def test_a_series_without_a_profile_is_refused_with_the_options(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["series", file]) == 2
    assert "Give --demand, --ratings, --units or --synthetic." in capsys.readouterr().err


def test_columns_that_name_no_kind(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "scenarios.csv"
    for text, message in (("bus 2\n5\n", "KIND:ELEMENT"), ("power:2\n5\n", "known are demand")):
        table.write_text(text)
        assert main(["sweep", file, "--scenarios", str(table)]) == 2
        assert message in capsys.readouterr().err
