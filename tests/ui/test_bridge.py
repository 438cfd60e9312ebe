"""The bridge from a blocking run to the page, with runs that behave and runs that do not."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import aclosing

import pytest

from expartkg.errors import UsageError
from expartkg.records import AnswerDelta, Event, StopFlag
from expartkg.ui import bridge
from expartkg.ui.bridge import (
    Abandoned,
    Batch,
    Broken,
    Crowded,
    Line,
    Overdue,
    Start,
    Stuck,
    Ticket,
    Waiting,
    stream,
)

LIMIT_SECONDS = 60.0
DEAF_SECONDS = 30.0


def talking(words: int, seconds: float = 0.0) -> Start:
    """A run that says so many words and listens to its stop flag between them."""

    def start(stop: StopFlag) -> Iterator[Event]:
        for number in range(words):
            if stop.is_set():
                return
            time.sleep(seconds)
            yield AnswerDelta(1, str(number))

    return start


def raising(error: BaseException) -> Start:
    def start(stop: StopFlag) -> Iterator[Event]:
        yield AnswerDelta(1, "so far")
        raise error

    return start


class Deaf:
    """A run that says one word and then ends when it is released, whatever it is told.

    `then` is called when the word is said.
    """

    def __init__(self) -> None:
        self._released = threading.Event()
        self.release = self._released.set
        self.then: Callable[[], None] = lambda: None

    def __call__(self, stop: StopFlag) -> Iterator[Event]:
        yield AnswerDelta(1, "before")
        self.then()
        self._released.wait(DEAF_SECONDS)


@pytest.fixture
def deaf() -> Iterator[Deaf]:
    run = Deaf()
    yield run
    run.release()


async def all_of(
    start: Start, line: Line, stop: threading.Event, limit_seconds: float = LIMIT_SECONDS
) -> list[Batch]:
    return [batch async for batch in stream(start, line, stop, limit_seconds)]


def played(
    start: Start,
    line: Line | None = None,
    stop: threading.Event | None = None,
    limit_seconds: float = LIMIT_SECONDS,
) -> Batch:
    """All items of a stream, in order."""
    line = line or Line()
    batches = asyncio.run(all_of(start, line, stop or threading.Event(), limit_seconds))
    return [item for batch in batches for item in batch]


def joined(line: Line) -> Ticket:
    ticket = line.join()
    assert ticket is not None
    return ticket


def until(condition: Callable[[], bool], seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


def test_a_stop_is_felt_within_a_second() -> None:
    assert bridge.BATCH_SECONDS + bridge.GRACE_SECONDS < 1
    assert bridge.HEARTBEAT_SECONDS < 1


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


@pytest.mark.parametrize("fault", [ZeroDivisionError("secret"), SystemExit("secret")])
def test_a_fault_of_ours_is_logged_and_not_shown(
    fault: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    assert played(raising(fault)) == [
        AnswerDelta(1, "so far"),
        Broken(None),
    ]
    assert "secret" in caplog.text


def test_stop_reaches_the_run() -> None:
    stop = threading.Event()
    threading.Timer(1.0, stop.set).start()
    items = played(talking(1000, 0.01), stop=stop)
    assert 1 < len(items) < 900


def test_a_deaf_run_is_left_behind_but_keeps_its_place(deaf: Deaf) -> None:
    """The next run must not start beside it."""
    line, stop = Line(), threading.Event()
    deaf.then = stop.set
    assert played(deaf, line, stop) == [AnswerDelta(1, "before"), Abandoned()]
    ticket = joined(line)
    assert ticket.ahead == 1
    deaf.release()
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
            time.sleep(0.4)
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
    first = joined(line)
    threading.Timer(0.2, stop.set).start()
    assert played(talking(1), line, stop)[-1] == Abandoned()
    first.leave()
    assert joined(line).ahead == 0


def test_the_next_run_begins_as_soon_as_the_place_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine does not stand idle until somebody looks."""
    monkeypatch.setattr(bridge, "HEARTBEAT_SECONDS", 3600.0)
    line = Line()

    async def both() -> list[list[Batch]]:
        runs = (all_of(talking(3, 0.1), line, threading.Event()) for _ in range(3))
        async with asyncio.timeout(60):
            return await asyncio.gather(*runs)

    *_, last = asyncio.run(both())
    assert last[0] == [Waiting(2)]
    assert last[-1][-1] == AnswerDelta(1, "2")


def test_a_place_is_told_when_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not before: each time costs gradio much work."""
    monkeypatch.setattr(bridge, "HEARTBEAT_SECONDS", 0.02)
    monkeypatch.setattr(bridge, "WAITING_SECONDS", 3600.0)
    line = Line()
    first, _ = joined(line), joined(line)

    async def wait() -> None:
        async with aclosing(stream(talking(1), line, threading.Event(), LIMIT_SECONDS)) as batches:
            assert await anext(batches) == [Waiting(2)]
            following = asyncio.ensure_future(anext(batches))
            await asyncio.sleep(0.3)
            assert not following.done()
            first.leave()
            assert await following == [Waiting(1)]

    asyncio.run(wait())


def test_a_place_that_stays_is_told_again_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only so is it noticed that somebody has left."""
    monkeypatch.setattr(bridge, "HEARTBEAT_SECONDS", 0.02)
    monkeypatch.setattr(bridge, "WAITING_SECONDS", 0.1)
    line = Line()
    joined(line)

    async def wait() -> list[Batch]:
        async with aclosing(stream(talking(1), line, threading.Event(), LIMIT_SECONDS)) as batches:
            return [await anext(batches) for _ in range(3)]

    assert asyncio.run(wait()) == [[Waiting(1)]] * 3


def test_who_wants_it_no_more_does_not_count() -> None:
    """Somebody who asks ten times over does not fill the line, nor seem ten people."""
    line, stop = Line(most=2), threading.Event()
    running = joined(line)
    running.begin(LIMIT_SECONDS)
    stopped = line.join(stop)
    assert line.join() is None
    stop.set()
    assert joined(line).ahead == 1
    assert stopped is not None
    assert stopped.ahead == 1


def test_a_run_that_was_stopped_counts_until_it_has_ended() -> None:
    line, stop = Line(), threading.Event()
    running = line.join(stop)
    assert running is not None
    running.begin(LIMIT_SECONDS)
    stop.set()
    assert joined(line).ahead == 1


def test_a_full_line_says_so() -> None:
    line = Line(most=1)
    line.join()
    assert played(talking(1), line) == [Crowded()]


def test_a_closed_stream_stops_its_run() -> None:
    """What happens when a visitor closes the tab."""
    line, stop = Line(), threading.Event()

    async def leave_early() -> None:
        batches = stream(talking(1000, 0.01), line, stop, LIMIT_SECONDS)
        await anext(batches)
        await batches.aclose()

    asyncio.run(leave_early())
    assert stop.is_set()
    ticket = joined(line)
    assert until(lambda: ticket.ahead == 0)


class TestTimeLimit:
    @pytest.fixture(autouse=True)
    def late_at_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bridge, "LATE_SECONDS", 0.0)

    def test_a_run_that_listens_ends_by_itself(self) -> None:
        """Its own last words arrive."""

        def goodbye(stop: StopFlag) -> Iterator[Event]:
            yield from talking(1000, 0.01)(stop)
            yield AnswerDelta(1, "Goodbye.")

        items = played(goodbye, limit_seconds=0.3)
        assert 1 < len(items) < 900
        assert items[-1] == AnswerDelta(1, "Goodbye.")

    def test_a_run_that_does_not_is_given_up_but_keeps_its_place(
        self, deaf: Deaf, caplog: pytest.LogCaptureFixture
    ) -> None:
        line, stop = Line(), threading.Event()
        assert played(deaf, line, stop, 0.5) == [AnswerDelta(1, "before"), Overdue()]
        assert stop.is_set()
        assert "did not end at its time limit" in caplog.text
        ticket = joined(line)
        assert ticket.ahead == 1
        deaf.release()
        assert until(lambda: ticket.ahead == 0)

    def test_a_run_that_nobody_listens_to_ends_too(self) -> None:
        """Its visitor is there and does not read: the run must not need that."""
        line = Line()

        async def read_once() -> bool:
            batches = stream(talking(10_000, 0.01), line, threading.Event(), 0.3)
            await anext(batches)
            ticket = joined(line)
            ended = until(lambda: ticket.ahead == 0)
            await batches.aclose()
            return ended

        assert asyncio.run(read_once())

    def test_the_time_in_the_line_does_not_count(self) -> None:
        line = Line()
        first = joined(line)
        threading.Timer(2.2, first.leave).start()
        items = played(talking(3), line, limit_seconds=2.0)
        assert items[-1] == AnswerDelta(1, "2")


class TestAnEngineThatHangs:
    @pytest.fixture(autouse=True)
    def soon(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bridge, "STUCK_SECONDS", 1.5)
        monkeypatch.setattr(bridge, "HEARTBEAT_SECONDS", 0.05)

    @pytest.fixture
    def line(self, deaf: Deaf) -> Line:
        """Its first visitor has just left; the run goes on."""
        line, stop = Line(), threading.Event()
        deaf.then = stop.set
        assert played(deaf, line, stop)[-1] == Abandoned()
        return line

    def test_who_waits_is_told_after_a_while_and_gives_the_place_up(self, line: Line) -> None:
        items = played(talking(1), line)
        assert items[0] == Waiting(1)
        assert items[-1] == Stuck()
        assert joined(line).ahead == 1

    def test_who_comes_then_is_told_at_once(self, line: Line) -> None:
        assert until(lambda: line.is_stuck)
        assert played(talking(1), line) == [Stuck()]

    def test_a_full_line_is_no_better(self, line: Line) -> None:
        while line.join():
            pass
        assert until(lambda: line.is_stuck)
        assert played(talking(1), line) == [Stuck()]

    def test_when_it_comes_back_all_is_well(self, line: Line, deaf: Deaf) -> None:
        assert until(lambda: line.is_stuck)
        deaf.release()
        assert until(lambda: not line.is_stuck)
        assert played(talking(1), line) == [AnswerDelta(1, "0")]

    def test_a_run_within_its_time_is_not_taken_for_one(self) -> None:
        line = Line()

        async def both() -> list[list[Batch]]:
            slow = all_of(talking(10, 0.2), line, threading.Event())
            quick = all_of(talking(1), line, threading.Event())
            return list(await asyncio.gather(slow, quick))

        assert asyncio.run(both())[1][-1] == [AnswerDelta(1, "0")]
