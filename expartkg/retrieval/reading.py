"""Reading the statements of RDF files one by one, however large the files are."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, cast

from pyoxigraph import Quad, RdfFormat, parse

from expartkg.errors import GraphError
from expartkg.retrieval.forgiving import RDFLIB_NAMES, BadLine, rdflib_only, read_by_rdflib
from expartkg.retrieval.opening import rdf_format_of

_BLOCK = 5000


def stop_at_bad_line(path: Path, line: int, reason: str) -> None:
    """Ends the load."""
    raise GraphError(
        f"{place_of(path, line)}: {reason}. Mend it, or have such lines skipped (--bad-lines skip)."
    )


def place_of(path: Path, line: int) -> str:
    """A bad line for people, as a `BadLine` is told of it."""
    return f"{path} line {line}" if line else str(path)


def statements_of(paths: Iterable[Path], bad_line: BadLine) -> Iterator[Quad]:
    """The statements of several files, in order; see `statements_in`."""
    for path in paths:
        yield from statements_in(path, bad_line)


def statements_in(path: Path, bad_line: BadLine) -> Iterator[Quad]:
    """The statements of a file, without the named graphs that they stand in.

    In N-Triples and N-Quads every bad line is told of. In other formats Oxigraph cannot read on
    behind an error: if `bad_line` lets it pass, rdflib reads the file, which forgives more, as it
    reads the formats that Oxigraph does not know. Raises `GraphError`.
    """
    with open_unpacked(path) as file:
        try:
            for quad in _quads(path, file, bad_line):
                yield Quad(quad.subject, quad.predicate, quad.object)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise GraphError(f"{path} is cut off or damaged ({error}); fetch it again.") from error


def _quads(path: Path, file: IO[bytes], bad_line: BadLine) -> Iterator[Quad]:
    if rdflib_format := rdflib_only(path):
        yield from read_by_rdflib(path, file, rdflib_format, bad_line)
        return
    rdf_format = rdf_format_of(path)
    if rdf_format in (RdfFormat.N_TRIPLES, RdfFormat.N_QUADS):
        yield from _by_lines(file, rdf_format, path, bad_line)
        return
    try:
        yield from parse(file, rdf_format)
    except SyntaxError as error:
        bad_line(path, error.lineno or 1, f"not valid {rdf_format}: {_reason(error)}")
        file.seek(0)
        yield from read_by_rdflib(path, file, RDFLIB_NAMES[str(rdf_format)], bad_line)


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
