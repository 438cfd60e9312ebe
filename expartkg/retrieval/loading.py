"""Loading statements into an Oxigraph directory, with an index beside them that opens at once.

The directory is built aside and put in place as a whole: whatever happens, there is the old one or
the new one. What a killed load has left behind is removed by the next.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pyoxigraph import Quad, Store

from expartkg.errors import GraphError
from expartkg.retrieval.descriptions import descriptions_in
from expartkg.retrieval.saved.writing import write_index
from expartkg.retrieval.store import Graph

_AT_THE_WORKING_FOLDER = -100
_EXCHANGE = 2


def load_store(
    statements: Iterable[Quad], directory: Path, sha256: Callable[[], str]
) -> dict[str, int]:
    """Makes a store of the statements, in place of the one that may be there.

    Returns the numbers of entities, statements between them, and properties. `sha256`, which the
    graph is known by, is asked for when all statements have been read. Raises `GraphError` if
    another program is writing to the directory, if it is no store, or if there are no entities;
    the directory then is as before.
    """
    directory = directory.absolute()
    with _workshop(directory) as workshop:
        _check_replaceable(directory)
        new = workshop / "new"
        try:
            _fill(new, statements)
            counts = write_index(_read_back(new, directory.name, sha256()), new)
        except OSError as error:
            raise GraphError(f"{directory} cannot be written: {error}.") from error
        _sync(new)
        _check_replaceable(directory)
        _put_in_place(new, directory, workshop / "old")
    return counts


def _fill(folder: Path, statements: Iterable[Quad]) -> None:
    store = Store(str(folder))
    store.bulk_extend(statements)
    store.flush()
    del store
    # Opened once more, it empties its log, and has the files that it keeps while it is only read.
    Store(str(folder)).flush()


def _read_back(folder: Path, name: str, sha256: str) -> Graph:
    store = Store.read_only(str(folder))
    return Graph(name, descriptions_in(store), lambda: store, sha256)


@contextmanager
def _workshop(directory: Path) -> Iterator[Path]:
    """An empty folder beside the directory, which this load has for itself."""
    folder = directory.with_name(f".{directory.name}.loading")
    handle = _own(folder, directory)
    try:
        if (folder / "old").exists() and not directory.exists():
            os.rename(folder / "old", directory)
        _clear(folder)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if handle is not None:
            os.close(handle)


def _own(folder: Path, directory: Path) -> int | None:
    """Makes and locks the folder; the lock ends with this process, however it ends."""
    folder.mkdir(parents=True, exist_ok=True)
    if sys.platform == "win32":
        return None  # There, files in use cannot be removed, and clearing the folder fails.
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Else another load has removed the folder at its end, just before it was locked.
        owned = os.path.samestat(os.fstat(handle), folder.stat())
    except (BlockingIOError, FileNotFoundError):
        owned = False
    if not owned:
        os.close(handle)
        raise GraphError(f"Another load is writing {directory}; wait until it has ended.")
    return handle


def _clear(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def _check_replaceable(directory: Path) -> None:
    if not directory.exists() or (directory.is_dir() and not any(directory.iterdir())):
        return
    if not (directory / "CURRENT").is_file():
        raise GraphError(f"{directory} is there and is no Oxigraph store; choose another name.")
    try:
        # Only one program at a time can open a store for writing.
        Store(str(directory))
    except OSError as error:
        if "lock" in str(error).lower():
            raise GraphError(
                f"The store {directory} is locked: another program has it open for writing; "
                "close it and load again."
            ) from error


def _sync(folder: Path) -> None:
    """Waits until all is on the disk, so that not even a power cut leaves half of it."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())


def _put_in_place(new: Path, directory: Path, old: Path) -> None:
    if not directory.exists():
        os.rename(new, directory)
    elif not _exchange(new, directory):
        # Killed between the two, the next load puts the old one back.
        os.rename(directory, old)
        os.rename(new, directory)


def _exchange(one: Path, other: Path) -> bool:
    """Swaps two folders in one step, where the system can do that; else does nothing."""
    rename = getattr(ctypes.CDLL(None), "renameat2", None) if sys.platform == "linux" else None
    if rename is None:
        return False
    here = _AT_THE_WORKING_FOLDER
    return bool(rename(here, os.fsencode(one), here, os.fsencode(other), _EXCHANGE) == 0)
