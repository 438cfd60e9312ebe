from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expartkg.evaluation.metrics.lcs import lcs_length


@pytest.mark.parametrize(
    ("first", "second", "length"),
    [
        ("", "abc", 0),
        ("abc", "", 0),
        ("abc", "abc", 3),
        ("abc", "xaybzc", 3),
        ("abc", "cba", 1),
        # "aa" is common, though the second has one "a" more
        ("aab", "aba", 2),
    ],
)
def test_by_hand(first: str, second: str, length: int) -> None:
    assert lcs_length(first, second) == length


def by_table(first: Sequence[int], second: Sequence[int]) -> int:
    table = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, one in enumerate(first):
        for j, other in enumerate(second):
            longer = max(table[i][j + 1], table[i + 1][j])
            table[i + 1][j + 1] = table[i][j] + 1 if one == other else longer
    return table[-1][-1]


SEQUENCES = st.lists(st.integers(0, 5), max_size=80)


@settings(deadline=None)
@given(SEQUENCES, SEQUENCES)
def test_it_is_that_of_the_usual_table(first: list[int], second: list[int]) -> None:
    assert lcs_length(first, second) == by_table(first, second)
