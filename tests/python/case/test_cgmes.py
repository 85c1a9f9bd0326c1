"""XIIDM and CGMES from Python: archives, lists of files, and their limits."""

from __future__ import annotations

from pathlib import Path

import pytest
import wattbook as wb

SEEDS = Path(__file__).parents[3] / "engine" / "fuzz" / "seeds"
WHOLE = SEEDS / "every_class.cgmes.xml"


@pytest.fixture
def profiles(tmp_path: Path) -> list[Path]:
    """EQ, SSH, TP and SV as files."""
    end = "</rdf:RDF>\n"
    texts = [text + end for text in WHOLE.read_text().split(end) if text.strip()]
    paths = [tmp_path / f"grid_{kind}.xml" for kind in ("EQ", "SSH", "TP", "SV")]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return paths


def test_an_archive_a_list_and_one_file_are_the_same_case(profiles: list[Path]) -> None:
    whole = wb.open_case(WHOLE)
    assert whole.counts["buses"] == 11
    for other in (SEEDS / "every_class.zip", profiles, tuple(reversed(profiles))):
        assert wb.open_case(other).sha256 == whole.sha256


def test_switches_of_xiidm_are_branches_whose_status_is_an_edit() -> None:
    case = wb.open_case(SEEDS / "two_areas.xiidm")
    switches = case.branches[case.branches["is_switch"]]
    assert list(switches["uid"]) == ["A4 coupler", "A4 G", "A4 L", "A4 spare", "A2 coupler", "L2 end 2"]


def test_lists_that_are_no_case_are_refused(profiles: list[Path], tmp_path: Path) -> None:
    with pytest.raises(wb.ArgumentError):
        wb.open_case([])
    with pytest.raises(wb.InputError) as many:
        wb.open_case([profiles[0]] * 33)
    assert many.value.code == "INPUT.TOO_MANY"
    with pytest.raises(wb.InputError) as missing:
        wb.open_case([profiles[0], tmp_path / "no.xml"])
    assert missing.value.code == "INPUT.NOT_FOUND"
    with pytest.raises(wb.InputError, match="SSH"):
        wb.open_case(profiles[:1])
