"""How well distorted photographs of paintings are recognised, by kind of distortion."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from expartkg.pictures import decode_picture
from expartkg.recognition import Likeness, Recognition
from expartkg.recognition.encoders import ENCODER, Encoder
from expartkg.recognition.index import PictureIndex
from expartkg.recognition.opening import SHIPPED
from expartkg.recognition.recogniser import ENOUGH_POINTS, Recogniser
from tests.recognition.distortions import distorted

if TYPE_CHECKING:
    from expartkg.recognition.encoders import Vectors

LONGEST_SIDE = 800


@dataclass(frozen=True, slots=True)
class Photograph:
    """A picture, and the work that it shows; None if that is not in the index."""

    picture: Image.Image
    work: str | None


@dataclass(frozen=True, slots=True)
class Trial:
    """A distorted picture that was looked up, `seed` telling which photograph it is of.

    `known` is what was found where the work is in the index, None if it never was; `unknown` what
    was found with the work taken out.
    """

    seed: int
    kind: str
    work: str | None
    known: Recognition | None
    unknown: Recognition

    def is_first(self) -> bool:
        """Whether the work comes first."""
        return bool(self.known and self.known.likenesses[0].id == self.work)

    def is_recognised(self, enough: int) -> bool:
        """Whether the work is accepted if so many points are enough."""
        best = most_points(self.known)
        return best is not None and best.points >= enough and best.id == self.work

    def is_mistaken(self, enough: int) -> bool:
        """Whether another work is accepted though the right one is there."""
        best = most_points(self.known)
        return best is not None and best.points >= enough and best.id != self.work

    def is_accepted(self, enough: int) -> bool:
        """Whether any work is accepted though the right one is not there."""
        best = most_points(self.unknown)
        return best is not None and best.points >= enough


def most_points(recognition: Recognition | None) -> Likeness | None:
    """The work with which most points agree."""
    found = recognition.likenesses if recognition else ()
    return max(found, key=lambda like: like.points, default=None)


def table(trials: Sequence[Trial], enough: int = ENOUGH_POINTS) -> str:
    """Shares by kind of distortion."""
    kinds = list(dict.fromkeys(trial.kind for trial in trials))
    heading = "kind         first  recognised  as another  accepted without it"
    lines = [_line(kind, [t for t in trials if t.kind == kind], enough) for kind in kinds]
    return "\n".join([heading, *lines, _line("all", trials, enough)])


def _line(kind: str, trials: Sequence[Trial], enough: int) -> str:
    known = [trial for trial in trials if trial.known]
    cells = (
        share(trial.is_first() for trial in known),
        share(trial.is_recognised(enough) for trial in known),
        share(trial.is_mistaken(enough) for trial in known),
        share(trial.is_accepted(enough) for trial in trials),
    )
    return f"{kind:<11}" + "".join(f"{100 * cell:6.1f}%     " for cell in cells).rstrip()


def share(outcomes: Iterable[bool]) -> float:
    """How many of them are true, 0 to 1; 0 if there are none."""
    counted = list(outcomes)
    return sum(counted) / len(counted) if counted else 0.0


def most_wrong_points(trials: Sequence[Trial]) -> int:
    """The most points that agree between the picture of a work and any picture of another."""
    found = (most_points(trial.unknown) for trial in trials)
    return max((like.points for like in found if like), default=0)


def photographs(folder: Path, index: PictureIndex) -> list[Photograph]:
    """The pictures of a folder with a manifest, at the size at which they are distorted."""
    with (folder / "manifest.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    found = []
    for row in rows:
        picture = decode_picture(folder / row["file"])
        picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
        id = row["qid_in_kg"]
        found.append(Photograph(picture, id if id in index.ids else None))
    return found


def shipped_index() -> PictureIndex:
    return PictureIndex.load(SHIPPED, ENCODER)


def measure(
    index: PictureIndex, pictures: Iterable[Photograph], repeats: int, encoder: Encoder
) -> Iterator[Trial]:
    """Looks every distorted picture up twice: in the index, and in it without the work itself."""
    encoder = _Remembering(encoder)
    whole = Recogniser(encoder, index)
    for seed, photograph in enumerate(pictures):
        rest = [entry for entry in index.entries if entry.id != photograph.work]
        without = Recogniser(encoder, PictureIndex(index.encoder, rest))
        for kind, picture in distorted(photograph.picture, seed, repeats):
            known = whole.recognise(picture) if photograph.work else None
            yield Trial(seed, kind, photograph.work, known, without.recognise(picture))


class _Remembering:
    """An encoder that looks at a picture once, though it is looked up twice."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._last: tuple[list[bytes], Vectors] | None = None
        self.name, self.dimension = encoder.name, encoder.dimension

    def encode(self, pictures: Sequence[Image.Image]) -> Vectors:
        contents = [picture.tobytes() for picture in pictures]
        if self._last is None or self._last[0] != contents:
            self._last = contents, self._encoder.encode(pictures)
        return self._last[1]


def spread(pictures: Sequence[Photograph], most: int) -> Iterator[Photograph]:
    """At most `most` of them, from all over the list."""
    return iter(pictures[:: max(1, -(-len(pictures) // most))])
