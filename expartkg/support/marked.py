"""The answer with the mark of every sentence, for people, in English."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from expartkg.records import Run, SentenceStatus
from expartkg.support.passages import passages_of, rounds_of

MARKS: Mapping[SentenceStatus, str] = {"supported": "✓", "unsupported": "○", "contradicts": "≠"}
"""In the order of a legend. None of them says that a sentence is true."""
MEANINGS: Mapping[SentenceStatus, str] = {
    "supported": "supported by the catalogue",
    "unsupported": "the model's own words",
    "contradicts": "contradicts the catalogue",
}


@dataclass(frozen=True, slots=True)
class Marked:
    """A piece of the answer. Between two sentences there is no `status`, no mark and no reason."""

    text: str
    status: SentenceStatus | None = None
    mark: str = ""
    reasons: tuple[str, ...] = ()


def marked(run: Run) -> Iterator[Marked]:
    """The pieces of the answer, each sentence with the facts that support or contradict it."""
    for passage in passages_of(run):
        sentence = passage.sentence
        if sentence is None:
            yield Marked(passage.text)
            continue
        reasons = [
            f"{' · '.join(fact.labels)} (iteration {', '.join(map(str, rounds_of(run, fact)))})"
            for fact in sentence.facts
        ]
        reasons += [
            f"{dated.entity.label} · inception · {', '.join(map(str, dated.years))}"
            for dated in sentence.dates
        ]
        yield Marked(passage.text, sentence.status, MARKS[sentence.status], tuple(reasons))


def legend() -> str:
    """What the marks mean, in one line."""
    return ", ".join(f"{mark} {MEANINGS[status]}" for status, mark in MARKS.items())
