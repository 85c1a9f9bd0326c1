"""PyPSA networks as passed to the engine, with the optimum of `network.optimize()` (PyPSA 1.2.4, HiGHS), without pypsa.
`peer_pypsa.py` makes the networks and verifies this record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import wattbook as wb

RECORDED: dict[str, Any] = json.loads((Path(__file__).parents[2] / "fixtures" / "pypsa.json").read_text())


@pytest.mark.parametrize("what", RECORDED)
def test_the_optimum_of_pypsa(what: str) -> None:
    one = RECORDED[what]
    solution = wb.open_case(one["document"]).study(options={"dc_convention": "matpower"}).solution
    assert solution.objective == pytest.approx(one["objective"], rel=1e-6)
    # A mixed-integer program has no prices.
    assert one["lmp"] is None or solution.buses["lmp"].tolist() == pytest.approx(one["lmp"], abs=1e-4)


def test_names_and_warnings_of_a_document() -> None:
    document = {**RECORDED["fixed output"]["document"]}
    warnings = [{"code": "INPUT.LEFT_OUT", "text": "1 link of 50.0 MW (hvdc) is left out."}]
    document["wattbook"] = {**document["wattbook"], "warnings": [*document["wattbook"]["warnings"], *warnings]}
    case = wb.open_case(document)
    assert case.warnings[0].message == "1 link of 50.0 MW (hvdc) is left out."
    assert case.branches["uid"].tolist() == ["l0", "l1", "l2"]
    study = case.study()
    study.commit(demand={"b": 5.0}, ratings={"l1": 3.0}, generators={"dear": {"p_max": 90.0}})
    assert dict(study.edits.demand) == {2: 5.0} and dict(study.edits.ratings) == {2: 3.0}
    # The engine reads names too.
    assert study.lmp_components("b").bus == 2


def test_the_name_of_several_buses_is_no_key() -> None:
    document = json.loads(json.dumps(RECORDED["as it is"]["document"]))
    document["bus"]["3"]["name"] = "b"
    study = wb.open_case(document).study()
    with pytest.raises(wb.EditError) as refused:
        study.commit(demand={"b": 5.0})
    assert refused.value.code == "BUS.AMBIGUOUS"
    assert refused.value.message == "'b' is the name of 2 buses, 2, 3. Use the number of the bus."
