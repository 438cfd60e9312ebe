"""What an answer says otherwise than the answer before, word by word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from expartkg.comparison import stretches


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of words that both answers have, or that is new, or gone."""

    kind: Literal["same", "new", "gone"]
    text: str


@lru_cache(256)
def changes(before: str, after: str) -> tuple[Change, ...]:
    """From one answer to the next: what is the same or new is the next one, letter for letter.

    Empty where either text is too long to be compared: see `comparison.MOST_WORDS`.
    """
    return tuple(_changes(before, after))


def _changes(before: str, after: str) -> Iterator[Change]:
    for stretch in stretches(before, after):
        if stretch.is_same:
            yield Change("same", stretch.right)
            continue
        if stretch.left:
            yield Change("gone", stretch.left)
        if stretch.right:
            yield Change("new", stretch.right)
