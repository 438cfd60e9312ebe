from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from expartkg.commons import Credit
from expartkg.errors import PictureError, UsageError
from expartkg.settings import Settings
from expartkg.ui.form import (
    Pick,
    Provenance,
    credit_of,
    picture_complaint,
    standard_question,
    typed,
)
from expartkg.ui.text import ENGLISH
from tests.ui.filling import filled


@pytest.fixture
def picture(tmp_path: Path) -> str:
    Image.new("RGB", (64, 48), "red").save(tmp_path / "work.png")
    return str(tmp_path / "work.png")


def test_an_artwork_with_everything(picture: str) -> None:
    artwork = filled(title="  mona lisa ", artist=" Leonardo\t", picture=picture).artwork()
    assert (artwork.title, artwork.artist) == ("mona lisa", "Leonardo")
    assert artwork.image is not None
    assert artwork.image.size == (64, 48)


KISS = Pick("Q698487", "The Kiss", "Gustav Klimt")


@pytest.mark.parametrize(
    ("title", "artist", "id"),
    [
        ("The Kiss", "Gustav Klimt", "Q698487"),
        (" The Kiss\n", "Gustav Klimt ", "Q698487"),
        ("The Kiss", "Edvard Munch", None),
        ("The Kiss of the Muse", "Gustav Klimt", None),
        ("", "", None),
    ],
)
def test_a_pick_counts_until_the_fields_are_changed(
    title: str, artist: str, id: str | None
) -> None:
    assert filled(title=title, artist=artist, pick=KISS).artwork().id == id


def test_a_pick_without_an_artist() -> None:
    anonymous = Pick("Q1195035", "The Kiss", "")
    assert filled(title="The Kiss", pick=anonymous).artwork().id == "Q1195035"


def test_where_the_picture_comes_from(picture: str) -> None:
    def said(**values: Any) -> str:
        return credit_of(filled(**values).picture_source(), ENGLISH)

    credit = Credit("Kiss.jpg", "https://commons.wikimedia.org/x", "Somebody", None, None)
    assert said() == "none"
    assert said(picture=picture) == "uploaded"
    assert said(picture=picture, provenance=Provenance("old", None)) == "uploaded"
    assert said(picture=picture, provenance=Provenance(picture, credit)) == (
        "Kiss.jpg, Somebody, Wikimedia Commons"
    )
    assert said(picture=picture, provenance=Provenance(picture, None)) == ENGLISH.drawn_picture


def test_empty_fields_are_none() -> None:
    form = filled(title="   ", question="\n")
    assert form.artwork().title is None
    assert form.asked() is None


def test_a_bad_picture_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PictureError):
        filled(picture=str(tmp_path / "none.png")).artwork()


def test_settings_are_the_visitors() -> None:
    settings = filled(method="loop", ranking="pid", max_iterations=3.0, top_k=7).settings(
        Settings(facts_budget=99)
    )
    assert (settings.method, settings.ranking, settings.max_iterations) == ("loop", "pid", 3)
    assert (settings.top_k, settings.facts_budget) == (7, 99)


@pytest.mark.parametrize(
    "values",
    [{"top_k": 0}, {"top_k": None}, {"max_iterations": -1}, {"method": "magic"}, {"ranking": ""}],
)
def test_values_that_the_page_cannot_send_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        filled(**values).settings(Settings())


def test_nothing_to_explain() -> None:
    assert filled().complaints(ENGLISH) == {"picture": ENGLISH.nothing_to_explain}
    assert not filled(title="Mona Lisa").complaints(ENGLISH)
    assert not filled(question="Who painted the Mona Lisa?").complaints(ENGLISH)


def test_complaints_name_their_field(tmp_path: Path) -> None:
    (tmp_path / "work.png").write_text("no picture")
    form = filled(picture=str(tmp_path / "work.png"), question="What does {title} show?")
    assert set(form.complaints(ENGLISH)) == {"picture", "question"}


def test_no_file_is_no_complaint(picture: str) -> None:
    assert picture_complaint(None) is None
    assert picture_complaint(picture) is None


def test_the_standard_question() -> None:
    assert standard_question("", None) == "Explain this artwork."
    assert standard_question("The Kiss", "Gustav Klimt") == (
        'Explain the artwork "The Kiss" by Gustav Klimt.'
    )


def test_what_cannot_be_sent_back_is_replaced() -> None:
    assert typed("a\ud800") == "a?"
