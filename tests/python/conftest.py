"""Fixtures shared by the Python tests."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import comm
import pytest
import wattbook as wb
from ipywidgets import Widget
from networks import three_bus

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session", autouse=True)
def user_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Stages the cases once in a separate folder for all tests."""
    folder = tmp_path_factory.mktemp("user-data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder))
        patch.delenv("SERVICE_DATA", raising=False)
        yield folder


@pytest.fixture
def case() -> wb.Case:
    """The hand-made network, uncongested."""
    return wb.open_case(three_bus(), format="matpower")


@pytest.fixture
def study(case: wb.Case) -> wb.Study:
    return case.study()


@pytest.fixture
def open_three_bus() -> Callable[..., wb.Case]:
    """The hand-made network with other ratings."""
    return lambda **ratings: wb.open_case(three_bus(**ratings), format="matpower")


class Page:
    """The browser's end of one widget comm: records the messages of the kernel, and sends those of a page."""

    def __init__(self, comm_id: str, opening: dict[str, Any]) -> None:
        self.comm_id = comm_id
        self.kernel = "here"
        self.opening = opening
        self.sent: list[tuple[dict[str, Any], list[Any]]] = []
        self.closed = False
        self._deliver: Callable[[dict[str, Any]], None] | None = None

    def on_msg(self, callback: Callable[[dict[str, Any]], None]) -> None:
        self._deliver = callback

    def send(self, data: dict[str, Any], buffers: Any = None) -> None:
        self.sent.append((data, list(buffers or [])))

    def close(self, *_: Any, **__: Any) -> None:
        self.closed = True

    def post(self, content: dict[str, Any]) -> list[tuple[dict[str, Any], list[Any]]]:
        """Sends a custom message and returns the custom messages in reply."""
        before = len(self.sent)
        self._to_kernel({"method": "custom", "content": content})
        return [
            (data["content"], buffers)
            for data, buffers in self.sent[before:]
            if data["method"] == "custom" and data["content"].get("id") == content.get("id")
        ]

    def update(self, state: dict[str, Any]) -> None:
        """Sends an ordinary state update."""
        self._to_kernel({"method": "update", "state": state, "buffer_paths": []})

    def state(self) -> dict[str, Any]:
        """The traits in the page."""
        known = dict(self.opening)
        for data, _ in self.sent:
            if data["method"] == "update":
                known.update(data["state"])
        return known

    def _to_kernel(self, data: dict[str, Any]) -> None:
        assert self._deliver is not None
        self._deliver({"content": {"data": data}, "buffers": []})


@pytest.fixture(autouse=True)
def _close_widgets() -> Iterator[None]:
    """Closes widgets after each test: ipywidgets holds every widget by its id, and another one with the same id would
    close both."""
    yield
    Widget.close_all()


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> dict[str, Page]:
    """Pages by comm id; every widget of the test gets one."""
    opened: dict[str, Page] = {}
    numbers = itertools.count()

    def create_comm(**arguments: Any) -> Page:
        page = Page(f"page-{next(numbers)}", arguments["data"]["state"])
        opened[page.comm_id] = page
        return page

    monkeypatch.setattr(comm, "create_comm", create_comm)
    return opened


@pytest.fixture
def page_of(pages: dict[str, Page]) -> Callable[[Any], Page]:
    """The page of one widget."""
    return lambda widget: pages[widget.comm.comm_id]


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of reference data; tests that need it are skipped where it is absent."""
    folder = Path(os.environ.get("WATTBOOK_DATA", ROOT.parent / "shared" / "data"))
    if not (folder / "MANIFEST.csv").is_file():
        pytest.skip(f"no reference data in {folder} (WATTBOOK_DATA)")
    return folder


@pytest.fixture(scope="session")
def short_folder() -> Iterator[Path]:
    """A folder with a path short enough for the name of a unix socket."""
    folder = Path(tempfile.mkdtemp(prefix="wb-"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def server_address(short_folder: Path) -> Iterator[str]:
    """Address of a real companion server with compute enabled and wide limits; a missing server is a failure, not a
    skip."""
    with _companion(short_folder / "real.sock", {"SERVICE_DATA": "", "SERVICE_ALLOW_FALLBACK": "1"}) as address:
        yield address  # of the benchmark cases


@pytest.fixture(scope="session")
def grids_address(short_folder: Path) -> Iterator[str]:
    """The same with the bundled grids."""
    from wattbook.case.catalogue import bundle, stage

    packed = bundle()
    assert packed is not None, "the server was built without the grids"
    with _companion(short_folder / "grids.sock", {"SERVICE_DATA": str(stage(packed, short_folder))}) as address:
        yield address


@contextmanager
def _companion(socket: Path, data: dict[str, str]) -> Iterator[str]:
    from wattbook.built import find_node, server_script
    from wattbook.server_extension.app import companion_environment

    environment = companion_environment(os.environ, {"SERVICE_SOCKET": str(socket)}, True)
    environment |= {"SERVICE_SOLVE_RATE_LIMIT_EVENTS": "0", "SERVICE_SENSITIVITY_RATE_LIMIT_EVENTS": "0"}
    environment |= data
    log = socket.with_suffix(".log")
    with log.open("wb") as output:
        process = subprocess.Popen(
            [find_node(), server_script(), "serve"],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            env=environment,
        )
    try:
        _until_answering(f"unix:{socket}", process, log)
        yield f"unix:{socket}"
    finally:
        process.communicate(timeout=10)


def _until_answering(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    service = wb.Service(address)
    deadline = time.monotonic() + 30
    while True:
        try:
            service.health()
            return
        except wb.ServiceError:
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"the companion server did not start: {log.read_text()}")
            time.sleep(0.1)


@pytest.fixture(scope="session")
def python() -> str:
    return sys.executable
