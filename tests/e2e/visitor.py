"""A visitor of the page: a browser window, and what one does in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, expect

Width = Literal[1400, 390]
Scheme = Literal["light", "dark"]
LOOKS = [(1400, "light"), (390, "dark")]
"""A screen and a phone, each in one of the colour schemes."""
PATIENCE_MS = 60_000
"""How long a page may take for anything; what has to be quick is measured by the benchmarks."""


@dataclass
class Visitor:
    """`complaints` is what the browser's console said, `outside` where requests went."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    @classmethod
    def enter(cls, browser: Browser, url: str, width: Width, scheme: Scheme) -> Visitor:
        phone = width < 500
        context = browser.new_context(
            viewport={"width": width, "height": 844 if phone else 1000},
            color_scheme=scheme,
            device_scale_factor=2 if phone else 1,
            is_mobile=phone,
            has_touch=phone,
        )
        context.set_default_timeout(PATIENCE_MS)
        visitor = cls(context.new_page())
        visitor._listen()
        visitor.page.goto(url)
        expect(visitor.button("Explain")).to_be_enabled()
        # Made one by our own script, which comes a little later.
        expect(visitor.field("Title")).to_be_visible()
        return visitor

    def leave(self) -> None:
        self.page.context.close()

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def field(self, name: str) -> Locator:
        role: Literal["combobox", "textbox"] = "combobox" if name == "Title" else "textbox"
        return self.page.get_by_role(role, name=name)

    def fill(self, title: str = "", artist: str = "", question: str = "") -> None:
        for name, text in (("Title", title), ("Artist", artist), ("Question", question)):
            self.field(name).fill(text)

    def show(self, picture: Path) -> None:
        """Uploads a picture, in place of another if there is one, until it is shown or refused."""
        field = self.page.locator("#picture")
        clear = field.get_by_label("Clear")
        if clear.count():
            clear.click()
        field.locator("input[type=file]").set_input_files(picture)
        expect(field.locator("img").or_(field.get_by_text(picture.name)).first).to_be_visible()

    def explain(self, title: str = "", artist: str = "", question: str = "") -> None:
        self.fill(title, artist, question)
        self.button("Explain").click()

    @property
    def status(self) -> Locator:
        return self.page.locator("#status").get_by_role("status")

    @property
    def answer(self) -> Locator:
        return self.page.locator("#answer .answer-text")

    @property
    def suggestions(self) -> Locator:
        return self.page.get_by_role("option")

    @property
    def resolved(self) -> Locator:
        """What the title stands for, beside the fields."""
        return self.page.locator("#resolved")

    @property
    def work(self) -> Locator:
        return self.page.locator("#work")

    def card(self, number: int) -> Locator:
        return self.page.locator(f"#iterations details[data-key$='-{number}']")

    @property
    def cards(self) -> Locator:
        return self.page.locator("#iterations .cards > li")

    def wait_for(self, status: str) -> None:
        """Waits until the status line has this in it, which has to stay there for a while."""
        expect(self.status).to_contain_text(re.compile(status))

    def wait_until_done(self) -> None:
        self.wait_for("^Done")
        expect(self.button("Explain")).to_be_enabled()

    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        return int(self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))

    def _listen(self) -> None:
        self.page.on("console", self._on_console)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._on_request)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(message.text)

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith(("http://127.0.0.1:", "data:", "blob:")):
            self.outside.append(request.url)


Visit = Callable[..., Visitor]
"""Opens a window on a page; `width` and `scheme` may be given."""

Screenshot = Callable[[Visitor, str], Path]
"""Keeps a picture of a visitor's page under a name."""
