"""How well distorted photographs are recognised, and how long a picture and a search take.

By default a few photographs are distorted once in each way. `EXPARTKG_LARGE=1` distorts all of them
four times in each of the ten ways, which takes about half an hour on two cores, and searches among
a million vectors, whose index takes another half.
"""

from __future__ import annotations

import os
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


@pytest.mark.timeout(2 * 3600 if IS_LARGE else 300)
def test_a_search_among_many_is_quicker_than_looking_at_all_and_finds_the_same() -> None:
    """Goal: 20 ms among a million vectors."""
    vectors = _lumpy(1_000_000 if IS_LARGE else 20_000, DIMENSION if IS_LARGE else 256)
    quick, exact = Neighbours(vectors, exact_below=0), Neighbours(vectors, len(vectors) + 1)
    building = _seconds(quick.prepare)
    places = range(0, len(vectors), len(vectors) // (5 if IS_LARGE else 20))
    nearest = [[each.nearest(vectors[at], 1)[0][0] for at in places] for each in (quick, exact)]
    seconds = [
        min(_seconds(partial(each.nearest, vectors[at], 20)) for at in places)
        for each in (quick, exact)
    ]
    print(
        f"\n{len(vectors):,} vectors of {vectors.shape[1]}: built in {building:.0f} s; a search "
        f"{1000 * seconds[0]:.2f} ms, exactly {1000 * seconds[1]:.2f} ms"
    )
    assert nearest[0] == nearest[1] == list(places)
    assert seconds[0] < seconds[1]


def _seconds(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began
