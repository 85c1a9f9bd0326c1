"""The reference pages list exactly the names that exist: formats, position columns, events, variables, formulations."""

from __future__ import annotations

import importlib.util
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
import wattbook as wb
from conftest import ROOT
from wattbook.cli.command import command_line, main
from wattbook.files import kinds
from wattbook.native import engine

REFERENCE = ROOT / "docs" / "reference"


def section(page: str, heading: str) -> str:
    text = (REFERENCE / page).read_text(encoding="utf-8")
    return text.split(f"\n## {heading}\n")[1].split("\n## ")[0]


def rows(text: str) -> list[list[str]]:
    """The cells of a table, without its header."""
    lines = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line] for line in lines[2:]]


def code(text: str) -> list[str]:
    """The text between backticks, outside of blocks."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL))


def test_formats_of_cases() -> None:
    table = rows(section("formats.md", "Balanced cases"))
    assert {name for row in table for name in code(row[0])} == set(kinds.EXTENSIONS)
    assert [name for row in table for name in code(row[1])] == [*kinds.TOKENS, *kinds.JSON_TOKENS, "module"]
    feeders = rows(section("formats.md", "Feeders"))
    assert [name for row in feeders for name in code(row[1])] == list(kinds.DISTRIBUTION_TOKENS)


def bus_layers() -> Iterator[str]:
    """A layer of buses for each listed name of a bus or position column."""
    table = {row[0]: code(row[1]) for row in rows(section("formats.md", "Positions and routes"))}
    position = table["latitude, longitude"]
    latitudes, longitudes = position[: position.index("y") + 1], position[position.index("y") + 1 :]
    assert latitudes and longitudes
    numbers = [name for name in table["bus"] if name not in ("uid", "name")]
    for bus in numbers:
        yield f"{bus},lat,lon\n2,35.5,-80.5\n"
    for latitude in latitudes:
        yield f"bus,{latitude},lon\n2,35.5,-80.5\n"
    for longitude in longitudes:
        yield f"bus,lat,{longitude}\n2,35.5,-80.5\n"


@pytest.mark.parametrize("layer", list(bus_layers()), ids=lambda text: text.splitlines()[0])
def test_columns_of_bus_positions(layer: str) -> None:
    case = wb.open_case(ROOT / "tests" / "fixtures" / "three_bus.m").with_geography(layer.encode())
    assert case.buses.loc[2, ["latitude", "longitude"]].tolist() == [35.5, -80.5]


def branch_layers() -> Iterator[str]:
    table = {row[0]: code(row[1]) for row in rows(section("formats.md", "Positions and routes"))}
    names = table["its buses"]
    froms, tos = names[: len(names) // 2], names[len(names) // 2 :]
    for start, end in zip(froms, tos, strict=True):
        yield f"{start},{end}"
    for branch in table["branch"]:
        if branch != "uid":
            yield branch


@pytest.mark.parametrize("head", list(branch_layers()))
def test_columns_of_routes(head: str) -> None:
    """A route from bus 2 to bus 3, which is line 2, found by every name of the columns."""
    placed = wb.open_case(ROOT / "tests" / "fixtures" / "three_bus.m").with_geography(
        b"bus,lat,lon\n1,35.1,-80.1\n2,35.2,-80.2\n3,35.3,-80.3\n"
    )
    key = "2,3" if "," in head else "2"
    layer = f"{head},lat1,lon1,lat2,lon2\n{key},35.2,-80.2,35.3,-80.3\n"
    report = placed.with_geography(layer.encode()).geo_report
    assert report.matched_branches == 1


def test_events_of_breakpoints() -> None:
    contract = (ROOT / "engine/src/contract.generated.ts").read_text(encoding="utf-8")
    declared = re.search(r"^export type BreakpointEvent = (.*);$", contract, re.MULTILINE)
    assert declared is not None
    names = [name for row in rows(section("events.md", "Breakpoints")) for name in code(row[0])]
    assert sorted(names) == sorted(re.findall(r'"(\w+)"', declared[1]))


def test_events_of_the_solve_stream() -> None:
    schemas = (ROOT / "server/src/http/schemas.ts").read_text(encoding="utf-8")
    stream = (ROOT / "server/src/routes/solveStream.ts").read_text(encoding="utf-8")
    table = rows(section("events.md", "Solve stream"))
    phases = {phase for row in table for phase in re.findall(r'"phase": "(\w+)"', row[2])}
    assert phases == set(re.findall(r'phase: Type\.Literal\("(\w+)"\)', schemas))
    declared = re.search(r"interface Events \{(.*?)\n\}", stream, re.DOTALL)
    assert declared is not None
    assert {name for row in table for name in code(row[0])} == set(re.findall(r"^  (\w+):", declared[1], re.MULTILINE))


#: Variables of other programs, and names that are not variables.
_OTHERS = {"SERVICE_MESSAGES"}


@pytest.fixture(scope="module")
def sources() -> dict[str, str]:
    """The text of every source file that may read a variable, by path."""
    found = {}
    for top in ("server", "widgets/python", "binder", "tests", "engine"):
        for folder, folders, files in os.walk(ROOT / top):
            folders[:] = [name for name in folders if name not in ("node_modules", "target", "dist", "lib", "wasm")]
            for path in (Path(folder) / name for name in files if name.endswith((".py", ".ts", ".mjs", ".rs"))):
                found[path.relative_to(ROOT).as_posix()] = path.read_text(encoding="utf-8")
    return found


#: The ways in which TypeScript, Python and Rust read a variable.
_READ = re.compile(r"""(?:environ(?:\.get\(|\[)|env(?:\[|\.)|var(?:_os)?\()["']?(WATTBOOK_[A-Z_]+|CHROMIUM)\b""")
#: Set and read by the same program.
_INTERNAL = {"WATTBOOK_EXTRA_PACKAGES", "WATTBOOK_FUZZ_TARGET", "WATTBOOK_TEST_MARK"}


def test_variables_of_the_environment(sources: dict[str, str]) -> None:
    page = set(code((REFERENCE / "environment.md").read_text(encoding="utf-8")))
    server = set(code((ROOT / "docs/guides/server.md").read_text(encoding="utf-8")))
    of_users = "".join(text for path, text in sources.items() if path.startswith(("server/src", "widgets/python")))
    of_service = set(re.findall(r"\bSERVICE(?:_[A-Z]+)+\b", of_users))
    assert of_service - _OTHERS <= page | server
    named = {name for name in page if re.fullmatch(r"WATTBOOK(_[A-Z]+)+|CHROMIUM", name)}
    assert {name for text in sources.values() for name in _READ.findall(text)} - _INTERNAL <= named
    everything = "".join(sources.values())
    assert [name for name in named if name not in everything] == []


def test_formulations() -> None:
    capabilities = json.loads(engine().capabilities())
    text = (REFERENCE / "formulations.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (\w+)$", text, re.MULTILINE)
    known = {row["formulation"] for row in capabilities["formulations"]}
    assert {name for name in headings if name in known} == known
    tags = {
        tag if isinstance(tag, str) else next(iter(tag))
        for tag in (*capabilities["operands"], *capabilities["parameters"])
    }
    listed = set(code(section("formulations.md", "Which sensitivities exist")))
    assert {name for name in listed if re.fullmatch(r"[A-Z][a-zA-Z]+", name)} == tags


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("command_line_page", ROOT / "binder/docs/commandLine.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_command_line(generator: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    """The page has every command with every option of its help."""
    page = generator.page()
    actions = {action.dest: action for action in command_line()._actions}
    commands = dict(actions["command"].choices or {})
    for name in commands:
        if name == "lab":  # passes its options to JupyterLab
            continue
        with pytest.raises(SystemExit):
            main([name, "--help"])
        text = page.split(f"\n## {name}\n")[1].split("\n## ")[0]
        for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", capsys.readouterr().out)):
            assert option in text, (name, option)


def test_pages_are_linked() -> None:
    index = (ROOT / "README.md").read_text(encoding="utf-8")
    for page in sorted(REFERENCE.glob("*.md")):
        assert f"docs/reference/{page.name}" in index, page.name
