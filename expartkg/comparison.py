"""Two runs side by side: which words of the answers and which facts only one of them has."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher

from expartkg.records import Run, Triple

MOST_WORDS = 3000
"""Longer answers are not compared word by word, which takes time that grows with the square."""

_WORD = re.compile(r"\S+")


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

    Words are what has no blank in it.
    """
    words = [[match.span() for match in _WORD.finditer(text)] for text in (left, right)]
    if max(map(len, words)) > MOST_WORDS:
        return (Piece(left, only_here=False),), (Piece(right, only_here=False),)
    matcher = SequenceMatcher(None, left.split(), right.split(), autojunk=False)
    blocks = matcher.get_matching_blocks()
    same_left = {block.a + offset for block in blocks for offset in range(block.size)}
    same_right = {block.b + offset for block in blocks for offset in range(block.size)}
    return _pieces(left, words[0], same_left), _pieces(right, words[1], same_right)


def _pieces(text: str, words: list[tuple[int, int]], same: set[int]) -> tuple[Piece, ...]:
    """Marked words that follow each other are one piece, with the blanks between them."""
    pieces: list[Piece] = []
    done = number = 0
    while number < len(words):
        first = number
        while number < len(words) and number not in same:
            number += 1
        if number > first:
            start, end = words[first][0], words[number - 1][1]
            pieces += [Piece(text[done:start], only_here=False)] if start > done else []
            pieces.append(Piece(text[start:end], only_here=True))
            done = end
        number += 1
    return (*pieces, *((Piece(text[done:], only_here=False),) if done < len(text) else ()))


_Key = tuple[str, str, str]


def _facts(run: Run) -> dict[_Key, Triple]:
    triples = (fact.triple for iteration in run.iterations for fact in iteration.facts)
    return {
        (triple.subject.id, triple.predicate.id, triple.object.id): triple for triple in triples
    }


def _without(facts: dict[_Key, Triple], others: Iterable[_Key]) -> tuple[Triple, ...]:
    there = set(others)
    return tuple(fact for key, fact in facts.items() if key not in there)
