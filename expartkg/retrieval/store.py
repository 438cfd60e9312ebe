"""A graph in Oxigraph: its entities, and the document of each.

Facts stay in the store and are read from it (or from the index that was saved with it); held
beside it are only the names and kinds of the entities. Knows neither files nor ranking.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Store

from expartkg.errors import GraphError, UnknownEntityError
from expartkg.records import Entity, Property, Triple
from expartkg.retrieval.descriptions import (
    WIKIDATA_DIRECT,
    WIKIDATA_ENTITY,
    Descriptions,
    last_segment,
    predicates_in,
)
from expartkg.retrieval.index import Index

EXCLUDED_VOCABULARIES = (
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "http://www.w3.org/2000/01/rdf-schema#",
    "http://www.w3.org/2002/07/owl#",
    "http://schema.org/",
    "https://schema.org/",
)
IMAGE = "P18"
OTHER_IMAGES = (
    "http://schema.org/image",
    "https://schema.org/image",
    "http://xmlns.com/foaf/0.1/depiction",
)
INCEPTION = "P571"
_NUMBERED = re.compile(r"[A-Za-z]+(\d+)\Z")
# A year alone, that of a date, or that of a date and time; any of them with a time zone.
_YEAR = re.compile(r"([+-]?[0-9]{1,9})(?:-[0-9]{2}){0,2}(?:T.*)?(?:Z|[+-][0-9]{2}:[0-9]{2})?")


class Edge(NamedTuple):
    """A triple as seen from one of its ends: the other end is `neighbour`."""

    predicate: Property
    neighbour: Entity
    outgoing: bool

    def triple(self, entity: Entity) -> Triple:
        """The triple in its own direction, `entity` being the near end."""
        if self.outgoing:
            return Triple(entity, self.predicate, self.neighbour)
        return Triple(self.neighbour, self.predicate, entity)


ReadEdges: TypeAlias = Callable[[], Iterable[tuple[str, str, str]]]
"""Gives what `Graph.statements` gives."""

Given: TypeAlias = NamedNode | None
"""A term of a pattern, None where it may be any."""


class Elsewhere(Protocol):
    """Statements that are in no Oxigraph store, but can be asked for as if they were."""

    def quads_for_pattern(
        self, subject: Given, predicate: Given, object: Given, /
    ) -> Iterator[Quad]:
        """All statements that have the given terms."""

    def named_graphs(self) -> Iterator[NamedNode | BlankNode]: ...

    def predicates(self) -> Iterable[str]:
        """The IRIs of all predicates in use."""


class Graph:
    """The entities of a store and their documents (Section 2 and Appendix A.4).

    An entity is an IRI with an English `rdfs:label` (tag `en`, `en-*` or none) that is not a
    property. Raises `GraphError` where a store has none.
    """

    def __init__(
        self,
        name: str,
        known: Descriptions | Index,
        store: Callable[[], Store | Elsewhere],
        sha256: str | None = None,
        place: Path | None = None,
    ) -> None:
        """`store` is called when the first fact is needed, and may wait for it to be loaded.

        `place` is where it was opened, unless its name says that.
        """
        self.name = name
        self.place = place
        self.sha256 = sha256
        self._open_store = store
        self.index: Index | None = None
        self._labels: Mapping[str, str] = {}
        self._entities: Mapping[str, Entity]
        if isinstance(known, Descriptions):
            self._labels, self._entities = known.labels, _entities(known)
        else:
            self.index, self._entities = known, known.entities
        if not self._entities:
            raise GraphError(
                f"The graph {name} names no entity: it needs rdfs:label in English "
                "(tag en, en-…, or none)."
            )

    @property
    def key(self) -> str:
        """Its name, with a mark of its place, since two files may have one name."""
        if self.place is None:
            return self.name
        place = str(self.place.absolute()).encode("utf-8", "surrogateescape")
        return f"{self.name}-{hashlib.sha256(place).hexdigest()[:8]}"

    @cached_property
    def _store(self) -> Store | Elsewhere:
        return self._open_store()

    @property
    def entities(self) -> list[Entity]:
        """All entities, isolated ones too."""
        return list(self._entities.values())

    def __len__(self) -> int:
        """N of Eq. 1: the number of entities."""
        return len(self._entities)

    def entity(self, id: str) -> Entity:
        """The entity of a short id or a full IRI. Raises `UnknownEntityError`."""
        found = self._by_id.get(id) or self._entities.get(id)
        if found:
            return found
        clashing = [iri for iri in self._entities if last_segment(iri) == id]
        if clashing:
            raise UnknownEntityError(
                f"{id} stands for several entities of the graph {self.name}; give the full "
                f"IRI: {', '.join(sorted(clashing)[:5])}."
            )
        raise UnknownEntityError(f"The graph {self.name} has no entity {id}.")

    def document(self, entity: Entity) -> list[Edge]:
        """D_e: the set of triples that have `entity` as subject or object, in no order.

        A self loop is one edge, whose neighbour is the entity itself.
        """
        return [
            Edge(self.predicates[predicate], neighbour, outgoing)
            for (predicate, _, outgoing), neighbour in self._edges(entity).items()
        ]

    def neighbours(self, entity: Entity) -> list[Entity]:
        """The other end of every triple of D_e, in no order; quicker than the document."""
        return list(self._edges(entity).values())

    def objects(self, entity: Entity, property_id: str) -> list[Entity]:
        """The entities that `entity` has under a property of that last segment, in no order."""
        nodes = self._nodes(entity, property_id)
        iris = {node.value for node in nodes if isinstance(node, NamedNode)}
        return [found for iri in iris if (found := self._entities.get(iri))]

    def image(self, entity: Entity) -> str | None:
        """Where the picture of the entity is, as the graph has it: an IRI, or any text at all.

        By P18, else by `schema:image` or `foaf:depiction`; the smallest where there are several.
        """
        for predicate in (*self._iris_of(IMAGE), *OTHER_IMAGES):
            values = [node.value for node in self._values(entity, predicate) if node.value]
            if values:
                return min(values)
        return None

    def literals(self, entity: Entity) -> list[tuple[Property, str]]:
        """What the graph says of the entity in letters and numbers (dates, sizes), in order.

        Labels, and whatever else is of the excluded vocabularies, are left out.
        """
        found = {
            (quad.predicate.value, quad.object.value)
            for quad in self._store.quads_for_pattern(NamedNode(entity.iri), None, None)
            if isinstance(quad.object, Literal)
        }
        return [
            (self.predicates.get(iri) or Property(last_segment(iri), last_segment(iri), iri), value)
            for iri, value in sorted(found)
            if not iri.startswith(EXCLUDED_VOCABULARIES)
        ]

    def years(self, entity: Entity) -> tuple[int, ...]:
        """The years of inception (P571) as they are written, in order; those BCE are negative."""
        nodes = self._nodes(entity, INCEPTION)
        texts = (node.value.strip() for node in nodes if isinstance(node, Literal))
        years = map(_YEAR.fullmatch, texts)
        return tuple(sorted({int(year[1]) for year in years if year}))

    def _nodes(self, entity: Entity, property_id: str) -> Iterator[NamedNode | Literal]:
        for predicate in self._iris_of(property_id):
            yield from self._values(entity, predicate)

    def _values(self, entity: Entity, predicate: str) -> Iterator[NamedNode | Literal]:
        """The IRIs and literals that a property of an entity has; they need be no entities."""
        subject = NamedNode(entity.iri)
        for quad in self._store.quads_for_pattern(subject, NamedNode(predicate), None):
            if isinstance(quad.object, NamedNode | Literal):
                yield quad.object

    def statements(self) -> Iterator[tuple[str, str, str]]:
        """All edges of the graph as the IRIs of subject, predicate and object, each once."""
        rows = self._all_edges()
        has_named_graphs = next(self._store.named_graphs(), None) is not None
        return iter(set(rows)) if has_named_graphs else rows

    def _all_edges(self) -> Iterator[tuple[str, str, str]]:
        for predicate in self.predicates:
            for quad in self._store.quads_for_pattern(None, NamedNode(predicate), None):
                if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode):
                    subject = self._entities.get(quad.subject.value)
                    object_ = self._entities.get(quad.object.value)
                    if subject and object_:
                        # The entities' own strings: those of the store are new for every quad.
                        yield subject.iri, predicate, object_.iri

    @cached_property
    def _by_id(self) -> Mapping[str, Entity]:
        if self.index:
            return self.index.ids
        return {entity.id: entity for entity in self._entities.values()}

    def _edges(self, entity: Entity) -> dict[tuple[str, str, bool], Entity]:
        """Every triple of D_e by predicate, neighbour and direction, since a store with named
        graphs may hold one twice."""
        if self.index:
            edges_of = self.index.edges(entity.iri)
            return {(predicate, end.iri, outgoing): end for predicate, end, outgoing in edges_of}
        node = NamedNode(entity.iri)
        ends = [
            (quad.predicate.value, quad.object, True)
            for quad in self._store.quads_for_pattern(node, None, None)
        ]
        ends += [
            (quad.predicate.value, quad.subject, False)
            for quad in self._store.quads_for_pattern(None, None, node)
            if quad.subject != node
        ]
        edges: dict[tuple[str, str, bool], Entity] = {}
        for predicate, end, outgoing in ends:
            neighbour = self._entities.get(end.value) if isinstance(end, NamedNode) else None
            if neighbour and not predicate.startswith(EXCLUDED_VOCABULARIES):
                edges[predicate, neighbour.iri, outgoing] = neighbour
        return edges

    @cached_property
    def predicates(self) -> Mapping[str, Property]:
        """The predicates in use outside the excluded vocabularies, by their IRIs in order."""
        if self.index:
            return self.index.predicates
        store = self._store
        used = sorted(predicates_in(store) if isinstance(store, Store) else store.predicates())
        iris = [iri for iri in used if not iri.startswith(EXCLUDED_VOCABULARIES)]
        ids = _short_ids(iris)
        return {iri: Property(ids[iri], self._property_label(iri), iri) for iri in iris}

    def _iris_of(self, property_id: str) -> list[str]:
        """The predicates of that last segment, Wikidata's own first."""
        return self._iris_by_id.get(property_id, [])

    @cached_property
    def _iris_by_id(self) -> dict[str, list[str]]:
        by_id: dict[str, list[str]] = {}
        for iri in sorted(self.predicates, key=lambda iri: not iri.startswith(WIKIDATA_DIRECT)):
            by_id.setdefault(last_segment(iri), []).append(iri)
        return by_id

    def _property_label(self, iri: str) -> str:
        item = WIKIDATA_ENTITY + iri.removeprefix(WIKIDATA_DIRECT)
        return self._labels.get(iri) or self._labels.get(item) or last_segment(iri)


def _entities(known: Descriptions) -> dict[str, Entity]:
    iris = [iri for iri in known.labels if iri not in known.properties]
    ids = _short_ids(iris)
    return {iri: Entity(ids[iri], known.labels[iri], known.kinds.get(iri, ""), iri) for iri in iris}


def id_order(iri: str) -> tuple[int, int, str]:
    """Sort key for IRIs: by their number (Q12 before Q101), those without one last."""
    numbered = _NUMBERED.match(last_segment(iri))
    return (0, int(numbered[1]), iri) if numbered else (1, 0, iri)


def _short_ids(iris: list[str]) -> dict[str, str]:
    """Last segments, but full IRIs where several would share one."""
    short = {iri: last_segment(iri) for iri in iris}
    uses = Counter(short.values())
    return {iri: id if uses[id] == 1 else iri for iri, id in short.items()}
