"""A full disk: one error with a code, no file under a final name, and previous files unchanged."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import wattbook as wb
from networks import three_bus
from wattbook.cli.command import main

if sys.platform == "win32":
    pytest.skip("Windows has no limit on the size of files", allow_module_level=True)

import resource


@contextmanager
def files_of(most: int) -> Iterator[None]:
    """Limits files of this process to `most` bytes; writing more fails like on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture(scope="module")
def grid() -> wb.Study:
    return wb.open_case("texas").study()


def steps(count: int) -> pd.Series:
    return pd.Series(np.linspace(0.8, 1.0, count))


WRITERS: dict[str, Callable[[wb.Study, Path], Any]] = {
    "series(parquet=)": lambda study, at: study.series(steps(40), by="system", unit="pu", parquet=at, progress=False),
    "series.to_parquet": lambda study, at: study.series(steps(40), by="system", unit="pu", progress=False).to_parquet(
        at
    ),
    "series(units=, parquet=)": lambda study, at: study.series(
        units=pd.DataFrame({1: [1.0] * 12}), tables=["prices"], parquet=at, progress=False
    ),
    "sweep(parquet=)": lambda study, at: wb.sweep(study, [{}] * 40, progress=False, parquet=at),
    "save": lambda study, at: study.save(at),
    "save_solution": lambda study, at: study.save_solution(at),
    "save_module": lambda study, at: study.save_module(at),
    "export": lambda study, at: study.export(at, format="matpower"),
    "case.save": lambda study, at: study.case.save(at),
    "case.save_geojson": lambda study, at: study.case.save_geojson(at),
    "map.save": lambda study, at: study.map().save(at / "map.svg"),
    "map.to_html": lambda study, at: study.map().to_html(at),
    "copy_front_end": lambda study, at: wb.copy_front_end(at),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_no_partial_file_has_a_final_name(writer: str, grid: wb.Study, tmp_path: Path) -> None:
    (tmp_path / "prices.parquet").write_bytes(b"of an earlier run")
    with files_of(20_000), pytest.raises(wb.InputError) as refused:
        WRITERS[writer](grid, tmp_path)
    if refused.value.code == "MAP.NO_PAGE":
        pytest.skip("the page is not built")
    assert refused.value.code == "OUTPUT.UNWRITABLE"
    assert refused.value.message.endswith("cannot be written: File too large.")
    left = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path.name for path in left if path.stat().st_size >= 20_000 or path.suffix == ".part"] == []
    assert [path.name for path in left if path.parent == tmp_path] == ["prices.parquet"]
    assert (tmp_path / "prices.parquet").read_bytes() == b"of an earlier run"
    assert grid.solution.objective > 0


@pytest.mark.parametrize(
    "command",
    [
        ["series", "CASE", "--synthetic", "24", "--out", "OUT"],
        ["sweep", "CASE", "--outages", "--table", "prices", "--out", "OUT"],
        ["convert", "CASE", "OUT/case.raw"],
        ["solve", "CASE", "--save-solution", "OUT/case.solution.json"],
    ],
)
def test_the_command_line_reports_it_in_one_line(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [word.replace("OUT", str(tmp_path)).replace("CASE", "carolina") for word in command]
    with files_of(8_000):
        assert main(words) == 2
    output = capsys.readouterr()
    assert output.err.splitlines()[-1].endswith("cannot be written: File too large. [OUTPUT.UNWRITABLE]")
    assert "Traceback" not in output.err and not output.out and not [*tmp_path.iterdir()]


def test_an_interrupted_run_leaves_whole_tables(tmp_path: Path) -> None:
    def stop(fraction: float | None, solved: int) -> None:
        raise KeyboardInterrupt

    study = wb.open_case(three_bus(), format="matpower").study()
    with pytest.raises(KeyboardInterrupt):
        study.series(steps(500), by="system", unit="pu", parquet=tmp_path, progress=stop, threads=1)
    tables = {path.name: pd.read_parquet(path) for path in tmp_path.iterdir()}
    assert set(tables) == {f"{name}.parquet" for name in ("prices", "flows", "loading", "shadow", "dispatch")}
    assert len({len(table) for table in tables.values()}) == 1 and 0 < len(tables["prices.parquet"]) < 500


def test_rows_fill_row_groups(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    study = wb.open_case(three_bus(), format="matpower").study()
    study.series(steps(9_000), by="system", unit="pu", tables=["prices"], parquet=tmp_path / "a", progress=False)
    wb.sweep(study, ({} for _ in range(9_000)), parquet=tmp_path / "b", progress=False)
    for folder in "ab":
        rows = pq.ParquetFile(tmp_path / folder / "prices.parquet").metadata
        lengths = [rows.row_group(k).num_rows for k in range(rows.num_row_groups)]
        assert sum(lengths) == 9_000 and min(lengths[:-1]) >= 4_096, lengths
