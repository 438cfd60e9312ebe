"""The page for those who use a keyboard, a screen reader, or want no motion."""

from __future__ import annotations

import itertools

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.e2e.starting import Served
from tests.e2e.visitor import LOOKS, Scheme, Visit, Visitor, Width

pytestmark = pytest.mark.browser

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}


def faults(visitor: Visitor) -> list[str]:
    """What axe-core finds, in what is ours and in what is gradio's."""
    found = Axe().run(visitor.page, options=RULES).response["violations"]
    return [
        f"{violation['id']}: {node['html'][:200]} {node['failureSummary']}"
        for violation in found
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_axe_finds_nothing(visit: Visit, scripted: Served, width: Width, scheme: Scheme) -> None:
    visitor = visit(scripted, width, scheme)
    assert not faults(visitor), "before anything is done"
    visitor.field("Title").press_sequentially("kiss")
    expect(visitor.suggestions).to_have_count(2)
    visitor.page.keyboard.press("ArrowDown")
    assert not faults(visitor), "with suggestions"
    visitor.page.keyboard.press("Escape")
    visitor.page.get_by_role("button", name="Settings").click()
    visitor.explain(title="the kiss")
    visitor.wait_until_done()
    visitor.page.locator(".used summary").click()
    assert not faults(visitor), "after a run, with everything open"


def test_the_page_has_its_landmarks_and_headings(visit: Visit, scripted: Served) -> None:
    visitor = visit(scripted)
    page = visitor.page
    visitor.explain(title="mona lisa", question="Explain the {title} quickly.")
    visitor.wait_until_done()
    expect(page.get_by_role("main")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    headings = page.locator("h1, h2, h3, h4").evaluate_all(
        "all => all.filter(one => one.offsetParent).map(one => Number(one.tagName[1]))"
    )
    assert headings[0] == 1
    assert all(deeper - before <= 1 for before, deeper in itertools.pairwise(headings))
    expect(visitor.status).to_have_attribute("aria-live", "polite")


def test_everything_can_be_reached_with_the_keyboard(visit: Visit, app: Served) -> None:
    visitor = visit(app)
    visitor.fill(title="the kiss")
    expect(visitor.resolved).to_contain_text("4 works have this title.")
    visitor.page.get_by_role("heading", level=1).click()
    names: list[str] = []
    for _ in range(60):
        visitor.page.keyboard.press("Tab")
        name = visitor.page.evaluate(
            "(document.activeElement.ariaLabel || document.activeElement.innerText"
            " || document.activeElement.closest('label')?.innerText || '').trim()"
        )
        names.append(name.split("\n")[0])
        if name == "Explain":
            break
    for expected in ("日本語", "Mona Lisa", "The Kiss Pinacoteca", "Settings", "Explain"):
        assert any(name.startswith(expected) for name in names), (expected, names)


def test_who_wants_no_motion_gets_none(visit: Visit, scripted: Served) -> None:
    visitor = visit(scripted)
    visitor.page.emulate_media(reduced_motion="reduce")
    visitor.explain(title="mona lisa", question="Explain the {title} slowly.")
    dot = visitor.page.locator("#status .dot.running")
    expect(dot).to_have_css("animation-name", "none")
    visitor.page.emulate_media(reduced_motion="no-preference")
    expect(dot).to_have_css("animation-name", "breathe")
    visitor.button("Stop").click()
    visitor.wait_for("Stopped")
