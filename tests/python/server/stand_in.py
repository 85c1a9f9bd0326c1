"""A misbehaving companion, for faults that the real one does not show on request.

Serves HTTP on the unix socket SERVICE_SOCKET, or else on a port, which it announces like the server. STAND_IN is JSON:
`die_after` (seconds after start), `slow` (seconds before it listens), `deaf` (never listens), `stubborn` (ignores the
end of its input and SIGTERM). Each start is a line in the file STAND_IN_LOG, and so is each event at `/api/endless`, a
body that never ends. `/api/echo` returns the request's headers, and `proxy` where their secret is the one of the start,
whose hash is recorded.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler
from socketserver import TCPServer, ThreadingMixIn, UnixStreamServer

started_with = ""


def note(text: str) -> None:
    with open(os.environ["STAND_IN_LOG"], "a") as log:  # noqa: PTH123
        log.write(f"{text} {time.time()}\n")


class Server(ThreadingMixIn, UnixStreamServer):
    daemon_threads = True


class PortServer(ThreadingMixIn, TCPServer):
    daemon_threads = True


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def address_string(self) -> str:
        return "unix"

    def do_GET(self) -> None:
        if self.path.startswith("/api/endless"):
            return self.endless()
        if self.path.startswith("/api/broken"):
            return self.broken()
        headers = {k.lower(): v for k, v in self.headers.items()}
        secret = headers.pop("x-service-secret", "")
        proxy = hashlib.sha256(secret.encode()).hexdigest() == started_with
        body = json.dumps({"path": self.path, "headers": headers, "proxy": proxy}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Set-Cookie", "a=1")
        self.send_header("Set-Cookie", "b=2")
        self.send_header("Keep-Alive", "timeout=5")
        self.end_headers()
        self.wfile.write(body)

    def start_chunks(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"6\r\nfirst\n\r\n")
        self.wfile.flush()

    def endless(self) -> None:
        note("endless-begin")
        self.start_chunks()
        # Sends nothing more: only the end of the connection can wake this.
        self.connection.settimeout(30)
        with contextlib.suppress(OSError):
            self.connection.recv(1)
        note("endless-end")
        self.close_connection = True

    def broken(self) -> None:
        self.start_chunks()
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


def main() -> None:
    global started_with
    behaviour = json.loads(os.environ.get("STAND_IN", "{}"))
    note("start")
    assert os.environ["SERVICE_SECRET_FROM_STDIN"] == "1"
    started_with = hashlib.sha256(sys.stdin.readline().rstrip("\n").encode()).hexdigest()
    note(f"secret-{started_with}")
    if behaviour.get("stubborn"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    else:
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    if "die_after" in behaviour:
        print("the stand-in gives up", flush=True)
        threading.Timer(behaviour["die_after"], lambda: os._exit(7)).start()
    time.sleep(behaviour.get("slow", 0))
    if behaviour.get("deaf"):
        time.sleep(600)
    if "SERVICE_SOCKET" in os.environ:
        with Server(os.environ["SERVICE_SOCKET"], Handler) as server:
            server.serve_forever()
    with PortServer((os.environ["SERVICE_HOST"], int(os.environ["SERVICE_PORT"])), Handler) as server:
        print('{"level":30,"msg":"a line of the log"}')
        print(
            json.dumps({"listening": f"http://127.0.0.1:{server.server_address[1]}"}).replace(": ", ":", 1), flush=True
        )
        server.serve_forever()


main()
