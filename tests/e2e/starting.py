"""Starting a page in a process of its own, and waiting until it answers."""

from __future__ import annotations

import contextlib
import http.client
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 200.0


@dataclass(frozen=True)
class Served:
    """A page that answers, and its process."""

    port: int
    pid: int
    log: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"


@contextlib.contextmanager
def served(command: Sequence[str], log: Path, port: int, **settings: str) -> Iterator[Served]:
    """Runs `python COMMAND` until the block ends; what it prints goes into `log`.

    Its environment is that of `environment`; uploads and cache are in folders beside `log`.
    """
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, *command],
            cwd=ROOT,
            env=environment(port, log.parent / "uploads", **settings),
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        _wait_until_answered(process, port, log)
        yield Served(port, process.pid, log)
        if (status := process.poll()) is not None:
            raise AssertionError(f"The page ended by itself, with {status}:\n{log.read_text()}")
    finally:
        process.terminate()
        process.wait(timeout=60)


def free_port() -> int:
    """One that no client is given before it is used: those of the system begin at 32768."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def environment(port: int, uploads: Path, **settings: str) -> dict[str, str]:
    """What a page is started with: the `settings`, and none of the caller's own."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("EXPARTKG_", "GRADIO_", "SPACE_"))
    }
    return {
        **kept,
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
        "GRADIO_SERVER_PORT": str(port),
        "GRADIO_TEMP_DIR": str(uploads),
        "EXPARTKG_ENGINE": "preview",
        "EXPARTKG_CACHE": str(uploads.parent / "cache"),
        **settings,
    }


def _wait_until_answered(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    # It says where it is: what answers may be the page of somebody else who drew the same port.
    sign = f"http://127.0.0.1:{port}/"
    end = time.monotonic() + PATIENCE_SECONDS
    while not (sign in log.read_text() and _answers(port)):
        if process.poll() is not None or time.monotonic() > end:
            raise AssertionError(f"The page does not answer:\n{log.read_text()}")
        time.sleep(0.02)


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status == 200
    except ConnectionRefusedError:
        return False
    finally:
        connection.close()
