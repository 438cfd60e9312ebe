"""A table of works, as spreadsheets save them: one work a row.

Columns are `title`, `artist`, `image` and `artwork` (the graph's id, such as Q12418), in any order
and case; others are left alone. A row needs one of title, image and artwork.
"""

from __future__ import annotations

import codecs
import csv
import io
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from expartkg.errors import ExpArtError

COLUMNS = ("title", "artist", "image", "artwork")
DELIMITERS = ",;\t|"
MOST_BYTES = 20 * 2**20
LONGEST_CELL = 300
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

FindImage = Callable[[str], Path]
"""The file that a cell of the column `image` names. Raises `ExpArtError` if there is none."""


class TableError(ExpArtError):
    """A table of works cannot be read at all."""


@dataclass(frozen=True, slots=True)
class WorkRow:
    """A work to explain; `number` is the line of the table on which its row ends."""

    number: int
    title: str | None = None
    artist: str | None = None
    image: Path | None = None
    artwork: str | None = None

    @property
    def name(self) -> str:
        """What people call it by."""
        return self.title or self.artwork or (self.image.name if self.image else "")


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that is left out, and why."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class Works:
    """The rows of a table in their order; `notes` say what had to be guessed about the file."""

    rows: tuple[WorkRow, ...]
    bad: tuple[BadRow, ...] = ()
    notes: tuple[str, ...] = ()


class _BadRowError(Exception):
    """Says what is wrong with a row."""


def read_works(content: bytes, find_image: FindImage) -> Works:
    """The works of a table with comma, semicolon, tab or bar between its cells.

    A byte order mark names its encoding; without one it is UTF-8, and Windows-1252 where the
    bytes are not. Raises `TableError` if it has no line with the names of the columns, or is
    larger than `MOST_BYTES`.
    """
    if len(content) > MOST_BYTES:
        raise TableError(f"The table is larger than {MOST_BYTES // 2**20} MB; divide it.")
    text, notes = _decoded(content)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
    try:
        places = _places(lines)
    except csv.Error as error:
        raise TableError(
            f"The table's first line cannot be read ({error}); is a quotation mark left open?"
        ) from error
    rows: list[WorkRow] = []
    bad: list[BadRow] = []
    for number, row in _numbered(lines):
        try:
            if isinstance(row, csv.Error):
                bad.append(BadRow(number, f"it cannot be read ({row})"))
            elif any(cell.strip() for cell in row):
                rows.append(_work(number, row, places, find_image))
        except (_BadRowError, ExpArtError) as error:
            bad.append(BadRow(number, str(error)))
    return Works(tuple(rows), tuple(bad), notes)


def image_beside(folder: Path) -> FindImage:
    """Images as files: a path that is not absolute begins at the table's folder."""

    def find(cell: str) -> Path:
        path = folder / cell
        # Unlike `Path.is_file` it is false, too, where the name is too long or a folder is closed.
        if not os.path.isfile(path):
            raise TableError(f"there is no image {path}")
        return path

    return find


def _decoded(content: bytes) -> tuple[str, tuple[str, ...]]:
    for mark, encoding in MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, "replace"), ()
    try:
        return content.decode("utf-8"), ()
    except UnicodeDecodeError:
        note = "The table is not UTF-8; it was read as Windows-1252. Check the accents."
        return content.decode("cp1252", "replace"), (note,)


def _delimiter(text: str) -> str:
    """The one by which the first line has most names of columns."""
    first = text.lstrip().partition("\n")[0]
    return max(DELIMITERS, key=lambda delimiter: len(_named(first.split(delimiter))))


def _named(cells: list[str]) -> dict[str, int]:
    """Where the columns are that the guide knows; of two of one name the first."""
    names = [cell.strip().strip('"').strip().casefold() for cell in cells]
    return {name: names.index(name) for name in COLUMNS if name in names}


def _places(lines: Iterator[list[str]]) -> Mapping[str, int]:
    header = next((line for line in lines if any(cell.strip() for cell in line)), [])
    places = _named(header)
    if not places.keys() - {"artist"}:
        there = ", ".join(cell.strip() for cell in header)[:100] or "nothing"
        raise TableError(
            "The table's first line has to name its columns: title, artist, image, artwork (the "
            f"graph's id), at least one of title, image and artwork. It has: {there}."
        )
    return places


def _numbered(lines: Iterator[list[str]]) -> Iterator[tuple[int, list[str] | csv.Error]]:
    """Every row with its line's number, also the unreadable ones."""
    while True:
        try:
            row: list[str] | csv.Error = next(lines)
        except StopIteration:
            return
        except csv.Error as error:
            row = error
        yield lines.line_num, row  # type: ignore[attr-defined]  # it is a csv.reader


def _work(number: int, row: list[str], places: Mapping[str, int], find_image: FindImage) -> WorkRow:
    cells = {
        name: " ".join(row[place].split()) if place < len(row) else ""
        for name, place in places.items()
    }
    for name, cell in cells.items():
        if len(cell) > LONGEST_CELL:
            raise _BadRowError(
                f"its {name} has more than {LONGEST_CELL} characters; is a quotation mark left "
                "open?"
            )
        if not cell.isprintable():
            raise _BadRowError(f"its {name} has characters that nobody can read: {cell!r:.60}")
    title, artist, image, artwork = (cells.get(name) or None for name in COLUMNS)
    if not (title or image or artwork):
        raise _BadRowError("it has neither a title nor an image nor an artwork's id")
    return WorkRow(number, title, artist, find_image(image) if image else None, artwork)
