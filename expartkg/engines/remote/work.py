"""Waiting for the network without being held by it. Knows no protocol.

A blocking read of a socket cannot be given up, a coroutine can: it is cancelled wherever it
waits (for a name, a connection, the first word, the next one), and closes what it has open.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Generator
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from expartkg.records import StopFlag

Item = TypeVar("Item")
Emit = Callable[[Item], None]
Work = Callable[[Emit[Item]], Coroutine[Any, Any, None]]

POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class _End:
    error: BaseException | None


def emitted(work: Work[Item], stop: StopFlag) -> Generator[Item, None, None]:
    """What `work` emits, one by one, until it ends; raises what it raises.

    Ends within `POLL_SECONDS` when `stop` is set, and gives nothing after that. The work goes on
    in a thread of its own; it is cancelled when `stop` is set or the generator is closed.
    """
    items: SimpleQueue[Item | _End] = SimpleQueue()
    given_up = threading.Event()
    supervised = _supervised(work, items, given_up)
    threading.Thread(target=asyncio.run, args=(supervised,), name="remote", daemon=True).start()
    try:
        while not stop.is_set():
            try:
                item = items.get(timeout=POLL_SECONDS)
            except Empty:
                continue
            if not isinstance(item, _End):
                yield item
            elif item.error:
                raise item.error
            else:
                return
    finally:
        given_up.set()


async def _supervised(
    work: Work[Item], items: SimpleQueue[Item | _End], given_up: threading.Event
) -> None:
    """Does the work, and cancels it when it is given up.

    The end is told from here, since the loop that this runs in may have to wait for a thread that
    looks up a name before it can close.
    """
    task = asyncio.ensure_future(work(items.put))
    while not task.done():
        await asyncio.wait({task}, timeout=POLL_SECONDS)
        if given_up.is_set():
            task.cancel()
    items.put(_End(None if task.cancelled() else task.exception()))
