"""Which pictures are compared with, for which graph."""

from __future__ import annotations

from pathlib import Path

import pytest

from expartkg.errors import RecognitionError
from expartkg.recognition.building import add_picture
from expartkg.recognition.encoders import ENCODER, Encoder
from expartkg.recognition.index import PictureIndex
from expartkg.recognition.opening import (
    SHIPPED,
    index_files,
    open_index,
    open_recogniser,
    own_index,
)
from expartkg.recognition.recogniser import describe
from expartkg.retrieval.opening import open_graph
from tests.recognition.painted import painted
from tests.recognition.works import graph_of


def test_a_picture_of_ones_own_is_recognised_from_then_on(encoder: Encoder, tmp_path: Path) -> None:
    graph, cache = graph_of(tmp_path, 2), tmp_path / "cache"
    painted(4).save(tmp_path / "mine.png")
    assert open_recogniser(cache, graph, encoder).recognise(painted(4)).work is None
    path = own_index(cache, graph.key, ENCODER)
    add_picture(path, encoder, tmp_path / "mine.png", "Q2", "mine")
    found = open_recogniser(cache, graph, encoder).recognise(painted(4)).work
    assert found is not None
    assert found.id == "Q2"


def test_two_graphs_whose_files_have_one_name_have_an_index_each(tmp_path: Path) -> None:
    for name in ("mine", "yours"):
        (tmp_path / name).mkdir()
    mine, yours = (graph_of(tmp_path / name, 1) for name in ("mine", "yours"))
    assert mine.name == yours.name
    assert own_index(tmp_path, mine.key, ENCODER) != own_index(tmp_path, yours.key, ENCODER)
    again = open_graph(str(tmp_path / "mine" / "works.nt"))
    assert own_index(tmp_path, again.key, ENCODER) == own_index(tmp_path, mine.key, ENCODER)
    assert open_graph("artworks").key == "artworks"


def test_works_that_the_graph_does_not_have_are_left_out(encoder: Encoder, tmp_path: Path) -> None:
    graph, file = graph_of(tmp_path, 2), tmp_path / "own.pictures"
    entries = [describe(encoder, painted(n), id, "") for n, id in ((1, "Q2"), (2, "Q404"))]
    PictureIndex(ENCODER, entries).save(file)
    assert open_index([file], graph, ENCODER).ids == {"Q2"}


def test_what_ships_is_for_wikidatas_ids_alone(tmp_path: Path) -> None:
    """A museum's own Q12418 need not be the Mona Lisa."""
    (tmp_path / "museum").mkdir()
    wikidatas = graph_of(tmp_path, 1, first=12418)
    museums = graph_of(tmp_path / "museum", 1, first=12418, item="https://museum.example/")
    assert open_index([SHIPPED], wikidatas, ENCODER).ids == {"Q12418"}
    assert museums.entity("Q12418")
    assert open_index([SHIPPED], museums, ENCODER).ids == set()


def test_each_encoder_has_an_index_of_its_own(tmp_path: Path) -> None:
    own = own_index(tmp_path, "museum", "maker/eye")
    assert own != own_index(tmp_path, "museum", ENCODER)
    assert index_files(tmp_path, "museum", "maker/eye") == []
    PictureIndex("maker/eye").save(own)
    assert index_files(tmp_path, "museum", "maker/eye") == [own]
    assert index_files(tmp_path, "museum", ENCODER) == [SHIPPED]


def test_an_encoder_without_an_index_is_told_how_to_get_one(
    encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("expartkg.recognition.opening.SHIPPED", tmp_path / "none")
    with pytest.raises(RecognitionError, match="make one with python -m expartkg pictures index"):
        open_recogniser(tmp_path, graph_of(tmp_path, 1), encoder)


def test_a_file_of_another_encoder_is_refused(tmp_path: Path) -> None:
    PictureIndex("maker/eye").save(own_index(tmp_path, "works", ENCODER))
    files = index_files(tmp_path, "works", ENCODER)
    with pytest.raises(RecognitionError, match="encoder maker/eye"):
        open_index(files, graph_of(tmp_path, 1), ENCODER)


def test_the_name_of_a_graph_is_no_way_out_of_the_cache(tmp_path: Path) -> None:
    folder = tmp_path / "recognition"
    assert own_index(tmp_path, "../../etc/x", ENCODER).parent == folder
    assert own_index(tmp_path, "x", "../../etc/eye").parent == folder


def test_every_work_of_the_shipped_index_is_in_the_graph() -> None:
    graph, index = open_graph("artworks"), PictureIndex.load(SHIPPED, ENCODER)
    assert len(index.ids) >= 35
    assert open_index([SHIPPED], graph, ENCODER).ids == index.ids
    assert {graph.entity(id).kind for id in index.ids} == {"Artwork"}
    assert all("public domain" in entry.note for entry in index.entries)
