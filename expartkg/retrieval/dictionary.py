"""Names in a text: one Aho-Corasick pass, case-sensitive, leftmost-longest, whole words only.

Knows no graph: retrieval looks for the labels of one, evaluation for any list of names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

from expartkg.retrieval.text import NormalText, is_word, normalise


class Found(NamedTuple):
    """A name of a dictionary at code points `start:end` of the original text."""

    name: str
    start: int
    end: int


Occurrence = tuple[int, int, int]
"""The number of a name, and the code points where it starts and ends."""


def whole_names(
    text: str, occurrences: Callable[[str], Iterable[Occurrence]]
) -> Iterator[Occurrence]:
    """The names that stand in a text as whole words, leftmost-longest and without overlaps.

    `occurrences` lists the names in a text of normal form, also overlapping ones and such as begin
    or end inside a word.
    """
    normal = normalise(text)
    words = [one for one in occurrences(normal.text) if _is_whole(normal, one[1], one[2])]
    words.sort(key=lambda one: (one[1], -one[2]))
    end_of_last = 0
    for name, start, end in words:
        if start >= end_of_last:
            end_of_last = end
            yield name, normal.starts[start], normal.starts[end]


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
        return [
            Found(self.names[name], start, end)
            for name, start, end in whole_names(text, self.occurrences)
        ]

    def occurrences(self, text: str) -> list[Occurrence]:
        """All names in a text of normal form, also overlapping ones and parts of words."""
        return self._automaton.find_matches_as_indexes(text, overlapping=True)


def _is_whole(normal: NormalText, start: int, end: int) -> bool:
    """Whether a name is neither a part of a word nor of characters that fuse into one."""
    text, starts = normal.text, normal.starts
    before = start > 0 and (is_word(text[start - 1]) or starts[start - 1] == starts[start])
    after = end < len(text) and (is_word(text[end]) or starts[end - 1] == starts[end])
    return not before and not after
