"""From the loop, a plain generator that blocks, to the page, which must not.

A run goes on in a worker thread; what happens in it reaches the page in batches. Only one run at
a time uses the engine, in order of arrival, and a run keeps its place until it has really ended,
also if nobody waits for it any more. No run goes on for ever, and nobody waits for one that does.
Knows the loop's events and neither gradio nor HTML.
"""

from __future__ import annotations

import asyncio
import logging
import math
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue

from expartkg.errors import ExpArtError
from expartkg.records import Event, StopFlag

log = logging.getLogger(__name__)

BATCH_SECONDS = 0.1
HEARTBEAT_SECONDS = 0.5
WAITING_SECONDS = 2.0
"""How often a place in the line is told that is still the same: it costs gradio a lot of work."""
GRACE_SECONDS = 0.3
"""How long a run that is to end is listened to, in case that it does."""
LATE_SECONDS = 30.0
"""How long after its time limit, when it ends by itself, a run is told to end."""
STUCK_SECONDS = 60.0
"""How long after it was to end a run counts as one that never will."""
MOST_IN_LINE = 20


@dataclass(frozen=True, slots=True)
class Waiting:
    """The engine is busy; `ahead` runs come first."""

    ahead: int


@dataclass(frozen=True, slots=True)
class Crowded:
    """The run was not started: too many wait already."""


@dataclass(frozen=True, slots=True)
class Stuck:
    """The run was not started: the engine hangs in an earlier one."""


@dataclass(frozen=True, slots=True)
class Abandoned:
    """The run was stopped; if it goes on nevertheless, nobody listens to it any more."""


@dataclass(frozen=True, slots=True)
class Overdue:
    """The run did not end at its time limit; nobody listens to it any more."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The run could not start, with the reason, or broke off by a fault of ours, without one."""

    reason: str | None


Notice = Waiting | Crowded | Stuck | Abandoned | Overdue | Broken
Batch = list[Event | Notice]
Start = Callable[[StopFlag], Iterator[Event]]


class Ticket:
    """A place in a `Line`, and when the run that has it is to end."""

    def __init__(self, line: Line, stop: StopFlag | None) -> None:
        self._line = line
        self._stop = stop
        self._begun = False
        self._end = math.inf
        self._called = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def counts(self) -> bool:
        """Whether others wait for it: nobody does for a run that was stopped before its turn."""
        return self._begun or self._stop is None or not self._stop.is_set()

    @property
    def ahead(self) -> int:
        """How many come first; 0 when it is this one's turn."""
        return self._line.ahead_of(self)

    async def wait(self, seconds: float) -> None:
        """Until it is this one's turn, or for so long."""
        self._loop = asyncio.get_running_loop()
        if self.ahead:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._called.wait(), seconds)

    def wake(self) -> None:
        """Ends a `wait`, from whatever thread."""
        if self._loop:
            with suppress(RuntimeError):  # the page has ended, and the waiting with it
                self._loop.call_soon_threadsafe(self._called.set)

    def begin(self, seconds: float) -> None:
        """It is this one's turn, for so long."""
        self._begun = True
        self.end_within(seconds)

    def leave(self) -> None:
        """Gives the place up. A second call has no effect."""
        self._line.remove(self)

    def end_within(self, seconds: float) -> None:
        """The run is to end by then; an earlier end that was set stays."""
        self._end = min(self._end, time.monotonic() + seconds)

    def is_late(self, seconds: float = 0.0) -> bool:
        """Whether the run was to end at least so many seconds ago."""
        return time.monotonic() >= self._end + seconds


class Line:
    """Those who want to use one engine, in order of arrival; the first one is using it."""

    def __init__(self, most: int = MOST_IN_LINE) -> None:
        self._most = most
        self._tickets: list[Ticket] = []
        self._lock = threading.Lock()

    @property
    def is_stuck(self) -> bool:
        """Whether the run that is using the engine was to end long ago; it may still end."""
        with self._lock:
            return any(ticket.is_late(STUCK_SECONDS) for ticket in self._tickets)

    def join(self, stop: StopFlag | None = None) -> Ticket | None:
        """A place at the end, or None if the line is full.

        When `stop` is set before its turn, nobody waits for it any more.
        """
        with self._lock:
            if sum(ticket.counts for ticket in self._tickets) >= self._most:
                return None
            ticket = Ticket(self, stop)
            self._tickets.append(ticket)
            return ticket

    def ahead_of(self, ticket: Ticket) -> int:
        with self._lock:
            place = self._tickets.index(ticket)
            return sum(earlier.counts for earlier in self._tickets[:place])

    def remove(self, ticket: Ticket) -> None:
        with self._lock:
            if ticket not in self._tickets:
                return
            self._tickets.remove(ticket)
            first = next((other for other in self._tickets if other.counts), None)
        if first:
            first.wake()


async def stream(
    start: Start, line: Line, stop: threading.Event, limit_seconds: float
) -> AsyncGenerator[Batch, None]:
    """What happens in a run, at most ten batches a second; an empty batch is a heartbeat.

    `start` is called in a worker thread when it is the run's turn. The last batch ends with
    `Finished` or a notice. Setting `stop` ends the stream within a second, whatever the engine
    is doing; closing the stream sets it. From its turn on, a run has `limit_seconds` to end by
    itself; one that has not is told to stop `LATE_SECONDS` later, and given up if it does not.
    """
    ticket = line.join(stop)
    if ticket is None:
        yield [Stuck() if line.is_stuck else Crowded()]
        return
    worker: _Worker | None = None
    try:
        told, sent = 0, -math.inf
        while (ahead := ticket.ahead) and not (stop.is_set() or line.is_stuck):
            if ahead != told or time.monotonic() - sent >= WAITING_SECONDS:
                told, sent = ahead, time.monotonic()
                yield [Waiting(ahead)]
            await ticket.wait(HEARTBEAT_SECONDS)
        if stop.is_set() or ahead:
            yield [Abandoned() if stop.is_set() else Stuck()]
            return
        ticket.begin(limit_seconds + LATE_SECONDS)
        worker = _Worker(start, ticket, stop)
        async for batch in worker.batches():
            yield batch
    finally:
        stop.set()
        ticket.end_within(0)
        if worker is None:
            ticket.leave()


@dataclass(frozen=True, slots=True)
class _Flag:
    """What a run polls: its visitor can stop it, and so can the clock."""

    stop: threading.Event
    ticket: Ticket

    def is_set(self) -> bool:
        return self.stop.is_set() or self.ticket.is_late()


class _Worker:
    """A run in its thread, which gives up the place in the line when the run has ended."""

    def __init__(self, start: Start, ticket: Ticket, stop: threading.Event) -> None:
        self._start = start
        self._ticket = ticket
        self._stop = stop
        self._items: SimpleQueue[Event | Notice | None] = SimpleQueue()
        # A GPU that is lent by the call is lent to the visitor whom the context names.
        work = partial(copy_context().run, self._work)
        threading.Thread(target=work, name="run", daemon=True).start()

    def _work(self) -> None:
        try:
            for event in self._start(_Flag(self._stop, self._ticket)):
                self._items.put(event)
        except ExpArtError as error:
            self._items.put(Broken(str(error)))
        except BaseException:
            # Whatever it is, also what ends a thread silently: somebody waits for the run.
            log.exception("the run broke off")
            self._items.put(Broken(None))
        finally:
            self._ticket.leave()
            self._items.put(None)

    async def batches(self) -> AsyncGenerator[Batch, None]:
        sent = time.monotonic()
        ended = False
        while not ended:
            await asyncio.sleep(BATCH_SECONDS)
            batch, ended = self._drain()
            if not ended and self._is_given_up():
                batch.append(self._farewell())
                ended = True
            if batch or time.monotonic() - sent >= HEARTBEAT_SECONDS:
                # Without a yield now and then, gradio does not notice that a visitor has left.
                sent = time.monotonic()
                yield batch

    def _drain(self) -> tuple[Batch, bool]:
        batch: Batch = []
        while True:
            try:
                item = self._items.get_nowait()
            except Empty:
                return batch, False
            if item is None:
                return batch, True
            batch.append(item)

    def _is_given_up(self) -> bool:
        if self._stop.is_set():
            self._ticket.end_within(0)
        return self._ticket.is_late(GRACE_SECONDS)

    def _farewell(self) -> Abandoned | Overdue:
        if self._stop.is_set():
            return Abandoned()
        log.error("a run did not end at its time limit; no other one starts before it has ended")
        return Overdue()
