from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from expartkg.commons import Commons
from expartkg.errors import CommonsError, PictureError
from expartkg.evaluation.pictures import Pictures
from expartkg.evaluation.questions import ArtQuestion
from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.store import Graph
from tests.commons.server import FakeCommons, Upload

P18 = "http://commons.wikimedia.org/wiki/Special:FilePath/Ophelia.jpg"


def question(image: str | None, artwork: str | None = None) -> ArtQuestion:
    return ArtQuestion("7", "Ophelia", "By Millais.", image=image, artwork=artwork)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Image.new("RGB", (64, 48), "olive").save(tmp_path / "o.png")
    return tmp_path


@pytest.mark.parametrize("named", ["o.png", "/images/o.png", "https://example.org/pictures/o.png"])
def test_a_picture_in_the_folder_by_its_name(folder: Path, named: str) -> None:
    assert Pictures(folder).open(question(named)).size == (64, 48)


def test_a_picture_by_its_path(folder: Path) -> None:
    assert Pictures().open(question(str(folder / "o.png"))).size == (64, 48)


@pytest.mark.parametrize("named", [None, "missing.png", "https://example.org/" + "x" * 5000, "\0"])
def test_pictures_that_cannot_be_had(folder: Path, named: str | None) -> None:
    with pytest.raises(PictureError):
        Pictures(folder).open(question(named))


def test_a_file_that_is_no_picture(folder: Path) -> None:
    (folder / "o.png").write_bytes(b"none")
    with pytest.raises(PictureError, match=r"o\.png"):
        Pictures(folder).open(question("o.png"))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeCommons]:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    with FakeCommons() as commons:
        commons.add(Upload("Ophelia.jpg"))
        yield commons


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    path = tmp_path / "graph.nt"
    work = "<http://www.wikidata.org/entity/Q1>"
    path.write_text(
        f'{work} <http://www.w3.org/2000/01/rdf-schema#label> "Ophelia"@en .\n'
        f"{work} <http://www.wikidata.org/prop/direct/P18> <{P18}> .\n"
    )
    return open_graph(str(path))


def test_what_is_not_in_the_folder_is_fetched(folder: Path, server: FakeCommons) -> None:
    commons = Commons(folder / "cache", api=server.api, origins={server.origin})
    found = Pictures(folder, commons=commons).open(question(P18))
    assert max(found.size) >= 500
    asked = len(server.requests)
    assert Pictures(folder, commons=commons).open(question(P18)).size == found.size
    assert len(server.requests) == asked


def test_the_graphs_picture_of_the_work(folder: Path, server: FakeCommons, graph: Graph) -> None:
    commons = Commons(folder / "cache", api=server.api, origins={server.origin})
    pictures = Pictures(folder, graph, commons)
    assert max(pictures.open(question(None, "Q1")).size) >= 500
    for unknown in (None, "Q999"):
        with pytest.raises(PictureError, match="has no picture"):
            pictures.open(question(None, unknown))


def test_a_picture_that_commons_does_not_have(folder: Path, server: FakeCommons) -> None:
    commons = Commons(folder / "cache", api=server.api, origins={server.origin})
    with pytest.raises(CommonsError):
        Pictures(folder, commons=commons).open(
            question("https://commons.wikimedia.org/wiki/File:No.jpg")
        )
