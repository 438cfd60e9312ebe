"""Filling an index: from Wikimedia Commons, from a folder, or with a picture of one's own."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from expartkg.commons import Commons, CommonsPicture
from expartkg.errors import CommonsError, PictureError, RecognitionError
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
"""In a row: then it is the network and not the pictures."""

MANIFEST = "manifest.tsv"


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
    """Adds a picture of the work `id` to an index, and writes it. Raises `ExpArtError`."""
    index = read_or_begin(path, encoder.name)
    entry = describe(encoder, open_picture(picture), id, note)
    index = PictureIndex(index.encoder, (*index.entries, entry))
    index.save(path)
    return index


def index_from_commons(
    path: Path, encoder: Encoder, graph: Graph, commons: Commons
) -> Iterator[Step]:
    """Adds the graph's pictures of works that the index in `path` does not have yet.

    What is done is written now and then, and when the iterator is closed, so the same call goes
    on where it was, also after it was killed: fetched pictures are kept. One that cannot be had is
    left out, and tried again by the next call. Raises `CommonsError` if ten fail in a row.
    """
    index = read_or_begin(path, encoder.name)
    missing = [
        (entity, address)
        for entity in sorted(graph.entities, key=lambda entity: id_order(entity.iri))
        if entity.kind == ARTWORK and entity.id not in index.ids
        for address in [graph.image(entity)]
        if address is not None
    ]

    def entry(entity: Entity, address: str) -> Entry:
        picture = commons.picture(address, WIDTH)
        return describe(encoder, open_picture(picture.path), entity.id, _credit(picture))

    jobs = [(entity.id, lambda e=entity, a=address: entry(e, a)) for entity, address in missing]
    return _fill(path, index, jobs)


def index_from_folder(path: Path, encoder: Encoder, graph: Graph, folder: Path) -> Iterator[Step]:
    """Adds the pictures of a folder whose `manifest.tsv` says which work each shows.

    Its columns are `file` and `qid_in_kg`, and `repo` and `path` say where the file came from.
    Left out are pictures whose work is not certain (`Q1|Q2`) or not in the graph. Raises
    `RecognitionError` if there is no manifest.
    """
    known = {entity.id for entity in graph.entities}
    jobs = [
        (row["qid_in_kg"], lambda row=row: _entry_of(row, folder, encoder))
        for row in _manifest(folder)
        if row["qid_in_kg"] in known
    ]
    return _fill(path, PictureIndex(encoder.name), jobs)


def _entry_of(row: dict[str, str], folder: Path, encoder: Encoder) -> Entry:
    came_from = ", ".join(filter(None, (row.get("repo"), row.get("path"))))
    note = f"public domain; photograph from {came_from or row['file']}"
    return describe(encoder, open_picture(folder / row["file"]), row["qid_in_kg"], note)


def _manifest(folder: Path) -> list[dict[str, str]]:
    try:
        with (folder / MANIFEST).open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
    except OSError as error:
        raise RecognitionError(
            f"{folder} has no {MANIFEST} that says which work each picture shows."
        ) from error
    if not rows or not {"file", "qid_in_kg"} <= rows[0].keys():
        raise RecognitionError(f"{folder / MANIFEST} needs the columns file and qid_in_kg.")
    return rows


def _fill(
    path: Path, index: PictureIndex, jobs: Iterable[tuple[str, Callable[[], Entry]]]
) -> Iterator[Step]:
    jobs = list(jobs)
    entries, failures, saved = list(index.entries), 0, len(index)
    try:
        for number, (id, make) in enumerate(jobs, start=1):
            problem = None
            try:
                entries.append(make())
                failures = 0
            except (CommonsError, PictureError) as error:
                problem, failures = str(error), failures + 1
                if failures >= MOST_FAILURES:
                    raise
            yield Step(number, len(jobs), id, problem)
            if len(entries) >= saved + max(SAVED_EVERY, SAVED_SHARE * saved):
                PictureIndex(index.encoder, entries).save(path)
                saved = len(entries)
    finally:
        PictureIndex(index.encoder, entries).save(path)


def _credit(picture: CommonsPicture) -> str:
    credit = picture.credit
    parts = (credit.file, credit.author, credit.licence, credit.page)
    return ", ".join(part for part in parts if part)
