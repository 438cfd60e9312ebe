"""All words of the page, in one place: a module for each language."""

from __future__ import annotations

from collections.abc import Mapping

from expartkg.ui.text.english import ENGLISH
from expartkg.ui.text.japanese import JAPANESE
from expartkg.ui.text.words import Counted, Field, Words

LANGUAGES: Mapping[str, Words] = {words.language: words for words in (ENGLISH, JAPANESE)}


def languages_of(setting: str) -> Mapping[str, Words]:
    """The languages that a setting names, by their addresses; the first one is at the root.

    `setting` is the code of the only one, or `auto` for all.
    """
    languages = list(LANGUAGES.values()) if setting == "auto" else [LANGUAGES[setting]]
    return {"" if number == 0 else words.language: words for number, words in enumerate(languages)}


__all__ = ["ENGLISH", "JAPANESE", "LANGUAGES", "Counted", "Field", "Words", "languages_of"]
