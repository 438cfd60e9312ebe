"""Files that cannot be written: what is finished is shown, and the reason is said."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from expartkg.batch import Folder, WorkRow, Works
from expartkg.commons import Commons
from expartkg.engines.scripted import scripted_engine
from expartkg.records import Run
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import Settings
from expartkg.ui.guide import Guide, House
from expartkg.ui.loading import Loading
from expartkg.ui.parts import html_part
from expartkg.ui.text import ENGLISH
from expartkg.ui.tools.comparing import Comparing, Way, _story_of
from expartkg.ui.tools.many import Many, Progress
from tests.conftest import MakeGraph

REASON = "cannot be written: Not a directory"


@pytest.fixture
def no_folder(tmp_path: Path) -> Path:
    """Where a folder cannot be made."""
    file = tmp_path / "file"
    file.touch()
    return file


@pytest.fixture
def guide(make_graph: MakeGraph, tmp_path: Path) -> Guide:
    graph = make_graph([("Q1", "P170", "Q2")], {"Q1": "Mona Lisa"}, {"Q1": "Artwork"})
    engine = Loading.done(scripted_engine(["By Leonardo."], [0.9]))
    return Guide(House(Retriever(graph), engine, Settings(), Commons(tmp_path)), ENGLISH)


def test_a_comparison_without_its_files(
    guide: Guide, no_folder: Path, make_run: Callable[..., Run]
) -> None:
    comparing = Comparing(guide)
    comparing._result = html_part("")
    comparing._result.GRADIO_CACHE = str(no_folder)
    ways = [Way("left", run=make_run()), Way("right", run=make_run(method="baseline"))]
    status, html = comparing._drawn((ways[0], ways[1]), [_story_of(way) for way in ways])
    assert REASON in status
    assert "left" in html
    assert "download" not in html


def test_many_works_end_at_the_first_that_cannot_be_kept(guide: Guide, no_folder: Path) -> None:
    rows = tuple(WorkRow(number, "Mona Lisa") for number in (2, 3))
    progress = Progress(Works(rows))

    async def run() -> None:
        many, stop = Many(guide), threading.Event()
        async for _ in many._run(progress, Folder(no_folder / "out"), Settings(), stop):
            continue

    asyncio.run(run())
    (outcome,) = progress.outcomes
    assert REASON in str(outcome.reason)
