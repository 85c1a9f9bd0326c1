"""Explanations and tutorial: their Python runs, and each number after `# =` is the result of its line, to the printed
digits."""

from __future__ import annotations

import re
import shutil
import warnings
from pathlib import Path
from typing import Any

import pytest
import wattbook as wb
from conftest import ROOT

PAGES = [*sorted((ROOT / "docs" / "explanation").glob("*.md")), ROOT / "docs" / "guides" / "tutorial.md"]
_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
_SHOWN = re.compile(r"^(\S.*?)\s+# = (-?\d+(?:\.(\d+))?)")


@pytest.mark.usefixtures("pages")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_numbers_of_an_explanation(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(ROOT / "tests" / "fixtures" / "three_bus.m", tmp_path)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    checked = 0
    for block in _BLOCK.findall(page.read_text(encoding="utf-8")):
        pending: list[str] = []
        for line in [*block.splitlines(), ""]:
            shown = _SHOWN.match(line)
            if shown is None:
                pending.append(line)
                continue
            _run("\n".join(pending), names)
            pending = []
            value = eval(shown[1], names)
            assert abs(value - float(shown[2])) <= 0.5000001 * 10.0 ** -len(shown[3] or ""), f"{shown[1]} is {value}"
            checked += 1
        _run("\n".join(pending), names)
    assert checked >= 2


def _run(code: str, names: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", wb.WattbookWarning)
        exec(compile(code, "page", "exec"), names)
