"""Eq. 1 under the three rankings, against values worked out by hand and a plain computation."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from expartkg.records import PairCount, RankedTriple
from expartkg.retrieval.ranking import RANKINGS, Ranker, weight
from expartkg.retrieval.store import Graph

MakeGraph = Callable[..., Graph]
Edge = tuple[str, str, str]


def ranked(graph: Graph, id: str, ranking: str, top_k: int = 1000) -> tuple[RankedTriple, ...]:
    return Ranker(graph).rank(graph.entity(id), ranking, top_k)


def short(facts: tuple[RankedTriple, ...]) -> list[Edge]:
    return [(f.triple.subject.id, f.triple.predicate.id, f.triple.object.id) for f in facts]


class TestByHand:
    """Q1 has two parallel statements to Q2, one from Q3, and a self loop; Q9 is isolated.

    N = 4 (Q1, Q2, Q3, Q9). Documents: D_1 = all four triples, D_2 = {(1,P5,2), (1,P6,2)},
    D_3 = {(3,P5,1)}, D_9 = {}.
    """

    @pytest.fixture
    def graph(self, make_graph: MakeGraph) -> Graph:
        edges = [("Q1", "P5", "Q2"), ("Q1", "P6", "Q2"), ("Q3", "P5", "Q1"), ("Q1", "P6", "Q1")]
        return make_graph(edges, isolated=["Q9"])

    def test_pid(self, graph: Graph) -> None:
        facts = ranked(graph, "Q1", "pid")
        # P5: f = 2, n = 3 (D_1, D_2, D_3); P6: f = 2, n = 2 (D_1, D_2).
        p5, p6 = math.log(3) * math.log(5 / 4), math.log(3) * math.log(5 / 3)
        assert [(f.score, f.f, f.n_t) for f in facts] == [
            (p6, 2, 2),
            (p6, 2, 2),
            (p5, 2, 3),
            (p5, 2, 3),
        ]
        # Ties: by neighbour number.
        assert short(facts) == [
            ("Q1", "P6", "Q1"),
            ("Q1", "P6", "Q2"),
            ("Q1", "P5", "Q2"),
            ("Q3", "P5", "Q1"),
        ]

    def test_qid(self, graph: Graph) -> None:
        facts = ranked(graph, "Q1", "qid")
        # Q2: f = 2, n = 1 (D_1); Q3: f = 1, n = 1; Q1 by the self loop: f = 1, n = 3 (all but D_9).
        q2, q3, q1 = (
            math.log(3) * math.log(5 / 2),
            math.log(2) * math.log(5 / 2),
            math.log(2) * math.log(5 / 4),
        )
        assert [(f.score, f.f, f.n_t) for f in facts] == [
            (q2, 2, 1),
            (q2, 2, 1),
            (q3, 1, 1),
            (q1, 1, 3),
        ]
        assert short(facts)[:2] == [("Q1", "P5", "Q2"), ("Q1", "P6", "Q2")]

    def test_pid_qid(self, graph: Graph) -> None:
        best = ranked(graph, "Q1", "pid-qid")[0]
        assert short((best,)) == [("Q1", "P6", "Q2")]
        assert best.score == pytest.approx(
            math.log(3) * math.log(5 / 3) + math.log(3) * math.log(5 / 2)
        )
        assert (best.f, best.n_t, best.N) == (PairCount(2, 2), PairCount(2, 1), 4)

    def test_an_isolated_entity_has_no_facts_but_counts(self, graph: Graph) -> None:
        assert ranked(graph, "Q9", "qid") == ()
        assert Ranker(graph).statistics.N == 4

    def test_top_k(self, graph: Graph) -> None:
        assert len(ranked(graph, "Q1", "qid", 1)) == 1
        assert len(ranked(graph, "Q1", "qid", 10_000)) == 4

    def test_outgoing_goes_before_incoming(self, make_graph: MakeGraph) -> None:
        graph = make_graph([("Q2", "P5", "Q1"), ("Q1", "P5", "Q2")])
        assert short(ranked(graph, "Q1", "qid")) == [("Q1", "P5", "Q2"), ("Q2", "P5", "Q1")]

    def test_numbers_not_strings_decide_ties(self, make_graph: MakeGraph) -> None:
        graph = make_graph([("Q1", "P10", "Q3"), ("Q1", "P9", "Q30"), ("Q1", "P9", "Q4")])
        assert short(ranked(graph, "Q1", "qid")) == [
            ("Q1", "P9", "Q4"),
            ("Q1", "P9", "Q30"),
            ("Q1", "P10", "Q3"),
        ]


def test_weight_is_zero_for_a_term_of_every_document() -> None:
    assert weight(3, 7, 7) == 0


IDS = st.integers(1, 7)
EDGES = st.lists(
    st.builds(lambda s, p, o: (f"Q{s}", f"P{p}", f"Q{o}"), IDS, st.integers(1, 3), IDS),
    min_size=1,
    max_size=25,
)


def plainly(edges: set[Edge], entities: set[str], id: str, ranking: str) -> dict[Edge, float]:
    """Eq. 1 straight from its definition: sets of triples, terms tagged by their sort."""

    def document(e: str) -> set[Edge]:
        return {edge for edge in edges if e in (edge[0], edge[2])}

    def terms(edge: Edge, e: str) -> list[str]:
        neighbour = edge[2] if edge[0] == e else edge[0]
        both = {"pid": [f"p {edge[1]}"], "qid": [f"q {neighbour}"]}
        return both.get(ranking) or [*both["pid"], *both["qid"]]

    N = len(entities)

    def w(term: str) -> float:
        f = sum(terms(edge, id).count(term) for edge in document(id))
        n = sum(any(term in terms(edge, e) for edge in document(e)) for e in entities)
        return math.log(1 + f) * math.log((N + 1) / (n + 1))

    return {edge: sum(w(term) for term in terms(edge, id)) for edge in document(id)}


quick = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@quick
@given(EDGES, st.sampled_from(sorted(RANKINGS)), st.integers(1, 30))
def test_scores_are_those_of_the_definition(
    make_graph: MakeGraph, edges: list[Edge], ranking: str, top_k: int
) -> None:
    graph = make_graph(edges, isolated=["Q7", "Q8"])
    entities = {entity.id for entity in graph.entities}
    ranker = Ranker(graph)
    for id in entities:
        expected = plainly(set(edges), entities, id, ranking)
        facts = ranker.rank(graph.entity(id), ranking, top_k)
        triples = short(facts)
        assert len(facts) == min(top_k, len(expected))
        assert len(set(triples)) == len(triples)
        assert set(triples) <= set(expected)
        assert [f.score for f in facts] == pytest.approx([expected[t] for t in triples])
        assert [f.score for f in facts] == sorted((f.score for f in facts), reverse=True)
        assert sorted(expected.values(), reverse=True)[:top_k] == pytest.approx(
            [f.score for f in facts]
        )


@quick
@given(EDGES, st.sampled_from(sorted(RANKINGS)), st.randoms(use_true_random=False))
def test_renaming_ids_changes_no_score(
    make_graph: MakeGraph, edges: list[Edge], ranking: str, random: Any
) -> None:
    items = sorted({end for s, _, o in edges for end in (s, o)})
    new = dict(zip(items, random.sample(range(100, 1000), len(items)), strict=True))
    renamed = [(f"Q{new[s]}", f"P9{p[1:]}", f"Q{new[o]}") for s, p, o in edges]

    def scores(graph: Graph, id: str) -> list[float]:
        return [fact.score for fact in ranked(graph, id, ranking)]

    before = {id: scores(make_graph(edges), id) for id in items}
    graph = make_graph(renamed)
    assert {id: scores(graph, f"Q{new[id]}") for id in items} == before
