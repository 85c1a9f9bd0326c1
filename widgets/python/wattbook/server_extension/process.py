"""A child process for an event loop. By threads: the loop that Jupyter runs on Windows has no processes of its own."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any


class ServerProcess:
    """Starts `command` in a session of its own; raises OSError. `heard` gets what it writes to either output, on the loop that is
    running now."""

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
        """As of `subprocess.Popen`; None while it runs."""
        return self._process.returncode

    async def wait(self) -> int:
        """Its exit code, when it has ended. The wait may be cancelled."""
        code: int = await asyncio.shield(self._ended)
        return code

    async def silent(self) -> None:
        """Everything that it wrote has been heard."""
        await asyncio.shield(self._silent)

    def say(self, line: str) -> None:
        """Writes a line of at most a few kilobytes, which fit into the pipe at once. A process that has ended already shows in `wait`."""
        with contextlib.suppress(OSError):
            _present(self._process.stdin).write(f"{line}\n".encode())

    def hush(self) -> None:
        """Ends its input, which asks it to end."""
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
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is waiting any more
            self._loop.call_soon_threadsafe(call, *arguments)


def _apart() -> dict[str, Any]:
    """What keeps a Ctrl-C in the terminal from it, and everything that it writes this user's own."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True, "umask": 0o077}


def _present(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None  # both are pipes
    return pipe
