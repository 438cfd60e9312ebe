"""Ctrl-C asks once, and insists the second time."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from expartkg.commands.stopping import stop_on_ctrl_c


@pytest.fixture(autouse=True)
def heeded() -> Iterator[None]:
    """Tests that were started in the background have Ctrl-C ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_the_first_ctrl_c_asks_and_the_second_one_ends() -> None:
    before = signal.getsignal(signal.SIGINT)
    with stop_on_ctrl_c() as stop:
        signal.raise_signal(signal.SIGINT)
        assert stop.is_set()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before
