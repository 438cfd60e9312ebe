"""Links against links by hand, counted by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from expartkg.errors import DataError
from expartkg.evaluation.linking import (
    GoldLink,
    GoldText,
    Linked,
    LinkingResult,
    measure_linking,
    read_gold,
)
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.store import Graph

LABELS = {
    "Q1": "The Kiss",
    "Q2": "The Kiss",
    "Q3": "Gustav Klimt",
    "Q4": "Venus and Adonis",
    "Q5": "Venus",
}
EDGES = [("Q1", "P170", "Q3"), ("Q2", "P1", "Q5"), ("Q2", "P2", "Q5"), ("Q4", "P180", "Q5")]


@pytest.fixture
def retriever(make_graph: Callable[..., Graph]) -> Retriever:
    return Retriever(make_graph(EDGES, LABELS, {"Q1": "Artwork", "Q2": "Artwork", "Q4": "Artwork"}))


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """One work, two sentences, seven links."""

    def link(text: str, part: str, id: str) -> dict[str, object]:
        start = text.index(part)
        return {"start": start, "end": start + len(part), "qid": id, "text": part}

    first = "The Kiss hangs beside Venus and Adonis in Vienna."
    second = "Gustav liked it, said a critic; his Kiss is Venus."
    sentences = [
        {
            "text": first,
            "entities": [
                link(first, "The Kiss", "Q1"),
                link(first, "Venus and Adonis", "Q4"),
                link(first, "Adonis", "Q5"),
                link(first, "Vienna", "Q1741"),
            ],
        },
        {
            "text": second,
            "entities": [
                link(second, "Gustav", "Q3"),
                link(second, "Venus", "Q5"),
                link(second, "critic", "Q6430706"),
            ],
        },
    ]
    path = tmp_path / "gold.json"
    path.write_text(json.dumps({"Q1": sentences}), encoding="utf-8")
    return path


def test_offsets_are_those_of_the_whole_text(gold: Path) -> None:
    (text,) = read_gold(gold)
    assert text.work == "Q1"
    named = [text.text[link.start : link.end] for link in text.links]
    assert named == [
        "The Kiss",
        "Venus and Adonis",
        "Adonis",
        "Vienna",
        "Gustav",
        "Venus",
        "critic",
    ]


def test_counts(gold: Path, retriever: Retriever) -> None:
    known, unknown = measure_linking(read_gold(gold), retriever)
    # In the graph: The Kiss, Venus and Adonis, Adonis, Gustav, Venus. Found are all but Gustav,
    # which is not the whole name; Adonis lies inside a longer name and is linked to that.
    expected = Linked(links=5, found=4, right=3, exact=3, exact_right=3, candidate=3)
    assert known == LinkingResult(True, expected, Linked(2, 0, 0, 0, 0, 0))
    assert (known.in_graph.recall, known.in_graph.accuracy) == (4 / 5, 3 / 4)
    assert known.in_graph.exact_accuracy == 1
    # Without the work, The Kiss that is joined to Venus is taken, and it is a candidate still.
    assert unknown.in_graph == Linked(5, 4, right=2, exact=3, exact_right=2, candidate=3)


def test_what_is_outside_the_graph_is_wrong_where_it_is_linked(retriever: Retriever) -> None:
    texts = [GoldText("Q999", "Venus in Rome", (GoldLink(0, 5, "Q13"), GoldLink(9, 13, "Q220")))]
    known, _ = measure_linking(texts, retriever)
    assert known.outside == Linked(2, 1, right=0, exact=1, exact_right=0, candidate=0)
    assert known.in_graph.recall == known.in_graph.accuracy == 0


def test_what_only_touches_a_mention_is_not_found(retriever: Retriever) -> None:
    texts = [GoldText("Q5", "Venus's", (GoldLink(5, 7, "Q5"),))]
    known, _ = measure_linking(texts, retriever)
    assert known.in_graph == Linked(1, 0, right=0, exact=0, exact_right=0, candidate=0)


@pytest.mark.parametrize("content", ["", "[]", "[1]", '{"Q1": [{"text": "x"}]}', '{"Q1": [1]}'])
def test_files_that_hold_no_links(tmp_path: Path, content: str) -> None:
    path = tmp_path / "gold.json"
    path.write_text(content)
    with pytest.raises(DataError, match=r"holds no links .* has to be"):
        read_gold(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        read_gold(tmp_path / "missing.json")


def test_on_the_real_links(shipped: Retriever, data: Path) -> None:
    known, _ = measure_linking(read_gold(data / "qa/entity_links_gold.json"), shipped)
    assert (known.in_graph.links, known.outside.links) == (272, 32)
    assert known.in_graph.recall > 0.6
    assert known.in_graph.exact_accuracy > 0.7
