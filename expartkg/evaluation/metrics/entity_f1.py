"""Entity F1: Eq. 4 to 6 of Appendix A.5."""

from __future__ import annotations

from expartkg.evaluation.metrics.reading import Reading


def entity_f1(generated: Reading, reference: Reading) -> float:
    """EF1: the harmonic mean of precision and recall over occurrences of entities, 0 to 1.

    Occurrences are clipped at the other text's. 0 where precision and recall are both 0, thus
    also where one of the texts names no entity.
    """
    clipped = sum(
        min(times, reference.occurrences.get(name, 0))
        for name, times in generated.occurrences.items()
    )
    if not clipped:
        return 0.0
    precision = clipped / sum(generated.occurrences.values())
    recall = clipped / sum(reference.occurrences.values())
    return 2 * precision * recall / (precision + recall)
