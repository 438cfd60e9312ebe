"""What a card says of its iteration, and what is new in it."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from expartkg.comparison import MOST_WORDS
from expartkg.records import Answered, Finished, Judged, Retrieved, Run
from expartkg.ui.card import Card, card_of
from expartkg.ui.changes import changes
from expartkg.ui.story import Story
from expartkg.ui.text import ENGLISH


def cards_of(run: Run, ranking: str = "qid") -> list[Card]:
    """The cards of a finished run, whose story is told from its iterations."""
    story = Story("k", ranking=ranking)
    for one in run.iterations:
        retrieved = Retrieved(
            one.number,
            one.source,
            one.mentions,
            one.facts,
            one.prompt,
            one.facts_dropped,
            one.retrieval_seconds,
        )
        story.add([retrieved, Answered(one.number, one.answer)])
        if one.verdict:
            story.add([Judged(one.number, one.verdict, one.verdict_seconds)])
    story.add([Finished(run)])
    return [card_of(round_, story, ENGLISH) for round_ in story.rounds]


def test_what_is_new_is_told_against_all_rounds_before(make_run: Callable[..., Run]) -> None:
    first, second = cards_of(make_run())
    assert not first.new_entities
    assert not first.new_facts
    assert {entity.label for entity in second.new_entities} == {"Painter* [1]", "Twin"}
    earlier = {fact.triple for group in first.groups for fact in group.facts}
    later = {fact.triple for group in second.groups for fact in group.facts}
    assert second.new_facts == later - earlier
    assert second.new_facts


def test_answers_are_compared_word_by_word(make_run: Callable[..., Run]) -> None:
    run = make_run()
    first, second = cards_of(run)
    assert first.changes == ()
    kept = "".join(one.text for one in second.changes if one.kind != "gone")
    assert kept == run.answer
    assert "By Painter* [1]. " in [one.text for one in second.changes if one.kind == "gone"]
    assert not second.is_unchanged
    first, second = cards_of(make_run(answers=("Twin.", "Twin. "), p_true=(0.2, 0.9)))
    assert second.is_unchanged


def test_very_long_answers_are_not_compared() -> None:
    assert changes("a " * MOST_WORDS, "a b " * MOST_WORDS) == ()
    assert changes("a  b\nc", "a b\nc")[0].text == "a b\nc"


@pytest.mark.parametrize("ranking", ["qid", "pid", "pid-qid"])
def test_every_score_is_explained_by_its_factors(
    make_run: Callable[..., Run], ranking: str
) -> None:
    run = make_run(ranking=ranking)
    for card in cards_of(run, ranking):
        for group in card.groups:
            assert [one.fact for one in group.scores] == list(group.facts)
            for one in group.scores:
                assert len(one.terms) == (2 if ranking == "pid-qid" else 1)
                parts = [term.in_document * term.in_graph for term in one.terms]
                assert math.isclose(sum(parts), one.fact.score)
                labels = {term.label for term in one.terms}
                assert (one.fact.triple.predicate.label in labels) == (ranking != "qid")


def test_a_card_has_the_prompt_and_the_time_of_every_step(make_run: Callable[..., Run]) -> None:
    run = make_run()
    for card, iteration in zip(cards_of(run), run.iterations, strict=True):
        assert card.prompt == iteration.prompt
        assert [name for name, _ in card.timings] == ["Looking up", "Writing", "Judging"]
    (card,) = cards_of(make_run(method="baseline"))
    assert [name for name, _ in card.timings] == ["Writing"]
