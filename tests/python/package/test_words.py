"""Formatted numbers and errors."""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path

import pytest
import wattbook as wb
from wattbook.errors import error_for
from wattbook.native import engine_errors
from wattbook.text import words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (words.price(28.407), "28.41"),
        (words.price(-1234.5), "\u22121,234.50"),
        (words.price(-1e-9), "0.00"),
        (words.mw(12345.67), "12,345.7"),
        (words.mw(0.1234), "0.123"),
        (words.mw(-0.5), "\u22120.500"),
        (words.mw(34.2, sign=True), "+34.2"),
        (words.mw(0.0, sign=True), "0.0"),
        (words.mw(-1e-7), "0.0"),
        (words.mw_enough(7.7961), "7.8"),
        (words.mw_enough(49.7000000001), "49.7"),
        (words.mw_enough(0.1231), "0.124"),
        (words.price(-1e308), "\u22121e+308"),
        (words.price(123456789012.3), "123,456,789,012.30"),
        (words.mw(1e308, sign=True), "+1e+308"),
        (words.mw_enough(1.7e308), "1.7e+308"),
        (words.mw_rounded(1e308), "1e+308"),
        (words.mw_reached(-1e308, 0.0), "\u22121e+308"),
        (words.derivative(0.0958974), "0.0959"),
        (words.derivative(-1.83), "\u22121.83"),
        (words.span(-12, 34.2), "from \u221212.0 to +34.2 MW"),
        (words.span(-12, math.inf), "from \u221212.0 MW upwards"),
        (words.span(-math.inf, math.inf), "for any change"),
        (words.count(1, "bus"), "1 bus"),
        (words.count(2, "bus"), "2 buses"),
        (words.count(1200, "branch"), "1,200 branches"),
        (words.span(-12, 34.2, "the base case"), "from \u221212.0 to +34.2 MW from the base case"),
        (words.event("generator_leaves_limit", {"kind": "generator", "id": 3}), "generator 3 leaves its limit"),
        (words.event("edit_limit", {"kind": "bus", "id": 3}), "the demand reaches zero"),
        (words.event("edit_limit", {"kind": "branch", "id": 3}), "the rating reaches zero"),
        (words.event("line_binds", {"kind": "branch", "id": 12}), "line 12 binds"),
    ],
)
def test_numbers(text: str, expected: str) -> None:
    assert text == expected


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("SOLVE.INFEASIBLE", wb.SolveError),
        ("DELTA.NEGATIVE_DEMAND", wb.EditError),
        ("PHYSICS.UNSUPPORTED", wb.InputError),
        ("MODULE.VERSION", wb.InputError),
        ("INTERNAL", wb.WattbookError),
    ],
)
def test_errors_by_code_and_through_a_pickle(code: str, kind: type[wb.WattbookError]) -> None:
    error = error_for(code, "A sentence.", {"kind": "bus", "id": 2}, {"mw": 1})
    assert type(error) is kind
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.code, again.element, again.details) == (kind, code, {"kind": "bus", "id": 2}, {"mw": 1})
    assert str(again) == f"A sentence. [{code}]"


def test_every_sentence_of_the_catalogue_is_formatted_as_by_engine_and_page() -> None:
    sentences = json.loads((Path(__file__).parents[2] / "fixtures" / "sentences.json").read_text(encoding="utf-8"))
    assert len(sentences) > 400
    with engine_errors() as native:
        for entry in sentences:
            assert native.tell(json.dumps(entry["sentence"])) == entry["text"], entry["sentence"]["key"]
    with pytest.raises(wb.InputError, match="message cannot be read: no\\.such"):
        words.message("no.such")
