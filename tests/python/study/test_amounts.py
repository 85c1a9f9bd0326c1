"""Amounts too large for exact sums are refused by every call, with the element's name and a short number."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import wattbook as wb
from conftest import ROOT
from networks import three_bus
from wattbook.cli import main

Call = Callable[[wb.Study], object]
LIMITS = {"candidates": [3], "max_increase_mw": 4, "increment_mw": 2, "budget_mw": 4}


@pytest.mark.parametrize(
    ("call", "code", "message"),
    [
        (
            lambda study: study.commit({2: 1e308}),
            "DELTA.MALFORMED",
            "The demand change at bus 2 is 1.0e308 MW; the limit is 1.0e9 MW.",
        ),
        (
            lambda study: study.preview({2: -2e9}),
            "DELTA.MALFORMED",
            "The demand change at bus 2 is \u22122.0e9 MW; the limit is 1.0e9 MW.",
        ),
        (
            lambda study: study.explain({2: 1e308}),
            "DELTA.MALFORMED",
            "The demand change at bus 2 is 1.0e308 MW; the limit is 1.0e9 MW.",
        ),
        (
            lambda study: study.commit(ratings={3: 1e308}),
            "RATE.MALFORMED",
            "The rating change of line 3 is 1.0e308 MW; the limit is 1.0e9 MW.",
        ),
        (
            lambda study: study.commit(generators={1: {"p_max": 1e308}}),
            "GENERATOR.MALFORMED",
            "Pmin or Pmax of generator 1 is 1.0e308 MW; the limit is 1.0e9 MW.",
        ),
        (
            lambda study: study.track(bus=2, to_mw=1e308),
            "INPUT.REQUEST",
            "The track of bus 2 ends at 1.0e308 MW; the limit is 1.0e9 MW.",
        ),
        (
            lambda study: study.plan(weights={2: 1e308}, **LIMITS),
            "PLAN.SPEC",
            "The weight of bus 2 is 1.0e308; the limit is 1.0e9.",
        ),
        (
            lambda study: study.plan(weights={2: 1}, **{**LIMITS, "budget_mw": 1e308}),
            "PLAN.SPEC",
            "budget_mw is 1.0e308 MW; the limit is 1.0e9 MW.",
        ),
    ],
)
def test_calls_of_a_study(call: Call, code: str, message: str) -> None:
    study = wb.open_case(three_bus(rating_23=40), format="matpower").study()
    before = study.solution.sha256
    with pytest.raises(wb.WattbookError) as refused:
        call(study)
    assert (refused.value.code, str(refused.value)) == (code, f"{message} [{code}]")
    assert study.solution.sha256 == before


def test_loads_of_a_feeder() -> None:
    feeder = wb.open_feeder(ROOT / "examples" / "village.dss").solve(source_impedance="branch")
    load = feeder.loads.index[0]
    with pytest.raises(wb.WattbookError) as refused:
        feeder.edit(loads={load: 1e308})
    assert refused.value.code == "EDIT.LOAD_POWER"
    assert load in str(refused.value) and "1.0e308 kW; the limit is 1.0e9 kW" in str(refused.value)


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "three_bus.m"
    path.write_bytes(three_bus(rating_23=40))
    assert main(["solve", str(path), "--demand", "2=1e308"]) != 0
    assert "The demand change at bus 2 is 1.0e308 MW; the limit is 1.0e9 MW." in capsys.readouterr().err
