from __future__ import annotations

import pytest

from expartkg.ui import guesses
from expartkg.ui.guesses import MOST_GUESSES, WHILE_SECONDS, Guesses


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def made(clock: Clock) -> Guesses:
    return Guesses(clock)


def test_a_few_guesses_are_free_and_then_none_for_a_while(made: Guesses, clock: Clock) -> None:
    for _ in range(MOST_GUESSES):
        assert made.wait("192.0.2.1", "anna") == 0
        made.wrong("192.0.2.1", "anna")
        clock.now += 10
    assert made.wait("192.0.2.1", "anna") == WHILE_SECONDS - 10 * MOST_GUESSES
    clock.now += WHILE_SECONDS - 10 * MOST_GUESSES
    assert made.wait("192.0.2.1", "anna") == 0
    made.wrong("192.0.2.1", "anna")
    assert made.wait("192.0.2.1", "anna") == 10


@pytest.mark.parametrize(
    ("address", "name", "waits"),
    [
        ("192.0.2.1", "anna", True),
        ("192.0.2.1", "ben", True),
        ("192.0.2.2", "anna", True),
        ("192.0.2.2", "ben", False),
    ],
)
def test_an_address_and_a_name_wait_each_for_itself(
    made: Guesses, address: str, name: str, waits: bool
) -> None:
    for _ in range(MOST_GUESSES):
        made.wrong("192.0.2.1", "anna")
    assert (made.wait(address, name) > 0) is waits


@pytest.mark.parametrize(
    ("one", "other", "waits"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("", "", True),
    ],
)
def test_who_has_many_addresses_is_one(made: Guesses, one: str, other: str, waits: bool) -> None:
    for number in range(MOST_GUESSES):
        made.wrong(one, f"name {number}")
    assert (made.wait(other, "anna") > 0) is waits


def test_little_is_kept_however_many_guess(
    made: Guesses, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guesses, "MOST_KEPT", 10)
    for number in range(100):
        made.wrong(f"192.0.2.{number}", f"name {number}")
    assert len(made._times) == 10
    clock.now += WHILE_SECONDS
    made.wrong("192.0.2.1", "anna")
    assert len(made._times) == 2
