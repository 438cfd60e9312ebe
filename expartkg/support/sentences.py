"""The sentences of an answer.

NLTK's Punkt, which the measures of the paper use, takes a second to be imported and knows no line
breaks; answers of models have lists and headings, and names with full stops in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

Span = tuple[int, int]

_BREAK = re.compile(r"\n+")
# A full stop with what closes behind it, before white space and what may begin a sentence.
_END = re.compile(r"[.!?…][\"'”’»)\]*_]*(?=\s+[\"'“‘«(\[*_]*[^\W_a-z])")
_LAST_WORD = re.compile(r"[\w.'’-]*\Z")
_ABBREVIATIONS = frozenset(
    "b c ca cf cm d dr e.g ed fig fl fr i.e inv jr mr mrs ms mt no nos p pp prof r sr st ste vol vs"
    " u.s".split()
)


def sentence_spans(text: str, names: Iterable[Span] = ()) -> list[Span]:
    """The sentences of a text as `start, end` in code points, in order, without white space at
    their ends; a line break ends one like a full stop, but nothing does within one of `names`.
    """
    inside = {place for start, end in names for place in range(start, end - 1)}
    spans = []
    for line in _lines(text, inside):
        start = line[0]
        for end in (*_ends(text, line, inside), line[1]):
            spans += _trimmed(text, start, end)
            start = end
    return spans


def _lines(text: str, inside: set[int]) -> Iterator[Span]:
    start = 0
    for found in _BREAK.finditer(text):
        if found.start() not in inside:
            yield start, found.start()
            start = found.end()
    yield start, len(text)


def _ends(text: str, line: Span, inside: set[int]) -> Iterator[int]:
    for stop in _END.finditer(text, *line):
        if stop.start() not in inside and not _abbreviates(text, line[0], stop.start()):
            yield stop.end()


def _abbreviates(text: str, start: int, stop: int) -> bool:
    """Whether the full stop at `stop` belongs to an abbreviation or an initial."""
    if text[stop] != ".":
        return False
    found = _LAST_WORD.search(text, max(start, stop - 40), stop)
    word = found[0] if found else ""
    initial = len(word) == 1 and word.isupper() and word != "I"
    return initial or word.lower() in _ABBREVIATIONS


def _trimmed(text: str, start: int, end: int) -> list[Span]:
    piece = text[start:end]
    if not any(map(str.isalnum, piece)):
        return []
    left = len(piece) - len(piece.lstrip())
    return [(start + left, start + len(piece.rstrip()))]
