"""What a process holds: memory, threads, open files, children, and files in a folder."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Sample:
    """At a moment, in seconds; memory in MB."""

    at: float
    memory: float
    threads: int
    open_files: int
    children: int
    uploads: int


def sample(pid: int, uploads: Path) -> Sample:
    """What a process of Linux holds just now."""
    process = Path(f"/proc/{pid}")
    resident = int((process / "statm").read_text().split()[1])
    threads = list((process / "task").iterdir())
    children = sum(len(_read(thread / "children").split()) for thread in threads)
    return Sample(
        time.monotonic(),
        resident * PAGE_BYTES / 2**20,
        len(threads),
        len(list((process / "fd").iterdir())),
        children,
        sum(path.is_file() for path in uploads.rglob("*")),
    )


def processor_seconds(pid: int) -> float:
    """What the process itself has used of the processor so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _read(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:  # the thread has ended meanwhile
        return ""


@dataclass
class Watch:
    """Takes samples in a thread of its own."""

    pid: int
    uploads: Path
    every_seconds: float
    samples: list[Sample] = field(default_factory=list)

    @contextmanager
    def watching(self) -> Iterator[None]:
        ended = threading.Event()

        def go_on() -> None:
            while not ended.is_set():
                self.samples.append(sample(self.pid, self.uploads))
                ended.wait(self.every_seconds)

        thread = threading.Thread(target=go_on)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def table(self, rows: int = 20) -> str:
        """Some of the samples, from the first to the last."""
        step = max(1, len(self.samples) // rows)
        shown = [*self.samples[:-1:step], self.samples[-1]]
        head = f"{'s':>6} {'MB':>7} {'threads':>8} {'files':>6} {'children':>9} {'uploads':>8}"
        began = self.samples[0].at
        lines = [
            f"{one.at - began:6.0f} {one.memory:7.1f} {one.threads:8} {one.open_files:6} "
            f"{one.children:9} {one.uploads:8}"
            for one in shown
        ]
        return "\n".join([head, *lines])
