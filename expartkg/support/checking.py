"""The status of every sentence: its claims against the facts, its years against the graph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from expartkg.records import (
    CONCEPT,
    Dated,
    Entity,
    Identification,
    Named,
    Sentence,
    SentenceStatus,
    Triple,
)
from expartkg.retrieval.retriever import Retriever
from expartkg.support.claims import Claim, claims_in
from expartkg.support.dates import DateClaim, agrees, contradicts, dates_in, known
from expartkg.support.reading import Sentence as Read
from expartkg.support.reading import read
from expartkg.support.relations import CREATOR, PERSONS

INSIDE = ("P131", "P276", "P361", "P17", "P159", "P30", "P127", "P749")
"""Properties from a place or a holder to what it lies in or belongs to."""
STEPS = 3
_COMMON = frozenset(
    "museum museums gallery national royal collection palace institute city fine arts modern museo "
    "musée foundation".split()
)
"""Words of many holders' names, which make no two of them one."""
_UMBRELLA = re.compile(
    r"collections\b|museums\b|galleries\b|sammlungen\b|musées\b|musei\b", re.IGNORECASE
)
"""Holders of several houses, of which the graph does not say which."""


def support_of(
    answer: str, facts: Iterable[Triple], work: Identification, retriever: Retriever
) -> tuple[Sentence, ...]:
    """The sentences of an answer, in order, with what supports or is contradicted by each.

    `facts` are those of all iterations, `work` is what the run is about. A sentence contradicts
    where it denies a fact, or puts another entity of the same kind in the place of its object (of
    exclusive relations alone, see `relations`), or another year. It is supported where it names
    both ends of a fact, or a year of the work's inception, and contradicts nothing.
    """
    facts = list(dict.fromkeys(facts))
    checker = _Checker(facts, work.entity, retriever)
    return tuple(checker.check(one) for one in read(answer, facts, work, retriever.names))


class _Checker:
    """Holds sentences of one answer against one set of facts."""

    def __init__(self, facts: Sequence[Triple], work: Entity | None, retriever: Retriever) -> None:
        self._facts = facts
        self._graph = retriever.graph
        self._known = {end for fact in facts for end in (fact.subject, fact.object)}
        if work:
            self._known.add(work)
        self._predicates = frozenset(fact.predicate for fact in facts)

    def check(self, sentence: Read) -> Sentence:
        claims = [self._told_apart(one) for one in claims_in(sentence, self._predicates)]
        dated = list(dates_in(sentence, self._known))
        against = list(dict.fromkeys(fact for one in claims for fact in self._against(one)))
        dates_against = list(self._dates_against(dated))
        named = tuple(Named(one.start, one.end, one.entity) for one in sentence.names)
        if against or dates_against:
            return Sentence(
                sentence.start,
                sentence.end,
                "contradicts",
                tuple(against),
                tuple(dates_against),
                named,
            )
        facts = tuple(fact for fact in self._facts if self._supports(fact, sentence, claims))
        dates = tuple(self._dates_for(dated))
        status: SentenceStatus = "supported" if facts or dates else "unsupported"
        return Sentence(sentence.start, sentence.end, status, facts, dates, named)

    def _told_apart(self, claim: Claim) -> Claim:
        """The claim with what a fact has for an object that seems to be the subject itself: of a
        work "Saint Sebastian", "It depicts Saint Sebastian" means the saint.
        """
        namesakes = (
            fact.object
            for fact in self._facts
            if fact.subject == claim.subject
            and claim.relation.is_said_by(fact.predicate)
            and fact.object.label.casefold() == fact.subject.label.casefold()
        )
        meant = next(namesakes, None)
        if meant is None:
            return claim
        objects = (
            replace(one, entity=meant) if one.entity == claim.subject else one
            for one in claim.objects
        )
        return replace(claim, objects=tuple(objects))

    def _supports(self, fact: Triple, sentence: Read, claims: Sequence[Claim]) -> bool:
        """Whether the sentence claims the fact, or names both ends and claims nothing else."""
        about = [one for one in claims if _is_about(one, fact)]
        if about:
            return any(one.relation.is_said_by(fact.predicate) and not one.denied for one in about)
        in_place = {_identity(one.entity) for claim in claims for one in claim.objects}
        return _identity(fact.object) not in in_place and _names_both(sentence, fact)

    def _against(self, claim: Claim) -> Iterator[Triple]:
        relation, subject = claim.relation, claim.subject
        stated = [
            fact
            for fact in self._facts
            if fact.subject == subject and relation.is_said_by(fact.predicate)
        ]
        named = [one.entity for one in claim.objects if not one.uncertain]
        if claim.denied:
            yield from (fact for fact in stated if fact.object in named)
            return
        if not subject or not relation.exclusive or claim.hedged:
            return
        known = self._objects(subject, claim) | {fact.object for fact in stated}
        others = [one for one in named if not self._may_be_meant(one, known, claim)]
        if others and (relation.complete or len(others) == len(claim.objects)):
            yield from (fact for fact in stated if any(_alike(fact.object, one) for one in others))

    def _objects(self, subject: Entity, claim: Claim) -> set[Entity]:
        """All that the graph states, retrieved or not."""
        return {
            edge.neighbour
            for edge in self._graph.document(subject)
            if edge.outgoing and claim.relation.is_said_by(edge.predicate)
        }

    def _may_be_meant(self, entity: Entity, known: set[Entity], claim: Claim) -> bool:
        """Whether an entity is one of those that the graph states, or a part or the whole of one,
        or goes by the same name.
        """
        if entity in known:
            return True
        if claim.relation is CREATOR:
            return any(entity.label == one.label for one in known)
        if any(_UMBRELLA.search(one.label) for one in (entity, *known)):
            return True
        around = self._around(entity)
        return any(
            one in around or entity in self._around(one) or _share_a_name(entity, one)
            for one in known
        )

    def _around(self, entity: Entity) -> set[Entity]:
        """What an entity lies in or belongs to, a few steps up."""
        found: set[Entity] = set()
        last = {entity}
        for _ in range(STEPS):
            last = {
                up for one in last for id in INSIDE for up in self._graph.objects(one, id)
            } - found
            found |= last
        return found

    def _years(self, work: Entity) -> tuple[int, ...]:
        return known(self._graph.years(work))

    def _dates_for(self, claims: Sequence[DateClaim]) -> Iterator[Dated]:
        for work in dict.fromkeys(one.work for one in claims):
            years = self._years(work)
            made = [one for one in claims if one.work == work and not one.denied]
            if any(agrees(one, year) for one in made for year in years):
                yield Dated(work, years)

    def _dates_against(self, claims: Sequence[DateClaim]) -> Iterator[Dated]:
        """Of two years in one sentence one is enough: a work may be begun in the other."""
        for work in dict.fromkeys(one.work for one in claims):
            years = self._years(work)
            if all(contradicts(one, years) for one in claims if one.work == work):
                yield Dated(work, years)


def _is_about(claim: Claim, fact: Triple) -> bool:
    """Whether a claim joins the two ends of a fact, in either direction."""
    if claim.subject is None:
        return False
    subject = _identity(claim.subject)
    return any({subject, _identity(one.entity)} == _ends(fact) for one in claim.objects)


def _names_both(sentence: Read, fact: Triple) -> bool:
    """Whether a sentence names one end of a fact, and the other one too or, before it, a word that
    stands for it. What "Painted by X" is about goes without saying.
    """
    ends = _ends(fact)
    meant = (
        {_identity(sentence.topic)} if sentence.topic and _opens_without_name(sentence) else set()
    )
    for one in sentence.references:
        meant.add(_identity(one.entity))
        if one.by_name and len(ends) == 2 and _identity(one.entity) in ends and ends <= meant:
            return True
    return False


def _opens_without_name(sentence: Read) -> bool:
    return not sentence.references or sentence.references[0].start > sentence.start


def _ends(fact: Triple) -> set[Entity | str]:
    return {_identity(fact.subject), _identity(fact.object)}


def _identity(entity: Entity) -> Entity | str:
    """Concepts are told from each other by their words: a graph may have two of a label."""
    return entity.label.casefold() if entity.kind == CONCEPT else entity


def _alike(one: Entity, other: Entity) -> bool:
    return one.kind == other.kind or {one.kind, other.kind} <= PERSONS


def _share_a_name(one: Entity, other: Entity) -> bool:
    """Whether two holders or places have a name in common ("the Louvre"), as parts have."""
    return not _own_words(one).isdisjoint(_own_words(other))


def _own_words(entity: Entity) -> set[str]:
    words = entity.label.casefold().replace(",", " ").split()
    return {word for word in words if len(word) > 3} - _COMMON
