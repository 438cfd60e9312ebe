"""When a sentence says that a work was made, against the inception that the catalogue gives.

Years are literals of the graph and no facts of the loop, so they are in no prompt; they are read
from the graph here, for the works that a sentence names. A year that the graph gives may stand
for less: the shipped one has lost the precision of "18th century", which is written 1800 or 1701.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from expartkg.records import ARTWORK, Entity
from expartkg.support.claims import DENIALS
from expartkg.support.reading import NAME, Sentence

UNKNOWN_YEAR = 1
"""What some sources write for a year that is not known."""
CENTURY = 100
ABOUT = 10
"""How many years "around 1503" may be away from the catalogue's."""
MOST_AT_WORK = 25
"""How many years may lie between a work's beginning and its end, of which the catalogue has one."""

_CENTURY = r"(?P<century>[12]?\d)(?:st|nd|rd|th)[\s-]century"
_YEAR = re.compile(
    rf"(?P<about>\b(?:c\.|ca\.?|circa|around|about|approximately|roughly)\s*)?"
    rf"(?:\b{_CENTURY}|\b(?P<first>1\d{{3}}|20\d\d)(?P<decade>[’']?s)?"
    rf"(?:\s*(?:[-–—/]|to|and|or)\s*(?P<last>1\d{{3}}|20\d\d|\d\d)(?!\d))?)\b",
    re.IGNORECASE,
)
# What happened then: only a work's making is its inception.
_MADE = (
    r"\b(?:painted|created|made|executed|produced|drawn|sculpted|carved|designed|composed|dated|"
    r"dat(?:es|ing)|inception|begun|began|started|finished|completed|"
    r"(?:painting|portrait|work|picture|canvas)\s+(?:from|of))\b"
)
_OTHER = (
    r"\b(?:born|died|acquired|bought|sold|stolen|moved|exhibited|restored|discovered|donated|"
    r"bequeathed|lived|active|founded|opened|purchased|entered|given|commissioned|returned|damaged|"
    r"located|held|hung|hangs|published|until|since|copied|copy|inspired)\b"
)
_VERB = re.compile(rf"(?P<made>{_MADE})|{_OTHER}", re.IGNORECASE)
_OPENING = re.compile(r"(?:in|around|about|by)\s*\Z", re.IGNORECASE)
_NOUN = re.compile(r"\s+(?:\w+\s+)?(?:painting|portrait|work|picture|canvas)\b")
_ONE_SIDED = re.compile(r"\b(?:after|before|by)(?:\s+the(?:\s+year)?)?\s*\Z", re.IGNORECASE)
_BEGUN_OR_ENDED = re.compile(r"\b(?:begun|began|started|finished|completed)\b", re.IGNORECASE)
_CLAUSES = re.compile(r"[,;]\s")


class Span(NamedTuple):
    """Years, both included."""

    first: int
    last: int


class DateClaim(NamedTuple):
    """`work` was made in one of the years `when`; or was not, if it is denied.

    It may be true beside other years that are at most `slack` away.
    """

    work: Entity
    when: Span
    denied: bool
    slack: float


def dates_in(sentence: Sentence) -> Iterator[DateClaim]:
    """What a sentence says of when works were made."""
    for year in _YEAR.finditer(sentence.said):
        work = _work(sentence, sentence.start + year.start())
        before, after = sentence.said[: year.start()], sentence.said[year.end() :]
        if work and _is_of_making(before, after):
            clause = _CLAUSES.split(before)[-1]
            denied = bool(DENIALS.search(clause))
            yield DateClaim(work, _span(year), denied, _slack(before, clause or after))


def _slack(before: str, clause: str) -> float:
    if _ONE_SIDED.search(before):
        return math.inf
    return MOST_AT_WORK if _BEGUN_OR_ENDED.search(clause) else 0


def _work(sentence: Sentence, place: int) -> Entity | None:
    """The work named last before the place; else the topic; else the first one after it."""
    works = [one for one in sentence.references if one.entity.kind == ARTWORK]
    before = [one.entity for one in works if one.end <= place]
    topic = [sentence.topic] if sentence.topic and sentence.topic.kind == ARTWORK else []
    found = [*before[-1:], *topic, *(one.entity for one in works)]
    return found[0] if found else None


def _is_of_making(before: str, after: str) -> bool:
    """Whether a year is that of a work's making, by the last verb before it; "Mona Lisa (1503)"
    and "a 1503 painting" have none.
    """
    verbs = list(_VERB.finditer(before))
    if not verbs and _OPENING.fullmatch(before):
        # "In 1503, Leonardo painted …"
        first = _VERB.search(after)
        return bool(first and first["made"])
    if verbs and verbs[-1]["made"]:
        return True
    bracketed = before.rstrip().endswith((NAME + "(", NAME + " (", NAME + "* ("))
    return (bracketed and not verbs) or bool(_NOUN.match(after))


def _span(year: re.Match[str]) -> Span:
    span = _century(year) if year["century"] else _years(year)
    about = ABOUT if year["about"] else 0
    return Span(span.first - about, span.last + about)


def _century(year: re.Match[str]) -> Span:
    return Span(int(year["century"]) * 100 - 100, int(year["century"]) * 100)


def _years(year: re.Match[str]) -> Span:
    first = int(year["first"])
    last = first + 9 if year["decade"] else first
    if year["last"]:
        end = year["last"]
        last = int(year["first"][: 4 - len(end)] + end)
    return Span(first, max(first, last))


def agrees(claim: DateClaim, year: int) -> bool:
    """Whether a year of the catalogue is one of those that a sentence gives."""
    return claim.when.first <= year <= claim.when.last


def contradicts(claim: DateClaim, years: tuple[int, ...]) -> bool:
    """Whether a claim denies one of the catalogue's years, or none of them could be meant."""
    if claim.denied:
        return any(agrees(claim, year) for year in years)
    return bool(years) and not any(
        claim.when.first - slack <= year <= claim.when.last + slack
        for year in years
        for slack in [max(claim.slack, CENTURY if year % CENTURY in (0, 1) else 0)]
    )


def known(years: tuple[int, ...]) -> tuple[int, ...]:
    """The years without those that mean "unknown"."""
    return tuple(year for year in years if year != UNKNOWN_YEAR)
