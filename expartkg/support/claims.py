"""What a sentence says of whom: a relation, its subject, and the objects in their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from expartkg.records import Entity, Property
from expartkg.support.reading import Reference, Sentence
from expartkg.support.relations import Cue, Relation, cues_in

MOST_BETWEEN = 60
"""Code points between a phrase and the entity in its place: "by the Flemish master …"."""
LENGTH_OF_TAIL = 25
"""Code points after the last object that still may hedge it: "in the Prado until 1850"."""
LONGEST_SENTENCE = 1500
"""Code points."""

KINDS = frozenset(
    {"Artwork", "Artist", "Person", "Subject", "Museum", "Movement", "Place", "Concept"}
)
"""Those of the shipped graphs. In a graph with others, anything may stand anywhere."""

DENIALS = re.compile(
    r"\b(?:not|never|neither|nor|cannot|no longer|rather than|instead of|without|n[’']t)\b"
    r"(?!\s+(?:only|just|merely|simply)\b)|n[’']t\b",
    re.IGNORECASE,
)
# Who says it so does not say that the catalogue's entity is another one.
HEDGES = re.compile(
    r"\b(?:attributed|formerly|once|previously|until|cop(?:y|ies|ied)|after|follower|followers|"
    r"workshop|circle|school|imitator|style|manner|might|may|could|possibly|perhaps|probably|"
    r"maybe|likely|thought|believed|rumou?red|claim(?:ed|s)?|said|says?|assistants?|pupils?|students?|"
    r"inspired|influenced|reminiscent|comparable|similar|like|unlike|than|son|daughter|father|"
    r"brother|sister|wife|husband|frame|loan|lent|exhibition|moved|sold|stolen|before|later|"
    r"earlier|originally|first|another|other|also|version|versions|if|would)\b",
    re.IGNORECASE,
)
_LISTS_ON = re.compile(
    r"[\s*_”\"’']*(?:,\s*(?:and|&|or)?|and|&|or|as well as)\s*(?:in|at|by|the|an?)?[\s*_“\"‘']*"
    r"(?:the\s+|an?\s+)?[“\"‘*]*\Z",
    re.IGNORECASE,
)
_BREAKS = re.compile(r"[.;:!?\n)]|,\s+(?:who|which|and|but|while)\b|\b(?:who|which|that|but)\b")
_CLAUSE = re.compile(r"[,;:(]\s?|\b(?:but|while|whereas)\b")
_EQUALS = re.compile(r"\s*(?:is|was|are|were)\b")


@dataclass(frozen=True, slots=True)
class Claim:
    """`subject` has `relation` with each of `objects`; or has not, if it is denied.

    A hedged one ("formerly", "attributed to") says nothing that a fact could contradict. The
    subject is None where it is not among the entities.
    """

    relation: Relation
    subject: Entity | None
    objects: tuple[Reference, ...]
    denied: bool
    hedged: bool


def claims_in(sentence: Sentence, predicates: Iterable[Property]) -> Iterator[Claim]:
    """The claims of a sentence; the labels of `predicates` count as phrases too. None are looked
    for in what is too long for a sentence, as an engine that repeats itself may write.
    """
    if len(sentence.said) > LONGEST_SENTENCE:
        return
    cues = cues_in(sentence.said, predicates)
    reader = _Reader(sentence, cues)
    for cue in cues:
        claim = reader.claim(cue)
        if claim.objects:
            yield claim


@dataclass(frozen=True, slots=True)
class _Reader:
    """Places are those of `Sentence.said`, not of the answer."""

    sentence: Sentence
    cues: Sequence[Cue]

    @property
    def _references(self) -> list[Reference]:
        offset = self.sentence.start
        return [
            Reference(one.start - offset, one.end - offset, one.entity, one.by_name)
            for one in self.sentence.references
        ]

    def claim(self, cue: Cue) -> Claim:
        relation = cue.relation
        if cue.backward:
            objects = self._left(cue, relation.objects)[-1:]
            subjects = self._right(cue, relation.subjects)
            if not objects and subjects:
                objects = self._equated(subjects[0], relation)
            subject = subjects[0].entity if subjects else self._topic(relation)
        else:
            objects = self._right(cue, relation.objects)
            subject = self._subject(cue, objects, relation)
        said, tail = self._around(cue, objects)
        hedged = HEDGES.search(said) or HEDGES.search(tail)
        return Claim(relation, subject, tuple(objects), bool(DENIALS.search(said)), bool(hedged))

    def _subject(self, cue: Cue, objects: Sequence[Reference], relation: Relation) -> Entity | None:
        """The nearest one before the phrase; of "Painted by X, the Y …" what follows; else what
        the sentence before was about.
        """
        before = self._left(cue, relation.subjects)
        if before:
            return before[-1].entity
        after = [
            one
            for one in self._references
            if objects and one.start >= objects[-1].end and fits(one.entity, relation.subjects)
        ]
        opens = not self.sentence.said[: cue.start].strip(" *_“\"'")
        if opens and after:
            return after[0].entity
        return self._topic(relation)

    def _topic(self, relation: Relation) -> Entity | None:
        topic = self.sentence.topic
        return topic if topic and fits(topic, relation.subjects) else None

    def _left(self, cue: Cue, kinds: frozenset[str]) -> list[Reference]:
        return [one for one in self._references if one.end <= cue.start and fits(one.entity, kinds)]

    def _right(self, cue: Cue, kinds: frozenset[str]) -> list[Reference]:
        """The first fitting one near the phrase, and those that a list adds to it."""
        last = min(
            (other.start for other in self.cues if other.start >= cue.end),
            default=len(self.sentence.said),
        )
        found: list[Reference] = []
        for one in self._references:
            if one.start < cue.end or one.start >= last or not fits(one.entity, kinds):
                continue
            if not found:
                between = self.sentence.said[cue.end : one.start]
                if len(between) > MOST_BETWEEN or _BREAKS.search(between):
                    break
            elif not self._is_listed(found[-1], one):
                break
            found.append(one)
        return found

    def _is_listed(self, last: Reference, one: Reference) -> bool:
        return bool(_LISTS_ON.match(self.sentence.said[last.end : one.start]))

    def _equated(self, subject: Reference, relation: Relation) -> list[Reference]:
        """X of "The creator of Y is X"."""
        after = [
            one
            for one in self._references
            if one.start >= subject.end and fits(one.entity, relation.objects)
        ]
        joined = after and _EQUALS.match(
            self.sentence.said[subject.end : after[0].start].lstrip("”\"*’'")
        )
        return after[:1] if joined else []

    def _around(self, cue: Cue, objects: Sequence[Reference]) -> tuple[str, str]:
        """What is said from the start of the clause to the last object, and a bit beyond it."""
        before = [other.end for other in self.cues if other.end <= cue.start]
        begin = max(before, default=0)
        breaks = [stop.end() for stop in _CLAUSE.finditer(self.sentence.said, begin, cue.start)]
        end = max((one.end for one in objects if one.start >= cue.end), default=cue.end)
        tail = self.sentence.said[end : end + LENGTH_OF_TAIL]
        return self.sentence.said[breaks[-1] if breaks else begin : end], _BREAKS.split(tail)[0]


def fits(entity: Entity, kinds: frozenset[str]) -> bool:
    """Whether an entity may be of one of the kinds; no kinds are all."""
    return not kinds or entity.kind in kinds or entity.kind not in KINDS
