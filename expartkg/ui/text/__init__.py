"""All words of the page, in one place: a module for each language."""

from __future__ import annotations

from collections.abc import Mapping

from expartkg.ui.text.english import ENGLISH
from expartkg.ui.text.japanese import JAPANESE
from expartkg.ui.text.words import Counted, Field, Words

LANGUAGES: Mapping[str, Words] = {words.language: words for words in (ENGLISH, JAPANESE)}

__all__ = ["ENGLISH", "JAPANESE", "LANGUAGES", "Counted", "Field", "Words"]
