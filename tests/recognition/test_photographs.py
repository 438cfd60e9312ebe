"""A sample of what `tests/benchmarks/test_recognition.py` measures in full."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recognition.measuring import measure, photographs, shipped_index, spread

PICTURES = 4


@pytest.mark.data
def test_distorted_photographs_are_recognised(data: Path) -> None:
    index = shipped_index()
    measured = measure(index, spread(photographs(data / "images", index), PICTURES), repeats=1)
    assert measured.unknown.total() == PICTURES * 10
    assert measured.first.total() >= 0.9 * measured.known.total()
    assert measured.mistaken.total() == 0
    assert measured.accepted.total() == 0
