"""The title field, resolved as a whole and forgivingly."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from expartkg.errors import UnknownEntityError
from expartkg.records import Artwork
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.store import Graph
from expartkg.retrieval.titles import bare_title

MakeGraph = Callable[..., Graph]

LABELS = {
    "Q1": "The Night Watch",
    "Q2": "Self-Portrait",
    "Q3": "Café Terrace at Night",
    "Q4": "Olive Trees",
    "Q5": "Olive Trees",
    "Q6": "Venus (unfinished)",
    "Q7": "Rembrandt",
    "Q8": "Vincent van Gogh",
    "Q9": "Self-Portrait",
    "Q10": "Mondrian",
    "Q11": "L'Angélus",
}
KINDS = {f"Q{n}": "Artwork" for n in (1, 2, 3, 4, 5, 6, 9, 11)} | {"Q4": "Concept"}


@pytest.fixture
def retriever(make_graph: MakeGraph) -> Retriever:
    edges = [("Q2", "P170", "Q7"), ("Q9", "P170", "Q8"), ("Q9", "P180", "Q8"), ("Q1", "P170", "Q7")]
    return Retriever(make_graph(edges, LABELS, KINDS))


@pytest.mark.parametrize(
    ("title", "id"),
    [
        ("The Night Watch", "Q1"),
        ("the night watch", "Q1"),
        ("Night Watch", "Q1"),
        ("A Night Watch.", "Q1"),
        ("“The Night Watch”", "Q1"),
        ("The  Night\tWatch (1642)", "Q1"),
        ("THE NIGHT WATCH [copy]", "Q1"),
        ("cafe terrace at night", "Q3"),
        ("Cafe\u0301 Terrace at Night", "Q3"),
        ("venus", "Q6"),
        ("l’angelus", "Q11"),
        ("Angelus", "Q11"),
        ("the angelus", "Q11"),
        ("La Night Watch", "Q1"),
        ("olive trees", "Q5"),  # never the general concept
        ("mondrian", "Q10"),  # what is no artwork, if no artwork is called so
    ],
)
def test_forgiven(retriever: Retriever, title: str, id: str) -> None:
    known = retriever.identify(Artwork(title=title)).artwork
    assert (known.id, known.found, known.title) == (id, "title", title)


@pytest.mark.parametrize(
    "title",
    [
        "Self-Portrait with a Friend",
        "Night",
        "Night the Watch",
        "Mondrithe an",
        "No such work 123",
        "...",
        "",
        "  ",
        "The",
    ],
)
def test_not_found(retriever: Retriever, title: str) -> None:
    identification = retriever.identify(Artwork(title=title))
    assert identification.entity is None
    assert identification.artwork.found == "none"


def test_the_artist_chooses_among_works_of_one_title(
    retriever: Retriever, ids: Callable[..., list[str]]
) -> None:
    assert ids(retriever.identify(Artwork(title="self-portrait")).candidates) == ["Q9", "Q2"]
    by_rembrandt = Artwork(title="self-portrait", artist="rembrandt")
    assert ids(retriever.identify(by_rembrandt).candidates) == ["Q2", "Q9"]


def test_works_that_differ_in_case_alone_are_all_told(make_graph: MakeGraph) -> None:
    titles = {"Q1": "Self-portrait", "Q2": "Self-Portrait", "Q3": "self-portrait"}
    titles["Q4"] = "Self-Portrait in a Mirror"
    retriever = Retriever(make_graph([], titles, dict.fromkeys(titles, "Artwork")))
    candidates = retriever.identify(Artwork(title="self-portrait")).candidates
    assert {entity.id for entity in candidates} == {"Q1", "Q2", "Q3"}


def test_a_picked_work_brings_its_title(retriever: Retriever) -> None:
    known = retriever.identify(Artwork(id="Q1")).artwork
    assert (known.title, known.found) == ("The Night Watch", "picked")
    assert retriever.identify(Artwork(id="Q1", title="Nachtwacht")).artwork.title == "Nachtwacht"


def test_a_general_concept_cannot_be_picked(retriever: Retriever) -> None:
    with pytest.raises(UnknownEntityError, match="general concept"):
        retriever.identify(Artwork(id="Q4"))


def test_an_unknown_pick_is_an_error(retriever: Retriever) -> None:
    with pytest.raises(UnknownEntityError, match="no entity Q999"):
        retriever.identify(Artwork(id="Q999"))


@pytest.mark.parametrize(
    ("title", "bare"),
    [
        ("The (unfinished)", "the"),
        ("(1889)", "(1889)"),
        ("Die Brücke", "brucke"),
        ("Diet", "diet"),
        ("Portrait of a Man", "portrait of a man"),
        ("Monl'isa", "monl'isa"),
    ],
)
def test_bare_title_never_eats_the_whole_title(title: str, bare: str) -> None:
    assert bare_title(title) == bare


@pytest.mark.data
def test_real_titles_typed_in_lower_case(shipped: Retriever, data: Path) -> None:
    known = {entity.id for entity in shipped.graph.entities}
    with (data / "qa/artpedia.jsonl").open(encoding="utf-8") as lines:
        works = [work for work in map(json.loads, lines) if work["qid"] in known]
    resolved = [shipped.identify(Artwork(title=work["wikidata_label"].lower())) for work in works]
    found = sum(
        any(entity.id == work["qid"] for entity in identification.candidates)
        for work, identification in zip(works, resolved, strict=True)
    )
    print(f"{found} of {len(works)} titles found")
    assert len(works) > 1000
    assert found / len(works) > 0.98
