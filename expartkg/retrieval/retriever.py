"""Retrieval for a text: steps 1, 2 and 5 of Section 2. Knows no model."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, TypeVar

from expartkg.errors import UnknownEntityError, UsageError
from expartkg.records import CONCEPT, Artwork, Entity, Identification, Mention, RankedTriple
from expartkg.retrieval.names import Names
from expartkg.retrieval.ranking import Ranker, check_ranking
from expartkg.retrieval.search import Search
from expartkg.retrieval.store import Graph, ReadEdges
from expartkg.retrieval.titles import Titles
from expartkg.retrieval.works import Work, works_of

Part = TypeVar("Part")


class Retriever:
    """Everything that is asked of one graph. Names and statistics are made when first needed."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._parts: dict[Callable[..., Any], Any] = {}
        self._lock = threading.RLock()

    @property
    def names(self) -> Names:
        return self._part(Names)

    @property
    def titles(self) -> Titles:
        return self._part(Titles)

    @property
    def ranker(self) -> Ranker:
        return self._part(Ranker)

    @property
    def search(self) -> Search:
        return self._part(Search)

    def _part(self, make: Callable[..., Part], *given: ReadEdges) -> Part:
        """Visitors come in threads of their own, and what takes long is made once for all."""
        with self._lock:
            if make not in self._parts:
                self._parts[make] = make(self.graph, *given)
            part: Part = self._parts[make]
            return part

    def warm_up(self) -> None:
        """Makes now all that is made once, so that the first question need not wait."""
        # Read once for both that count them: those of an endpoint have to be fetched.
        read = cache(lambda: list(self.graph.statements()))
        _ = self.names, self._part(Ranker, read), self.titles.works(""), self._part(Search, read)

    def suggest(self, text: str, limit: int = 8) -> tuple[Work, ...]:
        """At most `limit` works that a text which is being typed may mean, best first."""
        return self.search.suggest(text, limit)

    def works(self, entities: Iterable[Entity]) -> tuple[Work, ...]:
        """The entities with what tells them from others of their title, in the same order."""
        return works_of(self.graph, entities)

    def identify(self, artwork: Artwork) -> Identification:
        """Which entity a work is: the one that was picked, else the one of its title.

        A picked work without a title gets the graph's. Raises `UnknownEntityError` if the graph
        does not have the picked id, or has a general concept under it.
        """
        artwork = dataclasses.replace(
            artwork,
            id=_given(artwork.id),
            title=_given(artwork.title),
            artist=_given(artwork.artist),
        )
        if artwork.id is not None:
            entity = self.graph.entity(artwork.id)
            if entity.kind == CONCEPT:
                raise UnknownEntityError(
                    f"{entity.label} ({entity.id}) is a general concept, from which no retrieval "
                    "starts; pick a work."
                )
            found = artwork.found if artwork.found != "none" else "picked"
            known = dataclasses.replace(
                artwork, id=entity.id, title=artwork.title or entity.label, found=found
            )
            return Identification(known, (entity,))
        candidates = self._candidates(artwork)
        if not candidates:
            return Identification(dataclasses.replace(artwork, found="none"))
        known = dataclasses.replace(artwork, id=candidates[0].id, found="title")
        return Identification(known, candidates)

    def _candidates(self, artwork: Artwork) -> tuple[Entity, ...]:
        found = self.titles.works(artwork.title) if artwork.title else ()
        return self.names.best_first(found, self._artists(artwork)) if found else ()

    def _artists(self, artwork: Artwork) -> set[str]:
        found = self.titles.entities(artwork.artist) if artwork.artist else ()
        return {entity.iri for entity in found}

    def facts(
        self, mentions: Iterable[Mention], *, ranking: str, top_k: int, first: Entity | None = None
    ) -> tuple[RankedTriple, ...]:
        """The `top_k` best triples of every mentioned entity, in order of first mention.

        The facts of `first` (the work itself) go before the others, if it is mentioned. A triple
        that several entities select is listed once, at its first place.
        """
        if top_k < 1:
            raise UsageError(f"top-k must be 1 or more, not {top_k}.")
        check_ranking(ranking)
        entities = list(dict.fromkeys(mention.entity for mention in mentions))
        entities.sort(key=lambda entity: entity != first)
        selected: dict[object, RankedTriple] = {}
        for entity in entities:
            for fact in self.ranker.rank(entity, ranking, top_k):
                selected.setdefault(fact.triple, fact)
        return tuple(selected.values())


def _given(text: str | None) -> str | None:
    """A field's text without blanks at its ends, None if nothing was typed."""
    return (text or "").strip() or None
