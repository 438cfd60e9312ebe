"""A visitor's run as a sequence of screens, which the page shows. Knows no gradio."""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from expartkg.commons import Commons
from expartkg.errors import UsageError
from expartkg.loop import UNSTEERED, explain
from expartkg.records import Artwork, Event, Intervention, PictureSource, Run, StopFlag
from expartkg.replay import replay
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import Settings
from expartkg.steering import Steering, steer
from expartkg.ui import lent_gpu
from expartkg.ui.bridge import Batch, Line, stream
from expartkg.ui.cards import Cards
from expartkg.ui.form import Form, credit_of
from expartkg.ui.loading import Loading
from expartkg.ui.status import Status
from expartkg.ui.story import Story
from expartkg.ui.text import Words

MOST_KEPT = 30
"""Explanations that are kept for visitors, with pictures of 12 MB at most."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Screen:
    """All that changes on the page, as HTML; `running` is what the buttons go by."""

    status: str
    work: str
    answer: str
    cards: str
    running: bool = False


class Visits:
    """The stop flags of the runs going on, by visitor; a visitor has one run at a time."""

    def __init__(self) -> None:
        self._flags: dict[str, threading.Event] = {}

    def begin(self, visitor: str) -> threading.Event:
        """The flag of a new run; a run that the visitor still has is stopped."""
        self.stop(visitor)
        self._flags[visitor] = threading.Event()
        return self._flags[visitor]

    def stop(self, visitor: str) -> None:
        """Stops the visitor's run, if there is one."""
        if flag := self._flags.get(visitor):
            flag.set()

    def is_busy(self, visitor: str) -> bool:
        """Whether the visitor has a run going on."""
        return visitor in self._flags

    def end(self, visitor: str, flag: threading.Event) -> None:
        """Forgets a run that is over, unless a newer one has taken its place."""
        if self._flags.get(visitor) is flag:
            del self._flags[visitor]


class Kept:
    """The explanation that each visitor sees, for what can be done with it afterwards."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._runs: dict[str, Run] = {}
        self._lock = threading.Lock()

    def get(self, visitor: str) -> Run | None:
        """The visitor's last run, if it is still there."""
        return self._runs.get(visitor)

    def put(self, visitor: str, run: Run) -> None:
        """Takes the place of the visitor's last one; of too many the oldest goes."""
        with self._lock:
            self._runs.pop(visitor, None)
            self._runs[visitor] = run
            while len(self._runs) > self._most:
                del self._runs[next(iter(self._runs))]

    def forget(self, visitor: str) -> None:
        """For a visitor who has left."""
        with self._lock:
            self._runs.pop(visitor, None)


@dataclass(frozen=True, slots=True)
class House:
    """What all visitors share, in whatever language: graph, engine, and the line for it."""

    retriever: Retriever
    engine: Loading
    settings: Settings
    commons: Commons
    line: Line = field(default_factory=Line)
    visits: Visits = field(default_factory=Visits)
    kept: Kept = field(default_factory=Kept)


@dataclass(frozen=True, slots=True)
class Errand:
    """A run that a visitor wants. `artwork` is called in a worker thread: a large picture takes
    its time to open.
    """

    artwork: Callable[[], Artwork]
    settings: Settings
    question: str | None = None
    steering: Steering = UNSTEERED


def begin(house: House, errand: Errand, stop: StopFlag) -> Iterator[Event]:
    """Starts a run with what the house has. To be called in a worker thread."""
    artwork, settings, question = errand.artwork(), errand.settings, errand.question
    engine = house.engine.engine(stop)
    if lent_gpu.is_on():
        return lent_gpu.explain_on_lent_gpu(artwork, settings, question, stop, errand.steering)
    return explain(
        artwork,
        retriever=house.retriever,
        engine=engine,
        settings=settings,
        question=question,
        stop=stop,
        steering=errand.steering,
    )


_CHOICES = ("method", "ranking", "top_k", "max_iterations", "source", "validator_facts")
"""The settings that visitors choose; all others are the house's."""


def _choices_of(run: Run) -> dict[str, object]:
    return {name: run.settings[name] for name in _CHOICES}


class Guide:
    """Runs explanations for visitors, one at a time, and draws what they see in one language."""

    def __init__(self, house: House, words: Words, address: str = "") -> None:
        """`address` is where the page in this language is, from the root on."""
        self.house = house
        self.words = words
        self.cards = Cards(words, address)

    @property
    def notice(self) -> str | None:
        """What is to be known of the engine, beside its answers."""
        notice = self.house.engine.notice
        return self.words.notices.get(notice, notice) if notice else None

    def before(self) -> Screen:
        """What is shown before the first run."""
        status = self.cards.status(Status("idle", self.words.ready))
        return Screen(status, "", self.cards.answer(None), self.cards.cards(None))

    async def explain(self, form: Form, visitor: str) -> AsyncGenerator[Screen, None]:
        """The screens of a run, at most ten a second; the last one is not `running`.

        Never raises: whatever goes wrong is said in the status line, and the text stays.
        """

        def errand() -> Errand:
            settings = form.settings(self.house.settings)
            return Errand(form.artwork, settings, form.asked())

        async with aclosing(self._watch(errand, form.picture_source(), visitor)) as screens:
            async for screen in screens:
                yield screen

    async def again(
        self, run: Run, intervention: Intervention, visitor: str
    ) -> AsyncGenerator[Screen, None]:
        """A finished run from the middle on, with what the visitor changed; as `explain`.

        A run that was opened from a file has no picture, and goes on without one. Whoever wrote
        the file chooses what the form has, and neither limits nor anything else of the house.
        """
        source = run.artwork.picture if run.artwork.image else None
        artwork = replace(run.artwork, picture=source)

        def errand() -> Errand:
            settings = self.house.settings.replace(**_choices_of(run))
            return Errand(lambda: artwork, settings, run.question.text, steer(run, intervention))

        async with aclosing(self._watch(errand, source, visitor)) as screens:
            async for screen in screens:
                yield screen

    async def _watch(
        self, errand: Callable[[], Errand], picture: PictureSource | None, visitor: str
    ) -> AsyncGenerator[Screen, None]:
        story = self._story(picture)
        screen = self._drawn(self.before(), story)
        yield screen
        stop = self.house.visits.begin(visitor)
        try:
            asked = errand()
            story.method, story.ranking = asked.settings.method, asked.settings.ranking
            start = partial(begin, self.house, asked)
            run = stream(start, self.house.line, stop, asked.settings.time_limit)
            async with aclosing(run) as batches:
                async for batch in batches:
                    screen = self._after(screen, story, batch)
                    if story.run:
                        self.house.kept.put(visitor, story.run)
                    yield screen
        except UsageError as error:
            yield self._failed(screen, str(error))
        except Exception:
            log.exception("a run could not be shown")
            yield self._failed(screen, self.words.broken)
        finally:
            self.house.visits.end(visitor, stop)

    def open(self, run: Run, visitor: str) -> Screen:
        """A saved run as it looked when it was made. Needs no engine."""
        story = self._story(run.artwork.picture)
        settings = dict[str, Any](run.settings)
        story.method, story.ranking = settings["method"], settings["ranking"]
        story.add(replay(run))
        self.house.kept.put(visitor, run)
        return replace(self._drawn(self.before(), story), work=self.cards.saved(run))

    def _story(self, picture: PictureSource | None) -> Story:
        return Story(uuid.uuid4().hex[:8], picture=credit_of(picture, self.words))

    def _after(self, screen: Screen, story: Story, batch: Batch) -> Screen:
        if story.add(batch):
            return self._drawn(screen, story)
        if not batch and story.started is None and (progress := self.house.engine.progress):
            return replace(screen, status=self.cards.status(Status("waiting", progress)))
        return replace(screen, answer=self.cards.answer(story)) if batch else screen

    def _failed(self, screen: Screen, reason: str) -> Screen:
        status = self.cards.status(Status("failed", reason))
        return replace(screen, status=status, running=False)

    def _drawn(self, screen: Screen, story: Story) -> Screen:
        return Screen(
            status=self.cards.status_of(story),
            work=screen.work or self._work(story),
            answer=self.cards.answer(story),
            cards=self.cards.cards(story),
            running=not story.is_over,
        )

    def _work(self, story: Story) -> str:
        if story.started is None:
            return ""
        used = story.started.candidates[:1]
        return self.cards.work(story.started, self.house.retriever.works(used))
