"""Entity Coverage, exact and partial: Eq. 3 of Appendix A.5."""

from __future__ import annotations

from expartkg.evaluation.metrics.lcs import lcs_length
from expartkg.evaluation.metrics.reading import Reading, words_of


def coverage_exact(generated: Reading, reference: Reading) -> float:
    """EC with exact match: the share of the set E_R that is in E_G, 0 to 1.

    0 where the reference names no entity.
    """
    wanted = reference.occurrences.keys()
    return len(wanted & generated.occurrences.keys()) / len(wanted) if wanted else 0.0


def coverage_partial(generated: Reading, reference: Reading) -> float:
    """EC with partial match: the mean over E_R of how much of each entity is covered, 0 to 1.

    That is 1 for an entity of E_G, else the longest common subsequence of the words of its name
    and of the whole generated text, divided by the words of its name. 0 where the reference names
    no entity.
    """
    wanted = reference.occurrences
    if not wanted:
        return 0.0
    return sum(_covered(name, generated) for name in wanted) / len(wanted)


def _covered(name: str, generated: Reading) -> float:
    if name in generated.occurrences:
        return 1.0
    words = words_of(name)
    return lcs_length(words, generated.words) / len(words) if words else 0.0
