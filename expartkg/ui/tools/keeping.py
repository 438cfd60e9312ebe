"""Taking an explanation away, and opening one that was saved."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import gradio as gr

from expartkg.errors import RunFormatError
from expartkg.exports import export_text
from expartkg.files import file_name
from expartkg.records import Run
from expartkg.runs import read_run
from expartkg.ui.addresses import link_to
from expartkg.ui.guide import Guide
from expartkg.ui.parts import AT_ONCE, QUIET, html_part, offer, visitor_of
from expartkg.ui.status import Status
from expartkg.ui.tools.outlets import Outlets, Updates, updates

RUNS = Path(__file__).resolve().parents[3] / "assets" / "runs"
ENDINGS = (".html", ".md", ".json")
MOST_BYTES = 2 * 2**20
MOST_ITERATIONS = 50
"""What the page saves is far below both, and what is beyond them takes minutes to draw."""


@cache
def example_runs() -> dict[str, Run]:
    """The saved runs that come with the guide, by their names."""
    return {file.stem: read_run(file.read_bytes()) for file in sorted(RUNS.glob("*.json"))}


class Keeping:
    """The files of the explanation that is shown, and a part that shows saved ones."""

    def __init__(self, guide: Guide, outlets: Outlets) -> None:
        self._guide = guide
        self._outlets = outlets
        self._words = guide.words.tools.keeping
        self.files = html_part("", "keep", "copy_link")

    def lay_out(self) -> list[Any]:
        """The part that opens saved explanations. Returns the events after which one is shown."""
        with gr.Accordion(self._words.open, open=False, elem_id="open"):
            examples = html_part(
                self._guide.cards.saved_runs(example_runs()), "saved-runs", "choose"
            )
            button = gr.UploadButton(
                self._words.upload, file_types=[".json"], size="sm", elem_id="open-json"
            )
        shown = self._outlets.all
        return [
            examples.pick(self._open_example, None, shown, **AT_ONCE),
            button.upload(self._open_file, button, shown, **QUIET),
        ]

    def drawn(self, run: Run | None) -> str:
        """What can be taken away of a run, in HTML; nothing without one."""
        if run is None:
            return ""
        name = file_name(run.artwork.title or run.question.text)
        files = {
            ending: offer(
                self.files, name + ending, export_text(run, ending).encode("utf-8", "replace")
            )
            for ending in ENDINGS
        }
        return self._guide.cards.keep(run, files, link_to(run))

    def _open_example(self, event: gr.EventData, request: gr.Request) -> Updates:
        run = example_runs().get(str(event.id))
        return self._show(run, request) if run else (gr.skip(),) * len(self._outlets.all)

    def _open_file(self, path: str, request: gr.Request) -> Updates:
        try:
            return self._show(_opened(path), request)
        except RunFormatError as error:
            return self._complain(str(error))

    def _show(self, run: Run, request: gr.Request) -> Updates:
        visitor = visitor_of(request)
        if self._guide.house.visits.is_busy(visitor):
            return self._complain(self._words.while_running)
        return updates(None, self._guide.open(run, visitor))

    def _complain(self, reason: str) -> Updates:
        status = self._guide.cards.status(Status("failed", reason))
        return (status, *(gr.skip(),) * (len(self._outlets.all) - 1))


def _opened(path: str) -> Run:
    """The run in an uploaded file. Raises `RunFormatError`, which says what is wrong."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise RunFormatError(f"The file cannot be read: {error.strerror}.") from error
    if len(content) > MOST_BYTES:
        raise RunFormatError(
            f"The file is larger than the {MOST_BYTES // 2**20} MB that it may be."
        )
    run = read_run(content)
    if (rounds := len(run.iterations)) > MOST_ITERATIONS:
        raise RunFormatError(
            f"The Run has {rounds:,} iterations, and the page shows {MOST_ITERATIONS} at most."
        )
    return run
