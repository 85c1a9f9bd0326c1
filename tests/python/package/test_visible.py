"""Names of files and in files contain no character that reverses a sentence, breaks its line or is invisible."""

from __future__ import annotations

from pathlib import Path

import pytest
import wattbook as wb
from wattbook.text.words import visible

#: The same pairs as in the tests of the engine (engine/crates/network/src/message/visible.rs) and of the page.
PAIRS = [
    ("plain name [1]", "plain name [1]"),
    ("\u202eevil\u202c", "evil"),
    ("a\u2066b\u2069c\u200e\u200f\u061c", "abc"),
    ("tab\there", "tab here"),
    ("two\nlines\r\n", "two lines  "),
    ("sep\u2028a\u2029b\x85c", "sep a b c"),
    ("bell\x07\x00\x1b[31m\x9b", "bell[31m"),
    ("\ufeffzero\u200bwidth\u2060", "zerowidth"),
    ("joi\u200dner", "joiner"),
    ("\u0645\u200d\u200c\u0645\u200d\u200dx\u200c", "\u0645\u200c\u0645x"),
    ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
    ("Z\u00fcrich \u5317\u4eac \u05ea\u05dc \u0627\u0644", "Z\u00fcrich \u5317\u4eac \u05ea\u05dc \u0627\u0644"),
    ("no\uffffchar\U000e0041", "nochar"),
    ("not decoded \udc80", "not decoded "),
]


@pytest.mark.parametrize(("name", "expected"), PAIRS)
def test_names_have_their_letters_and_no_invisible_characters(name: str, expected: str) -> None:
    assert visible(name) == expected == visible(expected)


def test_the_name_of_a_file_is_visible_in_cases_and_messages(tmp_path: Path) -> None:
    raw = Path(__file__).parents[3] / "engine/fuzz/seeds/four_bus_33.raw"
    path = tmp_path / "n\u202eor\u200bth.raw"
    path.write_bytes(
        raw.read_bytes().replace(b"North       ", "N\u202eorth\u2066".encode()).replace(b"\nfour_bus\n", b"\n\n")
    )
    case = wb.open_case(path)
    assert (case.id, case.name) == ("north", "north")
    assert case.buses["name"].iloc[0] == "North"
    assert not set("\u202e\u2066\u200b") & set(repr(case))
    other = tmp_path / "\u202etxt.exe"
    other.write_bytes(b"")
    with pytest.raises(wb.InputError) as error:
        wb.open_case(other)
    assert str(error.value).startswith("txt.exe ends in .exe")


def test_buses_of_a_feeder_whose_names_look_alike_are_refused() -> None:
    script = "New Circuit.c bus1=src basekv=12.47\nNew Line.l1 bus1=src bus2=a length=1\nNew Line.l2 bus1=a bus2=A\u200b length=1\n"
    script += "New Load.d bus1=a kw=10 kv=12.47\n"
    with pytest.raises(wb.InputError) as error:
        wb.open_distribution(script.encode(), format="dss")
    assert error.value.code == "INPUT.DUPLICATE_ELEMENT"
    assert "differ by control or invisible characters only" in str(error.value)
