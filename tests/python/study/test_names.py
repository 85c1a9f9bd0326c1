"""Names and indices of the source as keys, usable suggestions, and columns common to case and result."""

from __future__ import annotations

import inspect
import json
import pickle
from pathlib import Path

import pytest
import wattbook as wb
from networks import three_bus
from wattbook.map.style import map_settings

FIXTURES = Path(__file__).parents[2] / "fixtures"
#: Lines with names, as in revision 34, two with equal names; a transformer; one of three windings.
RAW = """\
0, 100.0, 34, 0, 1, 60.0 / PSS(R)E-34
NAMES

1,'NORTH',230.0,3,1,7,1,1.0,0.0
2,'SOUTH',230.0,1,2,8,1,1.0,0.0
3,'SOUTH',115.0,1,2,8,1,1.0,0.0
4,'TERTIARY',13.8,1,2,8,1,1.0,0.0
0 / END OF BUS DATA, BEGIN LOAD DATA
2,'1',1,2,8,50.0,10.0,0,0,0,0,1,1,0
0 / END OF LOAD DATA, BEGIN FIXED SHUNT DATA
0 / END OF FIXED SHUNT DATA, BEGIN GENERATOR DATA
1,'1',50,0,999,-999,1.0,0,100,0,1,0,0,1,1,100,500,0
0 / END OF GENERATOR DATA, BEGIN BRANCH DATA
1,2,'1',0.01,0.1,0.02,'NORTH TIE',100,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1
1,2,'2',0.01,0.1,0.02,'TWIN',100,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1
2,3,'1',0.01,0.1,0.02,'TWIN',100,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1
0 / END OF BRANCH DATA, BEGIN SYSTEM SWITCHING DEVICE DATA
0 / END OF SYSTEM SWITCHING DEVICE DATA, BEGIN TRANSFORMER DATA
1,3,4,'1',1,1,1,0,0,2,'WINDINGS',1,1,1
0.002,0.11,100,0.003,0.12,100,0.004,0.13,100,1.0,0.0
1.0,230.0,0.0,90
1.0,115.0,0.0,91
1.0,13.8,0.0,92
0 / END OF TRANSFORMER DATA, BEGIN AREA DATA
Q
"""


@pytest.fixture(scope="module")
def raw() -> wb.Case:
    return wb.open_case(RAW.encode(), format="psse")


@pytest.fixture(scope="module")
def pandapower() -> wb.Case:
    network = json.loads((FIXTURES / "pandapower.json").read_text(encoding="utf-8"))["case39"]["network"]
    return wb.open_case(json.dumps(network).encode(), format="pandapower-json")


def test_names_are_keys_where_they_are_unique(raw: wb.Case) -> None:
    study = raw.study()
    study.commit({"NORTH": 5}, {"NORTH TIE": 7})
    assert (study.edits.demand, study.edits.ratings) == ({1: 5.0}, {1: 7.0})
    assert study.sensitivity(branch="NORTH TIE").element == study.sensitivity(branch=1).element
    with pytest.raises(wb.EditError) as buses:
        study.commit({"SOUTH": 5})
    assert buses.value.code == "BUS.AMBIGUOUS"
    with pytest.raises(wb.EditError) as lines:
        study.commit(ratings={"TWIN": 5})
    assert lines.value.code == "BRANCH.AMBIGUOUS"
    assert lines.value.message == "'TWIN' is the name of 2 lines, 2, 3. Use the number of the line."
    assert raw.branches["name"].fillna("").tolist() == ["NORTH TIE", "TWIN", "TWIN", "", "", ""]
    assert pickle.loads(pickle.dumps(raw)).branches["name"].equals(raw.branches["name"])


def test_names_stay_in_a_saved_case(raw: wb.Case, tmp_path: Path) -> None:
    study = raw.study()
    study.commit(ratings={"NORTH TIE": 7})
    again = wb.open_case(study.save_module(tmp_path / "a.module.json"))
    assert again.branches["name"].equals(raw.branches["name"])
    assert again.branches["rating_mw"][1] == 107.0
    assert wb.open_case(three_bus(), format="matpower").branches["name"].isna().all()


def test_suggestions_are_editable_elements(raw: wb.Case) -> None:
    study = raw.study()
    fixed = raw.buses.index[~raw.buses["editable"]].tolist()
    arms = raw.branches.index[~raw.branches["editable"]].tolist()
    assert len(fixed) == 1 and len(arms) == 3
    for key in (fixed[0] + 1, fixed[0] + 1000, "star", "WINDINGS", "nothing like it", "TERTIARI"):
        with pytest.raises(wb.EditError) as refused:
            study.commit({key: 1})
        assert str(fixed[0]) not in refused.value.message.partition(": ")[2]
    with pytest.raises(wb.EditError) as refused:
        study.commit(ratings={arms[-1] + 1: 1})
    assert refused.value.message.endswith("its numbers go from 1 to 3.")


def test_the_index_of_pandapower_is_a_column_and_a_key(pandapower: wb.Case) -> None:
    network = json.loads((FIXTURES / "pandapower.json").read_text(encoding="utf-8"))["case39"]["network"]
    table = json.loads(network["_object"]["bus"]["_object"])
    assert pandapower.buses["source_index"].tolist() == table["index"]
    assert pandapower.buses.index.tolist() == [index + 1 for index in table["index"]]
    assert [warning.code for warning in pandapower.warnings] == ["INPUT.NUMBERS"]
    study = pandapower.study()
    study.commit({"source_index 7": 5, "source_index 15": 1}, {"line 0": 10})
    assert (study.edits.demand, study.edits.ratings) == ({8: 5.0, 16: 1.0}, {1: 10.0})
    assert study.sensitivity(bus="source_index 7").element == {"kind": "bus", "id": 8}
    with pytest.raises(wb.EditError, match="There is no bus 'source_index 39'"):
        study.commit({"source_index 39": 5})
    assert "source_index" not in wb.open_case(three_bus(), format="matpower").buses


@pytest.mark.parametrize("formulation", ["dcopf", "acpf", "socwr"])
def test_case_and_result_have_one_name_for_one_thing(formulation: str) -> None:
    case = wb.open_case(three_bus(), format="matpower").with_layout((10.0, 50.0))
    solution = case.study(formulation).solution
    shared = ["name", "base_kv", "area", "zone", "longitude", "latitude", "demand_mw"]
    assert solution.buses[shared].equals(case.buses[shared])
    assert solution.branches["rating_mw"].tolist() == case.branches["rating_mw"].tolist()
    assert solution.branches.attrs["units"]["rating_mw"] == ("MW" if formulation == "dcopf" else "MVA")
    assert solution.branches["name"].equals(case.branches["name"])
    assert solution.generators["in_service"].equals(case.generators["in_service"])
    assert {"p_mw", "p_min_mw", "p_max_mw"} <= set(solution.generators)


def test_map_completes_its_keywords() -> None:
    study = wb.open_case(three_bus(), format="matpower").study()
    named = inspect.signature(study.map).parameters
    with pytest.raises(wb.ArgumentError, match=r"no keyword 'cmpa'; did you mean 'cmap'\? It takes: ") as refused:
        study.map(cmpa="viridis")
    known = refused.value.message.partition("It takes: ")[2].rstrip(".").split(", ")
    assert sorted(known) == sorted(name for name in named if name != "unknown")
    given = study.map(cmap="viridis", height=300, basemap=None)
    assert given.view["basemap"] == {"kind": "none"} and given.view["style"] == {"cmap": "viridis"}
    assert (
        "basemap" not in study.map().view
        and study.map().view == map_settings(study.formulation, study.case, {})["view"]
    )
