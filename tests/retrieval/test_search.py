"""Suggestions while a title, an artist or a collection is being typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expartkg.records import Entity
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.search import LONGEST_TEXT, Search
from expartkg.retrieval.store import Graph
from expartkg.retrieval.text import fold
from expartkg.retrieval.works import Work

MakeGraph = Callable[..., Graph]

LABELS = {
    "Q1": "The Kiss",
    "Q2": "The Kiss",
    "Q3": "Kiss by the Window",
    "Q4": "The Stolen Kiss",
    "Q5": "Las Meninas",
    "Q6": "Self-Portrait",
    "Q7": "Whistler's Mother",
    "Q8": "神奈川沖浪裏",
    "Q9": "Утро в сосновом лесу",
    "Q10": "L'Angélus",
    "Q11": "Susanna and the Elders",
    "Q12": "Judith (unfinished)",
    "Q20": "Gustav Klimt",
    "Q21": "Edvard Munch",
    "Q22": "Diego Velázquez",
    "Q23": "Rembrandt",
    "Q24": "Kissling",
    "Q30": "Belvedere",
    "Q31": "Museo del Prado",
    "Q32": "Musée d'Orsay",
    "Q33": "Berlin",
    "Q40": "kissing",
}
EDGES = [
    ("Q1", "P170", "Q20"),
    ("Q1", "P195", "Q30"),
    ("Q1", "P180", "Q40"),
    ("Q2", "P170", "Q21"),
    ("Q3", "P170", "Q21"),
    ("Q3", "P180", "Q40"),
    ("Q5", "P170", "Q22"),
    ("Q5", "P195", "Q31"),
    ("Q6", "P170", "Q23"),
    ("Q11", "P170", "Q23"),
    ("Q11", "P276", "Q33"),
    ("Q7", "P195", "Q32"),
]
ARTWORKS = dict.fromkeys((f"Q{number}" for number in range(1, 13)), "Artwork")
KINDS = {**ARTWORKS, "Q20": "Artist", "Q24": "Artist", "Q31": "Museum", "Q40": "Concept"}


@pytest.fixture
def search(make_graph: MakeGraph) -> Search:
    return Search(make_graph(EDGES, LABELS, KINDS))


def found(search: Search, text: str, limit: int = 8) -> list[str]:
    return [work.entity.id for work in search.suggest(text, limit)]


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("kiss klimt", "Q1"),
        ("klimt kiss", "Q1"),
        ("klimt the kiss", "Q1"),
        ("belved ki", "Q1"),
        ("gus kli", "Q1"),
        ("prado velaz", "Q5"),
        ("rembrandt elders", "Q11"),
        ("elders berlin", "Q11"),
        ("orsay", "Q7"),
    ],
)
def test_words_of_title_artist_and_holder_in_any_order_as_far_as_they_are_typed(
    search: Search, text: str, id: str
) -> None:
    assert found(search, text) == [id]


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("LAS MENINAS", "Q5"),
        ("meninas", "Q5"),
        ("“Las Meninas”", "Q5"),
        ("  las   men", "Q5"),
        ("VELAZQUEZ", "Q5"),
        ("Velázquez", "Q5"),
        ("self portrait", "Q6"),
        ("self–portrait", "Q6"),
        ("Self-Portrait.", "Q6"),
        ("selfport", "Q6"),
        ("whistler’s mo", "Q7"),
        ("whistlers mother", "Q7"),
        ("whistler mother", "Q7"),
        ("angelus", "Q10"),
        ("l'ang", "Q10"),
        ("the angelus", "Q10"),
        ("langelus", "Q10"),
        ("dorsay", "Q7"),
        ("a susanna, and", "Q11"),
        ("judith", "Q12"),
        ("Judith (unfini", "Q12"),
        ("Judith [copy]", "Q12"),
    ],
)
def test_case_accents_articles_quotes_dashes_and_punctuation_are_forgiven(
    search: Search, text: str, id: str
) -> None:
    assert found(search, text) == [id]


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("浪裏", "Q8"),
        ("神奈川", "Q8"),
        ("川", "Q8"),
        ("утро", "Q9"),
        ("СОСНОВОМ", "Q9"),
        ("лес", "Q9"),
    ],
)
def test_other_scripts_and_those_without_blanks(search: Search, text: str, id: str) -> None:
    assert found(search, text) == [id]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Rembrant", ["Q6", "Q11"]),  # left out
        ("Rembrrandt", ["Q6", "Q11"]),  # put in
        ("Rembrandr", ["Q6", "Q11"]),  # mistaken
        ("Rembradnt", ["Q6", "Q11"]),  # swapped
        ("Tembra", ["Q6", "Q11"]),  # the first letter, of a word that is not complete
        ("Ermbra", ["Q6", "Q11"]),
        ("meninsa", ["Q5"]),
        ("pradox", ["Q5"]),  # put in after all there is
        ("kjss klmit", ["Q1"]),  # one error in each word
        ("Munch kist", ["Q3", "Q2"]),
        ("Утор", ["Q9"]),
        ("Remrbnat", []),  # two errors
        ("kxs", []),  # too short a word
    ],
)
def test_one_typing_error_in_a_word(search: Search, text: str, ids: list[str]) -> None:
    assert sorted(found(search, text)) == sorted(ids)


def test_errors_are_forgiven_only_where_nothing_else_matches(make_graph: MakeGraph) -> None:
    labels = {"Q1": "Monet", "Q2": "Manet", "Q3": "Garden with Trees", "Q4": "Manet's Garden"}
    search = Search(make_graph([], labels, dict.fromkeys(labels, "Artwork")))
    assert found(search, "monet") == ["Q1"]
    assert found(search, "manett garden") == ["Q4"]
    # Each word begins one of the graph's, but no work has both.
    assert found(search, "monet garden") == ["Q4"]


def test_a_word_that_another_begins_with_does_not_hide_its_corrections(
    make_graph: MakeGraph,
) -> None:
    search = Search(make_graph([], {"Q1": "C", "Q2": "Cézanne"}))
    assert found(search, "czanne") == ["Q2"]


def test_order_of_kinds_of_matches(make_graph: MakeGraph) -> None:
    labels = {
        "Q1": "Stolen Venus",
        "Q2": "Venus and Mars",
        "Q3": "Venus",
        "Q4": "Danae",
        "Q5": "Venusberg",
        "Q6": "Venus Painter",
        "Q7": "The Venus",
    }
    kinds = {id: "Artwork" for id in labels if id != "Q6"}
    edges = [("Q4", "P170", "Q6"), ("Q4", "P180", "Q2"), ("Q4", "P180", "Q1")]
    search = Search(make_graph(edges, labels, kinds))
    assert found(search, "venus") == ["Q3", "Q7", "Q2", "Q5", "Q1", "Q4"]
    assert found(search, "venus", limit=3) == ["Q3", "Q7", "Q2"]
    assert found(search, "the venus")[:2] == ["Q7", "Q3"]


@pytest.mark.parametrize("text", ["kiss munch", "munch the kiss", "the kiss edv", "kiss munchh"])
def test_a_whole_title_beside_an_artist_goes_before_a_part_of_one(
    search: Search, text: str
) -> None:
    assert found(search, text) == ["Q2", "Q3"]


def test_equals_go_by_statements_and_then_by_number(search: Search) -> None:
    assert found(search, "the kiss")[:2] == ["Q1", "Q2"]
    assert found(search, "munch") == ["Q3", "Q2"]


def test_numbers_go_by_what_they_count(make_graph: MakeGraph) -> None:
    labels = dict.fromkeys(["Q101", "Q9", "Q12"], "Twin")
    assert found(Search(make_graph([], labels)), "twin") == ["Q9", "Q12", "Q101"]


def test_only_artworks_where_there_are_some(search: Search) -> None:
    assert found(search, "kissling") == []
    assert found(search, "gustav klimt") == ["Q1"]


def test_all_but_concepts_in_a_graph_without_artworks(make_graph: MakeGraph) -> None:
    search = Search(make_graph([("Q1", "P1", "Q24")], LABELS, {"Q40": "Concept"}))
    assert found(search, "kissling") == ["Q24"]
    assert "Q40" not in found(search, "kissing", limit=99)


@pytest.mark.parametrize("text", ["", "  ", "\n", "...", "—", "'\"", "\ud800", "_", "\u0301", "«»"])
def test_a_text_without_words_suggests_nothing(search: Search, text: str) -> None:
    assert search.suggest(text) == ()


@pytest.mark.parametrize("limit", [0, 1, 3, 1000])
def test_no_more_than_the_limit_and_nothing_twice(search: Search, limit: int) -> None:
    ids = found(search, "k", limit)
    assert len(ids) == len(set(ids)) == min(limit, 4)


@pytest.mark.parametrize(
    "text",
    [
        "kiss " * 200_000,
        "x" * 1_000_000,
        "\ud800" * 1_000_000,
        "a\u0301" * 500_000,
        "ﷺ" * 1_000_000,
        "((((" * 250_000,
        "神" * 1_000_000,
        " ".join(map(chr, range(0x4E00, 0x20000))),
    ],
    ids=["words", "word", "surrogates", "marks", "ligatures", "brackets", "han", "everything"],
)
def test_a_very_long_text_is_cut(search: Search, text: str) -> None:
    assert found(search, text) == found(search, text[:LONGEST_TEXT])


HOSTILE = st.text(
    alphabet=st.one_of(
        st.sampled_from("kiselmRra the'\"-–()[].\t\n\u00a0’“\u0301\ud800\udfff\x00\U0010ffff"),
        st.sampled_from("神浪ガ가각ก\u0e33ﷺßİŉǅ"),
        st.characters(),
    ),
    max_size=60,
)


@given(text=HOSTILE, limit=st.integers(-1, 20))
def test_whatever_is_typed_is_answered(shipped: Retriever, text: str, limit: int) -> None:
    works = shipped.suggest(text, limit)
    assert len(works) <= max(limit, 0)
    assert all(work.entity.kind == "Artwork" for work in works)


@settings(max_examples=50)
@given(data=st.data())
def test_beginnings_of_words_in_any_order_find_the_work(
    shipped: Retriever, data: st.DataObject
) -> None:
    work = data.draw(st.sampled_from(artworks(shipped)))
    words = [word for word in re.split(r"[ '-]", fold(work.label)) if word.isalnum()]
    picked = data.draw(st.lists(st.sampled_from(words), min_size=1, unique=True))
    typed = " ".join(word[: data.draw(st.integers(min(4, len(word)), 9))] for word in picked)
    assert work in entities(shipped.suggest(typed, limit=len(shipped.graph)))


def artworks(retriever: Retriever) -> list[Entity]:
    return [entity for entity in retriever.graph.entities if entity.kind == "Artwork"]


def entities(works: Iterable[Work]) -> list[Entity]:
    return [work.entity for work in works]


def test_every_title_of_the_shipped_graph_finds_its_work(shipped: Retriever) -> None:
    missing = [
        work
        for work in artworks(shipped)[::11]
        if work not in entities(shipped.suggest(work.label.upper(), limit=200))
    ]
    assert missing == []


@pytest.mark.parametrize(
    ("text", "title", "maker"),
    [
        ("kiss klimt", "The Kiss", "Gustav Klimt"),
        ("the kiss munch", "The Kiss", "Edvard Munch"),
        ("leonardo mona", "Mona Lisa", "Leonardo da Vinci"),
        ("mona lisa", "Mona Lisa", "Leonardo da Vinci"),
        ("night watch", "The Night Watch", "Rembrandt"),
        ("starry nig", "The Starry Night", "Vincent van Gogh"),
        ("orsay olympia", "Olympia", "Édouard Manet"),
        ("munch sceam", "The Scream", "Edvard Munch"),
        ("garden of earthly deligts", "The Garden of Earthly Delights", "Hieronymus Bosch"),
    ],
)
def test_first_suggestion_of_the_shipped_graph(
    shipped: Retriever, text: str, title: str, maker: str
) -> None:
    first = shipped.suggest(text)[0]
    assert (first.entity.label, first.makers) == (title, (maker,))


@pytest.mark.parametrize(
    ("text", "maker"),
    [
        ("prado velaz", "Diego Velázquez"),
        ("Rembrant", "Rembrandt"),
        ("Boticelli", "Sandro Botticelli"),
        ("Velasquez", "Diego Velázquez"),
        ("Michaelangelo", "Michelangelo"),
        ("candinsky", "Wassily Kandinsky"),
    ],
)
def test_suggestions_for_an_artist_of_the_shipped_graph(
    shipped: Retriever, text: str, maker: str
) -> None:
    works = shipped.suggest(text)
    assert len(works) == 8
    assert all(maker in work.makers for work in works)
