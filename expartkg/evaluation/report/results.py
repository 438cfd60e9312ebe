"""All numbers of an experiment: Table 1, Figure 1, the iterations and what they cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from expartkg.errors import DataError
from expartkg.evaluation.bootstrap import Scores, scores
from expartkg.evaluation.pairs import Pair
from expartkg.evaluation.questions import ArtQuestion
from expartkg.evaluation.recognising import RecognitionCounts, recognition_counts
from expartkg.evaluation.rows import Given, Row, generations_alone, given, steps_of
from expartkg.evaluation.scoring import Samples, Scorer
from expartkg.evaluation.trajectories import Input, Trajectories


@dataclass(frozen=True, slots=True, eq=False)
class RowResult:
    """A row of Table 1; `given` and `samples` are of the questions that it answers.

    `iterations`, `facts` and `lookups` are means over questions: answers, triples in all prompts
    together, and documents of entities fetched from the graph.
    """

    row: Row
    given: Mapping[str, Given]
    samples: Samples
    scores: Scores
    iterations: float
    facts: float
    lookups: float

    def histogram(self, most: int) -> list[int]:
        """How many questions took 1, 2, … `most` iterations."""
        counts = Counter(one.iterations for one in self.given.values())
        return [counts[number] for number in range(1, most + 1)]

    @property
    def never_accepted(self) -> float:
        """The share of questions no answer to which was judged True."""
        return fmean(not one.accepted for one in self.given.values())


@dataclass(frozen=True, slots=True, eq=False)
class IterationResult:
    """The answers of one iteration of all runs with a ranking: a point of Figure 1.

    `answers` are by the questions' ids; `facts` and `lookups` are means of this iteration alone.
    """

    input: Input
    ranking: str
    number: int
    answers: Mapping[str, str]
    samples: Samples
    scores: Scores
    facts: float
    lookups: float


@dataclass(frozen=True, slots=True)
class Cost:
    """What the experiment cost, and what it would have cost to run every row on its own."""

    written: int
    tokens: int
    written_alone: int
    failed: int


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """An experiment, scored. `questions` are by their ids.

    `recognition` is None unless works were recognised by their pictures.
    """

    questions: Mapping[str, ArtQuestion]
    rows: tuple[RowResult, ...]
    iterations: tuple[IterationResult, ...]
    most_iterations: int
    cost: Cost
    recognition: RecognitionCounts | None = None

    @property
    def evaluated(self) -> int:
        """How many questions any row has an answer to."""
        return len({id for result in self.rows for id in result.given})

    def curve(self, *, input: Input, ranking: str | None) -> list[IterationResult]:
        """The iterations of one input setting and ranking in their order, none if not run."""
        return [
            point for point in self.iterations if (point.input, point.ranking) == (input, ranking)
        ]

    def row(self, row: Row) -> RowResult | None:
        """The result of a row, if it was asked for and any question has one."""
        return next((result for result in self.rows if result.row == row), None)


def results_of(
    questions: Sequence[ArtQuestion],
    runs: Trajectories,
    rows: Iterable[Row],
    scorer: Scorer,
    *,
    most_iterations: int,
    seed: int,
) -> Results:
    """Scores every row and every iteration. Raises `DataError` if no run is complete."""
    by_id = {question.id: question for question in questions}
    answered = {row: given(row, by_id, runs) for row in rows}
    answered = {row: found for row, found in answered.items() if found}
    if not answered:
        raise DataError("No run is complete, so there is nothing to report; see the failures.")
    return Results(
        questions=by_id,
        rows=tuple(_row_result(row, found, by_id, scorer, seed) for row, found in answered.items()),
        iterations=tuple(
            result
            for row in answered
            if row.method == "loop"
            for result in _iteration_results(row, by_id, runs, scorer, seed)
        ),
        most_iterations=most_iterations,
        cost=Cost(
            written=sum(run.written for run in runs),
            tokens=sum(run.tokens for run in runs),
            written_alone=generations_alone(answered),
            failed=sum(not run.is_complete for run in runs),
        ),
        recognition=recognition_counts(questions, runs),
    )


def _row_result(
    row: Row,
    found: Mapping[str, Given],
    questions: Mapping[str, ArtQuestion],
    scorer: Scorer,
    seed: int,
) -> RowResult:
    samples = scorer.samples(
        [Pair(id, one.answer, questions[id].reference) for id, one in found.items()]
    )
    return RowResult(
        row=row,
        given=found,
        samples=samples,
        scores=scores(samples, seed=seed),
        iterations=fmean(one.iterations for one in found.values()),
        facts=fmean(one.facts for one in found.values()),
        lookups=fmean(one.lookups for one in found.values()),
    )


def _iteration_results(
    row: Row,
    questions: Mapping[str, ArtQuestion],
    runs: Trajectories,
    scorer: Scorer,
    seed: int,
) -> Iterable[IterationResult]:
    assert row.ranking is not None
    steps = {id: steps_of(row, id, runs) for id in questions}
    for number in range(1, 1 + max(map(len, steps.values()))):
        at = {id: found[number - 1] for id, found in steps.items() if len(found) >= number}
        answers = {id: step.answer for id, step in at.items()}
        samples = scorer.samples(
            [Pair(id, answer, questions[id].reference) for id, answer in answers.items()]
        )
        yield IterationResult(
            row.input,
            row.ranking,
            number,
            answers,
            samples,
            scores(samples, seed=seed),
            facts=fmean(len(step.facts) for step in at.values()),
            lookups=fmean(step.lookups for step in at.values()),
        )
