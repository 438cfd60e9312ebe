"""What programs are told when they ask for what cannot be, without a server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from expartkg.commons import Commons
from expartkg.engines.scripted import scripted_engine
from expartkg.errors import ExpArtError, PictureError, UsageError
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import Settings
from expartkg.ui.api import Api
from expartkg.ui.guide import House
from expartkg.ui.loading import Loading


@pytest.fixture
def api(make_graph: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Api:
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path / "uploads"))
    graph = make_graph([("Q1", "P170", "Q2")], {"Q1": "Mona Lisa"}, {"Q1": "Artwork"})
    engine = Loading.done(scripted_engine([]))
    return Api(House(Retriever(graph), engine, Settings(), Commons(tmp_path)))


async def explained(api: Api, **asked: Any) -> list[dict[str, Any]]:
    return [event async for event in api.explain(**asked)]


@pytest.mark.parametrize("value", [5, ["Q1"], {"path": "Q1"}, "x" * 20_001])
def test_what_is_no_text_is_refused_by_its_name(api: Api, value: Any) -> None:
    with pytest.raises(UsageError, match="entity must be a text"):
        api.facts(value)
    with pytest.raises(UsageError, match="text must be a text"):
        api.search(value)
    with pytest.raises(UsageError, match="text must be a text"):
        api.retrieve(value)
    for name in ("title", "artist", "artwork", "question"):
        with pytest.raises(UsageError, match=f"{name} must be a text"):
            asyncio.run(explained(api, **{"title": "x", name: value}))


def test_what_no_response_can_carry_comes_back_as_something_else(api: Api) -> None:
    with pytest.raises(ExpArtError) as raised:
        api.facts("\ud800")
    assert str(raised.value).encode()
    assert api.retrieve("\ud800 Mona Lisa")["mentions"][0]["start"] == 2


@pytest.mark.parametrize(
    "picture",
    [
        5,
        {"path": 5},
        "{uploads}/../a.png",
        "{uploads}/a\0.png",
        "data:image/png;base64,é",
        "data:,",
    ],
)
def test_a_picture_that_is_none_is_refused(api: Api, tmp_path: Path, picture: Any) -> None:
    if isinstance(picture, str):
        picture = picture.replace("{uploads}", str(tmp_path / "uploads"))
    with pytest.raises(PictureError):
        asyncio.run(explained(api, title="x", picture=picture))
