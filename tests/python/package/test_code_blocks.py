"""Every code block of the pages is run by a test or checked here; a block that cannot run is marked with the reason."""

from __future__ import annotations

import argparse
import ast
import json
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import pytest
import wattbook as wb
from conftest import ROOT
from traitlets.config import Config
from wattbook.agents.tools import TOOLS
from wattbook.cli.command import command_line, main
from wattbook.cli.service_commands import VARIABLES

#: The test that runs the blocks of a page in a language, from the first to the last.
RUN_BY = {
    ("README.md", "python"): "tests/python/package/test_docs.py",
    ("docs/guides/python.md", "python"): "tests/python/package/test_docs.py",
    ("widgets/python/README.md", "python"): "tests/python/package/test_docs.py",
    ("docs/reference/python.md", "python"): "tests/python/package/test_docs.py",
    ("docs/reference/python.md", "sh"): "tests/python/package/test_code_blocks.py",
    ("docs/guides/feeders.md", "python"): "tests/python/package/test_docs.py",
    ("docs/guides/feeders.md", "ts"): "tests/engine/contract/guide.test.ts",
    ("docs/guides/engine.md", "ts"): "tests/engine/contract/guide.test.ts",
    ("docs/guides/server.md", "sh"): "tests/server/shown.test.ts",
    ("server/README.md", "sh"): "tests/server/shown.test.ts",
    ("docs/guides/server.md", "nginx"): "tests/server/http/clients.test.ts",
    ("docs/guides/server.md", "ini"): "tests/python/package/test_code_blocks.py",
    ("docs/guides/jupyter.md", "python"): "tests/python/server/test_server_proxy.py",
    ("docs/guides/agents.md", "json"): "tests/python/package/test_code_blocks.py",
    ("widgets/README.md", "js"): "tests/setup/packages.test.ts",
    ("widgets/README.md", "sh"): "tests/setup/packages.test.ts",
    ("extension/webmcp/README.md", "js"): "tests/setup/packages.test.ts",
    ("engine/README.md", "js"): "tests/setup/packages.test.ts",
    ("widgets/svelte/README.md", "svelte"): "tests/widgets/svelte.test.mjs",
}
for path in (*(ROOT / "docs" / "explanation").glob("*.md"), ROOT / "docs" / "guides" / "tutorial.md"):
    RUN_BY[path.relative_to(ROOT).as_posix(), "python"] = "tests/python/package/test_explanations.py"
#: The reason above a block that no test runs.
MARK = re.compile(r"<!-- not run: (.+?) -->\n+$")
PACKAGES = ("engine", "server", "widgets", "widgets/python", "widgets/svelte", "extension", "extension/webmcp")
PAGES = ["README.md", "CONTRIBUTING.md", "SECURITY.md", *(f"{package}/README.md" for package in PACKAGES)]
PAGES += sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))


class Block(NamedTuple):
    page: str
    language: str
    code: str
    #: The reason why no test runs it.
    reason: str | None

    def __str__(self) -> str:
        return f"{self.page} {self.language}: {self.code.strip().splitlines()[0]}"


def blocks_of(page: str) -> list[Block]:
    text = (ROOT / page).read_text(encoding="utf-8")
    found = []
    for match in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        mark = MARK.search(text[: match.start()])
        found.append(Block(page, match[1], match[2], mark and mark[1]))
    return found


BLOCKS = [block for page in PAGES for block in blocks_of(page)]
#: Without formulas and pictures, which are not run.
CODE = [block for block in BLOCKS if block.language not in ("", "mermaid")]


@pytest.mark.parametrize("block", CODE, ids=str)
def test_a_block_is_run_or_marked_with_a_reason(block: Block) -> None:
    test = RUN_BY.get((block.page, block.language))
    assert test is not None or block.reason is not None, "in RUN_BY, or with <!-- not run: reason --> above it"
    assert test is None or (ROOT / test).is_file()


def test_a_test_that_runs_blocks_has_some_to_run() -> None:
    assert set(RUN_BY) <= {(block.page, block.language) for block in CODE if block.reason is None}


def test_only_formulas_are_without_a_language() -> None:
    assert {block.page.rpartition("/")[0] for block in BLOCKS if block.language == ""} <= {"docs/method", "docs"}


@pytest.mark.parametrize("block", [block for block in CODE if block.language == "python"], ids=str)
def test_the_names_in_python_blocks_exist(block: Block) -> None:
    for node in ast.walk(ast.parse(block.code)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "wb":
            assert hasattr(wb, node.attr), node.attr


@pytest.fixture(scope="module")
def wattbook() -> argparse.ArgumentParser:
    return command_line()


def _lines(code: str) -> list[str]:
    return code.replace("\\\n", " ").splitlines()


def commands() -> list[tuple[str, list[str]]]:
    """Commands in shell blocks, and those within sentences that have arguments."""
    found = []
    for page in PAGES:
        shown = [line for block in blocks_of(page) if block.language == "sh" for line in _lines(block.code)]
        text = re.sub(r"^```.*?^```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        shown += re.findall(r"`((?:\.venv/bin/)?(?:wattbook|npm (?:run|start|test)) (?!=)[^`]*)`", text)
        found += [(page, shlex.split(line, comments=True)) for line in shown]
    return [(page, words) for page, words in found if words]


@pytest.mark.parametrize(
    ("page", "words"), commands(), ids=lambda value: value if isinstance(value, str) else " ".join(value)
)
def test_commands_exist_with_their_options(page: str, words: list[str], wattbook: argparse.ArgumentParser) -> None:
    while re.fullmatch(r"[A-Z_]+=.*", words[0]):
        assert words.pop(0).partition("=")[0] in dict(VARIABLES)
    program, *rest = words
    if program.rpartition("/")[2] == "wattbook":
        # Words that a reader replaces; square brackets mark optional ones.
        command = [re.sub(r"[\[\]]|\.\.\.", "", word) for word in rest if word != "..."]
        actions = {action.dest: action for action in wattbook._actions}
        known: dict[str, Any] = dict(actions["command"].choices or {})
        assert command[0] in known
        options = [word for word in command[1:] if word.startswith("--")]
        assert set(options) <= set(known[command[0]]._option_string_actions)
    elif program == "npm" and rest[0] == "install":
        assert all(word.endswith(".tgz") or "@" in word[1:] for word in rest[1:]), (
            "files, and others' packages with a version"
        )
        assert not [word for word in rest if word.startswith("@service")], "our names are on no registry"
    elif program == "npm":
        name = rest[1] if rest[0] == "run" else rest[0]
        assert name in json.loads((ROOT / "package.json").read_text())["scripts"]


def test_the_command_of_the_python_reference_solves(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = (block for block in CODE if (block.page, block.language) == ("docs/reference/python.md", "sh"))
    program, *words = shlex.split(block.code)
    assert (program, main(words)) == ("wattbook", 0)
    assert "optimal" in capsys.readouterr().out


def test_the_unit_of_systemd_and_the_block_of_nginx_agree() -> None:
    (unit,) = (block.code for block in CODE if (block.page, block.language) == ("docs/guides/server.md", "ini"))
    (nginx,) = (block.code for block in CODE if (block.page, block.language) == ("docs/guides/server.md", "nginx"))
    settings = dict(re.findall(r"(SERVICE_\w+)=(\S+)", unit))
    assert set(settings) <= set(dict(VARIABLES))
    assert f"proxy_pass http://unix:{settings['SERVICE_SOCKET']};" in nginx
    assert settings["SERVICE_SOCKET"].startswith(f"/run/{re.findall('RuntimeDirectory=(.*)', unit)[0]}/")
    assert f"SupplementaryGroups={settings['SERVICE_SOCKET_GROUP']}" in unit, "only a member may give a file to a group"


def test_the_setting_of_jupyter_server_proxy() -> None:
    c = Config()
    shown = (block for block in CODE if (block.page, block.language) == ("docs/guides/jupyter.md", "python"))
    (block,) = (block for block in shown if block.reason is None)
    exec(block.code, {"c": c})
    (server,) = c.ServerProxy.servers.values()
    assert set(server["environment"]) <= set(dict(VARIABLES))
    assert command_line().parse_args(server["command"][1:]).command == "serve"


def test_the_configuration_of_an_mcp_client(tmp_path: Path) -> None:
    """A client that starts the server as in the guide, with the reader's file."""
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    (block,) = (block for block in CODE if block.language == "json" and block.page == "docs/guides/agents.md")
    server = json.loads(block.code)["mcpServers"]["wattbook"]
    shutil.copy(ROOT / "tests" / "fixtures" / "three_bus.m", tmp_path / "grid.m")
    command = Path(sys.executable).parent / server["command"]
    parameters = StdioServerParameters(command=str(command), args=server["args"], cwd=tmp_path)

    async def listed() -> tuple[list[str], Any]:
        async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
            await session.initialize()
            tools = [tool.name for tool in (await session.list_tools()).tools]
            return tools, (await session.call_tool("list_cases", {})).content[0]

    tools, cases = anyio.run(listed)
    assert tools == list(TOOLS)
    assert "grid" in cases.text
