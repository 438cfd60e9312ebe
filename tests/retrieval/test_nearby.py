"""Works nearby: what they share, and how rare it is."""

from __future__ import annotations

import math

import pytest

from expartkg.retrieval import nearby
from expartkg.retrieval.nearby import nearby_works
from expartkg.retrieval.ranking import Statistics
from tests.conftest import MakeGraph

EDGES = [
    ("Q1", "P170", "Q10"),
    ("Q2", "P170", "Q10"),
    ("Q1", "P186", "Q11"),
    ("Q2", "P186", "Q11"),
    ("Q3", "P186", "Q11"),
    ("Q4", "P186", "Q11"),
    ("Q10", "P937", "Q12"),
    ("Q1", "P1", "Q1"),
]
KINDS = {"Q1": "Artwork", "Q2": "Artwork", "Q3": "Artwork", "Q4": "Artwork", "Q10": "Artist"}


def test_the_more_and_the_rarer_facts_are_shared_the_nearer(make_graph: MakeGraph) -> None:
    graph = make_graph(EDGES, kinds=KINDS)
    found = nearby_works(graph, Statistics.of(graph), graph.entity("Q1"))
    assert [near.work.id for near in found] == ["Q2", "Q3", "Q4"]
    assert [entity.id for entity in found[0].shared] == ["Q10", "Q11"]
    # Q10 is in the documents of Q1, Q2 and Q12; Q11 in those of the four works. N is 7.
    assert found[0].score == pytest.approx(math.log(8 / 4) + math.log(8 / 5))
    assert found[1].score == pytest.approx(math.log(8 / 5))


def test_only_so_many_are_given(make_graph: MakeGraph) -> None:
    graph = make_graph(EDGES, kinds=KINDS)
    assert len(nearby_works(graph, Statistics.of(graph), graph.entity("Q1"), limit=1)) == 1


def test_what_nearly_all_share_does_not_count(
    make_graph: MakeGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearby, "MOST_WORKS_OF_ONE", 3)
    graph = make_graph(EDGES, kinds=KINDS)
    found = nearby_works(graph, Statistics.of(graph), graph.entity("Q1"))
    assert [near.work.id for near in found] == ["Q2"]
