"""Looking pictures up for visitors, beside their runs and after them. Knows no gradio."""

from __future__ import annotations

import asyncio
import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from expartkg.errors import ExpArtError, RecognitionError, in_one_line
from expartkg.pictures import open_picture
from expartkg.recognition import (
    ENCODER,
    Encoder,
    PictureIndex,
    Recogniser,
    Recognition,
    load_encoder,
)
from expartkg.recognition.encoders import TOWER, missing_package
from expartkg.recognition.opening import index_files, open_index
from expartkg.retrieval.store import Graph
from expartkg.settings import Settings
from expartkg.ui.loading import Loading

log = logging.getLogger(__name__)

MOST_WAITING = 20

Stamps = tuple[tuple[Path, int, int], ...]


class Lookups:
    """Looks pictures up in the indexes of one graph, one at a time, in a thread of its own.

    Encoder and indexes are loaded when the first picture comes, and the indexes again when their
    files have changed.
    """

    def __init__(self, graph: Graph, settings: Settings, engine: Loading) -> None:
        """`engine` is waited for if the encoder is a part of it."""
        self._graph = graph
        self._engine = engine
        self._settings = settings
        self._pool = ThreadPoolExecutor(1, "recognition")
        self._waiting = 0
        self._encoder: Encoder | None = None
        self._index: PictureIndex | None = None
        self._stamps: Stamps = ()

    @property
    def is_on(self) -> bool:
        """Whether pictures can be looked up; says so at once, without loading anything."""
        return self._settings.recognition != "off" and missing_package() is None

    async def look(self, picture: str) -> Recognition | None:
        """What a picture may show; None if the index is empty.

        Raises `ExpArtError` with the reason if it cannot be looked up.
        """
        if self._waiting >= MOST_WAITING:
            raise RecognitionError("too many wait for that already; add it again in a minute.")
        self._waiting += 1
        try:
            return await asyncio.wrap_future(self._pool.submit(self._look, picture))
        except ExpArtError as error:
            log.warning("a picture is not looked up: %s", error)
            raise
        except (Exception, SystemExit) as error:
            # A model that somebody else has trained may raise anything, and the page goes on.
            log.exception("a picture could not be looked up")
            raise RecognitionError(f"{type(error).__name__}: {in_one_line(error)}") from error
        finally:
            self._waiting -= 1

    def _look(self, picture: str) -> Recognition | None:
        image = open_picture(picture)
        if self._encoder is None and not self._can_know():
            return None
        self._encoder = self._encoder or self._load_encoder()
        index = self._current_index(self._encoder.name)
        return Recogniser(self._encoder, index).recognise(image) if index.entries else None

    def _load_encoder(self) -> Encoder:
        name = self._settings.encoder
        engine = self._engine.engine(threading.Event()) if name == TOWER else None
        return load_encoder(name, engine)

    def _can_know(self) -> bool:
        """Whether it is worth to load the encoder: what ships may have no work of the graph."""
        return self._settings.encoder != ENCODER or bool(self._current_index(ENCODER).entries)

    def _current_index(self, encoder: str) -> PictureIndex:
        files = index_files(self._settings.cache, self._graph.key, encoder)
        stamps = tuple((file, file.stat().st_mtime_ns, file.stat().st_size) for file in files)
        if self._index is None or stamps != self._stamps:
            self._index, self._stamps = open_index(files, self._graph, encoder), stamps
        return self._index
