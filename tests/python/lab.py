"""A real Jupyter server with the extension, as a separate process."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Any

import websocket

TOKEN = "secret-of-the-test"
BASE = "/user/me/"


class Lab:
    """A Jupyter server on a free port below `folder`; the companion's folder is in `runtime`.

    `module` and `python` start another server than `jupyter_server`, with the same options.
    """

    def __init__(
        self,
        folder: Path,
        *,
        arguments: tuple[str, ...] = (),
        env: dict[str, str] | None = None,
        base: str = BASE,
        runtime: Path | None = None,
        module: str = "jupyter_server",
        python: str = sys.executable,
        extensions: tuple[str, ...] = ("wattbook.server_extension",),
    ) -> None:
        self.base = base
        self.runtime = runtime or folder / "run"
        for needed in (folder, self.runtime):
            needed.mkdir(parents=True, exist_ok=True)
        self.log = folder / "lab.log"
        self.port = _free_port()
        own = {key: value for key, value in os.environ.items() if not key.startswith(("JUPYTER", "SERVICE_"))}
        environment = {
            **own,
            "HOME": str(folder),
            "JUPYTER_CONFIG_DIR": str(folder / "config"),
            "JUPYTER_RUNTIME_DIR": str(folder / "jupyter"),
            "JUPYTER_PLATFORM_DIRS": "0",
            "XDG_RUNTIME_DIR": str(self.runtime),
            **(env or {}),
        }
        command = [
            python,
            "-m",
            module,
            "--no-browser",
            "--allow-root",
            f"--ServerApp.port={self.port}",
            "--ServerApp.port_retries=0",
            f"--ServerApp.base_url={base}",
            f"--ServerApp.root_dir={folder}",
            f"--IdentityProvider.token={TOKEN}",
            f"--ServerApp.jpserver_extensions={dict.fromkeys(extensions, True)}",
            *arguments,
        ]
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(command, env=environment, stdout=output, stderr=output)
        self._wait()

    @property
    def url(self) -> str:
        """Address for `wb.Service`."""
        return f"http://127.0.0.1:{self.port}{self.base}wattbook"

    def folders(self) -> list[Path]:
        """Runtime folders of companions."""
        return sorted(self.runtime.glob("wattbook-run-*"))

    def get(
        self, path: str, *, method: str = "GET", token: str | None = TOKEN, **headers: str
    ) -> tuple[http.client.HTTPResponse, bytes]:
        """One request below the base URL; header names with `_` for `-`."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            sent["Authorization"] = f"token {token}"
        connection.request(method, self.base + path, headers=sent)
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return response, body

    def json(self, path: str) -> Any:
        """The JSON of a 200 answer."""
        response, body = self.get(path)
        assert response.status == 200, body
        return json.loads(body)

    def run_in_kernel(self, code: str) -> str:
        """The output of `code` in a new kernel of this server."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Authorization": f"token {TOKEN}", "Content-Type": "application/json"}
        connection.request("POST", self.base + "api/kernels", body="{}", headers=headers)
        kernel = json.loads(connection.getresponse().read())["id"]
        url = f"ws://127.0.0.1:{self.port}{self.base}api/kernels/{kernel}/channels?token={TOKEN}"
        channel = websocket.create_connection(url, timeout=60)
        ident = uuid.uuid4().hex
        header = {"msg_id": ident, "msg_type": "execute_request", "username": "", "session": ident, "version": "5.4"}
        content = {"code": code, "silent": False, "store_history": False, "allow_stdin": False, "stop_on_error": True}
        message = {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"}
        channel.send(json.dumps(message))
        printed = ""
        while True:
            answer = json.loads(channel.recv())
            if answer["parent_header"].get("msg_id") != ident:
                continue
            if answer["msg_type"] == "stream":
                printed += answer["content"]["text"]
            if answer["msg_type"] == "error":
                raise AssertionError("\n".join(answer["content"]["traceback"]))
            if answer["msg_type"] == "status" and answer["content"]["execution_state"] == "idle":
                break
        channel.close()
        connection.request("DELETE", self.base + f"api/kernels/{kernel}", headers=headers)
        connection.getresponse().read()
        connection.close()
        return printed

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Ends the server with a signal."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait(20)

    def _wait(self) -> None:
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                if self.get("api")[0].status == 200:
                    return
            except OSError:
                time.sleep(0.1)
        self.stop(signal.SIGKILL)
        raise AssertionError(f"the Jupyter server did not start:\n{self.log.read_text()}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
