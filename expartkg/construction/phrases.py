"""Capitalised phrases: what may be a name where no list of names is at hand.

NLTK's chunk parser works on tags, which are given here by the look of a word alone: no tagger, so
nothing has to be downloaded and the same text gives the same phrases.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import dropwhile, groupby
from typing import Any

Tagged = tuple[tuple[int, int], str]
"""Where a word stands, and its tag."""

_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*['’]?|[^\w\s]")
_LINKS = frozenset(
    "of the a and in on at de la le du des del della di da van von der den het".split()
)
_STOPS = frozenset(
    "a an and as at but by for from he her his how i if in it its many no of on one or our she "
    "some that the their there these they this those to two we what when where which while who "
    "with".split()
)
_ELIDED = re.compile(r"[a-z]{1,4}['’][A-ZÀ-Þ]")
"""The beginning of d'Orsay, dell'Accademia."""
_GRAMMAR = "NAME: {<CAPITAL>(<LINK>*<CAPITAL>)*}"


def capitalised_phrases(text: str) -> Iterator[str]:
    """The phrases of capitalised words of a text, in order.

    Small words join two of them ("Liberty Leading the People"), but may also stand between two
    names ("Monet in Paris"), so the parts are given after the whole. A phrase that begins with a
    stop word ("The Scream") is given without it too; a stop word alone is none.
    """
    words = [(match.group(), match.span()) for match in _WORD.finditer(text)]
    tagged = [(span, _tag(word)) for word, span in words]
    for chunk in _parser().parse(tagged).subtrees(lambda tree: tree.label() == "NAME"):
        yield from dict.fromkeys(_phrases(text, chunk.leaves()))


def _phrases(text: str, words: list[Tagged]) -> Iterator[str]:
    runs = [list(run) for tag, run in groupby(words, lambda word: word[1]) if tag == "CAPITAL"]
    for run in ([words] if len(runs) > 1 else []) + runs:
        yield from _with_and_without_stop(text, run)


def _with_and_without_stop(text: str, words: list[Tagged]) -> Iterator[str]:
    (start, after), end = words[0][0], words[-1][0][1]
    begins_with_stop = text[start:after].lower() in _STOPS
    if not begins_with_stop or len(words) > 1:
        yield text[start:end].rstrip("'’")
    if begins_with_stop:
        rest = list(dropwhile(lambda word: word[1] == "LINK", words[1:]))
        if rest:
            yield from _with_and_without_stop(text, rest)


def _tag(word: str) -> str:
    if word in _LINKS:
        return "LINK"
    return "CAPITAL" if word[0].isupper() or _ELIDED.match(word) else "OTHER"


@cache
def _parser() -> Any:
    from nltk import RegexpParser

    return RegexpParser(_GRAMMAR)
