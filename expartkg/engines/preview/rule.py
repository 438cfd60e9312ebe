"""The preview's verdict: a stated rule in the place of the validator LLM (Section 2, step 4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from expartkg.engines.preview.phrases import property_id
from expartkg.records import (
    ARTWORK,
    CONCEPT,
    Entity,
    Prompt,
    RankedTriple,
    StopFlag,
    Triple,
    Verdict,
)

THRESHOLD = 5 / 6
"""Accepted is an answer that covers five of the six aspects, or all."""


class RuleValidator:
    """p_true is the share of six aspects of the work that the answer covers.

    The aspects are its creator, what it depicts, its material, its collection or place, its
    movement or genre, and something about the creator. One is covered when a fact of this
    iteration states it and the answer names that fact's other end. For movement or genre those
    of the creator, or of another work by the same creator, do as well.

    Since a work's facts come in the first iteration, its creator's in the second and those of the
    creator's other works in the third, works that the graph knows well are accepted at once and
    others later. Those of which it does not know five aspects never are.
    """

    def judge(self, prompt: Prompt, answer: str, stop: StopFlag) -> Verdict:
        """The verdict from `prompt.facts` and the answer; neither text of the prompt is read."""
        p_true = len(covered_aspects(prompt.facts, answer)) / len(ASPECTS)
        return Verdict(p_true >= THRESHOLD, p_true, None, "rule")


def covered_aspects(facts: Sequence[RankedTriple], answer: str) -> tuple[str, ...]:
    """The names of the aspects of the work that the answer covers.

    The work is the one that the first fact was selected for, since the facts of the work come
    first; where that is no artwork, nothing is covered.
    """
    if not facts or facts[0].anchor.kind not in (ARTWORK, ""):
        return ()
    known = _Known.of([fact.triple for fact in facts], facts[0].anchor)
    # A title may be the name of what the work depicts, and alone says nothing about it.
    rest = answer.replace(known.work.label, "", 1)
    return tuple(
        aspect
        for aspect, ends in ASPECTS.items()
        if any(names_in_full(rest, entity) for entity in ends(known))
    )


@dataclass(frozen=True, slots=True)
class _Known:
    """The facts of one iteration, with the work and its makers."""

    triples: Sequence[Triple]
    work: Entity
    makers: frozenset[Entity]

    @classmethod
    def of(cls, triples: Sequence[Triple], work: Entity) -> _Known:
        return cls(triples, work, frozenset(_objects(triples, {work}, "P170")))

    def of_work(self, *ids: str) -> set[Entity]:
        return _objects(self.triples, {self.work}, *ids)

    def style(self) -> set[Entity]:
        works = {
            triple.subject
            for triple in self.triples
            if property_id(triple.predicate) == "P170" and triple.object in self.makers
        }
        return _objects(self.triples, {self.work, *self.makers, *works}, "P135", "P136")

    def about_makers(self) -> set[Entity]:
        ends = set()
        for triple in self.triples:
            if triple.subject in self.makers:
                ends.add(triple.object)
            elif triple.object in self.makers and triple.subject != self.work:
                ends.add(triple.subject)
        return ends


ASPECTS: dict[str, Callable[[_Known], Iterable[Entity]]] = {
    "creator": lambda known: known.makers,
    "depicts": lambda known: known.of_work("P180", "P921"),
    "material": lambda known: known.of_work("P186"),
    "collection or place": lambda known: known.of_work("P195", "P276"),
    "movement or genre": _Known.style,
    "about the creator": _Known.about_makers,
}
"""Each aspect, and the entities of which an answer has to name one to cover it."""


def _objects(triples: Iterable[Triple], subjects: set[Entity], *ids: str) -> set[Entity]:
    return {
        triple.object
        for triple in triples
        if triple.subject in subjects and property_id(triple.predicate) in ids
    }


def names_in_full(text: str, entity: Entity) -> bool:
    """Whether the label occurs as a whole word; a concept's first letter may be small."""
    label = re.escape(entity.label)
    if entity.kind == CONCEPT:
        first = entity.label[:1]
        label = f"[{re.escape(first.lower() + first.upper())}]" + re.escape(entity.label[1:])
    return re.search(rf"(?<!\w){label}(?!\w)", text) is not None
