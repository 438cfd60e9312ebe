"""Ctrl-C asks once, and insists the second time."""

from __future__ import annotations

import signal

import pytest

from expartkg.commands.stopping import stop_on_ctrl_c


def test_the_first_ctrl_c_asks_and_the_second_one_ends() -> None:
    before = signal.getsignal(signal.SIGINT)
    with stop_on_ctrl_c() as stop:
        signal.raise_signal(signal.SIGINT)
        assert stop.is_set()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before
