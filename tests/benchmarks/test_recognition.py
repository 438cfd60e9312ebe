"""How well distorted photographs are recognised, and how long a picture and a search take.

By default a few photographs are distorted once in each way. `EXPARTKG_LARGE=1` distorts all of them
four times in each of the ten ways, which takes about half an hour on two cores, and searches among
a million vectors, of which five gigabytes of memory are needed.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from expartkg.recognition import ENCODER, Encoder
from expartkg.recognition.neighbours import Neighbours
from expartkg.recognition.recogniser import ENOUGH_POINTS, Recogniser
from tests.benchmarks.timing import processor_seconds
from tests.recognition.distortions import REPEATS
from tests.recognition.measuring import (
    Trial,
    measure,
    most_wrong_points,
    photographs,
    share,
    shipped_index,
    spread,
    table,
)
from tests.recognition.painted import painted

pytestmark = pytest.mark.benchmark

IS_LARGE = os.environ.get("EXPARTKG_LARGE") == "1"
FEW_PHOTOGRAPHS = 4
DIMENSION = 1280
MOST_WRONG = 0.02
ALIKE = 0.7
"""A low cosine of two photographs of the same work."""

MARGIN = 2
"""Enough are so many times the points that agree at most between pictures of different works."""


@pytest.mark.data
@pytest.mark.timeout(2 * 3600 if IS_LARGE else 300)
def test_distorted_photographs_are_recognised(data: Path, encoder: Encoder) -> None:
    index = shipped_index()
    found = photographs(data / "images", index)
    pictures = found if IS_LARGE else spread(found, FEW_PHOTOGRAPHS)
    trials = list(measure(index, pictures, REPEATS if IS_LARGE else 1, encoder))
    known = [trial for trial in trials if trial.known]
    print(f"\n{len(known)} of known works, {len(trials)} with the work taken out; {ENCODER}")
    print(table(trials))
    assert share(trial.is_first() for trial in known) >= 0.95
    assert share(trial.is_mistaken(ENOUGH_POINTS) for trial in known) < MOST_WRONG
    assert share(trial.is_accepted(ENOUGH_POINTS) for trial in trials) < MOST_WRONG
    if IS_LARGE:
        _check_held_out(trials)


def _check_held_out(trials: Sequence[Trial]) -> None:
    """What is enough by one half of the photographs has to be enough for the other, both ways."""
    for half in (0, 1):
        enough = MARGIN * most_wrong_points([trial for trial in trials if trial.seed % 2 == half])
        other = [trial for trial in trials if trial.seed % 2 != half]
        print(f"{enough} points by half {half} of the photographs; the other half with them:")
        print(table(other, enough))
        assert share(trial.is_accepted(enough) for trial in other) < MOST_WRONG


def test_a_picture_is_looked_up_in_less_time_than_a_few_encodings(
    encoder: Encoder, slowness: float
) -> None:
    """Goal: 200 ms on two quiet cores."""
    picture, recogniser = painted(1), Recogniser(encoder, shipped_index())
    whole = min(_seconds(lambda: recogniser.recognise(picture)) for _ in range(5))
    encoding = min(_seconds(lambda: encoder.encode([picture])) for _ in range(5))
    print(f"\nrecognise {1000 * whole:.0f} ms, encode {1000 * encoding:.0f} ms; ×{slowness:.1f}")
    assert whole < 10 * encoding


def _lumpy(count: int, dimension: int) -> NDArray[np.float32]:
    """Random unit vectors about a hundred centres, since no real ones are quite without order."""
    random = np.random.default_rng(0)
    centres = random.standard_normal((100, dimension), dtype=np.float32)
    vectors = np.empty((count, dimension), np.float32)
    for start in range(0, count, 10_000):
        part = vectors[start : start + 10_000]
        part[:] = random.standard_normal(part.shape, dtype=np.float32)
        part += centres[random.integers(0, len(centres), len(part))]
        part /= np.linalg.norm(part, axis=1, keepdims=True)
    return vectors


def _like(vector: NDArray[np.float32], cosine: float, seed: int) -> NDArray[np.float32]:
    """A unit vector that has this cosine with a unit vector."""
    other = np.random.default_rng(seed).standard_normal(len(vector), dtype=np.float32)
    other -= (other @ vector) * vector
    return cosine * vector + np.float32((1 - cosine**2) ** 0.5) * other / np.linalg.norm(other)


@pytest.mark.timeout(3600 if IS_LARGE else 300)
def test_a_search_among_many_is_quicker_than_looking_at_all_and_finds_the_same(
    slowness: float,
) -> None:
    """Goal: 20 ms among a million vectors."""
    vectors = _lumpy(1_000_000 if IS_LARGE else 20_000, DIMENSION if IS_LARGE else 256)
    quick, exact = Neighbours(vectors, exact_below=0), Neighbours(vectors, len(vectors) + 1)
    building = _seconds(partial(quick.nearest, vectors[0], 1))
    places = range(0, len(vectors), len(vectors) // 20)
    sought = [_like(vectors[at], ALIKE, seed=at) for at in places]
    nearest = [[each.nearest(one, 1)[0][0] for one in sought] for each in (quick, exact)]
    times = [
        statistics.median(processor_seconds(partial(each.nearest, most=20), sought))
        for each in (quick, exact)
    ]
    print(
        f"\n{len(vectors):,} vectors of {vectors.shape[1]}: built in {building:.1f} s; a search "
        f"takes {1000 * times[0]:.2f} ms of the processor in the median, "
        f"exactly {1000 * times[1]:.2f} ms; the machine is {slowness:.1f} times slow"
    )
    assert nearest[0] == nearest[1] == list(places)
    assert times[0] < times[1]


def _seconds(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began
