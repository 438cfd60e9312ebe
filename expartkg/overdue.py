"""A run that ends in any case: also where the engine hangs and heeds neither Ctrl-C nor the clock.

For commands, whose runs nobody may be watching: one work that hangs is no reason to leave the
others. (The page has `ui.bridge`, where others wait for the same engine.)
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from queue import Empty, SimpleQueue

from expartkg.engines.base import Engine
from expartkg.loop import Loop, prepare
from expartkg.records import Artwork, Event, Finished, StopFlag
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import Settings

LATE_SECONDS = 60.0
"""How long a run that is to end may take to do so before it is given up."""
POLL_SECONDS = 0.1


def explain_in_time(
    artwork: Artwork,
    *,
    retriever: Retriever,
    engine: Engine,
    settings: Settings,
    question: str | None = None,
    stop: StopFlag | None = None,
) -> Iterator[Event]:
    """As `loop.explain`, and `LATE_SECONDS` after `stop` or the time limit it is over.

    Then the run ends as `failed` with what there is, and the thread that the engine hangs in is
    left behind.
    """
    left = threading.Event()
    flag = AnyOf(left, stop or left)
    return _Attended(
        prepare(
            artwork,
            retriever=retriever,
            engine=engine,
            settings=settings,
            question=question,
            stop=flag,
        ),
        left,
    ).events()


class AnyOf:
    """A stop flag that is set as soon as one of two is."""

    def __init__(self, one: StopFlag, other: StopFlag) -> None:
        self._flags = one, other

    def is_set(self) -> bool:
        return any(flag.is_set() for flag in self._flags)


class _Attended:
    """A loop in a thread of its own; `left` is set when nobody listens any more."""

    def __init__(self, loop: Loop, left: threading.Event) -> None:
        self._loop = loop
        self._left = left
        self._items: SimpleQueue[Event | BaseException | None] = SimpleQueue()
        self._late_from: float | None = None

    def events(self) -> Iterator[Event]:
        thread = threading.Thread(target=self._work, name="explain", daemon=True)
        thread.start()
        try:
            yield from self._listen()
        finally:
            self._left.set()
            thread.join(POLL_SECONDS)

    def _work(self) -> None:
        try:
            for event in self._loop.events():
                self._items.put(event)
            self._items.put(None)
        except BaseException as error:  # noqa: BLE001  # it is raised again, in the other thread
            self._items.put(error)

    def _listen(self) -> Iterator[Event]:
        while True:
            try:
                item = self._items.get(timeout=POLL_SECONDS)
            except Empty:
                if self._is_overdue():
                    yield Finished(self._loop.run("failed", self._reason()))
                    return
                continue
            if item is None:
                return
            if isinstance(item, BaseException):
                raise item
            yield item

    def _is_overdue(self) -> bool:
        now = time.monotonic()
        if self._late_from is None and self._loop.stop.is_set():
            self._late_from = now + LATE_SECONDS
        return self._late_from is not None and now >= self._late_from

    def _reason(self) -> str:
        return (
            f"The engine {self._loop.engine.name} took too long: {LATE_SECONDS:g} seconds after it "
            "was told to stop it had not. Try fewer iterations; if it happens again, it hangs."
        )
