"""What is said about an uploaded picture, and what using it fills in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from expartkg.recognition import Likeness, Recognition
from expartkg.recognition.recogniser import ENOUGH_POINTS
from expartkg.retrieval.retriever import Retriever
from expartkg.ui.cards import Cards
from expartkg.ui.chooser import Chooser
from expartkg.ui.form import Pick
from expartkg.ui.proposal import (
    Proposal,
    Seen,
    agreed,
    is_outdated,
    is_used,
    proposal_for,
)
from expartkg.ui.text import LANGUAGES, Words
from tests.ui.filling import filled

KNOWN = Recognition(
    (Likeness("Q1", 0.9, ENOUGH_POINTS), Likeness("Q3", 0.5, 3), Likeness("Q4", 0.4, 0)), 37
)
NOT_KNOWN = Recognition((Likeness("Q1", 0.9, ENOUGH_POINTS - 1),), 37)
SEEN = Seen("photo.jpg", KNOWN)
LISA = Pick("Q1", "Mona Lisa", "Leonardo")
RECOGNISED = Pick("Q1", "Mona Lisa", "Leonardo", recognised_in="photo.jpg")
USED = (RECOGNISED, "Mona Lisa", "Leonardo")


@pytest.fixture
def chooser(make_graph: Callable[..., Any]) -> Chooser:
    works = {"Q1": "Mona Lisa", "Q3": "The <b>Kiss</b>", "Q4": "Olympia"}
    graph = make_graph(
        [("Q1", "P170", "Q2")], {**works, "Q2": "Leonardo"}, dict.fromkeys(works, "Artwork")
    )
    return Chooser(Retriever(graph))


def said(
    chooser: Chooser,
    seen: Seen | None = SEEN,
    pick: Pick | None = None,
    title: str = "",
    artist: str = "",
    picture: str | None = "photo.jpg",
) -> Proposal | None:
    return proposal_for(seen, pick, title, artist, picture, chooser)


def test_why_a_picture_could_not_be_looked_up_is_said(chooser: Chooser) -> None:
    failed = said(chooser, Seen("photo.jpg", problem="The index <x> is damaged."))
    assert failed == Proposal("failed", problem="The index <x> is damaged.")
    for language in LANGUAGES.values():
        assert "The index &lt;x&gt; is damaged." in Cards(language).recognition(failed)


def test_the_recognised_work_is_proposed_with_what_is_less_like_it(chooser: Chooser) -> None:
    proposal = said(chooser)
    assert proposal is not None
    assert proposal.state == "proposed"
    assert proposal.work is not None
    assert (proposal.work.entity.id, proposal.work.makers) == ("Q1", ("Leonardo",))
    assert [(work.entity.id, like.similarity) for work, like in proposal.others] == [
        ("Q3", 0.5),
        ("Q4", 0.4),
    ]


def test_a_picture_that_is_not_known_is_said_to_be_so(chooser: Chooser) -> None:
    assert said(chooser, Seen("photo.jpg", NOT_KNOWN)) == Proposal("unknown", 37)


def test_while_it_is_looked_up_that_is_said(chooser: Chooser) -> None:
    assert said(chooser, Seen("photo.jpg")) == Proposal("looking")


@pytest.mark.parametrize("picture", [None, "other.jpg"])
def test_of_another_picture_nothing_is_said(chooser: Chooser, picture: str | None) -> None:
    assert said(chooser, picture=picture) is None
    assert agreed(SEEN, picture, chooser) is None


def test_a_title_of_the_visitors_own_is_not_questioned(chooser: Chooser) -> None:
    assert said(chooser, title="Olympia") is None
    assert said(chooser, pick=LISA, title="Mona Lisa", artist="Leonardo") is None
    assert said(chooser, title="  ") is not None


def test_a_used_work_can_still_be_refused(chooser: Chooser) -> None:
    proposal = said(chooser, SEEN, *USED)
    assert proposal is not None
    assert proposal.state == "used"
    assert said(chooser, SEEN, RECOGNISED, "Mona Lisa", "Somebody else") is None


def test_after_a_no_it_is_not_proposed_again(chooser: Chooser) -> None:
    proposal = said(chooser, Seen("photo.jpg", KNOWN, is_refused=True))
    assert proposal is not None
    assert proposal.state == "refused"


def test_using_it_fills_in_title_and_artist(chooser: Chooser) -> None:
    assert agreed(SEEN, "photo.jpg", chooser) == RECOGNISED
    assert agreed(Seen("photo.jpg", NOT_KNOWN), "photo.jpg", chooser) is None
    assert agreed(Seen("photo.jpg"), "photo.jpg", chooser) is None
    assert agreed(None, "photo.jpg", chooser) is None


@pytest.mark.parametrize(
    ("pick", "title", "picture", "used", "outdated"),
    [
        (RECOGNISED, "Mona Lisa", "photo.jpg", True, False),
        (RECOGNISED, "Mona Lisa", "other.jpg", False, True),
        (RECOGNISED, "Mona Lisa", None, False, True),
        (RECOGNISED, "Olympia", "other.jpg", False, False),
        (LISA, "Mona Lisa", "other.jpg", False, False),
        (LISA, "Mona Lisa", None, False, False),
        (None, "Mona Lisa", None, False, False),
    ],
)
def test_what_was_recognised_goes_with_its_picture(
    pick: Pick | None, title: str, picture: str | None, used: bool, outdated: bool
) -> None:
    assert is_used(pick, title, "Leonardo", picture) is used
    assert is_outdated(pick, title, "Leonardo", picture) is outdated


@pytest.mark.parametrize("words", LANGUAGES.values(), ids=LANGUAGES)
def test_it_is_drawn_in_every_language_with_labels_escaped(chooser: Chooser, words: Words) -> None:
    cards = Cards(words)
    html = cards.recognition(said(chooser))
    assert "<b>Kiss" not in html
    assert "&lt;b&gt;Kiss" in html
    assert words.use_work in html
    assert words.unknown_picture(37) in cards.recognition(Proposal("unknown", 37))
    assert words.use_work not in cards.recognition(said(chooser, SEEN, *USED))
    assert cards.recognition(None).strip() == ""


def test_the_run_says_that_the_work_was_recognised(tmp_path: Path) -> None:
    picture = str(tmp_path / "photo.png")
    Image.new("RGB", (64, 64)).save(picture)
    pick = Pick("Q1", "Mona Lisa", "Leonardo", recognised_in=picture)
    form = filled(title="Mona Lisa", artist="Leonardo", picture=picture, pick=pick)
    assert (form.artwork().id, form.artwork().found) == ("Q1", "recognised")


def test_without_that_picture_it_was_picked() -> None:
    form = filled(title="Mona Lisa", artist="Leonardo", pick=RECOGNISED)
    assert (form.artwork().id, form.artwork().found) == ("Q1", "picked")
