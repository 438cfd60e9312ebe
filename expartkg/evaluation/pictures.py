"""The picture of a question: a local file, or one from Wikimedia Commons."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from expartkg.errors import PictureError
from expartkg.evaluation.questions import ArtQuestion
from expartkg.pictures import open_picture

if TYPE_CHECKING:
    from PIL.Image import Image


class Pictures:
    """Finds the pictures of questions."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` holds pictures under the names that the questions give them."""
        self._folder = folder

    def open(self, question: ArtQuestion) -> Image:
        """The picture. Raises `ExpArtError` if there is none, or it cannot be had or read."""
        named = question.image
        if not named:
            raise PictureError(f"The question {question.id} names no picture; add a field image.")
        local = self._local(named)
        return open_picture(local) if local else fetch_picture(named)

    def _local(self, named: str) -> Path | None:
        """The file as it is named, or of that name alone in the folder."""
        places = [Path(named)]
        if self._folder:
            places = [self._folder / named.lstrip("/"), self._folder / Path(named).name]
        return next((place for place in places if _is_file(place)), None)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        # An address can be longer than any file's name.
        return False


def fetch_picture(address: str) -> Image:
    """The picture at an address of Wikimedia Commons."""
    raise PictureError(
        f"The picture {address} is no local file, and fetching is not built yet; "
        "give the folder with the pictures by --images."
    )
