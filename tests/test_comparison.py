"""Two runs side by side."""

from __future__ import annotations

import json
from collections.abc import Callable

import hypothesis
from hypothesis import strategies

from expartkg.comparison import MOST_WORDS, compare, differing_words
from expartkg.exports import comparison_to_html, comparison_to_json
from expartkg.records import Run
from tests.test_exports import Page

TEXT = strategies.text(alphabet="ab \n", max_size=40)


@hypothesis.given(TEXT, TEXT)
def test_the_pieces_are_the_texts_and_what_is_not_marked_is_the_same(left: str, right: str) -> None:
    pieces = differing_words(left, right)
    assert ["".join(piece.text for piece in side) for side in pieces] == [left, right]
    same = ["".join(piece.text for piece in side if not piece.only_here).split() for side in pieces]
    assert same[0] == same[1]


def test_words_that_only_one_has_are_marked_with_the_blanks_between_them() -> None:
    left, right = differing_words("By Klimt, in oil paint on wood.", "By Klimt, on wood.")
    assert [piece.text for piece in left if piece.only_here] == ["in oil paint"]
    assert not [piece for piece in right if piece.only_here]


def test_texts_that_have_nothing_to_compare_have_no_pieces() -> None:
    assert differing_words("", "") == ((), ())


def test_very_long_answers_are_not_compared_word_by_word() -> None:
    long = "word " * (MOST_WORDS + 1)
    assert [len(side) for side in differing_words(long, "word")] == [1, 1]


def test_facts_of_both_and_of_one(make_run: Callable[..., Run]) -> None:
    with_graph, without = make_run(), make_run(method="baseline")
    comparison = compare(with_graph, without, ("with", "without"))
    assert not comparison.shared
    assert not comparison.right.facts
    one = {fact.triple for iteration in with_graph.iterations for fact in iteration.facts}
    assert set(comparison.left.facts) == one
    same = compare(with_graph, with_graph, ("a", "b"))
    assert set(same.shared) == one
    assert not same.left.facts


def test_a_comparison_can_be_taken_away_and_stays_text(
    make_run: Callable[..., Run], check_run: Callable[[object], None]
) -> None:
    comparison = compare(make_run(), make_run(method="baseline"), ("<i>one</i>", "two"))
    page = Page(comparison_to_html(comparison))
    assert "<i>one</i>" in page.said
    assert "Painter* [1]" in page.said
    assert not page.names & {"b", "i", "img", "script", "src"}
    for side in json.loads(comparison_to_json(comparison))["compared"]:
        check_run(side["run"])


def test_of_texts_that_repeat_themselves_nothing_is_marked() -> None:
    left, right = differing_words("round and " * 700, "round and round " * 450)
    assert [piece.only_here for piece in (*left, *right)] == [False, False]
