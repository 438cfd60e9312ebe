"""Question sets as the construction sees them: texts, and titles and artists as metadata.

ExpArt from the Hugging Face hub, Artpedia, or a JSON or JSONL file of one's own. Fields are found
by their names, any of those in `FIELDS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expartkg.construction.sources.records import SourceFile
from expartkg.data_sets import ENDINGS, fetch_data_set, read_records, turns
from expartkg.errors import SourceError

FIELDS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "question_id", "qid"),
    "question": (
        "question",
        "question_with_title",
        "question_without_title",
        "prompt",
        "instruction",
        "input",
    ),
    "reference": (
        "reference",
        "references",
        "answer",
        "explanation",
        "output",
        "response",
        "visual_sentences",
        "contextual_sentences",
    ),
    "title": ("title", "artwork_title", "wikidata_label"),
    "artist": ("artist", "creator", "author"),
}
"""What is taken from a record, and the names that it may have there: all that are there count."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A text of a question set: of which question, and in which field of `FIELDS` it stood."""

    question: str
    field: str
    text: str


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """All passages in the order of the set, and the files that they are from."""

    passages: tuple[Passage, ...]
    files: tuple[SourceFile, ...]

    @property
    def questions(self) -> int:
        """The number of different questions."""
        return len({passage.question for passage in self.passages})


def read_questions(source: str) -> QuestionSet:
    """The questions of a file, of `expart`, or of a data set on the hub (OWNER/NAME).

    A question without an id has its number. Raises `SourceError` if there is nothing to read.
    """
    path = Path(source)
    files = [path] if path.exists() else _on_the_hub(source)
    passages = tuple(passage for file in files for passage in _passages(file))
    if not passages:
        raise SourceError(f"{source} has no question; give records with question and reference.")
    return QuestionSet(passages, tuple(_source_file(file) for file in files))


def _on_the_hub(source: str) -> list[Path]:
    name, folder = fetch_data_set(source, SourceError)
    files = sorted(file for file in folder.rglob("*") if file.suffix in ENDINGS)
    if not files:
        raise SourceError(f"The data set {name} has no .json or .jsonl file.")
    return files


def _source_file(path: Path) -> SourceFile:
    licence = "read for names only; no text of it is in the graph"
    return SourceFile.of(path.name, licence, path.read_bytes())


def _passages(path: Path) -> Iterator[Passage]:
    for number, (_, record) in enumerate(read_records(path, SourceError), start=1):
        named = next((str(record[name]) for name in FIELDS["id"] if record.get(name)), "")
        id = named or f"{path.stem}-{number}"
        for field, names in FIELDS.items():
            if field != "id":
                for text in _texts([record.get(name) for name in names]):
                    yield Passage(id, field, text)
        for field, text in turns(record):
            yield Passage(id, field, text)


def _texts(values: Sequence[Any]) -> Iterator[str]:
    """The texts in a list of texts and of lists of texts, each once; anything else has none."""
    flat = [one for value in values for one in (value if isinstance(value, list) else [value])]
    yield from dict.fromkeys(one for one in flat if isinstance(one, str) and one.strip())
