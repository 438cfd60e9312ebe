"""The IRIs that mapped graphs are written with, and how a mapping abbreviates others."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from pyoxigraph import Literal, NamedNode, Quad

from expartkg.errors import SourceError
from expartkg.retrieval.descriptions import KIND, LABEL, TYPE, WIKIDATA_DIRECT, WIKIDATA_ENTITY

PREFIXES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "schema": "http://schema.org/",
    "dcterms": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "wd": WIKIDATA_ENTITY,
    "wdt": WIKIDATA_DIRECT,
}
IMAGE = NamedNode(WIKIDATA_DIRECT + "P18")
DATE = NamedNode(WIKIDATA_DIRECT + "P571")


class Prefixes:
    """Full IRIs of abbreviated ones."""

    def __init__(self, namespaces: Mapping[str, str]) -> None:
        self._namespaces = namespaces

    def namespace(self, prefix: str) -> str:
        """Raises `SourceError` for an unknown prefix."""
        if prefix not in self._namespaces:
            raise SourceError(f"the prefix {prefix!r} is not among the [prefixes].")
        return self._namespaces[prefix]

    def iri(self, name: str) -> str:
        """Of `prefix:name`, or of what is an IRI already. Raises `SourceError`."""
        prefix, colon, local = name.partition(":")
        if local.startswith("//") or prefix == "urn":
            return name
        if not colon:
            raise SourceError(f"{name!r} is neither prefix:name nor an IRI.")
        return self.namespace(prefix) + local


def label_of(iri: str, label: str) -> Quad:
    """The label that the guide calls a thing by."""
    return Quad(NamedNode(iri), LABEL, Literal(label, language="en"))


def kind_of(iri: str, kind: str) -> Quad:
    return Quad(NamedNode(iri), TYPE, NamedNode(KIND + kind))


def property_and_label(id: str, iri: str, label: str) -> tuple[NamedNode, Quad]:
    """What an edge is written with: Wikidata's property where it has a number there."""
    if id:
        return NamedNode(WIKIDATA_DIRECT + id), label_of(WIKIDATA_ENTITY + id, label)
    return NamedNode(iri), label_of(iri, label)


def filled(template: str, text: str) -> str:
    """An IRI with a text in it that may hold anything."""
    return template.replace("{}", quote(text, safe=""))
