"""Statements of any vocabulary as those of the guide's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from pyoxigraph import Literal, NamedNode, Quad

from expartkg.construction.ids import ITEM
from expartkg.construction.mapping.mapping import Mapping
from expartkg.construction.mapping.vocabulary import (
    DATE,
    IMAGE,
    kind_of,
    label_of,
    property_and_label,
)
from expartkg.retrieval.descriptions import LABEL, TYPE, WIKIDATA_ENTITY


def mapped_rdf(
    statements: Iterable[Quad], mapping: Mapping, tell: Callable[[str], None]
) -> Iterator[Quad]:
    """The statements as the mapping wants them; `tell` is told which properties it left out.

    They are held in memory, since the best label and class of each thing is taken.
    """
    things = _Things(mapping)
    for quad in statements:
        if isinstance(quad.subject, NamedNode):
            things.take(quad.subject.value, quad)
    yield from things.statements()
    yield from things.edges()
    things.tell_left_out(tell)


class _Things:
    """What is known of things, by their IRIs in the graph that is made."""

    def __init__(self, mapping: Mapping) -> None:
        self._mapping = mapping
        self._places = {kind: place for place, kind in enumerate(mapping.kinds)}
        self._labels: dict[str, set[tuple[str, str]]] = {}
        self._classes: dict[str, str] = {}
        self._left_out: set[str] = set()
        self._literals: list[tuple[str, Quad]] = []
        self._edges: list[tuple[str, str, str]] = []
        self._unmapped: Counter[str] = Counter()

    def take(self, iri: str, quad: Quad) -> None:
        """Remembers a statement about an IRI."""
        subject, predicate = self._iri(iri), quad.predicate.value
        value, mapping = quad.object, self._mapping
        if predicate == TYPE.value:
            self._take_class(subject, value.value if isinstance(value, NamedNode) else "")
        elif predicate in mapping.labels.properties and isinstance(value, Literal):
            self._labels.setdefault(subject, set()).add((value.language or "", value.value))
        elif predicate in mapping.edges and isinstance(value, NamedNode):
            self._edges.append((subject, predicate, self._iri(value.value)))
        elif predicate in mapping.literals.images:
            self._literals.append((subject, Quad(NamedNode(subject), IMAGE, value)))
        elif predicate in mapping.literals.dates and isinstance(value, Literal):
            self._literals.append((subject, Quad(NamedNode(subject), DATE, value)))
        else:
            self._unmapped[predicate] += 1

    def _iri(self, iri: str) -> str:
        for namespace in self._mapping.wikidata:
            local = iri.removeprefix(namespace)
            if local != iri and ITEM.fullmatch(local):
                return WIKIDATA_ENTITY + local
        return iri

    def _take_class(self, subject: str, iri: str) -> None:
        if iri in self._mapping.leave_out:
            self._left_out.add(subject)
        if iri in self._places:
            known = self._classes.setdefault(subject, iri)
            self._classes[subject] = min(known, iri, key=self._places.__getitem__)

    def statements(self) -> Iterator[Quad]:
        """Labels, kinds, pictures and dates of all things that have a label."""
        for iri, labels in self._labels.items():
            best = self._best(labels)
            if best and iri not in self._left_out:
                yield label_of(iri, best)
                yield from _other_labels(iri, labels)
                if iri in self._classes:
                    yield kind_of(iri, self._mapping.kinds[self._classes[iri]])
        yield from (quad for iri, quad in self._literals if iri not in self._left_out)

    def _best(self, labels: set[tuple[str, str]]) -> str | None:
        languages = self._mapping.labels.languages
        known = [
            (languages.index(language), text.strip())
            for language, text in labels
            if language in languages and text.strip()
        ]
        return min(known)[1] if known else None

    def edges(self) -> Iterator[Quad]:
        """The edges between things that are not left out, and the labels of their properties."""
        properties = {
            iri: property_and_label(edge.id, iri, edge.label)
            for iri, edge in self._mapping.edges.items()
        }
        used: set[str] = set()
        for subject, predicate, object_ in self._edges:
            if self._left_out.isdisjoint((subject, object_)):
                used.add(predicate)
                yield Quad(NamedNode(subject), properties[predicate][0], NamedNode(object_))
        # A label of what is no property of the graph would be an entity's.
        yield from (properties[predicate][1] for predicate in sorted(used))

    def tell_left_out(self, tell: Callable[[str], None]) -> None:
        """In one line, the most frequent first."""
        if self._unmapped:
            counts = [f"{iri} ({number:,})" for iri, number in self._unmapped.most_common()]
            tell(f"The mapping makes nothing of these statements: {', '.join(counts)}.")


def _other_labels(iri: str, labels: set[tuple[str, str]]) -> Iterator[Quad]:
    """Those of other languages; a second one in English would compete with the first."""
    for language, text in sorted(labels):
        if language and language.partition("-")[0] != "en":
            yield Quad(NamedNode(iri), LABEL, Literal(text, language=language))
