"""How many of a reference's entities retrieval reaches, measured without a model.

In place of an answer stands the best that could be written: one that names every entity of its
facts. So the share that an iteration reaches is an upper bound for what any model can take from
the graph, and a change of graph or ranking can be judged on any machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from expartkg.errors import DataError
from expartkg.evaluation.asking import Asked, ask_with_title
from expartkg.evaluation.bootstrap import mean_interval
from expartkg.evaluation.questions import ArtQuestion
from expartkg.prompts import within_budget
from expartkg.records import CONCEPT, Entity, Mention, RankedTriple
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.text import normal_form

ITERATIONS = 3
TOP_KS = (5, 10, 20)


@dataclass(frozen=True, slots=True)
class Reached:
    """One iteration for one question.

    `share` is how much of the set of the reference's entities the facts name, 0 to 1; `facts` are
    those that fit into the prompt, `dropped` those that did not; `lookups` counts the entities
    whose documents were fetched.
    """

    share: float
    facts: int
    dropped: int
    lookups: int


@dataclass(frozen=True, slots=True)
class ReachedMean:
    """One iteration under one ranking and k, over all questions; `share` is 0 to 100."""

    ranking: str
    top_k: int
    iteration: int
    share: float
    low: float
    high: float
    facts: float
    dropped: float
    lookups: float


def measure_retrieval(
    questions: Sequence[ArtQuestion],
    retriever: Retriever,
    *,
    rankings: Iterable[str],
    top_ks: Iterable[int],
    facts_budget: int,
    seed: int,
) -> list[ReachedMean]:
    """Asks each question with its title, and follows what the facts name.

    Questions whose references name no entity are left out. Raises `DataError` if all are.
    """
    wanted = {question.id: _names_in(question.reference, retriever) for question in questions}
    asked = [
        (ask_with_title(question, retriever), wanted[question.id])
        for question in questions
        if wanted[question.id]
    ]
    if not asked:
        raise DataError("No reference names an entity of the graph; give another with --kg.")
    settings = [(ranking, top_k) for ranking in rankings for top_k in top_ks]
    means = []
    for ranking, top_k in settings:
        follow = _Follow(retriever, ranking, top_k, facts_budget)
        reached = [list(follow.reach(start, names)) for start, names in asked]
        for number, column in enumerate(zip(*reached, strict=True), start=1):
            means.append(_mean(ranking, top_k, number, column, seed))
    return means


@dataclass(frozen=True, slots=True)
class _Follow:
    """Iterations under one setting."""

    retriever: Retriever
    ranking: str
    top_k: int
    budget: int

    def reach(self, start: Asked, wanted: frozenset[str]) -> Iterator[Reached]:
        entities = list(dict.fromkeys(mention.entity for mention in start.mentions))
        for _ in range(ITERATIONS):
            facts, dropped = within_budget(self._facts(entities, start.work.entity), self.budget)
            named = list(dict.fromkeys(_entities_of(facts)))
            names = {normal_form(entity.label) for entity in named}
            yield Reached(len(wanted & names) / len(wanted), len(facts), dropped, len(entities))
            entities = named or entities

    def _facts(self, entities: Sequence[Entity], first: Entity | None) -> tuple[RankedTriple, ...]:
        mentions = [Mention(0, 0, "", entity, (entity,)) for entity in entities]
        return self.retriever.facts(mentions, ranking=self.ranking, top_k=self.top_k, first=first)


def _entities_of(facts: Iterable[RankedTriple]) -> Iterator[Entity]:
    """The entities that an answer could name, and so the next round could start from."""
    for fact in facts:
        for entity in (fact.triple.subject, fact.triple.object):
            if entity.kind != CONCEPT:
                yield entity


def _names_in(text: str, retriever: Retriever) -> frozenset[str]:
    return frozenset(found.name for found in retriever.names.dictionary.find(text))


def _mean(
    ranking: str, top_k: int, iteration: int, column: Sequence[Reached], seed: int
) -> ReachedMean:
    shares = np.array([100 * reached.share for reached in column])
    low, high = mean_interval(shares, seed=seed)
    return ReachedMean(
        ranking,
        top_k,
        iteration,
        float(shares.mean()),
        low,
        high,
        facts=fmean(reached.facts for reached in column),
        dropped=fmean(reached.dropped for reached in column),
        lookups=fmean(reached.lookups for reached in column),
    )
