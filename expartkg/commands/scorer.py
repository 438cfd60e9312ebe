"""What `score` and `evaluate` score with."""

from __future__ import annotations

import argparse

from expartkg.evaluation.dictionaries import NamedDictionary
from expartkg.evaluation.scoring import Scorer
from expartkg.evaluation.signatures import signatures


def signed_scorer(
    names: NamedDictionary, options: argparse.Namespace
) -> tuple[Scorer, dict[str, str | None]]:
    """The scorer with the model of `--bertscore`, if there is one, and its signatures.

    Raises `UsageError` or `EngineError` for a model that cannot be had.
    """
    bertscore = None
    if options.bertscore:
        from expartkg.evaluation.metrics.bertscore import BertScore

        bertscore = BertScore(options.bertscore)
    signed = signatures(
        names.signature,
        bertscore=bertscore.signature if bertscore else None,
        seed=options.seed,
    )
    return Scorer(names.dictionary, bertscore), signed
