"""Dumps as Wikidata makes them, of a few items that a test has made up."""

from __future__ import annotations

import bz2
import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from expartkg.construction.graph_file import IMAGES
from tests.construction.sources.wikidata_server import WD, WDT, FakeItem, FakeWikidata

PACKED: Mapping[str, Callable[[bytes], bytes]] = {
    ".json": bytes,
    ".nt": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
}
RDFS_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"


def as_json(items: Mapping[str, FakeItem]) -> bytes:
    """A list with an entity a line; one without labels or statements has lists for objects."""
    fake = FakeWikidata()
    fake.items = dict(items)
    entities = [
        {name: part or ([] if part == {} else part) for name, part in fake.entity(qid).items()}
        for qid in items
    ]
    return b"[\n" + b",\n".join(json.dumps(one).encode() for one in entities) + b"\n]\n"


def as_triples(items: Mapping[str, FakeItem], *, articles: bool = True) -> bytes:
    """Truthy N-Triples, with much that nobody needs."""
    lines = ["# made by a test", '<http://wikiba.se/ontology#Dump> <http://schema.org/x> "1" .']
    for qid, item in items.items():
        lines += [f"{line} ." for line in _about(qid, item, articles)]
    return ("\n".join(lines) + "\n").encode()


def write_dump(path: Path, items: Mapping[str, FakeItem]) -> Path:
    """By its name: `.json` or `.nt`, and how it is packed."""
    content = as_json(items) if ".json" in path.name else as_triples(items)
    path.write_bytes(PACKED[path.suffix](content))
    return path


def _about(qid: str, item: FakeItem, articles: bool) -> Iterator[str]:
    data = f"<https://www.wikidata.org/wiki/Special:EntityData/{qid}>"
    yield f"{data} <http://schema.org/about> <{WD}{qid}>"
    yield f"<{WD}{qid}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <urn:Item>"
    if item.label:
        for tag in ("fr", "en"):
            yield f"<{WD}{qid}> <{RDFS_LABEL}> {json.dumps(item.label)}@{tag}"
            yield f"<{WD}{qid}> <http://schema.org/name> {json.dumps(item.label)}@{tag}"
    for pid, values in item.claims.items():
        for value in values:
            yield f"<{WD}{qid}> <{WDT}{pid}> {_value(pid, value)}"
    if item.article and articles:
        title = quote(item.article.replace(" ", "_"))
        for site in ("de", "en"):
            article = f"<https://{site}.wikipedia.org/wiki/{title}>"
            yield f"{article} <http://schema.org/about> <{WD}{qid}>"
            yield f"{article} <http://schema.org/isPartOf> <https://{site}.wikipedia.org/>"


def _value(pid: str, value: Any) -> str:
    if pid == "P18":
        return f"<{IMAGES}{quote(value)}>"
    if isinstance(value, str):
        return f"<{WD}{value}>" if value[:1] == "Q" else json.dumps(value)
    if "time" in value:
        time = value["time"].removeprefix("+").replace("-00", "-01")
        return f'"{time}"^^<http://www.w3.org/2001/XMLSchema#dateTime>'
    return '"Point(1.0 1.0)"^^<http://www.opengis.net/ont/geosparql#wktLiteral>'
