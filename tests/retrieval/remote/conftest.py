"""SPARQL servers on this machine: Oxigraph's own, and one that answers what a test wants."""

from __future__ import annotations

import socket
import subprocess
import sysconfig
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.starting import free_port
from tests.loopback import running


@pytest.fixture
def serve_store() -> Iterator[Callable[[Path], str]]:
    """Serves a store directory by Oxigraph's own server, and gives the address for queries."""
    servers: list[subprocess.Popen[bytes]] = []

    def serve(directory: Path) -> str:
        port = free_port()
        program = Path(sysconfig.get_path("scripts")) / "oxigraph"
        command = [str(program), "serve-read-only", "--location", str(directory)]
        command += ["--bind", f"127.0.0.1:{port}"]
        servers.append(subprocess.Popen(command, stderr=subprocess.DEVNULL))
        wait_for(port)
        return f"http://127.0.0.1:{port}/query"

    yield serve
    for server in servers:
        server.terminate()
        server.wait(60)


def wait_for(port: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            with socket.create_connection(("127.0.0.1", port), 1):
                return
        except OSError:
            time.sleep(0.05)
    raise TimeoutError(f"nothing listens at port {port}")


class Reply(NamedTuple):
    """What the other server says: a status, a body, and more headers."""

    status: int
    body: bytes
    headers: dict[str, str] = {}  # noqa: RUF012 - never changed


class Talker(NamedTuple):
    """The other server: what it will say, one reply a request, the last again and again."""

    address: str
    replies: list[Reply]
    asked: list[str]


@pytest.fixture
def talker() -> Iterator[Talker]:
    replies: list[Reply] = []
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            reply = replies.pop(0) if len(replies) > 1 else replies[0]
            self.send_response(reply.status)
            self.send_header("Content-Length", str(len(reply.body)))
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with running(server) as origin:
        yield Talker(f"{origin}/sparql", replies, asked)
