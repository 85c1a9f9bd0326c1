"""Networks in memory from other packages: supported inputs, with the numbers of the file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import wattbook as wb
from networks import CLOSED_FORMS, three_bus

FIXTURES = Path(__file__).parents[2] / "fixtures"


def mpc() -> dict[str, Any]:
    """The hand-made network in the form of PYPOWER and matpowercaseframes."""
    return {
        "version": "2",
        "baseMVA": 100.0,
        "bus": np.array(
            [
                [1, 3, 0, 0, 0, 0, 1, 1, 0, 230, 1, 1.1, 0.9],
                [2, 1, 90, 0, 0, 0, 1, 1, 0, 230, 1, 1.1, 0.9],
                [3, 2, 0, 0, 0, 0, 1, 1, 0, 115, 1, 1.1, 0.9],
            ]
        ),
        "gen": [
            [1, 45, 0, 100, -100, 1, 100, 1, 250, 10, *[0] * 11],
            [3, 45, 0, 100, -100, 1, 100, 1, 270, 10, *[0] * 11],
        ],
        "branch": np.array(
            [
                [1, 2, 0.01, 0.1, 0, 250, 0, 0, 0, 0, 1, -360, 360],
                [1, 3, 0.01, 0.1, 0, 250, 0, 0, 0, 0, 1, -360, 360],
                [2, 3, 0.01, 0.1, 0, 40, 0, 0, 0, 0, 1, -360, 360],
            ]
        ),
        "gencost": [[2, 0, 0, 3, 0.11, 5, 0], [2, 0, 0, 3, 0.085, 1.2, 0]],
    }


def test_a_dictionary_of_matpower() -> None:
    case = wb.open_case(mpc())
    form = CLOSED_FORMS["line 2-3 at 40 MW"]
    solution = case.study().solution
    assert solution.objective == pytest.approx(form["objective"])
    assert solution.buses["lmp"].tolist() == pytest.approx(form["lmp"])
    assert (case.n_bus, case.n_branch, case.n_gen, case.id) == (3, 3, 2, "case")
    # Every digit arrives.
    odd = mpc()
    odd["branch"][0, 3] = 0.1 + 1e-16 * 3
    odd["bus"][1, 2] = 1 / 3
    again = wb.open_case(odd)
    assert again.branches["x_pu"][1] == odd["branch"][0, 3] and again.buses["demand_mw"][2] == 1 / 3


def test_a_dictionary_of_powermodels() -> None:
    text = wb.open_case(three_bus(rating_23=40), format="matpower").export(None, "powermodels-json")
    case = wb.open_case(json.loads(text))
    assert case.study().solution.objective == pytest.approx(CLOSED_FORMS["line 2-3 at 40 MW"]["objective"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bus": None, "branch": None, "gen": None, "gencost": None, "nodes": []}, "bus, branch"),
        ({"bus": [[1, 2]]}, "13 columns"),
        ({"gen": [["much"] * 10]}, "not numbers"),
        ({"baseMVA": "hundred"}, "baseMVA"),
    ],
)
def test_dictionaries_that_are_no_case_are_refused(change: dict[str, Any], message: str) -> None:
    given = {key: value for key, value in {**mpc(), **change}.items() if value is not None}
    with pytest.raises(wb.InputError, match=message) as refused:
        wb.open_case(given)
    assert refused.value.code.startswith("INPUT.")


@pytest.mark.parametrize("package", ["pandapower", "pypsa"])
def test_packages_are_required_only_where_they_are_needed(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    case = wb.open_case(mpc())
    with pytest.raises(wb.InputError) as refused:
        getattr(case, f"to_{package}")()
    assert refused.value.code == f"OUTPUT.{package.upper()}" and f"pip install {package}" in refused.value.message


def test_a_study_is_a_context() -> None:
    with wb.open_case(mpc()).study() as study:
        assert study.solution.objective == pytest.approx(808.5)
    with pytest.raises(wb.WattbookError) as refused:
        _ = study.solution
    assert refused.value.code == "STUDY.FREED"


@pytest.mark.parametrize("name", ["case39", "static"])
def test_the_voltages_of_pandapower(name: str) -> None:
    """Voltages that `pandapower.runpp(net, trafo_model="pi")` (3.5.6) found for unsolved networks: case39, and two
    islands with static generators, at the bus of a generator and where the generator is out of service."""
    recorded = json.loads((FIXTURES / "pandapower.json").read_text())[name]
    case = wb.open_case(json.dumps(recorded["network"]).encode(), format="pandapower-json")
    solution = case.study("acpf").solution
    assert solution.power_flow["dispatch"] == "file"
    assert solution.buses["vm_pu"].tolist() == pytest.approx(recorded["vm_pu"], abs=1e-8)
    assert solution.buses["va_deg"].tolist() == pytest.approx(recorded["va_deg"], abs=1e-6)
