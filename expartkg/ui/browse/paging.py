"""A long list in parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Part(Generic[Item]):
    """The items of one page; pages are numbered from 1, and there is always one."""

    items: Sequence[Item]
    page: int
    pages: int
    total: int


def part_of(items: Sequence[Item], page: int, size: int) -> Part[Item]:
    """The page of that number, or the nearest one that there is."""
    pages = max(1, -(-len(items) // size))
    page = min(max(page, 1), pages)
    return Part(items[(page - 1) * size : page * size], page, pages, len(items))
