"""The pages of the graph as they are served, without gradio, gate or browser."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from string import Formatter

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from expartkg.commons import Commons
from expartkg.errors import GraphError
from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.sparql import Queries, Results
from expartkg.settings import Settings
from expartkg.ui.browse import browse_routes
from expartkg.ui.browse.entity import readable
from expartkg.ui.browse.paging import part_of
from expartkg.ui.browse.querying import EXAMPLES, ROWS_SHOWN, as_csv
from expartkg.ui.browse.style import style_sheet
from expartkg.ui.browse.words import BROWSING
from expartkg.ui.text import LANGUAGES, Counted
from tests.conftest import LABEL, TYPE, WD, WDT

HOSTILE = '<img src=x onerror="alert(1)"> {{ words }} "quoted"'
WORKS = 120


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An artist with many works, one of which has a hostile name."""
    lines = [f'<{WD}Q1> <{LABEL}> "Ann Artist"@en .', f"<{WD}Q1> <{TYPE}> <urn:expartkg:Artist> ."]
    lines += [f'<{WDT}P170> <{LABEL}> "creator"@en .', f'<{WDT}P571> <{LABEL}> "inception"@en .']
    for n in range(WORKS):
        work = f"{WD}Q{n + 100}"
        name = HOSTILE if n == 7 else f"Work {n:03}"
        lines.append(f"<{work}> <{LABEL}> {json.dumps(name)}@en .")
        lines.append(f"<{work}> <{TYPE}> <urn:expartkg:Artwork> .")
        lines.append(f"<{work}> <{WDT}P170> <{WD}Q1> .")
    lines.append(f'<{WD}Q100> <{WDT}P571> "+1503-04-05T00:00:00Z" .')
    lines.append(f'<https://museum.test/a/b?x> <{LABEL}> "Odd"@en .')
    lines.append(f'<https://other.test/b?x> <{LABEL}> "Odd too"@en .')
    path = tmp_path_factory.mktemp("graph") / "graph.nt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def client(file: Path) -> Iterator[TestClient]:
    settings = Settings(kg=str(file), cache=file.parent / "cache", sparql_seconds=3)
    retriever = Retriever(open_graph(settings.kg))
    routes = browse_routes(retriever, settings, Commons(settings.cache))
    with TestClient(Starlette(routes=routes)) as client:
        yield client


def text_of(html: str) -> str:
    body = html.partition("<main")[2]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


class TestEntity:
    def test_a_work(self, client: TestClient) -> None:
        html = client.get("/entity/Q100").text
        text = text_of(html)
        assert "Work 000 Artwork Q100 Ann Artist · 1503 Explain this work on Wikidata" in text
        assert "creator Ann Artist Artist report" in text
        assert "inception 1503-04-05 report" in text
        assert 'href="../?artwork=Q100"' in html
        assert 'href="https://www.wikidata.org/wiki/Q100#P170"' in html
        assert "Work 001 Q101 shares Ann Artist" in text

    def test_a_hub_is_given_in_parts(self, client: TestClient) -> None:
        html = client.get("/entity/Q1").text
        assert "is the creator of" in html
        assert html.count('class="report"') == 10
        link = re.search(r'href="\.\./(entity/Q1\?[^"]+)">Show all 120', html)
        assert link
        first = client.get("/" + unescape(link[1])).text
        assert "Work 110" not in first
        assert "Page 1 of 2" in first
        last = client.get("/" + unescape(link[1]) + "&page=2").text
        assert "Work 119" in last
        # The statement is the work's, not the artist's.
        assert 'href="https://www.wikidata.org/wiki/Q219#P170"' in last
        assert client.get("/" + unescape(link[1]) + "&page=99999999999").status_code == 200

    def test_names_are_data(self, client: TestClient) -> None:
        for address in ("/entity/Q107", "/entity/Q1", "/graph?q=quoted", "/graph?kind=Artwork"):
            html = client.get(address).text
            assert "<img" not in html
            assert "{{ words }}" in unescape(html)

    def test_what_is_not_there(self, client: TestClient) -> None:
        response = client.get("/entity/<b>Q0</b>")
        assert response.status_code == 404
        assert "The graph has no entity <b>Q0</b>" in text_of(response.text)
        assert "wikidata.org" not in response.text
        assert 'href="https://www.wikidata.org/wiki/Q99999"' in client.get("/entity/Q99999").text
        assert client.get("/picture/Q100").status_code == 404
        assert client.get("/picture/Q0").status_code == 404

    def test_an_id_that_is_a_whole_address_can_be_linked_to(self, client: TestClient) -> None:
        html = client.get("/graph?q=odd").text
        links = re.findall(r'href="\./(entity/https[^"]+)"', html)
        assert len(links) == 2
        for link in links:
            assert client.get(f"/{link}").status_code == 200


class TestAway:
    @pytest.mark.parametrize("address", ["/entity/Q100", "/graph"])
    def test_a_graph_that_cannot_be_asked_just_now(
        self, client: TestClient, monkeypatch: pytest.MonkeyPatch, address: str
    ) -> None:
        """As one at an endpoint, which may be away for a while."""

        def away(*_: object) -> None:
            raise GraphError("The endpoint cannot be reached.")

        monkeypatch.setattr("expartkg.ui.browse.routes.entity_page", away)
        monkeypatch.setattr("expartkg.ui.browse.catalogue.Catalogue.graph", away)
        response = client.get(address)
        assert (response.status_code, response.text) == (503, "The endpoint cannot be reached.")


class TestGraph:
    def test_its_size_and_kinds(self, client: TestClient) -> None:
        text = text_of(client.get("/graph").text)
        assert "123 entities, 120 statements of" in text
        assert "Artwork: 120" in text
        assert "without a kind: 2" in text

    def test_the_search_forgives(self, client: TestClient) -> None:
        assert "Work 042" in text_of(client.get("/graph?q=wrok+042").text)
        assert "Ann Artist Artist" in text_of(client.get("/graph?q=ANN").text)
        assert "Ann Artist Artist" in text_of(client.get("/graph?q=artist").text)
        assert "Ann Artist Artist" in text_of(client.get("/graph?q=Q1").text)
        assert "Nothing in the graph is called so" in client.get("/graph?q=zzzz").text

    def test_a_kind(self, client: TestClient) -> None:
        text = text_of(client.get("/graph?kind=Artist").text)
        assert "Artist: 1 The graph Ann Artist" in text
        assert "What is in it" in client.get("/graph?kind=Unknown").text


class TestSparql:
    QUERY = "SELECT ?w ?l { ?w wdt:P170 wd:Q1 ; rdfs:label ?l } ORDER BY ?w"

    def test_a_table_with_links(self, client: TestClient) -> None:
        html = client.get("/sparql", params={"query": self.QUERY}).text
        assert "120 rows" in text_of(html)
        assert '<a href="./entity/Q100" title="Work 000">wd:Q100</a>' in html
        assert html.count("<tr>") == 121
        assert "<img" not in html

    def test_a_long_query_is_posted(self, client: TestClient) -> None:
        html = client.post("/sparql", data={"query": self.QUERY + " #" + "x" * 4000}).text
        assert "120 rows" in text_of(html)

    def test_csv(self, client: TestClient) -> None:
        response = client.get("/sparql", params={"query": self.QUERY, "format": "csv"})
        assert response.headers["content-type"] == "text/csv; charset=utf-8"
        assert "attachment" in response.headers["content-disposition"]
        rows = list(csv.reader(io.StringIO(response.text)))
        assert rows[:2] == [["w", "l"], [f"{WD}Q100", "Work 000"]]
        assert [WD + "Q107", HOSTILE] in rows

    def test_yes_and_no(self, client: TestClient) -> None:
        assert "Yes in" in text_of(client.get("/sparql?query=ASK{wd:Q100 ?p wd:Q1}").text)
        assert "No in" in text_of(client.get("/sparql?query=ASK{wd:Q1 ?p wd:Q100}").text)

    @pytest.mark.parametrize(
        ("query", "reason"),
        [("SELECT", "malformed"), ("SELECT * { SERVICE <http://x/> {} }", "SERVICE is refused")],
    )
    def test_what_is_wrong_is_said(self, client: TestClient, query: str, reason: str) -> None:
        response = client.get("/sparql", params={"query": query})
        assert response.status_code == 422
        assert reason in text_of(response.text)
        response = client.get("/sparql", params={"query": query, "format": "csv"})
        assert (response.status_code, reason in response.text) == (422, True)

    def test_what_would_run_for_hours_ends_with_a_message(self, client: TestClient) -> None:
        cross = "?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l"
        # Counting takes no memory, whose limit would be another message.
        query = f"SELECT (COUNT(*) AS ?n) {{ {cross} }}"
        response = client.get("/sparql", params={"query": query})
        assert response.status_code == 422
        assert "The query was stopped: it had not ended after 3 seconds." in text_of(response.text)

    def test_no_rows(self, client: TestClient) -> None:
        html = client.get("/sparql?query=SELECT * { ?s wdt:P999 ?o }").text
        assert "0 rows" in text_of(html)
        assert "<table" not in html

    def test_many_rows_are_shown_in_part(self, client: TestClient) -> None:
        query = f"SELECT * {{ ?a wdt:P170 ?x . ?b wdt:P170 ?y }} LIMIT {ROWS_SHOWN + 1}"
        html = client.get("/sparql", params={"query": query}).text
        assert f"The first {ROWS_SHOWN} are shown" in html
        assert html.count("<tr>") == ROWS_SHOWN + 1

    def test_every_example_runs_in_every_language(self, client: TestClient) -> None:
        for before, words in (("", BROWSING["en"]), ("/ja", BROWSING["ja"])):
            html = client.get(f"{before}/sparql").text
            links = re.findall(r'href="[./]+(?:ja/)?(sparql\?query=[^"]+)">([^<]+)</a>', html)
            assert [name for _, name in links] == list(words.example_names)
        for link, _ in links:
            assert client.get(f"/{unescape(link)}").status_code == 200

    def test_every_example_finds_something_in_the_shipped_graph(self) -> None:
        queries = Queries("artworks")
        try:
            assert all(len(queries.ask(query)) for query in EXAMPLES)
        finally:
            queries.close()


class TestLanguages:
    def test_links_stay_in_the_language(self, client: TestClient) -> None:
        html = client.get("/ja/entity/Q100").text
        assert '<html lang="ja">' in html
        assert 'href="../../ja/entity/Q1"' in html
        assert 'href="../../ja?artwork=Q100"' in html
        assert 'href="../../entity/Q100" lang="en"' in html
        assert 'href="../../browse/style.css"' in html
        assert 'href="./ja/graph"' in client.get("/graph").text
        assert "作品 " in text_of(client.get("/ja/graph?q=work").text)

    def test_languages_fill_in_the_same_things(self) -> None:
        assert BROWSING.keys() == LANGUAGES.keys()
        for name in type(BROWSING["en"]).__slots__:
            assert len({fields(getattr(words, name)) for words in BROWSING.values()}) == 1, name


def fields(words: object) -> tuple[str, ...]:
    """What is filled in into a phrase."""
    text = words.many if isinstance(words, Counted) else str(words)
    return tuple(sorted({name for _, name, _, _ in Formatter().parse(text) if name}))


def test_the_style_sheet_goes_by_the_browser(client: TestClient) -> None:
    sheet = style_sheet()
    assert ".dark" not in sheet
    assert sheet.count("@media (prefers-color-scheme: dark) { :root {") == 2
    assert "@media (prefers-color-scheme: dark) { .subgraph {" in sheet
    assert "url('static" not in sheet
    assert client.get("/browse/style.css").text == sheet


def test_pages_of_a_list() -> None:
    assert part_of(range(5), 1, 2) == part_of(range(5), -7, 2)
    last = part_of(range(5), 9, 2)
    assert (list(last.items), last.page, last.pages, last.total) == ([4], 3, 3, 5)
    assert part_of([], 1, 2).pages == 1


@pytest.mark.parametrize(
    ("value", "shown"),
    [("+1503-01-01T00:00:00Z", "1503-01-01"), ("1503", "1503"), ("-0050-01-01", "-0050-01-01")],
)
def test_dates_are_readable(value: str, shown: str) -> None:
    assert readable(value) == shown


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("=HYPERLINK(A1)", "'=HYPERLINK(A1)"),
        (" +1+cmd|' /C calc'!A0", "' +1+cmd|' /C calc'!A0"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("-x", "'-x"),
        ("＝SUM(A1)", "'＝SUM(A1)"),
        ("-500", "-500"),
        ("+1503-04-05T00:00:00Z", "+1503-04-05T00:00:00Z"),
        ("-1.5E3", "-1.5E3"),
        ("A = B", "A = B"),
    ],
)
def test_no_cell_is_a_formula(value: str, cell: str) -> None:
    """Numbers and dates stay as they are."""
    row = {"x": {"type": "literal", "value": value}}
    results = Results({"head": {"vars": ["x"]}, "results": {"bindings": [row]}}, False, 0.0)
    assert list(csv.reader(io.StringIO(as_csv(results)))) == [["x"], [cell]]
