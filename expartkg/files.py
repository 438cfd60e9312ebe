"""Writing a file so that nobody ever sees half of it."""

from __future__ import annotations

import contextlib
import os
import re
import threading
from pathlib import Path

from expartkg.errors import ExpArtError

_PART = re.compile(r"\..+\.([0-9]+)\.[0-9]+\.part")


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


def sweep(folder: Path) -> None:
    """Removes what a killed process had not finished writing; a living one's files stay."""
    for path in folder.glob(".*.part"):
        match = _PART.fullmatch(path.name)
        if match and not _is_another(int(match[1])):
            path.unlink(missing_ok=True)


def _is_another(pid: int) -> bool:
    """Whether it is a living process, but not this one."""
    if pid == os.getpid():
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
