"""Pages are started once for all tests, and every test gets browser windows of its own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, expect, sync_playwright

from tests.e2e.starting import ROOT, Served, free_port, served
from tests.e2e.visitor import PATIENCE_MS, Scheme, Screenshot, Visit, Visitor, Width

SCREENSHOTS = ROOT / "tests" / "e2e" / "screenshots"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
)
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The first is Chromium without its windows, which takes half the processor time."""
REFUSED = "422"
"""The browser reports it when the page refuses a field, which is no fault."""

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """For a module and no longer: while Playwright runs, nothing else can run an event loop."""
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    if chromium is None:
        reason = "there is no chromium on the PATH, which these tests drive"
        if os.environ.get("EXPARTKG_REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def scripted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The page with scripted answers: see `serve_scripted.py`."""
    port = free_port()
    log = tmp_path_factory.mktemp("scripted") / "log"
    with served(["tests/e2e/serve_scripted.py", str(port)], log, port) as page:
        yield page


@pytest.fixture
def go_on(scripted: Served) -> Iterator[Path]:
    """The file at whose appearance a script that waits goes on."""
    gate = scripted.log.with_name("go-on")
    yield gate
    gate.unlink(missing_ok=True)


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The page as everybody starts it, with the preview engine and the shipped graph."""
    with served(["app.py"], tmp_path_factory.mktemp("app") / "log", free_port()) as page:
        yield page


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """Opens windows, closes them, and sees to it that nothing went wrong in any of them."""
    visitors: list[Visitor] = []

    def enter(page: Served, width: Width = 1400, scheme: Scheme = "light") -> Visitor:
        visitors.append(Visitor.enter(browser, page.url, width, scheme))
        return visitors[-1]

    yield enter
    for visitor in visitors:
        visitor.leave()
    for visitor in visitors:
        assert not visitor.outside
        assert not [text for text in visitor.complaints if REFUSED not in text]


@pytest.fixture
def screenshot() -> Screenshot:
    """Keeps a picture of the whole page in a folder that git ignores."""

    def keep(visitor: Visitor, name: str) -> Path:
        SCREENSHOTS.mkdir(exist_ok=True)
        path = SCREENSHOTS / f"{name}.png"
        visitor.page.screenshot(path=path, full_page=True)
        return path

    return keep


@pytest.fixture(scope="session")
def portrait(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture of our own: somebody before a landscape, in a dozen shapes."""
    picture = Image.new("RGB", (480, 640), "#8a9a86")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, 480, 250), fill="#b9b48c")
    draw.polygon([(0, 250), (110, 130), (190, 260)], fill="#7c8f8d")
    draw.polygon([(300, 260), (400, 110), (480, 240)], fill="#6f8481")
    draw.line([(30, 400), (110, 330), (70, 290), (140, 255)], fill="#c8b98a", width=14)
    draw.ellipse((40, 380, 440, 860), fill="#3b3326")
    draw.ellipse((150, 90, 330, 390), fill="#2c2219")
    draw.ellipse((178, 125, 302, 305), fill="#d9b98a")
    draw.polygon([(205, 285), (275, 285), (310, 420), (170, 420)], fill="#d3b080")
    draw.arc((218, 235, 262, 268), 20, 160, fill="#8a5a44", width=4)
    for x in (208, 256):
        draw.ellipse((x, 195, x + 18, 205), fill="#3a2a1e")
    draw.ellipse((150, 520, 330, 600), fill="#cfa877")
    path = tmp_path_factory.mktemp("pictures") / "portrait.png"
    picture.save(path)
    return path
