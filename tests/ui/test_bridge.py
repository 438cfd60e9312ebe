"""The bridge from a blocking run to the page, with runs that behave and runs that do not."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from expartkg.errors import UsageError
from expartkg.records import AnswerDelta, Event, StopFlag
from expartkg.ui import bridge
from expartkg.ui.bridge import Abandoned, Batch, Broken, Crowded, Line, Start, Waiting, stream


def talking(words: int, seconds: float = 0.0) -> Start:
    """A run that says so many words and listens to its stop flag between them."""

    def start(stop: StopFlag) -> Iterator[Event]:
        for number in range(words):
            if stop.is_set():
                return
            time.sleep(seconds)
            yield AnswerDelta(1, str(number))

    return start


def raising(error: Exception) -> Start:
    def start(stop: StopFlag) -> Iterator[Event]:
        yield AnswerDelta(1, "so far")
        raise error

    return start


async def all_of(start: Start, line: Line, stop: threading.Event) -> list[Batch]:
    return [batch async for batch in stream(start, line, stop)]


def played(start: Start, line: Line | None = None, stop: threading.Event | None = None) -> Batch:
    """All items of a stream, in order."""
    batches = asyncio.run(all_of(start, line or Line(), stop or threading.Event()))
    return [item for batch in batches for item in batch]


def until(condition: Callable[[], bool], seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


def test_everything_arrives_in_order() -> None:
    assert [item.text for item in played(talking(500)) if isinstance(item, AnswerDelta)] == [
        str(number) for number in range(500)
    ]


def test_at_most_ten_batches_a_second() -> None:
    began = time.monotonic()
    batches = asyncio.run(all_of(talking(100, 0.005), Line(), threading.Event()))
    assert len(batches) <= 1 + (time.monotonic() - began) / bridge.BATCH_SECONDS


def test_a_silent_run_has_a_heartbeat() -> None:
    batches = asyncio.run(all_of(talking(1, 1.2), Line(), threading.Event()))
    assert [batch for batch in batches if not batch]


def test_a_reason_for_the_visitor_is_passed_on() -> None:
    assert played(raising(UsageError("Say which.")))[-1] == Broken("Say which.")


def test_a_fault_of_ours_is_logged_and_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    assert played(raising(ZeroDivisionError("secret"))) == [
        AnswerDelta(1, "so far"),
        Broken(None),
    ]
    assert "secret" in caplog.text


def test_stop_reaches_the_run() -> None:
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    began = time.monotonic()
    items = played(talking(1000, 0.01), stop=stop)
    assert time.monotonic() - began < 1.3
    assert 1 < len(items) < 200


def test_a_deaf_run_is_left_behind_within_a_second_but_keeps_its_place() -> None:
    """The next run must not start beside it."""
    line, stop, release = Line(), threading.Event(), threading.Event()

    def deaf(stop: StopFlag) -> Iterator[Event]:
        yield AnswerDelta(1, "before")
        release.wait()

    threading.Timer(0.2, stop.set).start()
    began = time.monotonic()
    assert played(deaf, line, stop) == [AnswerDelta(1, "before"), Abandoned()]
    assert time.monotonic() - began < 1.2
    ticket = line.join()
    assert ticket is not None
    assert ticket.ahead == 1
    release.set()
    assert until(lambda: ticket.ahead == 0)


def test_one_run_at_a_time_in_order_of_arrival() -> None:
    line = Line()
    running: list[str] = []
    order: list[str] = []

    def named(name: str) -> Start:
        def start(stop: StopFlag) -> Iterator[Event]:
            running.append(name)
            assert running == [name]
            order.append(name)
            time.sleep(0.15)
            yield AnswerDelta(1, name)
            running.remove(name)

        return start

    async def all_three() -> list[list[Batch]]:
        runs = (all_of(named(name), line, threading.Event()) for name in "abc")
        return await asyncio.gather(*runs)

    results = asyncio.run(all_three())
    assert order == ["a", "b", "c"]
    assert results[1][0] == [Waiting(1)]
    assert results[2][0] == [Waiting(2)]
    for name, batches in zip("abc", results, strict=True):
        texts = [item.text for batch in batches for item in batch if isinstance(item, AnswerDelta)]
        assert texts == [name]


def test_stop_while_waiting_gives_the_place_up() -> None:
    line, stop = Line(), threading.Event()
    first = line.join()
    threading.Timer(0.2, stop.set).start()
    assert played(talking(1), line, stop)[-1] == Abandoned()
    assert first is not None
    first.leave()
    after = line.join()
    assert after is not None
    assert after.ahead == 0


def test_a_full_line_says_so() -> None:
    line = Line(most=1)
    line.join()
    assert played(talking(1), line) == [Crowded()]


def test_a_closed_stream_stops_its_run() -> None:
    """What happens when a visitor closes the tab."""
    line, stop = Line(), threading.Event()

    async def leave_early() -> None:
        batches = stream(talking(1000, 0.01), line, stop)
        await anext(batches)
        await batches.aclose()

    asyncio.run(leave_early())
    assert stop.is_set()
    ticket = line.join()
    assert ticket is not None
    assert until(lambda: ticket.ahead == 0)
