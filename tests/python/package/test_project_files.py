"""Repository files for people and services: citation, templates, hooks, updates of dependencies, the contact."""

from __future__ import annotations

import configparser
import json
import re
import shlex
import tomllib
from typing import Any

import pytest
import yaml
from conftest import ROOT

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def read(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def test_citation_agrees_with_the_package() -> None:
    citation = read("CITATION.cff")
    assert citation["cff-version"] == "1.2.0" and citation["title"] == "Wattbook"
    assert (citation["version"], citation["license"]) == (PYPROJECT["version"], PYPROJECT["license"])
    assert [author["name"] for author in citation["authors"]] == [author["name"] for author in PYPROJECT["authors"]]
    assert citation["repository-code"] == PYPROJECT["urls"]["Source"]


@pytest.mark.parametrize("name", ["bug", "request"])
def test_issue_forms(name: str) -> None:
    form = read(f".github/ISSUE_TEMPLATE/{name}.yml")
    assert form["name"] and form["description"]
    ids = [field["id"] for field in form["body"]]
    assert len(ids) == len(set(ids))
    assert any(field.get("validations", {}).get("required") for field in form["body"])
    assert all(field["attributes"]["label"] for field in form["body"])


def test_dependabot_checks_the_files_with_pinned_versions() -> None:
    places = {(one["package-ecosystem"], one["directory"]) for one in read(".github/dependabot.yml")["updates"]}
    pinned = {
        "npm": "package-lock.json",
        "cargo": "Cargo.lock",
        "pip": "requirements.txt",
        "github-actions": ".github/workflows",
    }
    assert {ecosystem for ecosystem, _ in places} == set(pinned)
    for ecosystem, directory in places:
        assert (ROOT / directory.strip("/") / pinned[ecosystem]).exists(), ecosystem


def test_hooks_run_the_tools_of_the_lint() -> None:
    lint = (ROOT / "binder" / "lint.mjs").read_text(encoding="utf-8")
    (repo,) = read(".pre-commit-config.yaml")["repos"]
    assert repo["repo"] == "local", "no other version of a tool"
    for hook in repo["hooks"]:
        tool = shlex.split(hook["entry"])[0].rpartition("/")[2]
        assert f'"{tool}"' in lint, tool


def test_editors_wrap_where_the_formatters_do() -> None:
    rules = configparser.ConfigParser()
    rules.read_string("[top]\n" + (ROOT / ".editorconfig").read_text())
    width = int(rules["*"]["max_line_length"])
    assert width == json.loads((ROOT / ".prettierrc.json").read_text())["printWidth"]
    assert width == tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["line-length"]
    assert width == tomllib.loads((ROOT / "engine" / "rustfmt.toml").read_text())["max_width"]


def test_there_is_a_contact_and_a_way_to_publish() -> None:
    reporting = (ROOT / "SECURITY.md").read_text().partition("## Reporting")[2].partition("\n## ")[0]
    address = re.search(r"https://\S+/security/advisories/new", reporting)
    assert address is not None
    assert read(".github/ISSUE_TEMPLATE/config.yml")["contact_links"][0]["url"] == address[0].rstrip(").,")
    publishing = (ROOT / "CONTRIBUTING.md").read_text().partition("## Publishing")[2].partition("\n## ")[0]
    for registry in ("PyPI", "npm", "crates.io"):
        assert f"**{registry}**" in publishing
    assert "placeholders" in publishing
    assert (ROOT / "CODE_OF_CONDUCT.md").is_file() and (ROOT / ".github" / "PULL_REQUEST_TEMPLATE.md").is_file()
