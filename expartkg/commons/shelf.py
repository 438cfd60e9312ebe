"""Pictures kept in a folder: `WIDTH/HASH.jpg`, and beside it `HASH.json`, a note of its credit.

The hash is that of the file's name on Commons. Nothing expires: delete the folder to fetch anew.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from pathlib import Path

from expartkg.commons.records import CommonsPicture, Credit, Fetched
from expartkg.files import write_atomically

EXTENSIONS = {
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/webp": ".webp",
    "image/gif": ".gif",
    "image/tiff": ".tif",
    "image/avif": ".avif",
    "image/bmp": ".bmp",
}
"""The media types that are kept; those that `pictures.open_picture` opens."""


class Shelf:
    """One folder of pictures. Several processes may use it at once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, name: str, width: int) -> CommonsPicture | None:
        """The picture of a file at a width; None if there is none, or it is damaged."""
        note = self._note(name, width)
        try:
            written = json.loads(note.read_bytes())
            path = note.with_suffix(EXTENSIONS[written["kind"]])
            if _digest(path.read_bytes()) != written["sha256"]:
                return None
            credit = Credit(**written["credit"])
            return CommonsPicture(path, credit, written["width"], written["height"])
        except (OSError, ValueError, KeyError, TypeError):
            # Whatever is wrong with what is kept, fetching it again mends it.
            return None

    def put(self, name: str, width: int, fetched: Fetched, credit: Credit) -> CommonsPicture:
        """Keeps a picture. Raises `ExpArtError` if it cannot be written."""
        note = self._note(name, width)
        path = note.with_suffix(EXTENSIONS[fetched.kind])
        written = {
            "kind": fetched.kind,
            "sha256": _digest(fetched.content),
            "width": fetched.width,
            "height": fetched.height,
            "credit": dataclasses.asdict(credit),
        }
        # The note comes last: a picture without one is not there yet.
        write_atomically(path, fetched.content)
        write_atomically(note, json.dumps(written, ensure_ascii=False, indent=1).encode())
        return CommonsPicture(path, credit, fetched.width, fetched.height)

    def _note(self, name: str, width: int) -> Path:
        return self._folder / str(width) / f"{_digest(name.encode())[:32]}.json"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
