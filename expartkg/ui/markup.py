"""Turning a text of others into harmless HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup, escape

# A mark's partner is looked for within one line and 300 characters: a text may be very long.
_STRONG = re.compile(r"\*\*(?=\S)(.{1,300}?)(?<=\S)\*\*")
_EMPHASIS = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]{1,300}?)(?<=\S)\*(?![\w*])")
# Stands for a tag while the text is escaped and its emphasis found; no text may have it.
_PLACE = "\ue000"


@dataclass(frozen=True, slots=True)
class Insertion:
    """An element around `start:end` of a text, in code points."""

    start: int
    end: int
    opening: Markup
    closing: Markup


def rich(text: str, insertions: Iterable[Insertion] = ()) -> Markup:
    """A model's text: escaped, with `*emphasis*` and `**strong**` and nothing else of Markdown.

    `insertions` are in order and do not overlap. Line breaks are left to the style sheet, so that
    a text that grows, grows at its end only.
    """
    insertions = list(insertions)
    html = str(escape(_with_places(encodable(text).replace(_PLACE, "\ufffd"), insertions)))
    html = _STRONG.sub(r"<strong>\1</strong>", html)
    html = _EMPHASIS.sub(r"<em>\1</em>", html)
    tags = iter([tag for one in insertions for tag in (one.opening, one.closing)])
    return Markup(re.sub(_PLACE, lambda _: next(tags), html) if insertions else html)


def _with_places(text: str, insertions: Iterable[Insertion]) -> str:
    pieces: list[str] = []
    place = 0
    for one in insertions:
        pieces += (text[place : one.start], _PLACE, text[one.start : one.end], _PLACE)
        place = one.end
    return "".join((*pieces, text[place:]))


def encodable(text: str) -> str:
    """The text without lone surrogates, which no response can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")
