"""How a score comes about: the numbers of Eq. 1, and its two factors."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from expartkg.records import PairCount, RankedTriple
from expartkg.retrieval.ranking import weight


@dataclass(frozen=True, slots=True)
class Term:
    """A term of a triple, by its label: log(1 + f) · log((N + 1) / (n_t + 1)), not rounded."""

    label: str
    f: int
    n_t: int
    N: int

    @property
    def in_document(self) -> float:
        """The first factor: how much the entity's own document is about the term."""
        return math.log(1 + self.f)

    @property
    def in_graph(self) -> float:
        """The second factor: how few documents of the graph hold the term."""
        return math.log((self.N + 1) / (self.n_t + 1))

    @property
    def weight(self) -> float:
        return weight(self.f, self.n_t, self.N)


@dataclass(frozen=True, slots=True)
class ScoredFact:
    """A fact with its term or, under PID-QID, its two terms, whose weights are summed."""

    fact: RankedTriple
    terms: tuple[Term, ...]


def scored(facts: Sequence[RankedTriple], ranking: str) -> Iterator[ScoredFact]:
    """The facts of one anchor whose scores are those of Eq. 1; a ranking of another package may
    have its own.
    """
    for fact in facts:
        terms = _terms(fact, ranking)
        if math.isclose(sum(term.weight for term in terms), fact.score, abs_tol=1e-9):
            yield ScoredFact(fact, terms)


def _terms(fact: RankedTriple, ranking: str) -> tuple[Term, ...]:
    triple = fact.triple
    neighbour = triple.object if triple.subject == fact.anchor else triple.subject
    if isinstance(fact.f, PairCount) and isinstance(fact.n_t, PairCount):
        return (
            Term(triple.predicate.label, fact.f.p, fact.n_t.p, fact.N),
            Term(neighbour.label, fact.f.q, fact.n_t.q, fact.N),
        )
    assert isinstance(fact.f, int)
    assert isinstance(fact.n_t, int)
    label = triple.predicate.label if ranking == "pid" else neighbour.label
    return (Term(label, fact.f, fact.n_t, fact.N),)
