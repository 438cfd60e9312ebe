"""The page in another language."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.starting import Served
from tests.e2e.visitor import Screenshot, Visit, Width

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [1400, 390])
def test_the_page_in_japanese(
    visit: Visit, app: Served, screenshot: Screenshot, width: Width
) -> None:
    visitor = visit(app, width)
    page = visitor.page
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_role("link", name="日本語").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    expect(page.get_by_role("heading", level=1)).to_have_text("ExpArt-KG 美術館ガイド")
    page.get_by_role("combobox", name="作品名").fill("mona lisa")
    expect(visitor.resolved).to_contain_text("グラフで見つかった作品： Mona Lisa Q12418")
    visitor.button("解説する").click()
    visitor.wait_for("^完了")
    expect(visitor.card(1)).to_contain_text("順位づけられた事実")
    expect(visitor.card(1).get_by_role("row").filter(has_text="creator")).to_contain_text(
        "Leonardo da Vinci"
    )
    screenshot(visitor, f"japanese-{width}")
    assert visitor.overflow() <= 0
    page.get_by_role("link", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("ExpArt-KG museum guide")
    expect(page.locator("html")).to_have_attribute("lang", "en")
