"""The Python of README and guides runs as printed."""

from __future__ import annotations

import csv
import os
import re
import warnings
from pathlib import Path
from typing import Any

import pytest
import wattbook as wb
from conftest import ROOT

_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader's own files, which the pages name."""
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", wb.ExportWarning)
        wb.open_case("case500_goc").export("my_case.m")
    rows = (f"{bus},{30 + bus / 100},{-100 + bus / 100}" for bus in range(1, 501))
    for name in ("village.dss", "village_coordinates.csv"):
        (tmp_path / name).write_bytes((ROOT / "examples" / name).read_bytes())
    Path("village.dss").rename("feeder.dss")
    Path("buses.csv").write_text("\n".join(["bus,lat,lon", *rows]))


def shown(page: str) -> list[str]:
    return _BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))


def ran(code: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", wb.WattbookWarning)
        exec(compile(code, "page", "exec"), names)
    return names


@pytest.mark.usefixtures("files", "pages")
def test_readme() -> None:
    (code,) = shown("README.md")
    assert isinstance(ran(code)["own"], wb.Case)
    lines = [line.split("#")[0].strip() for line in code.splitlines()]
    calls = [line for line in lines if line.startswith("study.")]
    assert len(calls) >= 8, "what a study can do is shown"


@pytest.mark.usefixtures("pages")
def test_page_of_the_package() -> None:
    (code,) = shown("widgets/python/README.md")
    assert isinstance(ran(code)["study"], wb.Study)


@pytest.mark.usefixtures("files", "pages")
def test_guide_and_reference_of_python(tmp_path: Path) -> None:
    """Runs the blocks of the guide, then every call in the tables of the reference on their results."""
    text = (ROOT / "docs/reference/python.md").read_text(encoding="utf-8")
    river = {"type": "LineString", "coordinates": [[-100.0, 40.0], [-99.0, 41.0]]}
    names = ran("\n".join([*shown("docs/guides/python.md"), *shown("docs/reference/python.md")])) | {
        "path": tmp_path,
        "data": river,
    }
    for row in re.findall(r"^\| (`(?:study|wb)\..*?) \|", text, re.MULTILINE):
        call = re.match(r"`(.+?)`", row)
        assert call is not None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", wb.WattbookWarning)
            eval(call[1], names)
    tables = re.findall(r"^\| `case\.(buses|branches|generators)` \| (.*) \|$", text, re.MULTILINE)
    assert len(tables) == 3
    for table, listed in tables:
        frame = getattr(names["case"], table)
        assert re.findall(r"`(\w+)`", listed) == frame.columns.tolist(), table
    assert {"wb.ArgumentError", "wb.EditError", "wb.SolveError"} <= set(re.findall(r"wb\.\w+Error", text))
    for name in set(re.findall(r"`(?:wb)\.(\w+)", text)):
        assert hasattr(wb, name), name


#: Built, not in git.
_BUILT = ("engine/wasm", "engine/lib", "engine/target", "server/dist")
_TOP = ("README.md", "SECURITY.md", "CHANGELOG.md", "CONTRIBUTING.md")
_DOCUMENTS = [*(ROOT / name for name in _TOP), *sorted((ROOT / "docs").rglob("*.md"))]
_FOLDERS = ("binder", "docs", "engine", "examples", "extension", "server", "tests", "widgets")


@pytest.fixture(scope="module")
def sources() -> set[str]:
    """Files and folders of the sources, by path and without extension as well."""
    found: set[str] = set()
    for folder in _FOLDERS:
        for path, folders, files in os.walk(ROOT / folder):
            folders[:] = [name for name in folders if name not in ("node_modules", "target", "lib", "dist", ".tap")]
            here = Path(path).relative_to(ROOT).as_posix()
            found |= {here, *(f"{here}/{name}" for name in files), *(f"{here}/{name.split('.')[0]}" for name in files)}
    return found


@pytest.mark.parametrize("page", _DOCUMENTS, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_paths_and_links_lead_somewhere(page: Path, sources: set[str]) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#\s]+)", text):
        assert (page.parent / target).is_file(), target
    for name in re.findall(r"`([\w./@-]+)`", text):
        path = name.strip("/")
        if path.startswith(tuple(f"{folder}/" for folder in _FOLDERS)) and not path.startswith(_BUILT):
            assert path in sources, name
        elif name != "jupyter_server_config.py" and re.fullmatch(r"[\w/]+\.(rs|ts|tsx|mjs|py)", name):
            assert any(f"/{one}".endswith(f"/{path}") for one in sources), name


def test_requirements_have_tests(sources: set[str]) -> None:
    with (ROOT / "docs/conformance.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows
    for row in rows:
        tests = [word for word in row["tests"].split() if "/" in word]
        assert tests, row["requirement"]
        assert set(tests) <= sources, row["requirement"]


def test_guide_of_feeders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (code,) = shown("docs/guides/feeders.md")
    names = ran(code)
    assert names["feeder"].loads.loc["sawmill", "p_kw"] == 40
    assert wb.open_feeder(names["path"]).result == names["feeder"].result
    names["path"].unlink()
