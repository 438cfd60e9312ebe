"""Who is meant where in a text: names, short names, pronouns and nouns that stand for a name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from expartkg.records import ARTWORK, CONCEPT, Entity, Identification, Mention, Triple
from expartkg.retrieval.names import Names
from expartkg.retrieval.text import normalise
from expartkg.support.relations import PERSONS
from expartkg.support.sentences import sentence_spans

NAME = "X"
"""Stands for every letter of a name."""
LEAST_SHORT_NAME = 4
"""Letters of a surname that may stand for a person: "Li" or "Ray" may be a word."""

# Not the "it" of "it is said that".
_IT = re.compile(
    r"\b(?:it(?!\s+(?:is|was|has been)\s+(?:\w+ly\s+)?(?:said|believed|thought|assumed|known))|its|"
    r"which|this(?=\s+(?:is|was)))\b",
    re.IGNORECASE,
)
_THE_WORK = re.compile(
    r"\b(?:the|this|that)\s+(?:[a-z-]+\s+){0,2}?(?:painting|portrait|picture|artwork|work|"
    r"masterpiece|piece|canvas|fresco|sculpture|drawing|print|composition|altarpiece|image|scene|"
    r"triptych|statue|etching|engraving|self-portrait)\b",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"\b(?:he|she|his|her|him|"
    r"(?:the|its) (?:artist|painter|creator|maker|master|sculptor|engraver|printmaker))\b",
    re.IGNORECASE,
)
# What a concept's label has beside the word that sentences use: "oil paint" is said as "oil".
_SAID_SHORTER = re.compile(
    r"(?:oil|tempera|watercolor|gouache|acrylic)(?= paint\Z)|.+(?= painting\Z)"
)
_PARTICLES = frozenset({"da", "de", "del", "della", "di", "van", "von", "der", "den", "the", "of"})


@dataclass(frozen=True, slots=True)
class Reference:
    """An entity meant at code points `start:end`; by name, or by a word that stands for it.

    What a sentence leaves unsaid ("Painted by …") is meant at its start, in no letter at all.
    """

    start: int
    end: int
    entity: Entity
    by_name: bool = True


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence at code points `start:end` of an answer, and whom it means, in order.

    `said` is its text with an X for every letter of a name, since a title may hold any word;
    `topic` is whom the sentence before was about.
    """

    start: int
    end: int
    said: str
    references: tuple[Reference, ...]
    topic: Entity | None

    @property
    def names(self) -> Iterator[Reference]:
        return (one for one in self.references if one.by_name)


def read(
    answer: str, facts: Sequence[Triple], work: Identification, names: Names
) -> list[Sentence]:
    """The sentences of an answer. Names are found with the graph's dictionary; the concepts and
    the surnames that the facts have are known besides, as sentences write them.
    """
    known = list(dict.fromkeys(end for one in facts for end in (one.subject, one.object)))
    named = _named(answer, known, work, names)
    spans = sentence_spans(answer, ((one.start, one.end) for one in named))
    reader = _Reader(answer, work.entity, _maker(facts, work.entity))
    return [
        reader.read(start, end, [one for one in named if start <= one.start < end])
        for start, end in spans
    ]


def _maker(facts: Iterable[Triple], work: Entity | None) -> Entity | None:
    """Who "the artist" is before anybody was named."""
    makers = {
        fact.object for fact in facts if fact.subject == work and fact.object.kind in PERSONS
        and fact.predicate.label == "creator"
    }  # fmt: skip
    return makers.pop() if len(makers) == 1 else None


def _named(
    answer: str, known: Sequence[Entity], work: Identification, names: Names
) -> list[Reference]:
    mentions = names.find(answer, work)
    by_name = [Reference(one.start, one.end, _meant(one, known)) for one in mentions]
    meant = dict.fromkeys((*known, *(one.entity for one in by_name)))
    by_form = [
        Reference(start, end, entity)
        for pattern, entity in _other_forms(meant, work.entity)
        for start, end in _occurrences(answer, pattern)
    ]
    # "landscape" is what the work shows before it is some other work of that title.
    found = sorted(
        (*by_name, *by_form),
        key=lambda one: (one.start - one.end, one.entity not in known, one.start),
    )
    return sorted(_apart(found), key=lambda one: one.start)


def _apart(references: Iterable[Reference]) -> Iterator[Reference]:
    """Those that overlap none of the earlier ones."""
    taken: set[int] = set()
    for one in references:
        places = range(one.start, one.end)
        if taken.isdisjoint(places):
            taken.update(places)
            yield one


def _meant(mention: Mention, known: Iterable[Entity]) -> Entity:
    """Of several entities of a name, the one that the facts are about."""
    of_facts = set(mention.candidates).intersection(known)
    first = [one for one in mention.candidates if one in of_facts]
    return mention.entity if mention.entity in of_facts or not first else first[0]


def _occurrences(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    normal = normalise(text)
    for match in pattern.finditer(normal.text):
        yield normal.starts[match.start()], normal.starts[match.end()]


def _other_forms(
    entities: Iterable[Entity], work: Entity | None
) -> list[tuple[re.Pattern[str], Entity]]:
    """Patterns of forms that are no names of the dictionary, the longest first."""
    entities = list(entities)
    forms = [(form, one) for one in entities if one.kind == CONCEPT for form in _of_concept(one)]
    patterns = [(len(form), _whole(form, re.IGNORECASE, "(?:e?s)?"), one) for form, one in forms]
    if work:
        patterns.append((len(work.label), _whole(work.label, re.IGNORECASE), work))
    people = [one for one in entities if one.kind in PERSONS]
    short = [(form, one) for one in people for form in _of_person(one)]
    for form, one in short:
        if sum(form == other for other, _ in short) == 1:
            patterns.append((len(form), _whole(form), one))
    patterns.sort(key=lambda row: -row[0])
    return [(pattern, one) for _, pattern, one in patterns]


def _whole(form: str, flags: int = 0, ending: str = "") -> re.Pattern[str]:
    words = r"\s+".join(map(re.escape, form.split()))
    return re.compile(rf"(?<![\w-]){words}{ending}(?![\w-])", flags)


def _of_concept(entity: Entity) -> Iterator[str]:
    yield entity.label
    if shorter := _SAID_SHORTER.match(entity.label.lower()):
        yield shorter[0]


def _of_person(entity: Entity) -> set[str]:
    """The surname, and of "Leonardo da Vinci" what stands before the place."""
    words = entity.label.split()
    if len(words) < 2:
        return set()
    particles = [place for place, word in enumerate(words) if word.lower() in _PARTICLES]
    form = words[0] if particles and particles[0] == 1 else words[-1]
    enough = len(form) >= LEAST_SHORT_NAME and form[0].isupper() and form.isalpha()
    return {form} if enough else set()


class _Reader:
    """Resolves words that stand for a name, from one sentence to the next."""

    def __init__(self, text: str, work: Entity | None, maker: Entity | None) -> None:
        self._text = text
        self._work = work
        self._head = work
        self._last_work = work
        self._last_person = maker

    def read(self, start: int, end: int, named: Sequence[Reference]) -> Sentence:
        topic = self._head
        # "The portrait shows …" is about the work, and does not say that it is a portrait.
        works = [match.span() for match in _THE_WORK.finditer(self._text, start, end)]
        named = [one for one in named if one.entity.kind != CONCEPT or not _within(one, works)]
        references = list(named)
        references += self._stand_ins(start, end, named)
        references.sort(key=lambda one: (one.start, -one.end))
        self._remember(references)
        return Sentence(start, end, self._said(start, end, named), tuple(references), topic)

    def _said(self, start: int, end: int, named: Sequence[Reference]) -> str:
        said = self._text[start:end]
        for one in named:
            first, last = one.start - start, min(one.end, end) - start
            said = said[:first] + NAME * (last - first) + said[last:]
        return said

    def _stand_ins(self, start: int, end: int, named: Sequence[Reference]) -> Iterator[Reference]:
        for pattern in (_THE_WORK, _IT, _PERSON):
            for match in pattern.finditer(self._text, start, end):
                entity = self._stood_for(pattern, match, named)
                inside = any(one.start < match.end() and match.start() < one.end for one in named)
                if entity and not inside:
                    yield Reference(match.start(), match.end(), entity, by_name=False)

    def _stood_for(
        self, pattern: re.Pattern[str], match: re.Match[str], named: Sequence[Reference]
    ) -> Entity | None:
        before = [one.entity for one in named if one.end <= match.start()]
        if pattern is _PERSON:
            persons = [one for one in before if one.kind in PERSONS]
            return persons[-1] if persons else self._last_person
        if match[0].lower() == "which":
            return before[-1] if before else None
        if pattern is _THE_WORK:
            works = [one for one in before if one.kind == ARTWORK]
            return works[-1] if works else self._last_work
        things = [one for one in before[:1] if one.kind not in PERSONS and one.kind != CONCEPT]
        head = self._head if self._head and self._head.kind not in PERSONS else self._last_work
        return things[0] if things else head

    def _remember(self, references: Sequence[Reference]) -> None:
        """The first one named is what the next sentence is about, unless it is a concept."""
        heads = [one.entity for one in references if one.entity.kind != CONCEPT]
        if heads:
            self._head = heads[0]
        for entity in heads:
            if entity.kind in PERSONS:
                self._last_person = entity
        works = [entity for entity in heads if entity.kind == ARTWORK]
        if works:
            self._last_work = works[0]


def _within(reference: Reference, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= reference.start and reference.end <= end for start, end in spans)
