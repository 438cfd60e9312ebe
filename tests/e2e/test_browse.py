"""The pages of the graph in a browser, and what their visitors can do to the server."""

from __future__ import annotations

import re
import socket
from contextlib import ExitStack
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.e2e.program import connected
from tests.e2e.starting import Served
from tests.e2e.test_accessibility import faults
from tests.e2e.visitor import LOOKS, Scheme, Screenshot, Visit, Visitor, Width

ENDLESS = "ASK { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o . ?p ?q ?r FILTER(?a = ?no) }"


def check(visitor: Visitor, where: str) -> None:
    assert not faults(visitor), where
    assert visitor.overflow() == 0, where


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_from_the_guide_through_the_graph_and_back(
    visit: Visit, scripted: Served, screenshot: Screenshot, width: Width, scheme: Scheme
) -> None:
    visitor = visit(scripted, width, scheme)
    page = visitor.page
    page.get_by_role("link", name="Browse the graph").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("The graph")
    check(visitor, "the graph")
    page.get_by_role("searchbox", name="Search").fill("mona liza")
    page.keyboard.press("Enter")
    page.get_by_role("main").get_by_role("link", name="Mona Lisa").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Mona Lisa")
    check(visitor, "an entity")
    screenshot(visitor, f"entity-{width}-{scheme}")
    page.get_by_role("link", name="Leonardo da Vinci", exact=True).first.click()
    expect(page.get_by_role("main")).to_contain_text("is the creator of")
    page.get_by_role("link", name="SPARQL").click()
    query = page.get_by_role("textbox", name="Query")
    query.fill("SELECT ?work ?title { ?work wdt:P170 wd:Q2 ; rdfs:label ?title } ORDER BY ?title")
    visitor.button("Run").press("Enter")
    expect(page.get_by_role("main")).to_contain_text("2 rows in")
    check(visitor, "results")
    screenshot(visitor, f"sparql-{width}-{scheme}")
    page.get_by_role("link", name="wd:Q7").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The Last Supper")
    page.get_by_role("link", name="Explain this work").click()
    expect(visitor.field("Title")).to_have_value("The Last Supper")


@pytest.mark.browser
def test_a_picture_comes_when_it_is_asked_for(visit: Visit, scripted: Served) -> None:
    visitor = visit(scripted)
    page = visitor.page
    page.goto(f"{scripted.url}entity/Q1")
    expect(page.locator("img")).to_have_count(0)
    page.get_by_role("link", name="Show its picture").click()
    expect(page.get_by_alt_text("Picture: Mona Lisa")).to_have_js_property("naturalWidth", 960)
    expect(page.locator("figcaption")).to_contain_text(
        "Mona Lisa.jpg, Leonardo da Vinci, Public domain, Wikimedia Commons"
    )
    page.goto(f"{scripted.url}entity/Q7?picture")
    expect(page.locator(".problem")).to_contain_text("Away.jpg")


@pytest.mark.browser
def test_sparql_without_a_pointer_and_without_scripts(visit: Visit, scripted: Served) -> None:
    visitor = visit(scripted)
    page = visitor.page
    page.goto(f"{scripted.url}ja/sparql")
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    page.get_by_role("textbox").fill("SELECT * { ?s ?p ?o } #" + "x" * 3000)
    page.get_by_role("button", name="実行").click()
    expect(page.get_by_role("main")).to_contain_text("行")
    assert page.url == f"{scripted.url}ja/sparql", "a long query is not in the address"
    page.goto(f"{scripted.url}sparql?query={quote('SELECT ?p { wd:Q22 rdfs:label ?p }')}")
    expect(page.get_by_role("cell")).to_contain_text("<img src=x")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download as CSV").click()
    assert download.value.suggested_filename == "results.csv"


def test_a_query_hinders_nobody_and_ends_when_its_visitor_leaves(scripted: Served) -> None:
    """Both places are taken by queries that would run for a minute; the others go on."""
    request = f"GET /sparql?query={quote(ENDLESS)} HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with connected(scripted, timeout=60) as client:
        client.get("sparql", params={"query": "ASK {}"})
        with ExitStack() as visitors:
            for _ in range(2):
                connection = socket.create_connection(("127.0.0.1", scripted.port))
                visitors.enter_context(connection)
                connection.sendall(request.encode())
            busy = client.get("sparql", params={"query": "ASK {}", "format": "csv"})
            while busy.status_code == 200:  # the two have not begun yet
                busy = client.get("sparql", params={"query": "ASK {}", "format": "csv"})
            assert "Other queries are running" in busy.text
            assert client.get("entity/Q1").status_code == 200
        # Were they not ended, this one would wait for longer than it may.
        answer = client.get("sparql", params={"query": "ASK {}", "format": "csv"})
        assert answer.text.split() == ["true"]


@pytest.mark.parametrize("path", ["entity/", "xx/sparqll", "browse/../app.py", "browse/words.py"])
def test_other_addresses_are_not_there(scripted: Served, path: str) -> None:
    with connected(scripted) as client:
        assert client.get(path.replace("..", "%2e%2e")).status_code == 404


def test_other_websites_may_link_and_not_ask(scripted: Served) -> None:
    elsewhere = {"Sec-Fetch-Site": "cross-site"}
    with connected(scripted) as client:
        follow = elsewhere | {"Sec-Fetch-Mode": "navigate"}
        assert client.get("entity/Q1", headers=follow).status_code == 200
        assert client.get("entity/Q1", headers=elsewhere).status_code == 403
        form = {"query": "ASK {}"}
        assert client.post("sparql", data=form, headers=follow).status_code == 403
        headers = client.get("entity/Q1").headers
        policy = headers["content-security-policy"]
    assert re.search(r"default-src 'self';", policy)
    assert "nosniff" in headers["x-content-type-options"]
