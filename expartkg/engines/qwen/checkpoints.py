"""Where a model's files are: a folder, or a repository of the Hugging Face hub at one revision.

Repositories go into the hub's own cache (`HF_HOME`), where other programs, and a Space that
preloads them, find them too. What is there in full is used without asking the hub.
"""

from __future__ import annotations

import errno
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from huggingface_hub import snapshot_download
from huggingface_hub.errors import (
    GatedRepoError,
    HFValidationError,
    LocalEntryNotFoundError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from tqdm.auto import tqdm

from expartkg.engines.base import Progress
from expartkg.errors import EngineError, in_one_line

PINNED = {
    "Qwen/Qwen3-VL-8B-Instruct": "0c351dd01ed87e9c1b53cbc748cba10e6187ff3b",
    "Qwen/Qwen3-4B-Instruct-2507": "cdbee75f17c01a7cc42f958dc650907174af0554",
}
"""The revisions of the paper's models, used unless another is asked for as `NAME@REVISION`."""

FILES = ("*.json", "*.safetensors", "*.jinja", "*.model", "merges.txt")
ORIGIN = "origin.json"
"""Beside weights that were quantized here: the repository and the revision that they are from."""

_STEP = 0.05
"""The share of a download from one sentence on its progress to the next."""
_LARGE = 10**8
"""Bytes of a download of which anything is told."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A model's files. `name` is that of its repository, or of the folder itself; `revision` is
    the commit, None for a folder that does not know.
    """

    name: str
    revision: str | None
    folder: Path

    @property
    def bytes(self) -> int:
        return sum(file.stat().st_size for file in self.folder.rglob("*") if file.is_file())


def find_checkpoint(model: str, progress: Progress) -> Checkpoint:
    """The files of `model`: a folder, `NAME`, or `NAME@REVISION`; downloaded if they are not here.

    Raises `EngineError`.
    """
    folder = Path(model).expanduser()
    if folder.is_dir():
        checkpoint = _of_folder(folder)
    else:
        name, _, revision = model.partition("@")
        folder = _download(name, revision or PINNED.get(name, "main"), progress)
        # The hub's cache names a folder after its commit.
        checkpoint = Checkpoint(name, folder.name, folder)
    _check_complete(checkpoint)
    return checkpoint


def _of_folder(folder: Path) -> Checkpoint:
    origin = folder / ORIGIN
    if not origin.is_file():
        return Checkpoint(folder.name, None, folder)
    known = json.loads(origin.read_text(encoding="utf-8"))
    return Checkpoint(known["name"], known["revision"], folder)


def _download(name: str, revision: str, progress: Progress) -> Path:
    bar = _bar(name, progress)
    try:
        return Path(
            snapshot_download(name, revision=revision, allow_patterns=list(FILES), tqdm_class=bar)
        )
    except Exception as error:
        # Besides the hub's own errors, those of sockets, of several HTTP clients and of the disk.
        raise EngineError(_what_to_do(error, name, revision)) from error


def _what_to_do(error: Exception, name: str, revision: str) -> str:
    """What happened to a download, and what to do. The more special errors come first."""
    again = "then run: python -m expartkg models fetch"
    match error:
        case HFValidationError():
            return (
                f"{name!r} is neither a folder nor the name of a repository, such as "
                "Qwen/Qwen3-VL-8B-Instruct; mend EXPARTKG_LVLM or EXPARTKG_VALIDATOR."
            )
        case GatedRepoError():
            return (
                f"{name} is gated: accept its terms at https://huggingface.co/{name}, log in with "
                f"`hf auth login` or set HF_TOKEN, {again}"
            )
        case RepositoryNotFoundError():
            return (
                f"The hub has no model {name}, or it is private: mend EXPARTKG_LVLM or "
                f"EXPARTKG_VALIDATOR, or log in with `hf auth login`, {again}"
            )
        case RevisionNotFoundError():
            return f"{name} has no revision {revision}; leave @{revision} out, or mend it."
        case LocalEntryNotFoundError():
            return (
                f"{name} is not in the local cache, or not in full, and the hub cannot be reached: "
                f"connect to the internet (is HF_HUB_OFFLINE set?), {again}"
            )
    if getattr(error, "errno", None) == errno.ENOSPC or "No space left" in str(error):
        return (
            f"The disk is full, and {name} is not downloaded yet: free some space, or set HF_HOME "
            f"to a folder on a larger disk, {again}"
        )
    reason = in_one_line(error)
    return (
        f"Downloading {name} broke off ({type(error).__name__}: {reason}). What has arrived is "
        f"kept: check the connection, {again}"
    )


def _check_complete(checkpoint: Checkpoint) -> None:
    missing = _missing_files(checkpoint.folder)
    if missing:
        raise EngineError(
            f"{checkpoint.name} is not complete: {checkpoint.folder} has no {missing[0]}. Run "
            "python -m expartkg models fetch, or give a folder that has all of a model's files."
        )


def _missing_files(folder: Path) -> list[str]:
    index = folder / "model.safetensors.index.json"
    if index.is_file():
        weights = set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values())
    else:
        weights = {"model.safetensors"}
    return [
        name
        for name in ("config.json", "tokenizer_config.json", *sorted(weights))
        if not (folder / name).is_file()
    ]


def _bar(name: str, progress: Progress) -> type[tqdm[Any]]:
    """A progress bar for the hub, which draws nothing and speaks sentences."""

    class Bar(tqdm):  # type: ignore[type-arg]  # which it takes only when types are checked
        # The hub has one bar for what is received and one for what is written: both are told of as
        # one, and the total grows while files are added.
        told = 0.0

        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **{**options, "file": io.StringIO(), "disable": False})

        def update(self, n: float | None = 1) -> bool | None:
            drawn = super().update(n)
            total = self.total or 0
            if self.unit == "B" and total >= _LARGE and self.n - Bar.told >= _STEP * total:
                Bar.told = self.n
                percent = 100 * self.n // total
                progress(f"Downloading {name}: {percent:.0f} % of {total / 1e9:.1f} GB")
            return drawn

    return Bar
