"""How fast retrieval for a text is, beside the same through SPARQL on an rdflib graph.

Names, ranking and facts are measured together, on the shipped graph: over the references of the
Artpedia questions (where the data folder is at hand) and over answers that name hubs.
"""

from __future__ import annotations

import gzip
import json
import statistics
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import rdflib

from expartkg.retrieval.ranking import weight
from expartkg.retrieval.retriever import Retriever
from tests.benchmarks.timing import processor_seconds

pytestmark = pytest.mark.benchmark

TOP_K = 10


def retrieve(retriever: Retriever, text: str) -> list[str]:
    facts = retriever.facts(retriever.names.find(text), ranking="qid", top_k=TOP_K)
    return [fact.triple.subject.iri + fact.triple.object.iri for fact in facts]


def report(name: str, times: list[float]) -> tuple[float, float]:
    median = statistics.median(times)
    p95 = statistics.quantiles(times, n=20)[18]
    print(f"{name}: median {median * 1e3:.3f} ms, p95 {p95 * 1e3:.3f} ms, {len(times)} texts")
    return median, p95


@pytest.fixture(scope="module")
def hubs(shipped: Retriever) -> list[str]:
    """Answers that name the entities with most neighbours, two or three at a time."""
    counts = shipped.ranker.statistics.neighbours
    named = [entity for entity in shipped.graph.entities if entity.kind != "Concept"]
    largest = sorted(named, key=lambda entity: -counts.get(entity.iri, 0))[:40]
    return [
        f"It was painted by {a.label}, who knew {b.label} well; see also {c.label}."
        for a, b, c in zip(largest, largest[1:], largest[2:], strict=False)
    ]


@pytest.fixture(scope="module")
def references(data: Path) -> list[str]:
    with (data / "qa/artpedia.jsonl").open(encoding="utf-8") as lines:
        works = [json.loads(line) for line in lines]
    return [" ".join(work["visual_sentences"] + work["contextual_sentences"]) for work in works]


def assert_fast(retriever: Retriever, name: str, texts: list[str], slowness: float) -> None:
    """Starts with nothing ranked, as after a start of the page."""
    retriever.ranker.rank.cache_clear()
    median, p95 = report(name, processor_seconds(lambda text: retrieve(retriever, text), texts))
    assert median < 1e-3 * slowness
    assert p95 < 5e-3 * slowness


def test_references(shipped: Retriever, references: list[str], slowness: float) -> None:
    shipped.warm_up()
    assert_fast(shipped, "references", references, slowness)


def test_hubs(shipped: Retriever, hubs: list[str], slowness: float) -> None:
    """A hub is read and sorted once, not at every question that comes to it."""
    shipped.warm_up()
    assert_fast(shipped, "hubs", hubs * 25, slowness)


class Rdflib:
    """The same retrieval through SPARQL. Names and term statistics are given to it for nothing."""

    OUTGOING = "SELECT ?p ?o ?label {{ <{iri}> ?p ?o . ?o rdfs:label ?label }}"
    INCOMING = "SELECT ?s ?p ?label {{ ?s ?p <{iri}> . ?s rdfs:label ?label }}"

    def __init__(self, retriever: Retriever, content: bytes) -> None:
        self._retriever = retriever
        self._graph = rdflib.Graph()
        self._graph.parse(data=content, format="nt")

    def retrieve(self, text: str) -> list[str]:
        mentions = self._retriever.names.find(text)
        entities = dict.fromkeys(mention.entity for mention in mentions)
        found: dict[str, None] = {}
        for entity in entities:
            found.update(dict.fromkeys(self._rank(entity.iri)))
        return list(found)

    def _rank(self, iri: str) -> list[str]:
        ends = {(iri, str(p), str(o)): str(o) for p, o, _ in self._query(self.OUTGOING, iri)}
        ends |= {(str(s), str(p), iri): str(s) for s, p, _ in self._query(self.INCOMING, iri)}
        f = Counter(ends.values())
        statistics = self._retriever.ranker.statistics
        n_t = statistics.neighbours
        scores = {
            triple: weight(f[end], n_t.get(end, 0), statistics.N) for triple, end in ends.items()
        }
        best = sorted(scores, key=lambda triple: -scores[triple])[:TOP_K]
        return [subject + object_ for subject, _, object_ in best]

    def _query(self, query: str, iri: str) -> Iterable[Any]:
        return self._graph.query(query.format(iri=iri))


def test_against_sparql_on_rdflib(shipped: Retriever, hubs: list[str], root: Path) -> None:
    shipped.warm_up()
    other = Rdflib(shipped, gzip.decompress((root / "kg/artworks.nt.gz").read_bytes()))
    works = [entity.label for entity in shipped.graph.entities if entity.kind == "Artwork"]
    texts = [f"{a} hangs beside {b}." for a, b in zip(works[::1201], works[5::1201], strict=False)]
    texts += hubs[:4]
    theirs = processor_seconds(other.retrieve, texts)
    shipped.ranker.rank.cache_clear()
    cold = sum(theirs) / sum(processor_seconds(lambda text: retrieve(shipped, text), texts))
    warm = sum(theirs) / sum(processor_seconds(lambda text: retrieve(shipped, text), texts))
    print(f"as fast as SPARQL on rdflib: {cold:.0f} times at first, {warm:.0f} times afterwards")
    assert warm >= 50
    assert cold >= 50
