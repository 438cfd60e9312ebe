"""What retrieval reaches without a model, worked out by hand on the small graph."""

from __future__ import annotations

from pathlib import Path

import pytest

from expartkg.errors import DataError
from expartkg.evaluation.questions import ArtQuestion, read_questions
from expartkg.evaluation.reaching import ReachedMean, measure_retrieval
from expartkg.retrieval.retriever import Retriever

QUESTION = ArtQuestion(
    "1", "Ophelia", "John Everett Millais of Southampton painted Ophelia; Tate Britain in London."
)


def measure(
    retriever: Retriever,
    *questions: ArtQuestion,
    top_ks: tuple[int, ...] = (10,),
    budget: int = 4000,
) -> list[ReachedMean]:
    return measure_retrieval(
        questions or [QUESTION],
        retriever,
        rankings=["qid"],
        top_ks=top_ks,
        facts_budget=budget,
        seed=0,
    )


def test_each_iteration_follows_the_entities_of_the_facts(retriever: Retriever) -> None:
    # Wanted are five: Ophelia, Millais, Tate Britain (named by Ophelia's two facts), Southampton
    # (by Millais's) and London (by Tate Britain's). The second iteration starts from the first
    # three and has 2 + 2 more facts, Mariana's and Southampton's of Millais counting, London's of
    # Tate Britain; the third starts from all six and finds no fact that is new.
    first, second, third = measure(retriever)
    assert [mean.share for mean in (first, second, third)] == [60, 100, 100]
    assert [mean.facts for mean in (first, second, third)] == [2, 5, 5]
    assert [mean.lookups for mean in (first, second, third)] == [1, 3, 6]


def test_k_limits_the_facts_of_every_entity(retriever: Retriever) -> None:
    one, *_, many = measure(retriever, top_ks=(1, 10))
    assert (one.top_k, one.facts, one.share) == (1, 1, 40)
    assert (many.top_k, many.facts) == (10, 5)


def test_facts_that_do_not_fit_the_prompt_name_nothing(retriever: Retriever) -> None:
    # "[Ophelia, Label of P195, Tate Britain]" and a line break are 10 tokens
    first, *_ = measure(retriever, budget=12)
    assert (first.facts, first.dropped, first.share) == (1, 1, 40)


def test_a_title_that_the_graph_does_not_know(retriever: Retriever) -> None:
    unknown = ArtQuestion("2", "Nothing of the kind", "By John Everett Millais.")
    assert [mean.share for mean in measure(retriever, unknown)] == [0, 0, 0]
    # the mean is over both questions
    assert [mean.share for mean in measure(retriever, QUESTION, unknown)] == [30, 50, 50]


def test_references_without_an_entity_are_left_out(retriever: Retriever) -> None:
    nobody = ArtQuestion("3", "Mariana", "Nobody knows.")
    assert [mean.share for mean in measure(retriever, QUESTION, nobody)] == [60, 100, 100]
    with pytest.raises(DataError, match="--kg"):
        measure(retriever, nobody)


def test_concepts_are_not_followed(make_graph, retriever: Retriever) -> None:  # type: ignore[no-untyped-def]
    edges = [("Q1", "P186", "Q2"), ("Q3", "P186", "Q2"), ("Q3", "P170", "Q4")]
    labels = {"Q1": "Ophelia", "Q2": "oil paint", "Q3": "Mariana", "Q4": "John Everett Millais"}
    graph = make_graph(edges, labels, {"Q1": "Artwork", "Q2": "Concept", "Q3": "Artwork"})
    question = ArtQuestion("1", "Ophelia", "Ophelia by John Everett Millais in oil paint.")
    # oil paint is no name, so two are wanted; the work itself is one of them
    assert [mean.share for mean in measure(Retriever(graph), question)] == [50, 50, 50]


def test_on_real_questions(shipped: Retriever, data: Path) -> None:
    questions = read_questions(data / "qa/artpedia.jsonl")[::100]
    means = measure(shipped, *questions)
    shares = [mean.share for mean in means]
    assert shares == sorted(shares)
    assert shares[0] > 25
    for mean in means:
        assert mean.low <= mean.share <= mean.high
