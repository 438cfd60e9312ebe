"""A whole table of works, explained one after the other."""

from __future__ import annotations

import asyncio
import io
import logging
import shutil
import tempfile
import threading
import uuid
import zipfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import gradio as gr

from expartkg.batch import Folder, Outcome, WorkRow, Works, read_works, report
from expartkg.batch.explaining import MOST_FAILURES_IN_A_ROW, artwork_of, conditions_of
from expartkg.batch.folder import REPORT
from expartkg.batch.table import FindImage, TableError
from expartkg.errors import ExpArtError
from expartkg.files import write_atomically
from expartkg.settings import Settings
from expartkg.ui.bridge import Crowded, Overdue, Stuck, stream
from expartkg.ui.form import Form
from expartkg.ui.guide import Errand, Guide, begin
from expartkg.ui.parts import AT_ONCE, QUIET, html_part, offer, visitor_of
from expartkg.ui.status import Status, status_of
from expartkg.ui.story import Story
from expartkg.ui.tools.outlets import Updates

MOST_WORKS = 50
MOST_BYTES = 2**20
TABLES = (".csv", ".tsv", ".txt")

log = logging.getLogger(__name__)


@dataclass
class Progress:
    """How far a table has come; `story` is that of the work under way."""

    works: Works
    outcomes: list[Outcome] = field(default_factory=list)
    story: Story = field(default_factory=Story)
    key: str = field(default_factory=lambda: uuid.uuid4().hex[:8])
    archive: str = ""

    @property
    def done(self) -> int:
        return sum(outcome.is_done for outcome in self.outcomes)

    @property
    def is_hopeless(self) -> bool:
        """Whether the other works would not fare better: so many failed in a row that the engine
        must be down, or there is no place in the line.
        """
        last = self.outcomes[-MOST_FAILURES_IN_A_ROW:]
        failed = [outcome.run is not None and outcome.run.status == "failed" for outcome in last]
        is_down = len(failed) == MOST_FAILURES_IN_A_ROW and all(failed)
        return is_down or isinstance(self.story.notice, Crowded | Stuck | Overdue)


class Many:
    """The part of the page that explains a table."""

    def __init__(self, guide: Guide) -> None:
        self._guide = guide
        self._words = guide.words.tools.many

    def lay_out(self, fields: list[Any]) -> None:
        """`fields` are those of the form, of which the settings count."""
        words = self._words
        with gr.Accordion(words.heading, open=False, elem_id="many"):
            html_part(self._guide.cards.notice(words.info.format(most=MOST_WORKS)))
            files = gr.File(file_count="multiple", type="filepath", label=words.files, height=140)
            with gr.Row():
                go = gr.Button(words.start, variant="primary", min_width=100)
                stop = gr.Button(words.stop, interactive=False, min_width=100)
            status = html_part("", "many-status")
            self._result = html_part("", "many-results", "keep_open")
        go.click(
            self._explain,
            [files, *fields],
            [status, self._result, go, stop],
            concurrency_limit=None,
            **QUIET,
        )
        stop.click(self._stop, **AT_ONCE)

    def _stop(self, request: gr.Request) -> None:
        self._guide.house.visits.stop(visitor_of(request))

    async def _explain(
        self, request: gr.Request, files: Sequence[str] | None, *values: Any
    ) -> AsyncGenerator[Updates, None]:
        visitor = visitor_of(request)
        stop = self._guide.house.visits.begin(visitor)
        ended = (gr.update(interactive=True), gr.update(interactive=False))
        try:
            settings = Form(*values).settings(self._guide.house.settings)
            with tempfile.TemporaryDirectory(prefix="many-") as place:
                # A table may take longer than uploads are kept.
                own = await asyncio.to_thread(_copied, files or (), Path(place) / "uploads")
                progress = Progress(await asyncio.to_thread(self._read, own))
                yield ("", "", gr.update(interactive=False), gr.update(interactive=True))
                folder = Folder(Path(place) / "explanations")
                async with aclosing(self._run(progress, folder, settings, stop)) as steps:
                    async for changed in steps:
                        result = self._drawn(progress) if changed else gr.skip()
                        yield (self._going(progress), result, gr.skip(), gr.skip())
                progress.archive = await asyncio.to_thread(
                    self._archive, progress, folder, settings
                )
            yield (self._end(progress), self._drawn(progress), *ended)
        except ExpArtError as error:
            yield (self._failed(str(error)), gr.skip(), *ended)
        except OSError as error:
            log.exception("a table could not be explained")
            reason = error.strerror or str(error)
            yield (self._failed(f"{self._guide.words.broken} ({reason})"), gr.skip(), *ended)
        except Exception:
            log.exception("a table could not be explained")
            yield (self._failed(self._guide.words.broken), gr.skip(), *ended)
        finally:
            self._guide.house.visits.end(visitor, stop)

    def _read(self, files: Sequence[str]) -> Works:
        """The works of the one table among the files. Raises `TableError`."""
        tables = [Path(file) for file in files if file.lower().endswith(TABLES)]
        if len(tables) != 1:
            raise TableError(self._words.two_tables if tables else self._words.no_table)
        if tables[0].stat().st_size > MOST_BYTES:
            raise TableError(self._words.too_large)
        works = read_works(tables[0].read_bytes(), _among(files))
        if len(works.rows) > MOST_WORKS:
            raise TableError(self._words.too_many.format(n=len(works.rows), most=MOST_WORKS))
        if not works.rows:
            reasons = [
                self._words.left_out.format(number=row.number, reason=row.reason)
                for row in works.bad[:3]
            ]
            raise TableError(" ".join([self._words.no_work, *reasons]))
        return works

    async def _run(
        self, progress: Progress, folder: Folder, settings: Settings, stop: Any
    ) -> AsyncGenerator[bool, None]:
        """Explains the works, each in a place of its own in the line, so that others come in
        between. Yields whether a work is over.
        """
        for row in progress.works.rows:
            if stop.is_set():
                return
            progress.story = Story(method=settings.method)
            house = self._guide.house
            start = partial(begin, house, Errand(partial(artwork_of, row), settings))
            run = stream(start, house.line, _OneOfMany(stop), settings.time_limit)
            async with aclosing(run) as batches:
                async for batch in batches:
                    progress.story.add(batch)
                    yield False
            if stop.is_set() and not progress.story.run:
                return
            outcome = self._outcome(row, progress.story)
            if outcome.is_done and outcome.run:
                try:
                    await asyncio.to_thread(folder.keep, row, outcome.run)
                except ExpArtError as error:
                    # The others could not be kept either; what is there already can be had.
                    progress.outcomes.append(Outcome(row, problem=str(error)))
                    yield True
                    return
            if outcome.run is None or outcome.run.status != "stopped":
                progress.outcomes.append(outcome)
            yield True
            if progress.is_hopeless:
                return

    def _outcome(self, row: WorkRow, story: Story) -> Outcome:
        if story.run:
            return Outcome(row, story.run)
        return Outcome(row, problem=status_of(story, self._guide.words).sentence)

    def _archive(self, progress: Progress, folder: Folder, settings: Settings) -> str:
        """The address of a ZIP with the folder as the command line leaves it; empty without any."""
        if not progress.done:
            return ""
        house = self._guide.house
        conditions = conditions_of(
            house.retriever, house.engine.engine(threading.Event()), settings, None
        )
        page = report(progress.works, progress.outcomes, folder, conditions, house.engine.notice)
        write_atomically(folder.path / REPORT, page.encode("utf-8", "replace"))
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(folder.path.rglob("*")):
                if file.is_file():
                    archive.write(file, file.relative_to(folder.path.parent))
        return offer(self._result, "explanations.zip", content.getvalue())

    def _drawn(self, progress: Progress) -> str:
        return self._guide.cards.many(
            progress.works, progress.outcomes, progress.key, progress.archive
        )

    def _going(self, progress: Progress) -> str:
        rows = progress.works.rows
        number = min(len(progress.outcomes) + 1, len(rows))
        status = status_of(progress.story, self._guide.words)
        sentence = self._words.waiting.format(
            number=number, total=len(rows), name=rows[number - 1].name, status=status.sentence
        )
        state = "waiting" if status.state == "waiting" else "running"
        return self._guide.cards.status(Status(state, sentence))

    def _end(self, progress: Progress) -> str:
        total = len(progress.works.rows)
        is_whole = len(progress.outcomes) == total
        said = self._words.done if is_whole else self._words.stopped
        sentence = said.format(done=progress.done, total=total)
        if not is_whole and progress.is_hopeless:
            reason = status_of(progress.story, self._guide.words).sentence
            return self._failed(f"{sentence} {reason}")
        return self._guide.cards.status(Status("accepted" if is_whole else "stopped", sentence))

    def _failed(self, reason: str) -> str:
        return self._guide.cards.status(Status("failed", reason))


class _OneOfMany(threading.Event):
    """The stop flag of one run, which is set at its end; that of all of them ends it too."""

    def __init__(self, all_of_them: threading.Event) -> None:
        super().__init__()
        self._all_of_them = all_of_them

    def is_set(self) -> bool:
        return super().is_set() or self._all_of_them.is_set()


def _copied(files: Sequence[str], folder: Path) -> list[str]:
    """Copies of the files, under their names, each in a folder of its own."""
    copies = [folder / str(number) / Path(file).name for number, file in enumerate(files)]
    for file, copy in zip(files, copies, strict=True):
        copy.parent.mkdir(parents=True)
        shutil.copy(file, copy)
    return [str(copy) for copy in copies]


def _among(files: Sequence[str]) -> FindImage:
    """Images among the uploads, by their names, whatever folder the table has them in."""
    by_name = {Path(file).name: Path(file) for file in files}

    def find(cell: str) -> Path:
        name = cell.replace("\\", "/").rpartition("/")[2]
        if name not in by_name:
            raise TableError(f"there is no image {name} among the files")
        return by_name[name]

    return find
