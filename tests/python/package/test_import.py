"""The cost of importing, and the error for a missing engine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import wattbook as wb
from networks import three_bus
from wattbook import native


def test_the_server_extension_does_not_import_the_notebook_side(python: str) -> None:
    code = (
        "import sys, wattbook.server_extension\n"
        "print(sorted({'pandas', 'numpy', 'ipywidgets', 'wattbook._engine'} & set(sys.modules)))"
    )
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_solve_imports_no_pandas(python: str, tmp_path: Path) -> None:
    path = tmp_path / "three.m"
    path.write_bytes(three_bus())
    code = (
        "import sys, wattbook as wb\n"
        f"print(wb.open_case({str(path)!r}).study().commit({{2: 5}}).status, 'pandas' in sys.modules)"
    )
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["optimal", "False"]


def test_every_public_name_exists() -> None:
    for name in wb.__all__:
        assert getattr(wb, name) is not None
    with pytest.raises(AttributeError):
        _ = wb.open_cases  # type: ignore[attr-defined]


def test_a_missing_engine_is_reported_with_the_command_that_builds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wattbook._engine", None)
    native.engine.cache_clear()
    try:
        with pytest.raises(wb.EngineMissingError, match="maturin develop --release") as caught:
            wb.open_case(b"", format="matpower")
        assert caught.value.code == "ENGINE.MISSING" and isinstance(caught.value, ImportError)
    finally:
        native.engine.cache_clear()


def test_an_engine_of_another_version_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wattbook._engine", SimpleNamespace(CONTRACT_VERSION="0.0.1"))
    native.engine.cache_clear()
    try:
        with pytest.raises(wb.EngineMissingError, match=r"0\.0\.1") as caught:
            native.engine()
        assert caught.value.code == "ENGINE.VERSION"
    finally:
        native.engine.cache_clear()


def test_versions_agree() -> None:
    engine = native.engine()
    assert wb.__version__ == engine.CONTRACT_VERSION
    assert len(engine.CONTRACT_SOURCE_SHA256) == 64
