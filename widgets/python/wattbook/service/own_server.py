"""A companion server of this process, for programs that no Jupyter server has started."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from ..errors import ServiceUnreachableError
from ..text.words import visible

_START_LIMIT_S = 60.0
_PAUSE_S = 0.05
#: Where servers listen that are started by hand.
_PLACES = ("SERVICE_SOCKET", "SERVICE_HOST", "SERVICE_PORT", "SERVICE_SECRET_FROM_STDIN")

_lock = threading.Lock()
_started: OwnServer | None = None


class OwnServer:
    """`wattbook serve` as a child that ends with this process: by the end of its standard input, however this process ends.

    It listens on a unix socket in a folder that admits nobody else; on Windows on a port of the loopback. Raises
    ServiceUnreachableError `SERVICE.UNREACHABLE` with what it said where it does not start.
    """

    def __init__(self) -> None:
        self.process_id = os.getpid()
        self._folder = Path(tempfile.mkdtemp(prefix="wattbook-own-"))
        socket = None if sys.platform == "win32" else self._folder / "server.sock"
        place = (
            {"SERVICE_HOST": "127.0.0.1", "SERVICE_PORT": "0"} if socket is None else {"SERVICE_SOCKET": str(socket)}
        )
        inherited = {name: value for name, value in os.environ.items() if name not in _PLACES}
        log = self._folder / "log"
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "wattbook.cli", "serve"],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={
                    "SERVICE_SERVER_COMPUTE": "1",
                    "SERVICE_SOLVE_RATE_LIMIT_EVENTS": "0",
                    "SERVICE_SENSITIVITY_RATE_LIMIT_EVENTS": "0",
                    **inherited,
                    **place,
                    "SERVICE_EXIT_WITH_STDIN": "1",
                    "SERVICE_LOG_LEVEL": "info",  # it says where it listens
                },
            )
        atexit.register(self.stop)
        self.address = self._listening(log, socket)

    @property
    def runs(self) -> bool:
        """Whether it still runs, as a child of this process."""
        return self.process_id == os.getpid() and self._process.poll() is None

    def stop(self) -> None:
        """Ends it and removes its folder. A copy of this process (`os.fork`) leaves both alone."""
        if self.process_id != os.getpid():
            return
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(3.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)
        atexit.unregister(self.stop)

    def _listening(self, log: Path, socket: Path | None) -> str:
        deadline = time.monotonic() + _START_LIMIT_S
        while time.monotonic() < deadline and self._process.poll() is None:
            found = re.search(r"Server listening at (\S+?)\"", log.read_text("utf-8", "replace"))
            if found is not None:
                return f"unix:{socket}" if socket is not None else found[1]
            time.sleep(_PAUSE_S)
        said = log.read_text("utf-8", "replace").strip().splitlines()
        self.stop()
        reason = visible(said[-1][:500]) if said else "it said nothing"
        raise ServiceUnreachableError(
            "SERVICE.UNREACHABLE", f"The companion server of this process did not start: {reason}"
        )


def own_address() -> str:
    """The address of the companion server of this process, which the first call starts, and again where it has ended."""
    global _started
    with _lock:
        if _started is None or not _started.runs:
            if _started is not None:
                _started.stop()
            _started = OwnServer()
        return _started.address
