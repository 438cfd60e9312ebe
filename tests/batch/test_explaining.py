"""Many works into one folder: what is done stays done, what is wrong is said."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest
from PIL import Image

from expartkg.batch import Folder, Outcome, WorkRow, explain_works, read_works, report
from expartkg.batch.explaining import conditions_of
from expartkg.batch.table import image_beside
from expartkg.engines.base import Engine
from expartkg.engines.scripted import scripted_engine
from expartkg.errors import EngineError, ExpArtError
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import Settings
from tests.conftest import HOSTILE_EDGES, HOSTILE_LABELS, MakeGraph

TABLE = b"title,artwork,image\nTwin,,\nUnknown <b>work</b>,,\n,Q1,\n,Q99,\n,,photo.png\n,,bad.png\n"
Explain = Callable[..., list[Outcome]]


@pytest.fixture
def retriever(make_graph: MakeGraph) -> Retriever:
    return Retriever(make_graph(HOSTILE_EDGES, HOSTILE_LABELS, {"Q1": "Artwork", "Q4": "Artwork"}))


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "out")


@pytest.fixture
def rows(tmp_path: Path) -> tuple[WorkRow, ...]:
    Image.new("RGB", (64, 48), "teal").save(tmp_path / "photo.png")
    (tmp_path / "bad.png").write_bytes(b"no picture")
    return read_works(TABLE, image_beside(tmp_path)).rows


@pytest.fixture
def explain_all(retriever: Retriever, folder: Folder) -> Explain:
    def explain_all(rows: Sequence[WorkRow], engine: Engine | None = None) -> list[Outcome]:
        return list(
            explain_works(
                rows,
                folder,
                retriever=retriever,
                engine=engine or scripted_engine(["By Painter* [1]."], [0.9]),
                settings=Settings(),
                stop=threading.Event(),
            )
        )

    return explain_all


def test_every_work_gets_a_run_and_a_page_or_a_reason(
    explain_all: Explain,
    folder: Folder,
    rows: tuple[WorkRow, ...],
    check_run: Callable[[object], None],
) -> None:
    outcomes = explain_all(rows)
    assert [outcome.is_done for outcome in outcomes] == [True, True, True, False, True, False]
    assert "no entity Q99" in str(outcomes[3].reason)
    assert "bad.png is not a picture" in str(outcomes[5].reason)
    for outcome in outcomes:
        if outcome.is_done:
            page = folder.path / folder.page(outcome.row)
            assert "By Painter* [1]." in page.read_text(encoding="utf-8")
            check_run(json.loads(page.with_suffix(".json").read_text(encoding="utf-8")))
    with_picture = folder.path / folder.page(rows[4])
    assert 'src="data:image/jpeg;base64,' in with_picture.read_text(encoding="utf-8")


def test_what_is_done_is_not_made_again_wherever_its_row_stands(
    explain_all: Explain, rows: tuple[WorkRow, ...]
) -> None:
    explain_all(rows[1:3])
    dead = scripted_engine([EngineError("not to be asked")])
    again = explain_all([rows[2], rows[1], rows[2]], dead)
    assert [outcome.was_there for outcome in again] == [True, True, True]
    assert [outcome.run and outcome.run.answer for outcome in again] == ["By Painter* [1]."] * 3


def test_another_picture_under_the_same_name_is_another_work(
    folder: Folder, rows: tuple[WorkRow, ...]
) -> None:
    before = folder.name(rows[4])
    assert rows[4].image
    Image.new("RGB", (64, 48), "red").save(rows[4].image)
    assert folder.name(rows[4]) != before


def test_a_picture_that_has_gone_meanwhile_is_no_reason_to_leave_the_others(
    explain_all: Explain, rows: tuple[WorkRow, ...]
) -> None:
    assert rows[4].image
    rows[4].image.unlink()
    gone, other = explain_all([rows[4], rows[0]])
    assert "photo.png cannot be read: No such file" in str(gone.reason)
    assert other.is_done


@pytest.mark.parametrize("damage", [b"", b"{", b'{"schema": 1}'])
def test_damaged_and_failed_runs_are_made_again(
    explain_all: Explain, folder: Folder, rows: tuple[WorkRow, ...], damage: bytes
) -> None:
    explain_all(rows[:1], scripted_engine([EngineError("gone")]))
    assert not (folder.path / folder.page(rows[0])).exists()
    explain_all(rows[:1])
    (folder.path / folder.page(rows[0])).with_suffix(".json").write_bytes(damage)
    (outcome,) = explain_all(rows[:1])
    assert (outcome.is_done, outcome.was_there) == (True, False)


def test_an_engine_that_is_down_is_not_asked_for_ever(
    explain_all: Explain, rows: tuple[WorkRow, ...]
) -> None:
    with pytest.raises(EngineError, match=r"5 works failed in a row, the last with: gone\..*again"):
        explain_all(rows[:1] * 9, scripted_engine([EngineError("gone.")]))


def test_one_folder_is_made_in_one_way(retriever: Retriever, folder: Folder) -> None:
    engine = scripted_engine(["."])
    before = conditions_of(retriever, engine, Settings(), None)
    folder.prepare(before)
    folder.prepare(before)
    now = conditions_of(retriever, engine, Settings(ranking="pid"), "Who made {title}?")
    with pytest.raises(ExpArtError, match=r"begun with other settings: question, ranking \(quest"):
        folder.prepare(now)


class _Links(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.text = ""
        self.tags: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links += [value or "" for name, value in attrs if name == "href"]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_report_links_to_every_page_and_says_what_is_missing(
    explain_all: Explain, folder: Folder, tmp_path: Path
) -> None:
    Image.new("RGB", (64, 48), "teal").save(tmp_path / "photo.png")
    works = read_works(TABLE + b",,none.png\n", image_beside(tmp_path))
    outcomes = explain_all(works.rows[:4])
    page = _Links(report(works, outcomes, folder, {"ranking": "qid"}, "A <notice>"))
    assert "3 explained, 1 failed, 1 not yet tried, 2 rows left out." in page.text
    assert "Unknown <b>work</b>" in page.text
    assert "A <notice>" in page.text
    assert "b" not in page.tags
    assert len(page.links) == 3
    assert all((folder.path / link).is_file() for link in page.links)
