"""The ExpArt data set from the Hugging Face hub, or any other set of questions there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from expartkg.errors import DataError
from expartkg.evaluation.questions import ArtQuestion, read_questions

EXPART = "naist-nlp/ExpArt"
ENDINGS = (".json", ".jsonl")


def find_questions(source: str) -> list[ArtQuestion]:
    """The questions of a file, or of a data set on the hub (`expart`, or OWNER/NAME).

    Of a data set on the hub, the files whose names begin with `test` are taken, all if there is
    none; the ids of several files begin with the file's name. Raises `DataError`.
    """
    path = Path(source)
    if path.exists():
        return read_questions(path)
    name = EXPART if source.lower() == "expart" else source
    if path.suffix or name.count("/") != 1 or name.startswith((".", "/", "~")):
        raise DataError(
            f"There is no file {source}; give a file of questions, or expart for the data set "
            f"{EXPART}."
        )
    files = sorted(file for file in _fetched(name).iterdir() if file.suffix in ENDINGS)
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


def _fetched(name: str) -> Path:
    """The folder with the files of a data set, from the hub's cache if they are there."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        folder = snapshot_download(
            name, repo_type="dataset", allow_patterns=[f"*{ending}" for ending in ENDINGS]
        )
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        first = str(error).strip().splitlines()[0]
        raise DataError(
            f"The data set {name} cannot be fetched from the hub ({first}); check its name and "
            "the network, or download its files and give one of them."
        ) from error
    return Path(folder)
