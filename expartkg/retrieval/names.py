"""Entities named in a text, and which one is meant where several share a name.

General concepts are no names: retrieval never starts from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from expartkg.records import Entity, Identification, Mention, Question
from expartkg.retrieval.dictionary import Dictionary, Occurrence, whole_names
from expartkg.retrieval.index import by_label
from expartkg.retrieval.store import Graph, id_order
from expartkg.retrieval.text import normal_form

Span = tuple[int, int]


class _Named(NamedTuple):
    """A name that stands at a span of a text, and all entities of that name."""

    span: Span
    candidates: tuple[Entity, ...]


class Names:
    """The names of a graph: the labels of all its entities but the general concepts."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._names = graph.index.names if graph.index else NamesInMemory(graph.entities)
        self._neighbours = lru_cache(4096)(self._read_neighbours)

    @cached_property
    def dictionary(self) -> Dictionary:
        """The same names without their entities; made anew for a graph with an index."""
        if isinstance(self._names, NamesInMemory):
            return self._names.dictionary
        return Dictionary(by_label(self._graph.entities, normal_form))

    def find(self, text: str, work: Identification | None = None) -> tuple[Mention, ...]:
        """The mentions in a text, in order.

        `work` is what a run is about: it is chosen wherever a name could mean it. Where its title
        is unknown, no name is looked for inside the title.
        """
        named = self._named(text)
        if work and work.entity is None and work.artwork.title:
            hidden = _occurrences(text, work.artwork.title)
            named = [name for name in named if not _overlap_any(name.span, hidden)]
        return self._choose_all(text, named, work.entity if work else None)

    def find_in_question(self, question: Question, work: Identification) -> tuple[Mention, ...]:
        """The mentions in a question whose title has been resolved as a whole.

        The title's span is one mention of the work or, if the graph does not know the title,
        none at all: never a shorter name inside it. A work that the question does not name is
        mentioned all the same, at 0:0.
        """
        if work.entity is None:
            return self.find(question.text, work)
        title_at = question.title_at
        taken = [title_at] if title_at else []
        named = [name for name in self._named(question.text) if not _overlap_any(name.span, taken)]
        if title_at or not _names(named, work.entity):
            named.append(_Named(title_at or (0, 0), work.candidates))
        named.sort(key=lambda name: name.span)
        return self._choose_all(question.text, named, work.entity)

    def _named(self, text: str) -> list[_Named]:
        return [
            _Named((start, end), self._names.entities(name))
            for name, start, end in whole_names(text, self._names.occurrences)
        ]

    def _choose_all(
        self, text: str, named: Sequence[_Named], pinned: Entity | None
    ) -> tuple[Mention, ...]:
        everyone = {entity.iri for name in named for entity in name.candidates}
        # A name means the same wherever it stands in the text.
        ordered: dict[tuple[Entity, ...], tuple[Entity, ...]] = {}
        mentions = []
        for (start, end), candidates in named:
            if candidates not in ordered:
                others = everyone.difference(entity.iri for entity in candidates)
                ordered[candidates] = self.best_first(candidates, others, pinned)
            best = ordered[candidates]
            mentions.append(Mention(start, end, text[start:end], best[0], best))
        return tuple(mentions)

    def best_first(
        self, candidates: tuple[Entity, ...], others: set[str], pinned: Entity | None = None
    ) -> tuple[Entity, ...]:
        """All entities of one name, the one that is meant first.

        That is the pinned work; else one joined by a statement to an entity of `others` (IRIs of
        what other names of the text could mean); else the one with most triples, then the lowest
        number.
        """
        if len(candidates) == 1:
            return candidates

        def place(entity: Entity) -> tuple[object, ...]:
            neighbours, triples = self._neighbours(entity)
            return (
                entity != pinned,
                neighbours.isdisjoint(others),
                -triples,
                id_order(entity.iri),
            )

        return tuple(sorted(candidates, key=place))

    def _read_neighbours(self, entity: Entity) -> tuple[frozenset[str], int]:
        """The IRIs at the other ends of the entity's triples, and how many triples there are."""
        neighbours = self._graph.neighbours(entity)
        return frozenset(neighbour.iri for neighbour in neighbours), len(neighbours)


class NamesInMemory:
    """The names of entities, numbered, and the entities of each."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        by_name = by_label(entities, normal_form)
        self._entities = list(by_name.values())
        self.dictionary = Dictionary(by_name)

    def occurrences(self, text: str) -> list[Occurrence]:
        return self.dictionary.occurrences(text)

    def entities(self, name: int) -> tuple[Entity, ...]:
        return tuple(self._entities[name])


def _overlap_any(span: Span, others: Iterable[Span]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def _occurrences(text: str, title: str) -> list[Span]:
    """Where a title stands in a text, in whatever case."""
    pattern = r"\s+".join(map(re.escape, title.split()))
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


def _names(named: Iterable[_Named], entity: Entity) -> bool:
    return any(entity in name.candidates for name in named)
