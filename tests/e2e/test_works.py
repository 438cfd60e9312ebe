"""Which work it is about: the picker, examples, and pictures from Wikimedia Commons."""

from __future__ import annotations

import re
import statistics
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.starting import Served
from tests.e2e.visitor import LOOKS, Scheme, Screenshot, Visit, Width

pytestmark = pytest.mark.browser

# Milliseconds from each key to the first suggestions after it, and of a plain request just then.
STOPWATCH = """
() => {
  const list = document.querySelector('#picker [role=listbox]');
  const field = document.querySelector('#title input');
  window.times = [];
  let key = 0;
  field.addEventListener('input', () => { key = performance.now(); });
  new MutationObserver(async () => {
    if (!key || !list.children.length) return;
    const shown = performance.now();
    const suggestions = shown - key;
    key = 0;
    await (await fetch('manifest.json', { cache: 'no-store' })).text();
    window.times.push([suggestions, performance.now() - shown]);
  }).observe(list, { childList: true });
}
"""
TEN_TIMES = """
async () => {
  while (window.times.length < 10) await new Promise((resolve) => setTimeout(resolve, 50));
  return window.times;
}
"""


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_a_work_is_picked_with_the_keyboard_alone(
    visit: Visit, app: Served, screenshot: Screenshot, width: Width, scheme: Scheme
) -> None:
    visitor = visit(app, width, scheme)
    title = visitor.field("Title")
    title.focus()
    visitor.page.keyboard.type("kiss klimt")
    expect(visitor.suggestions.first).to_contain_text("The Kiss Gustav Klimt · Belvedere · 1907")
    expect(title).to_have_attribute("aria-expanded", "true")
    visitor.page.keyboard.press("ArrowDown")
    expect(visitor.suggestions.first).to_have_attribute("aria-selected", "true")
    expect(title).to_have_attribute("aria-activedescendant", "title-suggestion-1")
    screenshot(visitor, f"picker-{width}-{scheme}")
    visitor.page.keyboard.press("Enter")
    expect(title).to_have_value("The Kiss")
    expect(visitor.field("Artist")).to_have_value("Gustav Klimt")
    expect(visitor.suggestions).to_have_count(0)
    expect(visitor.resolved).to_contain_text("You chose: The Kiss Q698487")
    visitor.field("Artist").press("Enter")
    visitor.wait_until_done()
    expect(visitor.work).to_contain_text("Found in the graph: The Kiss Q698487")
    visitor.page.locator(".used summary").click()
    expect(visitor.page.locator(".used")).to_contain_text("The Kiss (Q698487), chosen by you")
    assert visitor.overflow() <= 0


def test_suggestions_come_at_once(visit: Visit, app: Served) -> None:
    """From key to result, beside a request of the same browser for a small file."""
    visitor = visit(app)
    visitor.field("Title").press_sequentially("x", delay=300)
    visitor.page.evaluate(STOPWATCH)
    visitor.field("Title").fill("")
    visitor.field("Title").press_sequentially("sunflowers van gogh", delay=300)
    times, plain_times = zip(*visitor.page.evaluate(TEN_TIMES), strict=True)
    median, plain = statistics.median(times), statistics.median(plain_times)
    print(
        f"from key to suggestions: {median:.0f} ms in the median, {max(times):.0f} ms at most; "
        f"a plain request: {plain:.0f} ms"
    )
    assert median < 100 or median < 8 * plain


def test_typing_goes_on_as_before(visit: Visit, scripted: Served) -> None:
    """Enter without a choice asks for what was typed, and Escape puts the list away."""
    visitor = visit(scripted)
    title = visitor.field("Title")
    title.focus()
    visitor.page.keyboard.type("mona")
    expect(visitor.suggestions).to_have_count(1)
    visitor.page.keyboard.press("Escape")
    expect(visitor.suggestions).to_have_count(0)
    visitor.page.keyboard.type(" lisa")
    expect(visitor.suggestions).to_have_count(1)
    visitor.page.keyboard.press("ArrowDown")
    visitor.page.keyboard.press("ArrowDown")
    expect(title).not_to_have_attribute("aria-activedescendant", re.compile("."))
    visitor.page.keyboard.press("Enter")
    visitor.wait_until_done()
    expect(title).to_have_value("mona lisa")
    expect(visitor.suggestions).to_have_count(0)


def test_suggestions_are_picked_with_the_pointer(visit: Visit, scripted: Served) -> None:
    visitor = visit(scripted)
    visitor.field("Title").press_sequentially("kiss")
    visitor.suggestions.filter(has_text="Hayez").click()
    expect(visitor.field("Artist")).to_have_value("Francesco Hayez")
    expect(visitor.field("Title")).to_have_value("The Kiss")


def test_what_a_title_stands_for_is_shown_before_it_is_explained(
    visit: Visit, scripted: Served, screenshot: Screenshot
) -> None:
    visitor = visit(scripted, 390)
    visitor.fill(title="the kiss")
    expect(visitor.resolved).to_contain_text("Found in the graph: The Kiss Q11 Gustav Klimt")
    expect(visitor.resolved).to_contain_text("2 works have this title.")
    hayez = visitor.resolved.get_by_role("button").filter(has_text="Francesco Hayez")
    expect(hayez).to_have_attribute("aria-pressed", "false")
    hayez.press("Enter")
    expect(hayez).to_have_attribute("aria-pressed", "true")
    expect(hayez).to_be_focused()
    expect(visitor.field("Artist")).to_have_value("Francesco Hayez")
    screenshot(visitor, "choice")
    visitor.field("Question").fill("Explain the {title} quickly.")
    visitor.button("Explain").click()
    visitor.wait_until_done()
    expect(visitor.work).to_contain_text("Found in the graph: The Kiss Q12")


def test_a_pick_is_forgotten_when_the_title_is_changed(visit: Visit, scripted: Served) -> None:
    visitor = visit(scripted)
    visitor.field("Title").press_sequentially("kiss")
    visitor.suggestions.filter(has_text="Hayez").click()
    expect(visitor.resolved).to_contain_text("You chose: The Kiss Q12")
    visitor.fill(title="mona lisa")
    expect(visitor.resolved).to_contain_text("Found in the graph: Mona Lisa Q1")
    visitor.fill(title="no such thing 77")
    expect(visitor.resolved).to_contain_text("The graph does not know this title.")
    visitor.fill(title="Mona Liza")
    expect(visitor.resolved).to_contain_text("Did you mean one of these?")
    visitor.resolved.get_by_role("button").first.click()
    expect(visitor.field("Title")).to_have_value("Mona Lisa")
    visitor.fill()
    expect(visitor.resolved).to_be_hidden()


def test_an_example_at_one_click(visit: Visit, app: Served, screenshot: Screenshot) -> None:
    visitor = visit(app)
    examples = visitor.page.get_by_role("region", name="Try one of these").get_by_role("button")
    expect(examples).to_have_count(8)
    examples.filter(has_text="Black Square").click()
    expect(visitor.field("Title")).to_have_value("Black Square (1915)")
    expect(visitor.field("Artist")).to_have_value("Kazimir Malevich")
    picture = visitor.page.get_by_alt_text("The picture of the artwork")
    expect(picture).to_be_visible()
    expect(visitor.page.locator("#credit")).to_have_text("drawn by this guide after the work")
    expect(visitor.resolved).to_contain_text("You chose: Black Square (1915) Q1170315")
    visitor.button("Explain").click()
    visitor.wait_until_done()
    screenshot(visitor, "example")
    expect(visitor.answer).to_contain_text("Kazimir Malevich")
    examples.filter(has_text="Mona Lisa").click()
    expect(visitor.field("Title")).to_have_value("Mona Lisa")
    expect(picture).to_have_count(0)
    expect(visitor.page.locator("#credit")).to_be_hidden()
    expect(visitor.resolved.get_by_role("button", name="Fetch its picture")).to_be_visible()


def test_the_picture_is_fetched_and_credited(
    visit: Visit, scripted: Served, portrait: Path, screenshot: Screenshot
) -> None:
    visitor = visit(scripted)
    visitor.fill(title="mona lisa")
    fetch = visitor.resolved.get_by_role("button", name="Fetch its picture")
    fetch.click()
    picture = visitor.page.locator("#picture img")
    expect(picture).to_have_js_property("naturalWidth", 960)
    expect(fetch).to_have_count(0)
    credit = visitor.page.locator("#credit")
    expect(credit).to_contain_text("Mona Lisa.jpg, Leonardo da Vinci, Public domain")
    link = credit.get_by_role("link", name="Mona Lisa.jpg")
    expect(link).to_have_attribute("href", re.compile("^https://commons.wikimedia.org/wiki/File:"))
    screenshot(visitor, "credit")
    visitor.field("Question").fill("Explain the {title} quickly.")
    visitor.button("Explain").click()
    visitor.wait_until_done()
    visitor.page.locator(".used summary").click()
    used = visitor.page.locator(".used")
    expect(used).to_contain_text(
        "Mona Lisa.jpg, Leonardo da Vinci, Public domain, Wikimedia Commons"
    )
    visitor.show(portrait)
    expect(credit).to_be_hidden()


def test_a_picture_that_cannot_be_had(visit: Visit, scripted: Served) -> None:
    """The page says why, the button can be pressed again, and the guide goes on."""
    visitor = visit(scripted)
    visitor.fill(title="the last supper")
    problem = visitor.resolved.locator(".problem")
    for _ in range(2):
        visitor.resolved.get_by_role("button", name="Fetch its picture").click()
        expect(problem).to_contain_text("Away.jpg")
        expect(visitor.resolved.get_by_role("button", name="Fetch its picture")).to_be_enabled()
    visitor.field("Question").fill("Explain the {title} quickly.")
    visitor.button("Explain").click()
    visitor.wait_until_done()
