"""What Commons says of a file: the query, and its answer read with suspicion.

Source: https://www.mediawiki.org/wiki/API:Imageinfo
"""

from __future__ import annotations

import json
import math
import re
import textwrap
from dataclasses import dataclass
from urllib.parse import unquote, urlencode, urlsplit

from expartkg.commons.addresses import WIDTHS, file_name, narrower_than, served_width
from expartkg.commons.credits import FIELDS, read_credit
from expartkg.commons.records import Credit
from expartkg.errors import CommonsError
from expartkg.pictures import MAX_BYTES, MIN_SIDE

KINDS = ("application/json",)
MAX_ANSWER_BYTES = 2**20

# "960px-Name.jpg", "lossy-page1-960px-Name.tif.jpg", "langen-960px-Name.svg.png"
_DRAWN = re.compile(r"(?:[a-z]+[0-9]*-)*?([0-9]{1,6})px-")


@dataclass(frozen=True, slots=True)
class Listing:
    """Where the picture of a file is, at the width that was asked for or near it.

    `drawn` is the width, in pixels, at which Wikimedia draws that picture; None where it is the
    uploaded file itself, of `width` × `height` pixels and `size` bytes.
    """

    address: str
    credit: Credit
    drawn: int | None
    width: int
    height: int
    size: int

    @property
    def better_width(self) -> int | None:
        """Another width to ask for, where this picture is none that can be had or opened.

        MediaWiki never enlarges: what would be wider than the uploaded file is that file itself,
        however many bytes it has, or, if browsers cannot show its format (TIFF, PDF), is drawn at
        the file's own width, which is none that Wikimedia serves.
        """
        if self.drawn is None:
            return narrower_than(self.width) if self.size > MAX_BYTES else None
        if self.drawn not in WIDTHS:
            return narrower_than(self.drawn)
        least = math.ceil(MIN_SIDE * max(self.width / self.height, 1.0))
        return served_width(least) if self.drawn < least else None


def listing_address(api: str, name: str, width: int) -> str:
    """The address that answers with the listing of a file."""
    query = {
        "action": "query",
        "format": "json",
        "formatversion": "2",
        "prop": "imageinfo",
        "titles": f"File:{name}",
        "redirects": "1",
        "iiprop": "url|size|extmetadata",
        "iiurlwidth": str(width),
        "iiextmetadatafilter": "|".join(FIELDS),
        "iiextmetadatalanguage": "en",
    }
    return f"{api}?{urlencode(query)}"


def read_listing(content: bytes, name: str) -> Listing:
    """The listing of the file `name` from the API's answer.

    Raises `CommonsError` where there is no such file, no picture of it, or no sense in the answer.
    """
    page = _page(content)
    if page.get("invalid"):
        raise CommonsError(f"“{name}” cannot be the name of a file on Wikimedia Commons; check it.")
    info = _first(page.get("imageinfo"))
    if not info or info.get("filemissing") or info.get("filehidden"):
        raise CommonsError(
            f"Wikimedia Commons has no file “{name}” (any more); it may have been renamed or "
            "deleted. Add a picture of your own."
        )
    if not isinstance(info.get("thumburl"), str):
        raise CommonsError(
            f"Wikimedia Commons has no thumbnail of “{name}”; add a picture of your own."
        )
    return _listing(page, info)


def _page(content: bytes) -> dict[str, object]:
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise _senseless() from error
    if not isinstance(answer, dict):
        raise _senseless()
    if isinstance(fault := answer.get("error"), dict):
        info = textwrap.shorten(str(fault.get("info", fault.get("code"))), 200, placeholder=" …")
        raise CommonsError(
            f"Wikimedia Commons could not answer ({info}); "
            "try again later, or add a picture of your own."
        )
    query = answer.get("query")
    page = _first(query.get("pages")) if isinstance(query, dict) else None
    if page is None:
        raise _senseless()
    return page


def _first(entries: object) -> dict[str, object] | None:
    found = entries[0] if isinstance(entries, list) and entries else None
    return found if isinstance(found, dict) else None


def _listing(page: dict[str, object], info: dict[str, object]) -> Listing:
    title, address, original = page.get("title"), info.get("thumburl"), info.get("url")
    width, height, size = info.get("width"), info.get("height"), info.get("size")
    if not (isinstance(title, str) and isinstance(address, str) and isinstance(original, str)):
        raise _senseless()
    if not (isinstance(width, int) and isinstance(height, int) and isinstance(size, int)):
        raise _senseless()
    if width < 1 or height < 1:
        raise _senseless()
    credit = read_credit(file_name(title), info.get("extmetadata"))
    return Listing(address, credit, _drawn_width(address, original), width, height, size)


def _drawn_width(address: str, original: str) -> int | None:
    """The width in a thumbnail's address; `thumbwidth` only repeats the width asked for."""
    try:
        path, original_path = urlsplit(address).path, urlsplit(original).path
    except ValueError as error:
        raise _senseless() from error
    if path == original_path:
        return None
    found = _DRAWN.match(unquote(path).rpartition("/")[2])
    return int(found[1]) if found else None


def _senseless() -> CommonsError:
    return CommonsError(
        "Wikimedia Commons gave an answer that the guide cannot read; "
        "try again later, or add a picture of your own."
    )
