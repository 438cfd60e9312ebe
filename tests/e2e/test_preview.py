"""The page as everybody starts it: the shipped graph, the preview engine, the Mona Lisa."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.starting import ROOT, Served
from tests.e2e.visitor import Screenshot, Visit

pytestmark = pytest.mark.browser

README_PICTURE = ROOT / "assets" / "screenshot.png"


def test_the_mona_lisa(visit: Visit, app: Served, portrait: Path, screenshot: Screenshot) -> None:
    visitor = visit(app, 390)
    expect(visitor.page.locator("#notice")).to_contain_text("Preview without a vision model")
    visitor.show(portrait)
    visitor.explain(title="mona lisa")
    visitor.wait_until_done()
    expect(visitor.work).to_contain_text("Found in the graph: Mona Lisa Q12418")
    expect(visitor.answer).to_contain_text("Leonardo da Vinci")
    first = visitor.card(1)
    expect(first.locator(".entities").get_by_role("link", name="Mona Lisa")).to_have_attribute(
        "href", "entity/Q12418"
    )
    creator = first.get_by_role("row").filter(has_text="creator")
    expect(creator.get_by_role("link", name="Leonardo da Vinci")).to_have_attribute(
        "href", "entity/Q762"
    )
    expect(visitor.cards.last.locator(".badge")).to_have_text("True")
    assert visitor.overflow() <= 0
    screenshot(visitor, "preview")


def test_a_work_that_needs_three_iterations(visit: Visit, app: Served) -> None:
    """Makes the README's picture, if the environment asks for it."""
    visitor = visit(app)
    visitor.explain(title="American Gothic")
    visitor.wait_until_done()
    expect(visitor.cards.locator(".badge")).to_have_text(["False", "False", "True"])
    if os.environ.get("EXPARTKG_UPDATE_SCREENSHOT") == "1":
        visitor.page.screenshot(path=README_PICTURE)


def test_a_work_that_the_graph_does_not_know(visit: Visit, app: Served) -> None:
    visitor = visit(app)
    visitor.explain(title="No such work 123")
    visitor.wait_for("^Done")
    expect(visitor.work).to_contain_text("does not know the title “No such work 123”")
    expect(visitor.answer).not_to_be_empty()


def test_a_picture_alone(visit: Visit, app: Served, portrait: Path) -> None:
    visitor = visit(app)
    visitor.show(portrait)
    visitor.button("Explain").click()
    visitor.wait_for("^Done")
    expect(visitor.answer).not_to_be_empty()
