"""Vectors and points of pictures, with the works that they show, in one file.

A file is a line `expartkg pictures 1 SHA256` and an archive of numpy arrays, whose checksum that
is. It holds numbers and notes alone: no picture can be made of it.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from expartkg.errors import RecognitionError
from expartkg.files import write_atomically
from expartkg.recognition.keypoints import Keypoints
from expartkg.recognition.neighbours import EXACT_BELOW, Neighbours

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from expartkg.recognition.encoders import Vectors

FIRST_LINE = b"expartkg pictures 1 "


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A picture of the work `id`: its unit vector, its points, and where it came from."""

    id: str
    vector: Vectors
    keypoints: Keypoints
    note: str


class PictureIndex:
    """The pictures that one encoder has seen."""

    def __init__(
        self, encoder: str, entries: Iterable[Entry] = (), exact_below: int = EXACT_BELOW
    ) -> None:
        self.encoder = encoder
        self.entries = tuple(entries)
        self._exact_below = exact_below

    def __len__(self) -> int:
        return len(self.entries)

    @cached_property
    def ids(self) -> set[str]:
        """The works of which it has a picture."""
        return {entry.id for entry in self.entries}

    @property
    def sha256(self) -> str:
        """Of the works and vectors: the same for the same pictures in the same order."""
        digest = hashlib.sha256()
        for entry in self.entries:
            digest.update(entry.id.encode() + b"\0" + entry.vector.tobytes())
        return digest.hexdigest()

    def joined(self, other: PictureIndex) -> PictureIndex:
        """The pictures of both. Raises `RecognitionError` if another encoder made the other's."""
        other.check_encoder(self.encoder)
        return PictureIndex(self.encoder, (*self.entries, *other.entries), self._exact_below)

    def check_encoder(self, encoder: str, name: str = "The index") -> None:
        """Raises `RecognitionError` if it cannot be compared with what `encoder` sees."""
        if encoder != self.encoder:
            raise RecognitionError(
                f"{name} has vectors of the encoder {self.encoder}, and pictures are looked up "
                f"with {encoder}. Delete it, or use another file, and make it anew with: "
                "python -m expartkg pictures index."
            )

    def nearest(self, vector: Vectors, most: int) -> list[tuple[Entry, float]]:
        """The `most` pictures nearest to a unit vector, with their cosines, nearest first."""
        if not self.entries:
            return []
        found = self._neighbours.nearest(vector, most)
        return [(self.entries[place], cosine) for place, cosine in found]

    @cached_property
    def _neighbours(self) -> Neighbours:
        import numpy as np

        return Neighbours(np.stack([entry.vector for entry in self.entries]), self._exact_below)

    def save(self, path: Path) -> None:
        """Writes the file, whole or not at all. Raises `ExpArtError`."""
        import numpy as np

        facts = {
            "encoder": self.encoder,
            "ids": [entry.id for entry in self.entries],
            "notes": [entry.note for entry in self.entries],
        }
        content = io.BytesIO()
        np.savez_compressed(
            content,
            about=np.frombuffer(json.dumps(facts).encode(), np.uint8),
            vectors=_stacked([entry.vector for entry in self.entries], np.float16),
            counts=np.array([len(entry.keypoints) for entry in self.entries], np.int32),
            points=_joined([entry.keypoints.points for entry in self.entries], np.float16),
            descriptors=_joined([entry.keypoints.descriptors for entry in self.entries], np.uint8),
        )
        packed = content.getvalue()
        digest = hashlib.sha256(packed).hexdigest().encode()
        write_atomically(path, FIRST_LINE + digest + b"\n" + packed)

    @classmethod
    def load(cls, path: Path, encoder: str) -> PictureIndex:
        """The index in a file. Raises `RecognitionError` if it is missing, damaged, or holds the
        vectors of another encoder than `encoder`.
        """
        index = cls._read(path, _checked(path))
        index.check_encoder(encoder, str(path))
        return index

    @classmethod
    def _read(cls, path: Path, packed: bytes) -> PictureIndex:
        import numpy as np

        with np.load(io.BytesIO(packed), allow_pickle=False) as arrays:
            about = json.loads(arrays["about"].tobytes())
            vectors = arrays["vectors"].astype(np.float32)
            # What is behind the last end is empty, and belongs to no picture.
            ends = np.cumsum(arrays["counts"])
            points = np.split(arrays["points"], ends)[:-1]
            descriptors = np.split(arrays["descriptors"], ends)[:-1]
        entries = [
            Entry(id, vector, Keypoints(at, described), note)
            for id, vector, at, described, note in zip(
                about["ids"], vectors, points, descriptors, about["notes"], strict=True
            )
        ]
        return cls(about["encoder"], entries)


def _checked(path: Path) -> bytes:
    """What the first line vouches for."""
    try:
        first, _, packed = path.read_bytes().partition(b"\n")
    except OSError as error:
        raise RecognitionError(
            f"The index {path} cannot be read: {error.strerror or error}."
        ) from error
    if first != FIRST_LINE + hashlib.sha256(packed).hexdigest().encode():
        raise RecognitionError(
            f"{path} is damaged, or no index of pictures. Delete it, and make it anew with: "
            "python -m expartkg pictures index."
        )
    return packed


def _stacked(arrays: Sequence[NDArray[Any]], dtype: type) -> NDArray[Any]:
    import numpy as np

    return np.stack(arrays).astype(dtype) if arrays else np.empty((0, 0), dtype)


def _joined(arrays: Sequence[NDArray[Any]], dtype: type) -> NDArray[Any]:
    import numpy as np

    return np.concatenate(arrays).astype(dtype) if arrays else np.empty((0, 0), dtype)
