"""Costs that a case lacks: by unit, by fuel, from tables, typical; every result reports assumed ones."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import wattbook as wb
from conftest import ROOT
from networks import three_bus, three_bus_bare
from wattbook.cli import main


@pytest.fixture
def bare() -> wb.Case:
    """Without costs, with two units of 250 and 270 MW."""
    return wb.open_case(three_bus_bare(), format="matpower")


GENFUEL = b"mpc.genfuel = {\n\t'coal';\n\t'ng';\n};\n"


def test_without_costs_every_unit_is_free_and_the_first_warning_states_it(bare: wb.Case) -> None:
    assert [warning.code for warning in bare.warnings[:2]] == ["COST.NO_TABLE", "COST.MISSING"]
    solution = bare.study().solution
    assert solution.objective == 0 and (solution.buses["lmp"] == 0).all()
    assert "every generator is free" in repr(solution).splitlines()[2]


def assumed(text: str) -> bool:
    return "are assumed: " in text


def test_costs_by_unit_are_those_of_a_file_that_has_them(bare: wb.Case) -> None:
    # The costs of three_bus() in three ways.
    table = pd.DataFrame({"cost_c2": [0.11, 0.085], "cost_c1": [5, 1.2]}, index=pd.Index([1, 2], name="generator"))
    expected = wb.open_case(three_bus(0, 0), format="matpower").study().solution
    for costs in ({1: (0.11, 5), "2": (0.085, 1.2, 0)}, table, table.reset_index()):
        case = bare.with_costs(costs)
        solution = case.study().solution
        assert solution.objective == pytest.approx(expected.objective, rel=1e-12)
        assert solution.buses["lmp"].tolist() == pytest.approx(expected.buses["lmp"].tolist())
        assert assumed(case.warnings[0].message) and "2 of 2 units" in case.warnings[0].message
        assert not any(warning.code in ("COST.NO_TABLE", "COST.MISSING") for warning in case.warnings)
    assert bare.study().solution.objective == 0, "the case itself does not change"


def test_every_result_states_that_costs_are_assumed(bare: wb.Case, tmp_path: Path) -> None:
    case = bare.with_costs({1: 20, 2: 30})
    study = case.study()
    study.commit({2: 5})
    series, sweep = study.series(pd.DataFrame({2: [90.0]})), wb.sweep(study, [{}])
    for result in (case, study, study.solution, pickle.loads(pickle.dumps(case))):
        assert assumed(repr(result)) and assumed(result._repr_html_()), type(result)
    for many in (series, sweep):
        assert "costs are assumed" in repr(many) and assumed(many._repr_html_())
    # In files too, edited or not.
    for path in (case.save(tmp_path / "own.json"), study.save_module(tmp_path / "edited.json")):
        assert assumed(wb.open_case(path).warnings[0].message), path
    study.save(tmp_path / "own.study.json")
    assert assumed(wb.open_study(tmp_path / "own.study.json").case.warnings[0].message)
    assert case.with_layout((-98.5, 39.8)).warnings[0] == case.warnings[0]


def test_after_a_second_call_the_warnings_have_what_is_still_assumed(bare: wb.Case, tmp_path: Path) -> None:
    def warnings(case: wb.Case) -> list[str]:
        return [one.message for one in case.warnings if one.code in ("COST.ASSUMED", "COST.FUEL_UNKNOWN")]

    typical = bare.with_costs("typical")
    typical.save(tmp_path / "typical.json")
    for case in (typical, wb.open_case(tmp_path / "typical.json")):
        assert warnings(case.with_costs({1: 20})) == [
            "The costs of 1 of 2 units are assumed: given by unit or fuel, not by the file.",
            "The costs of 1 of 2 units are assumed: typical costs by fuel and size.",
            "1 unit of unknown fuel has the cost of gas: generator 2.",
        ]
        assert warnings(case.with_costs({1: 20}).with_costs({2: 30})) == [
            "The costs of 2 of 2 units are assumed: given by unit or fuel, not by the file."
        ]


def test_costs_by_fuel(bare: wb.Case, tmp_path: Path) -> None:
    file = three_bus_bare() + GENFUEL
    case = wb.open_case(file, format="matpower")
    assert case.generators["energy_source"].tolist() == ["coal", "ng"]
    priced = case.with_costs({"coal": 25, "gas": (0.01, 40)})
    assert priced.generators["cost_c1"].tolist() == [25, 40] and priced.generators["cost_c2"].tolist() == [0, 0.01]
    assert priced.study().solution.buses["lmp"].tolist() == pytest.approx([25] * 3), "coal is enough for 90 MW"
    # A unit's own cost prevails, whatever the order.
    assert case.with_costs({2: 10, "ng": 40, "COAL": 25}).generators["cost_c1"].tolist() == [25, 10]
    given = bare.with_costs({"coal": 25, "gas": 40}, fuels={1: "coal", 2: "gas"})
    assert given.generators["cost_c1"].tolist() == [25, 40]
    path = tmp_path / "costs.csv"
    path.write_text("fuel, cost_c1, cost_c2\ncoal, 25, 0\nng, 40, 0.01\n")
    assert case.with_costs(path).sha256 == priced.sha256 == case.with_costs(str(path)).sha256


def test_some_units_stay_free_and_are_named(bare: wb.Case) -> None:
    case = bare.with_costs({1: 20})
    assert assumed(case.warnings[0].message) and "1 of 2 units" in case.warnings[0].message
    missing = next(warning for warning in case.warnings if warning.code == "COST.MISSING")
    assert "generator 2" in missing.message and "generator 1" not in missing.message


def test_typical_costs_are_those_of_their_table(bare: wb.Case) -> None:
    table = wb.typical_costs()
    assert (table["cost"] - (table["heat_rate"] * table["fuel_price"] + table["variable"])).abs().max() < 0.01
    cost = table.set_index(["fuel", "from_mw"])["cost"]
    # Units of unknown fuel count as gas of 100 MW and more.
    units = bare.with_costs("typical").generators
    for size, (_, unit) in zip((250, 270), units.iterrows(), strict=True):
        half = 2 * unit["cost_c2"] * size / 2 + unit["cost_c1"]
        assert half == pytest.approx(cost["gas", 100])
        assert 2 * unit["cost_c2"] * size == pytest.approx(0.1 * cost["gas", 100])
    fuels = bare.with_costs("typical", fuels={1: "wind", 2: "Nuclear"})
    assert fuels.generators["cost_c1"].tolist() == pytest.approx([0, 0.95 * cost["nuclear", 0]])
    assert (fuels.study().solution.buses["lmp"] == 0).all(), "the other unit is at its Pmin, so wind sets the price"


def test_typical_costs_give_a_grid_without_costs_prices(tmp_path: Path) -> None:
    with pytest.warns(wb.ExportWarning):
        wb.open_case("case500_goc").export(tmp_path / "grid.raw")
    case = wb.open_case(tmp_path / "grid.raw")
    assert case.warnings[0].code == "COST.NOT_IN_FORMAT"
    assert case.study().solution.objective == 0
    priced = case.with_costs("typical").study().solution
    assert priced.objective is not None and priced.objective > 0
    assert priced.buses["lmp"].max() - priced.buses["lmp"].min() > 1, "congestion shows"
    with pytest.raises(wb.EditError, match="Every unit has a cost"):
        wb.open_case("case500_goc").with_costs("typical")


@pytest.mark.parametrize(
    ("costs", "fuels", "code", "hint"),
    [
        ("typicall", None, "COST.MALFORMED", "typical"),
        (3, None, "COST.MALFORMED", "coal"),
        ({}, None, "COST.MALFORMED", "by unit"),
        ({"coal": 25}, None, "COST.MALFORMED", "fuels="),
        ({"coal": 25}, {1: "gas"}, "COST.MALFORMED", "gas"),
        ({9: 25}, None, "GENERATOR.UNKNOWN", "1 to 2"),
        ({1: "dear"}, None, "COST.MALFORMED", "generator 1"),
        ({1: (1, 2, 3, 4)}, None, "COST.MALFORMED", "generator 1"),
        ({1: -0.1, 2: (-0.1, 1)}, None, "COST.MALFORMED", "convex"),
        (pd.DataFrame({"price": [1.0]}), None, "COST.MALFORMED", "cost_c1"),
        (pd.DataFrame({"gen": [2, 1], "cost": [5.0, 7.0]}, index=[1, 2]), None, "COST.MALFORMED", "a column generator"),
        (pd.DataFrame({"generator": [1, 1], "cost": [5.0, 7.0]}), None, "COST.MALFORMED", "Row 1 gives the cost of 1"),
        (
            pd.DataFrame({"fuel": ["Gas", "gas"], "cost": [5, 7]}),
            {1: "gas"},
            "COST.MALFORMED",
            "Row 1 gives the cost of",
        ),
        ({1: 25, "1": 30}, None, "COST.MALFORMED", "Row 1 gives the cost of 1"),
        ("foo", None, "COST.MALFORMED", "'foo' is neither a file nor \"typical\"."),
        ({1: 3}, "coal", "COST.MALFORMED", "fuels"),
    ],
)
def test_invalid_costs_are_refused(bare: wb.Case, costs: Any, fuels: Any, code: str, hint: str) -> None:
    with pytest.raises(wb.EditError) as refused:
        bare.with_costs(costs, fuels=fuels)
    assert refused.value.code == code and hint in refused.value.message


def test_missing_files_are_reported(bare: wb.Case) -> None:
    with pytest.raises(wb.InputError) as refused:
        bare.with_costs("costs.csv")
    assert refused.value.code == "INPUT.NOT_FOUND"


@pytest.mark.parametrize("content", [b"", b" \n"])
def test_an_empty_file_of_costs_is_refused(
    bare: wb.Case, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    path = tmp_path / "empty.csv"
    path.write_bytes(content)
    for costs, message in ((path, "The cost file empty.csv is empty."), (content, "The cost file is empty.")):
        with pytest.raises(wb.InputError) as refused:
            bare.with_costs(costs)
        assert (refused.value.code, refused.value.message) == ("INPUT.EMPTY", message)
    (tmp_path / "bare.m").write_bytes(three_bus_bare())
    assert main(["solve", str(tmp_path / "bare.m"), "--costs", str(path)]) == 2
    assert "The cost file empty.csv is empty. [INPUT.EMPTY]" in capsys.readouterr().err


def test_an_index_names_units_or_fuels_only_if_it_is_called_so(bare: wb.Case) -> None:
    table = pd.DataFrame({"cost": [5.0, 7.0]}, index=pd.Index(["coal", "gas"], name="fuel"))
    assert bare.with_costs(table, fuels={1: "coal", 2: "gas"}).generators["cost_c1"].tolist() == [5, 7]
    assert bare.with_costs(b"generator,cost\n2,5\n1,7\n").generators["cost_c1"].tolist() == [7, 5]


def test_the_command_takes_costs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bare.m"
    file.write_bytes(three_bus_bare() + GENFUEL)
    assert main(["solve", str(file), "--costs", "coal=25", "--costs", "2=40"]) == 0
    given = capsys.readouterr()
    assert "25.00 $/MWh" in given.out and assumed(given.err.splitlines()[0])
    assert main(["solve", str(file), "--costs", "typical", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["objective"] > 0 and assumed(result["warnings"][0]["message"])
    assert main(["solve", str(file), "--costs", "coal=25,2=40", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["objective"] == pytest.approx(25 * 80 + 40 * 10), "unit 2 is at its Pmin"
    assert main(["solve", str(file), "--costs", "coal=dear"]) == 2
    assert main(["solve", str(file), "--costs", "peat=3"]) == 2
    assert "COST.MALFORMED" in capsys.readouterr().err


def test_a_converted_case_has_the_assumed_costs(tmp_path: Path) -> None:
    file, table, saved = tmp_path / "bare.m", tmp_path / "costs.csv", tmp_path / "priced.module.json"
    file.write_bytes(three_bus_bare() + GENFUEL)
    table.write_text("generator,cost\n1,25\n2,40\n")
    assert main(["convert", str(file), str(saved), "--costs", str(table)]) == 0
    priced = wb.open_case(saved)
    assert priced.generators["cost_c1"].tolist() == [25, 40] and assumed(priced.warnings[0].message)
    assert main(["convert", str(file), str(tmp_path / "no.json"), "--costs", "peat=3"]) == 2
    assert not (tmp_path / "no.json").exists()


def test_pictures_state_that_costs_are_assumed(bare: wb.Case) -> None:
    for case, is_stated in ((bare, False), (bare.with_costs("typical"), True)):
        picture = case.with_layout((-98.5, 39.8)).study().map()._repr_mimebundle_()["image/svg+xml"]
        assert ("costs are assumed" in picture) is is_stated


def test_the_reference_has_the_table_of_typical_costs() -> None:
    text = (ROOT / "docs/reference/python.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", text, re.MULTILINE)
    columns = ["fuel", "from_mw", "heat_rate", "fuel_price", "variable", "cost"]
    given = [(fuel, *map(float, numbers)) for fuel, *numbers in rows]
    assert given == list(wb.typical_costs()[columns].itertuples(index=False, name=None))


def unknown_fuels(case: wb.Case) -> list[str]:
    return [warning.message for warning in case.warnings if warning.code == "COST.FUEL_UNKNOWN"]


def test_units_of_unknown_fuel_that_get_the_cost_of_gas_are_listed(bare: wb.Case, tmp_path: Path) -> None:
    typical = bare.with_costs("typical")
    assert unknown_fuels(typical) == ["2 units of unknown fuel have the cost of gas: generator 1 and generator 2."]
    assert typical.warnings[1].code == "COST.FUEL_UNKNOWN", "next to the sentence that costs are assumed"
    assert unknown_fuels(typical.with_layout((10.0, 50.0))) == unknown_fuels(typical)
    assert unknown_fuels(bare.with_costs("typical", fuels={1: "ccgt", 2: "peat"})) == [
        "1 unit of unknown fuel (peat) has the cost of gas: generator 2."
    ]
    assert not unknown_fuels(bare.with_costs("typical", fuels={1: "ng", 2: "hydro"}))

    vague = {1: "thermal", 2: "coal"}
    message = ["1 unit of unknown fuel (thermal) has the cost of gas: generator 1."]
    given = bare.with_costs({"gas": 30}, fuels=vague)
    assert given.generators["cost_c1"].tolist()[0] == 30 and unknown_fuels(given) == message
    table = pd.DataFrame({"fuel": ["gas"], "cost": [30]})
    assert unknown_fuels(bare.with_costs(table, fuels=vague)) == message
    path = tmp_path / "costs.csv"
    path.write_text("fuel,cost_c1\ngas,30\n")
    assert unknown_fuels(bare.with_costs(path, fuels=vague)) == message
    for own in (
        {"gas": 30, "thermal": 20},
        {"thermal": 20, "gas": 30},
        {"gas": 30, 1: 20},
        {"thermal": 20},
        {"coal": 20},
    ):
        assert not unknown_fuels(bare.with_costs(own, fuels=vague)), own
    saved = tmp_path / "priced.pio.json"
    typical.save(saved)
    assert unknown_fuels(wb.open_case(saved)) == unknown_fuels(typical), "the file keeps the warning"


def test_costs_are_edits_of_a_study(bare: wb.Case) -> None:
    expected = wb.open_case(three_bus(0, 0), format="matpower").study().solution
    study = bare.study()
    free = study.solution
    solution = study.commit(costs={1: (0.11, 5), 2: (0.085, 1.2)})
    assert solution.objective == pytest.approx(expected.objective, rel=1e-12)
    assert solution.buses["lmp"].tolist() == pytest.approx(expected.buses["lmp"].tolist())
    assert solution.generators["cost"].tolist() == pytest.approx(expected.generators["cost"].tolist())
    assert dict(study.edits.generators[1]) == {"cost": 5.0, "c2": 0.11}
    assert any(one.code == "COST.ASSUMED" and "2 of 2 units" in one.message for one in solution.diagnostics)
    # One marginal cost replaces the curve, and None returns to the case.
    study.commit(generators={1: {"cost": 7.0}})
    assert dict(study.edits.generators[1]) == {"cost": 7.0}
    assert study.commit(generators={1: None, 2: None}).sha256 == free.sha256
    assert not study.edits


def test_costs_by_fuel_are_edits(bare: wb.Case) -> None:
    fuels = {1: "coal", 2: "gas"}
    for costs in ({"gas": 30, "coal": (0.01, 20)}, "typical"):
        study = bare.study()
        solution = study.commit(costs=costs, fuels=fuels)
        assert solution.sha256 == bare.with_costs(costs, fuels=fuels).study().solution.sha256
    # Values of generators prevail over those of fuels.
    study.commit(costs={"gas": 30}, fuels=fuels, generators={2: {"cost": 31.0}})
    assert study.edits.generators[2]["cost"] == 31.0
    for arguments, words in (
        ({"costs": {1: (0.1, 5, 2)}}, "constant term"),
        ({"costs": {"peat": 5}, "fuels": fuels}, "peat"),
        ({"fuels": fuels}, "give costs too"),
    ):
        with pytest.raises(wb.EditError, match=words) as refused:
            study.commit(**arguments)  # type: ignore[arg-type]
        assert refused.value.code == "COST.MALFORMED"
