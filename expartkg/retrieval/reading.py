"""Reading the statements of RDF files one by one, however large the files are."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, cast

from pyoxigraph import Quad, RdfFormat, parse

from expartkg.errors import GraphError
from expartkg.retrieval.opening import rdf_format_of

BadLine = Callable[[Path, int, str], None]
"""Told of file, line (from 1) and what is wrong with it; raises if the load is to stop there."""

_BLOCK = 5000


def stop_at_bad_line(path: Path, line: int, reason: str) -> None:
    """Ends the load."""
    raise GraphError(
        f"{path} line {line}: {reason}. Mend it, or have such lines skipped (--bad-lines skip)."
    )


def statements_of(paths: Iterable[Path], bad_line: BadLine) -> Iterator[Quad]:
    """The statements of several files, in order; see `statements_in`."""
    for path in paths:
        yield from statements_in(path, bad_line)


def statements_in(path: Path, bad_line: BadLine) -> Iterator[Quad]:
    """The statements of a file, without the named graphs that they stand in.

    In N-Triples and N-Quads every bad line is told of. Other formats cannot be read on behind an
    error, whatever `bad_line` does. Raises `GraphError`.
    """
    rdf_format = rdf_format_of(path)
    with open_unpacked(path) as file:
        try:
            if rdf_format in (RdfFormat.N_TRIPLES, RdfFormat.N_QUADS):
                quads = _by_lines(file, rdf_format, path, bad_line)
            else:
                quads = parse(file, rdf_format)
            for quad in quads:
                yield Quad(quad.subject, quad.predicate, quad.object)
        except SyntaxError as error:
            raise GraphError(f"{path} is not valid {rdf_format}: {error}.") from error
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise GraphError(f"{path} is cut off or damaged ({error}); fetch it again.") from error


@contextmanager
def open_unpacked(path: Path) -> Iterator[IO[bytes]]:
    """Opens a file that may be gzipped. Raises `GraphError`."""
    try:
        packed = path.open("rb")
    except OSError as error:
        raise GraphError(f"{path} cannot be read: {error.strerror or error}.") from error
    with packed:
        # gzip's file is one in all but its type.
        unpacked = cast("IO[bytes]", gzip.GzipFile(fileobj=packed))
        yield unpacked if path.suffix.lower() == ".gz" else packed


def _by_lines(
    file: IO[bytes], rdf_format: RdfFormat, path: Path, bad_line: BadLine
) -> Iterator[Quad]:
    """Block by block, and only where there is an error in a block, line by line."""
    number = 1
    while block := list(islice(file, _BLOCK)):
        try:
            yield from list(parse(b"".join(block), rdf_format))
        except SyntaxError:
            for place, line in enumerate(block, number):
                try:
                    yield from list(parse(line, rdf_format))
                except SyntaxError as error:
                    bad_line(path, place, f"not valid {rdf_format}: {_reason(error)}")
        number += len(block)


def _reason(error: SyntaxError) -> str:
    """What is wrong, without the place: a line that is parsed alone is always the first."""
    return error.msg.rpartition(": ")[2]


def sha256_of(paths: list[Path]) -> str:
    """The hash of a file or, of several, the hash of their hashes in order."""
    hashes = []
    for path in paths:
        with path.open("rb") as file:
            hashes.append(hashlib.file_digest(file, "sha256").hexdigest())
    return hashes[0] if len(hashes) == 1 else hashlib.sha256("\n".join(hashes).encode()).hexdigest()
