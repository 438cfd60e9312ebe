"""Step 1 of Section 3: the expressions of a question set that may be nodes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from expartkg.construction.phrases import capitalised_phrases
from expartkg.construction.questions import Passage
from expartkg.retrieval.dictionary import Dictionary
from expartkg.retrieval.text import normal_form

METADATA = frozenset({"title", "artist"})
"""Fields that are no running text: a whole field is a candidate too."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An expression, and how often it was seen.

    `seen` counts by field (`question`, `reference`, `title`, `artist`); `questions` are the ids of
    the questions, in order. `in_lower_case` is how often the same words stand in running text
    without any capital.
    """

    name: str
    seen: dict[str, int]
    in_lower_case: int
    questions: tuple[str, ...]

    @property
    def count(self) -> int:
        """How often it was seen in all."""
        return sum(self.seen.values())

    def to_json(self) -> dict[str, Any]:
        """A record that `from_json` reads."""
        return asdict(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Candidate:
        """The candidate of a record."""
        return cls(**{**record, "questions": tuple(record["questions"])})


def find_candidates(
    passages: Iterable[Passage], names: Collection[str] | None
) -> tuple[Candidate, ...]:
    """All candidates by name.

    With `names`, those of them that occur, found as retrieval finds the names of a graph; without,
    all capitalised phrases. A title or an artist is one as a whole in either case.
    """
    passages = list(passages)
    dictionary = None if names is None else Dictionary(map(normal_form, names))
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    questions: dict[str, dict[str, None]] = defaultdict(dict)
    for passage in passages:
        for name in _expressions(passage, dictionary):
            seen[name][passage.field] += 1
            questions[name][passage.question] = None
    lowered = _in_lower_case(passages, seen)
    return tuple(
        Candidate(name, dict(sorted(seen[name].items())), lowered[name], tuple(questions[name]))
        for name in sorted(seen)
    )


def _expressions(passage: Passage, dictionary: Dictionary | None) -> Iterator[str]:
    if dictionary is None:
        found = [normal_form(phrase) for phrase in capitalised_phrases(passage.text)]
    else:
        found = [name.name for name in dictionary.find(passage.text)]
    yield from found
    whole = normal_form(passage.text)
    if passage.field in METADATA and whole not in found:
        yield whole


def _in_lower_case(passages: Iterable[Passage], names: Iterable[str]) -> Counter[str]:
    """How often the words of each name stand in lower case; nothing for a name without capital."""
    written = {name.lower(): name for name in names if name.lower() != name}
    dictionary = Dictionary(written)
    return Counter(
        written[found.name]
        for passage in passages
        if passage.field not in METADATA
        for found in dictionary.find(passage.text)
    )
