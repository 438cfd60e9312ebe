"""What many explanations leave on the disk: a Run and its page for every work, and one report.

DIR/batch.json         what all of them were made with
DIR/runs/NAME.json     a Run, named after its work and what was asked about it
DIR/runs/NAME.html     the same for people
DIR/report.html        the page on all of them
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from expartkg.batch.table import WorkRow
from expartkg.errors import ExpArtError, PictureError, RunFormatError
from expartkg.exports import export_run
from expartkg.files import file_name, write_atomically
from expartkg.records import Run
from expartkg.runs import read_run, to_text

REPORT = "report.html"


class Folder:
    """The folder of one table of works. Every file in it is whole, however a process ends."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def prepare(self, conditions: Mapping[str, object]) -> None:
        """Notes what the explanations are made with, so that a folder never mixes two ways.

        Raises `ExpArtError` if it was begun with others, whose names are said.
        """
        file = self.path / "batch.json"
        now = json.loads(json.dumps(conditions))
        before = _read_conditions(file)
        if before is None:
            write_atomically(file, (to_text(now) + "\n").encode())
            return
        if changed := sorted(name for name in before | now if before.get(name) != now.get(name)):
            name = changed[0]
            raise ExpArtError(
                f"{self.path} was begun with other settings: {', '.join(changed)} ({name} was "
                f"{before.get(name)!r}, and is {now.get(name)!r}). Use the same ones to go on, or "
                "another --out."
            )

    def name(self, row: WorkRow) -> str:
        """The name of a row's files. It depends on what the row says, not on where it stands.

        Raises `PictureError` if the row's picture cannot be read.
        """
        image = _digest(_content(row.image)) if row.image else None
        said = json.dumps([row.title, row.artist, row.artwork, image])
        return f"{file_name(row.name)}-{_digest(said.encode())[:10]}"

    def page(self, row: WorkRow) -> str:
        """Where the row's page is, from the report."""
        return f"runs/{self.name(row)}.html"

    def load(self, row: WorkRow) -> Run | None:
        """The row's Run if it came to its end; others are made again, as are damaged ones.

        Raises `PictureError` as `name` does.
        """
        file = self._file(row, ".json")
        if not (file.is_file() and self._file(row, ".html").is_file()):
            return None
        try:
            run = read_run(file.read_bytes())
        except RunFormatError:
            return None
        return run if run.status in ("accepted", "exhausted") else None

    def keep(self, row: WorkRow, run: Run) -> None:
        """Writes the row's files. Raises `ExpArtError` if that is not possible."""
        # The Run comes last: where it is, the page is too.
        export_run(run, self._file(row, ".html"))
        export_run(run, self._file(row, ".json"))

    def _file(self, row: WorkRow, ending: str) -> Path:
        return self.path / "runs" / (self.name(row) + ending)


def _read_conditions(file: Path) -> dict[str, object] | None:
    try:
        found = json.loads(file.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise ExpArtError(f"{file} cannot be read ({error}); use another --out.") from error
    return found if isinstance(found, dict) else {}


def _content(picture: Path) -> bytes:
    try:
        return picture.read_bytes()
    except OSError as error:
        raise PictureError(f"{picture} cannot be read: {error.strerror or error}.") from error


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
