"""What a page is made of, and what it says, as a browser would read it."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "expartkg"
VOID = frozenset("br hr img input link meta".split())
_TAG = re.compile(r"<([a-z][a-z0-9]*)")
_ATTRIBUTE = re.compile(r"[\s\"]([a-zA-Z][a-zA-Z-]*)(?==\"|[>{\s])")
_DROPPED = str.maketrans(
    "\ue000\ue001\x00",
    "\ufffd\ufffd\ufffd",
    "*✓○≠\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
)
HARMLESS = re.compile(r"https?://|[./?#]|data:image/jpeg;|runs/|(ja/)?entity/[^/]+\Z")


class Page(HTMLParser):
    """HTML, read. Asserts that elements are closed in their order, and that addresses are none
    that run something.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self._said: list[str] = []
        self.names: set[str] = set()
        self.links: set[str] = set()
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert not self._open, self._open

    @property
    def said(self) -> str:
        return "".join(self._said)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open += [] if tag in VOID else [tag]
        self.handle_startendtag(tag, attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names |= {tag, *(name for name, _ in attrs)}
        assert tag != "script" or [name for name, _ in attrs] == ["src", "defer"]
        for name, value in attrs:
            if name in ("href", "src", "action"):
                assert HARMLESS.match(value or ""), value
                self.links.add(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self._open
        assert (opened := self._open.pop()) == tag, opened

    def handle_data(self, data: str) -> None:
        self._said.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"no template has a comment: {data!r}")


@cache
def names_in_templates() -> frozenset[str]:
    """All elements and attributes that some template has, and those of emphasis."""
    found = {"strong", "em"}
    for template in PACKAGE.rglob("templates/*.html"):
        source = re.sub(r"\{#.*?#\}", "", template.read_text(encoding="utf-8"), flags=re.DOTALL)
        found.update(_TAG.findall(source))
        for tag in re.findall(r"<[a-z][^<]*?>", re.sub(r"\{\{.*?\}\}", "", source)):
            found.update(name.lower() for name in _ATTRIBUTE.findall(tag))
    return frozenset(found)


def read(html: str) -> Page:
    """The page, all of whose elements and attributes are of our own templates."""
    page = Page(html)
    assert page.names <= names_in_templates(), page.names - names_in_templates()
    return page


def squeezed(text: str) -> str:
    """A text as pages have it, without white space and without marks of emphasis and sentences."""
    sendable = text.encode("utf-8", "replace").decode("utf-8")
    return "".join(sendable.split()).translate(_DROPPED)
