"""Which index goes with a graph: the one that ships, and the user's own in the cache."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from expartkg.errors import RecognitionError, UnknownEntityError
from expartkg.recognition.encoders import ENCODER, Encoder
from expartkg.recognition.index import Entry, PictureIndex
from expartkg.recognition.recogniser import Recogniser
from expartkg.retrieval.descriptions import WIKIDATA_ENTITY
from expartkg.retrieval.store import Graph

SHIPPED = Path(__file__).resolve().parents[2] / "kg" / "artworks.pictures"
"""Pictures of works by their Wikidata ids, as `ENCODER` sees them: good for any graph of these."""


def own_index(cache: Path, graph: str, encoder: str) -> Path:
    """Where the user's index for a graph, by its `key`, and an encoder is kept."""
    name = graph if encoder == ENCODER else f"{graph} {encoder}"
    plain = re.sub(r"[^\w.-]", "_", name)
    return cache.expanduser() / "recognition" / f"{plain}.pictures"


def index_files(cache: Path, graph: str, encoder: str) -> list[Path]:
    """The files of the indexes that there are: the one that ships, then the user's own."""
    shipped = [SHIPPED] if encoder == ENCODER else []
    return [path for path in (*shipped, own_index(cache, graph, encoder)) if path.is_file()]


def open_index(files: Iterable[Path], graph: Graph, encoder: str) -> PictureIndex:
    """The pictures in these files that show works of the graph.

    Raises `RecognitionError` if a file is damaged or was made by another encoder.
    """
    index = PictureIndex(encoder)
    for file in files:
        entries = PictureIndex.load(file, encoder).entries
        known = (entry for entry in entries if _is_known(entry, graph, file == SHIPPED))
        index = index.joined(PictureIndex(encoder, known))
    return index


def open_recogniser(cache: Path, graph: Graph, encoder: Encoder) -> Recogniser:
    """What recognises works of the graph.

    Raises `RecognitionError`, also if there is no index that the encoder has made.
    """
    files = index_files(cache, graph.key, encoder.name)
    if not files:
        raise RecognitionError(
            f"There is no index of pictures as the encoder {encoder.name} sees them; make one with "
            "python -m expartkg pictures index."
        )
    return Recogniser(encoder, open_index(files, graph, encoder.name))


def _is_known(entry: Entry, graph: Graph, by_wikidata: bool) -> bool:
    """A graph with ids of its own may have a Q5 that is not Wikidata's."""
    try:
        entity = graph.entity(entry.id)
    except UnknownEntityError:
        return False
    return not by_wikidata or entity.iri == WIKIDATA_ENTITY + entry.id
