"""Lines without impedance and without a rating: nothing limits them, and they have no rating to change."""

from __future__ import annotations

import math

import pandas as pd
import pytest
import wattbook as wb
from networks import three_bus_with_tie
from wattbook.agents.desk import Desk
from wattbook.agents.tools import query_network


@pytest.fixture
def study() -> wb.Study:
    """The hand-made network; all of its demand is behind line 4, which has neither impedance nor rating."""
    return wb.open_case(three_bus_with_tie(), format="matpower").study()


def test_the_rating_is_infinite_and_the_loading_zero(study: wb.Study) -> None:
    case = study.case
    assert case.branches["rating_mw"].tolist() == [250.0, 250.0, 250.0, math.inf]
    assert case.branches["rating_is_fallback"].tolist() == [False, False, False, True]
    assert not [warning for warning in case.warnings if warning.code == "RATING.FALLBACK"]
    flows = study.solution.branches
    assert (flows["rating_mw"][4], flows["loading"][4]) == (math.inf, 0.0)
    assert flows["p_from_mw"][4] == pytest.approx(90.0)
    # The hand-made network has the same prices without it.
    assert study.solution.buses["lmp"].to_numpy() == pytest.approx([11.487179] * 4, abs=1e-6)
    assert study.solution.objective == pytest.approx(626.948718, abs=1e-6)


def test_pages_and_agents_receive_no_rating(study: wb.Study) -> None:
    assert ">none<" in study.solution._repr_html_()
    desk = Desk()
    case_id = desk.take(study)
    query = {"case_id": case_id, "element_kind": "branch"}
    data, _ = query_network(desk, query | {"sort_by": "rating_mw"})
    assert [row["id"] for row in data["rows"]] == [1, 2, 3]
    data, _ = query_network(desk, query | {"element_ids": [4]})
    assert "rating_mw" not in data["rows"][0] and data["rows"][0]["flow_mw"] == 90.0


def test_there_is_no_rating_to_change(study: wb.Study) -> None:
    before = study.solution.sha256
    message = "Line 4 has no impedance, and the file gives it no rating that could change. Give it one in the file."
    for refused in (
        lambda: study.commit(ratings={4: -5.0}),
        lambda: study.sensitivity(branch=4),
        lambda: study.track(branch=4, to_mw=5.0),
        lambda: study.series(ratings=pd.DataFrame({4: [100.0, 90.0]})),
        lambda: study.series(ratings=pd.DataFrame({4: [1.0, 0.9]}), unit="pu"),
        lambda: wb.sweep(study, [{"ratings": {4: -5.0}}], on_error="raise"),
    ):
        with pytest.raises(wb.WattbookError) as error:
            refused()
        assert error.value.code == "EDIT.NOT_EDITABLE" and error.value.message.endswith(message)
    assert study.solution.sha256 == before
