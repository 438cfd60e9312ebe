"""The works that the page offers to a visitor who does not know where to begin."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from expartkg.pictures import data_url, decode_picture
from expartkg.retrieval.works import Work

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "examples"
THUMBNAIL_PIXELS = 56

# Flat geometry can be drawn exactly (assets/examples/draw.py). The others start without a picture.
DRAWN = {
    "Q1170315": "black-square.png",
    "Q4518897": "black-circle.png",
    "Q579455": "white-on-white.png",
    "Q19609193": "composition-ii-in-red-blue-and-yellow.png",
}
IDS = (
    "Q1170315",
    "Q12418",
    "Q19609193",
    "Q208758",
    "Q4518897",
    "Q464782",
    "Q579455",
    "Q45585",
)


@dataclass(frozen=True, slots=True)
class Example:
    """A work on a button, with a small picture as a data URL if there is one."""

    work: Work
    thumbnail: str


def examples_of(works: Iterable[Work]) -> tuple[Example, ...]:
    """The examples among these works."""
    return tuple(Example(work, _thumbnail(drawn(work.entity.id))) for work in works)


def drawn(id: str) -> Path | None:
    """The picture that the project has drawn of a work."""
    return FOLDER / DRAWN[id] if id in DRAWN else None


def _thumbnail(file: Path | None) -> str:
    if file is None:
        return ""
    picture = decode_picture(file)
    picture.thumbnail((THUMBNAIL_PIXELS, THUMBNAIL_PIXELS))
    return data_url(picture, "PNG", optimize=True)
