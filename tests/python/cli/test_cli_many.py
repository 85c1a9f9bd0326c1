"""The commands `wattbook series` and `wattbook sweep`."""

from __future__ import annotations

import json
from pathlib import Path

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
    # Unit 2 alone with 60 MW, of which no more than 40 MW over line 2-3: 0.085 p^2 + 1.2 p.
    assert result["objective"]["min"] == pytest.approx(0.085 * 60**2 + 1.2 * 60)
    prices = pd.read_parquet(out_folder / "prices.parquet")
    assert prices.index.tolist() == ["2026-07-06 00:00", "2026-07-06 01:00"]
    assert prices.iloc[0].tolist() == pytest.approx([18.20, 30.10, 6.30])


def test_series_of_synthetic_demand(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["series", "carolina", "--synthetic", "3", "--table", "prices", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    case = wb.open_case("carolina")
    expected = case.study().series(case.synthetic_demand(3)).objective
    assert (result["solved"], result["case"]["sha256"]) == (3, case.sha256)
    assert result["objective"]["max"] == expected.max() and result["objective"]["min"] == expected.min()


def test_sweep_of_scenarios(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "scenarios.csv"
    table.write_text("name,demand:2,ratings:3,units:2,outages:1\nbase,,,,\nwide,,210,,\nalone,,210,0,\nout,-50,,,1\n")
    assert main(["sweep", file, "--scenarios", str(table), "--out", str(tmp_path / "out"), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["solved"] == 4 and result["failures"] == []
    rows = pd.read_parquet(tmp_path / "out" / "scenarios.parquet")
    assert rows.index.tolist() == ["base", "wide", "alone", "out"]
    assert rows["objective"].tolist()[:3] == pytest.approx([808.50, 626.948717949, 0.11 * 90**2 + 5 * 90])
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
        (["sweep", "--outages", "--scenarios", "x.csv"], "OPTION.MALFORMED"),
        (["sweep", "--scenarios", "none.csv"], "INPUT.NOT_FOUND"),
        (["sweep", "--outages", "--table", "voltages"], "ARGUMENT.CHOICE"),
    ],
)
def test_what_is_refused(file: str, arguments: list[str], code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([arguments[0], file, *arguments[1:]]) == 2
    assert code in capsys.readouterr().err


def test_columns_that_name_no_kind(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "scenarios.csv"
    for text, said in (("bus 2\n5\n", "KIND:ELEMENT"), ("power:2\n5\n", "known are demand")):
        table.write_text(text)
        assert main(["sweep", file, "--scenarios", str(table)]) == 2
        assert said in capsys.readouterr().err
