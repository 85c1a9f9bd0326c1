"""Arguments of public methods: numbers of all libraries are accepted, and invalid ones are refused by name."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import wattbook as wb
from networks import three_bus
from wattbook import arguments
from wattbook.cli import main
from wattbook.native import engine_errors
from wattbook.network import Elements
from wattbook.tables.rows import Columns, ElementRows

Ask = Callable[[wb.Study], Any]

NUMBERS = [5, 5.0, np.float32(5), np.int16(5), np.array(5.0), pd.Series([5.0])[0], Decimal(5), Fraction(10, 2)]
NO_NUMBERS = [
    "5",
    "5MW",
    None,
    True,
    np.True_,
    5j,
    [5],
    np.array([5.0]),
    pd.Series([5.0]),
    np.timedelta64(5),
    float("nan"),
]


@pytest.mark.parametrize("value", NUMBERS, ids=repr)
def test_numbers_of_all_libraries(value: Any, study: wb.Study) -> None:
    assert arguments.finite(value) == 5.0
    track = study.track(bus=2, from_mw=0, to_mw=value)
    assert (track.to_mw, len(track.price_at(value))) == (5.0, 3)
    assert study.commit({2: value}).buses["demand_mw"][2] == 95.0


@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
def test_values_that_are_no_numbers_are_refused_with_the_argument(value: Any, study: wb.Study) -> None:
    track = study.track(bus=2, to_mw=5)
    refused: list[tuple[Ask, str, str]] = [
        (
            lambda study: study.track(bus=2, to_mw=value),
            "TARGET.MALFORMED",
            "Give to_mw: " if value is None else "to_mw must be a finite number of MW, not ",
        ),
        (
            lambda study: study.track(bus=2, to_mw=1, from_mw=value),
            "TARGET.MALFORMED",
            "from_mw must be a finite number",
        ),
        (lambda _: track.price_at(value), "ARGUMENT.NUMBER", "mw must be a finite number of MW, not "),
        (lambda _: track.objective_at(value), "ARGUMENT.NUMBER", "mw must be a finite number of MW, not "),
        (
            lambda study: study.commit({2: value}),
            "DELTA.MALFORMED",
            "The demand change at bus 2 is not a finite number: ",
        ),
        (lambda study: study.preview(ratings={3: value}), "RATE.MALFORMED", "The rating change at line 3 is not a"),
    ]
    if value is None:
        refused = [case for case in refused if not case[2].startswith("from_mw")]  # the start of the path has a default
    for ask, code, says in refused:
        with pytest.raises(wb.WattbookError) as caught:
            ask(study)
        assert caught.value.code == code and caught.value.message.startswith(says)
        assert "\n" not in caught.value.message and len(caught.value.message) < 200
    assert study.revision == 0


@pytest.mark.parametrize(
    "key", [2, "2", " 2 ", 2.0, np.int64(2), np.uint8(2), np.float64(2), pd.Index([2])[0]], ids=repr
)
def test_every_spelling_of_a_bus(key: Any, study: wb.Study) -> None:
    assert study.sensitivity(bus=key).element == {"kind": "bus", "id": 2}
    assert study.track(bus=key, to_mw=1, watch=key).watched_bus == 2
    assert study.lmp_components(key).bus == 2
    study.commit(pd.Series({key: 1.0}))
    assert dict(study.edits.demand) == {2: 1.0}


UNKNOWN: list[tuple[Ask, str, str]] = [
    (lambda s: s.sensitivity(bus=99), "BUS.UNKNOWN", "There is no bus 99 in this case: its numbers go from 1 to 3."),
    (lambda s: s.sensitivity(bus=-1), "BUS.UNKNOWN", "There is no bus -1 in this case: its numbers go from 1 to 3."),
    (
        lambda s: s.sensitivity(bus="Ash"),
        "BUS.UNKNOWN",
        "There is no bus 'Ash' in this case: use the number",
    ),
    (lambda s: s.sensitivity(bus=""), "BUS.UNKNOWN", "There is no bus '' in this case"),
    (lambda s: s.track(branch="9", to_mw=1), "BRANCH.UNKNOWN", "There is no line 9 in this case"),
    (lambda s: s.track(bus=2, to_mw=1, watch=9), "BUS.UNKNOWN", "watch: There is no bus 9 in this case"),
    (lambda s: s.lmp_components(9), "BUS.UNKNOWN", "There is no bus 9 in this case"),
    (lambda s: s.commit({9: 1}), "DELTA.UNKNOWN_BUS", "There is no bus 9 in this case"),
    (lambda s: s.explain(ratings={"line": 1}), "RATE.UNKNOWN_BRANCH", "There is no line 'line' in this case"),
    (lambda s: s.map(bus=9), "BUS.UNKNOWN", "There is no bus 9 in this case"),
    (lambda s: s.sensitivity(bus=[2]), "TARGET.MALFORMED", "A bus must be given by its number, uid or name, not [2]."),
    (
        lambda s: s.sensitivity(bus=pd.Series([2])),
        "TARGET.MALFORMED",
        "A bus must be given by its number, uid or name, not a Ser",
    ),
    (lambda s: s.sensitivity(branch=(3, 1)), "TARGET.MALFORMED", "not (3, 1). Between buses 3 and 1: 2."),
    (lambda s: s.commit(ratings={(1, 2): 5}), "RATE.MALFORMED", "not (1, 2). Between buses 1 and 2: 1."),
    (
        lambda s: s.commit(5),
        "DELTA.MALFORMED",
        "A demand edit must be a mapping of bus to MW, for instance {1: 10.0}, not 5.",
    ),
    (lambda s: s.commit({2: 1}, mode="add"), "EDIT.MODE", "not 'add'."),
    (lambda s: s.track(bus=2, to_mw=1, explain="no"), "ARGUMENT.CHOICE", "explain must be True or False, not 'no'."),
    (lambda s: s.map(quantity="demnd"), "ARGUMENT.CHOICE", "not 'demnd'; did you mean 'demand'?"),
    (
        lambda s: s.map(height=True),
        "ARGUMENT.NUMBER",
        "height must be a whole number of pixels from 120 to 4000, not True.",
    ),
    (lambda s: s.save_module(None), "ARGUMENT.FILE", "path must be a path, not None."),
    (lambda s: s.case.study(options=5), "ARGUMENT.OPTIONS", "options must be a mapping, for instance"),
    (lambda s: s.case.study(options={"a": float("nan")}), "ARGUMENT.OPTIONS", "Option 'a' cannot be nan."),
    (lambda s: s.case.explain("acopf"), "FORMULATION.UNAVAILABLE", "Unknown formulation 'acopf'"),
    (lambda s: s.case.with_geography(5), "ARGUMENT.FILE", "source must be a path or the bytes of a file, not 5."),
    (lambda s: s.case.with_layout((1, "b")), "INPUT.PLACEMENT", "centre contains 'b', which is not a finite number."),
    (lambda _: wb.open_case(None), "ARGUMENT.FILE", "source must be a path or the bytes of a file, not None."),
    (lambda _: wb.open_case("carolina", format="matpwer"), "INPUT.FORMAT", "'matpwer': did you mean 'matpower'?"),
    (lambda _: wb.open_case("carolina", format=5), "INPUT.FORMAT", "Unknown case format 5."),
    (lambda _: wb.open_case("Carolinas"), "CASE.UNKNOWN", "nor a bundled case: did you mean 'carolina'? Bundled: "),
    (lambda _: wb.open_case("nowhere.m"), "INPUT.NOT_FOUND", "File not found: nowhere.m in "),
    (
        lambda s: s.outage_flows(None),
        "TARGET.MALFORMED",
        "Name a branch: study.outage_flows(1).",
    ),
    (lambda s: s.lmp_components(None), "TARGET.MALFORMED", "Name a bus: study.lmp_components(1)."),
    (
        lambda s: s.sensitivity(),
        "TARGET.MALFORMED",
        "Name one bus, branch, generator, link or interface: study.sensitivity(bus=1).",
    ),
    (
        lambda s: s.track(bus=1, generator=1, to_mw=5),
        "TARGET.MALFORMED",
        "Name one bus, branch, generator, link or interface: study.track(bus=1, to_mw=50).",
    ),
    (
        lambda s: s.sensitivity(2),
        "TARGET.MALFORMED",
        "study.sensitivity(branch=2), study.sensitivity(generator=2) or study.sensitivity(link=2).",
    ),
    (
        lambda s: s.sensitivity(bus=2, value="p_min"),
        "TARGET.MALFORMED",
        "p_min is a value of a generator or a link, and none is named: study.sensitivity(generator=1, value='p_min').",
    ),
    (
        lambda s: s.track(branch=2, value="p_min", to_mw=5),
        "TARGET.MALFORMED",
        "p_min is a value of a generator or a link",
    ),
    (lambda s: s.sensitivity(bus=2, value="price"), "ARGUMENT.CHOICE", "value must be one of 'p_max'"),
    (
        lambda s: wb.sweep(s.case, [{}]),
        "ARGUMENT.STUDY",
        "study must be a Study, not <Case case: 3 buses, 3 branches, 2 generators>: wb.sweep(case.study(), scenarios).",
    ),
    (lambda s: wb.iter_sweep(None, [{}]), "ARGUMENT.STUDY", "study must be a Study, not None: wb.iter_sweep("),
    (lambda s: s.name_state(5), "ARGUMENT.CHOICE", "name must be text, not 5."),
    (lambda s: s.name_state("a", 5), "ARGUMENT.CHOICE", "note must be text, not 5."),
    (lambda s: s.name_state("a", state=["s0"]), "STATE.UNKNOWN", "['s0'] is not a state of this Study"),
    (lambda s: s.series(pd.Series([1.0]), by="system", parquet=5), "ARGUMENT.FILE", "path must be a path, not 5."),
    (lambda s: s.map().save(None), "ARGUMENT.FILE", "path must be a path, not None."),
    (
        lambda s: s.series(pd.DataFrame([[np.nan]], columns=np.array([2]))),
        "PROFILE.MALFORMED",
        "in column 2 at step 0.",
    ),
    (
        lambda s: s.case.with_costs(pd.DataFrame({"generator": [1], "cost": [np.nan]})),
        "COST.MALFORMED",
        "not (0.0, nan, 0.0).",
    ),
    (
        lambda s: wb.sweep(s, [{"outages": {2: "no"}}]),
        "SWEEP.MALFORMED",
        "The outage of line 2 must be True or False, not 'no'.",
    ),
    (lambda s: wb.sweep(s, [{"outages": {2: 3}}]), "SWEEP.MALFORMED", "must be True or False, not 3."),
    (lambda _: wb.Service(5), "SERVICE.ADDRESS", "server must be an address as text, not 5."),
]


@pytest.mark.parametrize(("ask", "code", "says"), UNKNOWN, ids=[says for _, _, says in UNKNOWN])
def test_ambiguous_arguments_are_refused(ask: Ask, code: str, says: str, study: wb.Study) -> None:
    with pytest.raises(wb.WattbookError) as caught:
        ask(study)
    assert caught.value.code == code and says in caught.value.message
    assert (study.revision, dict(study.edits.demand)) == (0, {})


def test_values_of_numpy_are_reported_as_those_of_python() -> None:
    row = (0, np.float64("nan"), [np.int64(3), np.True_, np.str_("a")])
    assert arguments.formatted(row) == "(0, nan, [3, True, 'a'])" and arguments.formatted(np.array([1])) == "array([1])"


def test_near_names_and_numbers() -> None:
    study = wb.open_case("carolina").study()
    for word, says in (
        ("columbia w 115 kv", "use the number; 3 is 'Columbia W 115 kV'."),
        ("columbia", "use the number; 1 is 'Columbia 115 kV', "),
        ("Colombia W 115 kV", "did you mean 'Columbia W 115 kV'"),
        ("nowhere at all", "use the number, for instance 1."),
    ):
        with pytest.raises(wb.EditError) as caught:
            study.sensitivity(bus=word)
        assert f"There is no bus {word!r} in this case: {says}" in caught.value.message
    columns = {"bus_id": [10.0, 20.0, 40.0], "bus_editable": [1.0, 1.0, 1.0]}
    ids = Columns({name: ("bus", "", np.array(values).tobytes()) for name, values in columns.items()})
    gaps = Elements("bus", ElementRows(ids, "bus_id", None))
    with pytest.raises(wb.EditError, match=r"no bus 30 in this case: the nearest are 20 and 40\."):
        gaps.target("30")


def test_an_argument_error_is_of_both_kinds_of_python() -> None:
    with pytest.raises(TypeError):
        wb.open_case(5)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        wb.open_case(5)  # type: ignore[arg-type]
    assert issubclass(wb.ArgumentError, wb.InputError)


def test_places_in_our_own_json_are_not_reported() -> None:
    module = wb.open_case(three_bus(), format="matpower").module_json
    with pytest.raises(wb.WattbookError) as refused, engine_errors() as native:
        native.solve_module(module, '{"formulation": 5}')
    assert refused.value.code == "INPUT.REQUEST"
    assert "cannot be read" in refused.value.message and " line " not in refused.value.message
    assert refused.value.details["line"] == 1


@pytest.mark.parametrize(
    "ask",
    [
        lambda study: study.commit({10**5000: 1}),
        lambda study: study.commit({"9" * 5000: 1}),
        lambda study: study.commit({1e308: 1}),
        lambda study: study.commit({"x" * 5000: 1}),
        lambda study: study.commit({2: 10**5000}),
        lambda study: study.sensitivity(bus=10**5000),
        lambda study: study.sensitivity(bus="9" * 5000),
        lambda study: study.sensitivity(bus=1e308),
    ],
)
def test_long_numbers_and_names_are_short_in_messages(ask: Ask, study: wb.Study) -> None:
    with pytest.raises(wb.EditError) as caught:
        ask(study)
    assert len(caught.value.message) < 200, caught.value.message


@pytest.mark.parametrize("pair", ["9" * 5000 + "=1", "2=" + "9x" * 2000, "x" * 5000])
def test_long_options_are_short_in_messages(pair: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "case.m"
    path.write_bytes(three_bus())
    assert main(["solve", str(path), "--demand", pair]) == 2
    assert len(capsys.readouterr().err.splitlines()[-1]) < 260
