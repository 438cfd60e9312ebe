"""How sure a corpus value is: percentile intervals of a bootstrap over the pairs.

Comparing two systems, both are drawn the same questions (a paired bootstrap), since what makes
one question hard is the same for both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from expartkg.evaluation.scoring import Floats, Integers, Samples, by_metric

LEVEL = 0.95
RESAMPLES = 1000
SEED = 0
_CELLS_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Corpus values in the order of `METRICS`, with the ends of their intervals."""

    corpus: Floats
    low: Floats
    high: Floats

    def intervals(self) -> dict[str, list[float] | None]:
        """Both ends by the names of the measures, None for one that was not asked for."""
        low, high = by_metric(self.low), by_metric(self.high)
        return {metric: _pair(low[metric], high[metric]) for metric in low}


def _pair(low: float | None, high: float | None) -> list[float] | None:
    return None if low is None or high is None else [low, high]


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Differences of corpus values, first minus second, in the order of `METRICS`.

    `p` is the two-sided probability of a difference at least as large between two systems that
    score the same: the share of draws that lie as far from the observed difference as that lies
    from 0.
    """

    difference: Floats
    low: Floats
    high: Floats
    p: Floats


def scores(samples: Samples, *, seed: int = SEED) -> Scores:
    """The corpus values and their intervals at `LEVEL`; the same seed gives the same ones."""
    drawn = _drawn(samples, seed)
    low, high = _interval(drawn)
    return Scores(samples.corpus()[0], low, high)


def compare(first: Samples, second: Samples, *, seed: int = SEED) -> Comparison:
    """Two systems on the same questions in the same order."""
    assert first.ids == second.ids, "the questions are not the same"
    drawn = _drawn(first, seed) - _drawn(second, seed)
    difference = first.corpus()[0] - second.corpus()[0]
    further = np.abs(drawn - difference) >= np.abs(difference)
    low, high = _interval(drawn)
    p = (1 + further.sum(axis=0)) / (1 + RESAMPLES)
    return Comparison(difference, low, high, np.where(np.isnan(difference), np.nan, p))


def mean_interval(values: Floats, *, seed: int = SEED) -> tuple[float, float]:
    """The interval at `LEVEL` of the mean of some values."""
    draws = _draws(len(values), seed)
    drawn = np.concatenate([times @ values for times in draws]) / len(values)
    low, high = _interval(drawn)
    return float(low), float(high)


def _drawn(samples: Samples, seed: int) -> Floats:
    """The corpus values of every draw (draws × `METRICS`)."""
    return np.concatenate([samples.corpus(times) for times in _draws(len(samples), seed)])


def _draws(size: int, seed: int) -> Iterator[Integers]:
    """How often each of `size` pairs is drawn (`RESAMPLES` × size), some draws at a time."""
    generator = np.random.default_rng(seed)
    probabilities = np.full(size, 1 / size)
    at_once = max(1, _CELLS_AT_ONCE // size)
    for start in range(0, RESAMPLES, at_once):
        draws = min(at_once, RESAMPLES - start)
        yield generator.multinomial(size, probabilities, size=draws)


def _interval(drawn: Floats) -> tuple[Floats, Floats]:
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail], axis=0)
    return low, high
