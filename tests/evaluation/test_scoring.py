"""Corpus values, their intervals, and comparisons of two systems."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sacrebleu

from expartkg.evaluation.bootstrap import compare, scores
from expartkg.evaluation.pairs import Pair
from expartkg.evaluation.scoring import METRICS, Samples, Scorer
from expartkg.retrieval.dictionary import Dictionary

PAIRS = [
    Pair("1", "The Mona Lisa is in Paris now.", "The Mona Lisa is in the Louvre in Paris."),
    Pair("2", "", "Leonardo da Vinci worked in Paris."),
    Pair("3", "Leonardo went on foot.", "Nobody knows."),
    Pair("4", "The Louvre stands in Paris today.", "The Louvre stands in Paris today."),
]


@pytest.fixture
def samples(dictionary: Dictionary) -> Samples:
    return Scorer(dictionary).samples(PAIRS)


def column(metric: str) -> int:
    return METRICS.index(metric)


def test_a_corpus_value_is_the_mean_over_all_pairs_times_100(samples: Samples) -> None:
    corpus = samples.corpus()[0]
    # exact coverage 2/3, 0 of 2, 0 for a reference without an entity, 1
    assert corpus[column("ec_exact")] == pytest.approx(100 * (2 / 3 + 0 + 0 + 1) / 4)
    # pairs: 1 of 3, 0 of 1, none, 1 of 1; no generated text is longer than 1 times its reference
    # but the third, whose reference has no pair
    assert corpus[column("ecooc_0")] == pytest.approx(100 * (1 / 3 + 0 + 0 + 1) / 4)
    assert corpus[column("length")] == (7 + 0 + 4 + 6) / 4


def test_bleu_alone_is_that_of_the_corpus(samples: Samples) -> None:
    generated = [pair.generated for pair in PAIRS]
    references = [pair.reference for pair in PAIRS]
    expected = sacrebleu.corpus_bleu(generated, [references]).score
    assert samples.corpus()[0, column("bleu")] == pytest.approx(expected)
    assert samples.values[:, column("bleu")].mean() != pytest.approx(expected)


def test_bertscore_is_not_a_number_unless_asked_for(
    samples: Samples, dictionary: Dictionary
) -> None:
    assert np.isnan(samples.values[:, column("bertscore")]).all()
    assert math.isnan(scores(samples).corpus[column("bertscore")])
    asked = Scorer(dictionary, lambda generated, references: [0.5] * len(generated)).samples(PAIRS)
    assert asked.corpus()[0, column("bertscore")] == 50


def test_drawing_pairs_is_scoring_them_so_often(samples: Samples, dictionary: Dictionary) -> None:
    drawn = samples.corpus(np.array([[2, 0, 1, 1]]))
    again = [PAIRS[0], PAIRS[0], PAIRS[2], PAIRS[3]]
    expected = Scorer(dictionary).samples(again).corpus()
    np.testing.assert_allclose(drawn, expected)


def of_values(values: list[float]) -> Samples:
    """Samples that score these values by every measure but BLEU, which is 0."""
    columns = np.repeat(np.array(values)[:, None], len(METRICS), axis=1)
    ids = tuple(str(number) for number in range(len(values)))
    return Samples(ids, columns, np.zeros((len(values), 10), dtype=np.int64))


class TestBootstrap:
    def test_an_interval_is_that_of_the_mean(self) -> None:
        # 400 values, half 0 and half 100: the mean's standard error is 50 / 20 = 2.5, so the
        # interval is about 50 ± 1.96 · 2.5
        scored = scores(of_values([0.0, 100.0] * 200))
        assert scored.corpus[column("ef1")] == 50
        assert scored.low[column("ef1")] == pytest.approx(50 - 4.9, abs=0.8)
        assert scored.high[column("ef1")] == pytest.approx(50 + 4.9, abs=0.8)

    def test_the_seed_decides(self) -> None:
        samples = of_values([0.0, 10.0, 50.0, 100.0, 3.0])
        one, again, other = (
            scores(samples, seed=1),
            scores(samples, seed=1),
            scores(samples, seed=2),
        )
        assert (one.low == again.low).all()
        assert not (one.low == other.low).all()

    def test_many_pairs_are_drawn_some_at_a_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        samples = of_values([0.0, 10.0, 50.0, 100.0, 3.0])
        whole = scores(samples)
        monkeypatch.setattr("expartkg.evaluation.bootstrap._CELLS_AT_ONCE", 33)
        np.testing.assert_array_equal(scores(samples).low, whole.low)

    def test_a_comparison_is_paired(self) -> None:
        # The questions differ much and the systems always by 1: the intervals of the two overlap,
        # that of the difference is a point.
        values = [float(value) for value in range(100)]
        comparison = compare(of_values([value + 1 for value in values]), of_values(values))
        ef1 = column("ef1")
        assert comparison.difference[ef1] == pytest.approx(1)
        assert (comparison.low[ef1], comparison.high[ef1]) == (pytest.approx(1), pytest.approx(1))
        assert comparison.p[ef1] < 0.01

    def test_a_system_against_itself(self) -> None:
        samples = of_values([0.0, 10.0, 50.0])
        comparison = compare(samples, samples)
        assert comparison.difference[column("ef1")] == 0
        assert comparison.p[column("ef1")] == 1

    def test_noise_is_no_difference(self) -> None:
        generator = np.random.default_rng(5)
        first = of_values(generator.normal(50, 10, 200).tolist())
        second = of_values(generator.normal(50, 10, 200).tolist())
        assert compare(first, second).p[column("ef1")] > 0.05
