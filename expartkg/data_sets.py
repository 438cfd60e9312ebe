"""Sets of questions on the Hugging Face hub, such as ExpArt."""

from __future__ import annotations

from pathlib import Path

from expartkg.errors import ExpArtError

EXPART = "naist-nlp/ExpArt"
ENDINGS = (".json", ".jsonl")


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
        first = str(failure).strip().splitlines()[0]
        raise error(
            f"The data set {name} cannot be fetched from the hub ({first}); check its name and "
            "the network, or download its files and give one of them."
        ) from failure
