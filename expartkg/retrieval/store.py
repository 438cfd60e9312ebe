"""A graph in Oxigraph: opening it, its entities, and the document of an entity.

Facts stay in the store and are read from it; held beside it are only the names and kinds of the
entities. Knows nothing of ranking. The only module of the guide that talks to Oxigraph.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Store, parse

from expartkg.errors import GraphError, NotBuiltError, UnknownEntityError
from expartkg.records import Entity, Property, Triple

SHIPPED = Path(__file__).resolve().parents[2] / "kg"
WIKIDATA_ENTITY = "http://www.wikidata.org/entity/"
WIKIDATA_DIRECT = "http://www.wikidata.org/prop/direct/"
KIND = "urn:expartkg:"
EXCLUDED_VOCABULARIES = (
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "http://www.w3.org/2000/01/rdf-schema#",
    "http://www.w3.org/2002/07/owl#",
    "http://schema.org/",
    "https://schema.org/",
)
_LABEL = NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
_TYPE = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
_STRING_TYPES = (
    "http://www.w3.org/2001/XMLSchema#string",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString",
)
_WIKIDATA_PROPERTY = re.compile(re.escape(WIKIDATA_ENTITY) + r"P\d+\Z")
_NUMBERED = re.compile(r"[A-Za-z]+(\d+)\Z")


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


class Graph:
    """The entities of a store and their documents (Section 2 and Appendix A.4).

    An entity is an IRI with an English `rdfs:label` (tag `en`, `en-*` or none) that is not a
    property. Raises `GraphError` where a store has none.
    """

    def __init__(self, store: Store, name: str, sha256: str | None = None) -> None:
        self.name = name
        self.sha256 = sha256
        self._store = store
        self._labels = _english_labels(store)
        kinds = _kinds(store)
        iris = [iri for iri in self._labels if not self._is_property(iri)]
        ids = _short_ids(iris)
        self._entities = {
            iri: Entity(ids[iri], self._labels[iri], kinds.get(iri, ""), iri) for iri in iris
        }
        if not self._entities:
            raise GraphError(
                f"The graph {name} names no entity: it needs rdfs:label in English "
                "(tag en, en-…, or none)."
            )

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
        node = NamedNode(entity.iri)
        # Keyed by what makes a triple, since a store with named graphs may hold it twice.
        edges: dict[tuple[str, str, bool], Edge] = {}
        for quad in self._store.quads_for_pattern(node, None, None, None):
            if isinstance(quad.object, NamedNode):
                self._add_edge(edges, quad.predicate.value, quad.object.value, True)
        for quad in self._store.quads_for_pattern(None, None, node, None):
            if isinstance(quad.subject, NamedNode) and quad.subject != node:
                self._add_edge(edges, quad.predicate.value, quad.subject.value, False)
        return list(edges.values())

    def statements(self) -> Iterator[tuple[str, str, str]]:
        """All edges of the graph as the IRIs of subject, predicate and object, each once."""
        rows = self._all_edges()
        has_named_graphs = next(self._store.named_graphs(), None) is not None
        return iter(set(rows)) if has_named_graphs else rows

    def _all_edges(self) -> Iterator[tuple[str, str, str]]:
        for predicate in self._predicates:
            for quad in self._store.quads_for_pattern(None, NamedNode(predicate), None, None):
                if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode):
                    subject, object_ = quad.subject.value, quad.object.value
                    if subject in self._entities and object_ in self._entities:
                        yield subject, predicate, object_

    @property
    def properties(self) -> list[Property]:
        """The predicates in use outside the excluded vocabularies, in the order of their IRIs."""
        return list(self._predicates.values())

    def _is_property(self, iri: str) -> bool:
        if _WIKIDATA_PROPERTY.match(iri):
            return True
        uses = self._store.quads_for_pattern(None, NamedNode(iri), None, None)
        return next(uses, None) is not None

    @cached_property
    def _by_id(self) -> dict[str, Entity]:
        return {entity.id: entity for entity in self._entities.values()}

    def _add_edge(
        self,
        edges: dict[tuple[str, str, bool], Edge],
        predicate_iri: str,
        neighbour_iri: str,
        outgoing: bool,
    ) -> None:
        neighbour = self._entities.get(neighbour_iri)
        predicate = self._predicates.get(predicate_iri)
        if neighbour and predicate:
            key = predicate_iri, neighbour_iri, outgoing
            edges[key] = Edge(predicate, neighbour, outgoing)

    @cached_property
    def _predicates(self) -> dict[str, Property]:
        rows = self._store.query("SELECT DISTINCT ?p { ?s ?p ?o }")
        used = sorted(row[0].value for row in rows)  # type: ignore[union-attr]
        iris = [iri for iri in used if not iri.startswith(EXCLUDED_VOCABULARIES)]
        ids = _short_ids(iris)
        return {iri: Property(ids[iri], self._property_label(iri), iri) for iri in iris}

    def _property_label(self, iri: str) -> str:
        item = WIKIDATA_ENTITY + iri.removeprefix(WIKIDATA_DIRECT)
        return self._labels.get(iri) or self._labels.get(item) or last_segment(iri)


def last_segment(iri: str) -> str:
    """The short form of an IRI: what follows its last `/` or `#`, or all of it."""
    return iri[max(iri.rfind("/"), iri.rfind("#")) + 1 :] or iri


def id_order(iri: str) -> tuple[int, int, str]:
    """Sort key for IRIs: by their number (Q12 before Q101), those without one last."""
    numbered = _NUMBERED.match(last_segment(iri))
    return (0, int(numbered[1]), iri) if numbered else (1, 0, iri)


def open_graph(source: str) -> Graph:
    """Opens a graph by the name of a shipped one, a file, or an Oxigraph directory.

    Files are N-Triples, Turtle, N-Quads, TriG, RDF/XML or JSON-LD, also gzipped; the name's
    ending decides. They are read into memory; a directory is opened read-only.
    Raises `GraphError`, whose message says what is wrong with the file and where.
    """
    if source.startswith(("http://", "https://")):
        raise NotBuiltError("A SPARQL endpoint as the graph is not built yet; use a file.")
    shipped = SHIPPED / f"{source}.nt.gz"
    path = shipped if shipped.is_file() else Path(source)
    if path.is_dir():
        return _open_directory(path)
    if not path.is_file():
        names = ", ".join(sorted(p.name.removesuffix(".nt.gz") for p in SHIPPED.glob("*.nt.gz")))
        raise GraphError(f"There is no graph {source}: give a file, or one of: {names or 'none'}.")
    return _load_file(path, _graph_name(path))


def _graph_name(path: Path) -> str:
    return path.name.removesuffix(".nt.gz") if path.parent == SHIPPED else path.name


def _open_directory(path: Path) -> Graph:
    try:
        return Graph(Store.read_only(str(path)), path.name)
    except OSError as error:
        raise GraphError(f"{path} is not an Oxigraph store: {error}.") from error


def _load_file(path: Path, name: str) -> Graph:
    rdf_format = _rdf_format(path)
    # What ships with the guide was checked when it was built; a stranger's IRIs are checked now.
    trusted = path.parent == SHIPPED
    try:
        packed = path.read_bytes()
        data = gzip.decompress(packed) if path.suffix == ".gz" else packed
        store = _load(data, rdf_format, trusted)
    except SyntaxError as error:
        raise GraphError(f"{path} is not valid {rdf_format}: {error}.") from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise GraphError(f"{path} is cut off or damaged ({error}); fetch it again.") from error
    except OSError as error:
        raise GraphError(f"{path} cannot be read: {error.strerror or error}.") from error
    return Graph(store, name, hashlib.sha256(packed).hexdigest())


def _rdf_format(path: Path) -> RdfFormat:
    extension = path.name.removesuffix(".gz").rpartition(".")[2]
    rdf_format = RdfFormat.from_extension(extension)
    if rdf_format is None:
        raise GraphError(
            f"{path} has an ending that is no RDF format; "
            "use .nt, .ttl, .nq, .trig, .rdf or .jsonld, with .gz behind it if compressed."
        )
    return rdf_format


def _load(data: bytes, rdf_format: RdfFormat, trusted: bool) -> Store:
    store = Store()
    if rdf_format.supports_datasets:
        # D_e is a set of triples: the named graph that a triple stands in does not matter.
        store.extend(
            Quad(quad.subject, quad.predicate, quad.object) for quad in parse(data, rdf_format)
        )
    else:
        store.load(data, rdf_format, lenient=trusted)
    return store


def _english_labels(store: Store) -> dict[str, str]:
    """The label of every labelled IRI: tag `en` before none before `en-*`, then the smallest."""
    best: dict[str, tuple[int, str]] = {}
    for quad in store.quads_for_pattern(None, _LABEL, None, None):
        subject, literal = quad.subject, quad.object
        if isinstance(subject, NamedNode) and isinstance(literal, Literal):
            preference = _english_preference(literal)
            text = literal.value.strip()
            if preference is not None and text:
                label = (preference, text)
                best[subject.value] = min(best.get(subject.value, label), label)
    return {iri: text for iri, (_, text) in best.items()}


def _kinds(store: Store) -> dict[str, str]:
    """The kind of every typed IRI: the project's own first, then the smallest."""
    best: dict[str, tuple[bool, str]] = {}
    for quad in store.quads_for_pattern(None, _TYPE, None, None):
        subject, kind_of = quad.subject, quad.object
        if isinstance(subject, NamedNode) and isinstance(kind_of, NamedNode):
            iri = kind_of.value
            kind = (not iri.startswith(KIND), last_segment(iri.removeprefix(KIND)))
            best[subject.value] = min(best.get(subject.value, kind), kind)
    return {iri: kind for iri, (_, kind) in best.items()}


def _english_preference(literal: Literal) -> int | None:
    language = (literal.language or "").lower()
    if not language:
        return 1 if literal.datatype.value in _STRING_TYPES else None
    if language == "en":
        return 0
    return 2 if language.startswith("en-") else None


def _short_ids(iris: list[str]) -> dict[str, str]:
    """Last segments, but full IRIs where several would share one."""
    short = {iri: last_segment(iri) for iri in iris}
    uses = Counter(short.values())
    return {iri: id if uses[id] == 1 else iri for iri, id in short.items()}
