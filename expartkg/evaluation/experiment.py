"""The experiment of Section 4, made so that nothing is asked of a model twice.

The rows of Table 1 are derived from few runs (`Arm`): the baseline once for each input setting,
and for each ranking one run to the end with a verdict on every answer. What is finished is never
done again, however the process ends (`trajectories`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING

from expartkg.engines.base import Engine
from expartkg.errors import EngineError, ExpArtError, UsageError
from expartkg.evaluation.pictures import Pictures
from expartkg.evaluation.questions import ArtQuestion
from expartkg.evaluation.recognising import artwork_for
from expartkg.evaluation.sharing import OneWork
from expartkg.evaluation.trajectories import (
    Arm,
    Input,
    Key,
    Trajectories,
    Trajectory,
    trajectory_of,
)
from expartkg.overdue import AnyOf, explain_in_time
from expartkg.records import Artwork, Finished, Method, Run, StopFlag
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import Settings

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_FAILURES_IN_A_ROW = 10


@dataclass(frozen=True, slots=True)
class Unreachable:
    """A question whose picture cannot be had; it is left out of the experiment."""

    id: str
    reason: str


Outcome = Trajectory | Unreachable


def arms_for(methods: Iterable[Method], rankings: Sequence[str]) -> tuple[Arm, ...]:
    """The runs from which all rows of these methods and rankings can be derived."""
    asked = set(methods)
    arms = [Arm("baseline", None)] if "baseline" in asked else []
    iterated: Method = "loop" if "loop" in asked else "validate"
    if asked - {"baseline"}:
        arms += [Arm(iterated, ranking) for ranking in dict.fromkeys(rankings)]
    return tuple(arms)


@dataclass(frozen=True, slots=True)
class Experiment:
    """What is asked of whom. `pictures` is None for an engine that is shown none.

    `recognise` gives the id of the work that a picture shows, for the input setting Recognised.
    """

    questions: Sequence[ArtQuestion]
    inputs: Sequence[Input]
    arms: Sequence[Arm]
    retriever: Retriever
    engine: Engine
    settings: Settings
    pictures: Pictures | None = None
    recognise: Callable[[Image], str | None] | None = None

    def __post_init__(self) -> None:
        if self.engine.validator is None and any(arm.method == "validate" for arm in self.arms):
            raise UsageError(
                f"The engine {self.engine.name} judges nothing, so RAG-Validate cannot be run; "
                "leave validate out of --methods."
            )

    def keys(self, question: ArtQuestion) -> list[Key]:
        """All runs about a question."""
        return [Key(question.id, input, arm) for input in self.inputs for arm in self.arms]

    def run(
        self, done: Trajectories, *, workers: int = 1, stop: StopFlag | None = None
    ) -> Iterator[Outcome]:
        """Makes the runs that are not done, adds them to `done` and yields each.

        A question is one worker's. When `stop` is set it ends early, without the runs under way.
        Raises `EngineError` after so many failed runs in a row that the engine must be down; those
        that failed at an earlier start do not count, since they may fail for reasons of their own.
        """
        ended = threading.Event()
        flag = AnyOf(ended, stop or ended)
        failed_before = {run.key for run in done if not run.is_complete}
        pending = [question for question in self.questions if self._missing(question, done)]
        failures = _FailuresInARow(failed_before)
        outcomes: SimpleQueue[Outcome | Future[None]] = SimpleQueue()
        with ThreadPoolExecutor(workers, thread_name_prefix="evaluate") as pool:
            try:
                for question in pending:
                    future = pool.submit(self._ask_all, question, done, outcomes, flag)
                    future.add_done_callback(outcomes.put)
                for outcome in _until_all_are_done(outcomes, len(pending)):
                    yield outcome
                    failures.add(outcome)
            finally:
                ended.set()
                pool.shutdown(cancel_futures=True)

    def _missing(self, question: ArtQuestion, done: Trajectories) -> list[Key]:
        return [key for key in self.keys(question) if done.get(key) is None]

    def _ask_all(
        self,
        question: ArtQuestion,
        done: Trajectories,
        outcomes: SimpleQueue[Outcome | Future[None]],
        stop: StopFlag,
    ) -> None:
        if stop.is_set():
            return
        try:
            image = self.pictures.open(question, stop) if self.pictures else None
        except ExpArtError as error:
            if not stop.is_set():
                outcomes.put(Unreachable(question.id, str(error)))
            return
        missing = self._missing(question, done)
        recognised = self._recognised(missing, image)
        with closing(OneWork(self.engine)) as work:
            for key in missing:
                asked = artwork_for(question, key.input, image, recognised)
                trajectory = self._ask(key, *asked, work, stop)
                if stop.is_set():
                    return
                done.append(trajectory)
                outcomes.put(trajectory)

    def _recognised(self, keys: Iterable[Key], image: Image | None) -> str | None:
        """The work that the picture is recognised as, if any of these runs is about that."""
        if image is None or self.recognise is None:
            return None
        return self.recognise(image) if any(key.input == "recognised" for key in keys) else None

    def _ask(
        self, key: Key, artwork: Artwork, question: str | None, work: OneWork, stop: StopFlag
    ) -> Trajectory:
        written, tokens = work.written, work.tokens
        ranking = key.arm.ranking or self.settings.ranking
        events = explain_in_time(
            artwork,
            retriever=self.retriever,
            engine=work.engine,
            settings=self.settings.replace(method=key.arm.method, ranking=ranking),
            question=question,
            stop=stop,
        )
        run = _last_run(events)
        return trajectory_of(key, run, written=work.written - written, tokens=work.tokens - tokens)


def _last_run(events: Iterable[object]) -> Run:
    *_, last = events
    assert isinstance(last, Finished)
    return last.run


def _until_all_are_done(
    outcomes: SimpleQueue[Outcome | Future[None]], questions: int
) -> Iterator[Outcome]:
    while questions:
        outcome = outcomes.get()
        if isinstance(outcome, Future):
            questions -= 1
            outcome.result()
        else:
            yield outcome


class _FailuresInARow:
    """Tells an engine that is down from questions that fail now and then."""

    def __init__(self, failed_before: Collection[Key]) -> None:
        self._failed_before = failed_before
        self._count = 0

    def add(self, outcome: Outcome) -> None:
        """Raises `EngineError` after too many."""
        if isinstance(outcome, Unreachable) or outcome.key in self._failed_before:
            return
        self._count = 0 if outcome.is_complete else self._count + 1
        if self._count >= MOST_FAILURES_IN_A_ROW:
            raise EngineError(
                f"{self._count} runs failed in a row, the last with: {outcome.error} "
                "Mend the engine and start the same command again; what is done stays done."
            )
