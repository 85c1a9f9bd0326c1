"""`study.map(basemap=...)`: the messages to the page, and the files of the kernel's disk that it may read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import wattbook as wb

ARCHIVE = b"PMTiles\x03" + bytes(range(200))


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "Own tiles.pmtiles"
    path.write_bytes(ARCHIVE)
    return path


def sent_basemap(page: Any) -> Any:
    return page.opening["view"].get("basemap")


def test_the_basemap_that_the_page_receives(study: wb.Study, page_of: Callable[[Any], Any]) -> None:
    style, tiles = "https://maps.example.org/style.json", "https://tiles.example.org/{z}/{x}/{y}.png"
    assert sent_basemap(page_of(study.map())) is None
    assert sent_basemap(page_of(study.map(basemap=None))) == {"kind": "none"}
    assert sent_basemap(page_of(study.map(basemap="plain"))) == {"kind": "plain"}
    assert sent_basemap(page_of(study.map(basemap="natural_earth"))) == {"kind": "natural_earth"}
    assert sent_basemap(page_of(study.map(basemap=style))) == {"kind": "style", "url": style}
    assert sent_basemap(page_of(study.map(basemap=tiles, attribution="© Somebody"))) == {
        "kind": "raster",
        "url": tiles,
        "attribution": "© Somebody",
    }
    remote = "http://localhost:8080/a.pmtiles?key=1"
    assert sent_basemap(page_of(study.map(basemap=remote))) == {"kind": "pmtiles", "url": remote}


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"basemap": "plane"}, "BASEMAP.UNKNOWN"),
        ({"basemap": 3}, "BASEMAP.UNKNOWN"),
        ({"basemap": "ftp://example.org/style.json"}, "BASEMAP.UNKNOWN"),
        ({"basemap": "file:///etc/passwd"}, "BASEMAP.UNKNOWN"),
        ({"basemap": "https://tiles.example.org/{z}/{x}.png"}, "BASEMAP.UNKNOWN"),
        ({"basemap": "https://["}, "BASEMAP.UNKNOWN"),
        ({"basemap": "https://example.org:99999/style.json"}, "BASEMAP.UNKNOWN"),
        ({"basemap": "https://example.org/a style.json"}, "BASEMAP.UNKNOWN"),
        ({"basemap": "https://example.org/\u202enosj.json"}, "BASEMAP.UNKNOWN"),
        ({"basemap": "https://example.org/" + "x" * 3_000}, "BASEMAP.UNKNOWN"),
        ({"basemap": "\0.pmtiles"}, "BASEMAP.FILE"),
        ({"basemap": "~no-such-user/a.pmtiles"}, "BASEMAP.FILE"),
        ({"basemap": "https://example.org/style.json", "attribution": "\u202e"}, "BASEMAP.ATTRIBUTION"),
        ({"basemap": "absent.pmtiles"}, "BASEMAP.FILE"),
        ({"basemap": None, "attribution": "x"}, "BASEMAP.ATTRIBUTION"),
        ({"attribution": "x"}, "BASEMAP.ATTRIBUTION"),
        ({"basemap": "https://example.org/style.json", "attribution": 3}, "BASEMAP.ATTRIBUTION"),
    ],
)
def test_a_bad_one_is_refused(study: wb.Study, pages: dict[str, Any], wrong: dict[str, Any], code: str) -> None:
    with pytest.raises(wb.InputError) as refused:
        study.map(**wrong)
    assert refused.value.code == code
    assert not pages


def test_files_that_are_no_archive_are_refused(study: wb.Study, tmp_path: Path) -> None:
    path = tmp_path / "text.pmtiles"
    path.write_text("no tiles")
    with pytest.raises(wb.InputError, match=r"text\.pmtiles is not a PMTiles archive") as refused:
        study.map(basemap=path)
    assert refused.value.code == "BASEMAP.FILE" and str(tmp_path) not in str(refused.value)


def test_the_page_reads_the_named_file_and_no_other(
    study: wb.Study, page_of: Callable[[Any], Any], archive: Path
) -> None:
    page = page_of(study.map(basemap=archive))
    basemap = sent_basemap(page)
    assert (basemap["kind"], basemap["name"]) == ("pmtiles", "Own tiles.pmtiles")
    assert str(archive.parent) not in str(basemap)

    def ask(**part: Any) -> tuple[Any, Any]:
        ((answer, buffers),) = page.post({"id": "b", "kind": "need_bytes", "file": basemap["file"], **part})
        return answer, [bytes(buffer) for buffer in buffers]

    assert ask(offset=7, length=4) == ({"id": "b", "kind": "bytes", "offset": 7}, [ARCHIVE[7:11]])
    assert ask(offset=200, length=100)[1] == [ARCHIVE[200:]]
    for wrong in ({"offset": -1, "length": 4}, {"offset": 0, "length": 10**9}, {"offset": "0", "length": 4}, {}):
        answer, buffers = ask(**wrong)
        assert (answer["error"]["code"], buffers) == ("BASEMAP.RANGE", [])
    for other in (str(archive), "/etc/passwd", None, ["x"]):
        answer, buffers = ask(file=other, offset=0, length=8)
        assert (answer["error"]["code"], buffers) == ("BASEMAP.UNKNOWN", [])
    # The page may change what it shows, but gains no access by it.
    page.update({"view": {"basemap": {"kind": "pmtiles", "file": "/etc/passwd"}}})
    assert ask(file="/etc/passwd", offset=0, length=8)[0]["error"]["code"] == "BASEMAP.UNKNOWN"
    archive.unlink()
    answer, _ = ask(offset=0, length=8)
    assert answer["error"]["code"] == "BASEMAP.FILE" and str(archive.parent) not in answer["error"]["message"]
