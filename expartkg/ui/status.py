"""The status line: where a run is, or how it ended, in one sentence."""

from __future__ import annotations

from dataclasses import dataclass

from expartkg.records import Run
from expartkg.ui.bridge import Abandoned, Broken, Crowded, Overdue, Stuck, Waiting
from expartkg.ui.story import Story
from expartkg.ui.text import Words


@dataclass(frozen=True, slots=True)
class Status:
    """`state` is a class of the style sheet."""

    state: str
    sentence: str


def status_of(story: Story, words: Words) -> Status:
    """The status of a run as far as it has come."""
    if story.run:
        return _ending(story.run, story, words)
    match story.notice:
        case Waiting(ahead):
            return Status("waiting", words.waiting(ahead))
        case Crowded():
            return Status("failed", words.crowded)
        case Abandoned():
            return Status("stopped", words.stopped)
        case Overdue():
            return Status("failed", words.overdue)
        case Stuck():
            return Status("failed", words.stuck)
        case Broken(reason):
            return Status("failed", reason or words.broken)
    return Status("running", _progress(story, words))


def _progress(story: Story, words: Words) -> str:
    if not story.rounds:
        return words.starting
    last = story.rounds[-1]
    number = last.retrieved.number
    if last.verdict:
        return words.retrieving.format(number=number + 1)
    return (words.judging if last.answer else words.writing).format(number=number)


def _ending(run: Run, story: Story, words: Words) -> Status:
    rounds = len(run.iterations)
    if run.status in ("accepted", "exhausted") and not run.answer.strip():
        return Status("failed", words.wrote_nothing)
    if run.status == "accepted":
        return Status("accepted", words.accepted.format(number=rounds))
    if run.status == "stopped":
        return Status("stopped", " ".join(filter(None, (words.stopped, run.error))))
    if run.status == "failed":
        return Status("failed", run.error or words.broken)
    return Status("exhausted", words.exhausted[story.method](rounds))
