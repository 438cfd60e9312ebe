"""A file of `kg/` as the tests look at it: through Oxigraph, without the guide's own reading."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, parse

KG = Path(__file__).parents[2] / "kg"
ENTITY = "http://www.wikidata.org/entity/"
DIRECT = "http://www.wikidata.org/prop/direct/"
LABEL = NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
TYPE = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
IMAGE, INCEPTION = NamedNode(DIRECT + "P18"), NamedNode(DIRECT + "P571")


class Graph:
    """A shipped file, read once."""

    def __init__(self, name: str) -> None:
        self.packed = (KG / f"{name}.nt.gz").read_bytes()
        self.text = gzip.decompress(self.packed)
        self.manifest = json.loads((KG / f"{name}.json").read_text(encoding="utf-8"))
        self.triples: list[Triple] = [
            Triple(quad.subject, quad.predicate, quad.object)
            for quad in parse(self.text, format=RdfFormat.N_TRIPLES)
        ]
        self.labels: dict[str, str] = {}
        self.kinds: dict[str, str] = {}
        for triple in self.triples:
            if triple.predicate == LABEL:
                self.labels[short(triple.subject)] = text(triple.object)
            elif triple.predicate == TYPE:
                self.kinds[short(triple.subject)] = text(triple.object).rpartition(":")[2]
        self.edges = [
            (short(t.subject), t.predicate.value.removeprefix(DIRECT), short(t.object))
            for t in self.triples
            if t.predicate.value.startswith(DIRECT) and t.predicate not in (IMAGE, INCEPTION)
        ]

    @property
    def names(self) -> dict[str, str]:
        """The labels of the items by id."""
        return {qid: self.labels[qid] for qid in self.kinds}


def short(node: object) -> str:
    """The id of an item or property."""
    assert isinstance(node, NamedNode)
    assert node.value.startswith(ENTITY)
    return node.value.removeprefix(ENTITY)


def text(node: object) -> str:
    """The characters of a literal or an IRI."""
    assert isinstance(node, NamedNode | Literal)
    return node.value
