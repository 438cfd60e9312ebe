"""What the resources of a graph are called and what kind of thing each is."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Store, parse

KIND = "urn:expartkg:"
WIKIDATA_ENTITY = "http://www.wikidata.org/entity/"
WIKIDATA_DIRECT = "http://www.wikidata.org/prop/direct/"
_WIKIDATA_PROPERTIES = (WIKIDATA_ENTITY + "P", WIKIDATA_DIRECT)
LABEL = NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
TYPE = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
LONGEST_LABEL = 500
"""Characters of a label that are kept, twice as many as Wikidata's have at most. What is longer is
no name, and would be in every fact of every card.
"""
_STRING_TYPES = (
    "http://www.w3.org/2001/XMLSchema#string",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString",
)


class Descriptions(NamedTuple):
    """The English label and the kind of every IRI that has one.

    `properties` are those of the labelled IRIs that are predicates, and so no entities.
    """

    labels: dict[str, str]
    kinds: dict[str, str]
    properties: frozenset[str]


def descriptions_in(store: Store) -> Descriptions:
    """Read from a store. A property is what is used as one, or has an IRI of Wikidata's."""
    return described(
        store.quads_for_pattern(None, LABEL, None),
        store.quads_for_pattern(None, TYPE, None),
        predicates_in(store),
    )


def described(labels: Iterable[Quad], types: Iterable[Quad], used: Container[str]) -> Descriptions:
    """Read from all statements about labels and types; `used` are the IRIs of predicates."""
    english = _english_labels(labels)
    properties = frozenset(iri for iri in english if iri in used or _is_wikidata_property(iri))
    return Descriptions(english, _kinds(types), properties)


def predicates_in(store: Store) -> frozenset[str]:
    """The IRIs of all predicates in use."""
    rows = store.query("SELECT DISTINCT ?p { ?s ?p ?o }", use_default_graph_as_union=True)
    return frozenset(row[0].value for row in rows)  # type: ignore[union-attr]


def descriptions_in_lines(ntriples: bytes) -> Descriptions:
    """Read from valid N-Triples of Wikidata's IRIs, which need not be in a store yet."""
    labels = _english_labels(_parsed(ntriples, LABEL))
    kinds = _kinds(_parsed(ntriples, TYPE))
    return Descriptions(labels, kinds, frozenset(filter(_is_wikidata_property, labels)))


def _is_wikidata_property(iri: str) -> bool:
    return iri.startswith(_WIKIDATA_PROPERTIES)


def _parsed(ntriples: bytes, predicate: NamedNode) -> Iterator[Quad]:
    """The statements of one predicate, without a look at the other lines."""
    needle = f"> {predicate} ".encode()
    lines: list[bytes] = []
    found = ntriples.find(needle)
    while found >= 0:
        start = ntriples.rfind(b"\n", 0, found) + 1
        end = ntriples.find(b"\n", found)
        end = len(ntriples) if end < 0 else end
        # Not where a literal happens to hold the same: the subject's IRI ends at the first ">".
        if ntriples.find(b">", start) == found:
            lines.append(ntriples[start:end])
        found = ntriples.find(needle, end)
    return parse(b"\n".join(lines), RdfFormat.N_TRIPLES, lenient=True)


def _english_labels(quads: Iterable[Quad]) -> dict[str, str]:
    """The label of every labelled IRI: tag `en` before none before `en-*`, then the smallest."""
    best: dict[str, tuple[int, str]] = {}
    for quad in quads:
        subject, literal = quad.subject, quad.object
        if isinstance(subject, NamedNode) and isinstance(literal, Literal):
            preference = _english_preference(literal)
            text = _as_name(literal.value)
            if preference is not None and text:
                _keep_smaller(best, subject.value, (preference, text))
    return {iri: text for iri, (_, text) in best.items()}


def _as_name(text: str) -> str:
    """A label as all else has it: in one line, and no longer than `LONGEST_LABEL`."""
    lines = (line.strip() for line in text.strip()[: 2 * LONGEST_LABEL].splitlines())
    name = " ".join(filter(None, lines))
    return name if len(name) <= LONGEST_LABEL else name[: LONGEST_LABEL - 1] + "…"


def _kinds(quads: Iterable[Quad]) -> dict[str, str]:
    """The kind of every typed IRI: the project's own first, then the smallest."""
    best: dict[str, tuple[int, str]] = {}
    for quad in quads:
        subject, kind = quad.subject, quad.object
        if isinstance(subject, NamedNode) and isinstance(kind, NamedNode):
            _keep_smaller(best, subject.value, _kind(kind.value))
    return {iri: kind for iri, (_, kind) in best.items()}


@cache
def _kind(type_iri: str) -> tuple[int, str]:
    return int(not type_iri.startswith(KIND)), last_segment(type_iri.removeprefix(KIND))


def _keep_smaller(best: dict[str, tuple[int, str]], iri: str, named: tuple[int, str]) -> None:
    if named < best.setdefault(iri, named):
        best[iri] = named


def _english_preference(literal: Literal) -> int | None:
    language = (literal.language or "").lower()
    if not language:
        return 1 if literal.datatype.value in _STRING_TYPES else None
    if language == "en":
        return 0
    return 2 if language.startswith("en-") else None


def last_segment(iri: str) -> str:
    """The short form of an IRI: what follows its last `/` or `#`, or all of it.

    Dots alone are no short form: in an address they mean another folder.
    """
    segment = iri[max(iri.rfind("/"), iri.rfind("#")) + 1 :]
    return segment if segment.strip(".") else iri
