"""Turning a text or an IRI of others into harmless HTML."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from expartkg.retrieval.descriptions import WIKIDATA_DIRECT, WIKIDATA_ENTITY

_WIKIDATA_ID = re.compile(r"[QP][1-9][0-9]*\Z")
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


def wikidata_page(iri: str) -> str:
    """The address of an entity's or a property's page on Wikidata; empty for any other IRI."""
    for prefix, place in ((WIKIDATA_ENTITY, ""), (WIKIDATA_DIRECT, "Property:")):
        id = iri.removeprefix(prefix)
        if iri.startswith(prefix) and _WIKIDATA_ID.match(id):
            return f"https://www.wikidata.org/wiki/{place}{id}"
    return ""
