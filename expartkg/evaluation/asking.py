"""A question asked with its title: which work it is about, and what its wording mentions."""

from __future__ import annotations

from dataclasses import dataclass

from expartkg.evaluation.questions import ArtQuestion
from expartkg.prompts import question_for
from expartkg.records import Artwork, Identification, Mention, Question
from expartkg.retrieval.retriever import Retriever


@dataclass(frozen=True, slots=True)
class Asked:
    """Where the first iteration of a run about the work starts from."""

    question: Question
    work: Identification
    mentions: tuple[Mention, ...]


def ask_with_title(question: ArtQuestion, retriever: Retriever) -> Asked:
    """As a run does it (`loop`), without asking a model."""
    work = retriever.identify(Artwork(title=question.title))
    asked = question_for(work.artwork, question.text(with_title=True))
    return Asked(asked, work, retriever.names.find_in_question(asked, work))
