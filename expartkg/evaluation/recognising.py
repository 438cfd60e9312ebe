"""The input setting Recognised, which is ours: no title is given, but the work may be recognised.

A recognised work is asked about as With Title asks, with the title that the graph has for it: the
question set's own title is in no prompt. Any other work is asked about as Without Title asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from expartkg.evaluation.questions import ArtQuestion
from expartkg.evaluation.trajectories import Input, Trajectories
from expartkg.records import Artwork

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True, slots=True)
class RecognitionCounts:
    """Of `questions` in this setting, the works that were `recognised`.

    Of these, the question set says of `checked` which works they are, and `right` are these.
    """

    questions: int
    recognised: int
    checked: int
    right: int


def artwork_for(
    question: ArtQuestion, input: Input, image: Image | None, recognised: str | None
) -> tuple[Artwork, str | None]:
    """What is known of the work in an input setting, and the question that is asked about it.

    `recognised` is the id of the work that the picture was recognised as.
    """
    if input == "with-title":
        return Artwork(title=question.title, image=image), question.text(with_title=True)
    if input == "without-title" or recognised is None:
        return Artwork(image=image), question.text(with_title=False)
    return Artwork(id=recognised, image=image, found="recognised"), _with_any_title(question)


def _with_any_title(question: ArtQuestion) -> str | None:
    """The question with a gap for the title; where it has none, the one without a title."""
    asked = question.text(with_title=True) or ""
    # As a word of its own: a work called "Art" is not what "Artwork" begins with.
    title = rf"(?<!\w){re.escape(question.title)}(?!\w)"
    gap, found = re.subn(title, "{title}", asked)
    return gap if found else question.text(with_title=False)


def recognition_counts(
    questions: Iterable[ArtQuestion], runs: Trajectories
) -> RecognitionCounts | None:
    """What the runs of this setting recognised; None where there is none."""
    found = {run.key.id: run for run in runs if run.key.input == "recognised" and run.is_complete}
    known = [
        (found[question.id].entity, question.artwork)
        for question in questions
        if question.id in found and found[question.id].found == "recognised"
    ]
    checked = [(entity, artwork) for entity, artwork in known if artwork]
    right = sum(entity == artwork for entity, artwork in checked)
    return RecognitionCounts(len(found), len(known), len(checked), right) if found else None
