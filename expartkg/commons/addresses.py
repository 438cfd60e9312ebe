"""Which file an address means, at which widths there are thumbnails, which hosts are Wikimedia's.

Nothing here makes a request.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from urllib.parse import quote, unquote, urlsplit

from expartkg.errors import CommonsError, UsageError

WIDTHS = (20, 40, 60, 120, 250, 330, 500, 960, 1280, 1920, 3840)
"""The only thumbnail widths, in pixels, that Wikimedia serves; it refuses all others.

Source: https://www.mediawiki.org/wiki/Common_thumbnail_sizes
"""

API = "https://commons.wikimedia.org/w/api.php"

ORIGINS = frozenset(
    {
        "https://commons.wikimedia.org",
        "https://upload.wikimedia.org",
        # where thumbnails moved in the summer of 2026; originals stayed where they were
        "https://thumb.wikimedia.org",
    }
)
"""The only places that anything is ever fetched from."""

COMMONS_HOST = "commons.wikimedia.org"
MAX_NAME_BYTES = 240

_FILE_PATH = re.compile(r"/wiki/(?:Special:FilePath/|File:)(.+)", re.IGNORECASE | re.DOTALL)
_NEVER_IN_A_NAME = re.compile(r"[#<>\[\]|{}/\\:\x00-\x1f\x7f\ud800-\udfff]")


def file_name(address: str) -> str:
    """The name of the file that is meant, with blanks for underscores.

    `address` is a graph's P18 value (`http://commons.wikimedia.org/wiki/Special:FilePath/NAME`),
    the page of a file (`…/wiki/File:NAME`), or the name itself. Raises `CommonsError` for anything
    else, and for an address on any other host.
    """
    given = address.strip()
    is_address = "://" in given or given.startswith("//")
    raw = _name_in(given) if is_address else given.removeprefix("File:")
    name = " ".join(unicodedata.normalize("NFC", raw).replace("_", " ").split())
    if not name or _NEVER_IN_A_NAME.search(name) or len(name.encode()) > MAX_NAME_BYTES:
        raise _not_a_file(address)
    return name


def file_page(name: str) -> str:
    """The address of the page that describes a file."""
    return f"https://{COMMONS_HOST}/wiki/File:{quote(name.replace(' ', '_'), safe='(),!*')}"


def served_width(asked: int) -> int:
    """The narrowest of `WIDTHS` that is at least `asked` pixels; the widest of all for more.

    Raises `UsageError` below 1.
    """
    if asked < 1:
        raise UsageError(f"The width of a picture must be 1 pixel or more, not {asked}.")
    return next((width for width in WIDTHS if width >= asked), WIDTHS[-1])


def narrower_than(width: int) -> int | None:
    """The widest of `WIDTHS` below `width` pixels; None if there is none."""
    return max((served for served in WIDTHS if served < width), default=None)


def _name_in(address: str) -> str:
    try:
        parts = urlsplit(address)
        path = unquote(parts.path, errors="strict")
    except ValueError as error:
        raise _not_a_file(address) from error
    if parts.scheme not in ("http", "https") or parts.netloc.lower() != COMMONS_HOST:
        raise CommonsError(
            f"{_short(address)} is not on {COMMONS_HOST}, and pictures of works are fetched from "
            "there only; download it yourself and add it as a file."
        )
    found = _FILE_PATH.fullmatch(path)
    if found is None:
        raise _not_a_file(address)
    return found[1]


def _not_a_file(address: str) -> CommonsError:
    return CommonsError(
        f"{_short(address)} names no file on Wikimedia Commons; "
        "give an address such as https://commons.wikimedia.org/wiki/File:Mona_Lisa.jpg."
    )


def _short(address: str) -> str:
    printable = "".join(char if char.isprintable() else "?" for char in address)
    return f"“{textwrap.shorten(printable, 120, placeholder='…')}”"
