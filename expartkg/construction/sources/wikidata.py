"""Wikidata itself: its API for titles and items, a SPARQL service for names and statements.

Titles are the sitelinks to English Wikipedia. There is no list of names, so candidates are
capitalised phrases, and no list of nouns: a class has "subclass of" statements here.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from expartkg.construction.ids import by_number
from expartkg.construction.properties import PROPERTY_LABELS
from expartkg.construction.sources.entities import (
    DISAMBIGUATION,
    LANGUAGES,
    Entity,
    Json,
    article_of,
    english_label,
    read_entity,
)
from expartkg.construction.sources.knowledge import ENGLISH_WIKIPEDIA, Item, Named, titles_of
from expartkg.construction.sources.records import Nouns, SourceFile, Statement, Work
from expartkg.construction.sources.service import Request, Service
from expartkg.construction.steps import Steps
from expartkg.errors import SourceError
from expartkg.retrieval.descriptions import WIKIDATA_DIRECT, WIKIDATA_ENTITY

API = "https://www.wikidata.org/w/api.php"
QUERIES = "https://query.wikidata.org/sparql"
MOST_AT_ONCE = 50
"""Ids or titles that `wbgetentities` takes; also the values of a query."""
MAXLAG = "5"
"""Seconds that copies of the database may be behind: beyond it, the API asks to come back."""


class Wikidata:
    """Knowledge of Wikidata, live. `queries` is a SPARQL service that has all of it."""

    files: tuple[SourceFile, ...] = ()
    facts_as_of = "The facts are as the service had them when the graph was built."
    nouns = Nouns()
    version = ""

    def __init__(self, service: Service, *, queries: str = QUERIES, api: str = API) -> None:
        self.address = "wikidata" if queries == QUERIES else f"wikidata:{queries}"
        self._service = service
        self._queries = queries
        self._api = api

    def names(self) -> None:
        """There is no list of names."""

    def prepare(self, names: Collection[str], steps: Steps) -> None:
        """Nothing has to be read beforehand."""

    def look_up(self, names: Collection[str]) -> dict[str, Named]:
        articles = self._articles(names)
        bearers = self._bearers(sorted(articles))
        doubtful = {id for name, qid in articles.items() for id in bearers[name] - {qid}}
        # The query service may still have items that were merged or deleted.
        now = {asked: found["id"] for asked, found in self._entities(doubtful, "info")}
        return {
            name: Named(
                tuple(by_number({qid, *(now[id] for id in bearers[name] if id in now)})),
                ENGLISH_WIKIPEDIA,
                True,
            )
            for name, qid in articles.items()
        }

    def items(self, qids: Collection[str]) -> dict[str, Item]:
        """A merged item is found under its old id and its new one alike."""
        found = {qid: entity.item for qid, entity in self._described(qids)}
        return {qid: item for qid, item in found.items() if item}

    def statements(self, qids: Collection[str]) -> Iterator[Statement]:
        """Statements of the best rank; an object that was merged counts as what it became."""
        now = self._merged(qids)
        query = (
            "SELECT ?s ?p ?o WHERE {{ VALUES ?s {{ {values} }} ?s ?p ?o . FILTER(isIRI(?o) && "
            'STRSTARTS(STR(?p), "' + WIKIDATA_DIRECT + '") && '
            'STRSTARTS(STR(?o), "' + WIKIDATA_ENTITY + 'Q")) }}'
        )
        found = set()
        for row in self._select(query, [f"wd:{qid}" for qid in by_number(qids)]):
            subject, obj = _short(row["s"]), _short(row["o"])
            obj = now.get(obj, obj)
            if obj in qids:
                found.add((subject, row["p"].removeprefix(WIKIDATA_DIRECT), obj))
        return (Statement(*triple) for triple in sorted(found))

    def works(self, qids: Collection[str]) -> Iterator[Work]:
        return (entity.work for _, entity in self._described(qids) if entity.work)

    def property_labels(self, pids: Collection[str]) -> dict[str, str]:
        """A property without an English label is called by its id."""
        labels = {pid: PROPERTY_LABELS.get(pid, pid) for pid in pids}
        unknown = [pid for pid in pids if pid not in PROPERTY_LABELS]
        for pid, document in self._entities(unknown, "labels"):
            labels[pid] = english_label(document) or pid
        return labels

    def _articles(self, names: Iterable[str]) -> dict[str, str]:
        """The item of the article of each name that has one."""
        by_title = titles_of(names)
        articles: dict[str, str] = {}
        for answer in self._get("titles", list(by_title), props="sitelinks", sites="enwiki"):
            for qid, document in _known(answer):
                articles |= dict.fromkeys(by_title.get(article_of(document), ()), qid)
        return articles

    def _bearers(self, names: Sequence[str]) -> dict[str, set[str]]:
        """All items whose English label a name is, but pages that only tell names apart."""
        query = (
            "SELECT ?name ?item WHERE {{ VALUES ?name {{ {values} }} ?item rdfs:label ?name . "
            "FILTER NOT EXISTS {{ ?item wdt:P31 wd:" + DISAMBIGUATION + " }} }}"
        )
        literals = [json.dumps(name, ensure_ascii=False) + "@en" for name in names]
        bearers: dict[str, set[str]] = defaultdict(set)
        for row in self._select(query, literals):
            if row["item"].startswith(WIKIDATA_ENTITY + "Q"):
                bearers[row["name"]].add(_short(row["item"]))
        return bearers

    def _merged(self, qids: Collection[str]) -> dict[str, str]:
        """The old ids of items that were merged into these."""
        query = (
            "SELECT ?old ?new WHERE {{ VALUES ?new {{ {values} }} "
            "?old <http://www.w3.org/2002/07/owl#sameAs> ?new }}"
        )
        rows = self._select(query, [f"wd:{qid}" for qid in by_number(qids)])
        return {_short(row["old"]): _short(row["new"]) for row in rows}

    def _described(self, qids: Collection[str]) -> Iterator[tuple[str, Entity]]:
        for qid, document in self._entities(qids, "labels|claims"):
            yield qid, read_entity(document)

    def _entities(self, ids: Collection[str], props: str) -> Iterator[tuple[str, Json]]:
        languages = "|".join(LANGUAGES)
        for answer in self._get("ids", by_number(ids), props=props, languages=languages):
            for key, document in _known(answer):
                asked = document.get("redirects", {}).get("from", key)
                yield asked, document

    def _get(self, key: str, values: Sequence[str], **fields: str) -> list[dict[str, Any]]:
        requests = [
            Request(
                self._api,
                {
                    "action": "wbgetentities",
                    "format": "json",
                    "formatversion": "2",
                    "maxlag": MAXLAG,
                    key: "|".join(batch),
                    **fields,
                },
            )
            for batch in _batches(values)
        ]
        answers = self._service.ask_all(requests)
        for answer in answers:
            if "entities" not in answer:
                raise SourceError(f"{self._api} answers without entities; is it Wikidata's API?")
        return answers

    def _select(self, query: str, values: Sequence[str]) -> Iterator[dict[str, str]]:
        prefixes = (
            f"PREFIX wd: <{WIKIDATA_ENTITY}> PREFIX wdt: <{WIKIDATA_DIRECT}> "
            "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "
        )
        requests = [
            Request(
                self._queries, {"query": prefixes + query.format(values=" ".join(batch))}, "POST"
            )
            for batch in _batches(values)
        ]
        for answer in self._service.ask_all(requests):
            try:
                rows = answer["results"]["bindings"]
            except (KeyError, TypeError) as error:
                raise SourceError(f"{self._queries} sends no SPARQL results in JSON.") from error
            yield from ({name: cell["value"] for name, cell in row.items()} for row in rows)


def _known(answer: dict[str, Any]) -> Iterator[tuple[str, Json]]:
    """The entities of an answer that exist; an empty answer is a list, not an object."""
    entities = answer["entities"]
    listed = entities.items() if isinstance(entities, dict) else ()
    return ((key, document) for key, document in listed if "missing" not in document)


def _batches(values: Sequence[str]) -> Iterator[Sequence[str]]:
    return (values[at : at + MOST_AT_ONCE] for at in range(0, len(values), MOST_AT_ONCE))


def _short(iri: str) -> str:
    return iri.removeprefix(WIKIDATA_ENTITY)
