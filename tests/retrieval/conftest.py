"""What the tests of retrieval share."""

from __future__ import annotations

from pathlib import Path

from expartkg.retrieval.loading import load_store
from expartkg.retrieval.reading import sha256_of, statements_in, stop_at_bad_line


def load(path: Path, directory: Path) -> dict[str, int]:
    """Loads a file into a store, as `kg load` does."""
    return load_store(statements_in(path, stop_at_bad_line), directory, lambda: sha256_of([path]))
