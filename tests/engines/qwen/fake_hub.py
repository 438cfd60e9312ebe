"""A hub on loopback that has one repository, and may refuse it or break off in the middle."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha1
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.loopback import running

COMMIT = "0123456789abcdef0123456789abcdef01234567"
REFUSALS = {
    "gated": (403, "GatedRepo"),
    "missing": (401, "RepoNotFound"),
    "no revision": (404, "RevisionNotFound"),
}


class FakeHub:
    """`refusal` is one of `REFUSALS`; `cut` files end before their announced length."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = files
        self.refusal: str | None = None
        self.cut: set[str] = set()
        self.requests: list[str] = []
        self.address = ""


@contextmanager
def serve(hub: FakeHub) -> Iterator[FakeHub]:
    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self._answer(body=False)

        def do_GET(self) -> None:
            self._answer(body=True)

        def log_message(self, format: str, *args: object) -> None:
            """Tests are quiet."""

        def _answer(self, *, body: bool) -> None:
            hub.requests.append(f"{self.command} {self.path}")
            if hub.refusal:
                status, code = REFUSALS[hub.refusal]
                self._send(status, b"", {"X-Error-Code": code})
            elif self.path.startswith("/api/"):
                self._send(200, json.dumps(self._listing()).encode(), {})
            else:
                self._send_file(self.path.rsplit("/", 1)[-1], body=body)

        def _listing(self) -> object:
            if "/tree/" not in self.path:
                return {"id": "o/n", "sha": COMMIT, "siblings": []}
            return [
                {"type": "file", "path": name, "size": len(content), "oid": etag(content)}
                for name, content in hub.files.items()
            ]

        def _send_file(self, name: str, *, body: bool) -> None:
            content = hub.files[name]
            headers = {"X-Repo-Commit": COMMIT, "ETag": f'"{etag(content)}"'}
            self._send(200, content if body else b"", headers, len(content), name in hub.cut)

        def _send(
            self,
            status: int,
            content: bytes,
            headers: Mapping[str, str],
            length: int | None = None,
            cut: bool = False,
        ) -> None:
            self.send_response(status)
            for header, value in headers.items():
                self.send_header(header, value)
            self.send_header("Content-Length", str(len(content) if length is None else length))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if cut else content)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    with running(server) as hub.address:
        yield hub


def etag(content: bytes) -> str:
    return sha1(content).hexdigest()
