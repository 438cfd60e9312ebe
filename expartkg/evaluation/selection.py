"""Which questions of a set are asked: the filters and the sample of Section 4 (Table 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from expartkg.errors import DataError
from expartkg.evaluation.questions import ArtQuestion, check_share, names_its_title, sampled
from expartkg.retrieval.dictionary import Dictionary


@dataclass(frozen=True, slots=True)
class Counts:
    """How many questions each stage leaves.

    `raw` all; `naming` those whose reference names an entity; `filtered` those of them whose
    question without the title does not have it; `sampled` those drawn. The paper filters by
    reachable pictures before it samples; here the pictures of the drawn questions alone are looked
    for, which draws from the same ones without fetching all.
    """

    raw: int
    naming: int
    filtered: int
    sampled: int


@dataclass(frozen=True, slots=True)
class Selection:
    """The questions that are asked."""

    questions: tuple[ArtQuestion, ...]
    counts: Counts


def select(
    questions: Sequence[ArtQuestion], dictionary: Dictionary, *, share: float, seed: int
) -> Selection:
    """Filters, and draws a share of what is left. Raises `DataError` if nothing is."""
    check_share(share)
    naming = [question for question in questions if dictionary.find(question.reference)]
    if not naming:
        raise DataError(
            "No reference names an entity of the graph; give the graph of these works with --kg."
        )
    filtered = [question for question in naming if not names_its_title(question)]
    if not filtered:
        raise DataError(
            "Every question that is to be asked without the title has the title in it; "
            "mend the field question_without_title."
        )
    drawn = sampled(filtered, share, seed)
    counts = Counts(len(questions), len(naming), len(filtered), len(drawn))
    return Selection(tuple(drawn), counts)
