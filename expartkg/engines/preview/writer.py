"""Sentences from facts: the work first, then its makers, holders, movements, subjects, the rest.

Every clause comes from a statement that was given, and a statement is said once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from expartkg.engines.preview import wording
from expartkg.engines.preview.phrases import IN_A_PLACE, phrase_for, place, property_id
from expartkg.engines.preview.prose import NAME, flowing
from expartkg.records import ARTWORK, CONCEPT, Entity, Triple

MOST_WORDS = 250
MOST_DEPICTED = 8
MOST_MOTIFS = 4
MOST_OF_A_MAKER = 6
MOST_OF_OTHERS = 3
MOST_IN_A_PARAGRAPH = 4
MOST_SENTENCES_ON_OTHERS = 2

_HOLDERS_AND_STYLES = ("P195", "P276", "P135", "P136")
_SUBJECTS = ("P180", "P921")
# What a place or an institution has seen besides, which is no news of the work.
_ELSEWHERE = ("P19", "P20", "P27", "P937", "P551", "P119", "P131", "P17", "P159", "P69")


def write(facts: Iterable[Triple], subject: Entity, most_words: int = MOST_WORDS) -> str:
    """What the facts say about `subject` and, up to `most_words`, about its neighbours.

    Paragraphs are parted by an empty line. What is nearest to the subject comes first, so what
    does not fit is what matters least; the subject's own paragraph is never cut.
    """
    account = _Account(facts, subject)
    own, *others = account.paragraphs()
    written = [list(account.sentences(own[0]))]
    left = most_words - sum(map(wording.word_count, written[0]))
    for entities in others:
        sentences = dict.fromkeys(
            sentence for entity in entities for sentence in account.sentences(entity)
        )
        kept = list(_within(sentences, left))
        left -= sum(map(wording.word_count, kept))
        written.append(kept)
    return "\n\n".join(" ".join(sentences) for sentences in written if sentences)


def _within(sentences: Iterable[str], words: int) -> Iterator[str]:
    for sentence in sentences:
        words -= wording.word_count(sentence)
        if words < 0:
            return
        yield sentence


@dataclass(frozen=True, slots=True)
class _Side:
    """A statement seen from one of its ends."""

    triple: Triple
    outgoing: bool

    @property
    def other(self) -> Entity:
        return self.triple.object if self.outgoing else self.triple.subject

    @property
    def id(self) -> str:
        return property_id(self.triple.predicate)


class _Account:
    """The facts by entity, and which of them have been said."""

    def __init__(self, facts: Iterable[Triple], subject: Entity) -> None:
        self._subject = subject
        self._sides: dict[Entity, list[_Side]] = defaultdict(list)
        self._said: set[Triple] = set()
        for triple in _without_repeats(facts):
            self._sides[triple.subject].append(_Side(triple, outgoing=True))
            if triple.object != triple.subject:
                self._sides[triple.object].append(_Side(triple, outgoing=False))

    def paragraphs(self) -> Iterator[list[Entity]]:
        """Who is written about together: the subject, each maker, holders and movements, depicted
        subjects, what else is joined to the subject, persons and places joined to its makers.
        """
        about = self._sides[self._subject]
        makers = self._makers()
        groups = [
            [self._subject],
            *([maker] for maker in makers),
            [side.other for id in _HOLDERS_AND_STYLES for side in about if _is(side, id, True)],
            [side.other for id in _SUBJECTS for side in about if _is(side, id, True)],
            [side.other for side in about],
            [side.other for maker in makers for side in self._sides[maker]],
        ]
        seen: set[Entity] = set()
        for group in groups:
            fresh = [one for one in dict.fromkeys(group) if one not in seen]
            seen.update(fresh)
            left_out = (CONCEPT, ARTWORK) if group is groups[-1] else (CONCEPT,)
            kept = [one for one in fresh if one.kind not in left_out or one == self._subject]
            yield kept[:MOST_IN_A_PARAGRAPH]

    def sentences(self, entity: Entity) -> Iterator[str]:
        """The sentences about an entity, of which those that follow use a pronoun."""
        is_work = entity.kind == ARTWORK or (not entity.kind and entity == self._subject)
        occupations = [wording.named(one) for one in self._take(entity, "P106")]
        clauses = [*(self._work(entity) if is_work else ()), *self._clauses(entity)]
        if entity in self._makers():
            clauses += self._style(entity)
        at_head = is_work and entity == self._subject
        name = self._name(entity, wording.title if at_head else wording.named)
        said = flowing(clauses, name, entity.kind, wording.listed(occupations, 4, open=False))
        return said if self._is_central(entity) else islice(said, MOST_SENTENCES_ON_OTHERS)

    def _makers(self) -> list[Entity]:
        return [side.other for side in self._sides[self._subject] if _is(side, "P170", True)]

    def _unsaid(self, entity: Entity) -> list[_Side]:
        return [side for side in self._sides[entity] if side.triple not in self._said]

    def _news(self, entity: Entity) -> list[_Side]:
        """What is worth saying of an entity: a notable work once, and of places and institutions
        no one else's life.
        """
        sides = self._unsaid(entity)
        notable = {side.other for side in sides if _is(side, "P800", True)}
        sides = [side for side in sides if not (_is(side, "P170", False) and side.other in notable)]
        if self._is_central(entity):
            return sides
        return [side for side in sides if side.outgoing or side.id not in _ELSEWHERE]

    def _is_central(self, entity: Entity) -> bool:
        return entity == self._subject or entity in self._makers()

    def _take(self, entity: Entity, id: str) -> list[Entity]:
        """The objects of the entity's statements by a property, which now are said."""
        sides = [side for side in self._unsaid(entity) if _is(side, id, True)]
        self._said.update(side.triple for side in sides)
        return list(dict.fromkeys(side.other for side in sides))

    def _work(self, work: Entity) -> Iterator[str]:
        """What only works have, in the order of a catalogue."""
        makers, materials = self._take(work, "P170"), self._take(work, "P186")
        genres, movements = self._take(work, "P136"), self._take(work, "P135")
        if wording.is_painted([*materials, *genres]):
            by = f" by {self._listed(makers)}" if makers else ""
            yield f"{NAME} is a painting{by}."
        elif makers:
            yield f"{NAME} is a work by {self._listed(makers)}."
        if materials:
            yield f"{NAME} is {wording.material(materials)}"
        yield from self._held(self._take(work, "P195"), self._take(work, "P276"))
        yield from self._depicted(self._take(work, "P180"))
        if genres:
            yield f"{NAME} is {wording.listed([wording.genre(one) for one in genres])}"
        if movements:
            names = wording.listed([wording.movement(one) for one in movements])
            yield f"{NAME} belongs to {names}"
        if work == self._subject and work.kind == ARTWORK and not makers:
            yield "{P} creator is not among the facts selected."

    def _held(self, collections: Sequence[Entity], places: Sequence[Entity]) -> Iterator[str]:
        if collections:
            how = "is held by" if len(collections) == 1 else "is listed in the collections of"
            yield f"{NAME} {how} {self._listed(collections)}"
        elsewhere = [
            f"{wording.at(one)} {self._name(one)}" for one in places if one not in collections
        ]
        if elsewhere:
            yield f"{NAME} is located {wording.listed(elsewhere)}"

    def _depicted(self, depicted: Sequence[Entity]) -> Iterator[str]:
        """Names before common nouns, which are no leads; actions and ideas apart."""
        motifs = [one for one in depicted if wording.is_motif(one)]
        things = [one for one in depicted if one not in motifs]
        things.sort(key=lambda one: one.kind == CONCEPT)
        if things:
            names = [self._name(one, wording.shown) for one in things]
            yield f"{NAME} depicts {wording.listed(names, MOST_DEPICTED)}."
        if motifs:
            names = [wording.common_noun(one) for one in motifs]
            noun = "motifs are" if len(motifs) > 1 else "motif is"
            whose = "Further" if len(motifs) > 1 else "A further"
            yield f"{whose if things else '{P}'} {noun} {wording.listed(names, MOST_MOTIFS)}."

    def _clauses(self, entity: Entity) -> Iterator[str]:
        """One clause for every phrase that has statements not yet said."""
        before = {
            (side.id, side.outgoing) for side in self._sides[entity] if side.triple in self._said
        }
        groups: dict[str, list[_Side]] = defaultdict(list)
        for side in sorted(self._news(entity), key=lambda side: place(side.triple.predicate)):
            groups[self._template(side)].append(side)
        for template, sides in groups.items():
            self._said.update(side.triple for side in sides)
            again = any((side.id, side.outgoing) in before for side in sides)
            yield self._filled(template, sides, entity, again)

    def _template(self, side: _Side) -> str:
        phrase = phrase_for(side.triple.predicate)
        if side.outgoing:
            return phrase.outgoing
        if side.id == "P135" and side.other.kind != ARTWORK:
            return "Artists of {s} include {O}"
        if side.id in ("P170", "P180") and self._is_self_portrait(side):
            return "{Other} works both by and depicting {s} include {O}"
        return phrase.incoming

    def _is_self_portrait(self, side: _Side) -> bool:
        """Whether the same work is by the entity and depicts it: then it is named once."""
        both = {
            other.id
            for other in self._sides[side.triple.object]
            if other.triple.subject == side.triple.subject
        }
        return {"P170", "P180"} <= both

    def _filled(self, template: str, sides: Sequence[_Side], entity: Entity, again: bool) -> str:
        write_name = wording.shown if _is(sides[0], "P180", True) else wording.named
        names = list(dict.fromkeys(self._name(side.other, write_name) for side in sides))
        most = MOST_OF_A_MAKER if self._is_central(entity) else MOST_OF_OTHERS
        if template == IN_A_PLACE:
            return template.replace("{O}", ", ".join(names[:most]))
        open_ = template.endswith("{O}") and "include" not in template
        if again and len(names) == 1 and "{Other} works" in template:
            template = template.replace("{Other} works", "Another work").replace("include", "is")
        return (
            template.replace("{O}", wording.listed(names, most, open=open_))
            .replace("{is}", "are" if len(names) > 1 else "is")
            .replace("{Other} works", "Other works" if again else "Works")
            .replace("{also}", "also " if again else "")
        )

    def _style(self, maker: Entity) -> Iterator[str]:
        """The movements, else the genres, of the maker's other works: a hint at the style of a
        work of which the facts say neither.
        """
        own = {side.id for side in self._sides[self._subject] if side.outgoing}
        works = [side.other for side in self._sides[maker] if _is(side, "P170", False)]
        for id, noun in (("P135", "movement"), ("P136", "genre")):
            if id in own:
                return
            found = Counter(
                side.other
                for work in works
                if work != self._subject
                for side in self._sides[work]
                if _is(side, id, True)
            )
            if found:
                names = [wording.named(one) for one, _ in found.most_common(MOST_OF_OTHERS)]
                plural, verb = ("s", "include") if len(found) > 1 else ("", "is")
                of_others = "given for other works by {s}"
                yield f"The {noun}{plural} {of_others} {verb} {wording.listed(names)}"
                return

    def _listed(self, entities: Sequence[Entity]) -> str:
        return wording.listed([self._name(one) for one in entities])

    def _name(self, entity: Entity, write_name: wording.Namer = wording.named) -> str:
        """As `write_name` has it, but apart from the subject's title."""
        if entity.label != self._subject.label or entity == self._subject:
            return write_name(entity)
        if entity.kind == self._subject.kind:
            return f"another work named “{entity.label}”"
        return f"the {entity.kind.lower() or 'entity'} {entity.label}"


def _is(side: _Side, id: str, outgoing: bool) -> bool:
    return side.id == id and side.outgoing == outgoing


def _without_repeats(facts: Iterable[Triple]) -> list[Triple]:
    """Without the location of a work that the collection of the same name says already."""
    triples = list(facts)
    held = {
        (triple.subject, triple.object)
        for triple in triples
        if property_id(triple.predicate) == "P195"
    }
    return [
        triple
        for triple in triples
        if property_id(triple.predicate) != "P276" or (triple.subject, triple.object) not in held
    ]
