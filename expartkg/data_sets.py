"""Sets of questions: from the Hugging Face hub, such as ExpArt, and the records of their files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from expartkg.errors import ExpArtError

EXPART = "naist-nlp/ExpArt"
ENDINGS = (".json", ".jsonl")

Record = Mapping[str, Any]

_ROLES = dict.fromkeys(("user", "human"), "question") | dict.fromkeys(
    ("assistant", "gpt", "model"), "reference"
)


def fetch_data_set(source: str, error: type[ExpArtError]) -> tuple[str, Path]:
    """The name of a data set on the hub (`expart`, or OWNER/NAME) and the folder of its files.

    From the hub's cache if they are there. Raises `error` for what is no such name, and if the set
    cannot be had.
    """
    name = EXPART if source.lower() == "expart" else source
    if Path(source).suffix or name.count("/") != 1 or name.startswith((".", "/", "~")):
        raise error(
            f"There is no file {source}; give a JSON or JSONL file of questions, or expart for "
            f"the data set {EXPART}."
        )
    return name, _fetched(name, error)


def _fetched(name: str, error: type[ExpArtError]) -> Path:
    # Imported here: who has a file needs none of it.
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    patterns = [f"*{ending}" for ending in ENDINGS]
    try:
        return Path(snapshot_download(name, repo_type="dataset", allow_patterns=patterns))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as failure:
        first = next(iter(str(failure).strip().splitlines()), type(failure).__name__)
        raise error(
            f"The data set {name} cannot be fetched from the hub ({first}); check its name and "
            "the network, or download its files and give one of them."
        ) from failure


def read_records(path: Path, error: type[ExpArtError]) -> Iterator[tuple[str, Record]]:
    """Where every record of a file stands, and the record.

    They are a list, an object of lists (splits), or one a line, whatever the name of the file ends
    in. Raises `error` for a file that cannot be read, and for what is no object.
    """
    text = _text(path, error)
    listed = _listed(text, path, error)
    found = _one_a_line(text, path, error) if listed is None else _placed(listed, path)
    for where, record in found:
        if not isinstance(record, dict):
            raise error(f"{where} is no object; each has to be {{…}} with id and title.")
        yield where, record


def turns(record: Record) -> Iterator[tuple[str, str]]:
    """What was asked (`question`) and answered (`reference`) in a record's conversation, in order.

    That is how sets are written that models are trained on.
    """
    said = record.get("conversations") or record.get("messages")
    for turn in said if isinstance(said, list) else ():
        if isinstance(turn, dict):
            field = _ROLES.get(str(turn.get("from") or turn.get("role") or "").lower())
            text = turn.get("value") or turn.get("content")
            if field and isinstance(text, str):
                yield field, text


def _text(path: Path, error: type[ExpArtError]) -> str:
    try:
        content = path.read_bytes()
        return content.decode("utf-8-sig")
    except OSError as failure:
        raise error(f"{path} cannot be read: {failure.strerror or failure}.") from failure
    except UnicodeDecodeError as failure:
        line = content.count(b"\n", 0, failure.start) + 1
        raise error(f"{path}, line {line} is not UTF-8; save the file as UTF-8.") from failure


def _listed(text: str, path: Path, error: type[ExpArtError]) -> list[Any] | None:
    """The records of a list or of an object of lists, None for any other file."""
    is_list = text.lstrip().startswith("[")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as failure:
        if is_list:
            raise error(
                f"{path} begins as a list but is not JSON ({failure}); mend it."
            ) from failure
        return None
    if isinstance(document, dict) and all(isinstance(part, list) for part in document.values()):
        return [record for part in document.values() for record in part]
    return document if is_list else None


def _placed(records: list[Any], path: Path) -> Iterator[tuple[str, Any]]:
    for number, record in enumerate(records, start=1):
        yield f"{path}, record {number}", record


def _one_a_line(text: str, path: Path, error: type[ExpArtError]) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(text.split("\n"), start=1):
        where = f"{path}, line {number}"
        if line.strip():
            try:
                yield where, json.loads(line)
            except (ValueError, RecursionError) as failure:
                raise error(
                    f"{where} is not JSON ({failure}); each line has to be one object."
                ) from failure
