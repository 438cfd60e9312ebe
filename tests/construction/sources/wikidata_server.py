"""A server on this machine that plays Wikidata: its API, a SPARQL service, and their faults.

Answers have the shape of the real ones (https://www.wikidata.org/w/api.php?action=help&modules=wbgetentities).
Queries are run by Oxigraph on the same items, so a wrong query is found out.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pyoxigraph import Literal, NamedNode, Quad, QueryResultsFormat, QuerySolutions, Store

WD = "http://www.wikidata.org/entity/"
WDT = "http://www.wikidata.org/prop/direct/"
LABEL = NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
SAME = NamedNode("http://www.w3.org/2002/07/owl#sameAs")
DESCRIPTIVE = re.compile(r"[\w.-]+/[\w.]+ \([^()]+\) [\w.-]+/[\w.]+")
MOST_AT_ONCE = 50

Fault = Callable[["Handler"], None]


@dataclass
class FakeItem:
    """An item: its English label (or none), its article, and its claims by property."""

    label: str | None
    article: str | None = None
    claims: dict[str, list[Any]] = field(default_factory=dict)


class FakeWikidata:
    """Serves `items`; `merged` are ids that lead to another item. `faults` come first, in turn."""

    def __init__(self) -> None:
        self.items: dict[str, FakeItem] = {}
        self.merged: dict[str, str] = {}
        self.faults: list[Fault] = []
        self.stale: list[Quad] = []
        """What only the query service still has."""
        self.asked: list[tuple[float, str, dict[str, str]]] = []
        self.address = ""
        self.at_once = self.most_at_once = 0
        self.lock = threading.Lock()

    def entity(self, qid: str) -> dict[str, Any]:
        """The item as the API gives it."""
        if qid in self.merged:
            entity = self.entity(self.merged[qid])
            return {**entity, "redirects": {"from": qid, "to": entity["id"]}}
        if qid not in self.items:
            return {"id": qid, "missing": ""}
        item = self.items[qid]
        labels = {"en": {"language": "en", "value": item.label}} if item.label else {}
        links = {"enwiki": {"site": "enwiki", "title": item.article}} if item.article else {}
        claims = {p: [_claim(value) for value in values] for p, values in item.claims.items()}
        return {"id": qid, "type": "item", "labels": labels, "claims": claims, "sitelinks": links}

    def entities(self, asked: dict[str, str]) -> dict[str, Any]:
        """The answer of `wbgetentities`."""
        values = asked.get("ids", asked.get("titles", "")).split("|")
        if len(values) > MOST_AT_ONCE:
            return {"error": {"code": "toomanyvalues", "info": f"Limit is {MOST_AT_ONCE}"}}
        if "ids" in asked:
            return {"entities": {qid: self.entity(qid) for qid in values}, "success": 1}
        by_article = {item.article: qid for qid, item in self.items.items() if item.article}
        found = {}
        for number, title in enumerate(values, start=1):
            qid = by_article.get(title)
            missing = {"site": "enwiki", "title": title, "missing": ""}
            found[qid or f"-{number}"] = self.entity(qid) if qid else missing
        return {"entities": found, "success": 1}

    def select(self, query: str) -> bytes:
        """The answer of the query service."""
        store = Store()
        for quad in self._quads():
            store.add(quad)
        results = store.query(query)
        assert isinstance(results, QuerySolutions)
        written = results.serialize(format=QueryResultsFormat.JSON)
        assert written is not None
        return written

    def _quads(self) -> Iterator[Quad]:
        yield from self.stale
        for old, new in self.merged.items():
            yield Quad(NamedNode(WD + old), SAME, NamedNode(WD + new))
        for qid, item in self.items.items():
            if item.label:
                yield Quad(NamedNode(WD + qid), LABEL, Literal(item.label, language="en"))
            for pid, values in item.claims.items():
                for value in values:
                    if isinstance(value, str) and value.startswith("Q"):
                        yield Quad(NamedNode(WD + qid), NamedNode(WDT + pid), NamedNode(WD + value))


def _claim(value: Any) -> dict[str, Any]:
    if isinstance(value, dict) and "mainsnak" in value:
        return value
    known = {"id": value} if isinstance(value, str) and value.startswith("Q") else value
    snak = {"snaktype": "value", "datavalue": {"value": known}}
    return {"mainsnak": snak, "rank": "normal", "type": "statement"}


class Handler(BaseHTTPRequestHandler):
    """One request."""

    fake: FakeWikidata
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._serve(urlsplit(self.path).query)

    def do_POST(self) -> None:
        self._serve(self.rfile.read(int(self.headers["Content-Length"])).decode("utf-8"))

    def _serve(self, form: str) -> None:
        asked = {key: values[0] for key, values in parse_qs(form).items()}
        with self.fake.lock:
            self.fake.at_once += 1
            self.fake.most_at_once = max(self.fake.most_at_once, self.fake.at_once)
            self.fake.asked.append((time.monotonic(), urlsplit(self.path).path, asked))
            fault = self.fake.faults.pop(0) if self.fake.faults else None
        try:
            if not DESCRIPTIVE.fullmatch(self.headers.get("User-Agent", "")):
                self.send(403, b"Please set a user-agent")
            elif fault:
                fault(self)
            else:
                self.answer(asked)
        finally:
            with self.fake.lock:
                self.fake.at_once -= 1

    def answer(self, asked: dict[str, str]) -> None:
        if "query" in asked:
            self.send(200, self.fake.select(asked["query"]))
        else:
            self.send(200, json.dumps(self.fake.entities(asked)).encode("utf-8"))

    def send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        closing = {"Content-Length": str(len(body)), "Connection": "close"}
        for name, value in {**closing, **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: a test says what it needs."""


@contextmanager
def serving(fake: FakeWikidata) -> Iterator[FakeWikidata]:
    """The server while it runs, at `fake.address`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"fake": fake}))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        fake.address = f"http://127.0.0.1:{server.server_address[1]}"
        yield fake
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
