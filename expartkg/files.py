"""Writing a file so that nobody ever sees half of it."""

from __future__ import annotations

import contextlib
import os
import threading
from pathlib import Path

from expartkg.errors import ExpArtError


def write_atomically(path: Path, content: bytes) -> None:
    """Writes beside `path` and renames: it is the old file or the whole new one.

    Folders on the way are made. Raises `ExpArtError` if the file cannot be written.
    """
    aside = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with aside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            aside.unlink()
        raise ExpArtError(f"{path} cannot be written: {error.strerror or error}.") from error
