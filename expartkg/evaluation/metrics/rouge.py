"""ROUGE-1, ROUGE-2 and ROUGE-L: the F measures of rouge-score, without a stemmer."""

from __future__ import annotations

from importlib.metadata import version
from typing import NamedTuple

from rouge_score.rouge_scorer import RougeScorer
from rouge_score.scoring import fmeasure
from rouge_score.tokenizers import DefaultTokenizer

from expartkg.evaluation.metrics.lcs import lcs_length

SIGNATURE = f"f|stemmer:no|tok:rouge-score|version:{version('rouge-score')}"

_ngrams = RougeScorer(["rouge1", "rouge2"])
_tokenizer = DefaultTokenizer(use_stemmer=False)


class Rouge(NamedTuple):
    """F measures, each 0 to 1. `rougeL` is over the whole text, not sentence by sentence."""

    rouge1: float
    rouge2: float
    rougeL: float


def rouge(generated: str, reference: str) -> Rouge:
    """rouge-score's values; its ROUGE-L alone is too slow, 13 ms for a pair of real length."""
    scores = _ngrams.score(reference, generated)
    return Rouge(
        float(scores["rouge1"].fmeasure),
        float(scores["rouge2"].fmeasure),
        _rouge_l(_tokenizer.tokenize(generated), _tokenizer.tokenize(reference)),
    )


def _rouge_l(generated: list[str], reference: list[str]) -> float:
    if not generated or not reference:
        return 0.0
    common = lcs_length(generated, reference)
    return float(fmeasure(common / len(generated), common / len(reference)))
