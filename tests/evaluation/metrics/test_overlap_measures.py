"""BLEU and ROUGE are those of sacrebleu and rouge-score, whatever way they are computed."""

from __future__ import annotations

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from expartkg.evaluation.metrics.bleu import bleu_signature, corpus_bleu, sentence_bleu
from expartkg.evaluation.metrics.rouge import rouge

WORDS = ["the", "The", "cat", "sat", "Élan", "漢字", "on", "mat.", "1503", "c.", "don't", "\n", "—"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join)
CORPORA = st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=6)


@settings(max_examples=100, deadline=None)
@given(CORPORA)
def test_bleu_is_sacrebleus(pairs: list[tuple[str, str]]) -> None:
    scored = [sentence_bleu(generated, reference) for generated, reference in pairs]
    sums = np.sum([bleu.statistics for bleu in scored], axis=0).tolist()
    generated, references = zip(*pairs, strict=True)
    whole = sacrebleu.corpus_bleu(list(generated), [list(references)])
    assert corpus_bleu(sums) == pytest.approx(whole.score)
    for (one, other), bleu in zip(pairs, scored, strict=True):
        assert bleu.score == pytest.approx(sacrebleu.sentence_bleu(one, [other]).score)


def test_the_signature_is_sacrebleus() -> None:
    assert bleu_signature().startswith("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:")


def test_rouge_by_hand() -> None:
    # Eight and nine tokens; six in common (the twice, quick, brown, dog, jumps), in order five
    # (the quick brown jumps the), two bigrams (the quick, quick brown) of seven and eight.
    # F is 2 · common / (both lengths).
    scores = rouge(
        "The quick brown dog jumps on the log.", "The quick brown fox jumps over the lazy dog"
    )
    assert scores == pytest.approx((12 / 17, 4 / 15, 10 / 17))


@settings(max_examples=100, deadline=None)
@given(TEXTS, TEXTS)
def test_rouge_is_that_of_rouge_score(generated: str, reference: str) -> None:
    theirs = RougeScorer(["rouge1", "rouge2", "rougeL"]).score(reference, generated)
    assert rouge(generated, reference)._asdict() == pytest.approx(
        {name: score.fmeasure for name, score in theirs.items()}
    )
