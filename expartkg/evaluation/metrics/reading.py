"""A text as the entity measures see it: Entity(·), #(e, ·) and the sentences of Appendix A.5.

An entity is its name in normal form, never an id. Both texts of a pair are read with the same
dictionary, so two entities that share a name count as one.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from expartkg.evaluation.metrics.sentences import sentence_spans
from expartkg.retrieval.dictionary import Dictionary, Found
from expartkg.retrieval.text import is_mark, is_word, normal_form

READINGS_KEPT = 8192
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Reading:
    """A text, read.

    `occurrences` is #(e, text) for every entity, in order of first mention; `sentences` the
    numbers of the sentences that the entity touches; `words` the maximal runs of word characters
    of the normal form; `length` the number of white-space tokens.
    """

    occurrences: Mapping[str, int]
    sentences: Mapping[str, frozenset[int]]
    words: tuple[str, ...]
    length: int


class Reader:
    """Reads texts with one dictionary. A text that comes again is not read again."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self.read = lru_cache(READINGS_KEPT)(self._read)

    def _read(self, text: str) -> Reading:
        found = self._dictionary.find(text)
        return Reading(
            Counter(name for name, _, _ in found),
            _sentences_touched(found, sentence_spans(text) if found else []),
            words_of(normal_form(text)),
            len(text.split()),
        )


def words_of(normal_text: str) -> tuple[str, ...]:
    """The maximal runs of word characters: letters, digits, `_` and combining marks."""
    if not any(map(is_mark, set(normal_text))):
        # \w is all of them but the marks, and much faster.
        return tuple(_WORD.findall(normal_text))
    runs = groupby(normal_text, key=is_word)
    return tuple("".join(characters) for is_run, characters in runs if is_run)


def _sentences_touched(
    found: list[Found], spans: list[tuple[int, int]]
) -> dict[str, frozenset[int]]:
    """An entity across the end of a sentence belongs to both sentences."""
    touched: defaultdict[str, set[int]] = defaultdict(set)
    first = 0
    for name, start, end in found:
        while spans[first][1] <= start:
            first += 1
        number = first
        while number < len(spans) and spans[number][0] < end:
            touched[name].add(number)
            number += 1
    return {name: frozenset(numbers) for name, numbers in touched.items()}
