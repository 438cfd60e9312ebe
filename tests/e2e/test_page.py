"""What visitors do on the page, in a real browser; the answers come from a script."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.e2e.starting import Served
from tests.e2e.visitor import LOOKS, Scheme, Screenshot, Visit, Width

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_three_rounds(
    visit: Visit,
    scripted: Served,
    portrait: Path,
    screenshot: Screenshot,
    go_on: Path,
    width: Width,
    scheme: Scheme,
) -> None:
    visitor = visit(scripted, width, scheme)
    screenshot(visitor, f"{width}-{scheme}-1-empty")
    visitor.show(portrait)
    expect(visitor.page.get_by_alt_text("The picture of the artwork")).to_be_visible()
    visitor.explain(title="mona lisa", question="Explain the {title}, halting.")
    visitor.wait_for("Iteration 2: writing")
    screenshot(visitor, f"{width}-{scheme}-2-running")
    go_on.touch()
    visitor.wait_until_done()
    screenshot(visitor, f"{width}-{scheme}-3-done")

    expect(visitor.status).to_have_text("Done. The answer of iteration 3 was judged True.")
    expect(visitor.work).to_contain_text("Found in the graph: Mona Lisa Q1 Leonardo da Vinci")
    expect(visitor.answer).to_contain_text("the best known picture of all.")
    expect(visitor.cards).to_have_count(3)
    for number, badge, p in ((1, "False", "0.12"), (2, "False", "0.40"), (3, "True", "0.93")):
        summary = visitor.card(number).locator("> summary")
        expect(summary).to_contain_text(f"Iteration {number}")
        expect(summary.locator(".badge")).to_have_text(badge)
        expect(summary).to_contain_text(f"p = {p}")
    assert visitor.overflow() <= 0


@pytest.mark.parametrize("width", [1400, 390])
def test_ranked_facts(visit: Visit, scripted: Served, width: Width) -> None:
    visitor = visit(scripted, width)
    visitor.explain(title="Mona Lisa", question="Explain the {title} quickly.")
    visitor.wait_until_done()
    row = visitor.card(1).get_by_role("row").filter(has_text="creator")
    expect(row.get_by_role("cell")).to_have_text(
        ["Mona Lisa", "creator", "Leonardo da Vinci", re.compile(r"^\d\.\d{3}$")]
    )
    link = row.get_by_role("link", name="Leonardo da Vinci")
    expect(link).to_have_attribute("href", "entity/Q2")
    expect(link).to_have_attribute("target", "_blank")
    expect(link).to_have_attribute("rel", "noopener noreferrer")
    score = row.locator(".score")
    expect(score).to_have_attribute("title", re.compile(r"^\d\.\d{10,} "))
    box = score.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= width
    expect(visitor.card(1).get_by_role("row")).to_have_count(1 + 5)


def test_the_standard_question_is_shown_before_it_is_asked(visit: Visit, scripted: Served) -> None:
    visitor = visit(scripted)
    question = visitor.field("Question")
    expect(question).to_have_attribute("placeholder", "Explain this artwork.")
    visitor.fill(title="The Kiss", artist="Gustav Klimt")
    expect(question).to_have_attribute(
        "placeholder", 'Explain the artwork "The Kiss" by Gustav Klimt.'
    )


def test_what_was_used_is_shown(visit: Visit, scripted: Served) -> None:
    visitor = visit(scripted)
    visitor.page.get_by_role("button", name="Settings").click()
    visitor.page.get_by_label("PID-QID").check()
    visitor.page.get_by_label("Loop: always all").check()
    visitor.page.get_by_label("number input for Iterations at most").fill("2")
    visitor.explain(title="Mona Lisa", question="Explain the {title} quickly.")
    visitor.wait_until_done()
    expect(visitor.status).to_have_text("Done after all 2 iterations.")
    used = visitor.page.locator(".used")
    used.locator("summary").click()
    for line in ("Methodloop", "Rankingpid-qid", "Iterations at most2", "Graphsmall.nt, 14"):
        expect(used).to_contain_text(line)


def test_settings_go_back_to_the_papers(visit: Visit, scripted: Served) -> None:
    visitor = visit(scripted)
    page = visitor.page
    page.get_by_role("button", name="Settings").click()
    for label in ("PID-QID", "Loop: always all", "Show the judge the facts"):
        page.get_by_label(label).check()
    page.get_by_label("number input for Facts per entity").fill("3")
    page.get_by_role("button", name="Back to the paper's settings").click()
    for label in ("QID: a rare neighbour", "Validate: until an answer", "the answer before"):
        expect(page.get_by_label(label, exact=False).first).to_be_checked()
    expect(page.get_by_label("Show the judge the facts")).not_to_be_checked()
    expect(page.get_by_label("number input for Facts per entity")).to_have_value("10")


def test_a_title_that_the_graph_does_not_know(visit: Visit, scripted: Served) -> None:
    visitor = visit(scripted)
    visitor.explain(title="No such work 123", question="Explain the {title} quickly.")
    visitor.wait_until_done()
    expect(visitor.work).to_contain_text("does not know the title “No such work 123”")
    expect(visitor.card(1)).to_contain_text("No entity of the graph is named there")


def test_a_title_that_two_works_share(visit: Visit, scripted: Served) -> None:
    visitor = visit(scripted)
    visitor.explain(title="the kiss", question="Explain the {title} quickly.")
    visitor.wait_until_done()
    expect(visitor.work).to_contain_text("Found in the graph: The Kiss Q11 Gustav Klimt")
    expect(visitor.work).to_contain_text("one of 2 of this name")
    expect(visitor.card(1)).to_contain_text("one of 2 of this name")
    visitor.explain("the kiss", "Francesco Hayez", "Explain the {title} quickly.")
    expect(visitor.work).to_contain_text("Found in the graph: The Kiss Q12")
    visitor.wait_until_done()


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"no picture at all", "is not a picture that the guide can read"), (b"", "is empty")],
)
def test_a_bad_picture_is_refused_at_its_field(
    visit: Visit, scripted: Served, portrait: Path, tmp_path: Path, content: bytes, said: str
) -> None:
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(content)
    visitor = visit(scripted)
    visitor.show(bad)
    field = visitor.page.locator("#picture")
    expect(field).to_contain_text(f"bad.jpg {said}")
    visitor.explain(question="Explain it quickly.")
    expect(field).to_contain_text(f"bad.jpg {said}")
    expect(visitor.cards).to_have_count(0)
    visitor.show(portrait)
    expect(field).not_to_contain_text("bad.jpg")
    visitor.button("Explain").click()
    visitor.wait_until_done()


def test_a_tiff_is_shown_although_browsers_cannot(
    visit: Visit, scripted: Served, tmp_path: Path
) -> None:
    Image.new("RGB", (90, 60), "#a04030").save(tmp_path / "scan.tif")
    visitor = visit(scripted)
    visitor.show(tmp_path / "scan.tif")
    picture = visitor.page.locator("#picture img")
    expect(picture).to_have_js_property("naturalWidth", 90)


def test_nothing_to_explain(visit: Visit, scripted: Served) -> None:
    visitor = visit(scripted)
    visitor.button("Explain").click()
    expect(visitor.page.locator("#picture")).to_contain_text("Add a picture, or type a title")
    expect(visitor.status).to_contain_text("then press Explain")


def test_a_question_that_cannot_be_filled_in(visit: Visit, scripted: Served) -> None:
    visitor = visit(scripted)
    visitor.explain(question="Who painted {title}?")
    expect(visitor.page.locator("#question")).to_contain_text("{title} in it, but none was given")


def test_stop_keeps_what_was_written(visit: Visit, scripted: Served) -> None:
    visitor = visit(scripted)
    expect(visitor.button("Stop")).to_be_disabled()
    visitor.explain(title="mona lisa", question="Explain the {title} slowly.")
    expect(visitor.answer).to_contain_text("word5")
    expect(visitor.button("Explain")).to_be_disabled()
    visitor.button("Stop").click()
    expect(visitor.status).to_contain_text("Stopped.")
    expect(visitor.answer).to_contain_text("word5")
    expect(visitor.answer).not_to_contain_text("word1999")
    expect(visitor.card(1)).to_contain_text("Stopped here.")
    expect(visitor.button("Explain")).to_be_enabled()
    expect(visitor.button("Stop")).to_be_disabled()


def test_stop_in_the_middle_of_a_long_step(visit: Visit, scripted: Served, go_on: Path) -> None:
    """The page is free before the engine is, and the next run waits for that."""
    visitor = visit(scripted)
    visitor.explain(question="Leave me hanging.")
    expect(visitor.answer).to_contain_text("Before the long step")
    visitor.button("Stop").click()
    expect(visitor.status).to_contain_text("Stopped.")
    expect(visitor.answer).to_contain_text("Before the long step")
    visitor.explain(title="mona lisa", question="Explain the {title} quickly.")
    visitor.wait_for("Waiting: one other explanation comes first")
    go_on.touch()
    visitor.wait_until_done()


def test_an_engine_that_fails(visit: Visit, scripted: Served) -> None:
    visitor = visit(scripted)
    visitor.explain(title="mona lisa", question="Explain the {title}, failing.")
    visitor.wait_for("The model ran out of memory; try a smaller picture.")
    expect(visitor.answer).to_contain_text("is a portrait by Leonardo da Vinci")
    expect(visitor.cards).to_have_count(2)
    expect(visitor.page.get_by_text("Error", exact=True)).to_have_count(0)
    expect(visitor.button("Explain")).to_be_enabled()


def test_cards_stay_as_the_reader_left_them(visit: Visit, scripted: Served, go_on: Path) -> None:
    visitor = visit(scripted)
    visitor.explain(title="mona lisa", question="Explain the {title}, halting.")
    visitor.wait_for("Iteration 2: writing")
    visitor.card(1).locator("> summary").click()
    visitor.card(2).locator("> summary").press("Enter")
    expect(visitor.card(2)).not_to_have_attribute("open", "")
    go_on.touch()
    visitor.wait_until_done()
    expect(visitor.card(1)).to_have_attribute("open", "")
    expect(visitor.card(2)).not_to_have_attribute("open", "")
    expect(visitor.card(3)).to_have_attribute("open", "")


def test_hostile_labels_and_answers_stay_text(visit: Visit, scripted: Served) -> None:
    """That nothing is fetched from outside is checked for every visitor."""
    visitor = visit(scripted)
    visitor.explain(title="the trap <img src=x onerror=document.body.dataset.hacked=9>")
    visitor.wait_until_done()
    visitor.explain(title="the trap", question="Explain the {title}: hostile ${1+1} <b>b</b>.")
    visitor.wait_for("iteration 1")
    visitor.wait_until_done()
    expect(visitor.answer).to_contain_text("<script>document.body.dataset.hacked=3</script>")
    expect(visitor.answer.locator("em")).to_have_text("Emphasis")
    expect(visitor.card(1)).to_contain_text("<img src=x onerror=")
    expect(visitor.card(1)).to_contain_text("${document.body.dataset.hacked=2} {{constructor}}")
    assert visitor.page.evaluate("document.body.dataset.hacked ?? 'no'") == "no"
    assert visitor.page.locator("#results img, #results script").count() == 0


def test_two_visitors_wait_for_each_other_and_see_their_own(visit: Visit, scripted: Served) -> None:
    anna, ben = visit(scripted), visit(scripted, 390, "dark")
    anna.explain(title="mona lisa", question="Explain the {title} slowly.")
    expect(anna.answer).to_contain_text("word3")
    ben.explain(title="the kiss", question="Explain the {title} quickly.")
    ben.wait_for("Waiting: one other explanation comes first")
    expect(ben.page.locator("#answer")).not_to_contain_text(re.compile(r"word\d"))
    anna.button("Stop").click()
    ben.wait_until_done()
    expect(ben.work).to_contain_text("The Kiss")
    expect(ben.page.locator("#answer")).not_to_contain_text(re.compile(r"word\d"))
    expect(anna.status).to_contain_text("Stopped.")
    expect(anna.work).to_contain_text("Mona Lisa")
    expect(anna.page.locator("#results")).not_to_contain_text("The Kiss")


@pytest.mark.parametrize("way", ["close", "reload"])
def test_who_leaves_gives_the_engine_free(visit: Visit, scripted: Served, way: str) -> None:
    """Long before the answer would have been complete, which takes minutes."""
    anna, ben = visit(scripted), visit(scripted)
    anna.explain(title="mona lisa", question="Explain the {title} slowly.")
    expect(anna.answer).to_contain_text("word3")
    ben.explain(title="mona lisa", question="Explain the {title} quickly.")
    ben.wait_for("Waiting")
    if way == "close":
        anna.page.close()
    else:
        anna.page.reload()
        anna.complaints.clear()  # gradio's own script complains that its stream was cut
    ben.wait_until_done()


def test_stop_while_waiting(visit: Visit, scripted: Served) -> None:
    anna, ben = visit(scripted), visit(scripted)
    anna.explain(title="mona lisa", question="Explain the {title} slowly.")
    expect(anna.answer).to_contain_text("word3")
    ben.explain(title="mona lisa", question="Explain the {title} quickly.")
    ben.wait_for("Waiting")
    ben.button("Stop").click()
    ben.wait_for("Stopped")
    expect(anna.status).to_contain_text("writing")
    anna.button("Stop").click()
    anna.wait_for("Stopped")


def test_the_server_asks_nobody_outside(scripted: Served) -> None:
    """Last in this file: by now the server has done all that it does."""
    assert "OUTSIDE" not in scripted.log.read_text()
