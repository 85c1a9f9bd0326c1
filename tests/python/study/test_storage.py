"""Storage in tables, series, sweeps, edits, files and conversions: closed forms on two buses."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
import wattbook as wb
from wattbook.cli.command import main

#: 100 MW and 30 $/MWh at bus 1. At bus 2 a storage unit of 50 MW of charging and 40 MW of discharging, with the efficiencies 0.9 and 0.8,
#: which discharges 20 MW.
BATTERY = """function mpc = battery
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [1 3 100 0 0 0 1 1 0 230 1 1.1 0.9; 2 1 0 0 0 0 1 1 0 230 1 1.1 0.9];
mpc.gen = [1 80 0 99 -99 1 100 1 400 0];
mpc.branch = [1 2 0 0.1 0 200 0 0 0 0 1 -60 60];
mpc.gencost = [2 0 0 2 30 0];
mpc.storage = [2 -20 -5 100 200 50 40 0.9 0.8 0 -9 9 0 0 0 0 1];
"""
VALUED = {"storage": "valued"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "battery.m"
    path.write_text(BATTERY)
    return path


@pytest.mark.parametrize("formulation", ["dcopf", "acpf", "socwr"])
def test_storage_is_held(path: Path, formulation: wb.FormulationId) -> None:
    case = wb.open_case(path)
    unit = case.storage.loc[1]
    assert (unit["bus"], unit["p_mw"], unit["q_mvar"], unit["energy_mwh"]) == (2, 20.0, 5.0, 100.0)
    assert case.storage.attrs["units"]["p_charge_max_mw"] == "MW"
    solution = case.study(formulation).solution
    assert solution.storage.loc[1, "p_mw"] == pytest.approx(20)
    assert solution.generators["p_mw"].sum() == pytest.approx(80, abs=1e-3)
    (held,) = [one for one in solution.diagnostics if one.code == "STORAGE.HELD"]
    assert held.message.startswith("Storage unit 1 at bus 2 is held at 20.0 MW of discharging")


@pytest.mark.parametrize("formulation", ["dcopf", "socwr"])
@pytest.mark.parametrize(("value", "power"), [(20, 40), (25, 0), (40, -50)])
def test_an_energy_value_dispatches_it(path: Path, formulation: wb.FormulationId, value: float, power: float) -> None:
    study = wb.open_case(path).study(formulation, options=VALUED)
    unit = study.commit(storage={1: {"energy_value": value}}).storage.loc[1]
    assert unit["p_mw"] == pytest.approx(power, abs=1e-3)
    assert unit["lmp"] == pytest.approx(30, abs=1e-3)
    assert unit["energy_value"] == value
    assert [unit["charges_below"], unit["discharges_above"]] == pytest.approx([0.9 * value, value / 0.8])


def test_series_and_sweeps_have_its_powers(path: Path) -> None:
    study = wb.open_case(path).study(options=VALUED)
    study.commit(storage={1: {"energy_value": 20}})
    series = study.series(pd.DataFrame({1: [100.0, 30.0]}))
    assert series.storage[1].tolist() == pytest.approx([40, 30])
    assert series.storage.columns.name == "storage"
    sweep = wb.sweep(study, [{"demand": {1: 0}}, {"demand": {1: -70}}], tables=["storage"])
    assert sweep.storage[1].tolist() == pytest.approx([40, 30])


def test_a_case_without_storage_has_no_table_of_it(case: wb.Case) -> None:
    assert case.storage.empty and case.study().solution.storage.empty
    with pytest.raises(wb.ArgumentError, match="has no storage"):
        _ = case.study().series(pd.DataFrame({2: [90.0]})).storage


def test_added_storage_travels(path: Path, tmp_path: Path) -> None:
    study = wb.open_case(path).study(options=VALUED)
    base = study.solution.sha256
    battery = wb.Storage(bus=1, p_charge_max=10, p_discharge_max=10, energy_value=35, name="new")
    study.commit(storage={1: {"status": False}, "new": {"charge_efficiency": 0.95}}, add=[battery])
    assert study.solution.storage["p_mw"].tolist() == pytest.approx([float("nan"), -10], nan_ok=True)
    assert study.edits.storage == {1: {"status": False}, 2: {"charge_efficiency": 0.95}}
    again = wb.open_study(study.save(tmp_path))
    assert again.solution.sha256 == study.solution.sha256
    assert again.edits == study.edits
    assert study.states["storage"].tolist() == [0, 2]
    study.commit(storage={1: None}, remove=["new"])
    assert study.solution.sha256 == base
    assert not study.edits


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"power": 3}, "The values of storage unit 1 are p, q, p_charge_max"),
        ({"energy_value": -1.0}, "the value of stored energy would be"),
        ({"status": 1}, "The status of storage unit 1 must be True or False"),
    ],
)
def test_malformed_values_are_refused(path: Path, values: dict[str, float], message: str) -> None:
    study = wb.open_case(path).study()
    with pytest.raises(wb.EditError, match=message) as refused:
        study.commit(storage={1: values})
    assert refused.value.code == "STORAGE.MALFORMED"
    assert not study.edits


def test_the_command_line_values_storage(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edits = ["--option", "storage=valued", "--storage", "1:energy_value=20", "--csv", "storage"]
    assert main(["solve", str(path), *edits]) == 0
    header, row = capsys.readouterr().out.splitlines()
    values = dict(zip(header.split(","), row.split(","), strict=True))
    assert float(values["p_mw"]) == pytest.approx(40)


def test_geojson_has_storage_as_points(path: Path) -> None:
    case = wb.open_case(path).with_geography(b"bus,lat,lon\n1,35,-98\n2,36,-97\n")
    features = json.loads(case.study().solution.to_geojson())["features"]
    (unit,) = [feature for feature in features if "storage" in feature["properties"]]
    assert unit["geometry"] == {"type": "Point", "coordinates": [-97, 36]}
    assert unit["properties"]["p_mw"] == pytest.approx(20)


@pytest.mark.parametrize(
    ("token", "ending"), [("matpower", "m"), ("powermodels-json", "json"), ("pandapower-json", "json")]
)
def test_an_exported_file_has_the_same_storage(path: Path, tmp_path: Path, token: str, ending: str) -> None:
    case = wb.open_case(path)
    written = case.export(tmp_path / f"out.{ending}", format=token)
    again = wb.open_case(written)
    assert again.storage.loc[1, "p_mw"] == 20.0
    assert again.storage.loc[1, "energy_mwh"] == pytest.approx(100)
