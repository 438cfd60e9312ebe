"""Queries in a process of their own: what they answer, and how they are ended."""

from __future__ import annotations

import http.server
import os
import resource
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from copy import copy
from pathlib import Path

import pytest

from expartkg.errors import GraphError, QueryError
from expartkg.retrieval.sparql import Limits, Queries, short
from expartkg.retrieval.sparql.queries import _Host
from tests.retrieval.conftest import load

CROSS = "?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l"
PATHS = "?x (a:p|^a:p|a:q|^a:q)* ?y . ?y (a:p|^a:p|a:q|^a:q)* ?z . ?z (a:p|^a:p)* ?w"

Open = Callable[..., Queries]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ring of 400 things, in two properties, with a label in Japanese."""
    lines = [f"<a:{n}> <a:{p}> <a:{(n + 1) % 400}> ." for n in range(400) for p in "pq"]
    lines += ['<a:0> <http://www.w3.org/2000/01/rdf-schema#label> "始まり"@ja .']
    lines += ['<a:0> <a:size> "7"^^<http://www.w3.org/2001/XMLSchema#integer> .']
    path = tmp_path_factory.mktemp("ring") / "ring.nt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def open_() -> Iterator[Open]:
    made: list[Queries] = []

    def open_(source: Path | str, **options: float) -> Queries:
        made.append(Queries(str(source), **options))  # type: ignore[arg-type]
        return made[-1]

    yield open_
    for queries in made:
        queries.close()


@pytest.fixture(scope="module")
def queries(open_: Open, file: Path) -> Queries:
    """Queries whose process is at work already."""
    queries = open_(file)
    queries.ask("ASK {}")
    return queries


def limited(queries: Queries, **limits: float) -> Queries:
    """The same with other limits, and with the same process."""
    twin = copy(queries)
    twin.limits = Limits(**limits)  # type: ignore[arg-type]
    return twin


def ended(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def ask_until_refused(queries: Queries) -> None:
    while True:
        queries.ask("ASK {}")


class TestResults:
    def test_select(self, queries: Queries) -> None:
        results = queries.ask("SELECT ?l ?n ?no { <a:0> rdfs:label ?l ; <a:size> ?n }")
        assert results.document == {
            "head": {"vars": ["l", "n", "no"]},
            "results": {
                "bindings": [
                    {
                        "l": {"type": "literal", "value": "始まり", "xml:lang": "ja"},
                        "n": {
                            "type": "literal",
                            "value": "7",
                            "datatype": "http://www.w3.org/2001/XMLSchema#integer",
                        },
                    }
                ]
            },
        }
        assert [[short(term) for term in row] for row in results.rows] == [["始まり", "7", ""]]
        assert not results.cut
        assert results.seconds > 0

    def test_ask(self, queries: Queries) -> None:
        assert queries.ask("ASK { <a:0> <a:p> <a:1> }").boolean is True
        assert queries.ask("ASK { <a:0> <a:p> <a:2> }").document == {"head": {}, "boolean": False}

    @pytest.mark.parametrize(
        "query", ["DESCRIBE <a:5>", "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o FILTER(?s = <a:5>) }"]
    )
    def test_triples_are_rows_of_three(self, queries: Queries, query: str) -> None:
        results = queries.ask(query)
        assert results.variables == ["subject", "predicate", "object"]
        assert sorted([short(term) for term in row] for row in results.rows) == [
            ["a:5", "a:p", "a:6"],
            ["a:5", "a:q", "a:6"],
        ]

    def test_a_triple_as_a_value(self, queries: Queries) -> None:
        results = queries.ask("SELECT ?t { BIND(<<( wd:Q1 wdt:P1 'x' )>> AS ?t) }")
        assert [short(term) for (term,) in results.rows] == ["<< wd:Q1 wdt:P1 x >>"]

    def test_a_malformed_query_says_where(self, queries: Queries) -> None:
        with pytest.raises(QueryError, match="malformed: error at 2:"):
            queries.ask("SELECT * {\n ?a ?b }")

    def test_rows_and_bytes_are_cut(self, queries: Queries) -> None:
        results = limited(queries, rows=5).ask("SELECT * { ?s <a:p> ?o }")
        assert (len(results), results.cut) == (5, True)
        results = limited(queries, bytes=1000).ask("SELECT * { ?s <a:p> ?o }")
        assert 5 < len(results) < 20
        assert results.cut
        results = limited(queries, rows=400).ask("SELECT * { ?s <a:p> ?o }")
        assert (len(results), results.cut) == (400, False)

    def test_all_named_graphs_count_as_one(self, open_: Open, tmp_path: Path) -> None:
        label = '<a:s> <http://www.w3.org/2000/01/rdf-schema#label> "s" <a:g1> .\n'
        quads = tmp_path / "graph.nq"
        quads.write_text(label + "<a:s> <a:p> <a:o> <a:g2> .\n")
        store = tmp_path / "store"
        load(quads, store)
        for source in (quads, store):
            assert open_(source).ask("ASK { ?s rdfs:label ?l ; <a:p> <a:o> }").boolean is True


class TestEnds:
    @pytest.mark.parametrize(
        "query",
        [
            f"SELECT * {{ {CROSS} }} ORDER BY ?a ?l",
            f"SELECT (COUNT(*) AS ?n) {{ {CROSS} }}",
            f"PREFIX a: <a:> SELECT (COUNT(*) AS ?n) {{ {PATHS} }}",
        ],
    )
    def test_what_would_run_for_hours_is_killed(self, queries: Queries, query: str) -> None:
        with pytest.raises(QueryError, match=r"had not ended after 0\.3 seconds"):
            limited(queries, seconds=0.3).ask(query)
        assert queries.ask("ASK { ?s ?p ?o }").boolean is True

    def test_so_it_is_over_a_store_on_disk(self, open_: Open, file: Path, tmp_path: Path) -> None:
        labelled = tmp_path / "labelled.nt"
        label = '<a:0> <http://www.w3.org/2000/01/rdf-schema#label> "s"@en .\n'
        labelled.write_text(file.read_text() + label)
        load(labelled, tmp_path / "store")
        queries = open_(tmp_path / "store")
        assert len(queries.ask("SELECT * { ?s <a:p> ?o }")) == 400
        with pytest.raises(QueryError, match=r"had not ended after 0\.3 seconds"):
            limited(queries, seconds=0.3).ask(f"SELECT (COUNT(*) AS ?n) {{ {CROSS} }}")

    def test_memory_is_limited(self, queries: Queries) -> None:
        with pytest.raises(QueryError, match="more memory"):
            limited(queries, memory=30 * 2**20, seconds=60).ask(
                f"SELECT * {{ {CROSS} }} ORDER BY ?a ?l"
            )

    def test_a_query_that_breaks_the_parser_breaks_nothing_else(self, queries: Queries) -> None:
        with pytest.raises(QueryError, match="stopped"):
            queries.ask("SELECT * " + "{" * 9000)
        assert queries.ask("ASK { ?s ?p ?o }").boolean is True

    def test_who_leaves_has_the_query_killed(
        self, queries: Queries, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        killed: list[int] = []
        kill = os.kill

        def kill_and_tell(pid: int, number: int) -> None:
            killed.append(pid)
            kill(pid, number)

        monkeypatch.setattr(os, "kill", kill_and_tell)
        stop = threading.Event()
        threading.Timer(0.3, stop.set).start()
        with pytest.raises(QueryError, match="nobody waits"):
            limited(queries, seconds=60).ask(f"ASK {{ {CROSS} FILTER(?a = ?nothing) }}", stop)
        monkeypatch.undo()
        (pid,) = killed
        end = time.monotonic() + 30
        while not ended(pid):
            assert time.monotonic() < end
            time.sleep(0.01)

    def test_a_worker_that_has_ended_by_itself_hides_no_reason(
        self, queries: Queries, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The time may be over when it has ended and nobody has noticed yet."""

        def kill_too_late(pid: int, number: int) -> None:
            kill(pid, number)
            raise ProcessLookupError

        kill = os.kill
        monkeypatch.setattr(os, "kill", kill_too_late)
        with pytest.raises(QueryError, match="had not ended"):
            limited(queries, seconds=0.1).ask(f"ASK {{ {CROSS} FILTER(?a = ?nothing) }}")

    def test_so_it_is_in_a_process_with_many_open_files(self, queries: Queries) -> None:
        """As many visitors make them: `select` knows numbers below 1024 alone."""
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        if most < 1100:
            pytest.skip("this system lets no process open so many files")
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        with ExitStack() as files:
            files.callback(resource.setrlimit, resource.RLIMIT_NOFILE, before)
            for _ in range(1024):
                files.enter_context(open(os.devnull, "rb"))
            assert queries.ask("ASK {}").boolean is True

    def test_at_most_two_run_at_once(self, open_: Open, file: Path) -> None:
        queries = limited(open_(file, at_once=2, patience=0.2), seconds=60)
        stop = threading.Event()
        threads = [
            threading.Thread(target=self._run_on, args=(queries, stop), daemon=True)
            for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        with pytest.raises(QueryError, match="Other queries are running"):
            ask_until_refused(queries)
        stop.set()
        for thread in threads:
            thread.join(30)
        assert queries.ask("ASK {}").boolean is True

    def _run_on(self, queries: Queries, stop: threading.Event) -> None:
        with pytest.raises(QueryError, match="nobody waits"):
            queries.ask(f"ASK {{ {CROSS} FILTER(?a = ?nothing) }}", stop)


class TestHost:
    def test_it_is_started_again_when_it_has_ended(self, open_: Open, file: Path) -> None:
        queries = open_(file)
        assert queries.ask("ASK {}").boolean is True
        host = queries._host
        assert isinstance(host, _Host)
        host._process.kill()
        host._process.wait(30)
        assert queries.ask("ASK {}").boolean is True

    def test_one_that_cannot_start_is_not_taken_for_a_lack_of_memory(
        self, open_: Open, file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("expartkg.retrieval.sparql.queries.sys.executable", "/bin/false")
        with pytest.raises(QueryError, match="process that holds the graph for queries has ended"):
            open_(file).ask("ASK {}")

    def test_it_ends_with_the_queries(self, open_: Open, file: Path) -> None:
        queries = open_(file)
        queries.ask("ASK {}")
        host = queries._host
        assert isinstance(host, _Host)
        queries.close()
        assert host._process.returncode is not None

    def test_a_graph_that_is_none(self, open_: Open, tmp_path: Path) -> None:
        broken = tmp_path / "broken.nt"
        broken.write_text("this is no triple\n")
        with pytest.raises(QueryError, match=r"broken\.nt is not valid"):
            open_(broken).ask("ASK {}")
        with pytest.raises(GraphError, match="There is no graph"):
            open_("nowhere").ask("ASK {}")

    def test_not_even_what_is_not_refused_reaches_out(
        self, queries: Queries, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The process itself can open neither connections nor files."""
        monkeypatch.setattr("expartkg.retrieval.sparql.queries.check_query", lambda _: None)
        asked: list[str] = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked.append(self.path)

            do_GET = do_POST

        with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
            server.timeout = 0.2
            address = f"http://127.0.0.1:{server.server_port}/sparql"
            with pytest.raises(QueryError):
                queries.ask(f"SELECT * {{ SERVICE <{address}> {{ ?s ?p ?o }} }}")
            assert len(queries.ask(f"SELECT * FROM <{address}> {{ ?s ?p ?o }}")) == 0
            with pytest.raises(QueryError):
                queries.ask(f"LOAD <{address}>")
            server.handle_request()
        assert not asked
