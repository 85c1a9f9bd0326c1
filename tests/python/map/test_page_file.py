"""A map as one page: its text, its tiles, its size."""

from __future__ import annotations

import gzip
import io
import json
import random
import re
from pathlib import Path

import numpy as np
import pytest
import wattbook as wb
from conftest import ROOT
from networks import three_bus
from pmtiles.reader import MemorySource, Reader
from pmtiles.tile import Compression
from wattbook.built import page_files, places
from wattbook.map.page_file import TileExtract, characters

EARTH = ROOT / "widgets" / "basemap" / "earth.pmtiles"
#: Houston and Chicago at the finest zoom, as OpenStreetMap numbers tiles (z/x/y), and Europe in the last zoom of the world.
HOUSTON, CHICAGO, EUROPE = (7, 30, 52), (7, 32, 47), (5, 16, 10)
#: Corners of Texas, degrees.
TEXAS = np.array([[-106.6, 25.8], [-93.7, 36.5], [np.nan, np.nan]])
built = pytest.mark.skipif(not page_files("assets/earth-"), reason="the page is not built")


def test_seven_bits_become_a_character() -> None:
    # 1000000 1010000 0110000 are "@", "P" and "0"; of the zeros two are one character, the last one with the space of the end.
    assert characters(b"\x81\x41\x80\0\0\0\0") == "@P0\u0400\u0400\u0420".encode()
    assert characters(b"\xff" * 7) == b"\x7f" * 8 + b" "
    assert characters(b"") == b" "


@pytest.mark.parametrize("sample", ["random", "zeros", "brackets"])
def test_nothing_in_the_text_means_something_to_html(sample: str) -> None:
    makers = {
        "random": random.Random(7).randbytes,
        "zeros": bytes,
        "brackets": lambda n: b"\x79\xf3\xe7\xcf\x9f\x3e\x7c" * n,
    }
    for length in (1, 6, 7, 8, 5000):
        data = makers[sample](length)
        text = characters(data)
        # Universal newlines would change CR, as a parser of HTML does; strict UTF-8 refuses halves of characters.
        assert io.TextIOWrapper(io.BytesIO(text), "utf-8").read().encode() == text
        assert not set(text) & set(b"\0\r\x1a\x1b&<")
        assert len(text) == 8 * -(-len(data) // 7) + 1


@pytest.mark.skipif(not EARTH.is_file(), reason="the basemap is not baked")
def test_the_extract_has_the_tiles_around_the_network() -> None:
    whole, extract = (Reader(MemorySource(data)) for data in (EARTH.read_bytes(), TileExtract.around(TEXAS).of(EARTH)))
    assert extract.get(*HOUSTON) == gzip.decompress(whole.get(*HOUSTON))
    assert whole.get(*CHICAGO) is not None and extract.get(*CHICAGO) is None
    assert whole.get(*EUROPE) is not None and extract.get(*EUROPE) is None
    for zoom in range(5):
        tiles = [(zoom, x, y) for x in range(2**zoom) for y in range(2**zoom)]
        packed = [whole.get(*tile) for tile in tiles]
        assert [extract.get(*tile) for tile in tiles] == [data and gzip.decompress(data) for data in packed], zoom
    assert extract.metadata() == whole.metadata()
    assert extract.header()["max_zoom"] == 7 and extract.header()["tile_compression"] is Compression.NONE


@pytest.mark.skipif(not EARTH.is_file(), reason="the basemap is not baked")
def test_the_extract_of_a_case_without_positions() -> None:
    extract = TileExtract.around(np.full((3, 2), np.nan))
    assert extract.as_json() == {"zoom": 4, "box": None}
    reader = Reader(MemorySource(extract.of(EARTH)))
    assert reader.header()["max_zoom"] == 4 and reader.get(4, 3, 6) is not None


def test_the_extract_ends_where_the_world_does() -> None:
    assert TileExtract.around(np.array([[179.5, 84.9]])).box == (
        178.5,
        pytest.approx(83.9),
        180.0,
        pytest.approx(85.0511, abs=1e-4),
    )


@built
@pytest.mark.parametrize("case", ["california", "carolina", "texas"])
def test_a_page_has_at_most_8_mb(case: str, tmp_path: Path) -> None:
    try:
        page = wb.open_case(case).study().map().to_html(tmp_path / "map.html")
    except wb.InputError as error:
        assert error.code == "CASE.UNKNOWN"
        pytest.skip("no grids in this build")
    (engine,) = (path for path in page_files("assets/wattbook_engine_bg-") if path.suffix == ".wasm")
    # Builds for development contain the names of functions, 1.4 MB of a page, which wheels do not
    # (docs/decisions/018-size-of-the-engine.md).
    names = b"\x04name" in engine.read_bytes()
    assert 3e6 < page.stat().st_size < (9.7e6 if names else 8e6)


@built
def test_the_page_lists_its_components(tmp_path: Path) -> None:
    page = (
        wb.open_case(three_bus(), format="matpower")
        .study()
        .map()
        .to_html(tmp_path / "map.html")
        .read_text(encoding="utf-8")
    )
    tables = [json.loads(table.replace("&quot;", '"')) for table in re.findall(r'data-files="([^"]+)"', page)]
    names = [file["name"] for table in tables for file in table]
    (folder,) = (path / "file" for path in places() if (path / "file" / "files.json").is_file())
    listed = [file["path"].rpartition("/")[2] for file in json.loads((folder / "files.json").read_bytes())]
    assert sorted(names) == sorted([*listed, "map.study.json", "view.json"])
