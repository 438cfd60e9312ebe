from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from string import Formatter
from typing import get_args

import pytest

from expartkg.records import FinishReason, Method, SentenceStatus, Source, VerdictMethod
from expartkg.settings import RANKINGS, Settings
from expartkg.subgraph import Labels
from expartkg.ui.text import ENGLISH, LANGUAGES, Counted, Field, Words
from expartkg.ui.text.tools import Comparing, Keeping, Many, Steering, Tools


def phrases(words: Words) -> dict[str, list[str]]:
    """All phrases of a language by the name of their field."""
    return {
        field.name: list(_phrases(getattr(words, field.name)))
        for field in dataclasses.fields(words)
    }


def _phrases(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Counted):
        return [value.one, value.many]
    if isinstance(value, Field):
        return [value.label, value.info, value.example]
    if isinstance(value, Tools | Keeping | Comparing | Steering | Many):
        value = {name: getattr(value, name) for name in value.__dataclass_fields__}
    if isinstance(value, Labels):
        return [phrase for part in dataclasses.astuple(value) for phrase in _phrases(part)]
    assert isinstance(value, Mapping)
    return [phrase for part in value.values() for phrase in _phrases(part)]


def placeholders(phrase: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(phrase) if name}


@pytest.mark.parametrize("words", LANGUAGES.values(), ids=LANGUAGES)
def test_every_choice_has_its_words(words: Words) -> None:
    assert set(words.methods) == set(words.exhausted) == set(get_args(Method))
    assert set(words.rankings) == set(RANKINGS)
    assert set(words.sources) == set(words.searched) == set(get_args(Source))
    assert set(words.finish_reasons) == set(get_args(FinishReason))
    assert set(words.verdict_methods) == set(get_args(VerdictMethod))
    assert set(words.sentence_marks) == set(get_args(SentenceStatus))
    assert set(words.sentence_explanations) == set(get_args(SentenceStatus))
    assert set(words.setting_names) == set(Settings().for_run())


@pytest.mark.parametrize("words", LANGUAGES.values(), ids=LANGUAGES)
def test_languages_fill_in_the_same_things(words: Words) -> None:
    english = phrases(ENGLISH)
    for name, own in phrases(words).items():
        filled = set[str]().union(*map(placeholders, own))
        assert filled == set[str]().union(*map(placeholders, english[name])), name


def test_counting() -> None:
    assert ENGLISH.facts(1) == "1 fact"
    assert ENGLISH.facts(1234) == "1,234 facts"
