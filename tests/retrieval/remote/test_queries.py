"""A visitor's query over a graph that stays on a server."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from expartkg.errors import QueryError
from expartkg.retrieval.sparql import Limits, Queries, short
from expartkg.retrieval.sparql.worker import Request
from tests.retrieval.conftest import load
from tests.retrieval.remote.conftest import Reply, Talker

JSON, TRIPLES = "application/sparql-results+json", "application/n-triples"
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


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (b'{"head": {"vars": ["s"]}, "results": {"bindings": [{"s": {"type": "uri"', JSON),
        (b'{"head": {"vars": ["s"]}, "results": {"bindings": [{"s": 5}]}}', JSON),
        (b'{"head": {}}', JSON),
        (b"", JSON),
        (b"\xff\xfe", JSON),
        (b"<a:s> <a:p> <a:o> .\n<a:s> <a:p", TRIPLES),
    ],
)
def test_half_an_answer_is_no_malformed_query(
    ask: Callable[..., Queries], talker: Talker, answer: bytes, kind: str
) -> None:
    talker.replies.append(Reply(200, answer, {"Content-Type": kind}))
    with pytest.raises(QueryError, match="The endpoint answered with something else"):
        ask(talker.address).ask("SELECT * { ?s ?p ?o }")


WORKER = """
import socket, sys
from functools import partial
from expartkg.retrieval.remote.queries import ask_endpoint
from expartkg.retrieval.sparql import worker
worker.GRACE_SECONDS = 0.1
worker.work(socket.socket(fileno=int(sys.argv[1])), lambda: partial(ask_endpoint, sys.argv[2]))
"""


def test_who_asks_a_silent_endpoint_does_not_wait_for_ever(root: Path) -> None:
    """Not even where the guide has gone that would have ended the query."""
    ours, theirs = socket.socketpair()
    with socket.create_server(("127.0.0.1", 0)) as silent, ours:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/sparql"
        command = [sys.executable, "-c", WORKER, str(theirs.fileno()), address]
        process = subprocess.Popen(command, cwd=root, pass_fds=[theirs.fileno()])
        theirs.close()
        ours.sendall(Request("ASK {}", Limits(seconds=0.2)).encoded())
        ours.shutdown(socket.SHUT_WR)
        assert process.wait(60) == -signal.SIGALRM


def test_an_endpoint_that_is_not_there(ask: Callable[..., Queries]) -> None:
    with pytest.raises(QueryError, match="cannot be reached"):
        ask("http://127.0.0.1:9/query").ask("ASK {}")
