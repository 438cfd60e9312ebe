"""Retrieval for a text: which facts, in which order; and what the shipped graph gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from expartkg.errors import UsageError
from expartkg.records import RankedTriple
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.store import Graph

MakeGraph = Callable[..., Graph]

EDGES = [("Q1", "P170", "Q2"), ("Q1", "P180", "Q3"), ("Q4", "P170", "Q2"), ("Q2", "P19", "Q5")]
LABELS = {"Q1": "Ophelia", "Q2": "Millais", "Q3": "River", "Q4": "Mariana", "Q5": "Southampton"}


@pytest.fixture
def retriever(make_graph: MakeGraph) -> Retriever:
    return Retriever(make_graph(EDGES, LABELS, {"Q3": "Concept"}))


def of(facts: tuple[RankedTriple, ...]) -> list[tuple[str, str]]:
    return [(fact.anchor.label, " ".join(fact.triple.labels)) for fact in facts]


def retrieve(retriever: Retriever, text: str, **options: object) -> tuple[RankedTriple, ...]:
    arguments: dict[str, object] = {"ranking": "qid", "top_k": 10, **options}
    return retriever.facts(retriever.names.find(text), **arguments)  # type: ignore[arg-type]


def test_facts_follow_the_order_of_first_mention_and_none_is_repeated(retriever: Retriever) -> None:
    facts = retrieve(retriever, "Millais painted Ophelia; Millais also painted Mariana.")
    anchors = [fact.anchor.label for fact in facts]
    assert anchors == sorted(anchors, key=["Millais", "Ophelia", "Mariana"].index)
    triples = [fact.triple for fact in facts]
    assert len(set(triples)) == len(triples) == 4
    # The creator statements are Millais's already, so Mariana adds nothing.
    assert [label for label, _ in of(facts)].count("Mariana") == 0


def test_the_works_own_facts_go_first(retriever: Retriever) -> None:
    mentions = retriever.names.find("Millais painted Ophelia.")
    first = retriever.graph.entity("Q1")
    facts = retriever.facts(mentions, ranking="qid", top_k=10, first=first)
    assert [fact.anchor.label for fact in facts][:2] == ["Ophelia", "Ophelia"]


def test_top_k_is_per_entity(retriever: Retriever) -> None:
    facts = retrieve(retriever, "Ophelia, Millais", top_k=1)
    assert [label for label, _ in of(facts)] == ["Ophelia", "Millais"]


def test_a_concept_starts_no_retrieval(retriever: Retriever) -> None:
    assert retrieve(retriever, "River") == ()


@pytest.mark.parametrize("top_k", [0, -1])
def test_top_k_below_one(retriever: Retriever, top_k: int) -> None:
    with pytest.raises(UsageError, match="top-k"):
        retrieve(retriever, "Ophelia", top_k=top_k)


def test_an_unknown_ranking(retriever: Retriever) -> None:
    with pytest.raises(UsageError, match="ranking"):
        retrieve(retriever, "Ophelia", ranking="bm25")


def test_suggestions_are_works_with_what_tells_them_apart(retriever: Retriever) -> None:
    (ophelia,) = retriever.suggest("ophel")
    assert (ophelia.entity.id, ophelia.makers) == ("Q1", ("Millais",))
    assert retriever.works([retriever.graph.entity("Q1")]) == (ophelia,)
    assert len(retriever.suggest("millais", limit=2)) == 2


def test_warming_up_leaves_nothing_to_be_made_for_a_suggestion(
    retriever: Retriever, monkeypatch: pytest.MonkeyPatch
) -> None:
    retriever.warm_up()
    monkeypatch.setattr(retriever.graph, "statements", None)
    assert retriever.suggest("ophelia")


def test_warming_up_reads_the_statements_once(
    retriever: Retriever, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = retriever.graph.statements
    times: list[int] = []

    def counted() -> Iterator[tuple[str, str, str]]:
        times.append(1)
        return read()

    monkeypatch.setattr(retriever.graph, "statements", counted)
    retriever.warm_up()
    assert retriever.ranker.statistics.statements == len(EDGES)
    assert retriever.suggest("ophelia")
    assert times == [1]


def test_every_fact_of_the_shipped_graph_is_a_statement_of_it(shipped: Retriever) -> None:
    text = "The Night Watch by Rembrandt, Mona Lisa by Leonardo da Vinci, Paris"
    facts = retrieve(shipped, text, top_k=10_000)
    statements = set(shipped.graph.statements())
    assert len(facts) > 100
    for fact in facts:
        triple = fact.triple
        assert (triple.subject.iri, triple.predicate.iri, triple.object.iri) in statements


def test_mona_lisa(shipped: Retriever) -> None:
    labels = [" ".join(fact.triple.labels) for fact in retrieve(shipped, "Mona Lisa")]
    assert "Mona Lisa creator Leonardo da Vinci" in labels
    assert "Mona Lisa made from material Oil paint" in labels
