"""The preview's verdict, aspect by aspect."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from expartkg.engines.preview import ASPECTS, THRESHOLD, covered_aspects, preview_engine
from expartkg.engines.preview.rule import names_in_full
from expartkg.prompts import validator_prompt
from expartkg.records import Entity, Prompt, RankedTriple, StopFlag, Verdict

Fact = Callable[..., RankedTriple]
WORK = "Mona Lisa:Artwork"
ARTIST = "Leonardo da Vinci:Artist"


@pytest.mark.parametrize(
    ("predicate", "other", "answer", "aspect"),
    [
        ("P170", ARTIST, "By Leonardo da Vinci.", "creator"),
        ("P180", "Sky:Concept", "It shows the sky.", "depicts"),
        ("P180", "Lisa del Giocondo:Person", "Lisa del Giocondo sits.", "depicts"),
        ("P186", "Oil paint:Concept", "In oil paint.", "material"),
        ("P195", "Louvre Museum:Museum", "In the Louvre Museum.", "collection or place"),
        ("P276", "Paris:Place", "In Paris.", "collection or place"),
        ("P135", "Renaissance:Movement", "Of the Renaissance.", "movement or genre"),
        ("P136", "Portrait:Concept", "A portrait.", "movement or genre"),
    ],
)
def test_an_aspect_needs_a_fact_and_its_name_in_the_answer(
    fact: Fact, predicate: str, other: str, answer: str, aspect: str
) -> None:
    stated = [fact(WORK, predicate, other)]
    assert covered_aspects(stated, answer) == (aspect,)
    assert covered_aspects(stated, "Nothing of it.") == ()
    assert covered_aspects([fact(WORK, "P999", other)], answer) == ()


@pytest.mark.parametrize(
    "extra",
    [
        (ARTIST, "P19", "Anchiano:Place"),
        ("Anchiano:Place", "P1", ARTIST),
    ],
)
def test_something_about_the_creator(fact: Fact, extra: tuple[str, str, str]) -> None:
    facts = [fact(WORK, "P170", ARTIST), fact(*extra, anchor=ARTIST)]
    assert "about the creator" in covered_aspects(facts, "Leonardo da Vinci: Anchiano.")
    assert "about the creator" not in covered_aspects(facts, "Leonardo da Vinci.")


def test_having_made_the_work_says_nothing_more_about_the_creator(fact: Fact) -> None:
    answer = "Mona Lisa by Leonardo da Vinci. Mona Lisa."
    assert covered_aspects([fact(WORK, "P170", ARTIST)], answer) == ("creator",)


@pytest.mark.parametrize("bearer", [ARTIST, "Other work:Artwork"])
def test_the_style_of_the_creator_or_of_another_work_will_do(fact: Fact, bearer: str) -> None:
    facts = [
        fact(WORK, "P170", ARTIST),
        fact("Other work:Artwork", "P170", ARTIST, anchor=ARTIST),
        fact(bearer, "P135", "Mannerism:Movement"),
    ]
    assert "movement or genre" in covered_aspects(facts, "Mannerism")


def test_the_style_of_a_stranger_will_not(fact: Fact) -> None:
    facts = [fact(WORK, "P170", ARTIST), fact("Stray:Artwork", "P135", "Mannerism:Movement")]
    assert covered_aspects(facts, "Mannerism") == ()


def test_the_title_alone_does_not_cover_a_subject_of_that_name(fact: Fact) -> None:
    facts = [fact("Venus:Artwork", "P180", "Venus:Subject")]
    assert covered_aspects(facts, "Venus is a work.") == ()
    assert covered_aspects(facts, "Venus depicts the subject Venus.") == ("depicts",)


def test_without_a_work_nothing_is_covered(fact: Fact) -> None:
    facts = [
        fact(WORK, "P170", ARTIST, anchor=ARTIST),
        fact(WORK, "P136", "Portrait:Concept"),
    ]
    assert covered_aspects(facts, "Mona Lisa, a portrait by Leonardo da Vinci") == ()
    assert covered_aspects((), "Mona Lisa") == ()


@pytest.mark.parametrize(
    ("text", "label", "kind", "named"),
    [
        ("Parisian", "Paris", "Place", False),
        ("in Paris.", "Paris", "Place", True),
        ("in paris", "Paris", "Place", False),
        ("a man", "Man", "Concept", True),
        ("a woman", "Man", "Concept", False),
        ("OIL PAINT", "Oil paint", "Concept", False),
        ("S.M.A.K. (x)", "S.M.A.K. (x)", "Museum", True),
    ],
)
def test_whole_words(text: str, label: str, kind: str, named: bool) -> None:
    assert names_in_full(text, Entity(label, label, kind)) is named


def judged(prompt: Prompt, answer: str, stop: StopFlag) -> Verdict:
    validator = preview_engine().validator
    assert validator is not None
    return validator.judge(prompt, answer, stop)


def test_p_is_the_share_and_the_threshold_five_sixths(
    mona_lisa: list[RankedTriple], never: StopFlag
) -> None:
    answer = "Leonardo da Vinci, oil paint, Louvre Museum, sky"
    four = judged(validator_prompt("Q", answer, mona_lisa), answer, never)
    assert four == Verdict(False, 4 / 6, None, "rule")
    five = judged(validator_prompt("Q", answer, mona_lisa), f"{answer}, portrait", never)
    assert five == Verdict(True, 5 / 6, None, "rule")
    assert (len(ASPECTS), THRESHOLD) == (6, 5 / 6)


def test_neither_text_of_the_prompt_counts(mona_lisa: list[RankedTriple], never: StopFlag) -> None:
    answer = "By Leonardo da Vinci in oil paint."
    usual = judged(validator_prompt("Q", answer, mona_lisa), answer, never)
    other = Prompt("", "", "Louvre Museum, sky, portrait", tuple(mona_lisa))
    assert judged(other, answer, never) == usual
