"""Looking pictures up beside the runs: what is loaded when, and what happens when it fails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from expartkg.engines.base import Engine
from expartkg.engines.scripted import scripted_engine
from expartkg.errors import RecognitionError
from expartkg.recognition import ENCODER, PictureIndex, Recognition
from expartkg.recognition.encoders import Encoder
from expartkg.recognition.opening import own_index
from expartkg.recognition.recogniser import describe
from expartkg.retrieval.store import Graph
from expartkg.settings import Settings
from expartkg.ui import lookups
from expartkg.ui.loading import Loading
from expartkg.ui.lookups import Lookups
from tests.recognition.painted import painted
from tests.recognition.works import graph_of

ENGINE = Loading.done(scripted_engine(["Never asked."]))


class Colours:
    """An encoder that needs no network: the mean colour of a picture."""

    name = ENCODER
    dimension = 3

    def encode(self, pictures: Sequence[Image.Image]) -> NDArray[np.float32]:
        means = np.array([np.asarray(picture).mean((0, 1)) for picture in pictures], np.float32)
        unit: NDArray[np.float32] = means / np.linalg.norm(means, axis=1, keepdims=True)
        return unit


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    return graph_of(tmp_path, 2)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(cache=tmp_path / "cache")


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[Encoder]:
    """The encoders that were loaded."""
    encoders: list[Encoder] = []

    def load(name: str, engine: Engine | None) -> Encoder:
        assert (name, engine) == (ENCODER, None)
        encoders.append(Colours())
        return encoders[-1]

    monkeypatch.setattr(lookups, "load_encoder", load)
    return encoders


@pytest.fixture
def know(settings: Settings, graph: Graph) -> Callable[..., Path]:
    """Writes the user's index, with the pictures of these seeds as Q1, Q2 …"""

    def write(*seeds: int) -> Path:
        path = own_index(settings.cache, graph.key, ENCODER)
        entries = [describe(Colours(), painted(n), f"Q{i}", "") for i, n in enumerate(seeds, 1)]
        PictureIndex(ENCODER, entries).save(path)
        return path

    return write


@pytest.fixture
def photo(tmp_path: Path) -> str:
    painted(1).save(tmp_path / "photo.png")
    return str(tmp_path / "photo.png")


def look(looking: Lookups, *pictures: str) -> list[Any]:
    async def all_at_once() -> list[Any]:
        return list(await asyncio.gather(*map(looking.look, pictures), return_exceptions=True))

    return asyncio.run(all_at_once())


def test_a_picture_is_looked_up_and_the_encoder_is_loaded_once(
    graph: Graph, settings: Settings, loaded: list[Encoder], know: Callable[..., Path], photo: str
) -> None:
    know(1)
    looking = Lookups(graph, settings, ENGINE)
    assert looking.is_on
    assert not loaded
    for recognition in look(looking, photo, photo):
        assert recognition is not None
        assert recognition.work is not None
        assert (recognition.work.id, recognition.known) == ("Q1", 1)
    assert len(loaded) == 1


def test_a_picture_that_is_added_while_the_page_is_open_is_known(
    graph: Graph, settings: Settings, loaded: list[Encoder], know: Callable[..., Path], photo: str
) -> None:
    know(5)
    looking = Lookups(graph, settings, ENGINE)
    (recognition,) = look(looking, photo)
    assert recognition is not None
    assert recognition.work is None
    know(5, 1)
    (recognition,) = look(looking, photo)
    assert recognition is not None
    assert recognition.work is not None
    assert recognition.work.id == "Q2"
    assert len(loaded) == 1


def test_without_a_picture_of_the_graphs_works_nothing_is_loaded(
    graph: Graph, settings: Settings, loaded: list[Encoder], photo: str
) -> None:
    assert look(Lookups(graph, settings, ENGINE), photo) == [None]
    assert not loaded


def test_it_is_off_where_that_is_set_or_a_package_is_missing(
    graph: Graph, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not Lookups(graph, settings.replace(recognition="off"), ENGINE).is_on
    monkeypatch.setattr(lookups, "missing_package", lambda: "torch")
    assert not Lookups(graph, settings, ENGINE).is_on


def test_a_damaged_index_is_said_until_it_is_whole_again(
    graph: Graph,
    settings: Settings,
    loaded: list[Encoder],
    know: Callable[..., Path],
    photo: str,
) -> None:
    path = know(1)
    path.write_bytes(path.read_bytes()[:-1])
    looking = Lookups(graph, settings, ENGINE)
    (said,) = look(looking, photo)
    assert isinstance(said, RecognitionError)
    assert "is damaged" in str(said)
    know(1)
    (recognition,) = look(looking, photo)
    assert isinstance(recognition, Recognition)


@pytest.mark.parametrize(
    "error", [RecognitionError("No weights."), OSError("broken"), SystemExit("3")]
)
def test_an_encoder_that_cannot_be_loaded_is_said_and_logged(
    graph: Graph,
    settings: Settings,
    know: Callable[..., Path],
    photo: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: BaseException,
) -> None:
    def fail(name: str, engine: Engine | None) -> Encoder:
        raise error

    know(1)
    monkeypatch.setattr(lookups, "load_encoder", fail)
    (said,) = look(Lookups(graph, settings, ENGINE), photo)
    assert isinstance(said, RecognitionError)
    assert str(error) in str(said)
    assert str(error) in caplog.text


def test_too_many_at_a_time_are_not_all_looked_up(
    graph: Graph,
    settings: Settings,
    loaded: list[Encoder],
    know: Callable[..., Path],
    photo: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    know(1)
    monkeypatch.setattr(lookups, "MOST_WAITING", 2)
    found = look(Lookups(graph, settings, ENGINE), *[photo] * 4)
    assert [type(each) for each in found] == [Recognition] * 2 + [RecognitionError] * 2
