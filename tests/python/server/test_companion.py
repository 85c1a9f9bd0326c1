"""Supervision of the companion process, with a misbehaving stand-in."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import json
import logging
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from wattbook.server_extension import companion as module
from wattbook.server_extension.companion import Companion, Door, Unavailable
from wattbook.server_extension.listening import Listening, PortListening, SocketListening, kernel_key

STAND_IN = Path(__file__).with_name("stand_in.py")
_numbers = itertools.count()
#: Hashes of the secrets passed to the processes of the last scene.
secrets: list[str] = []
Play = Callable[[Callable[[Companion], Awaitable[None]], dict[str, Any]], list[str]]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FIRST_PAUSE", 0.05)
    monkeypatch.setattr(module, "_STOP_LIMIT", 0.5)


def listening(transport: str, stem: Path) -> Listening:
    if transport == "socket":
        return SocketListening(stem.with_suffix(".sock"))
    return PortListening(stem.with_suffix(".json"))


@pytest.fixture(params=["socket", "port"])
def play(request: pytest.FixtureRequest, short_folder: Path) -> Iterator[Play]:
    """Runs a scene with a companion of the given behaviour, on a socket and on a port; returns the records of the
    process."""

    def run(scene: Callable[[Companion], Awaitable[None]], behaviour: dict[str, Any]) -> list[str]:
        name = f"c{next(_numbers)}"
        log = short_folder / f"{name}.log"
        place = listening(request.param, short_folder / name)
        env = {**os.environ, **place.environment, "STAND_IN": json.dumps(behaviour), "STAND_IN_LOG": str(log)}

        async def act() -> None:
            companion = Companion([sys.executable, str(STAND_IN)], place, env, logging.getLogger("test"))
            companion.start()
            try:
                await scene(companion)
            finally:
                await companion.stop()
            assert companion.pid is None
            assert not list(short_folder.glob(f"{name}.json")), "nothing that names a port stays"

        asyncio.run(act())
        lines = log.read_text().splitlines() if log.exists() else []
        secrets[:] = [line.split()[0] for line in lines if line.startswith("secret-")]
        return [line for line in lines if not line.startswith("secret-")]

    yield run


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_ready_then_stopped_by_its_input(play: Play) -> None:
    pids: list[int] = []

    async def scene(companion: Companion) -> None:
        await companion.ready(10)
        assert companion.pid is not None
        pids.append(companion.pid)
        answer = await companion.client.get(f"{companion.url}/api/health")
        assert answer.status_code == 200

    assert len(play(scene, {})) == 1
    assert not alive(pids[0])


def test_one_that_starts_slowly_is_waited_for(play: Play) -> None:
    async def scene(companion: Companion) -> None:
        with pytest.raises(Unavailable, match="still starting"):
            await companion.ready(0.3)
        await companion.ready(10)

    assert len(play(scene, {"slow": 1.0})) == 1


def test_one_that_dies_is_started_again(play: Play, caplog: pytest.LogCaptureFixture) -> None:
    async def scene(companion: Companion) -> None:
        await companion.ready(10)
        first = companion.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        deadline = time.monotonic() + 10
        while companion.starts < 2 and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        await companion.ready(10)
        assert companion.pid not in (None, first)

    assert len(play(scene, {})) == 2
    assert "signal 9; starting it again" in caplog.text
    assert len(set(secrets)) == 2, "another secret for each process"


def test_the_secret_is_in_no_environment_and_no_log(play: Play, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    found: list[str] = []

    async def scene(companion: Companion) -> None:
        await companion.ready(10)
        process = psutil.Process(companion.pid)
        found.append(companion.secret)
        assert len(companion.secret) == 64
        for text in (
            *process.environ().values(),
            *process.cmdline(),
            *os.environ.values(),
            *companion.environment.values(),
        ):
            assert companion.secret not in text
            assert kernel_key(companion.secret) not in text
        answer = await companion.client.get(f"{companion.url}/api/echo", headers={"x-service-secret": companion.secret})
        assert answer.json()["proxy"] is True and companion.secret not in answer.text

    play(scene, {})
    assert secrets == ["secret-" + hashlib.sha256(found[0].encode()).hexdigest()]
    assert found[0] not in caplog.text


def test_the_pauses_grow_and_the_last_output_is_reported(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FIRST_PAUSE", 0.2)

    async def scene(companion: Companion) -> None:
        while companion.starts < 5:  # four have reported their start: the fifth may be ended before it does
            await asyncio.sleep(0.02)
        with pytest.raises(Unavailable, match="exit code 7, saying: the stand-in gives up"):
            await companion.ready(0.05)

    starts = [float(line.split()[1]) for line in play(scene, {"die_after": 0, "slow": 5})]
    gaps = [later - earlier for earlier, later in itertools.pairwise(starts)]
    assert gaps[0] >= 0.2 and gaps[1] >= 0.4 and gaps[2] >= 0.8


def test_one_that_never_answers_is_killed_and_started_again(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_START_LIMIT", 3)

    async def scene(companion: Companion) -> None:
        while companion.starts < 2:
            await asyncio.sleep(0.02)

    assert len(play(scene, {"deaf": True})) >= 1


def test_one_that_does_not_listen_to_requests_to_stop_is_killed(play: Play) -> None:
    pids: list[int] = []

    async def scene(companion: Companion) -> None:
        await companion.ready(10)
        assert companion.pid is not None
        pids.append(companion.pid)

    play(scene, {"stubborn": True})
    assert not alive(pids[0])


def test_a_program_that_does_not_exist_is_reported(short_folder: Path) -> None:
    async def act() -> None:
        companion = Companion(
            ["/no/such/node"], SocketListening(short_folder / "none.sock"), {}, logging.getLogger("test")
        )
        companion.start()
        with pytest.raises(Unavailable, match="/no/such/node cannot be started"):
            await companion.ready(0.5)
        await companion.stop()

    asyncio.run(act())


@pytest.mark.skipif(sys.platform == "win32", reason="processes are not stopped there")
def test_a_stopped_process_is_replaced(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """It neither ends nor answers: requests to it would wait for ever."""
    monkeypatch.setattr(module, "HEALTH_PAUSE", 0.1)
    monkeypatch.setattr(module, "HEALTH_LIMIT", 1.0)

    async def scene(companion: Companion) -> None:
        await companion.ready(30)
        first = companion.pid
        assert first is not None
        await asyncio.sleep(0.5)
        assert companion.pid == first, "one that answers stays"
        os.kill(first, signal.SIGSTOP)
        deadline = time.monotonic() + 60
        while companion.starts < 2 and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        await companion.ready(30)
        assert companion.pid not in (None, first) and not alive(first)

    play(scene, {})


@pytest.mark.skipif(sys.platform == "win32", reason="without unix sockets kernels find the companion by a file")
def test_the_companion_starts_with_the_first_request(short_folder: Path) -> None:
    """A kernel opens its known socket, which exists before any process does."""
    place = SocketListening(short_folder / "behind.sock", short_folder / "front.sock")
    env = {**os.environ, **place.environment, "STAND_IN": "{}", "STAND_IN_LOG": str(short_folder / "log")}

    async def act() -> None:
        companion = Companion([sys.executable, str(STAND_IN)], place, env, logging.getLogger("test"))
        door = Door(companion)
        await door.open()
        try:
            assert place.address == f"unix:{short_folder / 'front.sock'}"
            assert (short_folder / "front.sock").stat().st_mode & 0o777 == 0o600
            await asyncio.sleep(0.3)
            assert companion.pid is None and companion.starts == 0, "a Lab in which nobody asks has no companion"
            transport = httpx.AsyncHTTPTransport(uds=str(short_folder / "front.sock"))
            async with httpx.AsyncClient(transport=transport, base_url="http://kernel", timeout=60) as kernel:
                answers = await asyncio.gather(*(kernel.get("/api/health") for _ in range(3)))
            assert {answer.status_code for answer in answers} == {200}
            assert companion.pid is not None and companion.starts == 1
        finally:
            await door.close()
            await companion.stop()

    asyncio.run(act())
