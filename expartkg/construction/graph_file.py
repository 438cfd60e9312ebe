"""The graph as a file: sorted N-Triples, gzip without time or name."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
from collections.abc import Iterable, Mapping

from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, serialize

from expartkg.retrieval.descriptions import KIND, LABEL, TYPE, WIKIDATA_DIRECT, WIKIDATA_ENTITY

IMAGES = "http://commons.wikimedia.org/wiki/Special:FilePath/"
_YEAR = NamedNode("http://www.w3.org/2001/XMLSchema#gYear")


def edge(subject: str, predicate: str, obj: str) -> Triple:
    """A statement between two items, by short ids."""
    return Triple(_entity(subject), _direct(predicate), _entity(obj))


def label(identifier: str, text: str) -> Triple:
    """The English label of an item or property."""
    return Triple(_entity(identifier), LABEL, Literal(text, language="en"))


def kind(qid: str, name: str) -> Triple:
    """The kind of an item."""
    return Triple(_entity(qid), TYPE, NamedNode(KIND + name))


def inception(qid: str, year: int) -> Triple:
    """The year (CE) in which a work was made, as `xsd:gYear` (at least four digits)."""
    return Triple(_entity(qid), _direct("P571"), Literal(f"{year:04d}", datatype=_YEAR))


def image(qid: str, address: str) -> Triple:
    """The picture of a work on Wikimedia Commons.

    Raises `ValueError` if `address` is not a valid IRI of a Commons file.
    """
    if not address.startswith(IMAGES) or address == IMAGES:
        raise ValueError(f"{address!r} is not the address of a file on Wikimedia Commons")
    return Triple(_entity(qid), _direct("P18"), NamedNode(address))


def ntriples(triples: Iterable[Triple]) -> bytes:
    """Return N-Triples in UTF-8, one line a triple, sorted by bytes, no line twice."""
    lines = serialize(triples, format=RdfFormat.N_TRIPLES) or b""
    return b"".join(sorted(set(lines.splitlines(keepends=True))))


def compress(content: bytes) -> bytes:
    """Return `content` gzipped; the same bytes at any time and under any file name."""
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=buffer, mtime=0) as file:
        file.write(content)
    return buffer.getvalue()


def sha256(content: bytes) -> str:
    """Return the SHA-256 of `content` in hex."""
    return hashlib.sha256(content).hexdigest()


def as_json(document: Mapping[str, object]) -> bytes:
    """Return `document` as indented JSON in UTF-8, keys in the order given."""
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode("utf-8")


def _entity(identifier: str) -> NamedNode:
    return NamedNode(WIKIDATA_ENTITY + identifier)


def _direct(pid: str) -> NamedNode:
    return NamedNode(WIKIDATA_DIRECT + pid)
