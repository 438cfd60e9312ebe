"""How well distorted photographs of paintings are recognised, by kind of distortion."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from expartkg.pictures import decode_picture
from expartkg.recognition.encoders import ENCODER, Encoder, load_encoder
from expartkg.recognition.index import PictureIndex
from expartkg.recognition.opening import SHIPPED
from expartkg.recognition.recogniser import Recogniser
from tests.recognition.distortions import distorted

if TYPE_CHECKING:
    from expartkg.recognition.encoders import Vectors

LONGEST_SIDE = 800


@dataclass(frozen=True, slots=True)
class Photograph:
    """A picture, and the work that it shows; None if that is not in the index."""

    picture: Image.Image
    work: str | None


@dataclass
class Measured:
    """Counts by kind of distortion.

    `known` are pictures of works of the index: `first` at the first place, `recognised` accepted
    as that work, `mistaken` accepted as another. `unknown` are pictures whose work is not in the
    index, or was taken out: `accepted` of them were recognised, always wrongly.
    """

    known: Counter[str] = field(default_factory=Counter)
    first: Counter[str] = field(default_factory=Counter)
    recognised: Counter[str] = field(default_factory=Counter)
    mistaken: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)

    def table(self) -> str:
        heading = "kind          first  recognised  as another  unknown accepted"
        return "\n".join([heading, *map(self._line, [*self.known, ""])])

    def _line(self, kind: str) -> str:
        shares = (
            _share(self.first, self.known, kind),
            _share(self.recognised, self.known, kind),
            _share(self.mistaken, self.known, kind),
            _share(self.accepted, self.unknown, kind),
        )
        return f"{kind or 'all':<11}" + "     ".join(shares)


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


def measure(index: PictureIndex, pictures: Iterable[Photograph], repeats: int) -> Measured:
    """Looks every distorted picture up twice: in the index, and in it without the work itself."""
    encoder, measured = _Remembering(load_encoder()), Measured()
    whole = Recogniser(encoder, index)
    for seed, photograph in enumerate(pictures):
        rest = [entry for entry in index.entries if entry.id != photograph.work]
        without = Recogniser(encoder, PictureIndex(index.encoder, rest))
        for kind, picture in distorted(photograph.picture, seed, repeats):
            if photograph.work is not None:
                _count_known(measured, kind, whole, picture, photograph.work)
            measured.unknown[kind] += 1
            measured.accepted[kind] += without.recognise(picture).work is not None
    return measured


def _count_known(
    measured: Measured, kind: str, recogniser: Recogniser, picture: Image.Image, work: str
) -> None:
    found = recogniser.recognise(picture)
    measured.known[kind] += 1
    measured.first[kind] += found.likenesses[0].id == work
    if found.work is not None:
        (measured.recognised if found.work.id == work else measured.mistaken)[kind] += 1


def _share(part: Counter[str], whole: Counter[str], kind: str) -> str:
    n, total = (part[kind], whole[kind]) if kind else (part.total(), whole.total())
    return f"{100 * n / total:6.1f}%" if total else "     –"


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
