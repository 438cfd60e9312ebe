"""Servers on this machine that play others."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from http.server import HTTPServer

POLL_SECONDS = 0.01
"""How long the end of a server takes at most."""


@contextlib.contextmanager
def running(server: HTTPServer) -> Iterator[str]:
    """Serves in a thread until the block ends, and closes the server; yields its origin."""
    thread = threading.Thread(target=server.serve_forever, args=(POLL_SECONDS,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
