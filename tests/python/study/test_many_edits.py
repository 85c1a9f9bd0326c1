"""Many edits at once: Series and DataFrames of pandas, and one change for the elements of an area, a voltage, a fuel or a filter."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
import wattbook as wb
from networks import THREE_BUS
from wattbook.edits.edits import by_element

Ask = Callable[[wb.Study], object]


@pytest.fixture(scope="module")
def carolina() -> wb.Case:
    return wb.open_case("carolina")


def test_a_series_is_the_mapping(study: wb.Study) -> None:
    study.commit(demand=0.1 * study.case.buses["demand_mw"], ratings=pd.Series({"3": -210.0}))
    assert study.edits == wb.Edits({2: 9.0}, {3: -210.0})
    # The closed form of line 3 at 40 MW and 99 MW at bus 2: p1 = 78, p3 = 21, prices from the slopes of the base case.
    assert study.solution.buses["lmp"].tolist() == pytest.approx([18.2 + 9 * 0.44, 30.1 + 9 * 1.05, 6.3 - 9 * 0.17])
    study.commit(pd.Series({2: 1.0}), mode="increment")
    assert study.edits.demand == {2: 10.0}
    study.commit(pd.Series(dtype=float))
    assert study.edits.demand == {2: 10.0}
    assert study.commit(reactive=pd.Series({2: 3.0})) and study.edits.reactive == {2: 3.0}


def test_a_table_of_generators(study: wb.Study) -> None:
    table = pd.DataFrame(
        {"p_max": [np.nan, 50], "cost": [10.0, np.nan], "status": [None, True]},
        index=pd.Index([1, 2], name="generator"),
    )
    study.commit(generators=table)
    assert study.edits.generators == {1: {"cost": 10.0}, 2: {"p_max": 50.0, "status": True}}
    # Unit 1 offers any amount at 10 $/MWh, unit 2 gives (10 - 1.2) / 0.17 = 51.8 MW, but for its limit.
    assert study.solution.generators["p_mw"].tolist() == pytest.approx([40, 50])
    # The same with the generators in a column; missing values leave what is committed.
    study.commit(generators=pd.DataFrame({"generator": ["2"], "p_max": pd.array([60], "Int64"), "cost": [pd.NA]}))
    assert study.edits.generators == {1: {"cost": 10.0}, 2: {"p_max": 60.0, "status": True}}
    study.commit(generators=table[["p_max"]].iloc[:1])
    assert study.edits.generators[2] == {"p_max": 60.0, "status": True}


def test_a_table_of_any_element() -> None:
    """The same function reads tables of branches."""
    names = ("status", "rating", "x", "tap", "shift")
    table = pd.DataFrame({"status": [False, None], "rating": [np.nan, 120.0]}, index=["line 3", 4])
    read = by_element(table, "branch", names, "BRANCH.MALFORMED")
    assert read == {"line 3": {"status": False}, 4: {"rating": 120.0}}
    with pytest.raises(wb.WattbookError) as refused:
        by_element(table.rename(columns={"rating": "rating_mw"}), "branch", names, "BRANCH.MALFORMED")
    assert refused.value.message.endswith("not 'rating_mw': did you mean 'rating'?")


def test_other_calls_take_them_too(study: wb.Study) -> None:
    demand, ratings = pd.Series({2: 5.0}), pd.Series({3: -210.0})
    table = pd.DataFrame({"cost": [10.0]}, index=[1])
    assert study.preview(demand).prices is not None
    assert study.preview(ratings=ratings).valid_mw == study.preview(ratings={3: -210.0}).valid_mw
    assert repr(study.preview(generators=table)) == repr(study.preview(generators={1: {"cost": 10.0}}))
    assert study.explain(demand, ratings, generators=table) is None
    swept = wb.sweep(study, [{"demand": demand, "ratings": ratings}], progress=False)
    study.commit(demand, ratings)
    assert swept.prices.iloc[0].tolist() == study.solution.buses["lmp"].tolist()


def test_an_area_scaled(carolina: wb.Case) -> None:
    study = carolina.study()
    before = study.solution.aggregate("area")["demand_mw"]
    changes = study.changes("demand", factor=1.05, area=2)
    assert changes.index.name == "bus" and changes.attrs["units"] == "MW"
    study.commit(demand=changes)
    after = study.solution.aggregate("area")["demand_mw"]
    assert (after / before).to_dict() == pytest.approx({1: 1, 2: 1.05, 3: 1, 4: 1})
    # A factor is of the current demand, edits included; `to` and `add` give the demand itself and a sum.
    study.commit(demand=study.changes("demand", factor=1 / 1.05, area=[2]))
    assert study.solution.aggregate("area")["demand_mw"].tolist() == pytest.approx(before.tolist())
    study.reset()
    bus = int(carolina.buses["demand_mw"].idxmax())
    only = carolina.buses.index == bus
    assert study.commit(study.changes("demand", to=200, where=only)).buses["demand_mw"][bus] == pytest.approx(200)
    assert study.commit(study.changes("demand", add=-3, where=only)).buses["demand_mw"][bus] == pytest.approx(197)


def test_the_selected_elements(carolina: wb.Case) -> None:
    study, buses = carolina.study(), carolina.buses
    branches, generators = carolina.branches, carolina.generators
    assert study.changes("demand", factor=2).index.equals(buses.index[buses["demand_mw"] != 0])
    assert study.changes("demand", add=1).index.equals(buses.index)
    ends = buses["base_kv"][branches["from_bus"]].to_numpy(), buses["base_kv"][branches["to_bus"]].to_numpy()
    kv = study.changes("ratings", add=50, base_kv=230.0)
    assert kv.index.tolist() == branches.index[(ends[0] == 230) & (ends[1] == 230)].tolist()
    assert (kv == 50).all()
    assert set(study.changes("ratings", add=50, base_kv=[115, 230]).index) > set(kv.index)
    gas = study.changes("p_max", factor=0.9, fuel="Gas")
    own = generators[generators["energy_source"] == "gas"]
    assert gas["p_max"].tolist() == pytest.approx((0.9 * own["p_max_mw"]).tolist())
    assert gas.attrs["units"] == {"p_max": "MW"}
    there = study.changes("p_max", factor=0.9, fuel="gas", area=1).index
    assert set(buses["area"][generators["bus"][there]]) == {1}
    large = study.changes("p_min", to=0, where=generators["p_max_mw"] > 100, zone=[1, 2, 3, 4]).index
    assert large.equals(generators.index[generators["p_max_mw"] > 100])
    assert study.changes("cost", to=30, fuel=["coal", "gas"])["cost"].eq(30).all()
    status = study.changes("status", to=False, where=(generators["p_max_mw"] > 100).to_numpy())
    assert status["status"].dtype == bool and not status["status"].any()
    # Missing values of a filter select nothing.
    where = pd.Series(pd.array([True, pd.NA], "boolean"), index=buses.index[:2])
    assert study.changes("demand", add=1, where=where).index.tolist() == buses.index[:1].tolist()


def test_values_count_from_the_current_state(study: wb.Study) -> None:
    study.commit(generators={1: {"p_max": 200, "cost": 12}}, ratings={3: -210})
    assert study.changes("p_max", factor=0.5)["p_max"].to_dict() == {1: 100.0, 2: 135.0}
    # Generator 2 has a cost curve, generator 1 does not any more.
    assert study.changes("cost", add=3, where=[True, False])["cost"].to_dict() == {1: 15.0}
    assert study.changes("ratings", to=100).to_dict() == {1: -150.0, 2: -150.0, 3: -150.0}
    assert study.changes("ratings", factor=2, where=pd.Series({3: True})).to_dict() == {3: -170.0}
    study.commit(generators=study.changes("status", to=False, where=[False, True]))
    assert study.edits.generators[2] == {"status": False}


def test_lines_without_a_rating_are_left_out() -> None:
    text = THREE_BUS.format(rating_12=250, rating_23=250).replace(
        "\t250\t0\t0\t0\t0\t1\t-360", "\t250\t0\t0\t0\t0\t0\t-360", 1
    )
    study = wb.open_case(text.encode(), format="matpower").study()
    assert study.changes("ratings", add=10).index.tolist() == [2, 3]


REFUSED: list[tuple[Ask, str, str]] = [
    (
        lambda s: s.commit(pd.Series({2: 1.0, 3: np.nan})),
        "DELTA.MALFORMED",
        "The demand change at bus 3 is not a finite number: nan. Leave missing values out with .dropna().",
    ),
    (
        lambda s: s.commit(reactive=pd.Series({2: None}, dtype=float)),
        "DELTA.MALFORMED",
        "The reactive demand change at bus 2 is not a finite number: nan. Leave",
    ),
    (lambda s: s.commit(pd.Series({9: 1.0})), "DELTA.UNKNOWN_BUS", "There is no bus 9 in this case"),
    (
        lambda s: s.commit(s.case.buses[["demand_mw"]]),
        "DELTA.MALFORMED",
        "not a DataFrame. Pass one column of it.",
    ),
    (
        lambda s: s.commit(generators=s.case.generators[["p_max_mw"]]),
        "GENERATOR.MALFORMED",
        "A table of generator edits has the columns p_min, p_max, cost, c2, status, not 'p_max_mw': did you mean 'p_max'?",
    ),
    (
        lambda s: s.commit(generators=pd.DataFrame({"p_max": [1.0, 2.0]}, index=[1, 1])),
        "GENERATOR.MALFORMED",
        "generator 1 is named twice.",
    ),
    (
        lambda s: s.commit(generators=pd.DataFrame({"p_max": [1.0]}, index=[7])),
        "GENERATOR.UNKNOWN",
        "There is no generator 7",
    ),
    (
        lambda s: s.commit(generators=pd.DataFrame({"status": [1]}, index=[2])),
        "GENERATOR.MALFORMED",
        "The status of generator 2 must be True or False, not 1.",
    ),
    (
        lambda s: s.commit(generators=pd.DataFrame({"p_max": ["much"]}, index=[2])),
        "GENERATOR.MALFORMED",
        "p_max of generator 2 is not a finite number in MW: 'much'.",
    ),
    (lambda s: s.commit(generators=pd.Series({1: 5.0})), "GENERATOR.MALFORMED", "The values of generator 1 must be"),
    (lambda s: s.changes("load", add=1), "ARGUMENT.CHOICE", "quantity must be one of 'demand', 'ratings'"),
    (lambda s: s.changes("demand"), "EDIT.AMOUNT", "Give one of factor, add and to, for instance factor=1.1."),
    (lambda s: s.changes("demand", factor=1, to=2), "EDIT.AMOUNT", "Give one of factor, add and to"),
    (lambda s: s.changes("demand", add=np.inf), "EDIT.AMOUNT", "add must be a finite number in MW, not inf."),
    (lambda s: s.changes("status", factor=2), "EDIT.AMOUNT", "give to=True or to=False."),
    (lambda s: s.changes("status", to=1), "ARGUMENT.CHOICE", "to must be True or False, not 1."),
    (lambda s: s.changes("p_max", to=True), "EDIT.AMOUNT", "to must be a finite number in MW, not True."),
    (lambda s: s.changes("cost", factor=2), "EDIT.AMOUNT", "Generator 1 has a cost curve"),
    (lambda s: s.changes("demand", add=1, area=9), "EDIT.SELECTION", "no area 9 in this case: there are 1."),
    (lambda s: s.changes("demand", add=1, zone=[1, 8]), "EDIT.SELECTION", "no zone 8 in this case: there are 1."),
    (
        lambda s: s.changes("demand", add=1, base_kv=345),
        "EDIT.SELECTION",
        "no bus of base kV 345 in this case: there are 115, 230.",
    ),
    (lambda s: s.changes("demand", add=1, area=[]), "EDIT.SELECTION", "area is empty: name at least one"),
    (lambda s: s.changes("demand", add=1, fuel="gas"), "EDIT.SELECTION", "A bus has no fuel: fuel selects generators."),
    (lambda s: s.changes("p_max", add=1, fuel="gas"), "EDIT.SELECTION", "the source has no fuel."),
    (
        lambda s: s.changes("ratings", add=1, base_kv=115),
        "EDIT.SELECTION",
        "No line is selected by base_kv 115.",
    ),
    (lambda s: s.changes("demand", factor=2, base_kv=115), "EDIT.SELECTION", "No selected bus has a demand to scale."),
    (
        lambda s: s.changes("demand", add=1, where=s.case.generators.p_max_mw > 1),
        "EDIT.SELECTION",
        "where selects by generator, not by bus: for instance case.buses.demand_mw > 50.",
    ),
    (
        lambda s: s.changes("demand", add=1, where=pd.Series({9: True})),
        "EDIT.SELECTION",
        "There is no bus 9 in this case, which where names.",
    ),
    (
        lambda s: s.changes("demand", add=1, where=pd.Series([True, True], index=[2, 2])),
        "EDIT.SELECTION",
        "where names bus 2 twice.",
    ),
    (lambda s: s.changes("demand", add=1, where=[True]), "EDIT.SELECTION", "where has 1 value for 3 buses: give a"),
    (lambda s: s.changes("demand", add=1, where=5), "EDIT.SELECTION", "where must be a filter of True and False"),
    (
        lambda s: s.changes("demand", add=1, where=s.case.buses.demand_mw),
        "EDIT.SELECTION",
        "where must be a filter of True and False",
    ),
]


@pytest.mark.parametrize(("ask", "code", "says"), REFUSED, ids=[says for _, _, says in REFUSED])
def test_refusals(ask: Ask, code: str, says: str, study: wb.Study) -> None:
    with pytest.raises(wb.WattbookError) as refused:
        ask(study)
    assert refused.value.code == code and says in refused.value.message
    assert study.revision == 0


def test_a_table_of_another_library_is_refused(study: wb.Study) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    with pytest.raises(wb.EditError) as refused:
        study.commit(generators=pyarrow.table({"generator": [1], "p_max": [50.0]}))
    assert refused.value.code == "GENERATOR.MALFORMED" and "pass .to_pandas() of it" in refused.value.message


def test_changes_of_other_elements_name_their_argument(study: wb.Study) -> None:
    ratings = study.changes("ratings", factor=0.5)
    with pytest.raises(wb.EditError) as refused:
        study.commit(ratings)
    assert refused.value.code == "DELTA.MALFORMED"
    assert refused.value.message == "A demand edit is by bus, and this Series is by line: pass it as ratings=."
    with pytest.raises(wb.EditError, match="A rating edit is by line, and this Series is by bus: pass it as demand="):
        study.commit(ratings=study.changes("demand", factor=1.1))
    assert study.revision == 0
