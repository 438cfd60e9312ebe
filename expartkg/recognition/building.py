"""Filling an index: from Wikimedia Commons, from a folder, or with a picture of one's own."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from expartkg.commons import Commons, CommonsPicture
from expartkg.errors import CommonsError, PictureError, RecognitionError
from expartkg.files import locked
from expartkg.pictures import open_picture
from expartkg.recognition.encoders import Encoder
from expartkg.recognition.index import Entry, PictureIndex
from expartkg.recognition.recogniser import describe
from expartkg.records import ARTWORK, Entity
from expartkg.retrieval.store import Graph, id_order

WIDTH = 500
"""Pixels: one of the widths that Wikimedia serves, and all that a vector and the points need."""

SAVED_EVERY = 25
SAVED_SHARE = 0.05
"""An index is written anew when it has grown by so many pictures and by this share."""

MOST_FAILURES = 10
"""That Commons may have in a row: then it is the network and not the pictures."""

MANIFEST = "manifest.tsv"

Row = Mapping[str, str]
Job = tuple[str, Callable[[], Entry]]
"""The id of a work, and what makes the entry of its picture."""


@dataclass(frozen=True, slots=True)
class Step:
    """One picture is done, of `total`; `problem` says why it is left out."""

    number: int
    total: int
    work: str
    problem: str | None = None


def read_or_begin(path: Path, encoder: str) -> PictureIndex:
    """The index in a file, or an empty one if there is none. Raises `RecognitionError`."""
    return PictureIndex.load(path, encoder) if path.is_file() else PictureIndex(encoder)


def add_picture(path: Path, encoder: Encoder, picture: Path, id: str, note: str) -> PictureIndex:
    """Adds a picture of the work `id` to an index, and writes it.

    Raises `ExpArtError`, also if another process is writing an index of that folder.
    """
    entry = describe(encoder, open_picture(picture), id, note)
    with _alone(path):
        index = read_or_begin(path, encoder.name)
        index = PictureIndex(index.encoder, (*index.entries, entry))
        index.save(path)
    return index


def index_from_commons(
    path: Path, encoder: Encoder, graph: Graph, commons: Commons
) -> Iterator[Step]:
    """Adds the graph's pictures of works that the index in `path` does not have yet.

    What is done is written now and then, and when the iterator is closed, so the same call goes
    on where it was, also after it was killed: fetched pictures are kept. One that cannot be had is
    left out, and tried again by the next call. Raises `CommonsError` if ten fail in a row, and
    `ExpArtError` if another process is writing an index of that folder.
    """

    def entry(entity: Entity, address: str) -> Entry:
        picture = commons.picture(address, WIDTH)
        return describe(encoder, open_picture(picture.path), entity.id, _credit(picture))

    def jobs(index: PictureIndex) -> list[Job]:
        return [
            (entity.id, partial(entry, entity, address))
            for entity in sorted(graph.entities, key=lambda entity: id_order(entity.iri))
            if entity.kind == ARTWORK and entity.id not in index.ids
            for address in [graph.image(entity)]
            if address is not None
        ]

    return _fill(path, encoder.name, jobs)


def index_from_folder(path: Path, encoder: Encoder, graph: Graph, folder: Path) -> Iterator[Step]:
    """Adds the pictures of a folder whose `manifest.tsv` says which work each shows.

    Its columns are `file` and `qid_in_kg`; `licence`, and `repo` and `path`, which say where the
    file came from, are noted if they are there. Left out are pictures whose work is not certain
    (`Q1|Q2`) or not in the graph, and those that the index has from before. Written and raised is
    as by `index_from_commons`, and `RecognitionError` if there is no such manifest.
    """
    known = {entity.id for entity in graph.entities}
    rows = [row for row in _manifest(folder) if row["qid_in_kg"] in known and row["file"]]

    def entry(row: Row) -> Entry:
        return describe(encoder, open_picture(folder / row["file"]), row["qid_in_kg"], _note(row))

    def jobs(index: PictureIndex) -> list[Job]:
        there = {(entry.id, entry.note) for entry in index.entries}
        return [
            (row["qid_in_kg"], partial(entry, row))
            for row in rows
            if (row["qid_in_kg"], _note(row)) not in there
        ]

    return _fill(path, encoder.name, jobs)


def _note(row: Row) -> str:
    return ", ".join(filter(None, (row["file"], *map(row.get, ("licence", "repo", "path")))))


def _manifest(folder: Path) -> list[Row]:
    path = folder / MANIFEST
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows: list[Row] = list(csv.DictReader(file, delimiter="\t"))
    except FileNotFoundError as error:
        raise RecognitionError(
            f"{folder} has no {MANIFEST} that says which work each picture shows."
        ) from error
    except (ValueError, csv.Error) as error:
        raise RecognitionError(
            f"{path} is no table ({error}); save it as UTF-8, with tabs between the columns."
        ) from error
    if not rows or not {"file", "qid_in_kg"} <= rows[0].keys():
        raise RecognitionError(f"{path} needs the columns file and qid_in_kg.")
    return rows


def _fill(
    path: Path, encoder: str, jobs_for: Callable[[PictureIndex], list[Job]]
) -> Iterator[Step]:
    with _alone(path):
        index = read_or_begin(path, encoder)
        jobs, entries, failures, saved = jobs_for(index), list(index.entries), 0, len(index)
        try:
            for number, (id, make) in enumerate(jobs, start=1):
                problem = None
                try:
                    entries.append(make())
                    failures = 0
                except PictureError as error:
                    problem = str(error)
                except CommonsError as error:
                    problem, failures = str(error), failures + 1
                    if failures >= MOST_FAILURES:
                        raise
                yield Step(number, len(jobs), id, problem)
                if len(entries) >= saved + max(SAVED_EVERY, SAVED_SHARE * saved):
                    PictureIndex(encoder, entries).save(path)
                    saved = len(entries)
        finally:
            PictureIndex(encoder, entries).save(path)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Whoever adds to an index writes all of it anew: two at once would undo each other's work."""
    with locked(path.parent):
        yield


def _credit(picture: CommonsPicture) -> str:
    credit = picture.credit
    parts = (credit.file, credit.author, credit.licence, credit.page)
    return ", ".join(part for part in parts if part)
