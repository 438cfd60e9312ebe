"""How English says the relations that catalogues of art have.

A phrase says a relation of a subject and an object: `forward` stands after the subject and before
the object ("painted by"), `backward` the other way round ("painted", "is depicted in"). Every
relation is also said by its label, which is how a model repeats a fact that it was given. The
table has the common ones; any other property of a run's facts is known by its label alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from expartkg.records import Property

PERSONS = frozenset({"Artist", "Person", "Subject"})
CREATORS = frozenset({"Artist", "Person"})
WORKS = frozenset({"Artwork"})
HOLDERS = frozenset({"Museum"})
PLACES = frozenset({"Place"})


@dataclass(frozen=True, slots=True)
class Relation:
    """What a phrase says.

    `properties` are the ids of all properties that say it too, by their labels: another graph may
    have the label under an id of its own. `subjects` and `objects` are the kinds of entity that it
    joins, empty where it may be any. Of an `exclusive` one the catalogue has all objects, so that
    another one contradicts it; of a `complete` one that holds for every single object named.
    """

    properties: Mapping[str, str]
    subjects: frozenset[str] = frozenset()
    objects: frozenset[str] = frozenset()
    exclusive: bool = False
    complete: bool = False

    def is_said_by(self, property: Property) -> bool:
        """Whether a statement by the property is one of this relation."""
        return property.id in self.properties or property.label in self.properties.values()

    def __hash__(self) -> int:
        return id(self)


@dataclass(frozen=True, slots=True)
class Cue:
    """A phrase of a relation at `start:end` of a text."""

    start: int
    end: int
    relation: Relation
    backward: bool


# Words that many phrases share.
_WORK = (
    r"(?:(?:paint|etch|engrav|draw)ing|(?:self-)?portrait|picture|(?:art)?work|masterpiece|piece|"
    r"canvas|fresco|sculpture|print|composition|altarpiece|landscape|still life|image|scene|"
    r"version|triptych|panel|statue|bust|relief|watercolou?r|tapestry|mural|creation|study)"
)
_MADE = (
    r"(?:painted|created|made|executed|produced|drawn|drew|sculpted|carved|designed|composed|"
    r"crafted|rendered|engraved|etched|authored|conceived|completed)"
)
_IS = r"(?:is|are|was|were|has been|have been|had been|being)"
# What may stand between a participle and its "by": no verb of its own, and no new clause.
_DETAILS = r"(?:\s+(?!(?:and|but|or|then|by|who|which|that|was|is|not)\b)[\w.’'–-]+){0,7}?"
_NOW = r"(?:now\s+|today\s+|currently\s+|part\s+)*"
_SEEN = (
    r"(?:held|housed|kept|displayed|hung|hanging|hangs|located|preserved|conserved|stored|"
    r"on (?:permanent )?(?:display|view|show)|resid(?:es|ing)|stands|situated|"
    r"(?:be|is) (?:found|seen|admired|viewed|visited)|exhibited permanently)"
)

CREATOR = Relation({"P170": "creator"}, WORKS, CREATORS, exclusive=True, complete=True)
# Both say where a work is, and sentences do not tell one from the other.
HELD = Relation({"P195": "collection", "P276": "location"}, WORKS, HOLDERS | PLACES, exclusive=True)
WORKS_HELD = Relation({"P6379": "has works in the collection"}, PERSONS, HOLDERS)
OWNED = Relation(
    {"P127": "owned by", "P195": "collection", "P276": "location"},
    WORKS,
    HOLDERS | PLACES | PERSONS,
)
DEPICTS = Relation({"P180": "depicts", "P921": "main subject"}, WORKS)
MATERIAL = Relation({"P186": "made from material"}, WORKS)
MOVEMENT = Relation({"P135": "movement", "P136": "genre"})
BORN = Relation({"P19": "place of birth"}, PERSONS, PLACES, exclusive=True)
DIED = Relation({"P20": "place of death"}, PERSONS, PLACES, exclusive=True)
BURIED = Relation({"P119": "place of burial"}, PERSONS, exclusive=True)
WORKED = Relation({"P937": "work location", "P551": "residence"}, PERSONS, PLACES)
CITIZEN = Relation({"P27": "country of citizenship"}, PERSONS, PLACES)
OCCUPATION = Relation({"P106": "occupation"}, PERSONS)
TAUGHT_BY = Relation({"P1066": "student of"}, PERSONS, PERSONS)
TAUGHT = Relation({"P802": "student"}, PERSONS, PERSONS)
STUDIED = Relation({"P69": "educated at"}, PERSONS)
INFLUENCED = Relation({"P737": "influenced by"})
NOTABLE = Relation({"P800": "notable work", "P170": "creator"}, PERSONS, WORKS)
COMMISSIONED = Relation({"P88": "commissioned by"}, WORKS)
# Phrases that would else be taken for one of the above.
OTHER = Relation({})

FORWARD: tuple[tuple[Relation, str], ...] = (
    (CREATOR, rf"{_MADE}{_DETAILS}\s+by"),
    (CREATOR, rf"{_IS}\s+(?:not\s+|indeed\s+|in fact\s+)?by"),
    (CREATOR, rf"{_WORK}{_DETAILS}\s+by"),
    (CREATOR, r"(?:works?|masterpieces?|paintings|creations?|hand|brush)\s+of"),
    (CREATOR, r"(?:artist|painter|creator|maker|sculptor|author)\s+(?:is|was|:)"),
    # Straight after a title: "The Kiss by Klimt".
    (CREATOR, r"(?<!ed )(?<!en )(?<!wn )(?<!ld )(?<!ht )(?<!de )(?<!ng )(?<!te )\bby"),
    (HELD, rf"{_SEEN}\s+(?:\w+ly\s+)?(?:in|at|by|on)"),
    (HELD, rf"(?:{_IS}\s+)?{_NOW}(?:in|from|to|of)\s+the\s+(?:\w+\s+)?collections?\s+of"),
    (HELD, rf"{_IS}\s+{_NOW}(?:in|at)(?=\s+the\s)"),
    (HELD, r"(?:now|today|currently)\s+(?:in|at)"),
    (HELD, r"(?:highlight|treasure|gem|jewel|star|centrepiece|centerpiece)s?\s+of"),
    (HELD, r"collections?\s+(?:of\s+which\s+it\s+is\s+part\s+)?(?:is|are|include)"),
    (WORKS_HELD, r"works\s+(?:by\s+[\w\s.’'-]{1,40}?\s+)?are\s+(?:held\s+)?(?:in|at)"),
    (OWNED, r"(?:owned|possessed)\s+by|belong(?:s|ed|ing)?\s+to"),
    (DEPICTS, r"(?:depict|show|portray|represent|feature|illustrate|capture)(?:s|ing|ed)?"),
    (DEPICTS, r"(?:portrait|depiction|representation|image|picture|scene|likeness|view)\s+of"),
    (DEPICTS, r"(?:main\s+)?(?:subjects?|motifs?)\s+(?:is|are|was|were|includes?)"),
    (MATERIAL, rf"{_MADE}\s+(?:in|on|from|of|out\s+of|with|using)"),
    (MATERIAL, r"(?:materials?|medium|media|support)\s+(?:is|are|was|were|includes?)"),
    (MOVEMENT, r"belong(?:s|ed|ing)?\s+to"),
    (MOVEMENT, r"(?:associated|identified|affiliated|connected)\s+with"),
    (MOVEMENT, r"(?:example|part|work|masterpiece|representative|exponent|pioneer|leader)s?\s+of"),
    (MOVEMENT, r"(?:style|spirit|manner|tradition|movement|genre)s?\s+(?:of|is|are|was|include)"),
    (BORN, r"born\s+(?:\w+\s+\d+\s+|in\s+\d+\s+|on\s+[\w\s]+?\s+)?(?:in|at|near)"),
    (BORN, r"(?:birthplace|place\s+of\s+birth)\s+(?:is|was)"),
    (BORN, r"(?:a\s+)?native\s+of"),
    (DIED, r"(?:died|passed\s+away)\s+(?:in\s+\d+\s+|on\s+[\w\s]+?\s+)?(?:in|at|near)"),
    (DIED, r"place\s+of\s+death\s+(?:is|was)"),
    (BURIED, r"buried\s+(?:in|at)"),
    (WORKED, r"(?:worked|lived|active|settled|resided|moved)\s+(?:\w+ly\s+)?(?:in|at|to)"),
    (CITIZEN, r"citizens?(?:hip)?\s+(?:of|is|was)"),
    (OCCUPATION, r"occupations?\s+(?:is|are|was|were|includes?)"),
    (TAUGHT_BY, r"(?:student|pupil|apprentice)s?\s+of|(?:studied|trained|apprenticed)\s+(?:under|to"
                r"|with)|taught\s+by"),
    (TAUGHT, r"(?:students?|pupils?)\s+(?:is|are|was|were|includes?)|(?:teacher|master)\s+of"),
    (STUDIED, r"(?:studied|educated|trained)\s+(?:in|at)"),
    (INFLUENCED, r"(?:influenced|inspired)\s+by"),
    (NOTABLE, r"(?:known|famous|renowned|celebrated)\s+for"),
    (NOTABLE, r"works?\s+(?:by\s+[\w\s.’'-]{1,40}?\s+)?includes?"),
    (COMMISSIONED, r"(?:commissioned|ordered|requested)\s+by"),
    (OTHER, r"(?:followed|surrounded|admired|praised|bought|acquired|purchased|sold|stolen|donated|"
            r"bequeathed|given|described|copied|discovered|restored|seen|named|accompanied|"
            r"published|written|collected|loaned|lent|damaged|looted)\s+(?:by|to|from)"),
)  # fmt: skip

BACKWARD: tuple[tuple[Relation, str], ...] = (
    (CREATOR, rf"{_MADE}(?=\s+(?:the|a|an|his|her|this|it|[\"“*‘]|(?-i:[A-Z])))"),
    (CREATOR, rf"[’']s?\s+(?:\w+\s+){{0,2}}?{_WORK}|[’']s?(?=\s+[\"“*‘]?(?-i:[A-Z]))"),
    # "which Leonardo finished in 1506"
    (CREATOR, rf"(?<=X )(?:{_MADE}|finished|began|started)(?=\s+(?:in|around|about|by)\s)"),
    (CREATOR, r"(?:creator|painter|artist|maker|author|sculptor)\s+of"),
    (CREATOR, r"(?:behind|responsible\s+for)"),
    (
        HELD,
        r"(?:holds|houses|owns|keeps|displays|exhibits|has)(?=\s+(?:the|a|it|this|[\"“*‘]|(?-i:[A-Z])))",
    ),
    (HELD, r"(?:home|location|holder)\s+(?:to|of)"),
    (DEPICTS, rf"(?:{_IS}\s+)?(?:also\s+)?(?:depicted|shown|portrayed|represented)\s+in"),
    (DEPICTS, r"appears?\s+in|(?:main\s+)?subject\s+of|sat\s+for|sitter\s+(?:of|for)"),
    (MATERIAL, r"materials?\s+of"),
    (BORN, r"(?:birthplace|place\s+of\s+birth)\s+of"),
    (DIED, r"place\s+of\s+death\s+of"),
    (TAUGHT, r"(?:student|pupil)\s+was"),
    (INFLUENCED, r"influenced|inspired"),
    (COMMISSIONED, r"commissioned|ordered"),
)

Patterns = tuple[tuple[Relation, bool, re.Pattern[str]], ...]


def cues_in(sentence: str, predicates: Iterable[Property]) -> list[Cue]:
    """The phrases in a sentence, in order; where two overlap the one that begins first, or is
    longer, counts. A phrase that says several relations stands there once for each.

    `predicates` are those whose labels count as phrases too.
    """
    known = _patterns(frozenset((one.id, one.label) for one in predicates))
    found = sorted(_matches(sentence, known), key=lambda cue: (cue.start, -cue.end))
    cues: list[Cue] = []
    for cue in found:
        last = cues[-1] if cues else cue
        if cue.start >= last.end or (cue.start, cue.end) == (last.start, last.end):
            cues.append(cue)
    return cues


def _matches(sentence: str, patterns: Patterns) -> Iterator[Cue]:
    for relation, backward, pattern in patterns:
        for match in pattern.finditer(sentence):
            yield Cue(match.start(), match.end(), relation, backward)


@lru_cache(64)
def _patterns(predicates: frozenset[tuple[str, str]]) -> Patterns:
    return (*_TABLE, *(row for id, label in sorted(predicates) for row in _of_label(id, label)))


def _of_label(id: str, label: str) -> Iterator[tuple[Relation, bool, re.Pattern[str]]]:
    """`LABEL of S is O` and `LABEL: O`, and the label alone where it is no noun ("named after")."""
    relation = _relation_of(id, label)
    words = r"\s+".join(map(re.escape, label.split()))
    if not words:
        return
    verb = r"\s+(?:is|are|was|were|includes?|has|contains)\b|\s*:"
    last = label.split()[-1]
    if last in ("by", "of", "in", "at", "from", "to", "after", "with", "on", "for"):
        yield relation, False, _compiled(words)
    else:
        yield relation, False, _compiled(f"{words}(?:{verb})")
        yield relation, True, _compiled(f"{words}\\s+of")


def _relation_of(id: str, label: str) -> Relation:
    for relation in dict.fromkeys(relation for relation, _ in FORWARD):
        if relation.is_said_by(Property(id, label)):
            return relation
    return Relation({id: label})


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})(?!\w)", re.IGNORECASE)


_TABLE: Patterns = (
    *((relation, False, _compiled(pattern)) for relation, pattern in FORWARD),
    *((relation, True, _compiled(pattern)) for relation, pattern in BACKWARD),
)
