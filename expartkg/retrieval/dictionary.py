"""Names in a text: one Aho-Corasick pass, case-sensitive, leftmost-longest, whole words only.

Knows no graph: retrieval looks for the labels of one, evaluation for any list of names.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

from expartkg.retrieval.text import is_word, normalise


class Found(NamedTuple):
    """A name of a dictionary at code points `start:end` of the original text."""

    name: str
    start: int
    end: int


class Dictionary:
    """Finds a fixed set of names. They are given in normal form (`retrieval.text`)."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(dict.fromkeys(name for name in names if name))
        # Standard matching, all overlaps: a longer name may turn out to end inside a word, and
        # then the shorter one that it hides counts.
        self._automaton = AhoCorasick(
            self.names,
            matchkind=MatchKind.Standard,
            store_patterns=False,
            # Built twice as fast as the default, and as fast to search.
            implementation=Implementation.ContiguousNFA,
        )

    def __len__(self) -> int:
        return len(self.names)

    def find(self, text: str) -> list[Found]:
        """The names in a text, in order and without overlaps."""
        normal = normalise(text)
        matches = self._automaton.find_matches_as_indexes(normal.text, overlapping=True)
        words = [match for match in matches if _is_whole(normal.text, match[1], match[2])]
        words.sort(key=lambda match: (match[1], -match[2]))
        found: list[Found] = []
        end_of_last = 0
        for name, start, end in words:
            if start >= end_of_last:
                end_of_last = end
                found.append(Found(self.names[name], normal.starts[start], normal.starts[end]))
        return found


def _is_whole(text: str, start: int, end: int) -> bool:
    before = start > 0 and is_word(text[start - 1])
    after = end < len(text) and is_word(text[end])
    return not before and not after
