"""What a title stands for, and what the page draws of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.store import Graph
from expartkg.ui.cards import Cards
from expartkg.ui.chooser import WORKS_SHOWN, Chooser, Resolution
from expartkg.ui.form import Pick
from expartkg.ui.text import ENGLISH

EDGES = [
    ("Q11", "P170", "Q21"),
    ("Q11", "P195", "Q31"),
    ("Q12", "P170", "Q22"),
    ("Q13", "P170", "Q21"),
]
LABELS = {
    "Q11": "The Kiss",
    "Q12": "The Kiss",
    "Q13": "Judith",
    "Q21": "Gustav Klimt",
    "Q22": "Francesco Hayez",
    "Q31": "Belvedere",
}
WORKS = ("Q11", "Q12", "Q13")


@pytest.fixture
def chooser(make_graph: Callable[..., Graph]) -> Chooser:
    kinds = dict.fromkeys(WORKS, "Artwork")
    return Chooser(Retriever(make_graph(EDGES, LABELS, kinds)))


def drawn(resolution: Resolution | None, can_fetch: bool = False, problem: str = "") -> str:
    return Cards(ENGLISH).resolved(resolution, can_fetch, problem)


def test_a_title_of_one_work(chooser: Chooser) -> None:
    resolution = chooser.resolve("judith", None, None)
    assert resolution is not None
    assert resolution.used is not None
    assert resolution.used.entity.id == "Q13"
    html = drawn(resolution)
    assert "Found in the graph:" in html
    assert "Gustav Klimt" in html
    assert "<button" not in html


def test_works_of_one_title_keep_their_places_when_one_is_picked(chooser: Chooser) -> None:
    before = chooser.resolve("the kiss", None, None)
    pick = chooser.pick("Q12")
    assert pick == Pick("Q12", "The Kiss", "Francesco Hayez")
    after = chooser.resolve(pick.title, pick.artist, pick)
    assert before is not None
    assert after is not None
    assert before.works == after.works
    assert before.used == before.works[0]
    assert after.used is not None
    assert (after.used.entity.id, after.picked, after.total) == ("Q12", True, 2)
    assert drawn(after).count('aria-pressed="true"') == 1
    assert "You chose:" in drawn(after)


def test_the_artist_chooses_among_works_of_one_title(chooser: Chooser) -> None:
    resolution = chooser.resolve("The Kiss", "hayez", None)
    assert resolution is not None
    resolution = chooser.resolve("The Kiss", "Francesco Hayez", None)
    assert resolution is not None
    assert resolution.used is not None
    assert resolution.used.entity.id == "Q12"


def test_a_pick_that_the_fields_contradict_does_not_count(chooser: Chooser) -> None:
    resolution = chooser.resolve("Judith", "", Pick("Q12", "The Kiss", "Francesco Hayez"))
    assert resolution is not None
    assert resolution.used is not None
    assert resolution.used.entity.id == "Q13"


def test_a_title_that_the_graph_does_not_know(chooser: Chooser) -> None:
    resolution = chooser.resolve("Kiss by the Window", None, None)
    assert resolution is not None
    assert resolution.used is None
    assert "does not know this title" in drawn(resolution)


def test_similar_titles_are_offered_for_a_slip(chooser: Chooser) -> None:
    resolution = chooser.resolve("Judhith", None, None)
    assert resolution is not None
    assert [work.entity.id for work in resolution.similar] == ["Q13"]
    html = drawn(resolution)
    assert "Did you mean" in html
    assert 'data-work="Q13"' in html
    assert "aria-pressed" not in html


def test_no_title_is_not_resolved(chooser: Chooser) -> None:
    assert chooser.resolve(" ", "Klimt", None) is None
    assert not drawn(None).strip()


@pytest.mark.parametrize("odd", ["Q999", "", None, 7, ["Q11"], {"id": "Q11"}])
def test_what_cannot_be_picked(chooser: Chooser, odd: object) -> None:
    assert chooser.pick(odd) is None


@pytest.mark.parametrize("odd", [None, 7, [], {"text": "kiss"}])
def test_what_is_no_text_suggests_nothing(chooser: Chooser, odd: object) -> None:
    assert chooser.suggestions(odd) == ()


def test_suggestions_are_options(chooser: Chooser) -> None:
    html = Cards(ENGLISH).suggestions(chooser.suggestions("kiss"), "title")
    assert html.count('role="option"') == 2
    assert "Francesco Hayez" in html


def test_long_lists_of_works_are_cut(make_graph: Callable[..., Graph]) -> None:
    ids = [f"Q{number}" for number in range(1, WORKS_SHOWN + 4)]
    graph = make_graph((), dict.fromkeys(ids, "Untitled"), dict.fromkeys(ids, "Artwork"))
    chooser = Chooser(Retriever(graph))
    html = drawn(chooser.resolve("Untitled", None, None))
    assert html.count("<button") == WORKS_SHOWN
    assert "3 more have it" in html
    last = chooser.pick(ids[-1])
    assert last is not None
    resolution = chooser.resolve(last.title, last.artist, last)
    assert resolution is not None
    assert resolution.used in resolution.works


def test_hostile_labels_are_escaped(make_graph: Callable[..., Graph]) -> None:
    label = '<img src=x onerror="alert(1)">'
    graph = make_graph((), {"Q1": label, "Q2": label}, {"Q1": "Artwork", "Q2": "Artwork"})
    chooser = Chooser(Retriever(graph))
    cards = Cards(ENGLISH)
    for html in (
        drawn(chooser.resolve(label, None, None), problem=label),
        cards.suggestions(chooser.suggestions("img"), "title"),
    ):
        assert "<img" not in html
        assert "&lt;img" in html


def test_a_picture_can_be_asked_for(chooser: Chooser) -> None:
    resolution = chooser.resolve("judith", None, None)
    assert "Fetch its picture" in drawn(resolution, can_fetch=True)
    assert chooser.picture(resolution) is None
    assert chooser.picture(None) is None
    first, second = (drawn(resolution, True, "Commons is away.") for _ in range(2))
    assert "Commons is away." in first
    assert first != second, "the same problem again has to be drawn again"
