"""What visitors do with an explanation: keep it, open one, compare, change, and many at once."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Download, Locator, expect

from tests.e2e.starting import Served
from tests.e2e.test_accessibility import faults
from tests.e2e.visitor import Screenshot, Visit, Visitor

pytestmark = pytest.mark.browser

HOSTILE = '<img src="http://outside.test/x" onerror="document.body.dataset.hacked=7">'


def section(visitor: Visitor, name: str) -> None:
    visitor.page.get_by_role("button", name=name).click()


def download(visitor: Visitor, link: str) -> Download:
    with visitor.page.expect_download() as started:
        visitor.page.get_by_role("link", name=link).click()
    return started.value


def open_file(visitor: Visitor, file: Path) -> None:
    with visitor.page.expect_file_chooser() as chooser:
        visitor.page.get_by_role("button", name="Open a .json").click()
    chooser.value.set_files(file)


def drawn(visitor: Visitor) -> str:
    """Answer and cards as the page has them, but for the key that tells runs from one another."""
    parts: list[str] = visitor.page.locator(
        "#answer .answer-text, #iterations .cards, #iterations .used"
    ).evaluate_all("all => all.map((one) => one.outerHTML)")
    html = "\n".join(parts)
    key = re.search(r'data-key="([0-9a-f]{8})-', html)
    assert key
    return html.replace(key[1], "key")


def open_files_of_others(visitor: Visitor, document: dict[str, Any], folder: Path) -> None:
    """One that is refused, and one that has markup wherever an artist is named."""
    bad, hostile = folder / "bad.json", folder / "hostile.json"
    bad.write_text('{"schema": 1, "iterations": [', encoding="utf-8")
    open_file(visitor, bad)
    expect(visitor.status).to_contain_text("The file is not an exported Run")
    # Its sentences would not be where they were in the answer.
    text = json.dumps({**document, "support": []})
    artist = json.dumps(HOSTILE)[1:-1]
    hostile.write_text(text.replace("Leonardo da Vinci", artist), encoding="utf-8")
    open_file(visitor, hostile)
    expect(visitor.card(1)).to_contain_text('onerror="document.body')
    expect(visitor.page.locator("#keep").get_by_role("link")).to_have_count(4)
    assert visitor.page.evaluate("document.body.dataset.hacked ?? 'no'") == "no"
    assert visitor.page.locator("#results img").count() == 0


def test_an_explanation_is_kept_and_opened_again_as_it_was_and_files_of_others_stay_inert(
    visit: Visit, scripted: Served, portrait: Path, tmp_path: Path, screenshot: Screenshot
) -> None:
    visitor = visit(scripted)
    visitor.show(portrait)
    expect(visitor.page.get_by_alt_text("The picture of the artwork")).to_be_visible()
    visitor.explain(title="mona lisa", question="Explain the {title} quickly.")
    visitor.wait_until_done()
    keep = visitor.page.locator("#keep")
    expect(keep.get_by_role("link")).to_have_count(4)
    screenshot(visitor, "keep")
    assert download(visitor, "Markdown").suggested_filename == "mona-lisa.md"
    page = Path(download(visitor, "HTML").path()).read_text(encoding="utf-8")
    assert 'src="data:image/jpeg;base64,' in page
    saved = tmp_path / "saved.json"
    download(visitor, "JSON").save_as(saved)
    before = drawn(visitor)
    address = keep.get_by_role("link", name="Link to this work").get_attribute("href")

    other = visit(scripted, 390, "dark")
    section(other, "Open a saved explanation")
    open_file(other, saved)
    expect(other.work).to_contain_text("made by the engine “scripted” with the graph “small.nt”")
    expect(other.work).to_contain_text("Its picture is not in the file.")
    expect(other.status).to_contain_text("judged True")
    assert drawn(other) == before
    open_files_of_others(other, json.loads(saved.read_text(encoding="utf-8")), tmp_path)
    other.page.get_by_role("button", name="Las Meninas").click()
    expect(other.cards).to_have_count(3)
    expect(other.work).to_contain_text("made by the engine “preview”")
    assert other.overflow() <= 0

    other.page.goto(scripted.url + str(address))
    expect(other.field("Title")).to_have_value("Mona Lisa")
    expect(other.field("Question")).to_have_value("Explain the mona lisa quickly.")
    expect(other.resolved).to_contain_text("You chose: Mona Lisa Q1")


def test_a_link_that_is_partly_wrong_in_japanese(visit: Visit, scripted: Served) -> None:
    visitor = visit(scripted)
    visitor.page.goto(scripted.url + "ja?artwork=Q7&ranking=bm25&method=loop&max-iterations=2")
    expect(visitor.page.get_by_role("combobox", name="作品名")).to_have_value("The Last Supper")
    expect(visitor.status).to_contain_text("無視します：ranking=bm25")
    visitor.page.get_by_role("button", name="設定").first.click()
    expect(visitor.page.get_by_label("QID", exact=False).first).to_be_checked()
    expect(visitor.page.locator("#settings input[type=number]").first).to_have_value("2")


def test_a_finished_explanation_is_changed_and_run_again(
    visit: Visit, scripted: Served, screenshot: Screenshot
) -> None:
    visitor = visit(scripted)
    page = visitor.page
    visitor.explain(title="mona lisa")
    visitor.wait_until_done()
    section(visitor, "Change something and run again")
    page.get_by_label("Iteration 2").check()
    steering = page.locator("#steering")
    expect(steering.get_by_label("The Last Supper (Q7)")).to_have_count(0)
    steering.get_by_label("Mona Lisa – collection – Louvre Museum").uncheck()
    visitor.button("Run again").click()
    visitor.wait_until_done()
    changes = page.locator(".interventions")
    expect(changes).to_contain_text("From iteration 2 on: facts left out: Mona Lisa – collection")
    visitor.card(2).locator("summary").first.click()
    expect(visitor.card(2)).not_to_contain_text("Louvre Museum")

    # The fields are those of the new explanation a moment after it is there.
    expect(steering.get_by_label("Mona Lisa – collection – Louvre Museum")).to_have_count(0)
    visitor.button("Run again").click()
    expect(page.locator("#steer-problem")).to_contain_text("Nothing is changed yet")
    page.get_by_label("Iteration 1").check()
    expect(steering.get_by_label("Mona Lisa – collection – Louvre Museum")).to_be_visible()
    expect(page.locator("#steer-problem")).to_contain_text("Nothing is changed yet")
    adding = page.get_by_role("combobox", name="Add an entity")
    adding.press_sequentially("last sup")
    visitor.suggestions.first.click()
    expect(steering.get_by_label("The Last Supper (Q7)").last).to_be_checked()
    adding.fill("louvre museum")
    adding.press("Enter")
    expect(steering.get_by_label("Louvre Museum (Q3)")).to_be_checked()
    page.get_by_label("What is asked from there on").fill("Explain it quickly.")
    screenshot(visitor, "steer")
    visitor.button("Run again").click()
    expect(changes).to_contain_text("entities added: The Last Supper, Louvre Museum")
    expect(changes).to_contain_text("question: “Explain it quickly.”")
    expect(visitor.cards).to_have_count(1)


def test_two_ways_are_compared_and_a_comparison_is_stopped(
    visit: Visit, scripted: Served, screenshot: Screenshot
) -> None:
    visitor = visit(scripted)
    page = visitor.page
    section(visitor, "Compare two ways")
    status = page.locator("#compare-status")
    visitor.button("Compare").click()
    expect(status).to_contain_text("Add a picture, or type a title or a question.")
    visitor.fill(title="mona lisa")
    visitor.button("Compare").click()
    expect(status).to_contain_text("Done. Words and facts that only one of them has")
    left, right = page.locator(".side").all()
    expect(left).to_contain_text("Mona Lisa – collection – Louvre Museum")
    expect(left.locator("mark").last).to_contain_text("picture of all.")
    expect(right).to_contain_text("written without the graph")
    expect(right.locator("mark").last).to_contain_text("poplar panel.")
    assert "Mona Lisa" in Path(download(visitor, "Both as HTML").path()).read_text(encoding="utf-8")
    for name in ("Open a saved explanation", "Many works at once"):
        section(visitor, name)
    expect(visitor.button("Explain all")).to_be_visible()
    assert are_in_one_row(left, right)
    look(visitor, screenshot, "compare-1400-light")

    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark")
    assert not are_in_one_row(left, right)
    look(visitor, screenshot, "compare-390-dark")

    visitor.fill(title="mona lisa", question="Explain the {title} slowly.")
    visitor.button("Compare").click()
    expect(status).to_contain_text("The first of two: Iteration 1")
    visitor.button("Stop comparing").click()
    expect(status).to_contain_text("Stopped.")
    expect(visitor.button("Compare")).to_be_enabled()


def are_in_one_row(left: Locator, right: Locator) -> bool:
    boxes = left.bounding_box(), right.bounding_box()
    assert boxes[0]
    assert boxes[1]
    return boxes[0]["y"] == boxes[1]["y"]


def look(visitor: Visitor, screenshot: Screenshot, name: str) -> None:
    assert visitor.overflow() <= 0
    screenshot(visitor, name)
    assert not faults(visitor), f"with the tools open: {name}"


def test_a_table_of_works(visit: Visit, scripted: Served, go_on: Path, tmp_path: Path) -> None:
    table = tmp_path / "works.csv"
    table.write_text(
        "Title;Image\nMona Lisa;\nhalting;C:\\art\\photo.png\nx;gone.png\n", encoding="utf-8"
    )
    Image.new("RGB", (80, 60), "teal").save(tmp_path / "photo.png")
    visitor = visit(scripted)
    page = visitor.page
    section(visitor, "Many works at once")
    status = page.locator("#many-status")
    visitor.button("Explain all").click()
    expect(status).to_contain_text("Add a table that ends in .csv")
    page.locator("#many input[type=file]").set_input_files([table, tmp_path / "photo.png"])
    expect(page.locator("#many")).to_contain_text("photo")
    visitor.button("Explain all").click()
    expect(status).to_contain_text("2 of 2: halting. Iteration 2")
    visitor.button("Stop explaining").click()
    expect(status).to_contain_text("Stopped. What is finished is kept: 1 of 2 works.")

    go_on.touch()
    visitor.button("Explain all").click()
    expect(status).to_contain_text("2 of 2 works are explained.")
    results = page.locator("#many-results")
    expect(results).to_contain_text("Line 4 is left out: there is no image gone.png among the")
    expect(results.locator("details")).to_have_count(2)
    with zipfile.ZipFile(download(visitor, "Download all").path()) as archive:
        names = archive.namelist()
    assert "explanations/report.html" in names
    assert len(names) == 5
