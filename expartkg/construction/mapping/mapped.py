"""Files and a mapping in, the statements of a graph out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from pyoxigraph import Quad

from expartkg.construction.mapping.mapping import Mapping
from expartkg.construction.mapping.rdf import mapped_rdf
from expartkg.construction.mapping.table import rows_as_statements
from expartkg.retrieval.forgiving import BadLine
from expartkg.retrieval.reading import statements_of

TABLES = (".csv", ".tsv")


def mapped_statements(
    paths: Sequence[Path], mapping: Mapping, bad_line: BadLine, tell: Callable[[str], None]
) -> Iterator[Quad]:
    """The statements that a mapping makes of tables and of RDF files.

    `bad_line` is told of what cannot be read, `tell` of properties that the mapping does not
    mention. Raises `SourceError` and `GraphError`.
    """
    tables = [path for path in paths if path.suffix.lower() in TABLES]
    for path in tables:
        yield from rows_as_statements(path, mapping.table, bad_line)
    others = [path for path in paths if path not in tables]
    if others:
        yield from mapped_rdf(statements_of(others, bad_line), mapping, tell)
