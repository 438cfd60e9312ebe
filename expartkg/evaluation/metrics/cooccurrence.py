"""Entity Cooccurrence with the length penalty: Eq. 2 and 7 of Appendix A.5.

Co_n holds the unordered pairs of distinct entities that stand together in a window of a sentence
and the n sentences before and after it. Such a window exists if and only if two of their sentences
are at most 2n apart, since the sentence half-way between them is one of the text. So one distance
for every pair answers for all n.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from expartkg.evaluation.metrics.reading import Reading

Pair = tuple[str, str]

WINDOWS: Sequence[float] = (0, 1, 2, math.inf)
"""The n of the columns of Table 1; inf is the whole text."""


def length_penalty(generated: int, reference: int) -> float:
    """LP(G, R) of Eq. 2 for two lengths in tokens, above 0 and at most 1.

    0 for an empty reference, against which nothing can be compared.
    """
    return math.exp(-max(0.0, generated / reference - 1)) if reference else 0.0


def cooccurrence(generated: Reading, reference: Reading) -> tuple[float, ...]:
    """ECooc for every n of `WINDOWS`, each 0 to 1; 0 where the reference has no such pair."""
    penalty = length_penalty(generated.length, reference.length)
    wanted = _distances(reference, combinations(reference.sentences, 2))
    got = _distances(generated, wanted)
    return tuple(penalty * _covered(got, wanted, n) for n in WINDOWS)


def _covered(got: Mapping[Pair, int], wanted: Mapping[Pair, int], n: float) -> float:
    pairs = [pair for pair, distance in wanted.items() if distance <= 2 * n]
    covered = sum(pair in got and got[pair] <= 2 * n for pair in pairs)
    return covered / len(pairs) if pairs else 0.0


def _distances(reading: Reading, pairs: Iterable[Pair]) -> dict[Pair, int]:
    """Those of the pairs that a text names, and how far apart in sentences they are at best."""
    sentences = reading.sentences
    return {
        (one, other): _distance(sentences[one], sentences[other])
        for one, other in pairs
        if one in sentences and other in sentences
    }


def _distance(one: frozenset[int], other: frozenset[int]) -> int:
    return min(abs(first - second) for first in one for second in other)
