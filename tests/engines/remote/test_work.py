"""Work that waits in its own thread, and lets go at once."""

from __future__ import annotations

import asyncio
import itertools
import threading
import time

import pytest

from expartkg.engines.remote.work import Emit, emitted
from expartkg.records import StopFlag

LONG = 20.0


def test_gives_what_the_work_emits_in_order(never: StopFlag) -> None:
    async def work(emit: Emit[int]) -> None:
        for number in range(100):
            emit(number)
            await asyncio.sleep(0)

    assert list(emitted(work, never)) == list(range(100))


def test_raises_what_the_work_raises_after_what_it_emitted(never: StopFlag) -> None:
    async def work(emit: Emit[str]) -> None:
        emit("first")
        raise LookupError("gone")

    items = emitted(work, never)
    assert next(items) == "first"
    with pytest.raises(LookupError, match="gone"):
        next(items)


@pytest.mark.parametrize("closed", [False, True], ids=["stopped", "closed"])
def test_work_that_is_given_up_is_cancelled(closed: bool) -> None:
    cancelled, stop = threading.Event(), threading.Event()

    async def work(emit: Emit[str]) -> None:
        emit("first")
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    items = emitted(work, stop)
    assert next(items) == "first"
    if closed:
        items.close()
    else:
        stop.set()
        assert list(items) == []
    assert cancelled.wait(LONG)


def test_nothing_comes_after_stop() -> None:
    async def work(emit: Emit[int]) -> None:
        for number in itertools.count():
            emit(number)
            await asyncio.sleep(0.001)

    stop = threading.Event()
    items = emitted(work, stop)
    assert list(itertools.islice(items, 3)) == [0, 1, 2]
    stop.set()
    assert list(items) == []


def test_a_thread_that_hangs_does_not_hold_up_the_end(never: StopFlag) -> None:
    """As the system's own function that looks up a host does, which nothing can interrupt."""
    released = threading.Event()

    async def work(emit: Emit[str]) -> None:
        async with asyncio.timeout(0.05):
            await asyncio.to_thread(released.wait, 4 * LONG)

    began = time.monotonic()
    with pytest.raises(TimeoutError):
        list(emitted(work, never))
    assert time.monotonic() - began < LONG
    released.set()


def test_works_inside_a_running_loop(never: StopFlag) -> None:
    """As in a notebook."""

    async def work(emit: Emit[str]) -> None:
        emit("done")

    async def notebook() -> list[str]:
        return list(emitted(work, never))

    assert asyncio.run(notebook()) == ["done"]
