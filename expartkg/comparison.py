"""Two runs side by side: which words of the answers and which facts only one of them has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher

from expartkg.records import Run, Triple

MOST_WORDS = 1500
MOST_PAIRS = 50_000
"""Pairs of equal words. Prose of `MOST_WORDS` has fewer than half as many; what repeats itself has
many more, and would take many seconds.
"""
"""Longer texts are not compared word by word, which takes time that grows with the square."""

_WORD = re.compile(r"\S+\s*|\s+")


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words of two texts, with the blanks after them: the same ones, or one side's in the place
    of the other's, either of which may be none.
    """

    left: str
    right: str
    is_same: bool


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of an answer; `only_here` if the other one has nothing for it."""

    text: str
    only_here: bool


@dataclass(frozen=True, slots=True)
class Side:
    """One of two runs: its name, its answer in pieces, and the facts that the other has not."""

    name: str
    run: Run
    answer: tuple[Piece, ...]
    facts: tuple[Triple, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs; `shared` are the facts that some iteration of each had."""

    left: Side
    right: Side
    shared: tuple[Triple, ...]

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.left, self.right


def compare(left: Run, right: Run, names: tuple[str, str]) -> Comparison:
    """What differs between two runs; `names` are what people call them.

    Facts are those of all iterations. They are told apart by their ids, so that runs with two
    graphs can be compared, too.
    """
    left_pieces, right_pieces = differing_words(left.answer, right.answer)
    left_facts, right_facts = _facts(left), _facts(right)
    return Comparison(
        Side(names[0], left, left_pieces, _without(left_facts, right_facts)),
        Side(names[1], right, right_pieces, _without(right_facts, left_facts)),
        tuple(fact for key, fact in left_facts.items() if key in right_facts),
    )


def differing_words(left: str, right: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Both texts in pieces, whose words only one of them has are marked. Joined they are the texts.

    Of texts that are too long, or repeat themselves too often, nothing is marked.
    """
    parts = stretches(left, right) or (Stretch(left, right, is_same=True),)
    return (
        _pieces((part.left, part.is_same) for part in parts),
        _pieces((part.right, part.is_same) for part in parts),
    )


def stretches(left: str, right: str) -> tuple[Stretch, ...]:
    """Two texts word by word; joined, the sides are the texts. Words are what has no blank in it.

    Empty where either text has more than `MOST_WORDS` words, or they have more than `MOST_PAIRS`.
    """
    ours, theirs = _WORD.findall(left), _WORD.findall(right)
    if max(len(ours), len(theirs)) > MOST_WORDS:
        return ()
    # A word is the same whatever blanks follow it.
    bare, others = ([word.strip() for word in words] for words in (ours, theirs))
    if _pairs(bare, others) > MOST_PAIRS:
        return ()
    matcher = SequenceMatcher(None, bare, others, autojunk=False)
    return tuple(
        Stretch("".join(ours[start:end]), "".join(theirs[from_:to]), kind == "equal")
        for kind, start, end, from_, to in matcher.get_opcodes()
    )


def _pairs(words: list[str], others: list[str]) -> int:
    """How many pairs of one word of each list are equal."""
    counts = Counter(others)
    return sum(times * counts[word] for word, times in Counter(words).items())


def _pieces(parts: Iterable[tuple[str, bool]]) -> tuple[Piece, ...]:
    """A mark ends with its last word: the blanks after that are not marked."""
    pieces: list[Piece] = []
    for text, is_same in parts:
        marked = "" if is_same else text.rstrip()
        pieces += (Piece(marked, only_here=True), Piece(text[len(marked) :], only_here=False))
    return tuple(piece for piece in pieces if piece.text)


_Key = tuple[str, str, str]


def _facts(run: Run) -> dict[_Key, Triple]:
    triples = (fact.triple for iteration in run.iterations for fact in iteration.facts)
    return {
        (triple.subject.id, triple.predicate.id, triple.object.id): triple for triple in triples
    }


def _without(facts: dict[_Key, Triple], others: Iterable[_Key]) -> tuple[Triple, ...]:
    there = set(others)
    return tuple(fact for key, fact in facts.items() if key not in there)
