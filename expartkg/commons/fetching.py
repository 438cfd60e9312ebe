"""The whole errand: from the address of a file to its picture in the cache."""

from __future__ import annotations

import logging
import shutil
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from expartkg.commons.addresses import API, ORIGINS, file_name, served_width
from expartkg.commons.listing import (
    KINDS,
    MAX_ANSWER_BYTES,
    Listing,
    listing_address,
    read_listing,
)
from expartkg.commons.patience import POLL_SECONDS, Patience
from expartkg.commons.records import CommonsPicture, Credit, Fetched
from expartkg.commons.shelf import EXTENSIONS, Shelf
from expartkg.commons.web import PassingError, Visit, Wanted, Web
from expartkg.errors import CommonsError, ExpArtError, PictureError
from expartkg.pictures import MAX_BYTES, open_picture
from expartkg.records import StopFlag

log = logging.getLogger(__name__)


class Commons:
    """Fetches pictures of works from Wikimedia Commons and keeps them in `cache / "commons"`.

    Serves many threads and makes one request at a time for all of them. An errand takes about
    `patience` seconds at most: a host that goes silent in the end is noticed `silence` seconds
    later. `contact` is an address of who runs the guide, for Wikimedia to write to; it allows more
    requests to those who give one. The other arguments are for tests.
    """

    def __init__(
        self,
        cache: Path,
        *,
        contact: str | None = None,
        patience: float = 15.0,
        silence: float = 5.0,
        api: str = API,
        origins: Collection[str] = ORIGINS,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._shelf = Shelf(cache.expanduser() / "commons")
        self._spare: Shelf | None = None
        self._web = Web(origins, contact, silence, clock)
        self._api = api
        self._patience = patience
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()

    def picture(
        self, address: str, width: int = 960, stop: StopFlag | None = None
    ) -> CommonsPicture:
        """The picture of a file, at least `width` pixels wide if the file is, up to 3840.

        `address` is what `addresses.file_name` understands. What the cache has needs no network.
        Raises `CommonsError` for anything that goes wrong on the way, `stop` being set included,
        and `UsageError` for a width below 1. Nothing is kept of what failed.
        """
        name = file_name(address)
        width = served_width(width)
        if kept := self._find(name, width):
            return kept
        patience = Patience(self._patience, stop, self._clock, self._sleep)
        with self._turn(patience):
            return self._find(name, width) or self._fetch(name, width, patience)

    @contextmanager
    def _turn(self, patience: Patience) -> Iterator[None]:
        while not self._lock.acquire(timeout=POLL_SECONDS):
            patience.check()
        try:
            yield
        finally:
            self._lock.release()

    def _find(self, name: str, width: int) -> CommonsPicture | None:
        kept = self._shelf.find(name, width)
        return kept or (self._spare.find(name, width) if self._spare else None)

    def _fetch(self, name: str, width: int, patience: Patience) -> CommonsPicture:
        with self._web.visit(patience) as visit:
            listing = self._listing(visit, name, width)
            if listing.better_width is not None:
                listing = self._listing(visit, name, listing.better_width)
            fetched = visit.get(listing.address, Wanted(EXTENSIONS, MAX_BYTES, _opened))
        return self._keep(name, width, fetched, listing.credit)

    def _listing(self, visit: Visit, name: str, width: int) -> Listing:
        wanted = Wanted(KINDS, MAX_ANSWER_BYTES, lambda content, _: read_listing(content, name))
        return visit.get(listing_address(self._api, name, width), wanted)

    def _keep(self, name: str, width: int, fetched: Fetched, credit: Credit) -> CommonsPicture:
        """A cache that cannot be written costs the next visitor time, not this one the picture."""
        try:
            return self._shelf.put(name, width, fetched, credit)
        except ExpArtError as error:
            log.warning("%s Pictures are kept in a temporary folder until the program ends.", error)
        self._spare = self._spare or self._temporary_shelf()
        return self._spare.put(name, width, fetched, credit)

    def _temporary_shelf(self) -> Shelf:
        with _room_for_files():
            folder = tempfile.mkdtemp(prefix="expartkg-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return Shelf(Path(folder))


def _opened(content: bytes, kind: str) -> Fetched:
    """The picture, once it is sure that the guide can open it."""
    with _room_for_files(), tempfile.TemporaryDirectory(prefix="expartkg-") as folder:
        # Messages of `open_picture` begin with the name of the file.
        file = Path(folder) / "The picture from Wikimedia Commons"
        file.write_bytes(content)
        try:
            width, height = open_picture(file).size
        except PictureError as error:
            # Most often it was cut on the way without a sign of it.
            raise PassingError(str(error)) from error
    return Fetched(content, kind, width, height)


@contextmanager
def _room_for_files() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CommonsError(
            f"There is no place for the picture: {error.strerror or error}. "
            "Make room on the disk, or set TMPDIR to a folder that can be written."
        ) from error
