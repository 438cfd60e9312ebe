"""A loop is cut soon, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expartkg.engines.repetition import LONGEST_UNIT, RepetitionGuard

PROSE = (
    "The Mona Lisa is a portrait by Leonardo da Vinci, painted in oil on a poplar panel. It shows "
    "Lisa del Giocondo, the wife of a Florentine merchant, in half length before a landscape. The "
    "painting hangs in the Louvre in Paris. "
)
UNITS = [
    "ha",
    "a painting of ",
    "It is a painting. ",
    PROSE,
    "x" * 40 + "y",
    "ha " * 30 + "stop. ",
    "\n",
    "絵",
]


def fed(text: str, size: int) -> int | None:
    """After how many characters the guard says that the text is a loop, None if never."""
    guard = RepetitionGuard()
    for start in range(0, len(text), size):
        if guard.feed(text[start : start + size]):
            return min(start + size, len(text))
    return None


@pytest.mark.parametrize("size", [1, 4, 1000])
@pytest.mark.parametrize("unit", UNITS)
def test_a_loop_is_found_whatever_it_repeats(unit: str, size: int) -> None:
    text = PROSE[:100] + unit * (2000 // len(unit) + 4)
    found = fed(text, size)
    assert found is not None
    assert found <= 100 + max(240, 3 * len(unit)) + len(unit) + size + 24


def test_prose_lists_and_short_echoes_are_no_loops() -> None:
    lists = "\n".join(f"- {word}: painted in {year}" for year, word in enumerate(PROSE.split()))
    echo = "very " * 20 + "well. " + "No, no, no! " * 15
    for text in (PROSE, PROSE * 2, lists, echo):
        assert fed(text, 4) is None


def test_twice_is_no_loop_and_three_times_is() -> None:
    assert fed(PROSE * 2, 4) is None
    assert fed(PROSE * 3, 4) is not None


def test_units_that_are_too_long_are_left_to_the_limit_of_tokens() -> None:
    numbers = " ".join(str(number) for number in range(1000))
    unit = numbers[: LONGEST_UNIT + 1]
    assert fed(unit * 5, 4) is None


@given(st.text(max_size=300), st.integers(1, 30))
def test_a_text_that_was_not_repeated_thrice_is_let_through(text: str, size: int) -> None:
    numbered = "".join(f"{number}:{character}" for number, character in enumerate(text))
    assert fed(numbered, size) is None
