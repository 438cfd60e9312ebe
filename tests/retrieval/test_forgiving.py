"""What rdflib reads where Oxigraph does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from expartkg.errors import GraphError
from expartkg.retrieval.reading import statements_in, stop_at_bad_line

TRIX = """<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph><uri>http://x/g</uri>
<triple><uri>http://x/a</uri><uri>http://x/p</uri><plainLiteral xml:lang="en">A</plainLiteral>
</triple></graph></TriX>"""
TURTLE = """@prefix ex: <http://x/> .
ex:a ex:p "A"@en .
ex:b ex:p ex:a ; ex:q <http://x/with blank> ; ex:r 5, _:c .
"""


def test_a_format_that_oxigraph_does_not_know(tmp_path: Path) -> None:
    path = tmp_path / "a.trix"
    path.write_text(TRIX)
    (quad,) = statements_in(path, stop_at_bad_line)
    assert str(quad.triple) == '<http://x/a> <http://x/p> "A"@en'


def test_what_rdflib_forgives_is_taken_and_the_rest_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    path.write_text(TURTLE)
    bad: list[tuple[int, str]] = []
    quads = list(statements_in(path, lambda _, line, reason: bad.append((line, reason))))
    assert {str(quad.predicate) for quad in quads} == {f"<http://x/{p}>" for p in "pr"}
    assert bad[0] == (3, "not valid Turtle: Invalid IRI code point ' '")
    ((line, reason),) = bad[1:]
    assert line == 0
    assert "http://x/b http://x/q http://x/with blank" in reason


def test_a_bad_turtle_file_stops_a_load_at_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    path.write_text(TURTLE)
    with pytest.raises(GraphError, match=r"a\.ttl line 3: not valid Turtle"):
        list(statements_in(path, stop_at_bad_line))


@pytest.mark.parametrize("name", ["a.ttl", "a.rdf", "a.jsonld", "a.trix", "a.hext", "a.trig"])
def test_what_neither_can_read_is_an_error(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text('{"nonsense')
    with pytest.raises(GraphError, match="cannot be read by rdflib either"):
        list(statements_in(path, lambda *_: None))
