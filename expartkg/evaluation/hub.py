"""The ExpArt data set from the Hugging Face hub, or any other set of questions there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from expartkg.data_sets import ENDINGS, fetch_data_set
from expartkg.errors import DataError
from expartkg.evaluation.questions import ArtQuestion, read_questions


def find_questions(source: str) -> list[ArtQuestion]:
    """The questions of a file, or of a data set on the hub (`expart`, or OWNER/NAME).

    Of a data set on the hub, the files whose names begin with `test` are taken, all if there is
    none; the ids of several files begin with the file's name. Raises `DataError`.
    """
    path = Path(source)
    if path.exists():
        return read_questions(path)
    name, folder = fetch_data_set(source, DataError)
    files = sorted(file for file in folder.iterdir() if file.suffix in ENDINGS)
    files = [file for file in files if file.name.startswith("test")] or files
    if not files:
        raise DataError(f"The data set {name} has no .json or .jsonl file; download it by hand.")
    if len(files) == 1:
        return read_questions(files[0])
    return [
        replace(question, id=f"{file.stem}/{question.id}")
        for file in files
        for question in read_questions(file)
    ]
