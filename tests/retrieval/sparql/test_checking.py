"""What is refused before anything runs, and what is not."""

from __future__ import annotations

import pytest

from expartkg.errors import QueryError
from expartkg.retrieval.sparql.checking import LONGEST_QUERY, check_query

READING = [
    "SELECT * { ?s ?p ?o }",
    "ask{?s ?p ?o}",
    "PREFIX service: <http://service.test/> SELECT * { ?service service:load ?from }",
    "BASE <http://from.test/SERVICE> DESCRIBE <x>",
    "CONSTRUCT { ?s ?p 'SERVICE' } WHERE { ?s ?p \"FROM\" } # LOAD SERVICE",
    'SELECT * { ?s ?p """a "quoted" SERVICE\n""", \'\'\'FROM\'\'\', "x \\" SERVICE"@en-service }',
    r"SELECT * { ?s ?p '\u0041 \UFFFFFFFF' }",
    "SELECT (?a<?b AS ?c) { ?s ?p ?o }",
]
REFUSED = [
    ("SELECT * { SERVICE <http://outside.test/> { ?s ?p ?o } }", "SERVICE is refused"),
    ("SELECT * { service\tSILENT ?x { ?s ?p ?o } }", "SERVICE is refused"),
    ("SELECT * { ?s ?p '#' . SERVICE<http://outside.test/>{} }", "SERVICE is refused"),
    ("SELECT * { ?s ?p 1 .SERVICE ?x {} }", "SERVICE is refused"),
    (r"SELECT * { \u0053ERVICE <http://outside.test/> {} }", "SERVICE is refused"),
    (r"SELECT * { S\U00000045RVICE ?x {} }", "SERVICE is refused"),
    ("SELECT * FROM <file:///etc/passwd> { ?s ?p ?o }", "FROM is refused"),
    ("ASK FROM NAMED <http://outside.test/> { ?s ?p ?o }", "FROM is refused"),
    ("LOAD <http://outside.test/>", "not LOAD"),
    ("INSERT DATA { <a:a> <a:b> <a:c> }", "can be read and not changed"),
    ("PREFIX select: <a:SELECT> DELETE WHERE { ?s ?p ?o }", "not DELETE"),
    ("# SELECT\nDROP ALL", "not DROP"),
    ("  \n", "There is no query"),
    ("{}", "A query begins with SELECT"),
    ("SELECT * { ?s ?p '\0' }", "no text"),
    ("SELECT * { ?s ?p '\ud800' }", "no text"),
    ("SELECT * {} #" + "x" * LONGEST_QUERY, "shorten it"),
]


@pytest.mark.parametrize("query", READING)
def test_a_query_that_reads_is_taken(query: str) -> None:
    check_query(query)


@pytest.mark.parametrize(("query", "reason"), REFUSED)
def test_any_other_is_refused_with_its_reason(query: str, reason: str) -> None:
    with pytest.raises(QueryError, match=reason):
        check_query(query)


@pytest.mark.parametrize("piece", [".", "a", '"', "'''", "<", "\\", "a:"])
def test_no_text_takes_long_to_read(piece: str) -> None:
    """A reader that goes back and forth would be at it until the test is ended."""
    check_query("ASK {}" + piece * ((LONGEST_QUERY - 6) // len(piece)))
