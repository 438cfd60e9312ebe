"""What visitors do with an explanation: keep it, open one, compare, change, and many at once."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Download, expect

from tests.e2e.starting import Served
from tests.e2e.test_accessibility import faults
from tests.e2e.visitor import Scheme, Screenshot, Visit, Visitor, Width

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


def drawn(visitor: Visitor) -> list[str]:
    """Answer and cards as the page has them, but for the key that tells runs from one another."""
    parts: list[str] = visitor.page.locator(
        "#answer .answer-text, #iterations .cards, #iterations .used"
    ).evaluate_all("all => all.map((one) => one.outerHTML)")
    return [re.sub(r'data-key="[0-9a-f]+-', 'data-key="', part) for part in parts]


def test_an_explanation_is_kept_and_opened_again_as_it_was(
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
    other.page.get_by_role("button", name="Las Meninas").click()
    expect(other.cards).to_have_count(3)
    expect(other.work).to_contain_text("made by the engine “preview”")
    assert other.overflow() <= 0

    other.page.goto(scripted.url + str(address))
    expect(other.field("Title")).to_have_value("Mona Lisa")
    expect(other.field("Question")).to_have_value("Explain the mona lisa quickly.")
    expect(other.resolved).to_contain_text("You chose: Mona Lisa Q1")


def test_saved_files_of_others_stay_inert_or_are_refused(
    visit: Visit, scripted: Served, tmp_path: Path, root: Path
) -> None:
    document = json.loads((root / "assets/runs/mona-lisa.json").read_text(encoding="utf-8"))
    text = json.dumps(document).replace("Leonardo da Vinci", HOSTILE.replace('"', '\\"'))
    hostile, bad = tmp_path / "hostile.json", tmp_path / "bad.json"
    hostile.write_text(text, encoding="utf-8")
    bad.write_text('{"schema": 1, "iterations": [', encoding="utf-8")
    visitor = visit(scripted)
    section(visitor, "Open a saved explanation")
    open_file(visitor, bad)
    expect(visitor.status).to_contain_text("The file is not an exported Run")
    document["support"] = []
    hostile.write_text(
        json.dumps(document).replace("Leonardo da Vinci", HOSTILE.replace('"', '\\"')),
        encoding="utf-8",
    )
    open_file(visitor, hostile)
    expect(visitor.card(1)).to_contain_text('onerror="document.body')
    expect(visitor.page.locator("#keep").get_by_role("link")).to_have_count(4)
    assert visitor.page.evaluate("document.body.dataset.hacked ?? 'no'") == "no"
    assert visitor.page.locator("#results img").count() == 0


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

    visitor.button("Run again").click()
    expect(page.locator("#steer-problem")).to_contain_text("Nothing is changed yet")
    page.get_by_label("Iteration 1").check()
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


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (390, "dark")])
def test_two_ways_are_compared(
    visit: Visit, scripted: Served, screenshot: Screenshot, width: Width, scheme: Scheme
) -> None:
    visitor = visit(scripted, width, scheme)
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
    boxes = [side.bounding_box() for side in (left, right)]
    assert boxes[0]
    assert boxes[1]
    assert (boxes[0]["y"] == boxes[1]["y"]) == (width == 1400)
    assert visitor.overflow() <= 0
    assert "Mona Lisa" in Path(download(visitor, "Both as HTML").path()).read_text(encoding="utf-8")
    for name in ("Open a saved explanation", "Many works at once"):
        section(visitor, name)
    expect(visitor.button("Explain all")).to_be_visible()
    screenshot(visitor, f"compare-{width}-{scheme}")
    assert not faults(visitor), "with the tools open"


def test_stop_ends_a_comparison(visit: Visit, scripted: Served) -> None:
    visitor = visit(scripted)
    section(visitor, "Compare two ways")
    visitor.fill(title="mona lisa", question="Explain the {title} slowly.")
    visitor.button("Compare").click()
    expect(visitor.page.locator("#compare-status")).to_contain_text("The first of two: Iteration 1")
    visitor.button("Stop comparing").click()
    expect(visitor.page.locator("#compare-status")).to_contain_text("Stopped.")
    expect(visitor.button("Compare")).to_be_enabled()


def test_a_table_of_works(visit: Visit, scripted: Served, tmp_path: Path) -> None:
    table = tmp_path / "works.csv"
    table.write_text("Title;Image\nMona Lisa;\n;C:\\art\\photo.png\nx;gone.png\n", encoding="utf-8")
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
    expect(status).to_contain_text("2 of 2 works are explained.")
    results = page.locator("#many-results")
    expect(results).to_contain_text("Line 4 is left out: there is no image gone.png among the")
    expect(results.locator("details")).to_have_count(2)
    with zipfile.ZipFile(download(visitor, "Download all").path()) as archive:
        names = archive.namelist()
    assert "explanations/report.html" in names
    assert len(names) == 5

    visitor.button("Explain all").click()
    expect(status).to_contain_text("2 of 2: photo.png")
    visitor.button("Stop explaining").click()
    expect(status).to_contain_text("Stopped. What is finished is kept: 1 of 2 works.")
