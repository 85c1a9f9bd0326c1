"""The companion process: start, supervision, restart, stop, and the connection of kernels to it. Threads wait for the
process, because Jupyter's event loop on Windows does not support subprocesses."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from secrets import token_hex
from typing import IO, Any

import httpx

from .listening import Listening, SocketListening

#: Seconds.
_START_LIMIT = 30.0
_PROBE_PAUSE = 0.1
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 30.0
#: A process that was ready for this long resets the pauses.
_STEADY = 60.0
_STOP_LIMIT = 3.0
#: Interval of health checks, and the time limit of an answer.
HEALTH_PAUSE = 10.0
HEALTH_LIMIT = 5.0
_TAIL_BYTES = 4096
#: Header that carries the secret in a request.
SECRET_HEADER = "x-service-secret"
#: Variable that makes the server read the secret from the first line of its standard input.
SECRET_VARIABLE = "SERVICE_SECRET_FROM_STDIN"
_READY_SECONDS = 30.0
_PIECE = 65536


class Unavailable(Exception):
    """The companion cannot answer; the text is for the user."""


class Companion:
    """Supervises one server process at `listening`.

    It is started on the first request (`ready`), because it takes 150 MB and more, which a Lab whose user only computes
    in kernels need not have. `command` is the whole command line. Closing its standard input asks the process to end,
    which also happens when this process is killed. A process that dies is restarted after a pause that doubles from 0.5
    s to 30 s, and so is one that is stopped or hangs: it is health-checked all the time, and ended if it misses two
    checks.

    `secret` authenticates this process: a new one at each start, sent as the first line of its standard input. It is in
    no environment, which every process of the user could read, because kernels reach the server too and must not pass
    for the proxy.
    """

    def __init__(
        self, command: Sequence[str], listening: Listening, env: Mapping[str, str], log: logging.Logger
    ) -> None:
        self.listening = listening
        self.client = httpx.AsyncClient(
            transport=listening.transport(),
            timeout=httpx.Timeout(60.0, connect=5.0, pool=None),
            trust_env=False,
        )
        self.starts = 0
        self.secret = ""
        self._command = list(command)
        #: May be extended before the start.
        self.environment = dict(env)
        self._log = log
        self._ready = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._process: ServerProcess | None = None
        self._stopping = False
        self._given_up: str | None = None
        self._trouble = "it is still starting"
        self._tail = b""
        self._line = b""

    @property
    def url(self) -> str:
        """URL for requests; raises Unavailable while it is not known."""
        if self.listening.url is None:
            raise Unavailable(f"The companion server does not answer: {self._trouble}.")
        return self.listening.url

    @property
    def pid(self) -> int | None:
        """Process id while a process runs."""
        return self._process.pid if self._process and self._process.returncode is None else None

    def start(self) -> None:
        """Starts the process and its supervision on the running event loop."""
        if self._task is None and not self._stopping:
            self._task = asyncio.get_running_loop().create_task(self._supervise())
            self._task.add_done_callback(self._note_failure)

    def give_up(self, reason: str) -> None:
        """Called instead of `start` if the companion cannot be started; every request gets the reason."""
        self._given_up = reason
        self._log.warning("wattbook: %s", reason)

    async def ready(self, seconds: float) -> None:
        """Waits until the server answers; raises Unavailable with the reason after `seconds`."""
        if self._given_up is not None:
            raise Unavailable(self._given_up)
        self.start()
        try:
            await asyncio.wait_for(self._ready.wait(), seconds)
        except TimeoutError:
            raise Unavailable(f"The companion server does not answer: {self._trouble}.") from None

    async def stop(self) -> None:
        """Ends the process: by its standard input, then by SIGTERM, then by SIGKILL."""
        self._stopping = True
        self._ready.clear()
        process = self._process
        if process is not None and process.returncode is None:
            await self._end(process)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self.client.aclose()

    async def _end(self, process: ServerProcess) -> None:
        process.hush()
        for insist in (process.terminate, process.kill):
            try:
                await asyncio.wait_for(process.wait(), _STOP_LIMIT)
                return
            except TimeoutError:
                insist()
        await process.wait()

    async def _supervise(self) -> None:
        pause = _FIRST_PAUSE
        while not self._stopping:
            lived = await self._run_once()
            if self._stopping:
                return
            pause = _FIRST_PAUSE if lived > _STEADY else pause
            self._log.warning("wattbook: %s; starting it again in %.1f s", self._trouble, pause)
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _note_failure(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception() is not None:
            self._trouble = "its supervision failed; the log of the Jupyter server says why"
            self._log.error("wattbook: the supervision of the companion server failed", exc_info=task.exception())

    async def _run_once(self) -> float:
        """Runs the process once; returns for how many seconds it was ready."""
        self.starts += 1
        self.secret = token_hex(32)
        self.listening.prepare(self.secret)
        self._tail = self._line = b""
        try:
            process = ServerProcess(self._command, {**self.environment, SECRET_VARIABLE: "1"}, self._hear)
        except OSError as error:
            self._trouble = f"{self._command[0]} cannot be started ({error.strerror or error})"
            return 0.0
        self._process = process
        process.say(self.secret)
        exited = asyncio.create_task(process.wait())
        try:
            if not await self._answers(exited):
                return 0.0
            self.listening.publish()
            self._ready.set()
            self._tail = b""  # output of the start does not explain the end
            self._log.info("wattbook: companion server is ready (process %d)", process.pid)
            since = time.monotonic()
            await self._ended_or_silent(exited)
            return time.monotonic() - since
        finally:
            self._ready.clear()
            self.listening.clear()  # before anything that a cancellation could interrupt
            if process.returncode is None:
                process.kill()
            await process.wait()
            await process.silent()
            process.hush()
            exited.cancel()
            if not self._stopping:
                self._note_end(process)

    async def _ended_or_silent(self, exited: asyncio.Task[int]) -> None:
        """Waits for the end of the process, or until it does not answer."""
        silent = 0
        while silent < 2:
            done, _ = await asyncio.wait({exited}, timeout=HEALTH_PAUSE)
            if done:
                return
            try:
                await self.client.get(
                    f"{self.url}/api/health", timeout=HEALTH_LIMIT, headers={SECRET_HEADER: self.secret}
                )
                silent = 0
            except (Unavailable, httpx.TransportError):
                silent += 1
        self._log.warning("wattbook: the companion server does not answer and is ended")

    async def _answers(self, exited: asyncio.Task[int]) -> bool:
        """Polls /api/health until there is any answer; False if the process ended or took too long."""
        deadline = time.monotonic() + _START_LIMIT
        while time.monotonic() < deadline and not exited.done():
            try:
                await self.client.get(f"{self.url}/api/health", timeout=5.0, headers={SECRET_HEADER: self.secret})
                return True
            except (Unavailable, httpx.TransportError):
                await asyncio.wait({exited}, timeout=_PROBE_PAUSE)
        return False

    def _note_end(self, process: ServerProcess) -> None:
        output = self._tail.decode("utf-8", "replace").strip().splitlines()
        code = process.returncode
        how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        self._trouble = f"the companion server ended with {how}" + (f", saying: {output[-1][:500]}" if output else "")

    def _hear(self, chunk: bytes) -> None:
        self._tail = (self._tail + chunk)[-_TAIL_BYTES:]
        self._log.debug("wattbook server: %s", chunk.decode("utf-8", "replace").rstrip())
        if not self._ready.is_set():
            *lines, self._line = (self._line + chunk).split(b"\n")
            for line in lines:
                self.listening.hear(line)


class ServerProcess:
    """Starts `command` in a session of its own; raises OSError. `heard` receives its output of both streams, on the
    running loop."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], heard: Callable[[bytes], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=dict(environment),
            bufsize=0,
            **_apart(),
        )
        self.pid = self._process.pid
        self._ended = self._loop.create_future()
        self._silent = self._loop.create_future()
        for work in (self._wait, self._read):
            threading.Thread(target=work, args=(heard,), name=f"wattbook-companion-{self.pid}", daemon=True).start()

    @property
    def returncode(self) -> int | None:
        """As for `subprocess.Popen`; None while it runs."""
        return self._process.returncode

    async def wait(self) -> int:
        """Its exit code, when it has ended. The wait may be cancelled."""
        code: int = await asyncio.shield(self._ended)
        return code

    async def silent(self) -> None:
        """Waits until all of its output has been received."""
        await asyncio.shield(self._silent)

    def say(self, line: str) -> None:
        """Writes a line of at most a few kilobytes, which fit into the pipe at once. If the process has already ended,
        `wait` returns."""
        with contextlib.suppress(OSError):
            _present(self._process.stdin).write(f"{line}\n".encode())

    def hush(self) -> None:
        """Closes its input, which asks it to end."""
        with contextlib.suppress(OSError):
            _present(self._process.stdin).close()

    def terminate(self) -> None:
        """As `subprocess.Popen.terminate`."""
        self._process.terminate()

    def kill(self) -> None:
        """As `subprocess.Popen.kill`."""
        self._process.kill()

    def _wait(self, _: Callable[[bytes], None]) -> None:
        code = self._process.wait()
        self._on_loop(lambda: self._ended.set_result(code))

    def _read(self, heard: Callable[[bytes], None]) -> None:
        with _present(self._process.stdout) as output:
            while chunk := output.read(65536):
                self._on_loop(heard, chunk)
        self._on_loop(lambda: self._silent.set_result(None))

    def _on_loop(self, call: Callable[..., None], *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed, and nobody is waiting any more
            self._loop.call_soon_threadsafe(call, *arguments)


def _apart() -> dict[str, Any]:
    """Options that isolate it from a Ctrl-C in the terminal and make its files private to the user."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True, "umask": 0o077}


def _present(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None  # both are pipes
    return pipe


class Door:
    """Listens on the socket that kernels know, starts the companion on the first connection, and passes bytes both
    ways.

    Without unix sockets, kernels find the companion by a file that it writes, so it starts at once.
    """

    def __init__(self, companion: Companion) -> None:
        self._companion = companion
        self._server: asyncio.Server | None = None
        self._visits: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Listens; raises OSError."""
        listening = self._companion.listening
        if listening.front is None:
            self._companion.start()
            return
        self._server = await asyncio.start_unix_server(self._visit, str(listening.front))
        listening.front.chmod(0o600)  # its folder has admitted nobody else before

    async def close(self) -> None:
        """Stops listening, and ends open connections."""
        if self._server is not None:
            self._server.close()
        for visit in self._visits:
            visit.cancel()
        await asyncio.gather(*self._visits, return_exceptions=True)

    async def _visit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visit = asyncio.current_task()
        assert visit is not None
        self._visits.add(visit)
        try:
            await self._passed(reader, writer)
        except (OSError, Unavailable):
            pass  # the connection ends without an answer: the client reports that nobody answers, and the companion's log has the reason
        finally:
            self._visits.discard(visit)
            writer.close()

    async def _passed(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._companion.ready(_READY_SECONDS)
        listening = self._companion.listening
        assert isinstance(listening, SocketListening)
        inner_reader, inner_writer = await listening.connect()
        try:
            there = asyncio.create_task(_pump(reader, inner_writer))
            back = asyncio.create_task(_pump(inner_reader, writer))
            # A client that leaves cancels its solve; a response of the server is complete when it ends.
            await asyncio.wait({there, back}, return_when=asyncio.FIRST_COMPLETED)
            for task in (there, back):
                task.cancel()
            await asyncio.gather(there, back, return_exceptions=True)
        finally:
            inner_writer.close()


async def _pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while piece := await source.read(_PIECE):
        target.write(piece)
        await target.drain()
