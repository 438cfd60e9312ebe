"""Pauses, patience, and many who ask at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate
from pathlib import Path

import pytest

from expartkg.commons import Commons
from expartkg.errors import CommonsError
from tests.commons.errands import P18, Clock, refused
from tests.commons.server import (
    FakeCommons,
    Fault,
    Part,
    Upload,
    dripping,
    silent,
    status,
)


def test_retry_after_is_waited_for_when_it_fits(
    server: FakeCommons, commons: Commons, clock: Clock
) -> None:
    server.fail("picture", status(429, Retry_After="4"))
    commons.picture(P18)
    assert 4 <= clock.waited < 4.1
    assert server.asked("picture") == 2


def test_retry_after_may_be_a_date(server: FakeCommons, commons: Commons, clock: Clock) -> None:
    server.fail("api", status(503, Retry_After=formatdate(time.time() + 5, usegmt=True)))
    commons.picture(P18)
    assert 3.9 <= clock.waited <= 6.1  # both dates are in whole seconds


@pytest.mark.parametrize("code", [429, 503])
def test_a_long_retry_after_is_told_at_once_and_kept_to(
    server: FakeCommons, commons: Commons, clock: Clock, code: int
) -> None:
    server.fail("picture", status(code, Retry_After="600"))
    assert "try again in 10 minutes" in refused(commons, "asks for a pause")
    assert clock.waited == 0
    clock.sleep(300)
    assert "try again in 5 minutes" in refused(commons, "asks for a pause")
    assert len(server.requests) == 2
    clock.sleep(290)
    commons.picture(P18)  # 10 seconds more are waited for
    assert clock.waited >= 600


def test_one_host_that_wants_a_pause_does_not_keep_what_is_cached(
    server: FakeCommons, commons: Commons
) -> None:
    picture = commons.picture(P18)
    server.fail("api", status(429, Retry_After="600"))
    refused(commons, "asks for a pause", "Another.jpg")
    assert commons.picture(P18) == picture


@pytest.mark.parametrize("fault", [status(500), status(502), status(503), status(429), status(408)])
@pytest.mark.parametrize("part", ["api", "picture"])
def test_passing_faults_are_tried_again_with_pauses(
    server: FakeCommons, commons: Commons, clock: Clock, fault: Fault, part: Part
) -> None:
    server.fail(part, fault, fault)
    assert commons.picture(P18).width == 960
    assert server.asked(part) == 3
    assert 2 <= clock.waited < 2.1


def test_faults_that_last_are_told_after_three_tries(server: FakeCommons, commons: Commons) -> None:
    server.fail("picture", *[status(502)] * 10)
    refused(commons, r"fault of its own at the moment \(502\); try again later")
    assert server.asked("picture") == 3
    server.fail("api", *[status(429)] * 3)
    refused(commons, "too many requests from here; try again later", "Other.jpg")
    server.fail("api", status(500), status(500), status(503, Retry_After="7000"))
    refused(commons, r"\(503\); try again in 2 hours", "Third.jpg")


def test_a_fault_is_told_when_there_is_no_time_for_another_try(
    server: FakeCommons, timed: Callable[..., Commons], clock: Clock
) -> None:
    commons = timed(patience=1.0)
    server.fail("api", *[status(502)] * 3)
    refused(commons, r"\(502\)")
    assert server.asked("api") == 2
    assert clock.waited < 1


@pytest.mark.parametrize("code", [404, 410])
def test_a_picture_that_is_gone_is_not_asked_for_twice(
    server: FakeCommons, commons: Commons, code: int
) -> None:
    server.fail("picture", status(code))
    refused(commons, "no longer on Wikimedia Commons")
    assert server.asked("picture") == 1


def test_silence_is_given_up_and_tried_again(
    server: FakeCommons, timed: Callable[..., Commons]
) -> None:
    commons = timed(silence=0.7)
    server.fail("picture", silent)
    assert commons.picture(P18).width == 960
    server.fail("api", silent, silent, silent)
    refused(commons, "did not answer in time; try again later", "Other.jpg")


@pytest.mark.parametrize("fault", [silent, dripping])
def test_no_errand_takes_longer_than_there_is_patience(
    server: FakeCommons, hurried: Commons, fault: Fault
) -> None:
    server.fail("picture", *[fault] * 10)
    begun = time.monotonic()
    refused(hurried, "did not answer in time|took longer than 0.3 seconds")
    assert time.monotonic() - begun < 30


def test_stop_ends_the_wait(server: FakeCommons, tmp_path: Path, clock: Clock) -> None:
    stop = threading.Event()

    def sleep(seconds: float) -> None:
        clock.sleep(seconds)
        stop.set()

    commons = Commons(tmp_path, api=server.api, origins={server.origin}, clock=clock, sleep=sleep)
    server.fail("picture", status(429, Retry_After="10"))
    with pytest.raises(CommonsError, match="was stopped"):
        commons.picture(P18, stop=stop)
    assert clock.waited < 1
    assert server.asked("picture") == 1


def test_stop_ends_a_slow_body(server: FakeCommons, commons: Commons) -> None:
    stop = threading.Event()
    server.fail("picture", dripping)
    timer = threading.Timer(0.1, stop.set)
    timer.start()
    with pytest.raises(CommonsError, match="was stopped"):
        commons.picture(P18, stop=stop)
    timer.join()


def test_stop_beforehand_asks_nothing(server: FakeCommons, commons: Commons) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(CommonsError, match="was stopped"):
        commons.picture(P18, stop=stop)
    assert server.requests == []


def test_many_who_ask_for_the_same_file_cause_one_fetch(
    server: FakeCommons, commons: Commons
) -> None:
    with ThreadPoolExecutor(8) as pool:
        pictures = list(pool.map(lambda _: commons.picture(P18), range(8)))
    assert len(set(pictures)) == 1
    assert [request.part for request in server.requests] == ["api", "picture"]


def test_one_request_at_a_time(server: FakeCommons, commons: Commons) -> None:
    names = [f"Work {number}.jpg" for number in range(6)]
    for name in names:
        server.add(Upload(name))
    server.held_for = 0.05
    with ThreadPoolExecutor(6) as pool:
        pictures = list(pool.map(commons.picture, names))
    assert [picture.credit.file for picture in pictures] == names
    assert server.most_at_once == 1


def test_who_waits_for_a_turn_can_be_stopped(server: FakeCommons, commons: Commons) -> None:
    server.fail("api", silent)
    stop = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(commons.picture, P18)
        _until(lambda: server.asked("api") == 1)
        stop.set()
        with pytest.raises(CommonsError, match="was stopped"):
            commons.picture("Other.jpg", stop=stop)
        assert not first.done()
        server.released.set()
        assert first.result().width == 960
    assert server.asked("api") == 2  # the one that fell silent, and its second try


def _until(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not happened() and time.monotonic() < end:
        time.sleep(0.005)
