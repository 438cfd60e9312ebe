"""Scores of pairs of texts: sufficient statistics of every pair first, corpus values second.

A corpus value is a function of sums over pairs: of the pairs' own values for all measures but
BLEU, which has counts of its own. So a bootstrap (`bootstrap`) only needs other sums.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from expartkg.evaluation.metrics.bleu import STATISTICS, corpus_bleu, sentence_bleu
from expartkg.evaluation.metrics.cooccurrence import cooccurrence
from expartkg.evaluation.metrics.coverage import coverage_exact, coverage_partial
from expartkg.evaluation.metrics.entity_f1 import entity_f1
from expartkg.evaluation.metrics.reading import Reader
from expartkg.evaluation.metrics.rouge import rouge
from expartkg.evaluation.pairs import Pair
from expartkg.retrieval.dictionary import Dictionary

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

METRICS = (
    "bleu",
    "rouge1",
    "rouge2",
    "rougeL",
    "bertscore",
    "ec_exact",
    "ec_partial",
    "ef1",
    "ecooc_0",
    "ecooc_1",
    "ecooc_2",
    "ecooc_inf",
    "length",
)
"""The columns of Table 1, in the order of all arrays. All but `length`, which counts white-space
tokens, run from 0 to 100."""

PAIRS_KEPT = 65536

BertScore = Callable[[Sequence[str], Sequence[str]], Sequence[float]]
"""From generated texts and their references to F1 of each pair, -1 to 1."""


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """What every pair contributes.

    `values` (pairs × `METRICS`) is what each pair scores alone, NaN for a measure that was not
    asked for; `bleu` (pairs × `STATISTICS`) its counts for corpus BLEU.
    """

    ids: tuple[str, ...]
    values: Floats
    bleu: Integers

    def __len__(self) -> int:
        return len(self.ids)

    def corpus(self, times: Integers | None = None) -> Floats:
        """The corpus values (draws × `METRICS`), each draw taking pair i `times[draw, i]` times.

        Without `times` there is one draw, of every pair once.
        """
        if times is None:
            times = np.ones((1, len(self)), dtype=np.int64)
        values: Floats = times @ self.values / times.sum(axis=1, keepdims=True)
        sums = (times @ self.bleu).tolist()
        values[:, METRICS.index("bleu")] = [corpus_bleu(counts) for counts in sums]
        return values


class Scorer:
    """Scores pairs with one dictionary; a pair that comes again is not scored again."""

    def __init__(self, dictionary: Dictionary, bertscore: BertScore | None = None) -> None:
        self._reader = Reader(dictionary)
        self._bertscore = bertscore
        self._measure = lru_cache(PAIRS_KEPT)(self._measured)
        self._known_f1: dict[tuple[str, str], float] = {}

    def samples(self, pairs: Sequence[Pair]) -> Samples:
        """The statistics of all pairs."""
        measured = [self._measure(pair.generated, pair.reference) for pair in pairs]
        values = np.array([values for values, _ in measured]).reshape(-1, len(METRICS))
        if self._bertscore:
            f1 = self._f1(self._bertscore, [(pair.generated, pair.reference) for pair in pairs])
            values[:, METRICS.index("bertscore")] = 100 * np.array(f1)
        return Samples(
            tuple(pair.id for pair in pairs),
            values,
            np.array([bleu for _, bleu in measured], dtype=np.int64).reshape(-1, STATISTICS),
        )

    def names_an_entity(self, text: str) -> bool:
        """Whether a text names any entity of the dictionary."""
        return bool(self._reader.read(text).occurrences)

    def _f1(self, bertscore: BertScore, texts: Sequence[tuple[str, str]]) -> list[float]:
        new = [pair for pair in dict.fromkeys(texts) if pair not in self._known_f1]
        if new:
            scored = bertscore([one for one, _ in new], [other for _, other in new])
            self._known_f1.update(zip(new, scored, strict=True))
        return [self._known_f1[pair] for pair in texts]

    def _measured(self, generated: str, reference: str) -> tuple[list[float], tuple[int, ...]]:
        """The values of one pair in the order of `METRICS`, and its counts for BLEU."""
        bleu = sentence_bleu(generated, reference)
        one, other = self._reader.read(generated), self._reader.read(reference)
        shares = (
            *rouge(generated, reference),
            math.nan,
            coverage_exact(one, other),
            coverage_partial(one, other),
            entity_f1(one, other),
            *cooccurrence(one, other),
        )
        values = [bleu.score, *(100 * share for share in shares), float(one.length)]
        return values, bleu.statistics


def by_metric(values: Floats) -> dict[str, float | None]:
    """One value for each of `METRICS` by its name, None for a measure that was not asked for."""
    return {
        metric: None if math.isnan(value) else value
        for metric, value in zip(METRICS, values.tolist(), strict=True)
    }
