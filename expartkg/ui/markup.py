"""Turning a text of others into harmless HTML."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

# A mark's partner is looked for within one line and 300 characters: a text may be very long.
_STRONG = re.compile(r"\*\*(?=\S)(.{1,300}?)(?<=\S)\*\*")
_EMPHASIS = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]{1,300}?)(?<=\S)\*(?![\w*])")


def rich(text: str) -> Markup:
    """A model's text: escaped, with `*emphasis*` and `**strong**` and nothing else of Markdown.

    Line breaks are left to the style sheet, so that a text that grows, grows at its end only.
    """
    html = str(escape(encodable(text)))
    html = _STRONG.sub(r"<strong>\1</strong>", html)
    return Markup(_EMPHASIS.sub(r"<em>\1</em>", html))


def encodable(text: str) -> str:
    """The text without lone surrogates, which no response can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")
