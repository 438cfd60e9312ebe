"""What a visitor sees of a run while it goes on: the events and notices so far, added up.

Knows no HTML. One story belongs to one run of one visitor.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from expartkg.records import (
    Answer,
    AnswerDelta,
    Answered,
    Event,
    Finished,
    Judged,
    Method,
    Retrieved,
    Run,
    Started,
    Verdict,
)
from expartkg.ui.bridge import Abandoned, Broken, Crowded, Notice, Overdue, Stuck, Waiting

ENDINGS = (Crowded, Stuck, Abandoned, Overdue, Broken)
"""Notices after which nothing more comes."""


@dataclass
class Round:
    """An iteration as far as it has come; `text` is its answer so far."""

    retrieved: Retrieved
    text: str = ""
    answer: Answer | None = None
    verdict: Verdict | None = None
    verdict_seconds: float | None = None


@dataclass
class Story:
    """A run by `method` and `ranking` as far as it has come; `key` tells it from the visitor's
    other runs.

    `picture` says where its picture comes from.
    """

    key: str = ""
    method: Method = "validate"
    ranking: str = "qid"
    picture: str = ""
    started: Started | None = None
    rounds: list[Round] = field(default_factory=list)
    run: Run | None = None
    notice: Notice | None = None

    @property
    def is_over(self) -> bool:
        return self.run is not None or isinstance(self.notice, ENDINGS)

    @property
    def answer(self) -> str:
        """The newest text: an answer stays until the first word of the next one."""
        return next((round_.text for round_ in reversed(self.rounds) if round_.text.strip()), "")

    def add(self, batch: Iterable[Event | Notice]) -> bool:
        """Adds what happened; True if that was more than pieces of an answer."""
        more = False
        for item in batch:
            if isinstance(item, AnswerDelta):
                self.rounds[-1].text += item.text
            else:
                self._add(item)
                more = True
        return more

    def _add(self, item: Event | Notice) -> None:
        match item:
            case Started():
                self.started, self.notice = item, None
            case Retrieved():
                self.rounds.append(Round(item))
            case Answered():
                self.rounds[-1].answer = item.answer
                self.rounds[-1].text = item.answer.text
            case Judged():
                self.rounds[-1].verdict = item.verdict
                self.rounds[-1].verdict_seconds = item.seconds
            case Finished():
                self._finish(item.run)
            case Waiting() | Crowded() | Stuck() | Abandoned() | Overdue() | Broken():
                self.notice = item

    def _finish(self, run: Run) -> None:
        """A run that failed tells here how its last answer ended."""
        self.run = run
        for round_, iteration in zip(self.rounds, run.iterations, strict=False):
            round_.answer = iteration.answer
