"""Writing a file so that nobody ever sees half of it, and a folder that one process works in."""

from __future__ import annotations

import contextlib
import errno
import glob
import os
import re
import sys
import threading
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from expartkg.errors import ExpArtError

if sys.platform != "win32":
    import fcntl


LONGEST_NAME = 40
_PART = re.compile(r"\..+\.([0-9]+)\.[0-9]+\.part")


def file_name(text: str) -> str:
    """A text as the name of a file, without an ending: small letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:LONGEST_NAME].strip("-") or "work"


def write_atomically(path: Path, content: bytes) -> None:
    """Writes beside `path` and renames: it is the old file or the whole new one.

    Folders on the way are made. Raises `ExpArtError` if the file cannot be written.
    """
    aside = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    with writing(path):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with aside.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(aside, path)
        except OSError:
            with contextlib.suppress(OSError):
                aside.unlink()
            raise


@contextlib.contextmanager
def writing(what: object) -> Iterator[None]:
    """Raises `ExpArtError` where the disk refuses to have `what` written."""
    try:
        yield
    except OSError as error:
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        remedy = " Make room on the disk, and try again." if is_full else ""
        raise ExpArtError(
            f"{what} cannot be written: {error.strerror or error}.{remedy}"
        ) from error


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keeps other processes from working in a folder, which is made if it is not there.

    What a killed one has left in it is swept away. The lock ends with the process, however that
    ends. Raises `ExpArtError` if another has it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("wb") as file:
        if sys.platform != "win32":
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise ExpArtError(
                    f"Another process is at work in {folder}; wait for it, or use another --out."
                ) from error
        sweep(folder)
        yield


def sweep(folder: Path) -> None:
    """Removes what a killed process had not finished writing, also in folders of the folder.

    A living one's files stay.
    """
    for path in folder.rglob(".*.part"):
        _remove_abandoned(path)


def sweep_beside(file: Path) -> None:
    """As `sweep`, of one file alone; its folder may be anybody's."""
    for path in file.parent.glob(f".{glob.escape(file.name)}.*.part"):
        _remove_abandoned(path)


def _remove_abandoned(path: Path) -> None:
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
