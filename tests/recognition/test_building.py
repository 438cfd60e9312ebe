"""Filling an index: from a folder, from a server that plays Commons, with one's own picture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from expartkg.commons import Commons
from expartkg.errors import CommonsError, ExpArtError, PictureError, RecognitionError
from expartkg.recognition.building import (
    MOST_FAILURES,
    add_picture,
    index_from_commons,
    index_from_folder,
)
from expartkg.recognition.encoders import ENCODER, Encoder
from expartkg.recognition.index import PictureIndex
from tests.commons.server import FakeCommons, Upload
from tests.recognition.painted import painted
from tests.recognition.works import graph_of


@pytest.fixture
def fake() -> Iterator[FakeCommons]:
    with FakeCommons() as server:
        yield server


@pytest.fixture
def commons(fake: FakeCommons, tmp_path: Path) -> Commons:
    return Commons(tmp_path / "cache", api=fake.api, origins={fake.origin}, sleep=lambda _: None)


def manifest(folder: Path, *rows: str) -> None:
    lines = ["file\tqid_in_kg\tlicence\trepo\tpath", *rows]
    (folder / "manifest.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_a_folder_is_indexed_but_for_works_that_are_not_certain(
    encoder: Encoder, tmp_path: Path
) -> None:
    for seed in (1, 2, 3):
        painted(seed).save(tmp_path / f"{seed}.png")
    manifest(
        tmp_path,
        "1.png\tQ1\tCC0\tsomebody/pictures\ta/1.png",
        "2.png\tQ1|Q2\t\t\t",
        "3.png\tQ99\t\t\t",
        "4.png",
    )
    path = tmp_path / "out.pictures"
    steps = list(index_from_folder(path, encoder, graph_of(tmp_path, 2), tmp_path))
    assert [(step.number, step.total, step.work, step.problem) for step in steps] == [
        (1, 1, "Q1", None)
    ]
    (entry,) = PictureIndex.load(path, ENCODER).entries
    assert entry.id == "Q1"
    assert entry.note == "1.png, CC0, somebody/pictures, a/1.png"


def test_a_folder_is_added_to_what_the_index_has(encoder: Encoder, tmp_path: Path) -> None:
    for seed in (1, 2):
        painted(seed).save(tmp_path / f"{seed}.png")
    path, graph = tmp_path / "own.pictures", graph_of(tmp_path, 2)
    add_picture(path, encoder, tmp_path / "1.png", "Q1", "mine")
    manifest(tmp_path, "2.png\tQ1\t\t\t")
    for added in (1, 0):
        assert len(list(index_from_folder(path, encoder, graph, tmp_path))) == added
        entries = PictureIndex.load(path, ENCODER).entries
        assert [(entry.id, entry.note) for entry in entries] == [("Q1", "mine"), ("Q1", "2.png")]


def test_nobody_adds_to_an_index_that_another_is_filling(encoder: Encoder, tmp_path: Path) -> None:
    """It would be undone when the other writes all that it has."""
    painted(1).save(tmp_path / "1.png")
    manifest(tmp_path, "1.png\tQ1\t\t\t")
    path, graph = tmp_path / "out" / "own.pictures", graph_of(tmp_path, 2)
    filling = index_from_folder(path, encoder, graph, tmp_path)
    next(filling)
    with pytest.raises(ExpArtError, match="Another process is at work"):
        add_picture(path, encoder, tmp_path / "1.png", "Q2", "mine")
    filling.close()  # type: ignore[attr-defined]  # it is a generator
    add_picture(path, encoder, tmp_path / "1.png", "Q2", "mine")
    assert PictureIndex.load(path, ENCODER).ids == {"Q1", "Q2"}


def test_many_pictures_of_a_folder_that_are_none_are_all_told(
    encoder: Encoder, tmp_path: Path
) -> None:
    manifest(tmp_path, *[f"{number}.png\tQ1\t\t\t" for number in range(MOST_FAILURES + 1)])
    steps = index_from_folder(tmp_path / "out.pictures", encoder, graph_of(tmp_path, 1), tmp_path)
    assert [step.problem is None for step in steps] == [False] * (MOST_FAILURES + 1)


def test_a_picture_of_the_folder_that_is_none_is_left_out(encoder: Encoder, tmp_path: Path) -> None:
    (tmp_path / "1.png").write_bytes(b"no picture")
    manifest(tmp_path, "1.png\tQ1\t\t\t")
    path = tmp_path / "out.pictures"
    (step,) = index_from_folder(path, encoder, graph_of(tmp_path, 1), tmp_path)
    assert step.problem is not None
    assert "1.png is not a picture" in step.problem
    assert len(PictureIndex.load(path, ENCODER)) == 0


def test_a_folder_without_a_manifest_is_refused(encoder: Encoder, tmp_path: Path) -> None:
    graph = graph_of(tmp_path, 1)
    with pytest.raises(RecognitionError, match=r"has no manifest\.tsv"):
        index_from_folder(tmp_path / "out", encoder, graph, tmp_path)
    (tmp_path / "manifest.tsv").write_text("name\nx\n", encoding="utf-8")
    with pytest.raises(RecognitionError, match="needs the columns"):
        index_from_folder(tmp_path / "out", encoder, graph, tmp_path)
    (tmp_path / "manifest.tsv").write_bytes("file\tqid_in_kg\né.png\tQ1\n".encode("latin-1"))
    with pytest.raises(RecognitionError, match=r"manifest\.tsv is no table .* save it as UTF-8"):
        index_from_folder(tmp_path / "out", encoder, graph, tmp_path)


def test_works_are_fetched_from_commons_with_their_credits(
    encoder: Encoder, fake: FakeCommons, commons: Commons, tmp_path: Path
) -> None:
    for number in (1, 2):
        fake.add(Upload(f"{number}.jpg"))
    path = tmp_path / "own.pictures"
    steps = list(index_from_commons(path, encoder, graph_of(tmp_path, 3), commons))
    assert [(step.work, step.problem is None) for step in steps] == [
        ("Q1", True), ("Q2", True), ("Q3", False),
    ]  # fmt: skip
    index = PictureIndex.load(path, ENCODER)
    assert index.ids == {"Q1", "Q2"}
    assert "Leonardo da Vinci, Public domain" in index.entries[0].note
    assert fake.most_at_once == 1


def test_what_was_stopped_goes_on_where_it_was(
    encoder: Encoder, fake: FakeCommons, commons: Commons, tmp_path: Path
) -> None:
    for number in (1, 2, 3):
        fake.add(Upload(f"{number}.jpg"))
    path, graph = tmp_path / "own.pictures", graph_of(tmp_path, 3)
    begun = index_from_commons(path, encoder, graph, commons)
    next(begun)
    begun.close()  # type: ignore[attr-defined]  # it is a generator
    assert PictureIndex.load(path, ENCODER).ids == {"Q1"}
    asked = fake.asked("picture")
    steps = list(index_from_commons(path, encoder, graph, commons))
    assert [step.work for step in steps] == ["Q2", "Q3"]
    assert fake.asked("picture") == asked + 2
    assert PictureIndex.load(path, ENCODER).ids == {"Q1", "Q2", "Q3"}


def test_what_is_done_is_on_the_disk_while_it_goes_on(
    encoder: Encoder,
    fake: FakeCommons,
    commons: Commons,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So that it is there after a kill, too."""
    monkeypatch.setattr("expartkg.recognition.building.SAVED_EVERY", 1)
    for number in (1, 2, 3):
        fake.add(Upload(f"{number}.jpg"))
    path = tmp_path / "own.pictures"
    steps = index_from_commons(path, encoder, graph_of(tmp_path, 3), commons)
    for _ in range(3):
        next(steps)
    assert PictureIndex.load(path, ENCODER).ids == {"Q1", "Q2"}


def test_a_picture_that_failed_is_tried_again(
    encoder: Encoder, fake: FakeCommons, commons: Commons, tmp_path: Path
) -> None:
    path, graph = tmp_path / "own.pictures", graph_of(tmp_path, 1)
    (step,) = index_from_commons(path, encoder, graph, commons)
    assert "1.jpg" in (step.problem or "")
    fake.add(Upload("1.jpg"))
    (step,) = index_from_commons(path, encoder, graph, commons)
    assert step.problem is None
    assert list(index_from_commons(path, encoder, graph, commons)) == []


def test_it_gives_up_when_nothing_can_be_had(
    encoder: Encoder, fake: FakeCommons, commons: Commons, tmp_path: Path
) -> None:
    graph = graph_of(tmp_path, MOST_FAILURES + 5)
    steps = index_from_commons(tmp_path / "own.pictures", encoder, graph, commons)
    for _ in range(MOST_FAILURES - 1):
        assert next(steps).problem is not None
    with pytest.raises(CommonsError):
        next(steps)


def test_what_is_no_picture_is_not_added(encoder: Encoder, tmp_path: Path) -> None:
    (tmp_path / "mine.png").write_bytes(b"no picture")
    path = tmp_path / "own.pictures"
    with pytest.raises(PictureError, match=r"mine\.png is not a picture"):
        add_picture(path, encoder, tmp_path / "mine.png", "Q1", "mine")
    assert not path.exists()
