"""Where the world's pages on an entity or a property are."""

from __future__ import annotations

import re

from expartkg.records import Entity, Property
from expartkg.retrieval.descriptions import WIKIDATA_DIRECT, WIKIDATA_ENTITY

_WIKIDATA_ID = re.compile(r"[QP][1-9][0-9]*\Z")


def wikidata_page(iri: str) -> str:
    """The address of an entity's or a property's page on Wikidata; empty for any other IRI."""
    for prefix, place in ((WIKIDATA_ENTITY, ""), (WIKIDATA_DIRECT, "Property:")):
        id = iri.removeprefix(prefix)
        if iri.startswith(prefix) and _WIKIDATA_ID.match(id):
            return f"https://www.wikidata.org/wiki/{place}{id}"
    return ""


def statement_page(subject: Entity, property: Property) -> str:
    """Where Wikidata has the statements of an entity by a property; empty if it has none."""
    page = wikidata_page(subject.iri)
    return f"{page}#{property.id}" if page and wikidata_page(property.iri) else ""
