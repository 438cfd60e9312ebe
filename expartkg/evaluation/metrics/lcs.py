"""The longest common subsequence, by bits: a text is passed once, whatever the other's length."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence


def lcs_length(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """How many items the longest common subsequence of two sequences has.

    Bit i of `open_` says that the row of the usual table does not grow at item i of `first`
    (Allison and Dix, 1986).
    """
    places: defaultdict[Hashable, int] = defaultdict(int)
    for place, item in enumerate(first):
        places[item] |= 1 << place
    everywhere = (1 << len(first)) - 1
    open_ = everywhere
    for item in second:
        matched = open_ & places.get(item, 0)
        if matched:
            open_ = ((open_ + matched) | (open_ - matched)) & everywhere
    return len(first) - open_.bit_count()
