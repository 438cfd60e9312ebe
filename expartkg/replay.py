"""A Run as the events that it was made of, so that it can be shown again like a new one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from expartkg.records import (
    Answered,
    Entity,
    Event,
    Finished,
    Iteration,
    Judged,
    Retrieved,
    Run,
    Started,
)


def replay(run: Run) -> Iterator[Event]:
    """All events of a finished run but the pieces of its answers, which it has as a whole.

    Which other works its title stood for, a run does not keep.
    """
    yield Started(run.question, run.artwork, _work(run))
    for iteration in run.iterations:
        yield from events_of(iteration)
    yield Finished(run)


def events_of(iteration: Iteration) -> Iterator[Event]:
    """The events of one iteration: `Retrieved`, `Answered` and, if it was judged, `Judged`."""
    yield Retrieved(
        iteration.number,
        iteration.source,
        iteration.mentions,
        iteration.facts,
        iteration.prompt,
        iteration.facts_dropped,
        iteration.retrieval_seconds,
    )
    yield Answered(iteration.number, iteration.answer)
    if iteration.verdict:
        yield Judged(iteration.number, iteration.verdict, iteration.verdict_seconds)


def _work(run: Run) -> tuple[Entity, ...]:
    """The run's work, if it is among the entities from which facts were retrieved."""
    mentions = (mention for iteration in run.iterations for mention in iteration.mentions)
    same = (mention.entity for mention in mentions if mention.entity.id == run.artwork.id)
    return tuple(islice(same, 1))
