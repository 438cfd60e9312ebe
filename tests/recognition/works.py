"""Graphs of a few works, each with a picture on Commons."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.store import Graph

ITEM = "http://www.wikidata.org/entity/"
FILE = "http://commons.wikimedia.org/wiki/Special:FilePath/"


def graph_of(folder: Path, works: int, first: int = 1, item: str = ITEM) -> Graph:
    """Works Q1, Q2 … with the pictures 1.jpg, 2.jpg …, and a painter with one who is no work."""
    numbers = range(first, first + works + 1)
    lines = [
        line
        for number in numbers
        for line in _described(item, number, "Artist" if number == numbers[-1] else "Artwork")
    ]
    path = folder / "works.nt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return open_graph(str(path))


def _described(item: str, number: int, kind: str) -> Iterator[str]:
    iri = f"<{item}Q{number}>"
    yield f'{iri} <http://www.w3.org/2000/01/rdf-schema#label> "Number {number}"@en .'
    yield f"{iri} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <urn:expartkg:{kind}> ."
    yield f"{iri} <http://www.wikidata.org/prop/direct/P18> <{FILE}{number}.jpg> ."
