"""The page, its pages of the graph and its files with a graph that means harm.

Whatever would run sets `window.flag`; see `hard_use/hostile_graph.py`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urljoin

import httpx
import pytest
from playwright.sync_api import Page, expect

from expartkg.cli import main
from tests.e2e.program import connected
from tests.e2e.starting import Served, free_port, served
from tests.e2e.visitor import Screenshot, Visit, Visitor
from tests.hard_use.hostile_graph import (
    FIRST_WORK,
    MAKER,
    PAYLOADS,
    SEGMENTS,
    works,
    write_hostile_graph,
)
from tests.hard_use.markup import read

IS_LARGE = os.environ.get("EXPARTKG_LARGE") == "1"
pytestmark = pytest.mark.timeout(3600 if IS_LARGE else 600)
SOME = tuple(PAYLOADS) if IS_LARGE else ("end", "unbroken")
MOST = 20 if IS_LARGE else 4
"""Works in a report."""
EVERYTHING = "SELECT * { ?s ?p ?o } ORDER BY DESC(STR(?o))"
ADDRESSES = "a => a.map(one => one.href?.animVal ?? one.href ?? one.action)"
OUTSIDE = """() => [...document.querySelectorAll('body *')].filter((one) =>
  one.getBoundingClientRect().right > window.innerWidth + 1
  && !one.parentElement.closest('.scroll, .canvas, .examples ul, svg')
  ).map((one) => one.outerHTML.slice(0, 100))"""
OPENED = "document.querySelectorAll('details').forEach(one => one.open = true)"


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hostile") / "hostile.nt"
    write_hostile_graph(path)
    return path


@pytest.fixture(scope="module")
def hostile(graph: Path) -> Iterator[Served]:
    """The page as everybody starts it, with that graph."""
    log = graph.with_name("log")
    with served(["app.py"], log, free_port(), EXPARTKG_KG=str(graph)) as page:
        yield page


def id_of(payload: str) -> str:
    return f"Q{FIRST_WORK + list(PAYLOADS).index(payload)}"


def check(page: Page, where: str) -> None:
    """Nothing has run, nothing can, and the page is no wider than its window."""
    assert page.evaluate("typeof window.flag") == "undefined", where
    for address in page.locator("a, area, form").evaluate_all(ADDRESSES):
        assert re.match(r"https?:|file:.*#|file:.*/runs/", address or "http:"), (where, address)
    assert page.locator("iframe, object, embed, [onerror], [onload], [onfocus]").count() == 0
    for width in (1400, 390):
        page.set_viewport_size({"width": width, "height": 900})
        wider = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert wider <= 0, (where, width, wider)
        assert page.evaluate(OUTSIDE) == [], (where, width)
    page.set_viewport_size({"width": 1400, "height": 1000})


def explain(visitor: Visitor, payload: str) -> None:
    visitor.page.goto(urljoin(visitor.page.url, f"/?artwork={id_of(payload)}&max-iterations=2"))
    expect(visitor.resolved).to_contain_text(id_of(payload))
    visitor.button("Explain").click()
    visitor.wait_until_done()


@pytest.mark.browser
def test_explanations_stay_inert(
    visit: Visit, hostile: Served, tmp_path: Path, screenshot: Screenshot
) -> None:
    visitor = visit(hostile)
    page = visitor.page
    visitor.field("Title").press_sequentially("script window flag")
    expect(visitor.suggestions.first).to_be_visible()
    check(page, "suggestions")
    for payload in SOME:
        explain(visitor, payload)
        page.evaluate(OPENED)
        page.get_by_role("button", name="Change something and run again").click()
        expect(page.locator("#steering")).to_be_visible()
        check(page, payload)
        if IS_LARGE:
            screenshot(visitor, f"hostile-{payload}")
        for mark in page.locator("#answer button.mark").all()[:3]:
            mark.click()
            check(page, f"the mark of {payload}")
            page.keyboard.press("Escape")
        for name in ("HTML", "Markdown", "JSON"):
            with page.expect_download() as download:
                page.locator("#keep").get_by_role("link", name=name).click()
            download.value.save_as(tmp_path / download.value.suggested_filename)
    for file in sorted(tmp_path.glob("*.html")):
        open_file(visitor, file)


@pytest.mark.browser
def test_works_are_compared_and_the_graph_is_browsed_inertly(visit: Visit, hostile: Served) -> None:
    visitor = visit(hostile)
    page = visitor.page
    page.goto(f"{hostile.url}?artwork={id_of('image')}")
    expect(visitor.resolved).to_contain_text(id_of("image"))
    page.get_by_role("button", name="Compare two ways").click()
    visitor.button("Compare").click()
    expect(page.locator("#compare-status")).to_contain_text("Done.")
    page.evaluate(OPENED)
    check(page, "comparison")
    strangers = [quote(iri, safe="") for iri in SEGMENTS.values()]
    some = [*map(id_of, SOME), MAKER, *strangers]
    for address in (
        *(f"entity/{id}" for id in some),
        "graph",
        "graph?q=window",
        "graph?kind=Artwork",
        f"sparql?query={quote(EVERYTHING)}",
    ):
        page.goto(hostile.url + address)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        check(page, address)


@pytest.fixture
def client(hostile: Served) -> Iterator[httpx.Client]:
    with connected(hostile) as client:
        yield client


def test_every_entity_is_found_behind_every_link(client: httpx.Client, hostile: Served) -> None:
    """However odd its id is."""
    kinds = [one for one in read(client.get("graph").text).links if "kind=" in one]
    assert len(kinds) == len(SEGMENTS) + 3
    found = set()
    for kind in kinds:
        listed = client.get(kind)
        for link in read(listed.text).links:
            if "entity/" in link:
                # As a browser does it, which also takes dots for folders.
                address = urljoin(str(listed.url), link)
                assert address.startswith(f"{hostile.url}entity/"), link
                page = client.get(address)
                assert page.status_code == 200, link
                found.add(page.text.partition("<h1>")[2].partition("</h1>")[0])
                read(page.text)
    assert len(found) == len(PAYLOADS) + len(SEGMENTS) + 2


def open_file(visitor: Visitor, file: Path) -> None:
    visitor.page.goto(file.as_uri())
    visitor.page.evaluate(OPENED)
    check(visitor.page, file.name)
    visitor.outside.remove(file.as_uri())


@pytest.mark.browser
def test_reports_on_it_are_inert(
    visit: Visit, hostile: Served, graph: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXPARTKG_KG", str(graph))
    monkeypatch.setenv("EXPARTKG_ENGINE", "preview")
    table, questions = tmp_path / "works.csv", tmp_path / "questions.jsonl"
    ids, texts = list(works())[-MOST:], list(works().values())[-MOST:]
    table.write_text("artwork\n" + "\n".join(ids) + "\n", encoding="utf-8")
    records = [
        {"id": text[:500], "title": text[:500], "artist": text[:500], "reference": f"{text} {text}"}
        for text in texts
    ]
    questions.write_text("\n".join(map(json.dumps, records)) + "\n", encoding="utf-8")
    batch, results = tmp_path / "batch", tmp_path / "results"
    assert main(["explain", "--batch", str(table), "--out", str(batch)]) == 0
    evaluate = ["evaluate", "--questions", str(questions), "--out", str(results), "--no-images"]
    assert (
        main([*evaluate, "--inputs", "with-title", "--rankings", "qid", "--methods", "validate"])
        == 0
    )
    visitor = visit(hostile)
    open_file(visitor, batch / "report.html")
    open_file(visitor, results / "report" / "samples.html")
    assert len(list((batch / "runs").glob("*.html"))) == len(ids)
