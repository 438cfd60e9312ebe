"""What rdflib reads and Oxigraph does not: other formats, and errors that it forgives."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from expartkg.errors import GraphError, in_one_line

BadLine = Callable[[Path, int, str], None]
"""Told of file, line (from 1; 0 where it is not known) and what is wrong with it.

Raises if the load is to stop there.
"""

RDFLIB_NAMES: Mapping[str, str] = {
    "Turtle": "turtle",
    "TriG": "trig",
    "RDF/XML": "xml",
    "JSON-LD": "json-ld",
    "N3": "n3",
}
"""rdflib's names of the formats that it may read after Oxigraph has failed, by Oxigraph's."""

_FORMATS = {".trix": "trix", ".hext": "hext"}


def rdflib_only(path: Path) -> str | None:
    """rdflib's name of a format that only rdflib knows, by the ending of the file's name."""
    return _FORMATS.get(Path(path.name.lower().removesuffix(".gz")).suffix)


def read_by_rdflib(
    path: Path, file: IO[bytes], rdflib_format: str, bad_line: BadLine
) -> Iterator[Quad]:
    """The statements of a whole file, without named graphs.

    Those that are no valid RDF are told of without a line. Raises `GraphError` if rdflib cannot
    read the file either.
    """
    try:
        statements = _parsed(file.read(), rdflib_format)
    except Exception as error:
        # Each of its parsers has errors of its own.
        reason = in_one_line(error)
        raise GraphError(f"{path} cannot be read by rdflib either: {reason}.") from error
    for statement in statements:
        try:
            yield _quad(statement)
        except ValueError as error:
            bad_line(path, 0, f"the statement {' '.join(map(str, statement))[:200]} ({error})")


def _parsed(content: bytes, rdflib_format: str) -> Iterable[Iterable[Any]]:
    # It takes a third of a second to import, and most files do not need it.
    from rdflib import Dataset

    with warnings.catch_warnings():
        # It warns of how it uses itself.
        warnings.simplefilter("ignore", DeprecationWarning)
        dataset = Dataset(default_union=True)
        dataset.parse(data=content, format=rdflib_format)
        return list(dataset.triples((None, None, None)))


def _quad(statement: Iterable[Any]) -> Quad:
    subject, predicate, object_ = map(_term, statement)
    return Quad(subject, predicate, object_)  # type: ignore[arg-type]


def _term(term: Any) -> NamedNode | BlankNode | Literal:
    """Raises `ValueError` for what is no valid IRI or language."""
    from rdflib import BNode, URIRef

    if isinstance(term, URIRef):
        return NamedNode(str(term))
    if isinstance(term, BNode):
        return BlankNode(str(term))
    if term.language:
        return Literal(str(term), language=term.language)
    datatype = NamedNode(str(term.datatype)) if term.datatype else None
    return Literal(str(term), datatype=datatype)
