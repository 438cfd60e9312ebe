"""A file that may be larger than the memory, read once from its beginning to its end."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from tqdm import tqdm

from expartkg.construction.sources.dump.described import DamagedLineError
from expartkg.errors import SourceError

GZIP, BZIP2 = b"\x1f\x8b", b"BZh"
"""What files that are packed so begin with."""
BUFFER = 2**20
ENDS = 2**20
"""Bytes at either end of a file that it is known by."""
LONGEST_LINE = 2**26
"""Bytes; the largest entity of Wikidata has a tenth of that."""
BAR_SECONDS = 0.5
LOG_SECONDS = 60.0
"""Seconds between two reports of how far it is, on a terminal and in a log."""


class DumpFile:
    """A file, packed by gzip or bzip2 or not at all, whatever its name ends in."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.sha256 = ""
        """In hex, of the file as it is on the disk; known when all its lines have been read."""

    @property
    def version(self) -> dict[str, object]:
        """The size and a digest of both ends: to hash all of it would be to read it once more.

        Raises `SourceError` if the file cannot be read.
        """
        digest = hashlib.sha256()
        try:
            with self.path.open("rb") as file:
                size = file.seek(0, io.SEEK_END)
                for place in (0, max(0, size - ENDS)):
                    file.seek(place)
                    digest.update(file.read(ENDS))
        except OSError as error:
            raise SourceError(f"{self.path} cannot be read: {error.strerror or error}.") from error
        return {"size": size, "ends": digest.hexdigest()}

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Every line with its number, from 1; says on stderr how far it is.

        Raises `SourceError`, with the number of the line, where the file cannot be read on.
        """
        self.sha256, number = "", 0
        try:
            with self.path.open("rb") as file, _bar(self.path) as bar:
                watched = _Watched(file, bar)
                stream = _unpacked(watched)
                while line := stream.readline(LONGEST_LINE):
                    number += 1
                    if len(line) == LONGEST_LINE:
                        raise DamagedLineError(number, "too long; a dump has an entity a line")
                    yield number, line
                self.sha256 = watched.sha256()
        except (OSError, EOFError, zlib.error) as error:
            raise SourceError(
                f"{self.path} breaks off or is damaged after line {number} ({error}); download it "
                "again."
            ) from error


class _Watched(io.RawIOBase):
    """Bytes of a file, of which a digest is made and a bar told as they go by."""

    def __init__(self, file: IO[bytes], bar: tqdm[Any]) -> None:
        self._file = file
        self._bar = bar
        self._digest = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        content = self._file.read(len(buffer))
        buffer[: len(content)] = content
        self._digest.update(content)
        self._bar.update(len(content))
        return len(content)

    def sha256(self) -> str:
        """Of the whole file: behind packed content there may be something that nobody has read."""
        while self.read(BUFFER):
            pass
        return self._digest.hexdigest()


def _unpacked(file: _Watched) -> IO[bytes]:
    packed = io.BufferedReader(file, BUFFER)
    beginning = packed.peek(len(BZIP2))
    if beginning.startswith(GZIP):
        return io.BufferedReader(gzip.GzipFile(fileobj=packed), BUFFER)
    if beginning.startswith(BZIP2):
        return io.BufferedReader(bz2.BZ2File(packed), BUFFER)
    return packed


def _bar(path: Path) -> tqdm[Any]:
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    return tqdm(
        total=path.stat().st_size,
        desc=path.name,
        unit="B",
        unit_scale=True,
        delay=BAR_SECONDS,
        mininterval=BAR_SECONDS if is_terminal else LOG_SECONDS,
        file=sys.stderr,
        disable=sys.stderr is None,
    )
