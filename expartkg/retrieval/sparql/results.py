"""What comes back from a query, as SPARQL results JSON, and how much of it.

Source: SPARQL 1.1 Query Results JSON Format, https://www.w3.org/TR/sparql11-results-json/.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from pyoxigraph import (
    BlankNode,
    Literal,
    NamedNode,
    Quad,
    QueryBoolean,
    QuerySolutions,
    QueryTriples,
    Triple,
)

Json: TypeAlias = dict[str, Any]
Given: TypeAlias = QuerySolutions | QueryBoolean | QueryTriples | Iterable[Quad]

PREFIXES: Mapping[str, str] = {
    "wd": "http://www.wikidata.org/entity/",
    "wdt": "http://www.wikidata.org/prop/direct/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "kind": "urn:expartkg:",
}
"""Known in every query; a query may declare them otherwise."""

TRIPLE = ("subject", "predicate", "object")
"""The columns of what CONSTRUCT and DESCRIBE give."""

_STRING = PREFIXES["xsd"] + "string"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a query may take: seconds of time, rows and bytes of results, bytes of memory.

    Rows and bytes cut the results, time and memory end the query.
    """

    seconds: float = 20.0
    rows: int = 10_000
    bytes: int = 8 * 2**20
    memory: int = 2**30


@dataclass(frozen=True, slots=True)
class Results:
    """`document` is SPARQL results JSON; `cut` tells that there were more rows than the limits
    allow; `seconds` is how long the query took."""

    document: Json
    cut: bool
    seconds: float

    @property
    def boolean(self) -> bool | None:
        """The answer to ASK, None for other queries."""
        return self.document.get("boolean")

    @property
    def variables(self) -> list[str]:
        return list(self.document["head"].get("vars", ()))

    @property
    def rows(self) -> Iterator[list[Json | None]]:
        """A term or nothing for each variable."""
        names = self.variables
        for binding in self.document.get("results", {}).get("bindings", ()):
            yield [binding.get(name) for name in names]

    def first(self, number: int) -> Iterator[list[Json | None]]:
        """That many rows, or as many as there are."""
        return islice(self.rows, number)

    def __len__(self) -> int:
        return len(self.document.get("results", {}).get("bindings", ()))


def document_of(given: Given, limits: Limits) -> tuple[Json, bool]:
    """The results as a document, as far as the limits allow, and whether that cut them."""
    if isinstance(given, QueryBoolean):
        return {"head": {}, "boolean": bool(given)}, False
    if isinstance(given, QuerySolutions):
        names: tuple[str, ...] = tuple(variable.value for variable in given.variables)
        rows: Iterator[Iterable[Any]] = iter(given)
    else:
        names = TRIPLE
        rows = ((triple.subject, triple.predicate, triple.object) for triple in given)
    bindings, cut = _bindings(names, rows, limits)
    return {"head": {"vars": list(names)}, "results": {"bindings": bindings}}, cut


def _bindings(
    names: tuple[str, ...], rows: Iterator[Iterable[Any]], limits: Limits
) -> tuple[list[Json], bool]:
    bindings: list[Json] = []
    size = 0
    for row in rows:
        binding = {
            name: _json_of(term) for name, term in zip(names, row, strict=True) if term is not None
        }
        size += len(json.dumps(binding))
        if len(bindings) == limits.rows or size > limits.bytes:
            return bindings, True
        bindings.append(binding)
    return bindings, False


def _json_of(term: NamedNode | BlankNode | Literal | Triple) -> Json:
    if isinstance(term, NamedNode):
        return {"type": "uri", "value": term.value}
    if isinstance(term, BlankNode):
        return {"type": "bnode", "value": term.value}
    if isinstance(term, Triple):
        ends = (term.subject, term.predicate, term.object)
        return {"type": "triple", "value": dict(zip(TRIPLE, map(_json_of, ends), strict=True))}
    found: Json = {"type": "literal", "value": term.value}
    if term.language:
        found["xml:lang"] = term.language
    elif term.datatype.value != _STRING:
        found["datatype"] = term.datatype.value
    return found


def short(term: Json | None) -> str:
    """A term in few characters: an IRI by one of the `PREFIXES`, of a literal its text alone."""
    if term is None:
        return ""
    value = term["value"]
    if term["type"] == "triple":
        return f"<< {' '.join(short(value[end]) for end in TRIPLE)} >>"
    if term["type"] == "uri":
        for name, iri in PREFIXES.items():
            if value.startswith(iri) and value != iri:
                return f"{name}:{value.removeprefix(iri)}"
    return f"_:{value}" if term["type"] == "bnode" else str(value)
