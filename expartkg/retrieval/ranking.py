"""TF-IDF over the documents of a graph: Eq. 1 and the three rankings of Appendix A.4."""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from expartkg.records import Count, Entity, PairCount, Property, RankedTriple
from expartkg.retrieval.other_rankings import Candidate, other_ranking
from expartkg.retrieval.store import Edge, Graph, ReadEdges, id_order

RANKINGS: Mapping[str, tuple[str, ...]] = {
    "pid": ("predicate",),
    "qid": ("neighbour",),
    "pid-qid": ("predicate", "neighbour"),
}
"""Which constituents of a triple are terms; the score of a triple is the sum over them."""

BOTH_PARTS = RANKINGS["pid-qid"]

RANKED_DOCUMENTS_KEPT = 4096


def weight(f: int, n_t: int, N: int) -> float:
    """Eq. 1: log(1 + f) · log((N + 1) / (n_t + 1)), natural logarithms.

    `f` occurrences of the term in the document, `n_t` of the `N` documents that hold it.
    """
    return math.log(1 + f) * math.log((N + 1) / (n_t + 1))


@dataclass(frozen=True, slots=True)
class Statistics:
    """n_t of every term over all documents of a graph, and N, the number of documents.

    Keys are IRIs; a predicate and an entity are different terms even under one IRI.
    """

    N: int
    predicates: Mapping[str, int]
    neighbours: Mapping[str, int]
    statements: int

    @classmethod
    def of(cls, graph: Graph, read: ReadEdges | None = None) -> Statistics:
        """From the graph's index, else counted in one pass over its statements (by `read`)."""
        if index := graph.index:
            return cls(len(graph), index.holders, index.neighbours, index.statements)
        return cls.counted((read or graph.statements)(), len(graph))

    @classmethod
    def counted(cls, edges: Iterable[tuple[str, str, str]], N: int) -> Statistics:
        """Counted in one pass over the edges of a graph of `N` entities."""
        holders: defaultdict[str, set[str]] = defaultdict(set)
        neighbours: defaultdict[str, set[str]] = defaultdict(set)
        statements = 0
        for subject, predicate, object_ in edges:
            statements += 1
            holders[predicate].update((subject, object_))
            neighbours[subject].add(object_)
            neighbours[object_].add(subject)
        return cls(
            N,
            {iri: len(entities) for iri, entities in holders.items()},
            # q is a neighbour of exactly those entities that are neighbours of q.
            {iri: len(entities) for iri, entities in neighbours.items()},
            statements,
        )

    def n_t(self, part: str) -> Mapping[str, int]:
        """n_t of the terms that one constituent of a triple can be (`RANKINGS`)."""
        return self.predicates if part == "predicate" else self.neighbours


class Ranker:
    """Ranks the documents of one graph; the statistics are counted once.

    The best triples of recently ranked entities are kept, so that a hub (an artist with a
    thousand statements) is read and sorted once and not at every question.
    """

    def __init__(self, graph: Graph, read: ReadEdges | None = None) -> None:
        """See `Statistics.of`."""
        self._graph = graph
        self.statistics = Statistics.of(graph, read)
        self._order: dict[str, tuple[int, int, str]] = {}
        self.rank = lru_cache(RANKED_DOCUMENTS_KEPT)(self._rank)

    def _rank(self, entity: Entity, ranking: str, top_k: int) -> tuple[RankedTriple, ...]:
        """The `top_k` best triples of D_e, best first; all of them if there are fewer.

        Ties: predicate number, neighbour number, outgoing first.
        """
        edges = self._graph.document(entity)
        terms = [self._terms(edges, part) for part in RANKINGS.get(ranking, BOTH_PARTS)]
        if ranking in RANKINGS:
            scores = [sum(term.weight for term in pair) for pair in zip(*terms, strict=True)]
        else:
            scores = self._scores_of_others(entity, ranking, edges, terms)

        def place(number: int) -> tuple[object, ...]:
            edge = edges[number]
            order = self._number(edge.predicate), self._number(edge.neighbour)
            return -scores[number], *order, not edge.outgoing

        return tuple(
            RankedTriple(
                edges[number].triple(entity),
                entity,
                scores[number],
                _count([part[number].f for part in terms]),
                _count([part[number].n_t for part in terms]),
                self.statistics.N,
            )
            for number in heapq.nsmallest(top_k, range(len(edges)), key=place)
        )

    def _scores_of_others(
        self, entity: Entity, ranking: str, edges: Sequence[Edge], terms: list[list[_Term]]
    ) -> list[float]:
        score = other_ranking(ranking).score
        return [
            score(
                Candidate(
                    edge.triple(entity),
                    entity,
                    PairCount(p.f, q.f),
                    PairCount(p.n_t, q.n_t),
                    len(edges),
                ),
                self.statistics,
            )
            for edge, p, q in zip(edges, *terms, strict=True)
        ]

    def _terms(self, edges: Sequence[Edge], part: str) -> list[_Term]:
        """The term that one constituent is, for every edge of a document."""
        iris = [getattr(edge, part).iri for edge in edges]
        n_t = self.statistics.n_t(part)
        N = self.statistics.N
        terms = {
            iri: _Term(f, n_t[iri], weight(f, n_t[iri], N)) for iri, f in Counter(iris).items()
        }
        return [terms[iri] for iri in iris]

    def _number(self, term: Property | Entity) -> tuple[int, int, str]:
        order = self._order.get(term.iri)
        if order is None:
            order = self._order[term.iri] = id_order(term.iri)
        return order


class _Term(NamedTuple):
    """A term of a document: its f, its n_t, and its weight by Eq. 1."""

    f: int
    n_t: int
    weight: float


def check_ranking(name: str) -> None:
    """Raises `UsageError` for an unknown ranking, `ExpArtError` for one that cannot be loaded."""
    if name not in RANKINGS:
        other_ranking(name)


def _count(counts: Sequence[int]) -> Count:
    return PairCount(*counts) if len(counts) > 1 else counts[0]
