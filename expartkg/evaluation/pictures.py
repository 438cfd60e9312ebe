"""The picture of a question: a local file, or one from Wikimedia Commons."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from expartkg.commons import Commons
from expartkg.errors import PictureError, UnknownEntityError
from expartkg.evaluation.questions import ArtQuestion
from expartkg.pictures import open_picture
from expartkg.records import StopFlag
from expartkg.retrieval.store import Graph

if TYPE_CHECKING:
    from PIL.Image import Image


class Pictures:
    """Finds the pictures of questions."""

    def __init__(
        self, folder: Path | None = None, graph: Graph | None = None, commons: Commons | None = None
    ) -> None:
        """`folder` holds pictures under the names that the questions give them.

        Where a question gives none, the graph's of its work is taken. What is not in the folder is
        fetched by `commons`, if there is one.
        """
        self._folder = folder
        self._graph = graph
        self._commons = commons

    def open(self, question: ArtQuestion, stop: StopFlag | None = None) -> Image:
        """The picture. Raises `ExpArtError` if there is none, it cannot be had or read, or `stop`
        is set while it is fetched.
        """
        named = question.image or self._image_of(question.artwork)
        if not named:
            raise PictureError(
                f"The question {question.id} has no picture; add a field image, or artwork with "
                "its id in the graph."
            )
        local = self._local(named)
        if local:
            return open_picture(local)
        if self._commons is None:
            raise PictureError(f"There is no picture {named}; give its folder by --images.")
        return open_picture(self._commons.picture(named, stop=stop).path)

    def _image_of(self, artwork: str | None) -> str | None:
        if self._graph is None or artwork is None:
            return None
        try:
            return self._graph.image(self._graph.entity(artwork))
        except UnknownEntityError:
            return None

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
