"""A visitor's query over a graph that stays on a server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from expartkg.errors import QueryError
from expartkg.retrieval.sparql import Limits, Queries, short
from tests.retrieval.conftest import load
from tests.retrieval.remote.conftest import Reply, Talker

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"


@pytest.fixture
def ask() -> Iterator[Callable[..., Queries]]:
    made: list[Queries] = []

    def make(address: str, **limits: int) -> Queries:
        made.append(Queries(address, Limits(**limits)))
        return made[-1]

    yield make
    for queries in made:
        queries.close()


def test_the_endpoint_answers_all_forms(
    ask: Callable[..., Queries], serve_store: Callable[[Path], str], tmp_path: Path
) -> None:
    file = tmp_path / "graph.nt"
    file.write_text(f'<a:s> <{LABEL}> "S"@en .\n<a:s> <a:p> <a:s> .\n')
    load(file, tmp_path / "store")
    queries = ask(serve_store(tmp_path / "store"))
    assert [
        [short(term) for term in row] for row in queries.ask("SELECT ?l { ?s rdfs:label ?l }").rows
    ] == [["S"]]
    assert queries.ask("ASK { ?s <a:p> ?s }").boolean is True
    assert len(queries.ask("CONSTRUCT WHERE { ?s ?p ?o }")) == 2
    with pytest.raises(QueryError, match="The endpoint refused it"):
        queries.ask("SELECT * { ?s ?p }")


def test_no_server_is_told_to_ask_another(ask: Callable[..., Queries], talker: Talker) -> None:
    queries = ask(talker.address)
    with pytest.raises(QueryError, match="SERVICE is refused"):
        queries.ask("SELECT * { SERVICE <http://outside.test/> { ?s ?p ?o } }")
    assert not talker.asked


def test_a_large_answer_is_not_taken(ask: Callable[..., Queries], talker: Talker) -> None:
    talker.replies.append(Reply(200, bytes(3 * 2**20)))
    with pytest.raises(QueryError, match="more than 1 MB"):
        ask(talker.address, bytes=2**20).ask("SELECT * { ?s ?p ?o }")


def test_what_is_no_answer_is_said(ask: Callable[..., Queries], talker: Talker) -> None:
    talker.replies.append(Reply(200, b"<html>"))
    queries = ask(talker.address)
    with pytest.raises(QueryError, match="something else"):
        queries.ask("SELECT * { ?s ?p ?o }")
    (form,) = map(parse_qs, talker.asked)
    assert form["query"][0].startswith("PREFIX wd: <http://www.wikidata.org/entity/>\n")
    talker.replies[:] = [Reply(200, json.dumps({"head": {}, "boolean": True}).encode())]
    assert queries.ask("ASK {}").boolean is True


def test_an_endpoint_that_is_not_there(ask: Callable[..., Queries]) -> None:
    with pytest.raises(QueryError, match="cannot be reached"):
        ask("http://127.0.0.1:9/query").ask("ASK {}")
