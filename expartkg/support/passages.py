"""The final answer cut into its sentences and what stands between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from expartkg.records import Run, Sentence, Triple


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of the answer from code point `start` on; between sentences, `sentence` is None."""

    start: int
    text: str
    sentence: Sentence | None


def passages_of(run: Run) -> Iterator[Passage]:
    """Together they are the answer, letter for letter."""
    place = 0
    for sentence in run.support:
        if place < sentence.start:
            yield Passage(place, run.answer[place : sentence.start], None)
        yield Passage(sentence.start, run.answer[sentence.start : sentence.end], sentence)
        place = sentence.end
    if place < len(run.answer):
        yield Passage(place, run.answer[place:], None)


def rounds_of(run: Run, fact: Triple) -> tuple[int, ...]:
    """The numbers of the iterations that retrieved a fact."""
    return tuple(
        iteration.number
        for iteration in run.iterations
        if any(one.triple == fact for one in iteration.facts)
    )
