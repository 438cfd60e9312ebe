"""The final answer as the page shows it: sentence by sentence, with its entities and its facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from markupsafe import Markup

from expartkg.records import Dated, Entity, Named, Run, SentenceStatus, Triple
from expartkg.support.marked import MARKS
from expartkg.support.passages import Passage, passages_of, rounds_of
from expartkg.ui.markup import Insertion, rich
from expartkg.ui.text import Words


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact, and in words which iterations retrieved it."""

    triple: Triple
    rounds: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence with its mark and what there is to say of it; or, without a `status`, the white
    space between two.
    """

    html: Markup
    status: SentenceStatus | None = None
    mark: str = ""
    name: str = ""
    explanation: str = ""
    facts: tuple[Fact, ...] = ()
    dates: tuple[Dated, ...] = ()


@dataclass(frozen=True, slots=True)
class Key:
    """A line of the legend."""

    status: SentenceStatus
    mark: str
    text: str
    count: int


def checked(run: Run, words: Words, page_of: Callable[[Entity], str]) -> list[Piece]:
    """The answer's pieces, in order; `page_of` has the address of an entity's page."""
    return [_piece(passage, run, words, page_of) for passage in passages_of(run)]


def legend(run: Run, words: Words) -> Iterator[Key]:
    """What the marks mean, and how many sentences have each."""
    counts = Counter(sentence.status for sentence in run.support)
    for status, mark in MARKS.items():
        yield Key(status, mark, words.sentence_marks[status], counts[status])


def _piece(passage: Passage, run: Run, words: Words, page_of: Callable[[Entity], str]) -> Piece:
    sentence = passage.sentence
    if sentence is None:
        return Piece(rich(passage.text))
    links = [_link(named, passage.start, page_of(named.entity)) for named in sentence.named]
    return Piece(
        rich(passage.text, links),
        sentence.status,
        MARKS[sentence.status],
        words.sentence_marks[sentence.status],
        words.sentence_explanations[sentence.status],
        tuple(Fact(fact, _rounds(run, fact, words)) for fact in sentence.facts),
        sentence.dates,
    )


def _rounds(run: Run, fact: Triple, words: Words) -> str:
    numbers = rounds_of(run, fact)
    return words.from_iterations.format(numbers=", ".join(map(str, numbers)))


def _link(named: Named, offset: int, address: str) -> Insertion:
    opening = Markup('<a href="{}" target="_blank" rel="noopener noreferrer">').format(address)
    return Insertion(named.start - offset, named.end - offset, opening, Markup("</a>"))
