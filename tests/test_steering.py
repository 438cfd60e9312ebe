"""Runs that go on from the middle with what a person changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from expartkg.engines.scripted import scripted_engine
from expartkg.errors import UsageError
from expartkg.loop import explain
from expartkg.records import AnswerDelta, Artwork, Entity, Intervention, Run
from expartkg.replay import replay
from expartkg.retrieval.retriever import Retriever
from expartkg.runs import run_from_json, run_to_json, to_text
from expartkg.settings import Settings
from expartkg.steering import steer
from tests.conftest import MakeGraph

LABELS = {"Q1": "Night", "Q2": "Painter", "Q3": "Museum", "Q4": "Town"}
EDGES = [("Q1", "P170", "Q2"), ("Q1", "P195", "Q3"), ("Q2", "P19", "Q4")]
ANSWERS = ["By Painter.", "By Painter, in Museum.", "Third."]
RunOf = Callable[[Any], Run]


@pytest.fixture
def retriever(make_graph: MakeGraph) -> Retriever:
    return Retriever(make_graph(EDGES, LABELS, {"Q1": "Artwork"}))


@pytest.fixture
def run(retriever: Retriever, run_of: RunOf) -> Run:
    return run_of(
        explain(
            Artwork(title="night"),
            retriever=retriever,
            engine=scripted_engine(ANSWERS, [0.1, 0.2, 0.9]),
            settings=Settings(max_iterations=4),
        )
    )


def again(run: Run, retriever: Retriever, run_of: RunOf, change: Intervention) -> Run:
    return run_of(
        explain(
            run.artwork,
            retriever=retriever,
            engine=scripted_engine(["Anew by Painter.", "Painter again."], [0.3, 0.8]),
            settings=Settings().replace(**run.settings),
            question=run.question.text,
            steering=steer(run, change),
        )
    )


def entity(run: Run, id: str) -> Entity:
    return next(
        end
        for iteration in run.iterations
        for fact in iteration.facts
        for end in (fact.triple.subject, fact.triple.object)
        if end.id == id
    )


def objects(run: Run, number: int) -> list[str]:
    return [fact.triple.object.id for fact in run.iterations[number - 1].facts]


def test_rounds_before_stay_and_what_was_unticked_is_gone_from_there_on(
    run: Run, retriever: Retriever, run_of: RunOf
) -> None:
    fact = run.iterations[1].facts[0].triple
    change = Intervention(2, removed_facts=(fact,), removed_entities=(entity(run, "Q3"),))
    steered = again(run, retriever, run_of, change)
    assert steered.iterations[0] == run.iterations[0]
    assert [iteration.number for iteration in steered.iterations] == [1, 2, 3]
    assert steered.answer == "Painter again."
    for iteration in steered.iterations[1:]:
        assert fact not in {ranked.triple for ranked in iteration.facts}
        assert "Q3" not in {mention.entity.id for mention in iteration.mentions}
    assert steered.interventions == (change,)
    assert steered.status == "accepted"


def test_an_added_entity_is_looked_up(run: Run, retriever: Retriever, run_of: RunOf) -> None:
    town = retriever.graph.entity("Q4")
    steered = again(run, retriever, run_of, Intervention(1, added_entities=(town,)))
    added = steered.iterations[0].mentions[-1]
    assert (added.entity.id, added.text, added.start) == ("Q4", "", 0)
    assert "Q4" in objects(steered, 1)
    assert "Town" in steered.iterations[0].prompt.text


def test_an_edited_question_is_asked_from_there_on(
    run: Run, retriever: Retriever, run_of: RunOf
) -> None:
    steered = again(run, retriever, run_of, Intervention(3, question='Where is "Night"?'))
    assert steered.question.text == run.question.text
    asked = ['Where is "Night"?' in iteration.prompt.text for iteration in steered.iterations]
    assert asked == [False, False, True, True]
    opened = run_from_json(run_to_json(steered))
    questions = [iteration.prompt.question for iteration in steered.iterations]
    assert [iteration.prompt.question for iteration in opened.iterations] == questions
    assert questions[1:3] == [run.question.text, 'Where is "Night"?']


def test_changes_add_up_but_those_of_rounds_that_are_made_anew(
    run: Run, retriever: Retriever, run_of: RunOf
) -> None:
    late = Intervention(3, question="Late?")
    first = Intervention(2, removed_entities=(entity(run, "Q3"),))
    second = Intervention(2, added_entities=(entity(run, "Q3"),))
    steered = again(again(run, retriever, run_of, late), retriever, run_of, first)
    assert steered.interventions == (first,)
    steered = again(steered, retriever, run_of, second)
    assert steered.interventions == (first, second)


@pytest.mark.parametrize("number", [0, 4, -1])
def test_a_round_that_is_not_there(run: Run, number: int) -> None:
    with pytest.raises(UsageError, match="3 iterations"):
        steer(run, Intervention(number))


def test_interventions_are_exported_and_come_back(
    run: Run, retriever: Retriever, run_of: RunOf, check_run: Callable[[object], None]
) -> None:
    change = Intervention(
        1,
        (run.iterations[0].facts[0].triple,),
        (entity(run, "Q2"),),
        (retriever.graph.entity("Q4"),),
        "Why?",
    )
    steered = again(run, retriever, run_of, change)
    document = json.loads(to_text(run_to_json(steered)))
    check_run(document)
    assert run_from_json(document).interventions == (change,)
    del document["interventions"]
    check_run(document)
    assert run_from_json(document).interventions == ()


def test_a_replayed_run_tells_all_but_the_pieces_of_its_answers(
    retriever: Retriever, run_of: RunOf
) -> None:
    events = list(
        explain(
            Artwork(title="night"),
            retriever=retriever,
            engine=scripted_engine(ANSWERS, [0.1, 0.2, 0.9]),
            settings=Settings(max_iterations=4),
        )
    )
    told = [event for event in events if not isinstance(event, AnswerDelta)]
    assert list(replay(run_of(events))) == told
