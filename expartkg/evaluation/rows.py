"""The rows of Table 1, derived from the runs of an experiment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from expartkg.evaluation.trajectories import INPUTS, Arm, Input, Key, Step, Trajectories
from expartkg.records import Method

ORDER: Sequence[Method] = ("loop", "validate", "baseline")
RANKING_ORDER = ("pid", "pid-qid", "qid")
"""As Table 1 has them."""


class Row(NamedTuple):
    """A row of Table 1, or one of ours in its manner."""

    input: Input
    method: Method
    ranking: str | None


@dataclass(frozen=True, slots=True)
class Given:
    """What a row's method gave for a question, and at what cost.

    `facts` and `lookups` are summed over the iterations; `accepted` is whether the final answer
    was judged True, None where it was not judged.
    """

    answer: str
    iterations: int
    facts: int
    lookups: int
    accepted: bool | None


def rows_for(
    methods: Iterable[Method], rankings: Iterable[str], inputs: Iterable[Input]
) -> list[Row]:
    """The rows of these methods, rankings and input settings, in the order of Table 1."""
    asked, wanted = set(methods), sorted(set(rankings), key=_place)
    return [
        Row(input, method, ranking)
        for input in sorted(set(inputs), key=INPUTS.index)
        for method in ORDER
        if method in asked
        for ranking in (wanted if method != "baseline" else [None])
    ]


def _place(ranking: str) -> tuple[int, str]:
    known = ranking in RANKING_ORDER
    return (RANKING_ORDER.index(ranking) if known else len(RANKING_ORDER)), ranking


def given(row: Row, ids: Iterable[str], runs: Trajectories) -> dict[str, Given]:
    """What the row gives for each question that has a complete run."""
    steps = {id: steps_of(row, id, runs) for id in ids}
    return {id: _given(found) for id, found in steps.items() if found}


def steps_of(row: Row, id: str, runs: Trajectories) -> tuple[Step, ...]:
    """The iterations that the row's method makes; none where the run is not complete.

    RAG-Validate is the beginning of RAG-Loop's run, up to the first answer that was judged True.
    """
    run = runs.get(Key(id, row.input, Arm(row.method, row.ranking)))
    if run is None and row.method == "validate":
        run = runs.get(Key(id, row.input, Arm("loop", row.ranking)))
    if run is None:
        return ()
    return until_accepted(run.steps) if row.method == "validate" else run.steps


def until_accepted(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The iterations up to the first that was accepted, all if none was."""
    for number, step in enumerate(steps, start=1):
        if step.accepted:
            return tuple(steps[:number])
    return tuple(steps)


def _given(steps: Sequence[Step]) -> Given:
    last = steps[-1]
    return Given(
        answer=last.answer,
        iterations=len(steps),
        facts=sum(len(step.facts) for step in steps),
        lookups=sum(step.lookups for step in steps),
        accepted=last.accepted,
    )


def generations_alone(rows: Mapping[Row, Mapping[str, Given]]) -> int:
    """How many answers would have been written if every row were run on its own."""
    return sum(one.iterations for row in rows.values() for one in row.values())
