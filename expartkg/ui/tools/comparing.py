"""The same work explained in two ways, side by side."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import gradio as gr

from expartkg.comparison import Comparison, compare
from expartkg.errors import ExpArtError, UsageError
from expartkg.exports import comparison_to_html, comparison_to_json
from expartkg.files import file_name
from expartkg.records import Event, Run, StopFlag
from expartkg.ui.bridge import Batch, Notice, stream
from expartkg.ui.form import Form, typed
from expartkg.ui.guide import Errand, Guide, begin
from expartkg.ui.parts import AT_ONCE, QUIET, html_part, offer, visitor_of
from expartkg.ui.status import Status, status_of
from expartkg.ui.story import Story
from expartkg.ui.text.tools import Pair
from expartkg.ui.tools.outlets import Updates

log = logging.getLogger(__name__)

CHANGES: dict[Pair, tuple[dict[str, str], dict[str, str]]] = {
    "graph": ({"method": "validate"}, {"method": "baseline"}),
    "ranking": ({"ranking": "qid"}, {"ranking": "pid"}),
    "both": ({"ranking": "qid"}, {"ranking": "pid-qid"}),
}
"""What the two sides of a pair set."""


@dataclass(frozen=True, slots=True)
class Way:
    """One of two ways: what it is called, and the run to make, or the run if it is there."""

    name: str
    errand: Errand | None = None
    run: Run | None = None


class Comparing:
    """The part of the page that compares."""

    def __init__(self, guide: Guide) -> None:
        self._guide = guide
        self._words = guide.words.tools.comparing

    def lay_out(self, fields: list[Any]) -> None:
        """`fields` are those of the form."""
        words = self._words
        with gr.Accordion(words.heading, open=False, elem_id="compare"):
            pair = gr.Radio(
                [(label, name) for name, label in words.pairs.items()],
                value="graph",
                label=words.pair.label,
                info=words.pair.info,
            )
            with gr.Row():
                go = gr.Button(words.start, variant="primary", min_width=100)
                stop = gr.Button(words.stop, interactive=False, min_width=100)
            status = html_part(
                self._guide.cards.status(Status("idle", words.idle)), "compare-status"
            )
            self._result = html_part("", "comparison", "keep_open")
        go.click(
            self._compare,
            [pair, *fields],
            [status, self._result, go, stop],
            concurrency_limit=None,
            **QUIET,
        )
        stop.click(self._stop, **AT_ONCE)

    def _stop(self, request: gr.Request) -> None:
        self._guide.house.visits.stop(visitor_of(request))

    async def _compare(
        self, request: gr.Request, pair: Pair, *values: Any
    ) -> AsyncGenerator[Updates, None]:
        visitor = visitor_of(request)
        before = self._guide.house.visits.begin(visitor)
        running = (gr.update(interactive=False), gr.update(interactive=True))
        ended = (gr.update(interactive=True), gr.update(interactive=False))
        try:
            ways = self._ways(pair, Form(*values), visitor)
            yield ("", "", *running)
            stories = [_story_of(way) for way in ways]
            async with aclosing(self._run(ways, stories, before)) as statuses:
                async for status in statuses:
                    yield (status, gr.skip(), gr.skip(), gr.skip())
            # Comparing long answers takes seconds, in which nobody else's page may stand still.
            yield (*await asyncio.to_thread(self._drawn, ways, stories), *ended)
        except UsageError as error:
            status = self._guide.cards.status(Status("failed", str(error)))
            yield (status, gr.skip(), *ended)
        except Exception:
            log.exception("two runs could not be compared")
            status = self._guide.cards.status(Status("failed", self._guide.words.broken))
            yield (status, gr.skip(), *ended)
        finally:
            self._guide.house.visits.end(visitor, before)

    def _ways(self, pair: Pair, form: Form, visitor: str) -> tuple[Way, Way]:
        """The two ways of a pair. Raises `UsageError` for a form that has not got what it needs."""
        if complaints := form.complaints(self._guide.words):
            raise UsageError(" ".join(complaints.values()))
        settings = form.settings(self._guide.house.settings)
        errand = Errand(form.artwork, settings, form.asked())
        if pair == "last":
            shown = self._guide.house.kept.get(visitor)
            if shown is None:
                raise UsageError(self._words.no_last)
            values = self._words.values
            return Way(values["shown"], run=shown), Way(values["filled"], errand)
        if pair == "title":
            return self._title_ways(form, errand)
        left, right = (
            Way(self._name(change), replace(errand, settings=settings.replace(**change)))
            for change in CHANGES[pair]
        )
        return left, right

    def _title_ways(self, form: Form, errand: Errand) -> tuple[Way, Way]:
        if not typed(form.title):
            raise UsageError(self._words.no_title)
        values = self._words.values
        untitled = replace(form, title=None, artist=None, question=None, pick=None)
        return (
            Way(f"{values['title']}: {values['with']}", errand),
            Way(
                f"{values['title']}: {values['without']}",
                Errand(untitled.artwork, errand.settings),
            ),
        )

    def _name(self, change: dict[str, str]) -> str:
        ((name, value),) = change.items()
        words = self._guide.words
        names: Mapping[Any, str] = words.methods if name == "method" else words.rankings
        return names[value]

    async def _run(
        self, ways: tuple[Way, Way], stories: list[Story], stop: Any
    ) -> AsyncGenerator[str, None]:
        """Makes what is missing, one after the other in one place of the line; yields statuses."""
        errands = [way.errand for way in ways if way.errand]
        open_stories = [
            story for way, story in zip(ways, stories, strict=True) if way.errand is not None
        ]
        limit = sum(errand.settings.time_limit for errand in errands)
        start = partial(_one_after_the_other, self._guide, errands)
        async with aclosing(stream(start, self._guide.house.line, stop, limit)) as batches:
            async for batch in batches:
                _add(batch, open_stories)
                yield self._status(stories)

    def _status(self, stories: list[Story]) -> str:
        number = next(
            (place for place, story in enumerate(stories) if not story.is_over), len(stories) - 1
        )
        status = status_of(stories[number], self._guide.words)
        frame = (self._words.first, self._words.second)[number]
        sentence = frame.format(status=status.sentence)
        return self._guide.cards.status(Status(status.state, sentence))

    def _drawn(self, ways: tuple[Way, Way], stories: list[Story]) -> tuple[Any, Any]:
        """Status and result. With a run that did not end there is nothing to be compared."""
        runs = [story.run for story in stories]
        left, right = runs
        if left is None or right is None:
            last = stories[-1]
            # Stopped between the two, the second one has nothing to say.
            status = (
                status_of(last, self._guide.words)
                if last.is_over
                else Status("stopped", self._guide.words.stopped)
            )
            return self._guide.cards.status(status), gr.skip()
        comparison = compare(left, right, (ways[0].name, ways[1].name))
        statuses = [status_of(story, self._guide.words).sentence for story in stories]
        done, files = Status("accepted", self._words.done), {}
        try:
            files = self._files(comparison)
        except ExpArtError as error:
            # What cannot be taken away can be read all the same.
            done = Status("failed", str(error))
        html = self._guide.cards.comparison(comparison, statuses, files)
        return self._guide.cards.status(done), html

    def _files(self, comparison: Comparison) -> dict[str, str]:
        name = "compared-" + file_name(comparison.left.run.artwork.title or "")
        texts = {".html": comparison_to_html, ".json": comparison_to_json}
        return {
            ending: offer(self._result, name + ending, text(comparison).encode("utf-8", "replace"))
            for ending, text in texts.items()
        }


def _story_of(way: Way) -> Story:
    settings = way.errand.settings.for_run() if way.errand else {}
    used = dict[str, Any](way.run.settings if way.run else settings)
    return Story(uuid.uuid4().hex[:8], method=used["method"], ranking=used["ranking"], run=way.run)


def _one_after_the_other(guide: Guide, errands: list[Errand], stop: StopFlag) -> Iterator[Event]:
    for errand in errands:
        if stop.is_set():
            return
        yield from begin(guide.house, errand, stop)


def _add(batch: Batch, stories: list[Story]) -> None:
    """What happened belongs to the first story that is not over; a notice to all of those."""
    for item in batch:
        story = next((story for story in stories if not story.is_over), None)
        if story is None:
            return
        if isinstance(item, Notice):
            for waiting in [story for story in stories if not story.is_over]:
                waiting.add([item])
        else:
            story.add([item])
