"""Entities, occurrences, sentences and words of a text, with odd texts."""

from __future__ import annotations

import unicodedata
from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expartkg.evaluation.metrics.reading import words_of
from expartkg.evaluation.metrics.sentences import sentence_spans
from expartkg.retrieval.text import is_word
from tests.evaluation.conftest import NAMES, Read


@pytest.mark.parametrize(
    ("text", "entities"),
    [
        ("", {}),
        ("No name at all.", {}),
        ("Paris, Paris and Paris", {"Paris": 3}),
        # the longer name hides the one inside it, in all its words
        ("Leonardo da Vinci and Leonardo", {"Leonardo da Vinci": 1, "Leonardo": 1}),
        ("Self-Portrait with a Friend", {"Self-Portrait with a Friend": 1}),
        # a name inside a word is none, and neither is another case
        ("Parisian paris PARIS", {}),
        ("the Louvre's halls", {"Louvre": 1}),
        # a line break is a blank, a curly quote a straight one
        ("Mona\n  Lisa at L’Estaque", {"Mona Lisa": 1, "L'Estaque": 1}),
        ("漢字", {"漢字": 1}),
        # Chinese has no blanks between words, so a name inside a run of it is inside a word
        ("漢字漢字", {}),
        ("St. John", {"St. John": 1}),
    ],
)
def test_entities(read: Read, text: str, entities: dict[str, int]) -> None:
    assert dict(read(text).occurrences) == entities


def test_accents_may_be_composed_or_not(read: Read) -> None:
    name = "Élisabeth Vigée Le Brun"
    decomposed = unicodedata.normalize("NFD", name)
    assert decomposed != name
    assert dict(read(f"{name} is {decomposed}").occurrences) == {name: 2}
    assert read(decomposed).words == ("Élisabeth", "Vigée", "Le", "Brun")


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Paris. Paris and the Louvre.", {"Paris": {0, 1}, "Louvre": {1}}),
        # "Dr." and "c." end no sentence
        ("Dr. Smith saw Paris c. 1503. The Louvre.", {"Paris": {0}, "Louvre": {1}}),
        ("Mona Lisa! Paris? Louvre", {"Mona Lisa": {0}, "Paris": {1}, "Louvre": {2}}),
        # Punkt ends a sentence behind "U.S.", in the middle of the name, so it belongs to both
        ("He saw the U.S. Marshal House of Paris.", {"U.S. Marshal House": {0, 1}, "Paris": {1}}),
    ],
)
def test_sentences(read: Read, text: str, sentences: dict[str, set[int]]) -> None:
    assert {name: set(touched) for name, touched in read(text).sentences.items()} == sentences


def test_words_and_length(read: Read) -> None:
    # words: runs of word characters; length: runs of anything but white space
    reading = read("L'Estaque, c. 1883 — co-op\u00a0_x_")
    assert reading.words == ("L", "Estaque", "c", "1883", "co", "op", "_x_")
    assert reading.length == 6


@settings(deadline=None)
@given(st.text(max_size=40))
def test_words_are_runs_of_word_characters(text: str) -> None:
    runs = groupby(text, key=is_word)
    assert words_of(text) == tuple("".join(run) for is_run, run in runs if is_run)


PIECES = [*NAMES, *"aé.?! \n\u0301\u00a0'’\ud800漢🖼\x1c", "St", ". ", "... ", "Dr. ", "e\u0301 "]
ODD = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@settings(deadline=None)
@given(text=ODD)
def test_every_entity_is_in_a_sentence_of_the_text(read: Read, text: str) -> None:
    reading = read(text)
    assert reading.sentences.keys() == reading.occurrences.keys()
    count = len(sentence_spans(text))
    for touched in reading.sentences.values():
        assert touched
        assert touched <= set(range(count))
