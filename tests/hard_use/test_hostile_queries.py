"""Queries that would run for ever, fill the memory, change the graph or ask elsewhere.

By default over a small graph and with little time; with `EXPARTKG_LARGE=1` over the shipped one,
with the page's own limits.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from copy import copy
from pathlib import Path

import pytest

from expartkg.errors import QueryError
from expartkg.retrieval.sparql import Queries
from expartkg.retrieval.sparql.results import Limits, Results

IS_LARGE = os.environ.get("EXPARTKG_LARGE") == "1"
DOUBLING = 'BIND("a text that grows" AS ?x0) ' + " ".join(
    f"BIND(CONCAT(?x{n},?x{n}) AS ?x{n + 1})" for n in range(40)
)
VALUES = " ".join(f"VALUES ?v{n} {{ {' '.join(map(str, range(40)))} }}" for n in range(12))
PAIRS = "?a ?b ?c . ?d ?e ?f"
TRIPLETS = f"{PAIRS} . ?g ?h ?i"

ENDLESS = {
    "a text doubled 40 times": f"SELECT (STRLEN(?x40) AS ?n) {{ {DOUBLING} }}",
    "a path of paths": "SELECT (COUNT(*) AS ?n) { ?a ((wdt:P170|^wdt:P170)*)* ?b . ?c !wdt:P1* ?d}",
    "all triplets in order": f"SELECT * {{ {TRIPLETS} }} ORDER BY ?f ?a",
    "all triplets in one text": f"SELECT (GROUP_CONCAT(STR(?i)) AS ?g) {{ {TRIPLETS} }}",
    "all triplets hashed": f"SELECT (MD5(STR(RAND())) AS ?x) {{ {TRIPLETS} }} ORDER BY ?x",
    "all triplets counted": f"SELECT (COUNT(DISTINCT *) AS ?n) {{ {TRIPLETS} }}",
    "40 to the 12th values": f"SELECT (COUNT(*) AS ?n) {{ {VALUES} }}",
}
SHORT = {
    "all triples twice": "CONSTRUCT { ?s ?p ?o . ?o ?p ?s } WHERE { ?s ?p ?o }",
    "all pairs": f"SELECT * {{ {PAIRS} }}",
    "300 brackets": f"SELECT * {'{' * 300} ?s ?p ?o {'}' * 300}",
    "a pattern that backtracks": 'SELECT * { ?s ?p ?l FILTER(REGEX(STR(?l), "(a*)*(x+x+)+y")) }',
}
REFUSED = (
    "INSERT DATA { <a:b> <a:c> <a:d> }", "DELETE WHERE { ?s ?p ?o }", "LOAD <file:///etc/passwd>",
    "CLEAR ALL", "DROP ALL", "CREATE GRAPH <a:b>", "COPY DEFAULT TO <a:b>",
    "SELECT * {} ; INSERT DATA { <a:b> <a:c> <a:d> }", "SELECT * FROM <file:///etc/passwd> {}",
    "SELECT * { SERVICE <http://127.0.0.1:9/> {} }", "ASK { GRAPH ?g { SERVICE SILENT ?g {} } }",
)  # fmt: skip


@pytest.fixture(scope="module")
def queries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Queries]:
    if IS_LARGE:
        queries = Queries("artworks")
    else:
        direct = "http://www.wikidata.org/prop/direct/P170"
        label = "http://www.w3.org/2000/01/rdf-schema#label"
        lines = [f'<a:{n}> <{direct}> <a:{n * 7 % 300}> .\n<a:{n}> <{label}> "{n}"@en .'
                 for n in range(300)]  # fmt: skip
        file: Path = tmp_path_factory.mktemp("hostile") / "graph.nt"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        queries = Queries(str(file), Limits(seconds=0.3))
    yield queries
    queries.close()


@pytest.mark.parametrize("name", ENDLESS)
def test_what_would_not_end_is_ended(queries: Queries, name: str) -> None:
    with pytest.raises(QueryError, match=r"had not ended after|needed more memory"):
        queries.ask(ENDLESS[name])


@pytest.mark.parametrize("name", SHORT)
def test_what_would_be_endless_is_cut(queries: Queries, name: str) -> None:
    found = in_time(queries, SHORT[name])
    if found:
        assert len(found) <= queries.limits.rows
        assert found.cut or len(found) < queries.limits.rows


@pytest.mark.parametrize("query", REFUSED)
def test_what_changes_the_graph_or_leaves_it_is_refused(queries: Queries, query: str) -> None:
    with pytest.raises(QueryError, match=r"is refused|A query begins with|malformed"):
        patient(queries).ask(query)


def test_afterwards_others_are_answered(queries: Queries) -> None:
    assert patient(queries).ask("ASK { ?s ?p ?o }").boolean is True


def patient(queries: Queries) -> Queries:
    """The same with the page's own limits."""
    twin = copy(queries)
    twin.limits = Limits()
    return twin


def in_time(queries: Queries, query: str) -> Results | None:
    """None on a machine that is too busy for the little time. Raises `QueryError` else."""
    try:
        return queries.ask(query)
    except QueryError as error:
        if "had not ended after" not in str(error):
            raise
        return None
