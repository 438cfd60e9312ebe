"""TF-IDF over the documents of a graph: Eq. 1 and the three rankings of Appendix A.4."""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from expartkg.records import Count, Entity, PairCount, Property, RankedTriple
from expartkg.retrieval.store import Edge, Graph, id_order

Term = Property | Entity

RANKINGS: Mapping[str, tuple[str, ...]] = {
    "pid": ("predicate",),
    "qid": ("neighbour",),
    "pid-qid": ("predicate", "neighbour"),
}
"""Which constituents of a triple are terms; the score of a triple is the sum over them."""

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
    def of(cls, graph: Graph) -> Statistics:
        """Counted in one pass over the statements of the graph."""
        holders: defaultdict[str, set[str]] = defaultdict(set)
        neighbours: defaultdict[str, set[str]] = defaultdict(set)
        statements = 0
        for subject, predicate, object_ in graph.statements():
            statements += 1
            holders[predicate].update((subject, object_))
            neighbours[subject].add(object_)
            neighbours[object_].add(subject)
        return cls(
            len(graph),
            {iri: len(entities) for iri, entities in holders.items()},
            # q is a neighbour of exactly those entities that are neighbours of q.
            {iri: len(entities) for iri, entities in neighbours.items()},
            statements,
        )

    def n_t(self, term: Term) -> int:
        """In how many documents the term occurs."""
        counts = self.predicates if isinstance(term, Property) else self.neighbours
        return counts.get(term.iri, 0)


class Ranker:
    """Ranks the documents of one graph; the statistics are counted once.

    The best triples of recently ranked entities are kept, so that a hub (an artist with a
    thousand statements) is read and sorted once and not at every question.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.statistics = Statistics.of(graph)
        self._order: dict[str, tuple[int, int, str]] = {}
        self.rank = lru_cache(RANKED_DOCUMENTS_KEPT)(self._rank)

    def _rank(self, entity: Entity, ranking: str, top_k: int) -> tuple[RankedTriple, ...]:
        """The `top_k` best triples of D_e, best first; all of them if there are fewer.

        Ties: predicate number, neighbour number, outgoing first.
        """
        edges = self._graph.document(entity)
        parts = RANKINGS[ranking]
        occurrences = Counter(getattr(edge, part) for edge in edges for part in parts)
        N = self.statistics.N
        weights = {
            term: weight(f, self.statistics.n_t(term), N) for term, f in occurrences.items()
        }

        def score(edge: Edge) -> float:
            return sum(weights[getattr(edge, part)] for part in parts)

        def place(edge: Edge) -> tuple[object, ...]:
            number = self._number
            return -score(edge), number(edge.predicate), number(edge.neighbour), not edge.outgoing

        def count(edge: Edge, counts: Mapping[Term, int]) -> Count:
            values = [counts[getattr(edge, part)] for part in parts]
            return PairCount(*values) if len(values) > 1 else values[0]

        n_t = {term: self.statistics.n_t(term) for term in occurrences}
        return tuple(
            RankedTriple(
                edge.triple(entity), entity, score(edge), count(edge, occurrences),
                count(edge, n_t), N,
            )
            for edge in heapq.nsmallest(top_k, edges, key=place)
        )

    def _number(self, term: Term) -> tuple[int, int, str]:
        order = self._order.get(term.iri)
        if order is None:
            order = self._order[term.iri] = id_order(term.iri)
        return order
