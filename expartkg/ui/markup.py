"""Turning a text of others into harmless HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup, escape

from expartkg.directions import without_directions

# They stand for tags while the text is escaped and its emphasis found; no text may have them.
_OPENING, _CLOSING = "\ue000", "\ue001"
_PLACE = re.compile(f"[{_OPENING}{_CLOSING}]")
# A mark's partner is looked for within one line and 300 characters: a text may be very long.
# Between the two, elements are whole, so that they nest.
_PLAIN = rf"[^*\n<{_OPENING}{_CLOSING}]"
_INSERTED = rf"{_OPENING}{_PLAIN}{{0,300}}{_CLOSING}"
_STRONG = re.compile(rf"\*\*(?=\S)((?:[^\n{_OPENING}{_CLOSING}]|{_INSERTED}){{1,300}}?)(?<=\S)\*\*")
_EMPHASIS = re.compile(
    rf"(?<![\w*])\*(?=[^\s*])"
    rf"((?:{_PLAIN}|{_INSERTED}|<strong>(?:{_PLAIN}|{_INSERTED}){{0,300}}</strong>){{1,300}}?)"
    rf"(?<=\S)\*(?![\w*])"
)


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
    placed = _with_places(_PLACE.sub("\ufffd", encodable(text)), insertions)
    html = str(escape(without_directions(placed)))
    html = _STRONG.sub(r"<strong>\1</strong>", html)
    html = _EMPHASIS.sub(r"<em>\1</em>", html)
    tags = iter([tag for one in insertions for tag in (one.opening, one.closing)])
    return Markup(_PLACE.sub(lambda _: next(tags), html))


def _with_places(text: str, insertions: Iterable[Insertion]) -> str:
    pieces: list[str] = []
    place = 0
    for one in insertions:
        pieces += (text[place : one.start], _OPENING, text[one.start : one.end], _CLOSING)
        place = one.end
    return "".join((*pieces, text[place:]))


def encodable(text: str) -> str:
    """The text without lone surrogates, which no response can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")
