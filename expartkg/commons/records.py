"""What comes back from Wikimedia Commons."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Credit:
    """Who made the picture in a file, and under which licence it may be shown.

    All is plain text, never HTML; `author`, `licence` and `licence_url` (http or https) are None
    where Commons does not state them. `file` is the name on Commons, `page` its https address.
    """

    file: str
    page: str
    author: str | None = None
    licence: str | None = None
    licence_url: str | None = None


@dataclass(frozen=True, slots=True)
class CommonsPicture:
    """A picture in the cache; `width` and `height` are pixels, as `pictures.open_picture` opens it.

    `path` is for reading only, and may be replaced by the same picture fetched anew.
    """

    path: Path
    credit: Credit
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Fetched:
    """A picture as it arrived: its bytes, their media type, and its size in pixels once opened."""

    content: bytes
    kind: str
    width: int
    height: int
