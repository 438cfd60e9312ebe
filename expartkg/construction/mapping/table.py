"""The rows of a museum's table as statements."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from pyoxigraph import Literal, NamedNode, Quad

from expartkg.construction.ids import ITEM
from expartkg.construction.mapping.mapping import Column, Table
from expartkg.construction.mapping.vocabulary import (
    DATE,
    IMAGE,
    filled,
    kind_of,
    label_of,
    property_and_label,
)
from expartkg.errors import SourceError
from expartkg.retrieval.descriptions import WIKIDATA_ENTITY
from expartkg.retrieval.forgiving import BadLine

_OWN_IRI = "urn:expartkg:name:{}"
_OWN_PROPERTY = "urn:expartkg:property:{}"


class _BadRowError(Exception):
    """Says what is wrong with a row."""


def rows_as_statements(path: Path, table: Table | None, bad_line: BadLine) -> Iterator[Quad]:
    """`bad_line` is told of rows without id or label, of too many cells, and of wrong bytes.

    Raises `SourceError` if the mapping has no table, or names a column that is not there.
    """
    if table is None:
        raise SourceError(f"{path} is a table; the mapping needs a [table] on how to read it.")
    try:
        # A row with bytes of another encoding is a bad one, and not the end of the file.
        with path.open(encoding=table.encoding, errors="surrogateescape", newline="") as file:
            delimiter = table.delimiter or ("\t" if path.suffix.lower() == ".tsv" else ",")
            rows = csv.DictReader(_without_mark(file), delimiter=delimiter, strict=True)
            _check_columns(path, table, rows.fieldnames or ())
            yield from _statements(path, table, rows, bad_line)
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (LookupError, TypeError, ValueError, csv.Error) as error:
        # An encoding or a delimiter that is none, other bytes, an IRI without a scheme.
        raise SourceError(f"{path} cannot be read as the mapping says: {error}.") from error


def _without_mark(lines: Iterator[str]) -> Iterator[str]:
    """Spreadsheets put a mark of their encoding before the first line."""
    for number, line in enumerate(lines):
        yield line.removeprefix("\ufeff") if number == 0 else line


def _check_columns(path: Path, table: Table, columns: object) -> None:
    there = set(columns) if isinstance(columns, list) else set()
    named = {table.id, table.label, table.wikidata, table.image, table.date, *table.edges}
    if missing := sorted(named - there - {""}):
        raise SourceError(
            f"{path} has no column {missing[0]!r}; it has: {', '.join(sorted(there)) or 'none'}."
        )


def _statements(
    path: Path, table: Table, rows: csv.DictReader[str], bad_line: BadLine
) -> Iterator[Quad]:
    while True:
        try:
            row = next(rows)
            yield from list(_row(table, row))
        except StopIteration:
            return
        except (csv.Error, _BadRowError) as error:
            # The reader's own number: that of `rows` is of the last good line.
            bad_line(path, rows.reader.line_num, str(error))


def _row(table: Table, row: dict[str, str]) -> Iterator[Quad]:
    _check_row(table, row)
    work = _work_iri(table, row)
    yield label_of(work, row[table.label].strip())
    yield kind_of(work, table.kind)
    for literal, predicate in ((table.image, IMAGE), (table.date, DATE)):
        if value := row.get(literal, "").strip():
            yield Quad(NamedNode(work), predicate, Literal(value))
    for name, column in table.edges.items():
        yield from _edges(work, name, column, row[name])


def _check_row(table: Table, row: dict[str, str]) -> None:
    cells = [cell for cell in row.values() if isinstance(cell, str)]
    if None in row or len(cells) < len(row):
        raise _BadRowError("the row has more or fewer cells than there are columns")
    if any(0xDC80 <= ord(character) <= 0xDCFF for cell in cells for character in cell):
        raise _BadRowError(f"some bytes are not {table.encoding}")
    for column in (table.id, table.label):
        if not row[column].strip():
            raise _BadRowError(f"{column} is empty")


def _work_iri(table: Table, row: dict[str, str]) -> str:
    qid = row.get(table.wikidata, "").strip()
    if ITEM.fullmatch(qid):
        return WIKIDATA_ENTITY + qid
    return filled(table.iri, row[table.id].strip())


def _edges(work: str, name: str, column: Column, cell: str) -> Iterator[Quad]:
    predicate, property_label = property_and_label(
        column.id, filled(_OWN_PROPERTY, name), column.label
    )
    names = cell.split(column.separator) if column.separator else [cell]
    for thing in filter(None, map(str.strip, names)):
        iri = filled(column.iri or _OWN_IRI, thing)
        yield Quad(NamedNode(work), predicate, NamedNode(iri))
        # Only beside its use: a label of what is no property of the graph would be an entity's.
        yield property_label
        yield label_of(iri, thing)
        if column.kind:
            yield kind_of(iri, column.kind)
