"""What supports a sentence, what changed from round to round, and the drawing of the facts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.starting import Served
from tests.e2e.test_accessibility import faults
from tests.e2e.visitor import LOOKS, Scheme, Screenshot, Visit, Visitor, Width

pytestmark = pytest.mark.browser

MIXED = "Explain the {title} mixed."


def sentences(visitor: Visitor, status: str) -> Locator:
    return visitor.answer.locator(f".sentence.{status}")


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_every_sentence_is_marked_and_leads_to_its_facts(
    visit: Visit, scripted: Served, screenshot: Screenshot, width: Width, scheme: Scheme
) -> None:
    visitor = visit(scripted, width, scheme)
    visitor.explain(title="mona lisa", question=MIXED)
    visitor.wait_until_done()
    expect(sentences(visitor, "supported")).to_have_text(
        "Mona Lisa was painted by Leonardo da Vinci."
    )
    expect(sentences(visitor, "unsupported")).to_have_text("Her smile is a riddle.")
    expect(sentences(visitor, "contradicts")).to_have_count(2)
    entity = sentences(visitor, "contradicts").first.get_by_role("link", name="Belvedere")
    expect(entity).to_have_attribute("href", "entity/Q15")
    legend = visitor.page.get_by_role("list", name="What the marks mean")
    expect(legend.get_by_role("listitem")).to_have_text(
        [re.compile(rf"\S {text} {count}") for text, count in LEGEND.items()]
    )

    mark = visitor.page.get_by_role("button", name="contradicts the catalogue").first
    mark.focus()
    visitor.page.keyboard.press("Enter")
    evidence = visitor.page.locator(".evidence:popover-open")
    expect(evidence).to_contain_text("Mona Lisa · collection · Louvre Museum (iteration 1, 2)")
    assert not faults(visitor), "with the facts of a sentence"
    screenshot(visitor, f"{width}-{scheme}-support")
    visitor.page.keyboard.press("Escape")
    expect(evidence).to_have_count(0)
    visitor.page.get_by_role("button", name="contradicts the catalogue").last.click()
    expect(evidence).to_contain_text("Mona Lisa · inception · 1503")
    assert visitor.overflow() <= 0


LEGEND = {
    "supported by the catalogue": 1,
    "the model’s own words": 1,
    "contradicts the catalogue": 2,
}


def test_what_is_new_and_what_changed_is_shown_on_demand(visit: Visit, scripted: Served) -> None:
    visitor = visit(scripted)
    visitor.page.get_by_role("button", name="Settings").click()
    visitor.page.get_by_label("PID-QID").check()
    visitor.explain(title="mona lisa")
    visitor.wait_until_done()
    for number in (1, 2):
        visitor.card(number).locator("> summary").click()
    first, second = visitor.card(1), visitor.card(2)
    expect(first.locator(".new")).to_have_count(0)
    expect(second.locator(".entities li").filter(has_text="new")).to_contain_text("Leonardo")
    expect(second.get_by_role("row").filter(has_text="The Last Supper")).to_contain_text("new")

    second.get_by_text("What changed against the answer before").click()
    expect(second.get_by_role("insertion").first).to_contain_text("of Lisa del Giocondo")
    expect(second.get_by_role("deletion")).to_have_text("in oil on a poplar panel.")
    second.get_by_text("The prompt, word for word").click()
    expect(second.get_by_text("[The Last Supper, creator, Leonardo da Vinci]")).to_be_visible()
    expect(second.get_by_text("You are an assistant")).to_be_visible()
    second.get_by_text("How these scores come about").first.click()
    sums = second.locator(".sums").first.get_by_role("listitem").filter(has_text="creator")
    expect(sums).to_contain_text(re.compile(r"f = 1, nt = \d: ln\(1 \+ 1\) × ln\(15 / \d\) = "))
    expect(sums).to_contain_text(re.compile(r"\+ Leonardo da Vinci: .* = \d\.\d{4}"))
    expect(second.locator(".timings")).to_have_text(
        re.compile(r"^Looking up \d+\.\d\d s · Writing \d+\.\d\d s · Judging \d+\.\d\d s$")
    )
    assert not faults(visitor), "with everything explained"


def lit_ways(graph: Locator) -> int:
    """How many ways of the drawing are highlighted."""
    return int(
        graph.locator(".way").evaluate_all(
            "all => all.filter(one => getComputedStyle(one).strokeWidth === '2.5px').length"
        )
    )


@pytest.mark.parametrize("width", [1400, 390])
def test_the_graph_lights_up_the_way_to_what_has_the_focus(
    visit: Visit, scripted: Served, width: Width
) -> None:
    visitor = visit(scripted, width, "dark")
    visitor.explain(title="mona lisa")
    visitor.wait_until_done()
    graph = visitor.page.locator(".card.graph")
    supper = graph.locator("svg").get_by_role("link", name="The Last Supper").first
    assert lit_ways(graph) == 0
    graph.get_by_role("region").focus()
    for _ in range(40):
        visitor.page.keyboard.press("Tab")
        if supper.evaluate("link => link === document.activeElement"):
            break
    # From Mona Lisa by "creator" to Leonardo, and by "creator" to The Last Supper.
    expect(graph.locator(":is(.branch, .stem):has(a:focus-visible) > .way")).to_have_count(4)
    assert lit_ways(graph) == 4
    assert visitor.overflow() <= 0
    graph.get_by_text(re.compile("All .* facts as a list")).click()
    listed = graph.get_by_role("listitem").filter(has_text="The Last Supper · creator")
    expect(listed).to_contain_text("Leonardo da Vinci")
