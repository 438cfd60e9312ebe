"""How well a validator tells right answers from wrong ones.

Right answers are the references. Wrong ones are made of them (`KINDS`), from hard to easy.
"""

from __future__ import annotations

import random
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from expartkg.engines.base import Validator
from expartkg.errors import DataError
from expartkg.evaluation.asking import Asked, ask_with_title
from expartkg.evaluation.questions import ArtQuestion
from expartkg.prompts import validator_prompt
from expartkg.records import Artwork, Entity, Mention, RankedTriple
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.text import fold
from expartkg.settings import Settings

KINDS: Mapping[str, str] = {
    "swapped": "the reference, each entity but the work itself changed for another of its kind",
    "same_artist": "the reference of another work by the same artist",
    "off_topic": "the reference of a work by somebody else",
}
RIGHT = "right"
BINS = 10


@dataclass(frozen=True, slots=True)
class Case:
    """An answer to a question, and whether it is right."""

    question: ArtQuestion
    kind: str
    answer: str

    @property
    def is_right(self) -> bool:
        return self.kind == RIGHT


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict on a case; `p_true` is 1 or 0 for a validator that gives no probability."""

    case: Case
    p_true: float
    accepted: bool


@dataclass(frozen=True, slots=True)
class KindResult:
    """Right answers against wrong ones of one kind.

    `auc` is the probability that a right answer gets the higher p_true, ties counting one half;
    `accuracy` the mean of the shares of right answers that were accepted and wrong ones that were
    not.
    """

    kind: str
    wrong: int
    auc: float
    accuracy: float
    accepted_wrong: float
    mean_p: float


@dataclass(frozen=True, slots=True)
class Bin:
    """A bin of the calibration curve: answers whose p_true lies in `low` to `high`."""

    low: float
    high: float
    answers: int
    mean_p: float | None
    right: float | None


@dataclass(frozen=True, slots=True)
class ValidatorResult:
    """All kinds, and the calibration over as many right answers as wrong ones of each kind."""

    right: int
    accepted_right: float
    kinds: tuple[KindResult, ...]
    calibration: tuple[Bin, ...]


def make_cases(questions: Sequence[ArtQuestion], retriever: Retriever, seed: int) -> list[Case]:
    """For every question the right answer and a wrong one of each kind that can be made.

    Raises `DataError` where no wrong answer can be made at all.
    """
    make = _Wrong(questions, retriever, random.Random(seed))
    cases = []
    for question in questions:
        cases.append(Case(question, RIGHT, question.reference))
        for kind, answer in make.answers(question):
            cases.append(Case(question, kind, answer))
    if all(case.is_right for case in cases):
        raise DataError(
            "No wrong answer can be made of these questions; give more, with their artists."
        )
    return cases


class _Wrong:
    """Makes wrong answers."""

    def __init__(
        self, questions: Sequence[ArtQuestion], retriever: Retriever, choose: random.Random
    ) -> None:
        self._questions = questions
        self._retriever = retriever
        self._choose = choose
        self._by_artist: defaultdict[str, list[ArtQuestion]] = defaultdict(list)
        self._by_kind: defaultdict[str, list[Entity]] = defaultdict(list)
        for question in questions:
            if question.artist:
                self._by_artist[fold(question.artist)].append(question)
        for entity in retriever.graph.entities:
            self._by_kind[entity.kind].append(entity)

    def answers(self, question: ArtQuestion) -> Iterator[tuple[str, str]]:
        swapped = self._swapped(question)
        if swapped != question.reference:
            yield "swapped", swapped
        artist = fold(question.artist or "")
        same = [other for other in self._by_artist[artist] if other.title != question.title]
        if same:
            yield "same_artist", self._choose.choice(same).reference
        others = [other for other in self._questions if fold(other.artist or "") != artist]
        if others:
            yield "off_topic", self._choose.choice(others).reference

    def _swapped(self, question: ArtQuestion) -> str:
        """A name is changed for the same other name wherever it stands."""
        work = self._retriever.identify(Artwork(title=question.title))
        changed: dict[str, str] = {}
        parts: list[str] = []
        end = 0
        for mention in self._retriever.names.find(question.reference, work):
            if mention.entity == work.entity:
                continue
            if mention.text not in changed:
                changed[mention.text] = self._another(mention)
            parts += (question.reference[end : mention.start], changed[mention.text])
            end = mention.end
        return "".join([*parts, question.reference[end:]])

    def _another(self, mention: Mention) -> str:
        others = self._by_kind[mention.entity.kind]
        labels = [self._choose.choice(others).label for _ in range(8)]
        return next((label for label in labels if label != mention.entity.label), mention.text)


def judge_all(
    cases: Sequence[Case],
    validator: Validator,
    retriever: Retriever,
    settings: Settings,
    *,
    workers: int = 1,
) -> Iterator[Judged]:
    """The verdicts in the order of the cases; every question is asked with its title."""
    never = threading.Event()

    def judge(case: Case) -> Judged:
        asked = ask_with_title(case.question, retriever)
        prompt = validator_prompt(
            asked.question.text,
            case.answer,
            _facts(asked, retriever, settings),
            show_facts=settings.validator_facts,
        )
        verdict = validator.judge(prompt, case.answer, never)
        p_true = float(verdict.accepted) if verdict.p_true is None else verdict.p_true
        return Judged(case, p_true, verdict.accepted)

    with ThreadPoolExecutor(workers, thread_name_prefix="judge") as pool:
        yield from pool.map(judge, cases)


def _facts(asked: Asked, retriever: Retriever, settings: Settings) -> tuple[RankedTriple, ...]:
    """Those of the first iteration."""
    return retriever.facts(
        asked.mentions, ranking=settings.ranking, top_k=settings.top_k, first=asked.work.entity
    )


def measure_validator(judged: Sequence[Judged]) -> ValidatorResult:
    """AUC and accuracy for each kind of wrong answer, and the calibration curve."""
    by_kind: defaultdict[str, list[Judged]] = defaultdict(list)
    for verdict in judged:
        by_kind[verdict.case.kind].append(verdict)
    right = by_kind[RIGHT]
    accepted = _share_accepted(right)
    return ValidatorResult(
        right=len(right),
        accepted_right=accepted,
        kinds=tuple(
            _kind_result(kind, by_kind[kind], right, accepted) for kind in KINDS if by_kind[kind]
        ),
        calibration=tuple(_calibration(judged)),
    )


def _kind_result(
    kind: str, wrong: Sequence[Judged], right: Sequence[Judged], accepted: float
) -> KindResult:
    accepted_wrong = _share_accepted(wrong)
    return KindResult(
        kind=kind,
        wrong=len(wrong),
        auc=auc([v.p_true for v in right], [v.p_true for v in wrong]),
        accuracy=(accepted + 1 - accepted_wrong) / 2,
        accepted_wrong=accepted_wrong,
        mean_p=float(np.mean([verdict.p_true for verdict in wrong])),
    )


def _share_accepted(verdicts: Sequence[Judged]) -> float:
    return sum(verdict.accepted for verdict in verdicts) / len(verdicts)


def auc(right: Sequence[float], wrong: Sequence[float]) -> float:
    """The probability that a right answer is above a wrong one; a tie is half a probability."""
    ordered = np.sort(np.array(wrong))
    below = np.searchsorted(ordered, right, side="left")
    not_above = np.searchsorted(ordered, right, side="right")
    return float((below + not_above).mean() / 2 / len(wrong))


def _calibration(judged: Sequence[Judged]) -> Iterator[Bin]:
    """Right answers are weighted so that they are as many as the wrong ones."""
    p = np.array([verdict.p_true for verdict in judged])
    is_right = np.array([verdict.case.is_right for verdict in judged])
    weights = np.where(is_right, (~is_right).sum() / is_right.sum(), 1.0)
    place = np.minimum((p * BINS).astype(int), BINS - 1)
    for number in range(BINS):
        inside = place == number
        total = weights[inside].sum()
        yield Bin(
            low=number / BINS,
            high=(number + 1) / BINS,
            answers=int(inside.sum()),
            mean_p=float((p * weights)[inside].sum() / total) if total else None,
            right=float((is_right * weights)[inside].sum() / total) if total else None,
        )
