"""Looking a picture up: the nearest pictures of the index, then the points that agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from expartkg.recognition.encoders import Encoder
from expartkg.recognition.index import Entry, PictureIndex
from expartkg.recognition.keypoints import (
    KEPT_POINTS,
    SEEN_POINTS,
    agreeing,
    find_keypoints,
)

if TYPE_CHECKING:
    from PIL.Image import Image

VERIFIED = 20
"""How many of the nearest pictures are compared point by point, about a millisecond each."""

ENOUGH_POINTS = 16
"""Agreeing points from which on a work is recognised; see tests/benchmarks/test_recognition.py."""

MIDDLE = 0.6
"""The share of width and height that is looked at too: a wall and a frame lie outside of it."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How like the picture is to one of the work `id`.

    `similarity` is the cosine of their vectors, -1 to 1; `points` how many points agree.
    """

    id: str
    similarity: float
    points: int


@dataclass(frozen=True, slots=True)
class Recognition:
    """What a picture may show, of `known` works: the likeliest first, each once."""

    likenesses: tuple[Likeness, ...]
    known: int

    @property
    def work(self) -> Likeness | None:
        """The work that is recognised; None if none is like enough."""
        best = next(iter(self.likenesses), None)
        return best if best and best.points >= ENOUGH_POINTS else None


class Recogniser:
    """Looks pictures up in one index."""

    def __init__(self, encoder: Encoder, index: PictureIndex) -> None:
        """Raises `RecognitionError` if another encoder made the index."""
        index.check_encoder(encoder.name)
        self._encoder = encoder
        self._index = index

    def recognise(self, picture: Image) -> Recognition:
        """What an RGB picture may show."""
        nearest = self._nearest(picture)
        seen = find_keypoints(picture, SEEN_POINTS)
        best: dict[str, Likeness] = {}
        for entry, similarity in nearest:
            like = Likeness(entry.id, similarity, agreeing(entry.keypoints, seen))
            best[entry.id] = max(best.get(entry.id, like), like, key=_order)
        found = sorted(best.values(), key=_order, reverse=True)
        return Recognition(tuple(found), len(self._index.ids))

    def work_in(self, picture: Image) -> str | None:
        """The id of the work that an RGB picture shows, if it is recognised."""
        work = self.recognise(picture).work
        return work.id if work else None

    @property
    def signature(self) -> dict[str, object]:
        """What recognition depends on, for the record of an experiment."""
        return {
            "encoder": self._encoder.name,
            "pictures": len(self._index),
            "sha256": self._index.sha256,
            "enough_points": ENOUGH_POINTS,
        }

    def _nearest(self, picture: Image) -> list[tuple[Entry, float]]:
        """The nearest to the whole picture or to its middle, each with its better similarity."""
        nearest: dict[Entry, float] = {}
        for vector in self._encoder.encode([picture, middle(picture)]):
            for entry, similarity in self._index.nearest(vector, VERIFIED):
                nearest[entry] = max(nearest.get(entry, similarity), similarity)
        return sorted(nearest.items(), key=lambda found: -found[1])[:VERIFIED]


def describe(encoder: Encoder, picture: Image, id: str, note: str) -> Entry:
    """What an index keeps of a picture of the work `id`."""
    (vector,) = encoder.encode([picture])
    return Entry(id, vector, find_keypoints(picture, KEPT_POINTS), note)


def middle(picture: Image) -> Image:
    """The middle of a picture."""
    width, height = (round(size * MIDDLE) for size in picture.size)
    left, top = (picture.width - width) // 2, (picture.height - height) // 2
    return picture.crop((left, top, left + width, top + height))


def _order(likeness: Likeness) -> tuple[int, float]:
    """Chance makes a few points agree, so they count from where they are enough."""
    points = likeness.points if likeness.points >= ENOUGH_POINTS else 0
    return points, likeness.similarity
