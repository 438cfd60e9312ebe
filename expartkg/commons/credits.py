"""The credit of a file, read from the metadata that Commons gathers from its description page.

The values are HTML that anybody may write (https://www.mediawiki.org/wiki/Extension:CommonsMetadata),
so they are reduced to text here and nowhere shown as they came.
"""

from __future__ import annotations

import re
import textwrap
from html.parser import HTMLParser

from expartkg.commons.addresses import file_page
from expartkg.commons.records import Credit

FIELDS = ("Artist", "Attribution", "LicenseShortName", "LicenseUrl")
MAX_TEXT = 300

_VOID = frozenset({"br", "hr", "img", "input", "link", "meta", "wbr"})
_BLOCKS = frozenset({"dd", "div", "dl", "dt", "li", "ol", "p", "table", "td", "th", "tr", "ul"})
_HIDING = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_NO_CHARACTERS = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_WEB_ADDRESS = re.compile(r"https?://[^\s<>\"']+", re.IGNORECASE)


def read_credit(name: str, metadata: object) -> Credit:
    """The credit of the file `name` from its `extmetadata`; fields that are missing are None."""
    artist, attribution, licence, address = (_text(metadata, field) for field in FIELDS)
    return Credit(
        file=name,
        page=file_page(name),
        author=artist or attribution,
        licence=licence,
        licence_url=address if address and _WEB_ADDRESS.fullmatch(address) else None,
    )


def plain_text(html: str) -> str:
    """The text of HTML in one line of at most `MAX_TEXT` characters, without what it hides."""
    parser = _Text()
    parser.feed(html)
    parser.close()
    text = _NO_CHARACTERS.sub(" ", "".join(parser.pieces))
    return textwrap.shorten(text, MAX_TEXT, placeholder=" …")


def _text(metadata: object, field: str) -> str | None:
    entry = metadata.get(field) if isinstance(metadata, dict) else None
    value = entry.get("value") if isinstance(entry, dict) else None
    return (plain_text(value) or None) if isinstance(value, str) else None


class _Text(HTMLParser):
    """Collects text; tags that break a line become a blank."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._hidden: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _VOID:
            self._break()
        elif self._hidden or _hides(tag, dict(attrs)):
            self._hidden.append(tag)
        elif tag in _BLOCKS:
            self._break()

    def handle_endtag(self, tag: str) -> None:
        if tag in self._hidden:
            while self._hidden.pop() != tag:
                continue
        elif tag in _BLOCKS:
            self._break()

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.pieces.append(data)

    def _break(self) -> None:
        if not self._hidden:
            self.pieces.append(" ")


def _hides(tag: str, attributes: dict[str, str | None]) -> bool:
    """Commons repeats names for machines in hidden elements ("UnknownUnknown author")."""
    return tag in ("script", "style") or bool(_HIDING.search(attributes.get("style") or ""))
