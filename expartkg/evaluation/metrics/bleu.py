"""BLEU by sacrebleu, from sufficient statistics so that a bootstrap needs no second count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sacrebleu.metrics.bleu import BLEU, MAX_NGRAM_ORDER

STATISTICS = 2 + 2 * MAX_NGRAM_ORDER
"""How many counts there are for a pair: both lengths, matched and all n-grams of each order."""

_corpus = BLEU()
_sentence = BLEU(effective_order=True)


class Bleu(NamedTuple):
    """What one pair adds to corpus BLEU, and its own sentence BLEU, 0 to 100."""

    statistics: tuple[int, ...]
    score: float


def sentence_bleu(generated: str, reference: str) -> Bleu:
    """The statistics of a pair in the order that `corpus_bleu` takes them."""
    score = _sentence.sentence_score(generated, [reference])
    statistics = (score.sys_len, score.ref_len, *score.counts, *score.totals)
    return Bleu(statistics, score.score)


def corpus_bleu(sums: Sequence[int]) -> float:
    """Corpus BLEU, 0 to 100, of statistics that were added up over pairs."""
    sys_len, ref_len, *counts = sums
    return BLEU.compute_bleu(
        counts[:MAX_NGRAM_ORDER],
        counts[MAX_NGRAM_ORDER:],
        sys_len,
        ref_len,
        smooth_method=_corpus.smooth_method,
        smooth_value=_corpus.smooth_value,
    ).score


def bleu_signature() -> str:
    """sacrebleu's own signature of the corpus value."""
    scored = BLEU()
    scored.corpus_score(["-"], [["-"]])
    return str(scored.get_signature())
