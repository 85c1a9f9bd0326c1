"""Multiconductor feeders: solved, edited, refused, saved, and on the command line."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import wattbook as wb
from conftest import ROOT
from wattbook.cli import main

VILLAGE = ROOT / "examples" / "village.dss"

#: One phase of 230 V, 2 ohm, 1 kW at constant power; and a regulator that would act.
SHORT = """Clear
New Circuit.short basekv=0.23 phases=1 bus1=a.1.0 R1=1e-5 X1=1e-5 R0=1e-5 X0=1e-5
New Line.l phases=1 bus1=a.1.0 bus2=b.1.0 r1=2 x1=0 c1=0 length=1
New Load.d phases=1 bus1=b.1.0 kv=0.23 kw=1 pf=1 vminpu=0.5 vmaxpu=1.5
Solve
"""


@pytest.fixture
def feeder() -> wb.Feeder:
    return wb.open_feeder(VILLAGE).solve(source_impedance="branch")


def test_a_closed_form(tmp_path: Path) -> None:
    path = tmp_path / "short.dss"
    path.write_text(SHORT)
    feeder = wb.open_feeder(path).solve(source_impedance="branch")
    # U (230 - U) / 2 = 1000
    volts = (230 + math.sqrt(230**2 - 4 * 2 * 1000)) / 2
    assert feeder.voltages.loc[("b", "1"), "voltage_v"] == pytest.approx(volts, rel=1e-5)
    assert feeder.currents.loc[("line.l", 1, "1"), "current_a"] == pytest.approx(1000 / volts, rel=1e-5)
    assert feeder.losses.loc["line.l", "p_w"] == pytest.approx(2 * (1000 / volts) ** 2, rel=1e-5)
    assert feeder.loads.loc["d", ["p_kw", "q_kvar"]].tolist() == [1.0, 0.0]


def test_tables_have_units_and_agree(feeder: wb.Feeder) -> None:
    voltages, losses, sources, loads = feeder.voltages, feeder.losses, feeder.sources, feeder.loads
    assert voltages.index.names == ["bus", "terminal"]
    assert voltages.attrs["units"] == {"voltage_v": "V", "voltage_pu": "pu", "angle_deg": "deg", "distance_m": "m"}
    assert feeder.currents.attrs["units"] == {"current_a": "A", "angle_deg": "deg"}
    assert sources["p_w"].sum() == pytest.approx(losses["p_w"].sum() + 1000 * loads["drawn_kw"].sum(), abs=0.01)
    low = feeder.result["lowest"]
    assert voltages[voltages["is_phase"]]["voltage_pu"].idxmin() == (low["bus"], low["terminal"])
    assert voltages.loc[("mill8", "1"), "distance_m"] == pytest.approx(320)
    assert feeder.bus_voltages.loc["mill8", "nominal_v"] == pytest.approx(400 / math.sqrt(3))
    # Nothing reaches the depot behind its open switch.
    assert feeder.result["not_supplied"] == ["load.depot"]
    assert np.isnan(voltages.loc[("depot", "1"), "voltage_v"]) and loads.loc["depot", "drawn_kw"] == 0
    assert "no prices and no planning objectives" in repr(feeder) and "Losses" in feeder._repr_html_()


def test_tables_are_copies(feeder: wb.Feeder) -> None:
    for name in ("buses", "voltages", "bus_voltages", "currents", "sources", "losses", "loads"):
        frame, before = getattr(feeder, name), getattr(feeder, name).copy()
        del frame[frame.columns[0]]
        pd.testing.assert_frame_equal(getattr(feeder, name), before)


def test_open_ends_that_the_reader_makes_are_not_elements() -> None:
    village = wb.open_feeder(VILLAGE).solve(source_impedance="branch")
    assert not [name for name in (*village.losses.index, *village.currents.index.levels[0]) if "_pio" in name]
    assert {"line.depot"} <= set(village.losses.index)


def test_edits(feeder: wb.Feeder) -> None:
    before = feeder.voltages.loc[("mill8", "1"), "voltage_v"]
    sha = feeder.result["result_sha256"]
    feeder.edit(loads={"sawmill": 40})
    assert feeder.loads.loc["sawmill", "p_kw"] == 40
    # The power factor of the case, 0.85, stays.
    assert feeder.loads.loc["sawmill", "q_kvar"] == pytest.approx(40 * math.tan(math.acos(0.85)))
    assert feeder.voltages.loc[("mill8", "1"), "voltage_v"] < before - 0.5
    feeder.edit({"load.PUMP": (3, 1)})
    assert feeder.loads.loc[["sawmill", "pump"], "p_kw"].tolist() == [40, 3]
    with pytest.raises(wb.EditError, match=r"did you mean 'sawmill'") as error:
        feeder.edit({"sawmil": 1})
    assert error.value.code == "EDIT.UNKNOWN_LOAD"
    for power in (None, "x", (1, 2, 3), float("nan")):
        with pytest.raises(wb.EditError):
            feeder.edit({"sawmill": power})
    assert feeder.loads.loc["sawmill", "p_kw"] == 40, "a failed edit changes nothing"
    assert feeder.edit(mode="replace").result["result_sha256"] == sha


def test_refusals_name_the_element_and_the_option(tmp_path: Path) -> None:
    feeder = wb.open_feeder(VILLAGE)
    with pytest.raises(wb.InputError) as error:
        feeder.solve()
    assert error.value.code == "PHYSICS.UNSUPPORTED"
    (refused,) = error.value.details["refused"]
    assert (refused["element"], refused["option"]) == ("vsource.source", 'source_impedance: "branch"')
    with pytest.raises(wb.ArgumentError):
        feeder.solve(source_impedance="ideal")
    # The refused solution leaves the one before.
    feeder.solve(source_impedance="branch")
    with pytest.raises(wb.InputError):
        feeder.solve()
    assert feeder.result["options"]["source_impedance"] == "branch"


def test_a_load_beyond_the_nose(tmp_path: Path) -> None:
    path = tmp_path / "short.dss"
    path.write_text(SHORT.replace("vminpu=0.5", "vminpu=0.01 vlowpu=0.001"))
    feeder = wb.open_feeder(path).solve(source_impedance="branch")
    with pytest.raises(wb.SolveError) as error:
        feeder.edit({"d": 10})
    assert error.value.code == "SOLVE.NOT_CONVERGED"
    # The most that 230 V give through 2 ohm is 230^2 / 8 W.
    assert error.value.details["loading"] == pytest.approx(230**2 / 8 / 10e3, abs=0.01)
    assert feeder.loads.loc["d", "p_kw"] == 1


def test_a_stored_result(feeder: wb.Feeder, tmp_path: Path) -> None:
    feeder.edit({"sawmill": 30})
    packed = feeder.save(tmp_path)
    assert packed.name == "village.study.json.gz"
    path = feeder.save(tmp_path / "village.study.json")
    assert gzip.decompress(packed.read_bytes()) == path.read_bytes()
    for file in (path, packed):
        again = wb.open_feeder(file)
        assert (again.id, again.result) == ("village", feeder.result)
        assert again.voltages.equals(feeder.voltages) and again.currents.equals(feeder.currents)
        assert again.save(tmp_path / "again.study.json").read_bytes() == path.read_bytes()
    assert again.edit({"pump": 1}).loads.loc["sawmill", "p_kw"] == 30
    with pytest.raises(wb.InputError, match="open it as a feeder"):
        wb.open_study(path)
    with pytest.raises(wb.InputError) as error:
        feeder.save(tmp_path / "village.json")
    assert error.value.code == "EXPORT.FORMAT"
    path.write_text(path.read_text().replace('"p_kw":30.0', '"p_kw":31.0'))
    with pytest.raises(wb.InputError) as error:
        wb.open_feeder(path)
    assert error.value.code == "MODULE.TAMPERED"


def test_a_stored_result_is_solved_again_by_verify(
    feeder: wb.Feeder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = feeder.edit({"sawmill": 30}).save(tmp_path / "village.study.json")
    found = wb.verify(path)
    assert found.reproduces and found.states["compared"].item() > 100, repr(found)
    assert main(["verify", str(path)]) == 0
    assert "1 state reproduced" in capsys.readouterr().out
    bundle = json.loads(path.read_bytes())
    bundle["document"]["result"]["head"]["result_sha256"] = "0" * 64  # as an engine wrote it that computes otherwise
    path.write_text(json.dumps(bundle))
    assert main(["verify", str(path)]) == 4
    assert "result hash" in capsys.readouterr().out
    module = next(iter(bundle["artifacts"].values()))
    module["text"] = module["text"].replace("village", "villagf", 1)
    path.write_text(json.dumps(bundle))
    assert main(["verify", str(path)]) == 2
    assert "STUDY_FILE.HASH" in capsys.readouterr().err


def test_a_map_of_a_feeder_is_refused_with_the_alternatives(feeder: wb.Feeder, tmp_path: Path) -> None:
    with pytest.raises(wb.InputError, match=r'feeder\.save\("village\.study\.json"\)') as refused:
        feeder.map()
    assert refused.value.code == "MAP.FEEDER"
    assert wb.verify(feeder.save(tmp_path / "village.study.json")).reproduces


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(VILLAGE)]) == 2
    assert "--source-impedance branch" in capsys.readouterr().err
    options = ["--source-impedance", "branch", "--load", "sawmill=30"]
    assert main(["solve", str(VILLAGE), *options]) == 0
    out = capsys.readouterr().out
    assert "lowest voltage" in out and "no prices" in out and "edited            1 load" in out
    assert main(["solve", str(VILLAGE), *options, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["result"]["loads"] == {"load.sawmill": {"p_kw": 30.0}}
    assert {row["load"]: row["p_kw"] for row in answer["loads"]}["sawmill"] == 30.0
    for option in (["--load", "a=4"], ["--controls", "held"]):
        for case in ("carolina", "three_bus.m"):
            assert main(["solve", case, *option]) == 2
            assert f"{option[0]} is for feeders; --demand BUS=MW changes a case." in capsys.readouterr().err
    assert main(["solve", "nowhere.dss", "--load", "a=4"]) == 2
    assert "File not found" in capsys.readouterr().err
    for wrong in (["--load", "sawmill"], ["--load", "sawmill=a"], ["--demand", "1=2"]):
        assert main(["solve", str(VILLAGE), "--source-impedance", "branch", *wrong]) == 2
        assert "NAME=KW" in capsys.readouterr().err
