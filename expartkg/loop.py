"""The iterative loop of Section 2 as a generator of events.

One generator feeds the page, the command line, the API and the evaluation. It knows no page, no
model and no file format; whatever happens, its last event is `Finished` with a Run.
"""

from __future__ import annotations

import dataclasses
import logging
import re
import threading
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing

from expartkg.engines.base import Engine
from expartkg.engines.checked import CheckedSession, checked_session, checked_verdict
from expartkg.errors import ExpArtError, in_one_line
from expartkg.prompts import explainer_prompt, question_for, validator_prompt, within_budget
from expartkg.records import (
    Answer,
    AnswerDelta,
    Answered,
    Artwork,
    Event,
    Finished,
    Identification,
    Iteration,
    Judged,
    Mention,
    Question,
    Retrieved,
    Run,
    Sentence,
    Source,
    Started,
    Status,
    StopFlag,
)
from expartkg.replay import events_of
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import Settings
from expartkg.signature import signature_of
from expartkg.steering import Steering
from expartkg.support import support_of

UNSTEERED = Steering()
log = logging.getLogger(__name__)
_HALF = re.compile("[\ud800-\udfff]")


def explain(
    artwork: Artwork,
    *,
    retriever: Retriever,
    engine: Engine,
    settings: Settings,
    question: str | None = None,
    stop: StopFlag | None = None,
    steering: Steering = UNSTEERED,
) -> Iterator[Event]:
    """Explains a work: `Started`, for every iteration `Retrieved`, `AnswerDelta`…, `Answered` and
    (if it is judged) `Judged`, last `Finished`.

    `question` replaces the standard question (`{title}` and `{artist}` are filled in). Setting
    `stop`, or reaching `settings.time_limit`, ends the run as `stopped` with what there is; an
    engine that fails ends it as `failed`. Raises only before `Started`: `UnknownEntityError` for
    a picked work that the graph does not have, `UsageError` for a question that cannot be filled.
    With `steering` the iterations that it keeps are told again, and the others follow.
    """
    return prepare(
        artwork,
        retriever=retriever,
        engine=engine,
        settings=settings,
        question=question,
        stop=stop,
        steering=steering,
    ).events()


def prepare(
    artwork: Artwork,
    *,
    retriever: Retriever,
    engine: Engine,
    settings: Settings,
    question: str | None = None,
    stop: StopFlag | None = None,
    steering: Steering = UNSTEERED,
) -> Loop:
    """What `explain` goes through; raises what it raises."""
    artwork = dataclasses.replace(
        artwork,
        title=artwork.title and _whole(artwork.title),
        artist=artwork.artist and _whole(artwork.artist),
    )
    work = retriever.identify(artwork)
    first = question_for(work.artwork, question and _whole(question))
    asked = question_for(work.artwork, steering.question) if steering.question else first
    deadline = _Deadline(stop or threading.Event(), settings.time_limit)
    return Loop(work, first, asked, retriever, engine, settings, deadline, steering)


class _Deadline:
    """A stop flag that also sets itself after `seconds`."""

    def __init__(self, stop: StopFlag, seconds: float) -> None:
        self._stop = stop
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def is_set(self) -> bool:
        return self._stop.is_set() or self.passed

    @property
    def passed(self) -> bool:
        return time.monotonic() >= self._end

    @property
    def reason(self) -> str | None:
        if self._stop.is_set() or not self.passed:
            return None
        return f"The time limit of {self._seconds:g} seconds was reached; raise it in the settings."


@dataclasses.dataclass
class _Draft:
    """An iteration whose answer is being written."""

    retrieved: Retrieved
    pieces: list[str] = dataclasses.field(default_factory=list)
    began: float = dataclasses.field(default_factory=time.monotonic)

    def iteration(self, answer: Answer | None = None) -> Iteration:
        """With its answer, or with one that failed after what there is of it."""
        seconds = time.monotonic() - self.began
        kept = answer or Answer("".join(self.pieces), "failed", seconds=seconds)
        return Iteration(
            self.retrieved.number,
            self.retrieved.source,
            self.retrieved.mentions,
            self.retrieved.facts,
            self.retrieved.prompt,
            dataclasses.replace(kept, text=_joined(kept.text)),
            facts_dropped=self.retrieved.facts_dropped,
            retrieval_seconds=self.retrieved.seconds,
        )


@dataclasses.dataclass
class Loop:
    """The state of one run while it lasts. `question` is what it asks now, `first` what it began
    with; they differ where a person has edited it.
    """

    work: Identification
    first: Question
    question: Question
    retriever: Retriever
    engine: Engine
    settings: Settings
    stop: _Deadline
    steering: Steering
    iterations: list[Iteration] = dataclasses.field(default_factory=list)
    draft: _Draft | None = None
    session: Mapping[str, object] = dataclasses.field(default_factory=dict)

    def events(self) -> Iterator[Event]:
        yield Started(self.first, self.work.artwork, self.work.candidates)
        for kept in self.steering.kept:
            self.iterations.append(kept)
            yield from events_of(kept)
        status: Status
        error: str | None = None
        try:
            status = yield from self._iterate()
        except ExpArtError as failure:
            # An engine that is stopped before it has a verdict can only raise, too.
            status = "stopped" if self.stop.is_set() else "failed"
            error = str(failure)
        except Exception as failure:
            # Rankings may be code of others, too: a failed run is still a Run.
            log.exception("the run failed")
            status = "failed"
            error = f"The run broke off: {type(failure).__name__}: {in_one_line(failure)}"
        if status == "stopped":
            error = self.stop.reason
        yield Finished(self.run(status, error))

    def _iterate(self) -> Generator[Event, None, Status]:
        validator = None if self.settings.method == "baseline" else self.engine.validator
        image, most_tokens = self.work.artwork.image, self.settings.max_new_tokens
        with checked_session(self.engine, image, most_tokens) as session:
            self.session = session.description
            for number in range(len(self.iterations) + 1, self.settings.rounds + 1):
                if self.stop.is_set():
                    return "stopped"
                yield from self._answer(number, session)
                if self.iterations[-1].answer.finish_reason == "stopped":
                    return "stopped"
                if validator and self.stop.is_set():
                    return "stopped"
                if validator and (yield from self._judge(number)):
                    return "accepted"
        return "exhausted"

    def _answer(self, number: int, session: CheckedSession) -> Generator[Event, None, None]:
        """Steps 1 to 3, or step 5: an iteration up to its answer, kept even if it is cut."""
        retrieved = self._retrieve(number)
        yield retrieved
        self.draft = _Draft(retrieved)
        answer: Answer | None = None
        try:
            with closing(session.answer(retrieved.prompt, self.stop)) as stream:
                for piece in stream:
                    if isinstance(piece, Answer):
                        answer = piece
                    else:
                        self.draft.pieces.append(piece)
                        yield AnswerDelta(number, piece)
            assert answer is not None
        finally:
            kept = self.draft.iteration(answer)
            self.iterations.append(kept)
            self.draft = None
        yield Answered(number, kept.answer)

    def _retrieve(self, number: int) -> Retrieved:
        if self.settings.method == "baseline":
            return Retrieved(number, "question", (), (), explainer_prompt(self.question.text, ()))
        began = time.monotonic()
        source, mentions = self._mentions(number)
        mentions = self.steering.mentions(mentions)
        ranked = self.retriever.facts(
            mentions,
            ranking=self.settings.ranking,
            top_k=self.settings.top_k,
            first=self.work.entity,
        )
        facts, dropped = within_budget(self.steering.facts(ranked), self.settings.facts_budget)
        prompt = explainer_prompt(self.question.text, facts)
        seconds = time.monotonic() - began
        return Retrieved(number, source, mentions, facts, prompt, dropped, seconds)

    def _mentions(self, number: int) -> tuple[Source, tuple[Mention, ...]]:
        """Of the question at first; later of what `settings.source` says (step 5).

        An answer that names no entity gives no new lead: then it is the question again.
        """
        in_question = self.retriever.names.find_in_question(self.question, self.work)
        if number == 1 or self.settings.source == "question":
            return "question", in_question
        answer = self.iterations[-1].answer.text
        in_answer = self.retriever.names.find(answer, self.work)
        if self.settings.source == "both":
            # The text retrieved from is the question, a line break and the answer.
            offset = len(self.question.text) + 1
            return "both", (*in_question, *(_shifted(mention, offset) for mention in in_answer))
        return ("answer", in_answer) if in_answer else ("question", in_question)

    def _judge(self, number: int) -> Generator[Event, None, bool]:
        """Step 4: the validator sees question and answer, nothing else. True ends the run."""
        last = self.iterations[-1]
        prompt = validator_prompt(
            self.question.text,
            last.answer.text,
            last.facts,
            show_facts=self.settings.validator_facts,
        )
        began = time.monotonic()
        verdict = checked_verdict(self.engine, prompt, last.answer.text, self.stop)
        seconds = time.monotonic() - began
        self.iterations[-1] = dataclasses.replace(last, verdict=verdict, verdict_seconds=seconds)
        yield Judged(number, verdict, seconds)
        return verdict.accepted and self.settings.method == "validate"

    def run(self, status: Status, error: str | None) -> Run:
        """The Run as far as it has come, with the answer that is being written."""
        draft = self.draft
        iterations = (*self.iterations, *([draft.iteration()] if draft else ()))
        return Run(
            status=status,
            question=self.first,
            artwork=self.work.artwork,
            settings=self.settings.for_run(),
            engine={
                "name": self.engine.name,
                "notice": self.engine.notice,
                **self.engine.description,
                **self.session,
            },
            iterations=iterations,
            signature=signature_of(self.retriever.graph, self.settings),
            error=error,
            interventions=self.steering.interventions,
            support=self._support(iterations),
        )

    def _support(self, iterations: tuple[Iteration, ...]) -> tuple[Sentence, ...]:
        """Of the final answer, by the facts of all iterations."""
        if not iterations:
            return ()
        facts = [fact.triple for iteration in iterations for fact in iteration.facts]
        return support_of(iterations[-1].answer.text, facts, self.work, self.retriever)


def _joined(text: str) -> str:
    """The text with the two halves of a character as one, which came in two pieces.

    JSON cannot tell them apart: a Run that is read back would be shorter than its offsets say.
    """
    if not _HALF.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _whole(text: str) -> str:
    """The same, with a question mark for a half without the other, which may come to stand by it
    when the question is filled in.
    """
    return _joined(text).encode("utf-8", "replace").decode("utf-8")


def _shifted(mention: Mention, offset: int) -> Mention:
    return dataclasses.replace(mention, start=mention.start + offset, end=mention.end + offset)
