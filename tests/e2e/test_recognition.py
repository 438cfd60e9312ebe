"""A picture without a title: whether the guide knows the work, and what the visitor says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from expartkg.recognition import Encoder, PictureIndex
from expartkg.recognition.opening import own_index
from expartkg.recognition.recogniser import describe
from expartkg.retrieval.opening import open_graph
from tests.e2e.starting import Served
from tests.e2e.test_accessibility import faults
from tests.e2e.visitor import Screenshot, Visit, Visitor
from tests.recognition.distortions import frame, perspective
from tests.recognition.painted import painted

pytestmark = pytest.mark.browser

FIRST_MS = 90_000
PICTURES = {"Q1": 1, "Q7": 2, "Q11": 3, "Q12": 4}
"""Works of the scripted page's graph, and the seeds of their pictures."""


@pytest.fixture(scope="module")
def knowing(scripted: Served, encoder: Encoder) -> Iterator[Served]:
    """The scripted page, with an index of pictures while this module's tests last."""
    cache = scripted.log.parent / "cache"
    file = own_index(cache, open_graph(str(cache / "small.nt")).key, encoder.name)
    entries = [describe(encoder, painted(seed), id, "") for id, seed in PICTURES.items()]
    PictureIndex(encoder.name, entries).save(file)
    yield scripted
    file.unlink()


@pytest.fixture(scope="module")
def photograph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The picture of Q1, framed, on a wall, and seen from the side."""
    random = np.random.default_rng(5)
    path = tmp_path_factory.mktemp("photographs") / "photograph.jpg"
    perspective(frame(painted(1), random), random).save(path, quality=80)
    return path


def panel(visitor: Visitor) -> Locator:
    return visitor.page.locator("#recognition")


def expect_proposal(visitor: Visitor) -> None:
    """The first picture has to wait until torch is there."""
    expect(panel(visitor)).to_contain_text(
        "The picture looks like: Mona Lisa Q1 Leonardo da Vinci", timeout=FIRST_MS
    )


def test_a_photograph_is_recognised_and_the_work_explained(
    visit: Visit, knowing: Served, photograph: Path, portrait: Path, screenshot: Screenshot
) -> None:
    visitor = visit(knowing)
    visitor.show(photograph)
    expect_proposal(visitor)
    expect(panel(visitor)).to_contain_text("details lie just as in the guide’s own picture")
    expect(panel(visitor).get_by_role("link", name="Compare with")).to_have_attribute(
        "href", "https://commons.wikimedia.org/wiki/File:Mona_Lisa.jpg"
    )
    expect(visitor.field("Title")).to_have_value("")
    screenshot(visitor, "recognised")
    assert not faults(visitor)
    panel(visitor).get_by_role("button", name="Use this work").click()
    expect(visitor.field("Title")).to_have_value("Mona Lisa")
    expect(visitor.field("Artist")).to_have_value("Leonardo da Vinci")
    expect(visitor.resolved).to_contain_text("Recognised in the picture: Mona Lisa Q1")
    expect(panel(visitor).get_by_role("button", name="It is another work")).to_be_focused()
    expect(visitor.page.locator("#credit")).to_be_hidden()

    visitor.field("Question").fill("Explain the {title} quickly.")
    visitor.button("Explain").click()
    visitor.wait_until_done()
    expect(visitor.work).to_contain_text("Recognised in the picture: Mona Lisa Q1")
    expect(visitor.card(1)).to_contain_text("Leonardo da Vinci")
    visitor.page.locator(".used summary").click()
    used = visitor.page.locator(".used")
    expect(used).to_contain_text("Mona Lisa (Q1), recognised in the picture")
    expect(used).to_contain_text("uploaded")

    visitor.show(portrait)
    expect(panel(visitor)).to_contain_text("does not recognise this picture; it knows 4 works")
    expect(panel(visitor).get_by_role("button")).to_have_count(0)
    expect(visitor.field("Title")).to_have_value("")
    expect(visitor.field("Artist")).to_have_value("")


def test_a_visitor_who_knows_better_has_the_last_word(
    visit: Visit, knowing: Served, photograph: Path, screenshot: Screenshot
) -> None:
    visitor = visit(knowing, 390, "dark")
    visitor.fill(title="the last supper")
    expect(visitor.resolved).to_contain_text("Found in the graph: The Last Supper Q7")
    visitor.show(photograph)
    expect(visitor.page.get_by_alt_text("The picture of the artwork")).to_be_visible()
    expect(panel(visitor)).to_be_hidden()
    visitor.fill()
    expect_proposal(visitor)
    assert visitor.overflow() <= 0
    assert not faults(visitor)
    screenshot(visitor, "recognised-on-a-phone")

    panel(visitor).get_by_role("button", name="It is another work").click()
    expect(panel(visitor)).to_contain_text("Then type the title, if you know it")
    other = panel(visitor).get_by_role("button").filter(has_text="The Last Supper")
    expect(other).to_be_visible()
    assert visitor.overflow() <= 0
    assert not faults(visitor)
    screenshot(visitor, "refused-on-a-phone")
    other.click()
    expect(visitor.field("Title")).to_have_value("The Last Supper")
    expect(visitor.resolved).to_contain_text("You chose: The Last Supper Q7")
    expect(panel(visitor)).to_be_hidden()
    visitor.fill()
    expect(panel(visitor)).to_contain_text("Then type the title, if you know it")

    visitor.page.get_by_role("button", name="Settings").click()
    visitor.page.get_by_label("Use a recognised work at once").check()
    visitor.show(photograph)
    expect(visitor.resolved).to_contain_text("Recognised in the picture: Mona Lisa Q1")
    panel(visitor).get_by_role("button", name="It is another work").click()
    expect(visitor.field("Title")).to_have_value("")
    expect(visitor.resolved).to_be_hidden()
