"""What a score depends on, as one line that can be cited beside it."""

from __future__ import annotations

import expartkg
from expartkg.evaluation.bootstrap import LEVEL, RESAMPLES
from expartkg.evaluation.metrics.bleu import bleu_signature
from expartkg.evaluation.metrics.rouge import SIGNATURE as ROUGE
from expartkg.evaluation.metrics.sentences import SPLITTER
from expartkg.evaluation.scoring import METRICS


def signatures(dictionary: str, *, bertscore: str | None, seed: int) -> dict[str, str | None]:
    """For every measure: its options, versions, dictionary and bootstrap; None if not computed.

    `dictionary` and `bertscore` are the signatures of the dictionary and of the model.
    """
    entities = f"{dictionary}|{SPLITTER}"
    how: dict[str, str | None] = {
        "bleu": bleu_signature(),
        "bertscore": bertscore,
        "length": "tokens:white-space",
        **dict.fromkeys(("rouge1", "rouge2", "rougeL"), ROUGE),
    }
    end = f"bootstrap:{RESAMPLES}|level:{LEVEL}|seed:{seed}|expartkg:{expartkg.__version__}"
    lines = {metric: how.get(metric, entities) for metric in METRICS}
    return {metric: line and f"{metric}|{line}|{end}" for metric, line in lines.items()}
