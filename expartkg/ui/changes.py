"""What an answer says otherwise than the answer before, word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Literal

MOST_WORDS = 1500
"""Of longer texts no difference is looked for: the time grows with the square."""

_WORD = re.compile(r"\S+\s*|\s+")


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of words that both answers have, or that is new, or gone."""

    kind: Literal["same", "new", "gone"]
    text: str


@lru_cache(256)
def changes(before: str, after: str) -> tuple[Change, ...]:
    """From one answer to the next: what is the same or new is the next one, letter for letter.

    Empty where either text has more than `MOST_WORDS` words.
    """
    old, new = _WORD.findall(before), _WORD.findall(after)
    if max(len(old), len(new)) > MOST_WORDS:
        return ()
    return tuple(_compared(old, new))


def _compared(old: list[str], new: list[str]) -> Iterator[Change]:
    # A word is the same whatever space follows it.
    bare = [[word.strip() for word in words] for words in (old, new)]
    for kind, from_, to, start, end in SequenceMatcher(
        a=bare[0], b=bare[1], autojunk=False
    ).get_opcodes():
        if kind == "equal":
            yield Change("same", "".join(new[start:end]))
            continue
        if to > from_:
            yield Change("gone", "".join(old[from_:to]))
        if end > start:
            yield Change("new", "".join(new[start:end]))
