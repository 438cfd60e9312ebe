"""A graph that was built before, as a source: anybody can rebuild from the shipped file."""

from __future__ import annotations

import gzip
from collections import defaultdict
from pathlib import Path

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse

from expartkg.construction.sources.at_hand import AtHand, Title
from expartkg.construction.sources.records import (
    Extract,
    Node,
    Nouns,
    SourceFile,
    Statement,
    Work,
)
from expartkg.construction.sources.titles import article_title
from expartkg.errors import SourceError
from expartkg.retrieval.descriptions import KIND, LABEL, TYPE, WIKIDATA_DIRECT, WIKIDATA_ENTITY

ABOUT = NamedNode("http://schema.org/about")
LABELS_AS_TITLES = "labels of the graph"
"""Where a graph says nothing of articles, its labels stand for their titles."""


class _Read:
    """The triples of the file by what they say."""

    def __init__(self) -> None:
        self.labels: dict[str, str] = {}
        self.kinds: dict[str, str] = {}
        self.statements: list[Statement] = []
        self.years: dict[str, list[int]] = defaultdict(list)
        self.images: dict[str, str] = {}
        self.articles: list[Title] = []

    def take(self, quad: Quad) -> None:
        subject, predicate, obj = quad.subject, quad.predicate, quad.object
        if not isinstance(subject, NamedNode):
            return
        if predicate == ABOUT and _is_item(obj):
            title = article_title(subject)
            if title is not None:
                self.articles.append(Title(title, "articles of the graph", _short(obj)))
        elif not subject.value.startswith(WIKIDATA_ENTITY):
            return
        elif predicate == LABEL and isinstance(obj, Literal) and _is_english(obj):
            self.labels[_short(subject)] = obj.value
        elif predicate == TYPE and isinstance(obj, NamedNode) and obj.value.startswith(KIND):
            self.kinds[_short(subject)] = obj.value.removeprefix(KIND)
        elif predicate.value.startswith(WIKIDATA_DIRECT):
            self._take_fact(_short(subject), predicate.value.removeprefix(WIKIDATA_DIRECT), obj)

    def _take_fact(self, qid: str, pid: str, obj: object) -> None:
        if _is_item(obj):
            self.statements.append(Statement(qid, pid, _short(obj)))
        elif pid == "P571" and isinstance(obj, Literal) and obj.value[:4].isdigit():
            self.years[qid].append(int(obj.value[:4]))
        elif pid == "P18" and isinstance(obj, NamedNode):
            self.images[qid] = obj.value


def open_graph_file(path: Path) -> AtHand:
    """The graph in N-Triples (`.gz` too) with Wikidata's IRIs as a source.

    Its kinds are believed. Titles are those of the English articles that `schema:about` names; in
    a graph without any, all labels. Raises `SourceError`.
    """
    read, file = _read(path)
    items = [qid for qid in read.labels if qid.startswith("Q")]
    titles = read.articles or [Title(read.labels[qid], LABELS_AS_TITLES, qid) for qid in items]
    return AtHand("graph", _extract(read, file), titles, {})


def read_graph_file(path: Path) -> Extract:
    """All that the graph says, to build from every artwork of it. Raises `SourceError`."""
    return _extract(*_read(path))


def _extract(read: _Read, file: SourceFile) -> Extract:
    return Extract(
        nodes=tuple(
            Node(qid, label, read.kinds.get(qid, "Subject").lower(), False)
            for qid, label in read.labels.items()
            if qid.startswith("Q")
        ),
        statements=tuple(read.statements),
        works=tuple(
            Work(qid, tuple(sorted(read.years.get(qid, ()))), read.images.get(qid, ""))
            for qid in sorted(read.years.keys() | read.images.keys())
        ),
        nouns=Nouns(),
        files=(file,),
        facts_as_of="The facts are those of the graph that this one was built from.",
        property_labels={pid: text for pid, text in read.labels.items() if pid.startswith("P")},
    )


def _read(path: Path) -> tuple[_Read, SourceFile]:
    try:
        packed = path.read_bytes()
        content = gzip.decompress(packed) if path.suffix == ".gz" else packed
        read = _Read()
        for quad in parse(content, format=RdfFormat.N_TRIPLES):
            read.take(quad)
    except (OSError, EOFError) as error:
        raise SourceError(f"{path} cannot be read ({error}); give a file of N-Triples.") from error
    except (SyntaxError, ValueError) as error:
        raise SourceError(f"{path} is not valid N-Triples ({error}).") from error
    if not any(qid.startswith("Q") for qid in read.labels):
        raise SourceError(f"{path} has no item with an English label, by Wikidata's IRIs.")
    licence = "CC0 1.0 (Wikidata)"
    return read, SourceFile.of(path.name, licence, packed)


def _is_item(node: object) -> bool:
    return isinstance(node, NamedNode) and node.value.startswith(WIKIDATA_ENTITY + "Q")


def _short(node: object) -> str:
    assert isinstance(node, NamedNode)
    return node.value.removeprefix(WIKIDATA_ENTITY)


def _is_english(literal: Literal) -> bool:
    return literal.language is None or literal.language.split("-")[0] == "en"
